"""The report of ``cvlint check`` in the format that was asked for."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from cvlint.cli.console.paths import report_target
from cvlint.cli.console.terminal import use_colours, write_guarded, write_report
from cvlint.usage_error import UsageError

if TYPE_CHECKING:
    from cvlint.findings.finding import Report
    from cvlint.workspace.settings.check_options import CheckOptions

FORMATS = ("text", "concise", "json", "jsonl", "sarif", "github", "gitlab", "junit", "markdown")
FINDINGS_ALONE = ("text", "concise")
"""Formats without a place for files that could not be read: those are told on standard error."""

MARKING = ("text", "concise", "json", "jsonl", "sarif", "junit", "markdown")
"""Formats that mark what is suppressed."""

Stdin = tuple[str, bytes] | None


class Further(NamedTuple):
    """A report that is written beside the one that is shown: its format, and its file."""

    style: str
    target: Path


def further_reports(given: Sequence[str], output: Path | None) -> tuple[Further, ...]:
    """What ``--report`` asks for, or a refusal of a word, format or file that cannot be used.

    Parameters
    ----------
    given : sequence of str
        Each ``FORMAT:FILE``, as ``sarif:cvlint.sarif``.
    output : Path or None
        The file of the report that is shown.
    """
    taken = set() if output is None else {os.path.realpath(output)}
    reports = []
    for one in given:
        style, _, name = one.partition(":")
        if style not in FORMATS or not name:
            valid = f"valid is FORMAT:FILE, where FORMAT is one of {', '.join(FORMATS)}"
            raise UsageError(
                f"The option --report cannot be '{one}'", valid, "" if style in FORMATS else style, FORMATS
            )
        target = report_target(name, option="--report") or Path(name)
        if (place := os.path.realpath(target)) in taken:
            raise UsageError(f"The file '{name}' cannot hold two reports", "name another file for one of them")
        taken.add(place)
        reports.append(Further(style, target))
    return tuple(reports)


def check_marking(style: str) -> None:
    """Refuse to show suppressed findings in a format whose readers would take them for findings like all others."""
    if style not in MARKING:
        problem = f"The option --show-suppressed cannot be used with the format '{style}', which has no mark for them"
        raise UsageError(problem, f"valid are {', '.join(MARKING)}")


def tell_errors(report: Report) -> None:
    """Say on standard error what could not be read, a file a line."""
    from cvlint.output.shared.locations import printable

    for error in report.errors:
        line = "" if error.line is None else f"{error.line}:"
        click.echo(f"{printable(error.path)}:{line} {printable(' '.join(error.message.split()))}", err=True)


def show(
    report: Report, style: str, target: Path | None, stdin: Stdin, options: CheckOptions, show_fixes: bool = False
) -> None:
    """Write a report to a file or to standard output, there in colours if it is a terminal.

    Parameters
    ----------
    report : Report
        What was found.
    style : str
        One of `FORMATS`.
    target : Path or None
        The file; None for standard output.
    stdin : tuple of str and bytes, or None
        Name and content of standard input, which excerpts may come from.
    options : Options
        What was looked for; SARIF lists the rules.
    show_fixes : bool
        Whether JSON holds the edits of fixes, as SARIF always does.
    """
    if style == "text" and target is None and report.findings and use_colours(sys.stdout):
        write_guarded(lambda: _show_coloured(report, stdin))
        return
    write_report(_rendered(report, style, stdin, options, show_fixes), target)


def _show_coloured(report: Report, stdin: Stdin) -> None:
    from cvlint.output.findings.text import pieces
    from cvlint.output.shared.styled_text import show_coloured
    from cvlint.workspace.source_lines import source_lines

    show_coloured(pieces(report, source_lines(stdin)), sys.stdout)


def _rendered(report: Report, style: str, stdin: Stdin, options: CheckOptions, show_fixes: bool) -> str:
    from cvlint.cli.check.fix import confirmed_fixes
    from cvlint.output.findings import concise, json, jsonl, text
    from cvlint.workspace.source_lines import source_lines

    match style:
        case "text":
            return text.render(report, source_lines(stdin))
        case "concise":
            return concise.render(report)
        case "json":
            return json.render(report, confirmed_fixes(report, options, stdin) if show_fixes else None)
        case "jsonl":
            return jsonl.render(report)
        case _:
            return _rendered_for_tools(report, style, stdin, options)


def _rendered_for_tools(report: Report, style: str, stdin: Stdin, options: CheckOptions) -> str:
    """Write the formats that CI systems read: they know files by their paths from the working directory."""
    from cvlint.cli.check.fix import confirmed_fixes
    from cvlint.output.findings import github, gitlab, junit, markdown, sarif
    from cvlint.output.shared.relative_paths import from_folder, path_from_folder
    from cvlint.rules.comment_rules import all_rules
    from cvlint.workspace.source_lines import file_rows, source_lines

    folder = Path.cwd()
    report = from_folder(report, folder)
    stdin = stdin and (path_from_folder(stdin[0], folder), stdin[1])
    match style:
        case "sarif":
            rules = [rule for rule in all_rules(*options.own_rules) if rule.name in options.rules]
            return sarif.render(report, rules, file_rows(stdin), confirmed_fixes(report, options, stdin))
        case "github":
            return github.render(report, file_rows(stdin))
        case "gitlab":
            return gitlab.render(report, file_rows(stdin))
        case "junit":
            return junit.render(report)
        case _:
            return markdown.render(report, source_lines(stdin))
