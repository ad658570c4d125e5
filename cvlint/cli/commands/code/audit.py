"""``cvlint audit``: how a submission aggregates its results, for a reviewer.

The settings and the comments of the submission have no effect on the check.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING

import click

from cvlint.cli.console.paths import existing_path, report_target
from cvlint.cli.console.terminal import write_report
from cvlint.cli.options.validation import one_of, whole_number
from cvlint.output.shared.locations import printable
from cvlint.records import replace
from cvlint.usage_error import UsageError

if TYPE_CHECKING:
    from cvlint.audit.inventory import Audit
    from cvlint.findings.source_text import SourceLines
    from cvlint.workspace.snapshots.submissions import Submission

FORMATS = ("markdown", "html")
VALID = "valid are files, folders, archives and repositories that exist"


@click.command("audit")
@click.argument("paths", nargs=-1, metavar="[PATHS]...")
@click.option(
    "--format",
    "style",
    callback=one_of(FORMATS),
    metavar="|".join(FORMATS),
    help="Default: markdown, or html if FILE ends with .html.",
)
@click.option("-o", "--output", metavar="FILE", help="Write the report to a file.")
@click.option("--jobs", callback=whole_number, metavar="N", help="Number of processes; by default cvlint chooses it.")
@click.option(
    "--repositories",
    "listed",
    metavar="LIST",
    help="Audit all paths that a file lists, one on each line, and write JSON lines or a Parquet table.",
)
@click.option("--executor", metavar="dask://HOST:PORT", help="With --repositories: let a Dask cluster do it.")
@click.option(
    "--retries",
    callback=whole_number,
    metavar="N",
    help="With --repositories: how often one is tried again whose process ended; by default twice.",
)
@click.help_option("-h", "--help")
def command(
    paths: tuple[str, ...],
    style: str | None,
    output: str | None,
    jobs: int | None,
    listed: str | None,
    executor: str | None,
    retries: int | None,
) -> None:
    """Report how submissions aggregate their results, for reviewers: files, folders, archives and git repositories.

    Archives are zip and tar files. A bare repository, and a file:// URL of any repository, stands for its last commit.

    It lists every aggregation, right ones too, then the findings of all rules, then what could not be analysed. The
    settings of a submission, and its comments that suppress findings, have no effect. Nothing is run.

    With --repositories the results go to the .jsonl or .parquet file of --output as they come. Run the command again
    to go on after an interruption: what is in the file is not done again.

    Exit status: 0 whatever is found, 2 if cvlint cannot audit a path, or none of --repositories.
    """
    if listed is None:
        _refuse({"--executor": executor, "--retries": retries}, "needs --repositories")
        if not paths:
            raise UsageError("The argument PATHS is missing")
        _report(paths, style, output, jobs or 0)
        return
    from cvlint.cli.commands.code.audit_many import audit_list

    _refuse({"--format": style, "PATHS": " ".join(paths)}, "cannot be combined with --repositories")
    if executor is not None:
        _refuse({"--jobs": jobs}, "cannot be combined with --executor, whose workers do the work")
    audit_list(listed, output, executor, jobs or 0, 2 if retries is None else retries)


def _refuse(given: Mapping[str, object], problem: str) -> None:
    """Refuse options that have no effect beside others."""
    for name, value in given.items():
        if value not in (None, ""):
            raise UsageError(f"The {'argument' if name.isupper() else 'option'} {name} {problem}")


def _report(paths: Sequence[str], style: str | None, output: str | None, jobs: int) -> None:
    """Write the report on the submissions at some paths."""
    from cvlint.cli.console.progress import ProgressBar
    from cvlint.submissions.audited import audit_submission

    target = report_target(output)
    style = style or ("html" if target is not None and target.suffix.lower() in (".html", ".htm") else "markdown")
    with ExitStack() as stack:
        # All archives are unpacked before the first check, so that a broken one is refused at once.
        submissions = [_opened(given, stack) for given in paths]
        with ProgressBar() as progress:
            audits = [(audit_submission(one, jobs, progress), _lines(one)) for one in submissions]
        report = _rendered(audits, style)
    write_report(report, target)
    if target is not None:
        click.echo(f"The report is in {printable(str(target))}.", err=True)


def _opened(given: str, stack: ExitStack) -> Submission:
    """The submission at a path or URL."""
    from cvlint.workspace.snapshots.git_checkout import SCHEME, folder_of_url
    from cvlint.workspace.snapshots.submissions import open_submission

    path = existing_path(str(folder_of_url(given)) if given.startswith(SCHEME) else given, VALID)
    return open_submission(given, path, stack)


def _lines(submission: Submission) -> SourceLines:
    """The source lines of locations whose paths start from the root of a submission."""
    from cvlint.workspace.source_lines import source_lines

    lines = source_lines(None)
    return lambda location: lines(replace(location, path=str(submission.folder / location.path)))


def _rendered(audits: Sequence[tuple[Audit, SourceLines]], style: str) -> str:
    from cvlint.output.audit.html import render_html
    from cvlint.output.audit.markdown import render_markdown

    if style == "html":
        return render_html(audits)
    return "\n".join(render_markdown(audit, lines) for audit, lines in audits)
