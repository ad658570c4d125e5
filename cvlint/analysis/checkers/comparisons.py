"""Results that stand side by side though they were made in different ways."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import TypeGuard

from cvlint.analysis.domain.axis import NO_AXES, Axes
from cvlint.analysis.domain.lattice import options
from cvlint.analysis.domain.trace import Trace
from cvlint.analysis.domain.value import AnyValue, Measure, MeasureValue
from cvlint.analysis.events import Event
from cvlint.analysis.state import AnalysisState
from cvlint.analysis.taint import root_name, sorted_labels, taint_at

AGGREGATED_IN_TWO_WAYS = ("f-measure", "roc-auc", "average-precision")
PREVALENCE_DEPENDENT = ("f-measure", "precision")  # measures that move with the share of positives


def fold_axes(axes: Axes) -> Axes:
    """The folds among axes."""
    return frozenset(axis for axis in axes if axis.kind == "fold")


def check_side_by_side(state: AnalysisState, values: Iterable[AnyValue], node: ast.AST) -> None:
    """Values are compared, or shown in one line: a mean over folds beside the same measure computed once over all."""
    found = [[v for v in options(value) if isinstance(v, MeasureValue)] for value in values]
    averaged = [each[0] for each in found if each and all(fold_axes(v.averaged_over) for v in each)]
    once = [each[0] for each in found if each and all(folds_computed_once(v) for v in each)]
    if len(averaged) > 1 and len(once) > 1:
        return  # each has a partner of its own kind
    for one in averaged:
        for other in once:
            if is_same_measure(one.measure, other.measure) and not is_same_experiment(state, one, other):
                record_comparison(
                    state, node, one.measure, "aggregation", (*one.trace, *other.trace), fold_axes(one.averaged_over)
                )
                return


def is_same_measure(one: Measure, other: Measure) -> bool:
    """Whether two results are of one measure, F1 of the positive class or macro-F, as far as the code says."""
    labels = {measure.label.rpartition(" ")[2] for measure in (one, other)}  # F1 of macro F1
    same = len(labels) == 1 or "F" in labels  # which is what a formula written out by hand is called
    return one.kind == other.kind and one.kind in AGGREGATED_IN_TWO_WAYS and one.average == other.average and same


def is_same_experiment(state: AnalysisState, averaged: MeasureValue, once: MeasureValue) -> bool:
    """Whether two results tell of the same folds, come out of one helper or of one model: an experiment, told twice."""
    folds = fold_axes(averaged.averaged_over)
    here = {frame.owner for frame in state.frames}
    gathered = [[s for s in v.trace if not s.note.endswith("computed here")] for v in (averaged, once)]
    gathered[0] += [axis.step for axis in folds]
    helpers = [{owner for step in steps for owner in step.owners} - here for steps in gathered]
    models = [
        {tuple(map(ast.unparse, s.node.args[:2])) for s in steps if has_two_arguments(s.node)} for steps in gathered
    ]
    return bool(folds & folds_computed_once(once) or helpers[0] & helpers[1] or models[0] & models[1])


def has_two_arguments(node: ast.AST) -> TypeGuard[ast.Call]:
    """Whether a node is a call with at least two arguments, a model and its data perhaps."""
    return isinstance(node, ast.Call) and len(node.args) > 1


def folds_computed_once(value: MeasureValue) -> Axes:
    """The folds over whose parts a measure was computed once, as far as more than a name says so."""
    return (
        NO_AXES
        if fold_axes(value.averaged_over)
        else frozenset(axis for axis in fold_axes(value.pooled) if not axis.heuristic)
    )


def check_prevalence_loop(state: AnalysisState, measure: Measure, truth: ast.expr | None, node: ast.AST) -> None:
    """A measure is computed in each pass of a loop over shares of positives, on data that were drawn anew for it."""
    if (
        measure.kind not in PREVALENCE_DEPENDENT
        or truth is None
        or state.knowledge.conforms("training", root_name(truth))
    ):
        return
    for axis in state.active_loops:
        if axis.kind == "prior":
            drawn = [m.step for m in sorted_labels(taint_at(state, truth)) if m.kind == "resampled" and axis in m.axes]
            if drawn:
                record_comparison(state, node, measure, "prevalence", (axis.step, *drawn), frozenset((axis,)))


def record_comparison(
    state: AnalysisState, node: ast.AST, measure: Measure, how: str, trace: Trace, axes: Axes
) -> None:
    """Record a comparison of results that were made in different ways."""
    steps = tuple(dict.fromkeys(trace))
    state.record(Event("compare", state.environment.module, node, measure, axes, steps, facts={"how": how}))
