"""The aggregates of counts (F_tp,fp, F_avg, …) with their intervals and expected biases."""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray

from cvlint.runtime.aggregates.expected_bias import Bias, expected_biases
from cvlint.runtime.aggregates.registry import COUNT_AGGREGATES
from cvlint.runtime.aggregates.results import Aggregate
from cvlint.runtime.data.foldset import FoldSet
from cvlint.runtime.intervals.bootstrap import NOT_ASKED, Bootstrap, Intervals
from cvlint.runtime.intervals.cluster_bootstrap import grouped_count_intervals
from cvlint.runtime.intervals.count_bootstrap import CountStatistics, sample_intervals, table_intervals
from cvlint.runtime.measures.counts import Average, Counts, Kind
from cvlint.runtime.simulation.monte_carlo import SIMULATED

NOT_SIMULATED = "it is not simulated"
MANY_EXPERIMENTS = "it is not simulated for so many experiments"
NEVER_DEFINED = "it is undefined in every repetition"


def count_aggregates(
    counts: Counts,
    beta: float,
    average: Average,
    intervals: Intervals,
    *,
    weighted: bool = False,
    simulated: bool = True,
) -> list[Aggregate]:
    """Every aggregate of the registry that is computed from counts.

    Parameters
    ----------
    counts
        Counts of shape (folds, classes).
    beta, average
        The weight of recall in F, and how classes are averaged.
    intervals
        By the aggregates' keys.
    weighted
        Whether the counts are sums of weights.
    simulated
        Whether to simulate the expected biases.
    """
    whole = counts.micro() if average == "micro" else counts
    invalid = int((~whole.valid).any(axis=1).sum())
    left_out = f"{invalid} of {len(counts.tp)} folds left out" if invalid and whole.tp.shape[1] == 1 else ""
    something = bool((whole.positives + whole.predicted).any())  # else every aggregate is 0 / 0
    biases = expected_biases(counts, beta, weighted) if simulated else MANY_EXPERIMENTS
    found = []
    for row in COUNT_AGGREGATES:
        value = float(row.function(counts, beta, average)) if something else float("nan")
        aggregate = Aggregate(
            row.key, row.label, row.meaning, row.family, value, row.right, note=left_out if row.skips_folds else ""
        )
        bias: Bias | str = NOT_SIMULATED
        if row.key in SIMULATED:
            bias = biases if isinstance(biases, str) else biases.get(row.key, NEVER_DEFINED)
        found.append(aggregate.completed(intervals.get(row.key, NOT_ASKED), bias, row.undefined))
    return found


def intervals_of_tables(
    tables: NDArray[np.float64], kind: Kind, beta: float, average: Average, bootstrap: Bootstrap
) -> Intervals:
    """The intervals of these aggregates, from confusion tables (folds, true, predicted) in whole numbers."""
    return table_intervals(tables, kind, statistics(beta, average), bootstrap)


def intervals_of_samples(folds: FoldSet, kind: Kind, beta: float, average: Average, bootstrap: Bootstrap) -> Intervals:
    """The intervals of these aggregates, from samples with weights or with several labels each."""
    return sample_intervals(folds, kind, statistics(beta, average), bootstrap)


def intervals_of_groups(
    folds: FoldSet, counts: Counts, kind: Kind, beta: float, average: Average, bootstrap: Bootstrap
) -> Intervals:
    """The intervals of these aggregates, from samples in groups."""
    something = bool((counts.positives + counts.predicted).any())
    values = {row.key: float(row.function(counts, beta, average)) for row in COUNT_AGGREGATES} if something else {}
    return grouped_count_intervals(folds, kind, statistics(beta, average), values, bootstrap)


def statistics(beta: float, average: Average) -> CountStatistics:
    """The functions of the registry, as the bootstrap takes them."""
    given = {"beta": beta, "average": average}
    return CountStatistics(
        {row.key: partial(row.function, **given) for row in COUNT_AGGREGATES if row.of_summed is None},
        {row.key: partial(row.of_summed, **given) for row in COUNT_AGGREGATES if row.of_summed is not None},
        average,
    )
