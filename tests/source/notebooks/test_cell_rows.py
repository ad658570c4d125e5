from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cvlint.source.notebooks.cell_rows import cell_rows
from cvlint.source.notebooks.cell_spans import cell_spans
from cvlint.source.notebooks.code_cells import code_cells


@st.composite
def notebooks(draw: st.DrawFn) -> tuple[dict[str, Any], list[list[str]]]:
    """A notebook, and for each line of each code cell a word that occurs once in the file."""
    cells, expected, seen = [], [], 0
    for _ in range(draw(st.integers(0, 4))):
        lines = [f"word{number}\N{PILCROW SIGN}" for number in range(seen, seen + draw(st.integers(1, 4)))]
        seen += len(lines)
        kind = draw(st.sampled_from(["code", "markdown"]))
        source: str | list[str] = draw(st.sampled_from(["\n", "\r\n"])).join(lines)
        if draw(st.booleans()):
            source = [source] if draw(st.booleans()) else [f"{line}\n" for line in lines[:-1]] + lines[-1:]
        cell = [("cell_type", kind), ("metadata", {"cells": ["source", {}]}), ("source", source), ("outputs", [1, {}])]
        cells.append(dict(draw(st.permutations(cell))))
        expected += [lines] if kind == "code" else []
    whole = [("metadata", {"cells": [{"source": "x"}]}), ("cells", cells), ("nbformat", 4)]
    if draw(st.booleans()):  # nbformat 3
        for cell in cells:
            cell["input"] = cell.pop("source")
        whole = [("metadata", {}), ("worksheets", [{"cells": cells[:1]}, {"metadata": {}, "cells": cells[1:]}])]
    return dict(draw(st.permutations(whole))), expected


@given(notebooks(), st.sampled_from([None, 0, 1, "\t"]), st.booleans())
def test_each_line_is_where_its_words_are(
    made: tuple[dict[str, Any], list[list[str]]], indent: int | str | None, ascii_only: bool
) -> None:
    notebook, expected = made
    text = json.dumps(notebook, indent=indent, ensure_ascii=ascii_only)
    data = text.encode()
    lines = text.split("\n")
    rows = cell_rows(data)
    sources = code_cells(data)
    assert isinstance(sources, list)
    assert [len(cell) for cell in rows] == [source.count("\n") + 1 for source in sources]
    for cell, words in zip(rows, expected, strict=True):
        for row, word in zip(cell, words, strict=True):
            assert json.dumps(word, ensure_ascii=ascii_only).strip('"') in lines[row - 1]


@given(notebooks(), st.sampled_from([None, 1, "\t"]), st.booleans())
def test_each_source_is_where_its_span_says(
    made: tuple[dict[str, Any], list[list[str]]], indent: int | str | None, ascii_only: bool
) -> None:
    text = json.dumps(made[0], indent=indent, ensure_ascii=ascii_only)
    values = [json.loads(text[slice(*span)]) for span in cell_spans(text) if span is not None]
    lines = [(value if isinstance(value, str) else "".join(value)).splitlines() for value in values]
    assert lines == made[1]


def test_a_line_in_several_strings_begins_in_the_first() -> None:
    text = json.dumps({"cells": [{"cell_type": "code", "source": ["a = ", "1\n", "", "b\nc", " = 2"]}]}, indent=1)
    lines = text.split("\n")
    (rows,) = cell_rows(text.encode())
    assert [lines[row - 1].strip() for row in rows] == ['"a = ",', r'"b\nc",', r'"b\nc",']


def test_an_empty_last_line_and_an_empty_cell_have_a_row() -> None:
    cells = [{"cell_type": "code", "source": ["a\n", "b\n"]}, {"cell_type": "code", "source": []}]
    text = json.dumps({"cells": cells}, indent=1)
    first, second = cell_rows(text.encode())
    lines = text.split("\n")
    assert [lines[row - 1].strip() for row in first] == ['"a\\n",', '"b\\n"', '"b\\n"']
    assert [lines[row - 1].strip() for row in second] == ['"source": []']


@pytest.mark.parametrize(
    "data",
    [b"", b"\xff", b"[]", b"{", b'{"cells"', b'{"cells": 1}', b'{"cells": [{]}', b'{"cells": "x"}', b"[" * 100_000],
)
def test_a_file_that_is_not_a_notebook_has_no_rows(data: bytes) -> None:
    assert cell_rows(data) == []


def test_a_cell_without_source_still_counts() -> None:
    cells = [
        {"cell_type": "code"},
        {"cell_type": "code", "source": 1},
        7,
        {"x": 1},
        {"cell_type": "code", "source": "a"},
    ]
    text = json.dumps({"cells": cells})
    assert cell_rows(text.encode()) == [[], [], [1]]
    assert [span and text[slice(*span)] for span in cell_spans(text)] == [None, "1", '"a"']
