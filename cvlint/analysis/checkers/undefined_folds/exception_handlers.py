"""Handlers that drop the folds in which a measure fails.

``try: aucs.append(roc_auc_score(y[test], s)) except ValueError: pass``. Event ``skip`` (see `skip_events`): CVL103.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Collection

from cvlint.analysis.checkers.undefined_folds.skip_events import (
    UNDEFINED_WITHOUT_A_CLASS,
    has_fold_axis,
    is_patch_literal,
    record_skip,
)
from cvlint.analysis.domain.axis import Axis
from cvlint.analysis.domain.heap_object import HeapObject
from cvlint.analysis.domain.value import AnyValue, Const, MeasureValue
from cvlint.analysis.state import AnalysisState
from cvlint.analysis.syntax import names_in
from cvlint.source.parsing import walk

DIVISION_ERRORS = frozenset(
    ("ZeroDivisionError", "ArithmeticError", "Exception", "BaseException", "FloatingPointError", "RuntimeWarning")
)


def catches_division(node: ast.Try) -> bool:
    """Whether a handler catches the division by zero of a formula in the body."""
    names = [names_in(h.type) if h.type is not None else {"Exception"} for h in node.handlers]
    return any(DIVISION_ERRORS & found for found in names)


def check_try(state: AnalysisState, node: ast.Try, measured: list[MeasureValue], unset: Collection[str]) -> None:
    """``try: auc = … except ValueError: pass`` in a fold drops the fold, unless ``auc`` was NaN before."""
    in_folds = [
        m
        for m in measured
        if has_fold_axis(m.axes) and m.measure.kind in UNDEFINED_WITHOUT_A_CLASS and keeps_measure(state, node, m)
    ]
    in_folds = [m for m in in_folds if not m.defined]
    if (
        not in_folds
        or is_in_group_loop(state)
        or any(fits_model(state, child) for statement in node.body for child in walk(statement))
    ):
        return
    if state.active_loops and is_search_loop(state, state.active_loops[-1]):
        return  # the handler drops one of the candidates, and no fold
    keeps_nan = any(isinstance(s, ast.Assign) and not names_in(s.targets[0]).isdisjoint(unset) for s in node.body)
    for handler in node.handlers:
        if drops_fold(handler.body, in_folds[0]) and not (keeps_nan and isinstance(handler.body[0], ast.Pass)):
            record_skip(state, node, "try", in_folds[0], in_folds[0].axes)
            return


def drops_fold(body: list[ast.stmt], value: MeasureValue) -> bool:
    """Whether a handler drops the fold, or gives it a value that hides the failure."""
    for statement in body:
        match statement:
            case ast.Pass() | ast.Continue():
                return True
            case ast.Expr() if only_shows(statement) and statement is body[-1]:  # and nothing is kept
                return True
            case ast.Assign(value=ast.Constant(value=int() | float()) | ast.UnaryOp() as constant):
                return is_patch_literal(constant, value)
            case ast.Return(value=ast.Constant(value=int() | float()) as constant):
                return is_patch_literal(constant, value)
            case ast.Expr(value=ast.Call(func=ast.Attribute(attr="append"), args=[argument])):
                return is_patch_literal(argument, value)
            case ast.Raise() | ast.Return():
                return False
            case ast.If():
                if drops_fold(statement.body, value) or drops_fold(statement.orelse, value):
                    return True
    return False


def keeps_measure(state: AnalysisState, node: ast.Try, value: MeasureValue) -> bool:
    """Whether the text of a ``try`` block computes a measure, and does more than show it."""
    line = getattr(value.trace[-1].node, "lineno", 0)
    if any(axis.kind == "batch" for axis in value.axes):
        return False
    for statement in node.body:
        if statement.lineno <= line <= (statement.end_lineno or 0):
            return not only_shows(statement)
    return is_raised_in_call(state, node, value)


def is_raised_in_call(state: AnalysisState, node: ast.Try, value: MeasureValue) -> bool:
    """Whether the body calls a function that measures and does no more: ``try: aucs.append(safe_auc(y, s))``."""
    around = {frame.owner for frame in state.frames}
    called = [owner for owner in value.trace[-1].owners if owner not in around]
    return (
        bool(called)
        and not any(fits_model(state, child) for owner in called for child in walk(owner))
        and any(isinstance(child, ast.Raise) for owner in called for child in walk(owner))
        and not all(only_shows(statement) for statement in node.body)
    )


def only_shows(statement: ast.stmt) -> bool:
    """Whether a statement only prints or logs."""
    match statement:
        case ast.Expr(value=ast.Call(func=ast.Name(id="print"))):
            return True
        case ast.Expr(value=ast.Call(func=ast.Attribute(attr="info" | "debug" | "warning" | "write" | "log"))):
            return True
        case _:
            return False


def fits_model(state: AnalysisState, node: ast.AST) -> bool:
    """Whether a call fits a model: more than a measure can fail then."""
    match node:
        case ast.Call(func=ast.Attribute(attr=name)):
            return name == "fit" or state.knowledge.conforms("training", name)
        case ast.Call(func=ast.Name(id=name)):
            return state.knowledge.conforms("training", name)
        case _:
            return False


def is_search_loop(state: AnalysisState, axis: Axis) -> bool:
    """Whether a loop goes on until it finds something, or tries thresholds."""
    searches = axis.kind != "fold" or axis.is_repetition  # ``while len(seeds) < 10: … train_test_split(…)``
    return (isinstance(axis.step.node, ast.While) and searches) or any(
        state.knowledge.conforms("threshold", n) for n in axis.loop_variables
    )


def is_in_group_loop(state: AnalysisState) -> bool:
    """Whether the innermost loop takes the rows of one group after another, which are neither folds nor classes."""
    inner = state.active_loops[-1] if state.active_loops else None
    if inner is None or inner.kind != "loop" or not inner.compared_column:
        return False
    return not state.knowledge.conforms("truth", inner.compared_column)


def nan_names(state: AnalysisState) -> dict[str, AnyValue]:
    """The names that are bound to NaN, or to a dict with such an entry."""
    return {name: value for name, value in state.environment.bindings.items() if is_nan(value)}


def is_nan(value: AnyValue) -> bool:
    """Whether a value is NaN, or a dict or a row with such an entry."""
    match value:
        case Const(value=float() as number):
            return math.isnan(number)
        case HeapObject():
            return any(isinstance(entry, Const) and is_nan(entry) for entry in value.fields.values())
        case _:
            return False
