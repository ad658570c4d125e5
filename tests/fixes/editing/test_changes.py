"""Whether an expression has the same value at two places."""

from __future__ import annotations

import ast
from pathlib import Path

import libcst as cst
import pytest

from cvlint.fixes.editing.changes import sharing, unchanged, unshared
from cvlint.fixes.editing.syntax import Code
from cvlint.source.module import Source, read_bytes

HEAD = "import numpy as np\nfrom sklearn.metrics import f1_score\nfrom data import X, y\nZ = load()\nlevel = 0.5\n"


def code_of(text: str) -> Code:
    ast.parse(text)
    source = read_bytes(text.encode(), Path("a.py"), "a.py").source
    assert isinstance(source, Source)
    return Code(source)


def between(line: str, value: str, *, binding: bool = True, after: str = "") -> bool:
    """Whether a value is unchanged by a line, or, without ``binding``, only read by it."""
    code = code_of(f"{HEAD}begin({value})\n{line}\n{after}")
    call = next(node for node in code.named("begin"))
    node = code.parent(call)
    assert isinstance(node, cst.Call)
    end = code.source.text.index(line, code.span(node)[1]) + len(line)
    return (unchanged if binding else unshared)(code, node.args[0].value, code.span(node)[1], end)


READING = [
    "print(X, f'{X.shape} {y!r}', len(y))",
    "part = X[rows]",
    "part = y[y == 1]",
    "total = X.sum() + y.mean() * 2",
    "model.fit(X, y); guess = model.predict(X)",
    "a, b, c, d = np.unique(y), f1_score(y, y), np.concatenate([a, b]), y > 1",
    "other[X] = 1",
    "both = X + y\nif y is None: pass",
    "X_copy = X.copy()",
    "def other(X):\n    X[0] = 1",
    "names = [value for value in Z]",
]
CHANGING = [
    "X = 1",
    "y += 1",
    "del X",
    "for X in Z: pass",
    "with open() as y: pass",
    "import X",
    "X[0] = 1",
    "X[:, 1] += 1",
    "y.flags.writeable = True",
    "del X[0]",
    "X.sort()",
    "y.values.fill(0)",
    "np.random.shuffle(X)",
    "rng.shuffle(y)",
    "np.add(X, 1, out=X)",
    "scale(X)",
    "kept.append(y)",
    "alias = X",
    "view = X[:, 1:]",
    "flat = np.ravel(X)",
    "table = {'X': X}",
    "setattr(X, 'a', 1)",
    "(a, y) = 1, 2",
    "if (y := 1): pass",
]


@pytest.mark.parametrize("line", READING)
def test_reading(line: str) -> None:
    assert between(line, "(X, y)")


@pytest.mark.parametrize("line", CHANGING)
def test_changing(line: str) -> None:
    assert not between(line, "(X, y)")
    assert between(line, "Z") or "Z" in line


@pytest.mark.parametrize(("line", "alone"), [("X = 1", True), ("X += 1", False), ("X[0] = 1", False), ("del X", True)])
def test_only_read(line: str, alone: bool) -> None:
    assert between(line, "X", binding=False) is alone


def test_what_cannot_be_changed_in_place() -> None:
    assert between("run(level, np, f1_score)", "f1_score(level, np.nan)")
    assert not between("level = 1", "level")


@pytest.mark.parametrize(("body", "same"), [("X[0] = 1", False), ("print(X)", True), ("X = 1; X[0] = 1", True)])
def test_functions_elsewhere(body: str, same: bool) -> None:
    assert between("call()", "X", after=f"def call():\n    {body}\n") is same


@pytest.mark.parametrize(
    ("value", "name"),
    [
        ("a", "a"),
        ("a[rows]", None),
        ("a[1:]", "a"),
        ("a.values", "a"),
        ("a.shape", None),
        ("a.T[:, 1].ravel()", "a"),
        ("np.asarray(a[2:])", "a"),
        ("np.sort(a)", None),
        ("model.predict(a)", None),
        ("a + b", None),
    ],
)
def test_sharing(value: str, name: str | None) -> None:
    code = code_of(f"import numpy as np\nbegin({value})\n")
    call = code.parent(code.named("begin")[0])
    assert isinstance(call, cst.Call)
    shared = sharing(code, call.args[0].value)
    assert (shared.value if shared is not None else None) == name
