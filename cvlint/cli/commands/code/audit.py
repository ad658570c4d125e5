"""``cvlint audit``: how a submission aggregates its results, for a reviewer.

The settings and the comments of the submission have no effect on the check.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING

import click

from cvlint.cli.console.paths import existing_path, report_target
from cvlint.cli.console.terminal import write_report
from cvlint.cli.options.validation import one_of, whole_number
from cvlint.output.shared.locations import printable
from cvlint.records import replace
from cvlint.source.location import Location

if TYPE_CHECKING:
    from cvlint.audit.inventory import Audit
    from cvlint.findings.source_text import SourceLines
    from cvlint.workspace.snapshots.submissions import Submission

FORMATS = ("markdown", "html")
VALID = "valid are files, folders, archives and repositories that exist"


@click.command("audit")
@click.argument("paths", nargs=-1, required=True, metavar="PATHS...")
@click.option(
    "--format",
    "style",
    callback=one_of(FORMATS),
    metavar="|".join(FORMATS),
    help="Default: markdown, or html if FILE ends with .html.",
)
@click.option("-o", "--output", metavar="FILE", help="Write the report to a file.")
@click.option(
    "--jobs", callback=whole_number, default="0", metavar="N", help="Number of processes; by default cvlint chooses it."
)
@click.help_option("-h", "--help")
def command(paths: tuple[str, ...], style: str | None, output: str | None, jobs: int) -> None:
    """Report how submissions aggregate their results, for reviewers: files, folders, archives and git repositories.

    Archives are zip and tar files. A bare repository, and a file:// URL of any repository, stands for its last commit.

    It lists every aggregation, right ones too, then the findings of all rules, then what could not be analysed. The
    settings of a submission, and its comments that suppress findings, have no effect. Nothing is run.

    Exit status: 0 whatever is found, 2 if cvlint cannot audit a path.
    """
    target = report_target(output)
    style = style or ("html" if target is not None and target.suffix.lower() in (".html", ".htm") else "markdown")
    with ExitStack() as stack:
        # All archives are unpacked before the first check, so that a broken one is refused at once.
        submissions = [_opened(given, stack) for given in paths]
        audits = [(_audit(submission, jobs), _lines(submission)) for submission in submissions]
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


def _audit(submission: Submission, jobs: int) -> Audit:
    """Check a submission with all rules, and record its aggregations."""
    from cvlint.audit.inventory import as_notes, audit
    from cvlint.audit.ledger import ledger
    from cvlint.cli.console.progress import ProgressBar
    from cvlint.output.shared.relative_paths import from_folder, path_from_folder
    from cvlint.rules.catalogue import load_rules
    from cvlint.source.discovery import discover
    from cvlint.workspace.settings.check_options import CheckOptions
    from cvlint.workspace.steps.analyse import analyse_files

    rules = load_rules()
    names = frozenset(rule.name for rule in rules)
    options = CheckOptions(rules=names, confidence="low", jobs=jobs, inventory=True, fates=True)
    with ProgressBar() as progress:
        found = analyse_files(tuple(discover(submission.paths)), submission.paths, options, progress=progress)
    report = as_notes(from_folder(found.report, submission.folder), frozenset(r.name for r in rules if not r.enabled))

    def relative(location: Location) -> Location:
        return replace(location, path=path_from_folder(location.path, submission.folder))

    aggregations = (
        replace(one, location=relative(one.location), parts=tuple(map(relative, one.parts)))
        for one in found.aggregations
    )
    fates = (
        replace(one, location=relative(one.location), end=None if one.end is None else relative(one.end))
        for one in ledger(found.fates)
    )
    return audit(submission.name, report, aggregations, submission.left_out, fates)


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
