"""The GitHub format: workflow commands, which GitHub Actions shows beside the lines of a pull request."""

from __future__ import annotations

from cvlint.findings.finding import Finding, Report, Severity
from cvlint.output.shared.locations import printable
from cvlint.output.shared.prose import Rows, sentence, step_line, told, weight
from cvlint.source.unread_file import UnreadFile

ESCAPES = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"})
"""Of a property, by the rules of GitHub's runner; of the message it reads back only the first three."""


def render(report: Report, rows: Rows) -> str:
    """Write a command for each finding and for each file that could not be read, one a line.

    Parameters
    ----------
    report : Report
        What was found, with paths from the root of the repository.
    rows : callable
        Gives the lines of a place in the text of its file.
    """
    lines = [_finding(finding, rows) for finding in report.findings] + [_unread(error) for error in report.errors]
    return "".join(f"{line}\n" for line in lines)


def _finding(finding: Finding, rows: Rows) -> str:
    steps = [step_line(number, step) for number, step in enumerate(finding.trace, start=1)]
    properties = {
        "file": finding.location.path,
        **_span(finding, rows),
        "title": f"{finding.code} {finding.rule}",
    }
    return _command(_level(weight(finding)), properties, [*told(finding), *steps])


def _unread(error: UnreadFile) -> str:
    # The line of a notebook's error counts in a cell, which its message names.
    line = {} if error.line is None or error.path.endswith(".ipynb") else {"line": str(error.line)}
    return _command("warning", {"file": error.path, **line, "title": "cvlint"}, [sentence(error.message)])


def _level(severity: Severity) -> str:
    match severity:
        case "note":
            return "notice"
        case _:
            return severity


def _span(finding: Finding, rows: Rows) -> dict[str, str]:
    location, span = finding.location, rows(finding.location)
    if span is None:
        return {}
    lines = {"line": str(span[0]), "endLine": str(span[1])}
    if location.cell is not None or span[0] != span[1]:
        return lines  # columns count in the cell, not in the file; and GitHub takes none for several lines
    return {**lines, "col": str(location.column), "endColumn": str(location.end_column)}


def _command(level: str, properties: dict[str, str], lines: list[str]) -> str:
    shown = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::{level} {shown}::{_data(lines)}"


def _data(lines: list[str]) -> str:
    return "%0A".join(line.replace("%", "%25") for line in lines)  # the lines themselves hold no line breaks


def _property(value: str) -> str:
    return printable(value.translate(ESCAPES))
