"""Curves that only serve to choose a threshold."""

from __future__ import annotations

import ast

from cvlint.flow.run import Run
from cvlint.flow.values import Library
from cvlint.knowledge import Entry

ARITHMETIC = frozenset({"zip", "len", "enumerate", "range", "max", "min", "abs"})


def only_chooses(run: Run, entry: Entry, node: ast.AST) -> bool:
    """Whether a curve is made to pick one of its thresholds, and neither shown nor measured nor kept."""
    parts = targets_of(run, node)
    if "thresholds" not in entry.facts.get("parts", ()) or len(parts) != len(entry.facts["parts"]):
        return False
    cuts = {name for name, part in zip(parts, entry.facts["parts"], strict=True) if part == "thresholds"}
    points = set(parts) - cuts - {"_"}
    chosen = False
    for child in ast.walk(run.frame.node):
        match child:
            case ast.Subscript(value=ast.Name(id=name), ctx=ast.Load()) if name in cuts:
                chosen = True
            case ast.Return(value=ast.expr() as value) if is_kept(value, points):
                return False
            case ast.Dict() if is_kept(child, points):
                return False
            case ast.Call() if is_shown(run, child, points):
                return False
    return chosen


def targets_of(run: Run, node: ast.AST) -> list[str]:
    """The names that the parts of what a call returns are bound to."""
    for child in ast.walk(run.frame.node):
        match child:
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


def is_shown(run: Run, node: ast.Call, points: set[str]) -> bool:
    """Whether a call draws the coordinates, keeps them, or takes the area under them; arithmetic does not."""
    given = [*node.args, *(keyword.value for keyword in node.keywords)]
    if not any(is_kept(argument, points) for argument in given):
        return False
    if isinstance(node.func, ast.Name) and node.func.id in ARITHMETIC:
        return False
    target = run.evaluate(run, node.func)
    entry = run.knowledge.entry(target.name) if isinstance(target, Library) else None
    arithmetic = isinstance(target, Library) and target.name.startswith("numpy.")
    return not arithmetic or (entry is not None and entry.effect == "area")
