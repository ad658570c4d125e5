"""f-strings of Python 3.12 and t-strings of 3.14 are parsed under older Pythons too, with the same positions."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cvlint.source.dialects.fstrings import with_tuples
from cvlint.source.module import read_bytes

NEW = {
    "same quotes": 'x = f"{row["f1"]:.3f}"\n',
    "a call inside": 'print(f"folds {", ".join(names)}", end="")\n',
    "backslash": 'print(f"{"\\n".join(names)}")\n',
    "comment": 'x = f"""{\n  # which\n  name}"""\n',
    "nested": 'x = f"{f"{f"{name}"}"}"\n',
    "joined": 'x = "a" f"{d["a"]}" "b"\n',
    "two, the second with a text in it": 'x = (f"{d["a"]}"\n     f"{", ".join(names)}" "b")\n',
    "conversion and width": 'x = f"{d["a"]!r:>{w["b"]}}"\n',
    "parentheses": 'x = f"{( (q for q in d["a"]) )}"\n',
    "self-documenting": 'x = f"{d["a"]=}"\n',
    "beside an older one": 'x = f\'é{name}\' + f"{d["a"]}"\n',
    "t-string": "x = t'F1 {mean(scores):.3f} {row!r}'\n",
    "raw t-string, nested": "x = Rt\"{t'{a}'}{b}\"\n",
    "below a magic": '%matplotlib inline\nx = f"{d["a"]}"\n',
}


def names(tree: ast.AST) -> set[tuple[str, int, int]]:
    return {(n.id, n.lineno, n.col_offset) for n in ast.walk(tree) if isinstance(n, ast.Name)}


@pytest.mark.parametrize("text", NEW.values(), ids=NEW)
def test_newer_fstrings_are_read(text: str) -> None:
    reading = read_bytes(text.encode(), Path("a.py"), "a.py")
    assert reading.source is not None, reading.problem
    found = names(reading.source.tree)
    assert len(found) > 1
    kinds = {type(node).__name__ for node in ast.walk(reading.source.tree)}
    assert kinds.isdisjoint({"TemplateStr", "Interpolation"})  # since Python 3.14: they are read as f-strings
    for name, line, column in found:
        before = reading.source.lines[line - 1].encode()[:column].decode()  # Python counts columns in bytes
        assert text.split("\n")[line - 1][len(before) :].startswith(name)


EXPRESSIONS = st.recursive(
    st.sampled_from(["a", "b.c", "(d)", "e[0]", "len(g)"]),
    lambda inner: st.one_of(
        inner.map(lambda e: f"f'{{{e}}}'"),
        inner.map(lambda e: f'f"x{{{e}:>{{w}}}}"'),
        st.tuples(inner, inner).map(lambda pair: f"{pair[0]} + {pair[1]}"),
        st.tuples(inner, inner).map(lambda pair: f"f'{{{pair[0]}!r}}' 'y' f\"{{{pair[1]}}}\""),
    ),
    max_leaves=6,
)


@given(EXPRESSIONS)
def test_names_keep_their_positions(expression: str) -> None:
    text = f"x = ({expression})\nz = 1\n"
    rewritten = with_tuples(text)
    assert len(rewritten) == len(text)
    for name, line, column in names(ast.parse(rewritten)):
        assert text.split("\n")[line - 1][column:].startswith(name)
    assert {n for n, _, _ in names(ast.parse(rewritten))} - {"x", "z"} == {
        n for n in ("a", "b", "d", "e", "len", "g", "w") if n in split(expression)
    }


def split(text: str) -> set[str]:
    return set("".join(c if c.isalnum() else " " for c in text).split())


def test_text_that_is_not_any_python_stays_a_problem() -> None:
    reading = read_bytes(b'x = f"{a["\n', Path("a.py"), "a.py")
    assert reading.source is None
    assert reading.problem is not None
    assert "not valid Python 3" in reading.problem.message
