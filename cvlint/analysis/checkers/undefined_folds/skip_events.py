"""Skips."""

from __future__ import annotations

import ast
import math

from cvlint.analysis.domain.axis import Axes
from cvlint.analysis.domain.value import MeasureValue
from cvlint.analysis.state import AnalysisState


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


UNDEFINED_WITHOUT_A_CLASS = ("f-measure", "precision", "recall", "roc-auc", "average-precision")


def skip_facts(how: str, axes: Axes) -> dict[str, str]:
    """How undefined values are dropped, and whether every fold holds all classes, as far as there are samples."""
    folds = [axis for axis in axes if axis.kind == "fold"]
    made = [axis.splitter.facts for axis in folds if axis.splitter is not None]
    known = [facts for facts in made if facts.get("stratified") and facts["style"] in ("k-fold", "hold-out")]
    stratified = bool(folds) and len(known) == len(folds)  # groups and single samples need no stratified splitter
    return {"how": how, "stratified": "yes" if stratified else "no"}


def are_one_class_folds_skipped(state: AnalysisState, axes: Axes) -> bool:
    """Whether folds without both classes were left out before, so that nothing is undefined in the others."""
    return any(axes & around for _, _, around in state.unresolved_one_class_tests)


def has_fold_axis(axes: Axes) -> bool:
    """Whether folds are among ``axes``."""
    return any(a.kind == "fold" for a in axes)


def continues_loop(node: ast.If) -> bool:
    """Whether the branch goes on with the next fold."""
    return bool(node.body) and isinstance(node.body[-1], ast.Continue)


def is_patch_value(number: float, value: MeasureValue | None) -> bool:
    """Whether a number hides an undefined value: not NaN, which hides nothing, and not 0, which is F's limit."""
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
