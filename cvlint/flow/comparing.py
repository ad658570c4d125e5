"""Results that are looked at side by side though they were made in different ways."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from cvlint.flow.algebra import options
from cvlint.flow.events import Event
from cvlint.flow.lineage import marks_at
from cvlint.flow.run import Run
from cvlint.flow.values import NO_AXES, AnyValue, Axes, Measure, Measured, Trace

MIXABLE = ("f-measure", "roc-auc", "average-precision")
OF_PRIOR = ("f-measure", "precision")  # measures that move with the share of positives


def folds_of(axes: Axes) -> Axes:
    """The folds among axes."""
    return frozenset(axis for axis in axes if axis.kind == "fold")


def side_by_side(run: Run, values: Iterable[AnyValue], node: ast.AST) -> None:
    """Values are compared, or shown in one line: a mean over folds beside the same measure computed once over all."""
    found = [[v for v in options(value) if isinstance(v, Measured)] for value in values]
    averaged = [each[0] for each in found if each and all(folds_of(v.reduced) for v in each)]
    once = [each[0] for each in found if each and all(merged_folds(v) for v in each)]
    for one in averaged:
        for other in once:
            kind = one.measure.kind
            if kind in MIXABLE and kind == other.measure.kind and not is_one_experiment(run, one, other):
                tell(run, node, one.measure, "aggregation", (*one.trace, *other.trace), folds_of(one.reduced))
                return


def is_one_experiment(run: Run, averaged: Measured, once: Measured) -> bool:
    """Whether two results tell of the same folds, or come out of one helper: an experiment told in two ways."""
    here = {frame.owner for frame in run.frames}
    helpers = [{owner for step in value.trace for owner in step.owners} - here for value in (averaged, once)]
    return bool(folds_of(averaged.reduced) & merged_folds(once) or helpers[0] & helpers[1])


def merged_folds(value: Measured) -> Axes:
    """The folds over whose parts a measure was computed once, as far as more than a name says so."""
    return NO_AXES if folds_of(value.reduced) else frozenset(axis for axis in folds_of(value.pooled) if not axis.soft)


def under_priors(run: Run, measure: Measure, truth: ast.expr | None, node: ast.AST) -> None:
    """A measure is computed in each pass of a loop over shares of positives, on data that were drawn anew for it."""
    if measure.kind not in OF_PRIOR or truth is None:
        return
    for axis in run.active:
        if axis.kind == "prior":
            drawn = [m.step for m in marks_at(run, truth) if m.kind == "resampled" and axis in m.axes]
            if drawn:
                tell(run, node, measure, "prevalence", (axis.step, *drawn), frozenset((axis,)))


def tell(run: Run, node: ast.AST, measure: Measure, how: str, trace: Trace, axes: Axes) -> None:
    """Record a comparison of results that were made in different ways."""
    steps = tuple(dict.fromkeys(trace))
    run.record(Event("compare", run.scope.module, node, measure, axes, steps, facts={"how": how}))
