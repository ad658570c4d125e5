"""Code in the magics of exported notebooks is read as code, with the places of its text in the line."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from cvlint.source.module import read_bytes
from cvlint.source.parsing import walk

BEFORE = "import x\n"


def tree_of(text: str) -> ast.Module:
    source = read_bytes((BEFORE + text).encode(), Path("exported.py"), "exported.py").source
    assert source is not None
    return source.tree


def names(tree: ast.Module) -> list[str]:
    return [node.id for node in walk(tree) if isinstance(node, ast.Name)]


def exported(magic: str, code: str) -> str:
    return f"get_ipython().run_cell_magic({magic!r}, '', {code!r})\n"


@pytest.mark.parametrize(
    "code", ["first = 1\nsecond = 2\n", 'first = "é"\nif first:\n    second = "\\\\"\n', "first = second"]
)
@pytest.mark.parametrize("magic", ["time", "timeit", "capture"])
def test_nodes_stand_where_their_text_stands(magic: str, code: str) -> None:
    text = exported(magic, code)
    tree = tree_of(text)
    line = text.rstrip("\n").encode()
    for name in ("first", "second"):
        node = next(n for n in walk(tree) if isinstance(n, ast.Name) and n.id == name)
        assert node.lineno == node.end_lineno == 2
        assert line[node.col_offset : node.end_col_offset] == name.encode()


def test_a_line_magic_that_runs_code() -> None:
    assert sorted(names(tree_of("get_ipython().run_line_magic('time', 'model.fit(X, y)')\n"))) == ["X", "model", "y"]


def test_magics_within_the_code_are_left_out() -> None:
    assert "kept" in names(tree_of(exported("time", "%matplotlib inline\nkept = 1\n!ls\n")))


@pytest.mark.parametrize(
    "text",
    [
        exported("bash", "ls = 1"),
        exported("time", "def broken(:"),
        "get_ipython().run_line_magic('load_ext', 'autoreload')\n",
        "other().run_cell_magic('time', '', 'kept = 1')\n",
        "get_ipython().run_cell_magic('time', '', '''kept = 1\nlater = 2''')\n",
        exported("time", "f'" + "{x}" * 60_000 + "'"),
    ],
)
def test_other_calls_stay_calls(text: str) -> None:
    (_, statement) = tree_of(text).body
    assert isinstance(statement, ast.Expr)
    assert isinstance(statement.value, ast.Call)
