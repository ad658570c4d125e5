"""``cvlint init``: switch cvlint on in a repository."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING

import click

from cvlint.cli.console.paths import working_directory
from cvlint.cli.console.terminal import is_terminal, write
from cvlint.output.shared.locations import printable
from cvlint.usage_error import UsageError

if TYPE_CHECKING:
    from cvlint.cli.init.origin import Origin
    from cvlint.cli.init.proposals import Proposal
    from cvlint.cli.init.repository import RepositoryFacts
    from cvlint.findings.finding import Report


@click.command("init")
@click.option("-y", "--yes", is_flag=True, help="Ask nothing, and take the proposed answers.")
@click.option("--repo", metavar="URL", help="The address of cvlint's repository, for the hook and CI.")
@click.option("--rev", metavar="NAME", help="The tag or commit of that repository; default: the tag of this version.")
@click.help_option("-h", "--help")
def command(yes: bool, repo: str | None, rev: str | None) -> None:
    """Switch cvlint on in this repository: config, baseline of what is there today, hook and CI.

    The command looks at the repository, asks at most three questions, and writes only files that are not there yet.
    With --yes it writes a job for CI only where other jobs are. Run it again at any time: it adds what is missing.
    """
    from cvlint.cli.init.origin import origin_of
    from cvlint.cli.init.proposals import config_proposal, hook_proposal, write_all
    from cvlint.cli.init.repository import look

    for option, value in (("--repo", repo), ("--rev", rev)):
        if value is not None and not re.fullmatch(r"[\w.~:/@+-]+", value):
            raise UsageError(f"The option {option} cannot be '{value}'", "valid are letters, digits and . ~ : / @ + -")
    if not yes and not is_terminal(sys.stdin):
        raise UsageError("The command asks questions, and standard input is no terminal", "--yes takes all proposals")
    facts, origin = look(working_directory()), origin_of(repo, rev)
    write(f"{_seen(facts)}\n")
    report = None if facts.baseline is not None else _check()
    findings = 0 if report is None else len(report.findings)
    proposals = config_proposal(facts, None if report is None else _baseline(facts, report), findings)
    if findings and any(one.path.endswith(".json") and one.text for one in proposals):
        question = (
            f"There {'is 1 finding' if findings == 1 else f'are {findings} findings'} today: write them down as known?"
        )
        if not _agrees(question, yes):
            proposals = config_proposal(facts, None, 0)
    if _agrees("Check before each commit, with pre-commit?", yes):
        proposals.append(hook_proposal(facts, origin))
    proposals += _job(facts, origin, yes)
    new = [one for one in proposals if not one.problem]
    try:
        write_all(facts.root, new)
    except OSError as error:
        problem = f"The file '{error.filename}' cannot be written: {error.strerror}"
        raise UsageError(problem, "nothing was written") from error
    write("".join(f"{line}\n" for proposal in proposals for line in _lines(proposal)))
    if origin is not None and origin.note and any(origin.revision in one.text for one in proposals):
        write(f"{origin.note}\n")
    if new:
        effect = "" if facts.config and not facts.baseline else " From now on `cvlint check` reports what is new."
        write(f"Commit {'this file' if len(new) == 1 else 'these files'}.{effect}\n")
    elif all(one.is_done for one in proposals):
        write("Nothing is left to do.\n")


def _job(facts: RepositoryFacts, origin: Origin | None, yes: bool) -> list[Proposal]:
    """A job that checks pushes; where there is none yet, only if the owner wants the first one."""
    from cvlint.cli.init.proposals import ci_proposal, no_ci_proposal

    if facts.service is None or (yes and not facts.has_jobs) or facts.other_ci:
        return [no_ci_proposal(facts)]
    name = {"github": "GitHub", "gitlab": "GitLab"}[facts.service]
    question = f"Check each push on {name}{'' if facts.has_jobs else ', where no job checks any yet'}?"
    agreed = facts.checking_job or _agrees(question, yes, default=facts.has_jobs)
    return [ci_proposal(facts, facts.service, origin)] if agreed else []


def _seen(facts: RepositoryFacts) -> str:
    from cvlint.output.shared.summary import counted

    found = [counted(facts.scripts, "script"), counted(facts.notebooks, "notebook")]
    config = "no config of cvlint" if facts.config is None else f"the config {printable(facts.config.name)}"
    return f"This repository holds {', '.join(found)} and {config}."


def _check() -> Report:
    """Check the repository as `cvlint check` does, without the findings that comments suppress."""
    from pathlib import Path

    from cvlint.cli.check.report_writer import name_unread_files
    from cvlint.cli.console.progress import ProgressBar
    from cvlint.cli.options.config import config_lookup
    from cvlint.findings.finding import without_suppressed
    from cvlint.workspace.request import CheckRequest
    from cvlint.workspace.steps.find import find
    from cvlint.workspace.steps.pipeline import run_steps
    from cvlint.workspace.workspace import open_workspace

    lookup = config_lookup(None, False)
    workspace = open_workspace(CheckRequest((Path(),)), lookup)
    with ProgressBar() as progress:
        report = run_steps((find(workspace, progress), without_suppressed))
    name_unread_files(report)
    return report


def _baseline(facts: RepositoryFacts, report: Report) -> str:
    from cvlint.filesystem.real_folder import path_in_real_folder
    from cvlint.findings.baseline import baseline_of, render

    return render(baseline_of(report.findings, path_in_real_folder), path_in_real_folder(str(facts.root)))


def _agrees(question: str, yes: bool, default: bool = True) -> bool:
    return yes or click.confirm(question, default=default)


def _lines(proposal: Proposal) -> list[str]:
    """What became of a file, and what its owner can do if it was not written."""
    if not proposal.problem:
        return [f"wrote {proposal.path}: {proposal.about}"]
    added = [f"    {line}" for line in proposal.text.splitlines()]
    is_there = proposal.problem.startswith("it is there") or proposal.problem.startswith("it runs")
    verb = "kept" if is_there else "skipped"
    return [f"{verb} {printable(proposal.path)}: {proposal.problem}{':' if added else ''}", *added]
