"""Fix the findings of a file.

Rewrites propose edits from the shape of the code. The fixer checks the file again after each proposal and makes only
the fixes that this check confirms: the finding is gone, and no finding is new.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

import libcst as cst

from cvlint.findings.finding import Finding
from cvlint.findings.suppression.apply import Shortening
from cvlint.fixes.editing.document import file_edits, in_code, in_file, rewritten
from cvlint.fixes.editing.edits import ConfirmedFix, Edit, Proposal, in_order, moved
from cvlint.fixes.editing.original_text import edit_of_original, is_original, original_offset
from cvlint.fixes.editing.syntax import Code
from cvlint.fixes.rewrites.registry import REWRITES, proposals
from cvlint.fixes.rewrites.unused_ignores import without_unused_ignore
from cvlint.records import dataclass, replace
from cvlint.rules.catalogue import load_rules
from cvlint.source.links.importers import Importers, source_replaced
from cvlint.source.module import Source, read_bytes
from cvlint.workspace.file_check import check_file, check_reading, shared_analysis
from cvlint.workspace.settings.check_options import CheckOptions

MOST_FIXES = 200
"""The number of fixes in one file; each needs an analysis of its own."""
FindingsAt = tuple[tuple[str, int, Finding], ...]
"""The rule, the offset in the original text, and the finding, for each finding of a file."""


@dataclass(frozen=True, slots=True)
class Fixed:
    """A file before and after its fixes."""

    name: str
    """The name of the file in findings."""
    before: bytes
    data: bytes
    """Its bytes before and after the fixes."""
    count: int
    unsafe: int
    """The number of fixes that were made, and of unsafe ones that were left out."""
    problems: tuple[str, ...] = ()
    """A whole sentence for each finding that could not be fixed because of a fault in cvlint itself."""


@dataclass(frozen=True, slots=True)
class _FileState:
    """One version of the file with its findings."""

    data: bytes
    source: Source
    findings: FindingsAt
    wanted: frozenset[tuple[str, int]]
    """The rules and offsets of the findings to fix."""


@dataclass(frozen=True, slots=True)
class _CheckedFix:
    """A fix that the check confirms: the file after it, and its edits of the original text."""

    state: _FileState
    edits: tuple[Edit, ...]
    safe: bool


class Fixer:
    """Fix the findings of files.

    Parameters
    ----------
    options : Options
        The options of the check.
    unsafe : bool
        Whether to make fixes that change a reported number, too.
    importing : sequence of Path
        Files that may import a fixed file. If one does, no fix may cause a new finding in it or remove a name that it
        mentions. For names, files in the same folder count as well.
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
            The path of the file, which its imports start from; the file itself is neither read nor written.
        display : str
            The name of the file in findings.
        findings : iterable of Finding
            The findings to fix; findings in other files are ignored.

        Returns
        -------
        Fixed
            A check of the new text with all rules at any confidence has confirmed each fix: its finding is gone, and
            no finding is new, here or in the files that import this one. Unused suppression comments are removed
            first; after that the new text must be the same program.
        """
        here = [finding for finding in findings if finding.location.path == display and is_fixable(finding)]
        source = read_bytes(data, path, display).source if here else None
        if source is None:
            return Fixed(display, data, data, 0, 0)
        before, count = data, 0
        problems: list[str] = []
        others = [one for one in here if not isinstance(one.fix, Shortening)]
        wanted = {(one.rule, original_offset(source, one.location)) for one in others}
        for finding in sorted(here, key=lambda one: one.location.sort_key, reverse=True):
            with _errors_contained(finding, problems):
                shorter = without_unused_ignore(data, source, finding)
                if shorter is not None:
                    data, source, edit = shorter
                    wanted = {(rule, moved(offset, [edit])[0]) for rule, offset in wanted}
                    count += 1
        read = self._read(data, path, display) if wanted else None
        if read is None:
            return Fixed(display, before, data, count, 0, tuple(problems))
        state, unsafe = _FileState(data, *read, frozenset(wanted)), 0
        for _ in range(MOST_FIXES):
            following, unsafe = self._next(state, problems)
            if following is None:
                break
            state, count = following, count + 1
        return Fixed(display, before, state.data, count, unsafe, tuple(dict.fromkeys(problems)))

    def confirmed(
        self, data: bytes, path: Path, display: str, findings: Iterable[Finding]
    ) -> Iterator[tuple[Finding, ConfirmedFix]]:
        """Give the fixes that `fix` would make for single findings, each for the file as it is now, in their order.

        The parameters are those of `fix`. For each finding the first fix is the one that `fix` would make. If that fix
        is unsafe, a second one may follow, which `fix` would make without ``unsafe``. A finding without a confirmed fix
        is left out, and so is a finding whose fix fails because of a fault in cvlint itself. Each finding costs at
        least one analysis of the file.
        """
        here = [finding for finding in findings if finding.location.path == display and is_fixable(finding)]
        source = read_bytes(data, path, display).source if here else None
        if source is None:
            return
        read = self._read(data, path, display) if any(not isinstance(one.fix, Shortening) for one in here) else None
        code: Code | None = None
        for finding in here:
            found: list[ConfirmedFix | None] = []
            with _errors_contained(finding, []):
                if isinstance(finding.fix, Shortening):
                    shorter = without_unused_ignore(data, source, finding)
                    found = [_confirmed(data, source, [shorter[2]], True)] if shorter is not None else []
                elif read is not None:
                    code = code or self._code(source)
                    key = finding.rule, original_offset(source, finding.location)
                    fixes = self._confirmable(_FileState(data, *read, frozenset({key})), code, key)
                    found = [_confirmed(data, source, checked_fix.edits, checked_fix.safe) for checked_fix in fixes]
            yield from ((finding, one) for one in found if one is not None)

    def _confirmable(self, state: _FileState, code: Code | None, fixed: tuple[str, int]) -> Iterator[_CheckedFix]:
        """Give the first confirmed fix of a finding, and then the first safe one if the first is unsafe."""
        first = next(self._confirmed_by_check(state, code, fixed, safe=None if self.unsafe else True), None)
        if first is not None:
            yield first
            yield from islice(self._confirmed_by_check(state, code, fixed, safe=True) if not first.safe else (), 1)

    def _next(self, state: _FileState, problems: list[str]) -> tuple[_FileState | None, int]:
        """Give the file after the first confirmed fix, or None and the number of unsafe fixes that a check confirms."""
        code: Code | None = None
        unsafe = 0
        for rule, offset, finding in state.findings:
            if (rule, offset) not in state.wanted:
                continue
            failed = True
            with _errors_contained(finding, problems):
                code = code or self._code(state.source)
                checked_fix, others = self._best(state, code, (rule, offset))
                if checked_fix is not None:
                    return checked_fix.state, 0
                unsafe, failed = unsafe + others, False
            if failed:  # it would fail again
                state = replace(state, wanted=state.wanted - {(rule, offset)})
        return None, unsafe

    def _best(self, state: _FileState, code: Code | None, fixed: tuple[str, int]) -> tuple[_CheckedFix | None, bool]:
        """Give the first confirmed fix that may be made, or None and whether an unsafe one is confirmed."""
        checked_fix = next(self._confirmed_by_check(state, code, fixed, safe=None if self.unsafe else True), None)
        if checked_fix is not None or self.unsafe:
            return checked_fix, False
        return None, any(True for _ in self._confirmed_by_check(state, code, fixed, safe=False))

    def _confirmed_by_check(
        self, state: _FileState, code: Code | None, fixed: tuple[str, int], *, safe: bool | None
    ) -> Iterator[_CheckedFix]:
        """Give the confirmed fixes of a finding, the best first: the safe ones, the unsafe ones, or all with None."""
        finding = next((one for rule, offset, one in state.findings if (rule, offset) == fixed), None)
        for proposal in proposals(code, finding) if code is not None and finding is not None else ():
            checked_fix = self._tried(state, fixed, proposal) if safe in (None, proposal.safe) else None
            if checked_fix is not None:
                yield checked_fix

    def _tried(self, state: _FileState, fixed: tuple[str, int], proposal: Proposal) -> _CheckedFix | None:
        """Give the file after a proposal, if its finding is gone and no finding is new."""
        old = state.source
        if not all(is_original(old, edit) for edit in proposal.edits):
            return None
        edits = in_order(edit_of_original(old, edit) for edit in proposal.edits)
        data = rewritten(state.data, old, edits) if edits is not None else None
        read = self._read(data, old.path, old.display) if data is not None else None
        if edits is None or data is None or read is None or data == state.data:
            return None
        rest = [(rule, *moved(offset, edits)) for rule, offset, _ in state.findings if (rule, offset) != fixed]
        for rule, offset, _ in read[1]:
            same = next((one for one in rest if one[0] == rule and one[1] <= offset <= one[2]), None)
            if same is None:
                return None
            rest.remove(same)
        if rest and b"cvlint:" in data:
            return None  # a comment that suppressed the vanished findings would now be unused
        if self._is_worse_elsewhere(old, read[0]):
            return None
        spans = [(rule, *moved(offset, edits)) for rule, offset in state.wanted - {fixed}]
        wanted = frozenset((rule, first) for rule, first, last in spans if first == last)
        return _CheckedFix(_FileState(data, *read, wanted), edits, proposal.safe)

    def _is_worse_elsewhere(self, old: Source, new: Source) -> bool:
        """Tell whether a file that imports this one has a new finding because of the new text."""
        return any(self._seen_from(file, new) - self._seen_from(file, old) for file in self._importers.of(old.path))

    def _seen_from(self, importer: Path, source: Source) -> Counter[tuple[str, str]]:
        """Count the findings of each rule in each file, in a check of a file that imports a source."""
        with source_replaced(shared_analysis(*self._strictest.own_knowledge).sources, source):
            found = check_file(importer, self._strictest).findings
        return Counter((os.path.normpath(finding.location.path), finding.rule) for finding in found)

    def _code(self, source: Source) -> Code | None:
        """Parse a file with libcst; None if libcst cannot."""
        try:
            return Code(source, lambda: self._importers.texts(source.path))
        except (cst.ParserSyntaxError, RecursionError):
            return None

    def _read(self, data: bytes, path: Path, display: str) -> tuple[Source, FindingsAt] | None:
        """Read and check a text; None if it could not be read in full, or not as Python 3."""
        reading = read_bytes(data, path, display)
        source = reading.source
        if source is None or reading.problem is not None:
            return None
        checked = check_reading(reading, self._strictest)
        if checked.problem is not None:
            return None
        here = (finding for finding in checked.findings if finding.location.path == display)
        return source, tuple((f.rule, original_offset(source, f.location), f) for f in here)


def is_fixable(finding: Finding) -> bool:
    """Tell whether any rewrite handles findings of this kind; only an analysis tells whether its fix is right."""
    return isinstance(finding.fix, Shortening) or finding.rule in REWRITES


@contextmanager
def _errors_contained(finding: Finding, problems: list[str]) -> Iterator[None]:
    """Turn an error in the fix of one finding into a sentence, so that the other findings are still fixed."""
    place = finding.location
    where = f"line {place.line}" if place.cell is None else f"cell {place.cell}, line {place.line}"
    try:
        yield
    except Exception as error:
        reason = f"a fault of cvlint itself ({type(error).__name__}: {error})"
        problems.append(f"{finding.rule} in {where} could not be fixed because of {reason}: please report it.")


def _confirmed(data: bytes, source: Source, edits: Sequence[Edit], safe: bool) -> ConfirmedFix | None:
    """Locate the edits of a confirmed fix in the code and in the file."""
    found = file_edits(data, source, edits)
    return None if found is None else ConfirmedFix(safe, in_code(source, edits), in_file(found, source.display))
