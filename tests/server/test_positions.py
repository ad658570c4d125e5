"""Edits and columns, against their definitions."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types
from pygls.workspace import PositionCodec

from cvlint.server.texts.documents import Document, TextUnit
from cvlint.server.texts.positions import PositionMapper, text_edits
from cvlint.source.location import Location

ENCODINGS = {
    types.PositionEncodingKind.Utf8: ("utf-8", 1),
    types.PositionEncodingKind.Utf16: ("utf-16-le", 2),
    types.PositionEncodingKind.Utf32: ("utf-32-le", 4),
}
LINES = st.lists(st.text("ab\N{MATHEMATICAL ITALIC SMALL BETA}é\f\u2028 ", max_size=4), max_size=6)
TEXTS = st.builds(lambda lines, end: end.join(lines), LINES, st.just("\n"))


def offset(text: str, position: types.Position, kind: types.PositionEncodingKind) -> int:
    """Where a position is: so many line ends, then so many units of the encoding."""
    encoding, width = ENCODINGS[kind]
    at = sum(len(line) + 1 for line in text.split("\n")[: position.line])
    line = text.split("\n")[position.line]
    units = line.encode(encoding)[: width * position.character]
    assert len(units) == width * position.character
    return at + len(units.decode(encoding))


@given(TEXTS, TEXTS, st.sampled_from(list(ENCODINGS)))
def test_edits_make_the_one_text_of_the_other(old: str, new: str, kind: types.PositionEncodingKind) -> None:
    edits = text_edits(old, new, PositionCodec(kind))
    spans = [(offset(old, e.range.start, kind), offset(old, e.range.end, kind), e.new_text) for e in edits]
    assert all(end <= start for (_, end, _), (start, _, _) in pairwise(spans))
    text = old
    for start, end, words in reversed(spans):
        text = text[:start] + words + text[end:]
    assert text == new
    assert all(old[start:end] != words for start, end, words in spans)


@given(st.text("ab\N{MATHEMATICAL ITALIC SMALL BETA}é", min_size=1), st.sampled_from(list(ENCODINGS)), st.data())
def test_columns(line: str, kind: types.PositionEncodingKind, data: st.DataObject) -> None:
    column = data.draw(st.integers(1, len(line) + 1))
    path = Path("train.py")
    document = Document("file:///train.py", path, 1, (TextUnit("file:///train.py", 1, f"\r\n{line}\r\n"),), b"")
    positions = PositionMapper({"train.py": document}, PositionCodec(kind))
    place = positions.to_location(Location("train.py", None, 2, column, 2, column))
    assert offset(f"\n{line}\n", place.range.start, kind) == column


@pytest.mark.parametrize("location", [Location("gone.py", None, 3, 2, 3, 5), Location("gone.ipynb", 2, 3, 2, 3, 5)])
def test_a_file_that_is_gone_still_has_a_place(location: Location) -> None:
    place = PositionMapper({}, PositionCodec()).to_location(location)
    assert place.uri.endswith(location.path)
    assert place.range.start.line >= 0


def test_a_notebook_that_is_not_open_has_lines_of_its_json(tmp_path: Path) -> None:
    path = tmp_path / "train.ipynb"
    path.write_text('{"cells": [\n{"cell_type": "code",\n"source": ["a = 1\\n",\n"b = 2"]}],\n"nbformat": 4}')
    place = PositionMapper({}, PositionCodec()).to_location(Location(str(path), 1, 2, 1, 2, 6))
    assert place == types.Location(path.as_uri(), types.Range(types.Position(3, 0), types.Position(4, 0)))
