"""Results that are looked at side by side though they were made in different ways."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from cvlint.flow.algebra import measures
from cvlint.flow.events import Event
from cvlint.flow.lineage import marks_at
from cvlint.flow.run import Run
from cvlint.flow.values import AnyValue, Axes, Measure, Measured, Trace

MIXABLE = ("f-measure", "roc-auc", "average-precision")
OF_PRIOR = ("f-measure", "precision")  # measures that move with the share of positives


def folds_of(axes: Axes) -> Axes:
    """The folds among axes."""
    return frozenset(axis for axis in axes if axis.kind == "fold")


def side_by_side(run: Run, values: Iterable[AnyValue], node: ast.AST) -> None:
    """Values are compared, or shown in one line: a mean over folds beside the same measure computed once over all."""
    found = [m for value in values for m in measures(value) if m.measure.kind in MIXABLE]
    for averaged in found:
        for once in found:
            if averaged.measure.kind == once.measure.kind and is_mixed(averaged, once):
                trace = (*averaged.trace, *once.trace)
                tell(run, node, averaged.measure, "aggregation", trace, folds_of(averaged.reduced))
                return


def is_mixed(averaged: Measured, once: Measured) -> bool:
    """Whether one result is a mean over folds, and the other was computed once over the parts of all of them.

    Both of the same folds are one experiment told in two ways, and no comparison; what only a name says was pooled
    may be the same experiment.
    """
    over, pooled = folds_of(averaged.reduced), frozenset(axis for axis in folds_of(once.pooled) if not axis.soft)
    return bool(over and pooled) and not folds_of(once.reduced) and not over & pooled


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
