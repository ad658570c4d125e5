"""The arguments of a call."""

from __future__ import annotations

import ast

from cvlint.analysis.domain.lattice import UNKNOWN, element
from cvlint.analysis.domain.value import AnyValue, Cell
from cvlint.analysis.state import Arguments, Run
from cvlint.analysis.taint import of_whole


def arguments(run: Run, node: ast.Call) -> Arguments:
    """Evaluate the arguments of a call; ``*known_list`` and ``**known_dict`` are spread out."""
    positional: list[AnyValue] = []
    for arg in node.args:
        value = run.evaluate(run, arg)
        if isinstance(arg, ast.Starred):
            spread = isinstance(value, Cell) and value.rest is None and value.kind in ("list", "tuple")
            positional += value.keyed.values() if spread and isinstance(value, Cell) else [element(value)]
        else:
            positional.append(value)
    keywords: dict[str, AnyValue] = {}
    for keyword in node.keywords:
        value = run.evaluate(run, keyword.value)
        if keyword.arg is not None:
            keywords[keyword.arg] = value
        elif isinstance(value, Cell):
            keywords.update({k: v for k, v in value.keyed.items() if isinstance(k, str)})
    if run.marks:
        run.marks = of_whole(run.marks)
    return positional, keywords


def argument(given: Arguments, index: int, name: str) -> AnyValue | None:
    """An argument by its position or its name."""
    positional, keywords = given
    if name in keywords:
        return keywords[name]
    return positional[index] if index < len(positional) else None


def first(given: Arguments) -> AnyValue:
    """The first argument, however it was given."""
    positional, keywords = given
    return positional[0] if positional else next(iter(keywords.values()), UNKNOWN)
