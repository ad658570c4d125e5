"""Two places of a function stand apart where only one of them runs in a pass."""

from __future__ import annotations

import ast

import pytest

from cvlint.analysis.arms import are_apart

APART = [
    "if kind:\n    one()\nelse:\n    two()",
    "if kind == 1:\n    one()\nelif kind == 2:\n    two()",
    "if kind:\n    x = 1\n    if x:\n        one()\nelse:\n    two()",
    "if kind:\n    return one()\nreturn two()",
    "if kind:\n    with lock:\n        return one()\ntwo()",
    "for x in xs:\n    if x:\n        one()\n        continue\n    two()",
    "match kind:\n    case 1:\n        one()\n    case _:\n        two()",
    "return one() if kind else two()",
    "x = two() if kind else one()",
    "if a:\n    raise ValueError(one())\ntwo()",
]
TOGETHER = [
    "one()\ntwo()",
    "if kind:\n    one()\ntwo()",
    "if kind:\n    one()\n    two()",
    "if one():\n    two()",
    "if one():\n    return\ntwo()",
    "for x in xs:\n    one()\ntwo()",
    "while a:\n    if b:\n        one()\n        break\n    c()\ntwo()",
    "try:\n    one()\nexcept ValueError:\n    two()",
    "with a:\n    one()\ntwo()",
    "x = (one(), two())",
    "if a:\n    one()\nif b:\n    two()",
]


def calls(body: str) -> tuple[ast.AST, ast.AST, ast.AST]:
    lines = "\n".join("    " + line for line in body.splitlines())
    function = ast.parse(f"def f(a, b, kind, xs):\n{lines}\n").body[0]
    named = {n.func.id: n for n in ast.walk(function) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)}
    return function, named["one"], named["two"]


@pytest.mark.parametrize("body", APART)
def test_arms_of_a_branch_are_apart(body: str) -> None:
    function, one, two = calls(body)
    assert are_apart(function, one, two)
    assert are_apart(function, two, one)


@pytest.mark.parametrize("body", TOGETHER)
def test_what_may_run_in_one_pass_is_not_apart(body: str) -> None:
    function, one, two = calls(body)
    assert not are_apart(function, one, two)
    assert not are_apart(function, two, one)


def test_nodes_of_other_functions_are_not_apart() -> None:
    function, one, _ = calls("if kind:\n    one()\nelse:\n    two()")
    elsewhere = ast.parse("\n" * 50 + "three()").body[0]
    assert not are_apart(function, one, elsewhere)
