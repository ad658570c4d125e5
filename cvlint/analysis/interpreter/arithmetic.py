"""Arithmetic on values: sums over loops, the divisions that turn them into means, and comparisons."""

from __future__ import annotations

import ast

from cvlint.analysis.checkers.averages import numbered_axis, numbered_names
from cvlint.analysis.checkers.comparisons import check_side_by_side
from cvlint.analysis.checkers.formulas.areas import area_of_product, relabelled
from cvlint.analysis.checkers.formulas.hand_written import f_of_counts, measure_of_division
from cvlint.analysis.checkers.formulas.terms import last_name
from cvlint.analysis.checkers.left_out import note_rest
from cvlint.analysis.checkers.own_measures import label_computed
from cvlint.analysis.checkers.selections import as_loss, measured_in
from cvlint.analysis.checkers.sweeps import differing, note_comparison, note_count
from cvlint.analysis.checkers.undefined_folds.stratification import check_stratification_of_formula
from cvlint.analysis.domain.axis import NO_AXES
from cvlint.analysis.domain.codomain import BOOL, BOTTOM, NUMBER, REAL, TOP, arithmetic
from cvlint.analysis.domain.frozen import replace
from cvlint.analysis.domain.heap_object import HeapObject, Instance
from cvlint.analysis.domain.lattice import (
    MOST_LEVELS,
    as_array,
    codomain_of,
    join,
    measures_in,
    options,
    pooled_axes,
)
from cvlint.analysis.domain.value import CALIBRATED, AnyValue, Const, Data, MeasureValue, Union, axes_of
from cvlint.analysis.domain.work import work
from cvlint.analysis.heap.merge import merged
from cvlint.analysis.heap.paths import joined_text
from cvlint.analysis.inference.identifier_inference import mentions_folds
from cvlint.analysis.inference.loop_axes import (
    is_loop_variable,
    loops_binding,
    mark_class_axes,
    prove_fold_loop,
)
from cvlint.analysis.inference.outcomes import known_outcome
from cvlint.analysis.inference.recursion import grown_by_itself, summed_by_itself
from cvlint.analysis.interpreter.objects import call_operator
from cvlint.analysis.models.containers.reductions import reduce_measure, weighted_sum
from cvlint.analysis.models.containers.sums import paired
from cvlint.analysis.models.texts import combine_text, is_text
from cvlint.analysis.state import AnalysisState
from cvlint.analysis.syntax import code_of, is_same_code, names_in
from cvlint.analysis.taint import taint_of_names


def evaluate_operation(state: AnalysisState, node: ast.BinOp) -> AnyValue:
    """The value of a binary operation."""
    operator = type(node.op)
    if operator is ast.Div:
        formula = measure_of_division(state, node) or f_of_counts(state, node)
        if formula is not None:
            labels = measured_in(taint_of_names(state, names_in(node))) | measured_in(state.taint)
            check_stratification_of_formula(state, formula, node)
            if isinstance(formula, MeasureValue):
                if not labels:
                    label_computed(state, node, formula.measure)
                state.taint = state.taint - labels | relabelled(labels, formula, state.active_axes)
            return formula
    left, right = state.evaluate(state, node.left), state.evaluate(state, node.right)
    if isinstance(left, Instance) and (own := call_operator(state, left, node.op, right, node)) is not None:
        return own
    if operator in (ast.Mod, ast.Add) and (is_text(left) or (is_text(right) and operator is ast.Add)):
        return combine_text(state, node, left, right)
    if operator is ast.Div and (is_text(left) or is_text(right)):
        return joined_text(state, [(node.left, left), (node.right, right)], "/")
    if operator in (ast.Sub, ast.Add):
        note_rest(state, node)
    if operator is ast.Sub:
        check_side_by_side(state, [left, right], node)
    if operator in (ast.Sub, ast.Div):
        left, right = differing(state, node, left, right)
    elif operator in (ast.BitAnd, ast.Mult, ast.MatMult):
        if (area := area_of_product(state, node, left, right)) is not None:
            return area
        note_count(state, (left, node.left), (right, node.right))
    value = combine_values(state, node, left, right)
    return as_loss(state, value) if operator is ast.Sub and isinstance(left, Const) else value


def combine_values(state: AnalysisState, node: ast.BinOp, left: AnyValue, right: AnyValue) -> AnyValue:
    """``left op right`` for values that are not text; ``scores @ weights`` is ``np.dot(scores, weights)``."""
    holds_columns = isinstance(left, HeapObject) or isinstance(right, HeapObject)
    if isinstance(node.op, ast.MatMult) and (holds_columns or measures_in(left) or measures_in(right)):
        return weighted_sum(state, node, [(node.left, left), (node.right, right)])
    left, right = filled_data(left), filled_data(right)
    if not isinstance(left, Union) and not isinstance(right, Union):
        return combine_pair(state, node, left, right)
    return join([combine_pair(state, node, a, b) for a, b in paired(options(left), options(right))])


def filled_data(value: AnyValue) -> AnyValue:
    """The data that an array holds, if the program filled it entry by entry; other values as they are."""
    filled = as_array(value) if isinstance(value, HeapObject) and value.kind in ("array", "frame") else value
    return filled if isinstance(filled, Data) else value


def combine_pair(state: AnalysisState, node: ast.BinOp, left: AnyValue, right: AnyValue) -> AnyValue:
    """``left op right`` for a single value on each side."""
    match (left, node.op, right):
        case (MeasureValue(), ast.Div(), MeasureValue()):
            return Data(left.axes | right.axes)
        case (MeasureValue() | HeapObject(), ast.Div(), _) if not isinstance(right, HeapObject):
            return divide_value(state, node, left)
        case (MeasureValue() | HeapObject(), ast.Div(), HeapObject()) if measures_in(left) and not measures_in(right):
            return divide_value(state, node, left)  # sums by counts, entry by entry
        case (MeasureValue(), ast.Add() | ast.Sub(), MeasureValue()):
            return add_measures(state, node, left, right)
        case (MeasureValue(), ast.Pow(), _):
            return Data(left.axes)  # a squared deviation, or the root of one
        case (MeasureValue(summed_over=total), ast.Mult(), _) if total and is_fraction(node.right, right):
            return divide_value(state, node, left)
        case (_, ast.Mult(), MeasureValue(summed_over=total)) if total and is_fraction(node.left, left):
            return divide_value(state, node, right)
        case (MeasureValue(), ast.Add(), Data(codomain=codomain)) if codomain == BOTTOM:
            return summed_by_itself(state, left)
        case (Data(codomain=codomain), ast.Add(), MeasureValue()) if codomain == BOTTOM:
            return summed_by_itself(state, right)
        case (MeasureValue(), ast.Mult(), Data(origin="quotient")):
            return replace(left, scaled=True)  # by a share: what is summed up then is a mean
        case (Data(origin="quotient"), ast.Mult(), MeasureValue()):
            return replace(right, scaled=True)
        case (MeasureValue(), ast.Mult() | ast.Add() | ast.Sub(), _) if not isinstance(right, MeasureValue):
            return left
        case (_, ast.Mult() | ast.Add() | ast.Sub(), MeasureValue()) if not isinstance(left, MeasureValue):
            return right
        case (HeapObject(kind="list"), ast.Add(), HeapObject(kind="list")):
            keys = [v.index for v in (*left.entries(), *right.entries(), left, right) if isinstance(v, Data)]
            if "slice-before" in keys and "slice-after" in keys:
                prove_fold_loop(state, left)
            return merged(state, "list", [left, right], node)
        case (HeapObject(kind="tuple"), ast.Add(), HeapObject(kind="tuple")):
            return merged(state, "tuple", [left, right], node)
        case (HeapObject(kind="dict" | "list" as kind), ast.BitOr(), HeapObject()) if right.kind == kind:
            return merged(state, kind, [left, right], node)
        case (HeapObject(kind="list" | "tuple", fields=keyed), ast.Mult(), _) if len(keyed) > 1:
            return replace(left, fields={}, elements=join(left.entries()))
        case (HeapObject(), ast.Mult(), _):
            return left
        case (HeapObject(kind="list"), ast.Add(), Data(codomain=codomain)) if codomain == BOTTOM:
            return grown_by_itself(state, left)
        case (Data(codomain=codomain), ast.Add(), HeapObject(kind="list")) if codomain == BOTTOM:
            return grown_by_itself(state, right)
        case (Data() as a, _, _) if a.index in ("loop-index", "bound") and isinstance(node.op, ast.Mult):
            return Data(a.axes, index="bound")
        case (_, _, Data() as b) if b.index in ("loop-index", "bound") and isinstance(node.op, ast.Mult):
            return Data(b.axes, index="bound")
        case (Data() as a, ast.Add() | ast.Sub(), _) if a.index in ("bound", "loop-index"):
            return Data(a.axes, index=a.index)
        case (Data(index="part") as a, ast.BitAnd() | ast.Mult(), Data(index="part") as b):
            mark_class_axes(a, b)
            return blend_data(a, b, node.op)
        case (Data() as a, ast.Add(), Data() as b):
            if {a.origin, b.origin} == {"before", "after"}:
                prove_fold_loop(state, a)
            return blend_data(a, b, node.op)
        case (Data(), _, _) | (_, _, Data()):
            return blend_data(left, right, node.op)
        case (Const(value=int() | float()), _, Const(value=int() | float())):
            return Data(codomain=NUMBER)
        case _:
            return Data(axes_of(left) | axes_of(right))


def blend_data(left: AnyValue, right: AnyValue, operator: ast.operator) -> Data:
    """The result of an operation on data."""
    pooled = frozenset().union(*(v.pooled for v in (left, right) if isinstance(v, Data)))
    along = next((v.along for v in (left, right) if isinstance(v, Data) and v.along), ())
    codomain = arithmetic(type(operator).__name__, codomain_of(left), codomain_of(right))
    origin = "quotient" if isinstance(operator, ast.Div) and codomain == TOP else ""
    sides = [v for v in (left, right) if isinstance(v, Data)]
    if any(v.is_calibrated for v in sides) and all(v.is_calibrated or v.is_plain for v in sides):
        codomain, origin = REAL, CALIBRATED  # sums and shares of calibrated scores are calibrated
    return Data(axes_of(left) | axes_of(right), along, (), codomain, pooled, origin=origin)


def divide_value(
    state: AnalysisState, node: ast.BinOp, value: AnyValue, outer_containers: tuple[HeapObject, ...] = ()
) -> AnyValue:
    """A measure, or a row of measures, divided by a count: a sum becomes a mean.

    ``outer_containers`` are the containers around it; one of them may hold itself: ``df["a"] = df.apply(f)``.
    """
    match value:
        case MeasureValue(summed_over=total) if total:
            return reduce_measure(state, node, "mean", replace(value, summed_over=NO_AXES), total)
        case MeasureValue():
            is_percent = isinstance(node.right, ast.Constant) and node.right.value in (100, 100.0)
            return replace(value, scaled=not is_percent)
        case HeapObject():
            if len(outer_containers) >= MOST_LEVELS or any(value is outer for outer in outer_containers):
                return Data(axes_of(value))
            work(1 + len(value.fields))
            outer_containers = (*outer_containers, value)
            fields = {key: divide_value(state, node, v, outer_containers) for key, v in value.fields.items()}
            elements = None if value.elements is None else divide_value(state, node, value.elements, outer_containers)
            return HeapObject(value.kind, fields, elements, value.extent, value.allocation_loops)
        case Union():
            return join(divide_value(state, node, v, outer_containers) for v in value.options)
        case _:
            return value


def add_measures(state: AnalysisState, node: ast.BinOp, left: MeasureValue, right: MeasureValue) -> AnyValue:
    """The sum or difference of two measures."""
    if left.measure.kind != right.measure.kind:
        return Data(left.axes | right.axes)
    parts = numbered_names(node)
    total = left.summed_over | right.summed_over
    axes = left.axes | right.axes
    if parts and isinstance(node.op, ast.Add):
        total |= numbered_axis(state, node, parts)
    keep = left if left.trace else right
    return replace(keep, summed_over=total, axes=axes - total, averaged_over=left.averaged_over | right.averaged_over)


def is_fraction(node: ast.expr, value: AnyValue) -> bool:
    """Whether a factor divides: ``0.2``, ``1 / len(scores)``."""
    match node:
        case ast.BinOp(left=ast.Constant(value=1 | 1.0), op=ast.Div()):
            return True
        case _:
            return isinstance(value, Const) and isinstance(value.value, float) and 0 < value.value < 1


def evaluate_comparison(state: AnalysisState, node: ast.Compare) -> AnyValue:
    """A comparison; a comparison of a fold column with the index of a loop holds out that fold."""
    left = state.evaluate(state, node.left)
    rights = [state.evaluate(state, child) for child in node.comparators]
    note_comparison(state, node, left, rights)
    if len(rights) == 1:
        outcome = known_outcome(state, node, left, rights[0])
        if outcome is not None:
            return Const(value=outcome)
        if isinstance(node.ops[0], (ast.Eq, ast.NotEq, ast.In, ast.NotIn)):
            sides = ((left, node.left, node.comparators[0]), (rights[0], node.comparators[0], node.left))
            for _, own, other in sides:
                note_compared_column(state, own, other)
            for value, own, other in sides:
                if not is_loop_variable(value, own):
                    continue
                if mentions_folds(state, other):
                    prove_fold_loop(state, value)
                if isinstance(node.ops[0], ast.Eq) and not isinstance(other, ast.Constant):
                    return Data(axes_of(left) | axes_of(rights[0]), codomain=BOOL, index="part")
        if tests_for_nan(node, rights[0]):
            state.excuse_undefined(left)
            return Data(axes_of(left), codomain=BOOL, index="nan-mask")
    check_side_by_side(state, [left, *rights], node)
    axes, pooled = axes_of(left), pooled_axes(left)
    for right in rights:
        axes, pooled = axes | axes_of(right), pooled | pooled_axes(right)
    # the number of a fold is a constant where the loop runs once for each of a few: ``for fold in (1, 2, 3)``
    numbered = [a for n in (node.left, *node.comparators) for a in loops_binding(state, n) if a.kind == "fold"]
    axes |= frozenset(numbered)
    side, bound = side_of(node)
    return Data(axes, codomain=BOOL, pooled=pooled, index=side, bound=bound)


def side_of(node: ast.Compare) -> tuple[str, str]:
    """What a comparison selects as a key: the rows above a bound, those below it, or others; with the bound."""
    match node:
        case ast.Compare(left=left, ops=[ast.Gt() | ast.GtE() | ast.Lt() | ast.LtE() as operator], comparators=[right]):
            # ``0.5 < p`` says that ``p`` is above it
            swapped = isinstance(left, ast.Constant) and not isinstance(right, ast.Constant)
            low, high = ("above", "below") if swapped else ("below", "above")
            value, bound = (right, left) if swapped else (left, right)
            side = high if isinstance(operator, (ast.Gt, ast.GtE)) else low
            return side, f"{code_of(value)}: {code_of(bound)}"
        case _:
            return "mask", ""


def note_compared_column(state: AnalysisState, node: ast.expr, other: ast.expr) -> None:
    """Note the column that a loop's variable is compared with: two loops over one column select the same rows."""
    for axis in loops_binding(state, node):
        axis.compared_column = axis.compared_column or last_name(other)


def tests_for_nan(node: ast.Compare, right: AnyValue) -> bool:
    """Whether a comparison tests for NaN: ``x != x``, ``str(x) == "nan"``."""
    if not isinstance(node.ops[0], (ast.NotEq, ast.Eq)):
        return False
    spelled = isinstance(right, Const) and isinstance(right.value, str) and right.value.lower() == "nan"
    return spelled or is_same_code(node.left, node.comparators[0])
