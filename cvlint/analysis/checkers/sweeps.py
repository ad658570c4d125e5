"""Sweeps: scores are compared with each of many thresholds, whatever the thresholds are called.

In goes a comparison; out comes a label of the kind "swept" with the loops that run over the thresholds. A measure of
what was compared, or counts of it, tell by this label that a threshold is chosen by them, and not a model.
"""

from __future__ import annotations

import ast
from dataclasses import replace

from cvlint.analysis.checkers.selection_bias import label_measured
from cvlint.analysis.checkers.selections import ORDERS, labels_in, measured_at
from cvlint.analysis.domain.axis import Axes
from cvlint.analysis.domain.codomain import Kind
from cvlint.analysis.domain.taint_label import TaintLabel
from cvlint.analysis.domain.value import AnyValue, Const, Data, Measure, MeasureValue
from cvlint.analysis.inference.loop_dependence import loops_turning
from cvlint.analysis.state import AnalysisState
from cvlint.analysis.taint import taint_at

NUMBERS = (Kind.NUMBER, Kind.COUNT)


def note_comparison(state: AnalysisState, node: ast.Compare, left: AnyValue, rights: list[AnyValue]) -> None:
    """``scores >= t``, where ``t`` is the variable of a loop."""
    if len(rights) == 1 and isinstance(node.ops[0], ORDERS):
        note_sweep(state, node, (left, node.left), (rights[0], node.comparators[0]))


def note_sweep(state: AnalysisState, node: ast.expr, *sides: tuple[AnyValue, ast.expr]) -> None:
    """Scores are compared with the variable of a loop: whatever the names are, the loop runs over thresholds."""
    for (cut, cut_node), (scores, scores_node) in (sides, sides[::-1]) if state.active_loops else ():
        if isinstance(scores, Const | MeasureValue) or is_number(scores):
            continue
        turning = loops_of(state, cut_node, cut, True) - loops_of(state, scores_node, scores, False)
        if turning:
            step = state.step(node, "scores are compared with each value of a loop here")
            state.taint |= {TaintLabel("swept", step, "", turning)}


def note_count(state: AnalysisState, *sides: tuple[AnyValue, ast.expr]) -> None:
    """``(scores > t) & (y == 1)``: the true positives at a threshold are counted, on ``y``."""
    for (_, swept_node), (_, node) in (sides, sides[::-1]) if state.active_loops else ():
        truth = truth_of_count(state, node)
        if truth is not None and any(m.kind == "swept" for m in taint_at(state, swept_node)):
            label_measured(state, truth, node, Measure("counts", None, "a measure of the counts"), others=[swept_node])


def truth_of_count(state: AnalysisState, node: ast.expr) -> ast.expr | None:
    """The true labels in ``y == 1``, or in ``y`` by itself where that is a part of a split."""
    match node:
        case ast.Compare(left=truth, ops=[ast.Eq()], comparators=[ast.Constant()]):
            found = truth
        case ast.Name() | ast.Subscript() if any(m.kind == "rows" for m in taint_at(state, node)):
            found = node
        case _:
            return None
    return None if any(m.kind == "swept" for m in taint_at(state, node)) else found


def differing(state: AnalysisState, node: ast.BinOp, left: AnyValue, right: AnyValue) -> tuple[AnyValue, AnyValue]:
    """The sides of a difference: ``max(f1s) - min(f1s)`` says how far results differ, and is no best result.

    So does ``f1s / max(f1s)``. ``scores - t`` is a sweep like ``scores > t``.
    """
    sides = ((left, node.left), (right, node.right))
    if isinstance(node.op, ast.Sub):
        if is_variable(state, node.left) or is_variable(state, node.right):
            note_sweep(state, node, *sides)
        measured = [measured_at(state, side, value) for value, side in sides]
    else:  # what is divided by the number of results is their mean
        measured = [labels_in(value, "measured") for value, _ in sides]
    steps = [{label.step.node for label in labels} for labels in measured]
    if not steps[0] & steps[1]:
        return left, right
    state.taint = frozenset(m for m in state.taint if m.kind != "chosen")
    return without_choices(left), without_choices(right)


def is_variable(state: AnalysisState, node: ast.expr) -> bool:
    """Whether an expression is the variable of a loop under way; any other difference is arithmetic, and no cut."""
    return isinstance(node, ast.Name) and any(node.id in axis.loop_variables for axis in state.active_loops)


def without_choices(value: AnyValue) -> AnyValue:
    """A measure without the labels of the choices that it came from."""
    if not isinstance(value, MeasureValue):
        return value
    return replace(value, labels=frozenset(label for label in value.labels if label.kind != "chosen"))


def is_number(value: AnyValue) -> bool:
    """Whether a value is a single number, and no scores."""
    return isinstance(value, Data) and (value.codomain.kind in NUMBERS or value.index in ("loop-index", "bound"))


def loops_of(state: AnalysisState, node: ast.expr, value: AnyValue, is_variable: bool) -> Axes:
    """The loops under way that an expression depends on, by its names or by its value.

    Of an unknown value the loops are not known, except where it may be the variable of a loop itself.
    """
    found = loops_turning(state, node)
    if isinstance(value, Data) and (not value.opaque or (is_variable and len(value.axes) == 1)):
        found |= value.axes & state.active_axes
    return found
