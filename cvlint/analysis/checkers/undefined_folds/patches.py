"""Undefined values that get a value: ``zero_division=1``, ``auc if y[test].any() else 1.0``, ``f1[np.isnan(f1)] = 0``.

Event ``skip`` (see `skip_events`): CVL103. A patch with 0 is right for F, and makes no event.
"""

from __future__ import annotations

import ast
import math

from cvlint.analysis.checkers.undefined_folds.one_class_folds import tests_for_both_classes
from cvlint.analysis.checkers.undefined_folds.skip_events import has_fold_axis, is_patch_value, record_skip
from cvlint.analysis.domain.frozen import replace
from cvlint.analysis.domain.heap_object import HeapObject
from cvlint.analysis.domain.lattice import as_array, options
from cvlint.analysis.domain.value import MASKS, AnyValue, Const, Data, MeasureValue
from cvlint.analysis.state import AnalysisState


def hides_undefined(value: AnyValue | None) -> bool:
    """Whether ``zero_division`` hides undefined values: 1 or NaN."""
    if not isinstance(value, Const) or isinstance(value.value, str):
        return False
    number = value.value
    return isinstance(number, (int, float)) and (number == 1 or math.isnan(number))


def check_zero_division(
    state: AnalysisState, argument: AnyValue | None, value: MeasureValue, node: ast.AST
) -> MeasureValue:
    """``zero_division=1`` or NaN in a fold: an undefined value counts as perfect, or is dropped; 0 defines it."""
    if hides_undefined(argument) and has_fold_axis(value.axes):
        record_skip(state, node, "zero-division", value, value.axes)
    return replace(value, defined=True) if is_zero(argument) else value


def is_zero(value: AnyValue | None) -> bool:
    """Whether a value is the number 0."""
    return isinstance(value, Const) and isinstance(value.value, (int, float)) and value.value == 0


def check_conditional_expression(state: AnalysisState, node: ast.IfExp, body: AnyValue, orelse: AnyValue) -> None:
    """``auc if y[test].any() else 1.0``: a fold without positives gets a value."""
    for value, other in ((body, orelse), (orelse, body)):
        if (
            not isinstance(value, MeasureValue)
            or not isinstance(other, Const)
            or not isinstance(other.value, (int, float))
        ):
            continue
        if (
            is_patch_value(other.value, value)
            and has_fold_axis(value.axes)
            and tests_for_both_classes(state, node.test)
        ):
            record_skip(state, node, "filter", value, value.axes)


def defined_beside_zero(values: list[AnyValue]) -> list[AnyValue]:
    """The branches of a conditional expression; a measure beside a 0 is defined everywhere."""
    if not any(isinstance(v, Const) and isinstance(v.value, (int, float)) and v.value == 0 for v in values):
        return values
    return [replace(v, defined=True) if isinstance(v, MeasureValue) else v for v in values]


def check_where(state: AnalysisState, values: list[AnyValue], node: ast.AST) -> None:
    """``np.where(np.isnan(x), 0, x)``: undefined values are replaced."""
    if any(isinstance(v, Data) and v.index in ("nan-mask", *MASKS) for v in options(values[0])):
        for value in values[1:]:
            state.excuse_undefined(value)


def check_masked_store(state: AnalysisState, base: AnyValue, key: AnyValue, node: ast.AST) -> None:
    """``f1[np.isnan(f1)] = 0``: undefined values are replaced."""
    if isinstance(key, Data) and key.index == "nan-mask":
        state.excuse_undefined(base if not isinstance(base, HeapObject) else as_array(base))
