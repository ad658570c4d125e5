"""``cvlint audit --repositories``: the repositories of a list, in processes of this machine or on a Dask cluster."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import click

from cvlint.cli.console.paths import report_target
from cvlint.cli.console.progress import ProgressBar
from cvlint.output.shared.strangers_text import harmless_line
from cvlint.submissions.crews import Crew, dask_crew, local_crew
from cvlint.submissions.listed import read_list
from cvlint.submissions.results_file import SUFFIXES, TABLE, ResultsFile
from cvlint.submissions.rounds import audit_all
from cvlint.submissions.table import require_parquet
from cvlint.usage_error import UsageError
from cvlint.workspace.steps.check_files import usable_cores

VALID = f"valid is the name of a {' or '.join(SUFFIXES)} file"


def audit_list(listed: str, output: str | None, executor: str | None, jobs: int, retries: int) -> None:
    """Audit the repositories of a list that the results file does not hold yet.

    Parameters
    ----------
    listed : str
        The list.
    output : str or None
        The results file.
    executor : str or None
        The address of a Dask cluster; None for processes of this machine.
    jobs : int
        Their number; 0 for all cores.
    retries : int
        How often a repository is tried again if the reason of its failure may pass.

    Raises
    ------
    UsageError
        If no repository could be audited, and for lists, files and clusters that cannot be used.
    """
    target = report_target(output, read=listed)
    if target is None or target.suffix not in SUFFIXES:
        given = f"cannot be '{output}' with --repositories" if output else "is missing: --repositories needs it"
        raise UsageError(f"The option --output {given}", VALID)
    repositories = read_list(Path(listed))
    if target.suffix == TABLE:
        require_parquet()
    results = ResultsFile(target)
    waiting = [one for one in repositories if not results.is_done(one.name)]
    failed = 0
    spare = local_crew(jobs or usable_cores())
    with ExitStack() as stack:
        crew: Crew = spare
        if executor is not None and waiting:
            crew = stack.enter_context(dask_crew(executor))
        progress = stack.enter_context(ProgressBar("repositories"))
        outcomes = audit_all(waiting, crew, spare, retries, _crew_is_gone)
        for count, (repository, outcome) in enumerate(outcomes, start=1):
            results.add(repository.name, outcome.line, not outcome.reason)
            progress(count, len(waiting))
            if outcome.reason:
                failed += 1
                click.echo(harmless_line(f"{repository.name}: {outcome.reason}"), err=True, nl=False)
    results.finish(one.name for one in repositories)
    if failed == len(repositories):
        raise UsageError(f"None of the {len(repositories)} repositories could be audited")
    click.echo(harmless_line(_summary(len(repositories), len(waiting), failed, target)), err=True, nl=False)


def _crew_is_gone(clause: str) -> None:
    click.echo(
        harmless_line(f"{clause[:1].upper()}{clause[1:]} is gone: this machine does the rest."), err=True, nl=False
    )


def _summary(listed: int, waiting: int, failed: int, target: Path) -> str:
    parts = [f"{waiting - failed} of {listed} repositories were audited"]
    parts += [f"{failed} could not be"] if failed else []
    parts += [f"{listed - waiting} had been before"] if listed > waiting else []
    return f"{', '.join(parts)}. The results are in {target}."
