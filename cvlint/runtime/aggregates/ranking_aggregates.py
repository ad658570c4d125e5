"""The aggregates of rankings (AUC_avg, AUC_merge, …) with their intervals."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from cvlint.runtime.aggregates.registry import RANKING_MEASURES, RankingMeasure
from cvlint.runtime.aggregates.results import Aggregate
from cvlint.runtime.data.foldset import FoldSet
from cvlint.runtime.intervals.bootstrap import MOST_SAMPLES, NOT_ASKED, Bootstrap, Intervals
from cvlint.runtime.intervals.ranking_bootstrap import ReplicateMeasure, ranking_intervals
from cvlint.runtime.measures.counts import Floats, quotient
from cvlint.runtime.measures.ranking import Ranking

SEVERAL = "the samples are ranked by several columns of scores"
NO_BOOTSTRAP = "no bootstrap of it is implemented"
F_ONLY = "it is computed for F only"


@dataclass(frozen=True, eq=False, slots=True)
class RankingValues:
    """The measures of the rankings by each column of scores."""

    each_fold: dict[str, Floats]
    """By family, the measure of each column in each fold: (columns, folds)."""
    merged: dict[str, list[float]]
    """By family, the measure of all folds' scores together, of each column."""
    intervals: Intervals
    """By the aggregates' keys an interval, or why there is none."""


def measures_for(k: int | None) -> tuple[RankingMeasure, ...]:
    """The measures that are computed: those that need k only where it is named."""
    return tuple(row for row in RANKING_MEASURES if k is not None or not row.needs_k)


def ranking_values(part: FoldSet, k: int | None, bootstrap: Bootstrap | None) -> RankingValues | None:
    """Rank by one column of scores after the other, so that one ranking is in memory at a time; None without scores."""
    if part.y_score is None:
        return None
    rows = measures_for(k)
    each: dict[str, list[list[float]]] = {row.family: [] for row in rows}
    merged: dict[str, list[float]] = {row.family: [] for row in rows}
    columns = part.y_score.shape[1]
    intervals: Intervals = {}
    for column in range(columns):
        for row in rows:
            each[row.family].append([])
        parts: list[Ranking] = []
        for ranking in part.fold_rankings(column):
            for row in rows:
                each[row.family][-1].append(row.function(ranking, k or 0))
            if len(part) <= MOST_SAMPLES:
                parts.append(ranking)  # above that they are large, and no interval needs them
        whole = part.whole_ranking(column)
        for row in rows:
            merged[row.family].append(row.function(whole, k or 0))
        if bootstrap is not None:
            intervals = dict.fromkeys((key for row in rows for key, _ in row.aggregates), NO_BOOTSTRAP)
            intervals |= ranking_intervals(parts, whole, replicate_measures(k), bootstrap) if columns == 1 else {}
    if columns > 1:
        intervals = dict.fromkeys(intervals, SEVERAL)
    return RankingValues({family: np.array(values) for family, values in each.items()}, merged, intervals)


def replicate_measures(k: int | None) -> dict[str, ReplicateMeasure]:
    """The measures of all replicates of a ranking, by family; none for a measure without a bootstrap."""
    each = {row.family: row.of_replicates for row in measures_for(k)}
    return {family: partial(measure, k=k or 0) for family, measure in each.items() if measure is not None}


def ranking_aggregates(found: RankingValues, k: int | None) -> list[Aggregate]:
    """The mean over folds, and the merged value, of every measure.

    With several columns of scores (one against the rest each) it is the mean over the columns.
    """
    aggregates = []
    for row in measures_for(k):
        each = found.each_fold[row.family]
        missing = int(np.isnan(each).any(axis=0).sum())
        note = f"undefined in {missing} of {each.shape[1]} folds, which are left out" if missing else ""
        of_columns = quotient(np.nansum(each, axis=1), (~np.isnan(each)).sum(axis=1).astype(np.float64), np.nan)
        name = row.label.format(k=k)
        values = (
            (float(of_columns.mean()), f"mean of the folds' {name}", note),
            (float(np.mean(found.merged[row.family])), f"{name} of all folds' scores together", ""),
        )
        for (key, label), (value, meaning, own_note) in zip(row.aggregates, values, strict=True):
            right = key.endswith("_avg")
            aggregate = Aggregate(key, label.format(k=k), meaning, row.family, value, right, note=own_note)
            interval = found.intervals.get(key, NOT_ASKED)
            aggregates.append(aggregate.completed(interval, F_ONLY, row.undefined))
    return aggregates
