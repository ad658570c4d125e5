"""A path has another version wherever something may have bound it anew."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from cvlint.rules.bindings import Bindings, paths_in
from cvlint.source.module import read_bytes


def versions(text: str, path: str = "y") -> set[str]:
    """The versions of a path at the calls of ``use`` in a file."""
    source = read_bytes(text.encode(), Path("a.py"), "a.py").source
    assert source is not None
    bindings = Bindings()
    uses = [n for n in ast.walk(source.tree) if isinstance(n, ast.Call) and ast.unparse(n.func) == "use"]
    assert len(uses) == 2
    return {bindings.versioned(source, use, path) for use in uses}


@pytest.mark.parametrize(
    "between",
    ["z = 1", "print(y)", "def f():\n    y = 2", "y.mean()", "z[y] = 1", "other.y = 1"],
)
def test_the_same_value(between: str) -> None:
    assert len(versions(f"y = 1\nuse(y)\n{between}\nuse(y)\n")) == 1


@pytest.mark.parametrize(
    "between",
    [
        "y = 2",
        "y += 1",
        "y[0] = 1",
        "y.append(1)",
        "x, (y, z) = f()",
        "for y in z:\n    pass",
        "with f() as y:\n    pass",
        "if z:\n    y = 3",
        "del y",
    ],
)
def test_another_value(between: str) -> None:
    assert len(versions(f"y = 1\nuse(y)\n{between}\nuse(y)\n")) == 2


@pytest.mark.parametrize(("between", "count"), [("self.y = 1", 2), ("self = 1", 2), ("y = 1", 1), ("self.x = 1", 1)])
def test_attributes(between: str, count: int) -> None:
    assert len(versions(f"use(self.y)\n{between}\nuse(self.y)\n", "self.y")) == count


@pytest.mark.parametrize(
    ("expression", "paths"),
    [
        ("p[:, i]", {"p"}),
        ("np.argmax(p.q, axis=1)", {"np", "p.q"}),
        ("f(a, *b, c=d)", {"a", "b", "d"}),
        ("(a + b.c) > 0.5", {"a", "b.c"}),
    ],
)
def test_paths_that_an_expression_reads(expression: str, paths: set[str]) -> None:
    assert set(paths_in(ast.parse(expression, mode="eval").body)) == paths
