"""Notebooks: all code cells become one text, and lines map back to cells."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cvlint.source.location import Location
from cvlint.source.module import Reading, Source, read_bytes


def read(notebook: object) -> Reading:
    data = notebook if isinstance(notebook, bytes) else json.dumps(notebook).encode()
    return read_bytes(data, Path("a.ipynb"), "a.ipynb")


def code(*sources: Any) -> dict[str, Any]:
    return {"nbformat": 4, "cells": [{"cell_type": "code", "source": source} for source in sources]}


def source_of(notebook: object) -> Source:
    reading = read(notebook)
    assert reading.source is not None, reading.problem
    return reading.source


def names(source: Source) -> dict[str, tuple[int | None, int]]:
    return {node.id: source.locate(node.lineno) for node in ast.walk(source.tree) if isinstance(node, ast.Name)}


def test_cells_are_joined_and_mapped() -> None:
    notebook = code("a = 1\nb = 2\n", "", ["c\n", "d"])
    notebook["cells"].insert(1, {"cell_type": "markdown", "source": "# not (code"})
    source = source_of(notebook)
    assert source.text == "a = 1\nb = 2\n\n\nc\nd"
    assert source.cells == (range(1, 4), range(4, 5), range(5, 7))
    assert names(source) == {"a": (1, 1), "b": (1, 2), "c": (3, 1), "d": (3, 2)}
    d = source.tree.body[-1]
    assert source.location(d) == Location("a.ipynb", 3, 2, 1, 2, 2)


def test_nbformat_3() -> None:
    cells = [
        {"cell_type": "code", "input": ["x = 1\r\n", "y"], "language": "python"},
        {"cell_type": "code", "input": "ls -l |", "language": "bash"},
        {"cell_type": "heading", "source": "z"},
    ]
    source = source_of({"nbformat": 3, "metadata": {"name": ""}, "worksheets": [{"cells": cells}]})
    assert names(source) == {"x": (1, 1), "y": (1, 2)}
    assert source.original == ("x = 1", "y", "ls -l |") or source.original == ("x = 1", "y", "")


def test_magics_stay_in_the_original() -> None:
    source = source_of(
        code("%matplotlib inline\nx = 1", "%%bash\necho (", "%%time\ny = 2", "!ls", "%%unknown\n<p>", "z")
    )
    assert names(source) == {"x": (1, 2), "y": (3, 2), "z": (6, 1)}
    assert source.original[2:4] == ("%%bash", "echo (")


def test_one_bad_cell_does_not_hide_the_others() -> None:
    reading = read(code("a = 1", "x = 1\ny = (", "b"))
    assert reading.source is not None
    assert reading.problem is not None
    assert names(reading.source) == {"a": (1, 1), "x": (2, 1), "b": (3, 1)}
    assert reading.problem.line == 2
    assert reading.problem.message == "not valid Python 3: '(' was never closed in cell 2; what is valid was checked"
    many = read(code("x", *["("] * 6)).problem
    assert many is not None
    assert "in cells 2, 3, 4 and 3 more; what is valid" in many.message


@pytest.mark.parametrize(
    ("cell", "left"),
    [
        ("import os\n@f\ndef g(x):\n    if x:\n        y = 1\n      else:\n        z = 2\nh", {"h": 8}),
        ("a\nfor in b:\n    c\nd\nprint((\n", {"a": 1, "d": 4}),  # two statements are broken
        ("\n".join(["a b"] * 9), {}),  # text
        ("def f(:\n    x", {}),
    ],
)
def test_a_broken_statement_does_not_hide_the_rest_of_its_cell(cell: str, left: dict[str, int]) -> None:
    reading = read(code("before", cell, "after"))
    assert reading.source is not None
    assert reading.problem is not None
    lines = cell.count("\n") + 1
    expected = {"before": (1, 1), **{name: (2, line) for name, line in left.items()}, "after": (3, 1)}
    assert names(reading.source) == expected
    assert reading.source.cells == (range(1, 2), range(2, 2 + lines), range(2 + lines, 3 + lines))
    assert "in cell 2; what is valid was checked" in reading.problem.message


def test_a_notebook_of_one_broken_cell_is_not_checked() -> None:
    problems = [read(code(cell)).problem for cell in ("x = (", "x\ny = (")]
    assert [problem is not None and problem.is_checked for problem in problems] == [False, True]


def test_python_2_and_indented_cells() -> None:
    reading = read(code("a = 1", "\n    %who\n    print a, b", "print(c)"))
    assert reading.source is not None
    assert reading.problem is not None
    assert names(reading.source)["b"] == (2, 3)
    assert "in cell 2; read as Python 2 and checked as such" in reading.problem.message
    b = next(node for node in ast.walk(reading.source.tree) if isinstance(node, ast.Name) and node.id == "b")
    assert reading.source.location(b).line == 3


@pytest.mark.parametrize(
    ("notebook", "message"),
    [
        (b"", "not a notebook: the file is empty"),
        (b'{"cells": [', "not a notebook: its JSON is broken, expecting value"),
        (b"<<<<<<< HEAD", "not a notebook: its JSON is broken"),
        (b"[" * 100_000, "not a notebook: its JSON is broken"),
        (b'{"cells": ' + b"9" * 5000 + b"}", "not a notebook: "),
        (b'{"a": 1}', "not a notebook: the JSON holds no cells"),
        (b'{"cells": 3}', "not a notebook: the JSON holds no cells"),
        (b"[]", "not a notebook: the JSON holds no cells"),
        (b"\xff{}", "not UTF-8 text"),
        (b"version https://git-lfs.github.com/spec/v1\n", "not a notebook: a Git LFS pointer"),
        (
            {"cells": [], "metadata": {"kernelspec": {"language": "R"}}},
            "not checked: the notebook's language is R, not",
        ),
        (
            {"cells": [], "metadata": {"language_info": {"name": "julia"}}},
            "not checked: the notebook's language is julia",
        ),
        ({"cells": [], "metadata": {"kernelspec": {"name": "ir"}}}, "not checked: the notebook's language is R"),
        (code("x = [" + "[" * 300), "not valid Python 3: too many nested parentheses"),
        (code("x" + "+x" * 5000), "too deeply nested to be checked in cell 1"),
        (code("x = 1\n" * 1_000_000), "cannot be read: it is too large: 6.0 MB"),
    ],
)
def test_problems(notebook: object, message: str) -> None:
    problem = read(notebook).problem
    assert problem is not None
    assert problem.message.startswith(message)


@pytest.mark.parametrize("cells", [[], [{"cell_type": "markdown", "source": "x ("}]])
def test_a_notebook_without_code_is_reported(cells: list[object]) -> None:
    reading = read({"cells": cells})
    assert reading.source is None
    assert reading.problem is not None
    assert "no code cells" in reading.problem.message


@pytest.mark.parametrize(
    "notebook",
    [
        {"cells": [{"cell_type": "raw"}, None, 3, {"cell_type": "code"}, {"cell_type": "code", "source": 3}]},
        {**code("x"), "metadata": None},
        {**code("x"), "metadata": {"language_info": {"name": "ipython"}, "kernelspec": 3}},
        code("x = '\ud800'"),
        b"\xef\xbb\xbf" + json.dumps(code("x")).encode(),
    ],
)
def test_odd_notebooks_are_fine(notebook: object) -> None:
    reading = read(notebook)
    assert reading.problem is None
    assert reading.source is not None
    assert reading.source.cells is not None


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.text()
    | st.integers()
    | st.sampled_from(["code", "x = 1", "%%bash", "print x", "("]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["cells", "worksheets", "cell_type", "source", "input", "metadata"]), inner)
    ),
)


@given(
    JSON | st.lists(st.fixed_dictionaries({"cell_type": st.just("code"), "source": JSON})).map(lambda c: {"cells": c})
)
def test_any_json_is_read(value: object) -> None:
    reading = read(value)
    assert reading.source or reading.problem
    if reading.source:
        assert len(reading.source.original) == len(reading.source.lines)
