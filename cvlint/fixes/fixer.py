"""Fixes of one file: proposed by the shape of the code, and made only where a new check of the text confirms them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import libcst as cst

from cvlint.check import Options
from cvlint.check import checked as check_reading
from cvlint.findings import Finding, Location
from cvlint.fixes.document import rewritten
from cvlint.fixes.edits import Edit, Proposal, in_order, moved
from cvlint.fixes.hard_labels import scored
from cvlint.fixes.loops import pooled_in_loop
from cvlint.fixes.stratified import stratified
from cvlint.fixes.syntax import Code
from cvlint.fixes.unguarded import guarded
from cvlint.fixes.validation import mean_of_ranking, pooled_f
from cvlint.rules import load_rules
from cvlint.source.module import Source, read_bytes

MOST_FIXES = 200  # of one file; each is checked by an analysis of its own
Fix = Callable[[Code, cst.BaseExpression], Iterator[Proposal]]
Placed = tuple[tuple[str, int, Finding], ...]
"""Findings, each with its rule and with its offset in the lines as the author wrote them."""


@dataclass(frozen=True, slots=True)
class Fixed:
    """A file after fixes: its bytes, how many fixes were made, and how many more there are that are unsafe."""

    data: bytes
    count: int
    unsafe: int


@dataclass(frozen=True, slots=True)
class _State:
    """A text of the file, and what is found in it; ``wanted`` are the rules and offsets of what shall be fixed."""

    data: bytes
    source: Source
    findings: Placed
    wanted: frozenset[tuple[str, int]]


class Fixer:
    """Makes fixes in files.

    Parameters
    ----------
    options : Options
        What the check was made with.
    unsafe : bool
        Whether to make fixes that change a reported number, too.
    """

    def __init__(self, options: Options, unsafe: bool) -> None:
        self.unsafe = unsafe
        every = frozenset(rule.name for rule in load_rules(*options.own_rules))
        self._strictest = replace(options, rules=every, confidence="low")

    def fix(self, data: bytes, path: Path, display: str, findings: Iterable[Finding]) -> Fixed:
        """Fix what can be fixed in one file.

        Parameters
        ----------
        data : bytes
            The file.
        path : Path
            Where it is, for what it imports; it is neither read nor written.
        display : str
            Its name in findings.
        findings : iterable of Finding
            What to fix; those in other files are left out.

        Returns
        -------
        Fixed
            Each fix was confirmed by a check of the new text, by all rules at any confidence: its finding is gone, and
            none is new. What is not confirmed is not fixed.
        """
        here = [finding for finding in findings if finding.location.path == display and _fixes(finding.rule)]
        read = self._read(data, path, display) if here else None
        if read is None:
            return Fixed(data, 0, 0)
        wanted = {(finding.rule, _offset(read[0], finding.location)) for finding in here}
        state = _State(data, *read, frozenset(wanted))
        for count in range(MOST_FIXES):
            following, unsafe = self._round(state, path, display)
            if following is None:
                return Fixed(state.data, count, unsafe)
            state = following
        return Fixed(state.data, MOST_FIXES, 0)

    def _round(self, state: _State, path: Path, display: str) -> tuple[_State | None, int]:
        """The file after the first fix that holds; where there is none, how many unsafe ones would hold."""
        code = _code(state.source) if state.wanted else None
        unsafe = 0
        for rule, offset, finding in state.findings if code is not None else ():
            if (rule, offset) not in state.wanted or code is None:
                continue
            held = False
            for proposal in proposals(code, finding):
                if held and not proposal.safe:
                    continue
                following = self._after(state, (rule, offset), proposal, path, display)
                if following is not None and (proposal.safe or self.unsafe):
                    return following, 0
                held = held or following is not None
            unsafe += held
        return None, unsafe

    def _after(
        self, state: _State, fixed: tuple[str, int], proposal: Proposal, path: Path, display: str
    ) -> _State | None:
        """The file after a fix, if the finding is gone, and no other is new."""
        if not all(_as_written(state.source, edit) for edit in proposal.edits):
            return None
        edits = in_order(_in_original(state.source, edit) for edit in proposal.edits)
        data = rewritten(state.data, state.source, edits) if edits is not None else None
        read = self._read(data, path, display) if data is not None else None
        if edits is None or data is None or read is None or data == state.data:
            return None
        rest = [(rule, *moved(offset, edits)) for rule, offset, _ in state.findings if (rule, offset) != fixed]
        for rule, offset, _ in read[1]:
            known = next((one for one in rest if one[0] == rule and one[1] <= offset <= one[2]), None)
            if known is None:
                return None
            rest.remove(known)
        if rest and b"cvlint:" in data:
            return None  # a comment that suppressed what is gone, too, would be of no use any more
        spans = [(rule, *moved(offset, edits)) for rule, offset in state.wanted - {fixed}]
        return _State(data, *read, frozenset((rule, first) for rule, first, last in spans if first == last))

    def _read(self, data: bytes, path: Path, display: str) -> tuple[Source, Placed] | None:
        """What is found in a text; None where it could not be read in full, or not as Python 3."""
        reading = read_bytes(data, path, display)
        source = reading.source
        if source is None or reading.problem is not None:
            return None
        checked = check_reading(reading, self._strictest)
        if checked.problem is not None:
            return None
        here = (finding for finding in checked.findings if finding.location.path == display)
        return source, tuple((f.rule, _offset(source, f.location), f) for f in here)


def proposals(code: Code, finding: Finding) -> Iterator[Proposal]:
    """What could be written instead of a fault, the best first; nothing where its shape is not known."""
    place = code.expression(finding.location)
    if place is None:
        return
    for fix in _fixes(finding.rule):
        for proposal in fix(code, place):
            edits = [_in_strings(code, edit) for edit in proposal.edits]
            if None not in edits:
                yield replace(proposal, edits=tuple(edit for edit in edits if edit is not None))


def _fixes(rule: str) -> Sequence[Fix]:
    match rule:
        case "mean-of-fold-f":
            return (pooled_f, pooled_in_loop)
        case "auc-merge" | "ranking-merge":
            return (mean_of_ranking,)
        case "auc-hard-labels":
            return (scored,)
        case "unstratified-folds":
            return (stratified,)
        case "unguarded-f":
            return (guarded,)
        case _:
            return ()


def _in_strings(code: Code, edit: Edit) -> Edit | None:
    """An edit in an f-string without its quotes, which Python reads only since 3.12; None where that cannot be."""
    quotes = {quote[0] for quote in code.strings(edit)}
    if not quotes:
        return edit
    text = edit.text if "'" in edit.text or '"' not in quotes else edit.text.replace('"', "'")
    return None if "\n" in text or "\\" in text or any(quote in text for quote in quotes) else replace(edit, text=text)


def _code(source: Source) -> Code | None:
    try:
        return Code(source)
    except (cst.ParserSyntaxError, RecursionError):
        return None


def _offset(source: Source, location: Location) -> int:
    """Where a finding begins, as an offset in the text as the author wrote it."""
    first = next((cell.first_line - 1 for cell in source.cells or () if cell.number == location.cell), 0)
    return sum(len(line) + 1 for line in source.original[: first + location.line - 1]) + location.column - 1


def _as_written(source: Source, edit: Edit) -> bool:
    """Whether the lines of an edit are those of the author, and not rewritten before they were parsed."""
    first, last = (source.text.count("\n", 0, at) for at in (edit.start, edit.end))
    return source.lines[first : last + 1] == source.original[first : last + 1]


def _in_original(source: Source, edit: Edit) -> Edit:
    """An edit of the parsed text as one of the text that the author wrote, which has the same lines."""
    first = source.text.count("\n", 0, edit.start)
    shift = sum(map(len, source.original[:first])) - sum(map(len, source.lines[:first]))
    inner = source.original[first : source.text.count("\n", 0, edit.end)]
    width = sum(map(len, inner)) - sum(map(len, source.lines[first : first + len(inner)]))
    return Edit(edit.start + shift, edit.end + shift + width, edit.text)
