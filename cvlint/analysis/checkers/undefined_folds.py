"""Undefined values: how code drops or patches the folds in which a measure does not exist."""

from __future__ import annotations

import ast
import math
from dataclasses import replace

from cvlint.analysis.checkers.one_class_folds import (
    UNDEFINED_WITHOUT_A_CLASS,
    appends_constant,
    appends_if_both_classes,
    are_one_class_folds_skipped,
    continues_loop,
    has_fold_axis,
    is_patch_literal,
    is_patch_value,
    skip_facts,
    tests_for_both_classes,
)
from cvlint.analysis.domain.axis import Axes, Axis
from cvlint.analysis.domain.heap_object import HeapObject
from cvlint.analysis.domain.lattice import as_array, measures_in, options
from cvlint.analysis.domain.value import AnyValue, Const, Data, MeasureValue
from cvlint.analysis.state import AnalysisState
from cvlint.analysis.syntax import is_same_code, names_in

DIVISION_ERRORS = frozenset(
    ("ZeroDivisionError", "ArithmeticError", "Exception", "BaseException", "FloatingPointError", "RuntimeWarning")
)


def hides_undefined(value: AnyValue | None) -> bool:
    """Whether ``zero_division`` hides undefined values: 1 or NaN."""
    if not isinstance(value, Const) or isinstance(value.value, str):
        return False
    number = value.value
    return isinstance(number, int | float) and (number == 1 or math.isnan(number))


def record_skip(state: AnalysisState, node: ast.AST, how: str, value: MeasureValue, axes: Axes) -> None:
    """Report that undefined values of a measure are dropped or patched along ``axes``.

    On one test set for the models of all folds a measure is undefined always or never.
    """
    if (how in ("nanmean", "dropna") and are_one_class_folds_skipped(state, axes)) or is_in_callback(state, axes):
        return
    if not has_fold_axis(axes) or has_fold_axis(axes - value.fixed):
        state.emit("skip", node, value.measure, axes - value.fixed, value.trace, **skip_facts(how, axes))


def is_in_callback(state: AnalysisState, axes: Axes) -> bool:
    """Whether this is in a function that a loop over folds only defines and hands on, an objective to be minimised."""
    frame = state.frames[-1]
    inner = frame.environment.parent is not None and frame.environment.parent.parent is not None
    return inner and not isinstance(frame.call, ast.Call) and bool(axes) and axes <= frame.call_loops


def check_zero_division(
    state: AnalysisState, given: AnyValue | None, value: MeasureValue, node: ast.AST
) -> MeasureValue:
    """``zero_division=1`` or NaN in a fold: an undefined value counts as perfect, or is dropped; 0 defines it."""
    if hides_undefined(given) and has_fold_axis(value.axes):
        record_skip(state, node, "zero-division", value, value.axes)
    return replace(value, defined=True) if is_zero(given) else value


def is_zero(value: AnyValue | None) -> bool:
    """Whether a value is the number 0."""
    return isinstance(value, Const) and isinstance(value.value, int | float) and value.value == 0


def catches_division(node: ast.Try) -> bool:
    """Whether a handler catches the division by zero of a formula in the body."""
    names = [names_in(h.type) if h.type is not None else {"Exception"} for h in node.handlers]
    return any(DIVISION_ERRORS & found for found in names)


def check_try(state: AnalysisState, node: ast.Try, made: list[MeasureValue], unset: frozenset[str]) -> None:
    """``try: auc = …; except ValueError: pass`` in a fold: the fold is dropped, unless ``auc`` was NaN before."""
    within = [
        m
        for m in made
        if has_fold_axis(m.axes) and m.measure.kind in UNDEFINED_WITHOUT_A_CLASS and keeps_measure(node, m)
    ]
    within = [m for m in within if not m.defined]
    if (
        not within
        or is_in_group_loop(state)
        or any(fits_model(state, child) for statement in node.body for child in ast.walk(statement))
    ):
        return
    if state.active_loops and is_search_loop(state, state.active_loops[-1]):
        return  # what is passed over is one of the things tried, and no fold
    stays = any(isinstance(s, ast.Assign) and names_in(s.targets[0]) & unset for s in node.body)
    for handler in node.handlers:
        if drops_fold(handler.body, within[0]) and not (stays and isinstance(handler.body[0], ast.Pass)):
            record_skip(state, node, "try", within[0], within[0].axes)
            return


def is_search_loop(state: AnalysisState, axis: Axis) -> bool:
    """Whether a loop goes on until something is found, or tries thresholds."""
    return isinstance(axis.step.node, ast.While) or any(
        state.knowledge.conforms("threshold", n) for n in axis.loop_variables
    )


def nan_names(state: AnalysisState) -> frozenset[str]:
    """The names that are bound to NaN, or to a dict with an entry that is."""
    return frozenset(name for name, value in state.environment.bindings.items() if is_nan(value))


def is_nan(value: AnyValue) -> bool:
    """Whether a value is NaN, or a dict or a row with such an entry."""
    match value:
        case Const(value=float() as number):
            return math.isnan(number)
        case HeapObject():
            return any(isinstance(entry, Const) and is_nan(entry) for entry in value.fields.values())
        case _:
            return False


def is_in_group_loop(state: AnalysisState) -> bool:
    """Whether the innermost loop takes the rows of one group after another (not of one class), which are no folds."""
    inner = state.active_loops[-1] if state.active_loops else None
    if inner is None or inner.kind != "loop" or not inner.compared_column:
        return False
    return not state.knowledge.conforms("truth", inner.compared_column)


def keeps_measure(node: ast.Try, value: MeasureValue) -> bool:
    """Whether a measure is computed in the text of a try block, not in what it calls, and more than shown there."""
    line = getattr(value.trace[-1].node, "lineno", 0)
    if any(axis.kind == "batch" for axis in value.axes):
        return False
    for statement in node.body:
        if statement.lineno <= line <= (statement.end_lineno or 0):
            return not only_shows(statement)
    return False


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
    """Whether a model is fitted: then more than a measure can fail here."""
    match node:
        case ast.Call(func=ast.Attribute(attr=name)):
            return name == "fit" or state.knowledge.conforms("training", name)
        case ast.Call(func=ast.Name(id=name)):
            return state.knowledge.conforms("training", name)
        case _:
            return False


def drops_fold(body: list[ast.stmt], value: MeasureValue) -> bool:
    """Whether a handler drops the fold, or gives it a value of its own."""
    for statement in body:
        match statement:
            case ast.Pass() | ast.Continue():
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


def check_if(state: AnalysisState, node: ast.If, test: AnyValue) -> None:
    """``if not isnan(auc): aucs.append(auc)`` and ``if len(unique(y[test])) < 2: continue`` in a fold."""
    value = measure_under_test(state, node.test)
    if value is not None and not value.defined and has_fold_axis(value.axes) and filters_folds(state, node, value):
        record_skip(state, node.test, "filter", value, value.axes)
        return
    dropped_here = continues_loop(node) or appends_constant(node) or appends_if_both_classes(state, node)
    if (
        state.active_loops
        and state.active_loops[-1].kind == "fold"
        and dropped_here
        and tests_for_both_classes(state, node.test)
    ):
        axis = state.active_loops[-1]
        state.unresolved_one_class_tests.append((state.environment.module, node.test, frozenset((axis,))))


def filters_folds(state: AnalysisState, node: ast.If, value: MeasureValue) -> bool:
    """Whether a branch keeps only what is defined (append), or leaves out what is not (continue), along folds."""
    for statement in node.body:
        match statement:
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=receiver, attr="append" | "add" | "extend"))):
                born = frozenset().union(
                    *(v.allocation_loops for v in options(state.evaluate(state, receiver)) if isinstance(v, HeapObject))
                )
                if has_fold_axis(value.axes - born):
                    return True
            case ast.AugAssign(op=ast.Add()):
                return True
    return continues_loop(node) and any(keeps_value(later) for later in statements_after(state, node))


def statements_after(state: AnalysisState, node: ast.stmt) -> list[ast.stmt]:
    """What comes after a statement in its block."""
    for parent in ast.walk(state.frame.node):
        for block in (getattr(parent, name, None) for name in ("body", "orelse", "finalbody")):
            if isinstance(block, list) and node in block:
                return block[block.index(node) + 1 :]
    return []


def keeps_value(statement: ast.stmt) -> bool:
    """Whether a statement may keep a value: by an append, a sum, or a name."""
    for child in ast.walk(statement):
        match child:
            case ast.AugAssign() | ast.Assign() | ast.Return() | ast.Yield():
                return True
            case ast.Call(func=ast.Attribute(attr="append" | "add" | "extend" | "update")):
                return True
    return False


def check_conditional_expression(state: AnalysisState, node: ast.IfExp, body: AnyValue, orelse: AnyValue) -> None:
    """``auc if y[test].any() else 1.0``: the fold without positives is given a value."""
    for value, other in ((body, orelse), (orelse, body)):
        if (
            not isinstance(value, MeasureValue)
            or not isinstance(other, Const)
            or not isinstance(other.value, int | float)
        ):
            continue
        if (
            is_patch_value(other.value, value)
            and has_fold_axis(value.axes)
            and tests_for_both_classes(state, node.test)
        ):
            record_skip(state, node, "filter", value, value.axes)


def defined_beside_zero(values: list[AnyValue]) -> list[AnyValue]:
    """The arms of a conditional; a measure beside a 0 is defined everywhere."""
    if not any(isinstance(v, Const) and isinstance(v.value, int | float) and v.value == 0 for v in values):
        return values
    return [replace(v, defined=True) if isinstance(v, MeasureValue) else v for v in values]


def likely_undefined(value: AnyValue) -> MeasureValue | None:
    """Of several measures the one that can be NaN: AUC is in scikit-learn, F is not."""
    found = list(measures_in(value))
    return next((m for m in found if m.measure.kind in ("roc-auc", "average-precision")), found[0] if found else None)


def measure_under_test(state: AnalysisState, test: ast.expr) -> MeasureValue | None:
    """The measure that a test asks to be defined: ``not np.isnan(auc)``, ``auc == auc``, ``f1 > 0``."""
    for child in ast.walk(test):
        match child:
            case ast.Call(
                func=ast.Attribute(attr="isnan" | "isfinite" | "isnull" | "notnull" | "isna" | "notna")
                | ast.Name(id="isnan" | "isfinite"),
                args=[inner, *_],
            ):
                return likely_undefined(state.evaluate(state, inner))
            case ast.Compare(left=left, ops=[ast.Eq() | ast.NotEq()], comparators=[right]) if is_same_code(left, right):
                for value in measures_in(state.evaluate(state, left)):
                    return value
            case ast.Compare(
                left=left,
                ops=[ast.Eq() | ast.NotEq() | ast.IsNot() | ast.Is()],
                comparators=[ast.Constant(value=0 | 0.0)],
            ):
                for value in measures_in(state.evaluate(state, left)):
                    return value
    return None


def skips_fold(state: AnalysisState, node: ast.If) -> bool:
    """Whether a branch goes on with the next fold and keeps nothing of this one, but for what it shows."""
    if not state.active_loops or state.active_loops[-1].kind != "fold":
        return False
    shows = all(isinstance(s, ast.Expr) and "append" not in names_in(s) for s in node.body[:-1])
    return continues_loop(node) and shows


def corrects_tested_name(node: ast.If) -> bool:
    """Whether a branch only mends what its test found: ``if n == 0: n = 1``."""
    tested = names_in(node.test)
    for statement in node.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AugAssign(target=ast.Name(id=name)) if name in tested:
                return True
    return False


def check_comprehension_filter(state: AnalysisState, test: ast.expr, axes: Axes) -> None:
    """``[x for x in aucs if not isnan(x)]``: the undefined folds are left out."""
    found = measure_under_test(state, test)
    if (
        found is not None
        and not found.defined
        and has_fold_axis(found.axes & axes)
        and not are_one_class_folds_skipped(state, axes)
    ):
        state.excuse_undefined(found)
        record_skip(state, test, "filter", found, found.axes)


def check_mask(state: AnalysisState, value: AnyValue, key: AnyValue, node: ast.AST) -> None:
    """``aucs[~np.isnan(aucs)]``."""
    if isinstance(key, Data) and key.codomain == "nan-mask":
        check_dropped(state, value, node, "filter")


def check_dropped(state: AnalysisState, value: AnyValue, node: ast.AST, how: str = "dropna") -> None:
    """``frame.dropna()`` of values along folds."""
    for found in measures_in(value):
        axes = frozenset().union(*found.along)
        if has_fold_axis(axes) and not found.defined:
            record_skip(state, node, how, found, axes)
            return


def check_where(state: AnalysisState, values: list[AnyValue], node: ast.AST) -> None:
    """``np.where(np.isnan(x), 0, x)``: undefined values get one."""
    if any(isinstance(v, Data) and v.codomain in ("nan-mask", "mask") for v in options(values[0])):
        for value in values[1:]:
            state.excuse_undefined(value)


def check_masked_store(state: AnalysisState, base: AnyValue, key: AnyValue, node: ast.AST) -> None:
    """``f1[np.isnan(f1)] = 0``: undefined values get one."""
    if isinstance(key, Data) and key.codomain == "nan-mask":
        state.excuse_undefined(base if not isinstance(base, HeapObject) else as_array(base))
