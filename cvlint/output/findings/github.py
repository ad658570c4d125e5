"""The GitHub format: workflow commands, which GitHub Actions shows next to the lines of a pull request."""

from __future__ import annotations

from cvlint.findings.finding import Finding, Report, Severity
from cvlint.findings.source_text import FileSpan
from cvlint.output.findings.formats import RenderContext
from cvlint.output.shared.locations import printable
from cvlint.output.shared.prose import finding_sentences, reported_severity, sentence, step_line
from cvlint.source.unread_file import UnreadFile

ESCAPES = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"})
"""The escapes in a property, by the rules of GitHub's runner; in a message it reads back only the first three."""


def render(report: Report, context: RenderContext) -> str:
    """Write one command for each finding and for each file that could not be read, each on a line.

    The paths in the report start from the root of the repository.
    """
    findings = [_finding(finding, context.file_span) for finding in report.findings]
    lines = findings + [_unread(error) for error in report.errors]
    return "".join(f"{line}\n" for line in lines)


def _finding(finding: Finding, file_span: FileSpan) -> str:
    steps = [step_line(number, step) for number, step in enumerate(finding.trace, start=1)]
    properties = {
        "file": finding.location.path,
        **_span(finding, file_span),
        "title": f"{finding.code} {finding.rule}",
    }
    return _command(_level(reported_severity(finding)), properties, [*finding_sentences(finding), *steps])


def _unread(error: UnreadFile) -> str:
    # The line number of an error in a notebook counts inside a cell, which the message names.
    line = {} if error.line is None or error.path.endswith(".ipynb") else {"line": str(error.line)}
    return _command("warning", {"file": error.path, **line, "title": "cvlint"}, [sentence(error.message)])


def _level(severity: Severity) -> str:
    match severity:
        case "note":
            return "notice"
        case _:
            return severity


def _span(finding: Finding, file_span: FileSpan) -> dict[str, str]:
    location, span = finding.location, file_span(finding.location)
    if span is None:
        return {}
    lines = {"line": str(span[0]), "endLine": str(span[1])}
    if location.cell is not None or span[0] != span[1]:
        return lines  # columns count inside the cell, and GitHub accepts none for several lines
    return {**lines, "col": str(location.column), "endColumn": str(location.end_column)}


def _command(level: str, properties: dict[str, str], lines: list[str]) -> str:
    shown = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::{level} {shown}::{_data(lines)}"


def _data(lines: list[str]) -> str:
    return "%0A".join(line.replace("%", "%25") for line in lines)  # no line holds a line break


def _property(value: str) -> str:
    return printable(value.translate(ESCAPES))
