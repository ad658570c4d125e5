"""Results that stand side by side though they were made in different ways.

``print(np.mean(fold_f1s), f1_score(y, oof))`` shows a mean over folds beside a value over all folds; a loop over shares
of positives compares F on data of different prevalence. Event ``compare``: CVL106 (``how="aggregation"``), CVL504
(``how="prevalence"``).
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import TypeGuard

from cvlint.analysis.domain.axis import NO_AXES, Axes, Axis
from cvlint.analysis.domain.lattice import options
from cvlint.analysis.domain.taint_label import sorted_labels
from cvlint.analysis.domain.trace import COMPUTED, Trace
from cvlint.analysis.domain.value import AnyValue, Measure, MeasureValue, Union
from cvlint.analysis.events import Event
from cvlint.analysis.state import AnalysisState
from cvlint.analysis.syntax import names_in, root_name
from cvlint.analysis.taint import taint_at

AGGREGATED_IN_TWO_WAYS = ("f-measure", "roc-auc", "average-precision")
PREVALENCE_DEPENDENT = ("f-measure", "precision")  # measures that move with the share of positives


def fold_axes(axes: Axes) -> Axes:
    """The fold axes among ``axes``."""
    return frozenset(axis for axis in axes if axis.kind == "fold")


def check_side_by_side(state: AnalysisState, values: Iterable[AnyValue], node: ast.AST) -> None:
    """Values are compared or shown in one line: a mean over folds beside the same measure computed once over all."""
    measured = [
        [v for v in options(value) if isinstance(v, MeasureValue)]
        for value in values
        if type(value) is MeasureValue or type(value) is Union
    ]
    if not measured:
        return
    averaged = [
        values_found[0]
        for values_found in measured
        if values_found and all(fold_axes(v.averaged_over) for v in values_found)
    ]
    once = [
        values_found[0]
        for values_found in measured
        if values_found and all(folds_computed_once(v) for v in values_found)
    ]
    if len(averaged) > 1 and len(once) > 1:
        return  # each result stands beside one of its own kind
    for one in averaged:
        for other in once:
            if is_same_measure(one.measure, other.measure) and not is_same_experiment(state, one, other):
                record_comparison(
                    state, node, one.measure, "aggregation", (*one.trace, *other.trace), fold_axes(one.averaged_over)
                )
                return


def is_same_measure(one: Measure, other: Measure) -> bool:
    """Whether two results are of one measure, as far as the code says: macro-F is not F1 of the positive class."""
    labels = {measure.label.rpartition(" ")[2] for measure in (one, other)}  # "F1" of "macro F1"
    same = len(labels) == 1 or "F" in labels  # a formula that is written out by hand is labelled "F"
    return one.kind == other.kind and one.kind in AGGREGATED_IN_TWO_WAYS and one.average == other.average and same


def is_same_experiment(state: AnalysisState, averaged: MeasureValue, once: MeasureValue) -> bool:
    """Whether two results are of the same folds, of one model, or of one helper: two views of one experiment."""
    folds = fold_axes(averaged.averaged_over)
    under_evaluation = {frame.owner for frame in state.frames}
    steps_of_each = [[s for s in v.trace if not s.note.endswith(COMPUTED)] for v in (averaged, once)]
    steps_of_each[0] += [axis.step for axis in folds]
    helpers = [{owner for step in steps for owner in step.owners} - under_evaluation for steps in steps_of_each]
    models = [
        {tuple(map(ast.unparse, s.node.args[:2])) for s in steps if has_two_arguments(s.node)}
        for steps in steps_of_each
    ]
    return bool(folds & folds_computed_once(once) or helpers[0] & helpers[1] or models[0] & models[1])


def has_two_arguments(node: ast.AST) -> TypeGuard[ast.Call]:
    """Whether a node is a call with two arguments or more, a model and its data perhaps."""
    return isinstance(node, ast.Call) and len(node.args) > 1


def folds_computed_once(value: MeasureValue) -> Axes:
    """The folds over whose pooled parts a measure was computed once, where more than a name says so."""
    return (
        NO_AXES
        if fold_axes(value.averaged_over)
        else frozenset(axis for axis in fold_axes(value.pooled) if not axis.heuristic)
    )


def check_prevalence_loop(state: AnalysisState, measure: Measure, truth: ast.expr | None, node: ast.AST) -> None:
    """``for share in (0.5, 0.1): f1_score(*resample(y, p, share))``: F moves with the share of positives.

    A loop over shares of positives that resamples the test data for each share makes an event.
    """
    if (
        measure.kind not in PREVALENCE_DEPENDENT
        or truth is None
        or state.knowledge.conforms("training", root_name(truth))
    ):
        return
    for axis in state.active_loops:
        if axis.kind in ("prior", "loop"):
            resampling = [
                m.step for m in sorted_labels(taint_at(state, truth)) if m.kind == "resampled" and axis in m.axes
            ]
            if resampling and (axis.kind == "prior" or any(draws_a_share(state, s.node, axis) for s in resampling)):
                record_comparison(state, node, measure, "prevalence", (axis.step, *resampling), frozenset((axis,)))


def draws_a_share(state: AnalysisState, node: ast.AST, axis: Axis) -> bool:
    """Whether the share of rows that are drawn is another one in each pass: ``Sampler(sampling_strategy=share)``."""
    sampler = node.func.value if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else None
    made = state.environment.definitions.get(sampler.id) if isinstance(sampler, ast.Name) else sampler
    calls = [call for call in (node, made) if isinstance(call, ast.Call)]
    shares = state.knowledge.groups["shares-drawn"]
    told = [k.value for call in calls for k in call.keywords if k.arg in shares]
    return any(not names_in(value).isdisjoint(axis.loop_variables) for value in told)


def record_comparison(
    state: AnalysisState, node: ast.AST, measure: Measure, how: str, trace: Trace, axes: Axes
) -> None:
    """Record that results stand side by side that were made in different ways."""
    steps = tuple(dict.fromkeys(trace))
    state.record(Event("compare", state.environment.module.source, node, measure, axes, steps, facts={"how": how}))
