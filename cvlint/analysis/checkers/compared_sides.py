"""The sides of a test that may choose the best: which results it compares, and where the best of them may be kept.

``if f1 > best``, ``if auc > best + 1e-4``, ``if row.get("f1", 0) > best.get("f1", 0)``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from cvlint.analysis.domain.lattice import measures_in
from cvlint.analysis.state import AnalysisState
from cvlint.analysis.taint import taint_at

ORDERS = (ast.Gt, ast.GtE, ast.Lt, ast.LtE)


def order_comparisons(
    state: AnalysisState, test: ast.expr, depth: int, holds: bool = True
) -> Iterator[tuple[ast.Compare, bool]]:
    """The order comparisons in a test, and whether they hold where the test does.

    A name stands for the test that it was bound to.
    """
    match test:
        case ast.BoolOp(values=values):
            for value in values:
                yield from order_comparisons(state, value, depth, holds)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield from order_comparisons(state, operand, depth, not holds)
        case ast.NamedExpr(value=operand):
            yield from order_comparisons(state, operand, depth, holds)
        case ast.Compare(ops=[op], comparators=[_]) if isinstance(op, ORDERS):
            yield test, holds
        case ast.Name(id=name) if depth and (definition := state.environment.definitions.get(name)) is not None:
            if isinstance(definition, (ast.Compare, ast.BoolOp, ast.UnaryOp)):
                yield from order_comparisons(state, definition, depth - 1, holds)


def sides_without_margin(state: AnalysisState, compare: ast.Compare) -> tuple[ast.expr, ast.expr]:
    """What a test compares where it asks for a least gain: ``auc > best + 1e-4``, ``auc - best > min_delta``."""
    match compare:
        case ast.Compare(left=ast.BinOp(left=new, op=ast.Sub(), right=best), comparators=[margin]) if is_location(
            best
        ) and not is_measured(state, margin):
            return new, best
        case _:
            return without_margin(state, compare.left), without_margin(state, compare.comparators[0])


def without_margin(state: AnalysisState, node: ast.expr) -> ast.expr:
    """A location to which a number is added that is no result."""
    match node:
        case ast.BinOp(left=place, op=ast.Add() | ast.Sub(), right=margin) if is_location(place) and not is_measured(
            state, margin
        ):
            return place
        case _:
            return node


def entry_read(state: AnalysisState, node: ast.expr) -> ast.expr:
    """The entry that a side of a test reads: ``best["f1"]`` for ``best.get("f1", 0)`` and for ``best["f1"] or 0``.

    A name stands for what it was bound to; an expression that reads no entry stands for itself.
    """
    read = state.environment.definitions.get(node.id) if isinstance(node, ast.Name) else node
    if isinstance(read, ast.BoolOp) and isinstance(read.op, ast.Or) and isinstance(read.values[-1], ast.Constant):
        read = read.values[0]
    match read:
        case ast.Call(func=ast.Attribute(value=base, attr=name), args=[key, *_]) if is_location(base):
            entry = state.knowledge.methods.get(name)
            is_get = entry is not None and entry.effect == "get"
            return ast.copy_location(ast.Subscript(base, key, ast.Load()), read) if is_get else node
        case ast.Attribute() | ast.Subscript() if is_location(read):
            return read
        case _:
            return node


def is_location(node: ast.expr) -> bool:
    """Whether an expression is a variable, an attribute or an entry, which can be read again without harm."""
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    return isinstance(node, ast.Name)


def is_measured(state: AnalysisState, node: ast.expr) -> bool:
    """Whether an expression holds a result."""
    return bool(
        measures_in(state.evaluate(state, node)) or any(label.kind == "measured" for label in taint_at(state, node))
    )


def is_size(state: AnalysisState, node: ast.expr) -> bool:
    """Whether an expression is a number of entries, which positions are compared with: ``best < len(thresholds)``."""
    match node:
        case ast.BinOp(left=operand, right=ast.Constant()) | ast.Subscript(value=operand):
            return is_size(state, operand)
        case ast.Call(func=ast.Name(id=name)) | ast.Attribute(attr=name):
            return state.knowledge.conforms("ends-size", name)
        case _:
            return False
