"""The full format for people: each fault with its source lines, all its steps and places, and the advice."""

from __future__ import annotations

from collections.abc import Iterator

from cvlint.findings.faults import Fault, faults_of
from cvlint.findings.finding import Finding, Report, TraceStep
from cvlint.findings.source_text import SourceLines
from cvlint.output.findings.formats import RenderContext
from cvlint.output.shared.excerpt import WIDEST, Row, excerpt, first_line
from cvlint.output.shared.further_places import further_places
from cvlint.output.shared.locations import place, printable
from cvlint.output.shared.measured import labelled_sentence, measured_sentences
from cvlint.output.shared.prose import sentence
from cvlint.output.shared.styled_text import Piece, Style, closing_lines, labelled_lines, plain, prose_lines
from cvlint.output.shared.summary import summary
from cvlint.output.shared.wrapping import display_width, shortened
from cvlint.records import dataclass
from cvlint.rules.address import rule_address
from cvlint.source.location import Location


def render(report: Report, context: RenderContext) -> str:
    """Write the findings as plain text, and a last line that counts them."""
    return plain(styled(report, context))


def styled(report: Report, context: RenderContext) -> Iterator[Piece]:
    """Write the same words as `render`, as pieces of text with styles."""
    page = _Page(context.source_lines, context.columns)
    for fault in faults_of(report.findings):
        yield from page.fault(fault)
        yield Piece("\n")
    if not context.quiet:
        yield from closing_lines(summary(report), context.columns)


@dataclass(frozen=True, slots=True)
class _Page:
    """The lines that excerpts come from, and the columns of the terminal."""

    lines: SourceLines
    columns: int | None

    def fault(self, fault: Fault) -> Iterator[Piece]:
        finding = fault.shown
        where, kind = self.place(finding.location), f"{finding.code} {finding.rule}"
        details = f" ({finding.severity}, {finding.confidence} confidence)"
        fits = self.columns is None or display_width(f"{where}: {kind}{details}") <= self.columns
        yield Piece(where, "place", finding.location.path)
        yield Piece(": " if fits else ":\n")
        yield Piece(kind, finding.severity, address=rule_address(finding.rule))
        yield Piece(f"{details}\n")
        yield from prose_lines(sentence(finding.message), self.columns)
        yield from self.source(finding)
        measured = measured_sentences(finding)
        if finding.trace or finding.fix or measured or finding.suppressed or fault.further:
            yield Piece("\n")
        yield from self.trace(finding.trace)
        yield from self.further(fault)
        for text in measured:
            label, words = labelled_sentence(text)
            yield from self.labelled(f"{label}: ", words)
        if finding.suppressed:
            reason = printable(finding.suppressed.reason) or "no reason is given"
            where = f"suppressed by {self.place(finding.suppressed.location)} "
            yield from self.labelled(where, f"`{printable(finding.suppressed.comment)}`: {reason}")
        if finding.fix:
            yield from self.labelled("help: ", sentence(finding.fix.message), "advice")

    def place(self, location: Location) -> str:
        where = place(location)
        return where if self.columns is None else shortened(where, self.columns - 16)

    def labelled(self, label: str, text: str, style: Style = "strong") -> Iterator[Piece]:
        yield Piece("  = ", "faint")
        yield from labelled_lines(label, text, self.columns, style, 4)

    def source(self, finding: Finding) -> Iterator[Piece]:
        source = self.lines(finding.location)
        gutter = len(str(max(finding.location.line, finding.location.end_line)))
        rows = excerpt(source, finding.location, self.room(gutter + 5)) if source is not None else []
        if not rows:
            return
        yield Piece("\n")
        for row in rows:
            yield from _row(row, " " * 2, gutter)
            if row.width:
                yield Piece(f"  {'':{gutter}} | ", "faint")
                yield Piece(f"{'':{row.start}}{'^' * row.width}\n", "mark")

    def trace(self, trace: tuple[TraceStep, ...]) -> Iterator[Piece]:
        digits = len(str(len(trace)))
        gutter = max((len(str(step.location.line)) for step in trace), default=0)
        for number, step in enumerate(trace, start=1):
            yield Piece(f"  {number:>{digits}}. ", "faint")
            yield from labelled_lines(
                f"{self.place(step.location)}: ", printable(step.note), self.columns, "place", digits + 4
            )
            source = self.lines(step.location)
            room = self.room(digits + gutter + 7)
            row = first_line(source, step.location, room) if source is not None else None
            if row:
                yield from _row(row, " " * (digits + 4), gutter)

    def further(self, fault: Fault) -> Iterator[Piece]:
        """The further places of a fault, all of them."""
        label, _, places = further_places(fault, None).partition(": ")
        if places:
            yield from self.labelled(f"{label}: ", places, "place")

    def room(self, taken: int) -> int:
        """The columns that are left for source text, without an ellipsis on either side."""
        return WIDEST if self.columns is None else max(self.columns - taken - 2, 10)


def _row(row: Row, indent: str, gutter: int) -> Iterator[Piece]:
    number = "" if row.number is None else str(row.number)
    yield Piece(f"{indent}{number:>{gutter}} |", "faint")
    yield Piece(f" {row.text}".rstrip() + "\n")
