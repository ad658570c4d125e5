"""Curves that only serve to choose a threshold."""

from __future__ import annotations

import ast

from cvlint.analysis.domain.value import LibraryName
from cvlint.analysis.state import AnalysisState
from cvlint.analysis.syntax import nodes_in
from cvlint.knowledge.schema import Entry

ARITHMETIC = frozenset({"zip", "len", "enumerate", "range", "max", "min", "abs"})


def only_chooses(state: AnalysisState, entry: Entry, node: ast.AST) -> bool:
    """Whether a curve is made to pick one of its thresholds, and neither shown nor measured nor kept."""
    parts = targets_of(state, node)
    if "thresholds" not in entry.facts.get("parts", ()) or len(parts) != len(entry.facts["parts"]):
        return False
    cuts = {name for name, part in zip(parts, entry.facts["parts"], strict=True) if part == "thresholds"}
    points = set(parts) - cuts - {"_"}
    function = state.frame.node
    read = (s.value for s in nodes_in(function, ast.Subscript) if isinstance(s.ctx, ast.Load))
    if not any(isinstance(value, ast.Name) and value.id in cuts for value in read):
        return False
    given = [*(r.value for r in nodes_in(function, ast.Return) if r.value), *nodes_in(function, ast.Dict)]
    shown = any(is_shown(state, called, points) for called in nodes_in(function, ast.Call))
    return not shown and not any(is_kept(value, points) for value in given)


def targets_of(state: AnalysisState, node: ast.AST) -> list[str]:
    """The names that the parts of what a call returns are bound to."""
    for assignment in nodes_in(state.frame.node, ast.Assign):
        match assignment:
            case ast.Assign(targets=[ast.Tuple(elts=elements)], value=value) if value is node:
                return [e.id if isinstance(e, ast.Name) else "" for e in elements]
    return []


def is_kept(node: ast.expr, points: set[str]) -> bool:
    """Whether the coordinates themselves, and not one of their points, are part of what is given away."""
    match node:
        case ast.Name(id=name):
            return name in points
        case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Dict(values=parts):
            return any(is_kept(part, points) for part in parts)
        case ast.Call(func=ast.Attribute(value=inner)):
            return is_kept(inner, points)
        case _:
            return False


def is_shown(state: AnalysisState, node: ast.Call, points: set[str]) -> bool:
    """Whether a call draws the coordinates, keeps them, or takes the area under them; arithmetic does not."""
    given = [*node.args, *(keyword.value for keyword in node.keywords)]
    if not any(is_kept(argument, points) for argument in given):
        return False
    if isinstance(node.func, ast.Name) and node.func.id in ARITHMETIC:
        return False
    target = state.evaluate(state, node.func)
    entry = state.knowledge.entry(target.name) if isinstance(target, LibraryName) else None
    arithmetic = isinstance(target, LibraryName) and target.name.startswith("numpy.")
    return not arithmetic or (entry is not None and entry.effect == "area")
