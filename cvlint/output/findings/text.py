"""The text format for people: faults by file, each in a few lines; what cannot be said so is in ``full``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby

from cvlint.findings.faults import Fault, faults_of
from cvlint.findings.finding import Finding, Report, TraceStep
from cvlint.findings.source_text import SourceLines
from cvlint.fixes.rewrites.fixable import FIXABLE
from cvlint.output.findings.formats import RenderContext
from cvlint.output.shared.excerpt import first_line
from cvlint.output.shared.further_places import SHOWN, further_places
from cvlint.output.shared.locations import as_line, place, place_in_file, printable, short_path
from cvlint.output.shared.measured import labelled_sentence, measured_sentences
from cvlint.output.shared.prose import sentence
from cvlint.output.shared.styled_text import Piece, Style, closing_lines, labelled_lines, plain, prose_lines
from cvlint.output.shared.summary import counted, overview, summary
from cvlint.output.shared.wrapping import COLUMNS, ELLIPSIS, display_width, shortened
from cvlint.records import dataclass, field
from cvlint.rules.address import rule_address

LONG = 30
"""The number of faults up to which a report needs no overview."""
MOST_STEPS = 2
"""The steps of a trace that are shown."""
PASSING_ON = ("called from here", "collected here", "this splitter makes the folds")
"""Ends of the notes of steps that only pass a value on: the others carry the argument."""
AGAIN = "and of the same values here, too"
"""The note of a step that shows the same fault again."""
LEAKAGE = "Data leakage"
"""What some messages begin with; what is behind the colon then is no reason."""
INDENT = "    "
FEWEST_MARKS = 4
"""The marks that stay below a line in a long report if the argument has no room behind all of them."""


def render(report: Report, context: RenderContext) -> str:
    """Write the findings as plain text, and last lines that count them and name what to do next."""
    return plain(styled(report, context))


def styled(report: Report, context: RenderContext) -> Iterator[Piece]:
    """Write the same words as `render`, as pieces of text with styles."""
    reported = faults_of(report.findings)
    page = _Page(context.source_lines, context.columns, len(reported) <= LONG)
    if len(reported) > LONG:
        yield from overview(reported, page.width)
        yield Piece("\n")
    for path, faults in groupby(reported, key=lambda fault: fault.shown.location.path):
        yield from page.file(path, list(faults))
    if len(reported) > LONG:
        yield Piece("\n")
    if not context.quiet:
        yield from closing_lines(summary(report), context.columns)
        yield from closing_lines(_next_steps(report, reported), context.columns, "")


def _next_steps(report: Report, reported: Sequence[Fault]) -> str:
    """Name the commands that lead on from these faults."""
    faults = [fault for fault in reported if fault.shown.suppressed is None]
    if not faults:
        return ""
    findings = [finding for fault in faults for finding in fault.findings]
    most = Counter(fault.shown.rule for fault in faults).most_common(1)[0][0]
    steps = [f"`cvlint rule {most}` explains"]
    if any(_hidden_steps(fault.shown) for fault in faults):
        steps.append("`-v` shows all steps and advice" if len(reported) > LONG else "`-v` shows all steps")
    elif any(len(fault.further) > SHOWN for fault in faults):
        steps.append("`-v` shows all places")
    fixable = [finding for finding in findings if finding.rule in FIXABLE]
    if fixable:
        options = "--diff" if all(one.fix and one.fix.safety == "safe" for one in fixable) else "--diff --unsafe-fixes"
        steps.append(f"up to {len(fixable)} fixable: `{options}`")
    if not report.has_baseline:
        steps.append("`cvlint init` accepts what is there")
    return f"Next: {'; '.join(steps)}."


@dataclass(slots=True)
class _Page:
    """The columns of the page, and what it has said already: a reason and an advice once, a message once in a file."""

    lines: SourceLines
    columns: int | None
    spaced: bool
    """Whether empty lines part findings, and each has its own advice; a long report has one advice for each rule."""
    messages: set[tuple[str, str, str]] = field(default_factory=set)
    said: set[str] = field(default_factory=set)

    @property
    def width(self) -> int:
        return self.columns or COLUMNS

    def file(self, path: str, faults: Sequence[Fault]) -> Iterator[Piece]:
        name = as_line(path)
        is_one_line = len(faults) == 1 and display_width(f"{name}:{_heading(faults[0].shown)}") <= self.width
        if not is_one_line:
            yield Piece(name if self.columns is None else shortened(name, self.columns), "place", path)
            yield Piece("\n")
        for number, fault in enumerate(faults):
            where = place_in_file(fault.shown.location)
            if number and self.spaced:
                yield Piece("\n")
            yield Piece(f"{name}:{where}" if is_one_line else "  ", "place", path)
            if not is_one_line:
                yield Piece(where, "place", path)
            yield from self.fault(fault)
        if self.spaced:
            yield Piece("\n")

    def fault(self, fault: Fault) -> Iterator[Piece]:
        finding = fault.shown
        yield Piece(" ")
        yield Piece(f"{finding.severity}", finding.severity)
        yield Piece(" ")
        yield Piece(finding.rule, "strong", address=rule_address(finding.rule))
        yield Piece(f"{_details(finding)}\n", "faint")
        yield from prose_lines(self.message(finding), self.columns, indent=len(INDENT))
        argument = _argument(finding)
        is_same = not self.is_new(f"{finding.location.path} {finding.rule} {finding.message} {argument}")
        yield from self.source(
            finding, [""] if is_same else [argument] if self.spaced else [argument, *_steps(finding)]
        )
        places = further_places(fault, is_short=not self.spaced)
        yield from prose_lines(places, self.columns, indent=len(INDENT))
        for text in measured_sentences(finding):
            yield from self.labelled(*labelled_sentence(text), "strong")
        if finding.suppressed:
            reason = printable(finding.suppressed.reason) or "no reason is given"
            where = f"{place(finding.suppressed.location)} `{printable(finding.suppressed.comment)}`"
            yield from self.labelled("suppressed by", f"{where}: {reason}", "strong")
        elif finding.fix and self.is_new(f"{finding.rule} {finding.fix.message if self.spaced else ''}"):
            yield from self.labelled("help", sentence(finding.fix.message), "advice")

    def message(self, finding: Finding) -> str:
        """The message without the reason behind its last colon, if the page gives that reason above."""
        at = finding.location
        key = (at.path, finding.rule, finding.message)
        if key in self.messages:
            return ""
        self.messages.add(key)
        head, colon, reason = finding.message.rpartition(": ")
        if head == LEAKAGE and not self.spaced and not self.is_new(f"{finding.rule} {LEAKAGE}"):
            return sentence(reason)
        is_reason = colon and head != LEAKAGE
        known = is_reason and not self.is_new(f"{finding.rule} {reason}")
        return sentence(head if known else finding.message)

    def is_new(self, text: str) -> bool:
        is_new = text not in self.said
        self.said.add(text)
        return is_new

    def source(self, finding: Finding, arguments: Sequence[str]) -> Iterator[Piece]:
        """The flagged line without its indent, marks below the first line of the fault, and the argument.

        Of several arguments it is the first that fits behind the marks, or else the first one in lines of its own.
        """
        source = self.lines(finding.location)
        number = str(finding.location.line)
        margin = len(INDENT) + len(number) + len(" | ")
        row = first_line(source, finding.location, self.width - margin - 2) if source is not None else None
        fits = (one for one in arguments if len(INDENT) + display_width(one) <= self.width)
        below = arguments[0] if self.spaced else next(fits, arguments[-1])
        if row is not None and row.text.strip():
            text = row.text.lstrip()
            start = max(0, row.start - (len(row.text) - len(text)))
            yield Piece(f"{INDENT}{number} | ", "faint")
            yield Piece(f"{text.rstrip()}\n")
            yield Piece(f"{INDENT}{'':{len(number)}} | ", "faint")
            marks, beside = self.marks(row.width, self.width - margin - start - 1, arguments)
            yield Piece(f"{'':{start}}{marks}", "mark")
            if beside:
                yield Piece(f" {beside}", "faint")
                below = ""
            yield Piece("\n")
        yield from prose_lines(below, self.columns, "faint", len(INDENT))

    def marks(self, width: int, room: int, arguments: Sequence[str]) -> tuple[str, str]:
        """The marks, and the first argument that has room behind them; in a long report marks may give way to it."""
        for fewest in (width, width if self.spaced else min(width, FEWEST_MARKS)):
            for argument in filter(None, arguments):
                left = room - display_width(argument)
                if left >= width:
                    return "^" * width, argument
                if left > fewest:
                    return f"{'^' * (left - 1)}{ELLIPSIS}", argument
        return "^" * width, ""

    def labelled(self, label: str, text: str, style: Style) -> Iterator[Piece]:
        yield Piece(INDENT)
        yield from labelled_lines(f"{label}: ", text, self.columns, style, len(INDENT))


def _heading(finding: Finding) -> str:
    return f"{place_in_file(finding.location)} {finding.severity} {finding.rule}{_details(finding)}"


def _details(finding: Finding) -> str:
    sure = "" if finding.confidence == "high" else f", {finding.confidence} confidence"
    return f" ({finding.code}{sure})"


def _steps(finding: Finding) -> list[str]:
    """The last of the steps that carry the argument, and the first one: each can stand for all in a long report."""
    return [_sentence_of([_step_words(step, finding)]) for step in reversed(_shown_steps(finding))]


def _argument(finding: Finding) -> str:
    """The steps that carry the argument, in one sentence."""
    shown, again = _shown_steps(finding), [step for step in finding.trace if step.note == AGAIN]
    words = [_step_words(step, finding) for step in shown]
    if again:
        more = f" and {counted(len(again) - 1, 'more place')}" if len(again) > 1 else ""
        words.append(f"again at {_step_place(again[0], finding)}{more}")
    return _sentence_of(words)


def _step_words(step: TraceStep, finding: Finding) -> str:
    return f"{_step_place(step, finding)}: {_short(step.note)}"


def _sentence_of(words: Sequence[str]) -> str:
    """Steps in parentheses; the first of them says that its number is one of a line."""
    line = "line " if words and words[0][0].isdigit() else ""
    return f"({line}{'; '.join(words)})" if words else ""


def _short(note: str) -> str:
    """A note of a step, whose place stands before it."""
    return printable(note.removesuffix(" here").removeprefix("the data are "))


def _step_place(step: TraceStep, finding: Finding) -> str:
    """The line of a step; in another file with the name of the file."""
    at = step.location
    line = f"{at.line}" if at.cell is None else f"cell {at.cell}:{at.line}"
    if at.path == finding.location.path:
        return line
    return f"{short_path(at.path)}:{line}"


def _carrying(finding: Finding) -> list[TraceStep]:
    """The steps that say something that the flagged line does not show."""
    at = finding.location
    steps = [
        step
        for step in finding.trace
        if step.note != AGAIN
        and (step.location.path, step.location.cell, step.location.line) != (at.path, at.cell, at.line)
    ]
    return [step for step in steps if not step.note.endswith(PASSING_ON)] or steps


def _shown_steps(finding: Finding) -> list[TraceStep]:
    """The first of these steps, and the last ones before the fault."""
    steps = _carrying(finding)
    return steps if len(steps) <= MOST_STEPS else [steps[0], *steps[1 - MOST_STEPS :]]


def _hidden_steps(finding: Finding) -> bool:
    return len(_shown_steps(finding)) < len([step for step in finding.trace if step.location != finding.location])
