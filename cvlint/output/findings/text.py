"""The text format for people: each finding with its source line, its trace, and the advice."""

from __future__ import annotations

from collections.abc import Iterator

from cvlint.findings.finding import SEVERITIES, Finding, Report, TraceStep, without_suppressed
from cvlint.findings.source_text import SourceLines
from cvlint.output.findings.formats import RenderContext
from cvlint.output.shared.excerpt import Row, excerpt, first_line
from cvlint.output.shared.locations import as_line, place, printable
from cvlint.output.shared.measured import measured_sentences
from cvlint.output.shared.prose import sentence
from cvlint.output.shared.styled_text import Piece, plain


def render(report: Report, context: RenderContext) -> str:
    """Write the findings as plain text, and a last line that counts them."""
    return plain(styled(report, context))


def styled(report: Report, context: RenderContext) -> Iterator[Piece]:
    """Write the same words as `render`, as pieces of text with styles."""
    for finding in report.findings:
        yield from _finding(finding, context.source_lines)
        yield Piece("\n")
    yield Piece(summary(report) + "\n", "strong")


def summary(report: Report) -> str:
    """Count the findings in one sentence."""
    active = without_suppressed(report)
    counts = {severity: sum(f.severity == severity for f in active.findings) for severity in SEVERITIES}
    found = _listed([_counted(count, severity) for severity, count in counts.items() if count])
    files = _counted(report.files, "file")
    hidden = f"; the baseline hides {_counted(report.in_baseline, 'finding')}" if report.in_baseline else ""
    were = "was" if report.in_commit == 1 else "were"
    hidden += f"; {_counted(report.in_commit, 'finding')} {were} there before" if report.in_commit else ""
    hidden += f"; comments suppress {_counted(active.suppressed, 'finding')}" if active.suppressed else ""
    unread = f"; {_counted(len(report.errors), 'file')} could not be read in full" if report.errors else ""
    nothing = "No new faults found" if report.in_baseline or report.in_commit else "No faults found"
    return f"{f'Found {found}' if found else nothing} in {files}{hidden}{unread}."


def _counted(count: int, thing: str) -> str:
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"


def _listed(words: list[str]) -> str:
    return " and ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))


def _finding(finding: Finding, lines: SourceLines) -> Iterator[Piece]:
    yield Piece(place(finding.location), "place")
    yield Piece(": ")
    yield Piece(f"{finding.code} {finding.rule}", finding.severity)
    yield Piece(f" ({finding.severity}, {finding.confidence} confidence)\n")
    yield Piece(f"{as_line(sentence(finding.message))}\n")
    yield from _source(finding, lines)
    measured = measured_sentences(finding)
    if finding.trace or finding.fix or measured or finding.suppressed:
        yield Piece("\n")
    yield from _trace(finding.trace, lines)
    for text in measured:
        yield Piece("  = ", "faint")
        yield Piece("measured: ", "strong")
        yield Piece(f"{text}\n")
    if finding.suppressed:
        reason = printable(finding.suppressed.reason) or "no reason is given"
        yield Piece("  = ", "faint")
        yield Piece(f"suppressed by {place(finding.suppressed.location)}", "strong")
        yield Piece(f" `{printable(finding.suppressed.comment)}`: {reason}\n")
    if finding.fix:
        yield Piece("  = ", "faint")
        yield Piece("use instead: ", "advice")
        yield Piece(f"{sentence(finding.fix.message)}\n")


def _source(finding: Finding, lines: SourceLines) -> Iterator[Piece]:
    source = lines(finding.location)
    rows = excerpt(source, finding.location) if source is not None else []
    if not rows:
        return
    gutter = max(len(str(row.number)) for row in rows if row.number is not None)
    yield Piece("\n")
    for row in rows:
        yield from _row(row, " " * 2, gutter)
        if row.width:
            yield Piece(f"  {'':{gutter}} | ", "faint")
            yield Piece(f"{'':{row.start}}{'^' * row.width}\n", "mark")


def _row(row: Row, indent: str, gutter: int) -> Iterator[Piece]:
    number = "" if row.number is None else str(row.number)
    yield Piece(f"{indent}{number:>{gutter}} |", "faint")
    yield Piece(f" {row.text}".rstrip() + "\n")


def _trace(trace: tuple[TraceStep, ...], lines: SourceLines) -> Iterator[Piece]:
    digits = len(str(len(trace)))
    gutter = max((len(str(step.location.line)) for step in trace), default=0)
    for number, step in enumerate(trace, start=1):
        yield Piece(f"  {number:>{digits}}. ", "faint")
        yield Piece(place(step.location), "place")
        yield Piece(f": {printable(step.note)}\n")
        source = lines(step.location)
        row = first_line(source, step.location) if source is not None else None
        if row:
            yield from _row(row, " " * (digits + 4), gutter)
