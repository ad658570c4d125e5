"""What calls of the project's own functions do with rows: parameters get them, and results and arguments keep them."""

from __future__ import annotations

import ast
from functools import reduce

from cvlint.analysis.checkers.rows.arguments import rows_by_name
from cvlint.analysis.checkers.rows.expressions import name_rows, rows_of
from cvlint.analysis.domain.environment import Environment, Function
from cvlint.analysis.domain.rows import RowSet, RowsOf, covers
from cvlint.analysis.state import AnalysisState, Frame
from cvlint.analysis.syntax import names_in, nodes_in

COUNTS_HITS = (ast.Mult, ast.Sub, ast.BitAnd, ast.BitXor, ast.MatMult)
"""The operators of hits: ``(1 - abs(y - p)).sum()``, ``(y * p).sum()``."""


def key_of_rows(state: AnalysisState, code: ast.AST, node: ast.AST) -> tuple[object, ...]:
    """The part of a summary's key that tells the rows of two calls apart, of functions that learn or measure."""
    if not state.rows.is_followed or not isinstance(node, ast.Call):
        return ()
    names, groups = names_in(code), state.knowledge.groups
    if names.isdisjoint(groups["fits-or-measures"]) and names.isdisjoint(groups["learns-by-hand"]):
        return ()
    given = [a for a in (*node.args, *(k.value for k in node.keywords)) if isinstance(a, (ast.Name, ast.Attribute))]
    found = [rows_of(state, argument) for argument in given]
    return tuple((one.rows.found, one.learned, one.fit, state.rows.fits.get(one.rows.found)) for one in found)


def enter_function(state: AnalysisState, function: Function, environment: Environment, node: ast.AST) -> None:
    """Bind the rows of the arguments of a call to the parameters."""
    if not state.rows.is_followed:
        return
    found = rows_by_name(state, function, node)
    for one in found.values():
        if one.fit is not None and not covers(one.fit.rows, one.rows) and may_measure_by_hand(function.node):
            one.fit.is_used_elsewhere = True
    for name, rows in found.items():
        state.rows.held[environment, name] = rows
        name_rows(state, rows.rows, name)


def may_measure_by_hand(code: ast.AST | None) -> bool:
    """Whether code compares or multiplies anything: it may measure predictions in a way that nobody sees."""
    if code is None:
        return False
    return bool(nodes_in(code, ast.Compare)) or any(isinstance(n.op, COUNTS_HITS) for n in nodes_in(code, ast.BinOp))


def leave_function(state: AnalysisState, node: ast.AST, frame: Frame) -> None:
    """Note the rows that a function returns or yields: those that all its statements agree on."""
    if not isinstance(node, ast.Call) or not state.rows.is_followed:
        return
    if frame.yielded_rows:
        state.rows.of_calls[node] = RowsOf(RowSet(), each=reduce(rows_of_either, frame.yielded_rows))
        return
    state.rows.of_calls[node] = reduce(rows_of_either, frame.returned_rows) if frame.returned_rows else RowsOf(RowSet())


def rows_of_either(one: RowsOf, other: RowsOf) -> RowsOf:
    """The rows of one of two results: those that both have, with what either has learned."""
    if len(one.entries) == len(other.entries) > 0:
        entries = tuple(rows_of_either(*both) for both in zip(one.entries, other.entries, strict=True))
        return RowsOf(RowSet(), entries=entries)
    if one.rows.found is not other.rows.found:  # what was fitted to make the one may still be fitted anew elsewhere
        return RowsOf(RowSet()) if bool(one.learned) is bool(other.learned) else one if one.learned else other
    each = one.each if one.each is other.each else None
    return RowsOf(one.rows, one.learned | other.learned, one.fit if one.fit is other.fit else None, each=each)


def forget_call(state: AnalysisState, node: ast.AST) -> None:
    """A function of the project is not executed again: it may have fitted what it was given."""
    if not isinstance(node, ast.Call) or not state.rows.is_followed:
        return
    state.rows.of_calls[node] = RowsOf(RowSet())
    for argument in (*node.args, *(k.value for k in node.keywords)):
        if isinstance(argument, (ast.Name, ast.Attribute, ast.Subscript)):
            found = rows_of(state, argument)
            for fit in (found.fit, state.rows.fits.pop(found.rows.found, None)):
                if fit is not None:
                    fit.is_used_elsewhere = True
