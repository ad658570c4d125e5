"""Fixes of one file: proposed by the shape of the code, and made only where a new check of the text confirms them."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

import libcst as cst

from cvlint.findings.finding import Finding, Location
from cvlint.findings.suppression.apply import Shortening
from cvlint.fixes.editing.document import in_code, in_file, rewriting, rewritten
from cvlint.fixes.editing.edits import Confirmed, Edit, Proposal, in_order, moved
from cvlint.fixes.editing.syntax import Code
from cvlint.fixes.rewrites.cross_validation import mean_of_ranking, pooled_f
from cvlint.fixes.rewrites.fold_loops import pooled_in_loop
from cvlint.fixes.rewrites.hard_labels import scored
from cvlint.fixes.rewrites.learned_on_all import learned_in_training
from cvlint.fixes.rewrites.macro_f import of_classes
from cvlint.fixes.rewrites.stratified import stratified
from cvlint.fixes.rewrites.unguarded import guarded
from cvlint.fixes.rewrites.unused_ignores import shortened
from cvlint.rules.catalogue import load_rules
from cvlint.source.importers import Importers, standing_in
from cvlint.source.module import Source, read_bytes
from cvlint.workspace.file_check import check_file, check_reading, shared_analysis
from cvlint.workspace.settings.check_options import CheckOptions

MOST_FIXES = 200  # of one file; each is checked by an analysis of its own
Fix = Callable[[Code, cst.BaseExpression], Iterator[Proposal]]
Placed = tuple[tuple[str, int, Finding], ...]
"""Findings, each with its rule and with its offset in the lines as the author wrote them."""


@dataclass(frozen=True, slots=True)
class Fixed:
    """A file after fixes.

    Attributes
    ----------
    data
        Its bytes.
    count
        How many fixes were made.
    unsafe
        How many more there are that are unsafe.
    problems
        A whole sentence on each finding that could not be fixed because of a fault of cvlint itself.
    """

    data: bytes
    count: int
    unsafe: int
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _State:
    """A text of the file, and what is found in it; ``wanted`` are the rules and offsets of what shall be fixed."""

    data: bytes
    source: Source
    findings: Placed
    wanted: frozenset[tuple[str, int]]


@dataclass(frozen=True, slots=True)
class _Held:
    """A fix that holds: what the file is after it, and its edits of the text as the author wrote it."""

    state: _State
    edits: tuple[Edit, ...]
    safe: bool


class Fixer:
    """Makes fixes in files.

    Parameters
    ----------
    options : Options
        What the check was made with.
    unsafe : bool
        Whether to make fixes that change a reported number, too.
    importing : sequence of Path
        Files that may import what is fixed: where one does, no fix may lead to a new finding in it, nor take a name
        away that it mentions. For names, files in the same folder count as well.
    """

    def __init__(self, options: CheckOptions, unsafe: bool, importing: Sequence[Path] = ()) -> None:
        self.unsafe = unsafe
        every = frozenset(rule.name for rule in load_rules(*options.own_rules))
        self._strictest = replace(options, rules=every, confidence="low")
        self._importers = Importers(importing)

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
            none is new, nor in the files that import this one. What is not confirmed is not fixed. Comments that are
            of no use are taken away first: there the new text must be the same program.
        """
        here = [finding for finding in findings if finding.location.path == display and is_fixable(finding)]
        source = read_bytes(data, path, display).source if here else None
        if source is None:
            return Fixed(data, 0, 0)
        problems: list[str] = []
        count = 0
        wanted = {(one.rule, _offset(source, one.location)) for one in here if not isinstance(one.fix, Shortening)}
        for finding in sorted(here, key=lambda one: one.location.sort_key, reverse=True):
            with _contained(finding, problems):
                shorter = shortened(data, source, finding)
                if shorter is not None:
                    data, source, edit = shorter
                    wanted = {(rule, moved(offset, [edit])[0]) for rule, offset in wanted}
                    count += 1
        read = self._read(data, path, display) if wanted else None
        if read is None:
            return Fixed(data, count, 0, tuple(problems))
        state, unsafe = _State(data, *read, frozenset(wanted)), 0
        for _ in range(MOST_FIXES):
            following, unsafe = self._round(state, problems)
            if following is None:
                break
            state, count = following, count + 1
        return Fixed(state.data, count, unsafe, tuple(dict.fromkeys(problems)))

    def confirmed(
        self, data: bytes, path: Path, display: str, findings: Iterable[Finding]
    ) -> Iterator[tuple[Finding, Confirmed]]:
        """What `fix` would do for single findings, each for the file as it is, in their order.

        The parameters are those of `fix`. First comes the fix that it would make, and then, if that is unsafe, the one
        that it would make if it were to make safe ones alone. A finding without a fix that holds is left out, and so is
        one whose fix fails because of a fault of cvlint itself. Each costs an analysis of the file, or several.
        """
        here = [finding for finding in findings if finding.location.path == display and is_fixable(finding)]
        source = read_bytes(data, path, display).source if here else None
        if source is None:
            return
        read = self._read(data, path, display) if any(not isinstance(one.fix, Shortening) for one in here) else None
        code: Code | None = None
        for finding in here:
            found: list[Confirmed | None] = []
            with _contained(finding, []):
                if isinstance(finding.fix, Shortening):
                    shorter = shortened(data, source, finding)
                    found = [_confirmed(data, source, [shorter[2]], True)] if shorter is not None else []
                elif read is not None:
                    code = code or self._code(source)
                    key = finding.rule, _offset(source, finding.location)
                    ways = self._ways(_State(data, *read, frozenset({key})), code, key)
                    found = [_confirmed(data, source, held.edits, held.safe) for held in ways]
            yield from ((finding, one) for one in found if one is not None)

    def _ways(self, state: _State, code: Code | None, fixed: tuple[str, int]) -> Iterator[_Held]:
        """The first fix of a finding that may be made, and the first safe one."""
        first = next(self._holding(state, code, fixed, safe=None if self.unsafe else True), None)
        if first is not None:
            yield first
            yield from islice(self._holding(state, code, fixed, safe=True) if not first.safe else (), 1)

    def _round(self, state: _State, problems: list[str]) -> tuple[_State | None, int]:
        """The file after the first fix that holds; where there is none, how many unsafe ones would hold."""
        code: Code | None = None
        unsafe = 0
        for rule, offset, finding in state.findings:
            if (rule, offset) not in state.wanted:
                continue
            failed = True
            with _contained(finding, problems):
                code = code or self._code(state.source)
                held, others = self._first(state, code, (rule, offset))
                if held is not None:
                    return held.state, 0
                unsafe, failed = unsafe + others, False
            if failed:  # and would again
                state = replace(state, wanted=state.wanted - {(rule, offset)})
        return None, unsafe

    def _first(self, state: _State, code: Code | None, fixed: tuple[str, int]) -> tuple[_Held | None, bool]:
        """The first fix of a finding that holds and may be made; where there is none, whether an unsafe one holds."""
        held = next(self._holding(state, code, fixed, safe=None if self.unsafe else True), None)
        if held is not None or self.unsafe:
            return held, False
        return None, any(True for _ in self._holding(state, code, fixed, safe=False))

    def _holding(
        self, state: _State, code: Code | None, fixed: tuple[str, int], *, safe: bool | None
    ) -> Iterator[_Held]:
        """The fixes of a finding that hold, the best first: safe ones, unsafe ones, or with None all."""
        finding = next((one for rule, offset, one in state.findings if (rule, offset) == fixed), None)
        for proposal in proposals(code, finding) if code is not None and finding is not None else ():
            held = self._after(state, fixed, proposal) if safe in (None, proposal.safe) else None
            if held is not None:
                yield held

    def _after(self, state: _State, fixed: tuple[str, int], proposal: Proposal) -> _Held | None:
        """The file after a fix, if the finding is gone, and no other is new."""
        old = state.source
        if not all(_as_written(old, edit) for edit in proposal.edits):
            return None
        edits = in_order(_in_original(old, edit) for edit in proposal.edits)
        data = rewritten(state.data, old, edits) if edits is not None else None
        read = self._read(data, old.path, old.display) if data is not None else None
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
        if self._is_worse_elsewhere(old, read[0]):
            return None
        spans = [(rule, *moved(offset, edits)) for rule, offset in state.wanted - {fixed}]
        wanted = frozenset((rule, first) for rule, first, last in spans if first == last)
        return _Held(_State(data, *read, wanted), edits, proposal.safe)

    def _is_worse_elsewhere(self, old: Source, new: Source) -> bool:
        """Whether a file that imports this one has a new finding with its new text."""
        return any(self._through(file, new) - self._through(file, old) for file in self._importers.of(old.path))

    def _through(self, importer: Path, source: Source) -> Counter[tuple[str, str]]:
        """How many findings of each rule there are in each file, seen from one that imports a source."""
        with standing_in(shared_analysis(*self._strictest.own_knowledge).sources, source):
            found = check_file(importer, self._strictest).findings
        return Counter((os.path.normpath(finding.location.path), finding.rule) for finding in found)

    def _code(self, source: Source) -> Code | None:
        """A file as libcst reads it; None where it does not."""
        try:
            return Code(source, self._importers.texts(source.path))
        except (cst.ParserSyntaxError, RecursionError):
            return None

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


def is_fixable(finding: Finding) -> bool:
    """Whether there is a fix for findings of this kind; whether it holds, an analysis tells."""
    return isinstance(finding.fix, Shortening) or bool(_fixes(finding.rule))


@contextmanager
def _contained(finding: Finding, problems: list[str]) -> Iterator[None]:
    """Go on after a fault of ours in the fix of one finding, with a sentence on it."""
    place = finding.location
    where = f"line {place.line}" if place.cell is None else f"cell {place.cell}, line {place.line}"
    try:
        yield
    except Exception as error:
        reason = f"a fault of cvlint itself ({type(error).__name__}: {error})"
        problems.append(f"{finding.rule} in {where} could not be fixed because of {reason}: please report it.")


def _confirmed(data: bytes, source: Source, edits: Sequence[Edit], safe: bool) -> Confirmed | None:
    """A fix with the places of its edits."""
    found = rewriting(data, source, edits)
    return None if found is None else Confirmed(safe, in_code(source, edits), in_file(found, source.display))


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
        case "macro-f-of-means":
            return (of_classes,)
        case "preprocess-before-split":
            return (learned_in_training,)
        case _:
            return ()


def _in_strings(code: Code, edit: Edit) -> Edit | None:
    """An edit in an f-string without its quotes, which Python reads only since 3.12; None where that cannot be."""
    quotes = {quote[0] for quote in code.strings(edit)}
    if not quotes:
        return edit
    text = edit.text if "'" in edit.text or '"' not in quotes else edit.text.replace('"', "'")
    return None if "\n" in text or "\\" in text or any(quote in text for quote in quotes) else replace(edit, text=text)


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
