"""Places as the protocol has them: a URI, lines and columns from 0, columns in the units that the editor counts."""

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

from cvlint.findings.suppression.comments import file_key
from cvlint.output.shared.prose import Rows
from cvlint.server.documents import Document, Part, lines_of
from cvlint.source.location import Location
from cvlint.workspace.notebook_rows import file_rows
from cvlint.workspace.source_lines import source_lines


@dataclass(frozen=True, slots=True)
class Places:
    """Turns places of findings into those of the editor.

    It has some files open, by name. Of others ``lines`` gives the text, and ``rows`` where a cell is in its JSON.
    """

    opened: Mapping[str, Document]
    codec: PositionCodec
    lines: Callable[[Location], Sequence[str] | None] = field(default_factory=partial(source_lines, None))
    rows: Rows = field(default_factory=partial(file_rows, None))

    def part(self, location: Location) -> Part | None:
        """The open text that a place is in."""
        document = self.opened.get(file_key(location.path))
        return None if document is None else document.part(location.cell)

    def place(self, location: Location) -> types.Location:
        """Where a place is; in a notebook that is not open it is lines of the JSON."""
        part = self.part(location)
        if part is not None:
            return types.Location(part.uri, self._span(location, lines_of(part.text)))
        uri = from_fs_path(location.path) or ""
        if location.cell is not None:
            first, last = self.rows(location) or (1, 1)
            return types.Location(uri, types.Range(types.Position(first - 1, 0), types.Position(last, 0)))
        return types.Location(uri, self._span(location, self.lines(location) or ()))

    def span(self, location: Location) -> types.Range:
        """Between which positions a place is."""
        return self.place(location).range

    def _span(self, location: Location, lines: Sequence[str]) -> types.Range:
        start = self._position(lines, location.line, location.column)
        return types.Range(start, self._position(lines, location.end_line, location.end_column))

    def _position(self, lines: Sequence[str], line: int, column: int) -> types.Position:
        text = lines[line - 1] if line <= len(lines) else ""
        return types.Position(line - 1, self.codec.client_num_units(text[: column - 1]))


def text_edits(old: str, new: str, codec: PositionCodec) -> list[types.TextEdit]:
    """The least that must be replaced in a text to make another of it: parts of lines."""
    before, after = lines_of(old), lines_of(new)
    starts = list(accumulate(map(len, before), initial=0))

    def position(offset: int) -> types.Position:
        line = bisect_right(starts, offset) - 1
        if line == len(before) and before and not before[-1].endswith(("\n", "\r")):
            line -= 1
        return types.Position(line, codec.client_num_units(old[starts[line] : offset]))

    made = []
    for kind, first, last, new_first, new_last in SequenceMatcher(None, before, after, False).get_opcodes():
        if kind == "equal":
            continue
        gone, text = "".join(before[first:last]), "".join(after[new_first:new_last])
        head = _shared(gone, text)
        tail = _shared(gone[head:][::-1], text[head:][::-1])
        start, end = position(starts[first] + head), position(starts[last] - tail)
        made.append(types.TextEdit(types.Range(start, end), text[head : len(text) - tail]))
    return made


def _shared(one: str, other: str) -> int:
    """How many characters two texts have in common at their beginning."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def meet(one: types.Range, other: types.Range) -> bool:
    """Whether two ranges have a position in common, be it an end."""
    return one.start <= other.end and other.start <= one.end
