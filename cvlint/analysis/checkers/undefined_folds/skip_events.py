"""The event ``skip``: undefined values of a measure are dropped or patched along folds. CVL103.

``how`` says by what: "filter", "dropna", "patch", "try", "zero-division".
"""

from __future__ import annotations

import ast
import math

from cvlint.analysis.domain.axis import Axes
from cvlint.analysis.domain.value import MeasureValue
from cvlint.analysis.state import AnalysisState


def record_skip(state: AnalysisState, node: ast.AST, how: str, value: MeasureValue, axes: Axes) -> None:
    """Record that undefined values of a measure are dropped or patched along ``axes``.

    Along ``fixed`` axes all models have one test set, on which a measure is undefined for all of them or for none.
    """
    if (how in ("nanmean", "dropna") and are_one_class_folds_skipped(state, axes)) or is_in_callback(state, axes):
        return
    if not has_fold_axis(axes) or has_fold_axis(axes - value.fixed):
        state.emit("skip", node, value.measure, axes - value.fixed, value.trace, **skip_facts(how, axes))


def is_in_callback(state: AnalysisState, axes: Axes) -> bool:
    """Whether a loop over folds only defines this function and hands it on, as the objective of an optimiser."""
    frame = state.frames[-1]
    is_nested = frame.environment.parent is not None and frame.environment.parent.parent is not None
    return is_nested and not isinstance(frame.call, ast.Call) and bool(axes) and axes <= frame.call_loops


UNDEFINED_WITHOUT_A_CLASS = ("f-measure", "precision", "recall", "roc-auc", "average-precision")


def skip_facts(how: str, axes: Axes) -> dict[str, str]:
    """How undefined values are dropped, and whether the splitter gives every fold all classes."""
    folds = [axis for axis in axes if axis.kind == "fold"]
    splitters = [axis.splitter.facts for axis in folds if axis.splitter is not None]
    stratifying = [facts for facts in splitters if facts.get("stratified") and facts["style"] in ("k-fold", "hold-out")]
    stratified = bool(folds) and len(stratifying) == len(folds)  # groups and single samples need no stratified splitter
    return {"how": how, "stratified": "yes" if stratified else "no"}


def are_one_class_folds_skipped(state: AnalysisState, axes: Axes) -> bool:
    """Whether the code has skipped folds without both classes before, so that nothing is undefined in the others."""
    return any(axes & around for _, _, around in state.unresolved_one_class_tests)


def has_fold_axis(axes: Axes) -> bool:
    """Whether folds are among ``axes``."""
    return any(a.kind == "fold" for a in axes)


def continues_loop(node: ast.If) -> bool:
    """Whether a branch goes on with the next pass of the loop."""
    return bool(node.body) and isinstance(node.body[-1], ast.Continue)


def is_patch_value(number: float, value: MeasureValue | None) -> bool:
    """Whether a number hides an undefined value: NaN hides nothing, and 0 is the limit of F."""
    return not math.isnan(number) and (number != 0 or (value is not None and value.measure.kind == "roc-auc"))


def is_patch_literal(node: ast.expr, value: MeasureValue | None = None) -> bool:
    """Whether an expression is a literal number that hides an undefined value."""
    match node:
        case ast.Constant(value=int() | float() as number):
            return is_patch_value(number, value)
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant()):
            return True
        case _:
            return False
