"""``cvlint trace``: what became of every measure of a loop, and of everything that was learned from whole data."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from cvlint.cli.console.paths import existing_path
from cvlint.cli.console.terminal import write
from cvlint.cli.options.output_format import format_option
from cvlint.cli.options.validation import whole_number

if TYPE_CHECKING:
    from cvlint.audit.fate import Fate
    from cvlint.source.unread_file import UnreadFile

FORMATS = ("text", "json")
VALID = "valid are files and folders that exist"


@click.command("trace")
@click.argument("paths", nargs=-1, required=True, metavar="PATHS...")
@click.option("--lost", is_flag=True, help="List only the values that the analysis lost.")
@format_option(FORMATS)
@click.option(
    "--jobs", callback=whole_number, default="0", metavar="N", help="Number of processes; by default cvlint chooses it."
)
@click.help_option("-h", "--help")
def command(paths: tuple[str, ...], lost: bool, form: str, jobs: int) -> None:
    """Show what became of each measure of a loop, and of what was learned from whole data.

    Each value has one fate: a finding; a harmless end with its reason (printed, written, returned, never used, …); or
    the construct at which the analysis lost it. Where it was lost, look yourself: cvlint cannot report what happens to
    the value from there. The settings and comments of a project have no effect. Nothing is run.

    Exit status: 0 whatever is found, 2 if a path cannot be read.
    """
    fates, errors = traced([existing_path(given, VALID) for given in paths], jobs)
    from cvlint.output.audit.fates import render_json, render_text

    render = render_json if form == "json" else render_text
    write(render(fates, errors, only_lost=lost))


def traced(paths: list[Path], jobs: int) -> tuple[list[Fate], tuple[UnreadFile, ...]]:
    """The fates in files and folders, with the files that could not be read."""
    from cvlint.audit.ledger import ledger
    from cvlint.cli.console.progress import ProgressBar
    from cvlint.rules.catalogue import load_rules
    from cvlint.source.discovery import discover
    from cvlint.workspace.settings.check_options import CheckOptions
    from cvlint.workspace.steps.analyse import analyse_files

    options = CheckOptions(rules=frozenset(rule.name for rule in load_rules()), jobs=jobs, fates=True)
    with ProgressBar() as progress:
        analysed = analyse_files(tuple(discover(paths)), paths, options, progress=progress)
    return list(ledger(analysed.fates)), analysed.report.errors
