"""The order of the cells' runs counts where the order in which they stand reads a name before it is bound."""

from __future__ import annotations

import ast
from itertools import pairwise

import pytest

from cvlint.source.notebooks.run_order import run_order


def order_of(*cells: tuple[str, int | None]) -> tuple[int, ...]:
    texts = [text for text, _ in cells]
    starts = [1]
    for text in texts:
        starts.append(starts[-1] + text.count("\n") + 1)
    lines = [range(start, end) for start, end in pairwise(starts)]
    return run_order(ast.parse("\n".join(texts)), lines, [count for _, count in cells])


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        ([("c = b", 3), ("a = 1", 1), ("b = a", 2)], (1, 2, 0)),
        ([("a = 1", 3), ("b = a", 4), ("c = b", 9)], ()),  # the order in which they stand
        ([("a = 1", 7), ("b = 2", 3)], ()),  # either order works
        ([("c = b", None), ("a = 1", 1), ("b = a", 2)], ()),  # a cell never ran
        ([("c = b", 2), ("a = 1", 2), ("b = a", 1)], ()),  # two have one number
        ([("c = b", 2), ("a = 1", 3), ("b = a", 1)], ()),  # and that order reads a too early
        ([("def f():\n    return a", 2), ("a = 1", 1), ("b = f()", 3)], ()),  # a function reads its names later
        ([("print(x)", 2), ("", None), ("import x", 1)], (2, 0)),  # an empty cell never runs
        ([("y = len(x)", 2), ("x = [n for n in range(3)]", 1)], (1, 0)),
        ([("print(open)", 2), ("a = 1", 1)], ()),  # no cell binds it
    ],
)
def test_order(cells: list[tuple[str, int | None]], expected: tuple[int, ...]) -> None:
    assert order_of(*cells) == expected
