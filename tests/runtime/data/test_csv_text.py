"""The quick way to split a CSV file gives what Python's csv gives, and leaves all else to it."""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cvlint.runtime.data import csv_text
from cvlint.runtime.data.columns import LabelColumn
from cvlint.runtime.data.csv_text import column_blocks, header_of, plain_columns, unquoted_columns
from cvlint.runtime.errors import FoldDataError

CHARACTERS = "ab1 .é\"'\r\n,\t" + "\0" * (sys.version_info >= (3, 11))  # before, csv neither reads nor writes it
FIELD = st.text(st.sampled_from(CHARACTERS), max_size=4)
TABLE = st.integers(1, 4).flatmap(lambda width: st.lists(st.lists(FIELD, min_size=width, max_size=width), max_size=12))


def columns_of(text: str, width: int) -> list[list[str]] | str:
    """All rows of a text, by columns; or the message without its file."""
    found: list[list[str]] = [[] for _ in range(width)]
    try:
        for block in column_blocks(Path("f.csv"), io.StringIO(text, newline=""), width):
            for column, texts in zip(found, block, strict=True):
                column += texts
    except FoldDataError as error:
        return str(error)
    return found


@settings(deadline=None, max_examples=300)
@given(TABLE, st.sampled_from(["\n", "\r\n", "\r"]), st.booleans(), st.booleans(), st.integers(1, 30))
def test_as_python_reads_it(
    table: Sequence[Sequence[str]], end: str, quoted: bool, ended: bool, characters: int
) -> None:
    written = io.StringIO(newline="")
    if quoted:
        csv.writer(written, lineterminator=end).writerows(table)
    else:
        written.write(end.join(",".join(row) for row in table) + (end if ended else ""))
    text, width = written.getvalue(), len(table[0]) if table else 1
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(csv_text, "CHARACTERS", characters)
        found = columns_of(text, width)
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    except csv.Error as error:
        assert isinstance(found, str) and found.endswith(f"{error}.")
        return
    if {len(row) for row in rows} <= {width}:
        assert found == [[row[column] for row in rows] for column in range(width)]
    else:
        place = next(i for i, row in enumerate(rows) if len(row) != width)
        expected = f"row {place + 2}: it has {len(rows[place])} values and the header {width} names."
        assert found == f"f.csv, {expected}"


def test_what_is_split_without_csv() -> None:
    assert unquoted_columns("a,b\r\nc,\n1,2", 2) == [["a", "c", "1"], ["b", "", "2"]]
    assert unquoted_columns("a,b\nc\n1,2,3\n", 2) is None  # as many fields in all
    assert unquoted_columns('a,"b"\n', 2) is None
    assert unquoted_columns("a,b\n\n", 2) is None
    assert unquoted_columns("a\rb,c\n", 2) is None


def test_the_header() -> None:
    file = io.StringIO('"fold", y_true\n1,2\n', newline="")
    assert header_of(Path("f.csv"), file) == ["fold", "y_true"]
    assert [list(map(list, block)) for block in column_blocks(Path("f.csv"), file, 2)] == [[["1"], ["2"]]]
    with pytest.raises(FoldDataError, match=r"^f\.csv is no readable CSV at line 1: "):
        header_of(Path("f.csv"), io.StringIO('"a"b\n'))


@pytest.mark.parametrize("text", ["{}\n1,2\n", "a,b\n1,2\n{}", 'a,b\n"1",2\n{}'])
def test_a_line_without_an_end_is_refused_before_it_fills_the_memory(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(csv_text, "MOST_LINE", 50)
    monkeypatch.setattr(csv_text, "CHARACTERS", 8)
    file = io.StringIO(text.format("x" * 100), newline="")
    with pytest.raises(FoldDataError, match="a line of it has more than 50 characters"):
        list(column_blocks(Path("f.csv"), file, len(header_of(Path("f.csv"), file))))
    assert file.tell() < 70


NUMBER = st.one_of(
    st.floats(allow_nan=False).map(str),
    st.floats(-10, 10).map(lambda x: str(round(x, 6))),
    st.decimals(allow_nan=False, allow_infinity=False, places=4).map(str),
    st.integers().map(str),
    st.sampled_from(
        ["-0.0", ".5", "5.", "-.5", "-", ".", "-.", "1.2.3", "--1", "1-2", "+1", " 2", "1_0", "1e-5", "nan", ""]
    ),
    st.text("-.0123456789", max_size=20),
)


@settings(deadline=None, max_examples=500)
@given(st.lists(NUMBER, min_size=1, max_size=20))
def test_numbers_are_those_of_python_to_the_last_bit(texts: list[str]) -> None:
    columns = plain_columns("".join(f"a,{text}\n" for text in texts), 2)
    assert columns is not None
    try:
        expected = np.array([float(text) for text in texts])
    except ValueError:
        with pytest.raises(ValueError, match="could not convert"):
            columns[1].numbers()
        return
    np.testing.assert_array_equal(columns[1].numbers().view(np.int64), expected.view(np.int64))


@given(st.lists(st.lists(st.text("ab1-é", max_size=3), min_size=1, max_size=8), min_size=1, max_size=3))
def test_labels_of_blocks(blocks: list[list[str]]) -> None:
    """Labels of one or two characters are looked up by their bytes, others as texts; both share their codes."""
    ours, theirs = LabelColumn(), LabelColumn()
    for block in blocks:
        columns = plain_columns("".join(f"{text},x\n" for text in block), 2)
        ours.add_strings(block if columns is None else columns[0])
        theirs.add_strings(block)
    np.testing.assert_array_equal(ours.column().codes, theirs.column().codes)
    assert ours.column().labels == theirs.column().labels


def test_a_block_that_is_no_plain_table() -> None:
    assert plain_columns("a,b\nc\n1,2,3\n", 2) is None  # as many fields in all
    assert plain_columns("a,b,c\nd\n", 2) is None
    assert plain_columns("a,é\n", 2) is None
    columns = plain_columns("a,b\n,1", 2)
    assert columns is not None and [list(column) for column in columns] == [["a", ""], ["b", "1"]]
    assert "" in columns[0] and "" not in columns[1] and columns[0][1] == ""
