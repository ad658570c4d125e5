"""Where comments apply: the comments of each file, by the lines of their statements.

A file can hold tens of thousands of comments and findings, so nothing here goes through all comments for a finding.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from itertools import accumulate

from cvlint.findings.finding import Finding
from cvlint.findings.suppression.ignore import Ignore, file_key
from cvlint.source.location import Location


class FileComments:
    """The comments of one file."""

    def __init__(self, ignores: Iterable[Ignore]) -> None:
        found = list(ignores)
        self.whole = [one for one in found if one.kind == "file"]
        cells: dict[int | None, list[Ignore]] = {}
        for one in found:
            if one.kind in ("line", "noqa"):
                cells.setdefault(one.location.cell, []).append(one)
        self._cells = {cell: _Lines(ignores) for cell, ignores in cells.items()}

    def overlapping(self, location: Location) -> list[Ignore]:
        """The comments whose statement overlaps with a location, in order."""
        lines = self._cells.get(location.cell)
        return [] if lines is None else lines.overlapping(location.line, location.end_line)

    def at_start_of(self, location: Location) -> list[Ignore]:
        """The comments in whose statement a location begins, in order."""
        lines = self._cells.get(location.cell)
        return [] if lines is None else lines.overlapping(location.line, location.line)


class _Lines:
    """The comments of a script, or of a cell, by the first lines of their statements."""

    def __init__(self, ignores: list[Ignore]) -> None:
        order = sorted(enumerate(ignores), key=lambda one: one[1].first)
        self._ignores = order
        self._firsts = [one.first for _, one in order]
        self._greatest = list(accumulate((one.last for _, one in order), max))

    def overlapping(self, first: int, last: int) -> list[Ignore]:
        at = bisect_right(self._firsts, last)
        found = []
        while at and self._greatest[at - 1] >= first:  # no statement further up reaches the lines
            at -= 1
            if self._ignores[at][1].last >= first:
                found.append(self._ignores[at])
        return [one for _, one in sorted(found, key=lambda one: one[0])]


def by_file(ignores: Iterable[Ignore]) -> dict[str, FileComments]:
    """The comments of each file."""
    files: dict[str, list[Ignore]] = {}
    for ignore in ignores:
        files.setdefault(file_key(ignore.location.path), []).append(ignore)
    return {path: FileComments(found) for path, found in files.items()}


def comments_at(finding: Finding, ignores: Mapping[str, FileComments]) -> Iterator[Ignore]:
    """The comments whose position lets them suppress a finding: at it, at a step of its trace, or for its whole file.

    A finding can span a compound statement, such as a ``try``; a comment on any of its lines applies. For a step of the
    trace that is a loop only the head counts, because other statements in the loop have nothing to do with the step.
    """
    here = ignores.get(file_key(finding.location.path))
    if here is not None:
        yield from here.overlapping(finding.location)
    for place in dict.fromkeys(step.location for step in finding.trace):
        if (in_file := ignores.get(file_key(place.path))) is not None:
            yield from (ignore for ignore in in_file.at_start_of(place) if ignore.kind == "line")
    if here is not None:
        yield from here.whole
