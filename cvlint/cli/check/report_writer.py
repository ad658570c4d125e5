"""Write the report of ``cvlint check`` to standard output or a file, in the formats that the options name."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from cvlint.cli.console.paths import report_target
from cvlint.cli.console.terminal import When, columns_of, print_error, write_pieces, write_report
from cvlint.output.findings.formats import FORMATS, RenderContext, ReportFormat, format_names
from cvlint.records import dataclass, replace
from cvlint.usage_error import UsageError

if TYPE_CHECKING:
    from cvlint.findings.finding import Report
    from cvlint.workspace.request import Stdin
    from cvlint.workspace.settings.check_options import CheckOptions


@dataclass(frozen=True, slots=True)
class Display:
    """How a report is shown, as the options say."""

    show_fixes: bool = False
    """Whether formats that add fixes on request do so."""
    quiet: bool = False
    """Whether to show findings only, and no line that counts them."""
    colour: When = "auto"


class FurtherReport(NamedTuple):
    """A report that ``--report`` writes to a file, beside the report that is shown."""

    format_name: str
    target: Path


def further_reports(given: Sequence[str], output: Path | None) -> tuple[FurtherReport, ...]:
    """Read the values of ``--report``; refuses unknown formats and files that cannot be written.

    Parameters
    ----------
    given : sequence of str
        Each ``FORMAT:FILE``, as ``sarif:cvlint.sarif``.
    output : Path or None
        The file of the report that is shown.
    """
    taken = set() if output is None else {os.path.realpath(output)}
    reports = []
    for value in given:
        name, _, file = value.partition(":")
        if name not in FORMATS or not file:
            valid = f"valid is FORMAT:FILE, where FORMAT is one of {', '.join(FORMATS)}"
            misspelt = "" if name in FORMATS else name
            raise UsageError(f"The option --report cannot be '{value}'", valid, misspelt, tuple(FORMATS))
        target = report_target(file, option="--report") or Path(file)
        if (path := os.path.realpath(target)) in taken:
            raise UsageError(f"The file '{file}' cannot hold two reports", "name another file for one of them")
        taken.add(path)
        reports.append(FurtherReport(name, target))
    return tuple(reports)


def check_marking(name: str) -> None:
    """Refuse ``--show-suppressed`` for a format in which suppressed findings look like all others."""
    if not FORMATS[name].marks_suppressed:
        problem = f"The option --show-suppressed cannot be used with the format '{name}', which has no mark for them"
        raise UsageError(problem, f"valid are {', '.join(format_names(lambda one: one.marks_suppressed))}")


def check_showing_fixes(shown: str, names: Collection[str]) -> None:
    """Refuse ``--show-fixes`` if no report is in a format that can add fixes.

    Parameters
    ----------
    shown : str
        The value of ``--format``, which the message names.
    names : collection of str
        The formats of all reports.
    """
    if any(FORMATS[name].fixes == "on request" for name in names):
        return
    valid = " or ".join(format_names(lambda one: one.fixes == "on request"))
    always = " and ".join(format_names(lambda one: one.fixes == "always"))
    valid = f"valid is {valid}; {always} holds them without it, and --diff shows them to people"
    raise UsageError(f"The option --show-fixes cannot be used with the format '{shown}'", valid)


def name_unread_files(report: Report) -> None:
    """Name on standard error each file that could not be read, one on a line."""
    from cvlint.output.shared.locations import as_line, printable

    for error in report.errors:
        line = "" if error.line is None else f"{error.line}:"
        print_error(f"{as_line(error.path)}:{line} {printable(' '.join(error.message.split()))}")


def show_report(
    report: Report, name: str, target: Path | None, stdin: Stdin, options: CheckOptions, display: Display
) -> None:
    """Write a report to a file or to standard output, with colours on a terminal.

    Parameters
    ----------
    report : Report
        What the check found.
    name : str
        The format, a key of `FORMATS`.
    target : Path or None
        The file; None for standard output.
    stdin : tuple of str and bytes, or None
        Name and content of standard input, which excerpts may come from.
    options : CheckOptions
        The options of the check; some formats list its rules.
    display : Display
        What to show beside the findings, and in which way.
    """
    written = FORMATS[name]
    if written.relative_paths:
        from cvlint.output.shared.relative_paths import from_folder, path_from_folder

        folder = Path.cwd()
        report = from_folder(report, folder)
        stdin = stdin and (path_from_folder(stdin[0], folder), stdin[1])
    context = _context(report, written, stdin, options, display)
    if written.on_terminal and target is None:
        context = replace(context, columns=columns_of(sys.stdout))
    if written.coloured and (report.findings or display.quiet):
        write_pieces(written.styled(report, context), target, display.colour)
    else:
        write_report(written.render(report, context), target)


def _context(
    report: Report, written: ReportFormat, stdin: Stdin, options: CheckOptions, display: Display
) -> RenderContext:
    """Collect what a format needs; rules and fixes only where it shows them, because they cost time."""
    from cvlint.workspace.source_lines import file_rows, source_lines

    context = RenderContext(source_lines(stdin), file_rows(stdin), quiet=display.quiet)
    if written.lists_rules:
        from cvlint.rules.comment_rules import all_rules

        rules = tuple(rule for rule in all_rules(*options.own_rules) if rule.name in options.rules)
        context = replace(context, rules=rules)
    if written.fixes == "always" or (written.fixes == "on request" and display.show_fixes):
        from cvlint.cli.check.fix import confirmed_fixes

        context = replace(context, fixes=confirmed_fixes(report, options, stdin))
    return context
