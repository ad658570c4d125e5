"""Positions in the protocol: a URI, lines and columns from 0, and columns in the code units that the editor counts."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from functools import partial
from itertools import accumulate, takewhile

from lsprotocol import types
from pygls.uris import from_fs_path
from pygls.workspace import PositionCodec

from cvlint.findings.source_text import FileSpan
from cvlint.findings.suppression.comments import file_key
from cvlint.server.texts.documents import Document, TextUnit, lines_of
from cvlint.source.location import Location
from cvlint.workspace.source_lines import file_rows, source_lines


@dataclass(frozen=True, slots=True)
class PositionMapper:
    """Converts the locations of findings into those of the protocol."""

    opened: Mapping[str, Document]
    """The open documents by their paths."""
    codec: PositionCodec
    """It counts columns in the units of the editor."""
    lines: Callable[[Location], Sequence[str] | None] = field(default_factory=partial(source_lines, None))
    """Gives the text of a file that is not open."""
    rows: FileSpan = field(default_factory=partial(file_rows, None))
    """Gives the lines of a cell in the JSON of a notebook that is not open."""

    def __reduce__(self) -> tuple[object, ...]:
        """Copy it to another process, which reads closed files itself."""
        return PositionMapper, (self.opened, self.codec)

    def unit(self, location: Location) -> TextUnit | None:
        """The open text that holds a location; None if its file is not open."""
        document = self.opened.get(file_key(location.path))
        return None if document is None else document.unit(location.cell)

    def to_location(self, location: Location) -> types.Location:
        """The location for the editor; in a notebook that is not open, it is the lines of the cell in the JSON."""
        unit = self.unit(location)
        if unit is not None:
            return types.Location(unit.uri, self._range(location, lines_of(unit.text)))
        uri = from_fs_path(location.path) or ""
        if location.cell is not None:
            first, last = self.rows(location) or (1, 1)
            return types.Location(uri, types.Range(types.Position(first - 1, 0), types.Position(last, 0)))
        return types.Location(uri, self._range(location, self.lines(location) or ()))

    def to_range(self, location: Location) -> types.Range:
        """The range of a location in its text."""
        return self.to_location(location).range

    def _range(self, location: Location, lines: Sequence[str]) -> types.Range:
        start = self._position(lines, location.line, location.column)
        return types.Range(start, self._position(lines, location.end_line, location.end_column))

    def _position(self, lines: Sequence[str], line: int, column: int) -> types.Position:
        text = lines[line - 1] if line <= len(lines) else ""
        return types.Position(line - 1, self.codec.client_num_units(text[: column - 1]))


def text_edits(old: str, new: str, codec: PositionCodec) -> list[types.TextEdit]:
    """The smallest edits, parts of lines, that turn one text into another."""
    before, after = lines_of(old), lines_of(new)
    starts = list(accumulate(map(len, before), initial=0))

    def position(offset: int) -> types.Position:
        line = bisect_right(starts, offset) - 1
        if line == len(before) and before and not before[-1].endswith(("\n", "\r")):
            line -= 1
        return types.Position(line, codec.client_num_units(old[starts[line] : offset]))

    edits = []
    for kind, first, last, new_first, new_last in SequenceMatcher(None, before, after, False).get_opcodes():
        if kind == "equal":
            continue
        removed, inserted = "".join(before[first:last]), "".join(after[new_first:new_last])
        head = _common_prefix(removed, inserted)
        tail = _common_prefix(removed[head:][::-1], inserted[head:][::-1])
        start, end = position(starts[first] + head), position(starts[last] - tail)
        edits.append(types.TextEdit(types.Range(start, end), inserted[head : len(inserted) - tail]))
    return edits


def _common_prefix(one: str, other: str) -> int:
    """The length of the longest common prefix."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def overlap(one: types.Range, other: types.Range) -> bool:
    """Whether two ranges share a position; a shared end counts."""
    return one.start <= other.end and other.start <= one.end
