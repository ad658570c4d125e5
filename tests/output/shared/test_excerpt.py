from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cvlint.output.shared.excerpt import WIDEST, Row, excerpt, first_line
from cvlint.source.location import Location


def span(line: int, column: int, end_line: int, end_column: int) -> Location:
    return Location("a.py", None, line, column, end_line, end_column)


def test_one_line() -> None:
    assert excerpt(["x = mean(f)"], span(1, 5, 1, 12)) == [Row(1, "x = mean(f)", 4, 7)]


def test_tabs_before_and_inside() -> None:
    (row,) = excerpt(["\tx =\tmean(f)"], span(1, 6, 1, 13))
    assert row == Row(1, "    x = mean(f)", 8, 7)


def test_wide_and_combining_characters() -> None:
    (row,) = excerpt(["测试e\u0301 = mean(f)"], span(1, 8, 1, 15))
    assert (row.start, row.width) == (2 + 2 + 1 + 3, 7)


@pytest.mark.parametrize("command", ["##[error]", "##vso[task.complete]"])
def test_a_command_in_a_line_is_none(command: str) -> None:
    """Azure Pipelines takes these for commands anywhere in a line; the mark stays beneath what it is about."""
    line = f"a({command!r}); mean(f)"
    (row,) = excerpt([line], span(1, line.index("mean") + 1, 1, len(line) + 1))
    assert row.text == line.replace("##", "# #")
    assert row.text[row.start : row.start + row.width] == "mean(f)"


def test_empty_span_still_has_a_caret() -> None:
    assert excerpt(["abc"], span(1, 4, 1, 4)) == [Row(1, "abc", 3, 1)]


def test_few_lines_are_all_marked() -> None:
    rows = excerpt(["m = np.mean(", "    scores,", "", ")"], span(1, 5, 4, 2))
    assert rows == [
        Row(1, "m = np.mean(", 4, 8),
        Row(2, "    scores,", 4, 7),
        Row(3, ""),
        Row(4, ")", 0, 1),
    ]


def test_many_lines_are_shortened() -> None:
    rows = excerpt([f"line{n}" for n in range(1, 400)], span(2, 1, 300, 5))
    assert [row.number for row in rows] == [2, 3, None, 300]


@pytest.mark.parametrize("column", [1, 40, 69, 70, 71, 100, 101, 500, 995])
def test_long_lines_are_cut_around_the_span(column: int) -> None:
    line = "".join(f"{n:05}" for n in range(200))
    (row,) = excerpt([line], span(1, column, 1, column + 5))
    assert len(row.text) <= WIDEST + 2
    assert row.text[row.start : row.start + row.width] == line[column - 1 : column + 4]


def test_a_span_longer_than_the_cut_is_marked_to_the_edge() -> None:
    (row,) = excerpt(["x" * 1000], span(1, 1, 1, 1000))
    assert row.start == 0
    assert row.width == WIDEST
    assert row.text == "x" * WIDEST + "…"


@pytest.mark.parametrize("location", [span(0, 1, 0, 2), span(5, 1, 5, 2), span(5, 1, 9, 2)])
def test_missing_lines_give_no_excerpt(location: Location) -> None:
    assert excerpt(["a", "b"], location) == []


def test_first_line_of_many() -> None:
    assert first_line(["a", "bc", "d", "e"], span(2, 2, 4, 2)) == Row(2, "bc", 1, 1)


@given(st.lists(st.text(), max_size=5), *[st.integers(-2, 300)] * 4)
def test_any_text_and_any_span(lines: list[str], line: int, column: int, end_line: int, end_column: int) -> None:
    for row in excerpt(lines, span(line, column, end_line, end_column)):
        assert row.start >= 0
        assert row.width >= 0
        assert "\t" not in row.text
        assert "\n" not in row.text
