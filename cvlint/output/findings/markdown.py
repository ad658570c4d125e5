"""The Markdown format, for comments on pull requests and for reviewers: a table for each file."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from itertools import groupby

from cvlint.findings.faults import Fault, faults_of
from cvlint.findings.finding import Finding, Report
from cvlint.findings.source_text import SourceLines
from cvlint.output.findings.formats import RenderContext
from cvlint.output.shared.excerpt import first_line
from cvlint.output.shared.further_places import further_places
from cvlint.output.shared.locations import place_in_file, printable
from cvlint.output.shared.measured import measured_remarks
from cvlint.output.shared.prose import sentence, suppression
from cvlint.output.shared.summary import summary
from cvlint.source.location import Location

SPECIAL = re.compile(r"[\\`*\[\]<>|~$&]|(?<![^\W_])_|_(?![^\W_])")
"""Characters that Markdown may read as markup; an underscore between letters is safe."""


def render(report: Report, context: RenderContext) -> str:
    """Write a report as Markdown, as GitHub and GitLab read it.

    Each file has a heading, a table of its faults, and below the table their traces, which are folded.
    """
    blocks = ["## cvlint", *finding_blocks(report, context.source_lines)]
    if report.errors:
        unread = [f"- {code(error.path)}: {escaped(sentence(error.message))}" for error in report.errors]
        blocks += ["### Not read in full", "\n".join(unread)]
    return "\n\n".join(blocks) + "\n"


def finding_blocks(report: Report, lines: SourceLines) -> Iterator[str]:
    """Write the number of faults, and then the faults of each file, as blocks of Markdown."""
    yield escaped(summary(report))
    faults = faults_of(report.findings)
    for path, in_file in groupby(faults, key=lambda fault: fault.shown.location.path):
        yield from _file(path, list(in_file), lines)


def _file(path: str, faults: list[Fault], lines: SourceLines) -> Iterator[str]:
    yield f"### {code(path)}"
    head = ["| place | rule | severity | confidence | what is wrong |", "| --- | --- | --- | --- | --- |"]
    yield "\n".join([*head, *(_row(fault) for fault in faults)])
    for fault in faults:
        yield from _details(fault.shown, lines)


def _row(fault: Fault) -> str:
    finding = fault.shown
    rule = f"{escaped(finding.code)} {escaped(finding.rule)}"
    further = further_places(fault, None)
    remarks = [*measured_remarks(finding), suppression(finding), further and sentence(further[0].upper() + further[1:])]
    message = " ".join([sentence(finding.message), *filter(None, remarks)])
    severity = f"{finding.severity}, suppressed" if finding.suppressed else finding.severity
    return f"| {place_in_file(finding.location)} | {rule} | {severity} | {finding.confidence} | {escaped(message)} |"


def _details(finding: Finding, lines: SourceLines) -> Iterator[str]:
    if not finding.trace and finding.fix is None:
        return
    title = f"{place_in_file(finding.location)}: how {finding.rule} comes about, and what to use instead"
    yield f"<details>\n<summary>{html.escape(printable(title))}</summary>"
    for number, step in enumerate(finding.trace, start=1):
        yield from _step(f"{number}. ", step.location, step.note, finding.location.path, lines)
    if finding.fix is not None:
        yield f"Use instead: {escaped(sentence(finding.fix.message))}"
    yield "</details>"


def _step(number: str, location: Location, note: str, path: str, lines: SourceLines) -> Iterator[str]:
    elsewhere = "" if location.path == path else f"{code(location.path)} "
    yield f"{number}{elsewhere}{place_in_file(location)}: {escaped(printable(note))}"
    source = lines(location)
    row = first_line(source, location) if source is not None else None
    if row is not None and row.text.strip():
        indent, text = " " * len(number), row.text.strip()
        fence = "`" * max(3, _longest_run(text) + 1)
        yield f"{indent}{fence}python\n{indent}{text}\n{indent}{fence}"


def escaped(text: str) -> str:
    """Escape a text so that Markdown shows it unchanged, also in a table."""
    return SPECIAL.sub(r"\\\g<0>", text)


def code(text: str) -> str:
    """Write a code span that shows any text unchanged."""
    text = printable(text)
    fence = "`" * (_longest_run(text) + 1)
    space = " " if text.startswith(("`", " ")) or text.endswith(("`", " ")) else ""
    return f"{fence}{space}{text}{space}{fence}"


def _longest_run(text: str) -> int:
    return max(map(len, re.findall("`+", text)), default=0)
