"""Which argument of a call a parameter gets, as far as the code says it."""

from __future__ import annotations

import ast

import pytest

from cvlint.analysis.syntax import argument_at


@pytest.mark.parametrize(
    ("call", "name", "given"),
    [
        ("f(a, b)", "x", "a"),
        ("f(b, x=a)", "x", "a"),
        ("f(a, *rest)", "x", "a"),
        ("f(a, **named)", "x", "a"),
        ("f(*rest, a)", "x", None),
        ("f(a, *rest)", "y", None),  # the first of them may be it
        ("f(a)", "y", "2"),
        ("f(a, **named)", "y", None),
    ],
)
def test_arguments(call: str, name: str, given: str | None) -> None:
    code = ast.parse("def f(x, y=2): ...").body[0]
    found = argument_at(code, ast.parse(call, mode="eval").body, name)
    assert (None if found is None else ast.unparse(found)) == given


def test_a_lambda_that_something_else_calls() -> None:
    code = ast.parse("lambda x: x.mean()", mode="eval").body
    assert argument_at(code, ast.parse("map(f, rows)", mode="eval").body, "x") is None
    given = argument_at(code, ast.parse("f(rows, *more)", mode="eval").body, "x")
    assert given is not None and ast.unparse(given) == "rows"
