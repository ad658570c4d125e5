"""The aggregates of rankings (AUC_avg, AUC_merge, …) with their intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cvlint.runtime.aggregates.class_rankings import ranked_views
from cvlint.runtime.aggregates.expected_bias import Bias
from cvlint.runtime.aggregates.registry import RANKING_MEASURES, RankingMeasure
from cvlint.runtime.aggregates.results import Aggregate
from cvlint.runtime.data.foldset import FoldSet
from cvlint.runtime.intervals.bootstrap import NOT_ASKED, Bootstrap, Interval, Intervals
from cvlint.runtime.intervals.ranking_influence import RankedGroups
from cvlint.runtime.intervals.unit_draws import units_of
from cvlint.runtime.measures.counts import Average, Floats, quotient
from cvlint.runtime.measures.ranking import Ranking

SEVERAL = "the samples are ranked by several columns of scores"
NO_INTERVAL = "no interval of it is implemented"
F_ONLY = "it is computed for F, and for AP with an interval, only"
OF_UNBIASED = "the interval is about AP without its bias, which small folds raise"
OF_MEAN = "the interval is about the mean of AP in folds of these sizes, which is higher than AP of many samples"
UNDEFINED = "it is undefined"
NOTHING_RANKED = "no fold has both classes, so that it is the same for any scores"


@dataclass(frozen=True, eq=False, slots=True)
class RankingValues:
    """The measures of the rankings: one by each column of scores, or one of all pairs of samples and classes."""

    each_fold: dict[str, Floats]
    """By family, the measure of each ranking in each fold: (rankings, folds)."""
    merged: dict[str, Floats]
    """By family, the measure of all folds' scores together, of each ranking."""
    intervals: Intervals
    """By the aggregates' keys an interval, or why there is none."""
    positives: Floats | None = None
    """For an average that is weighted by them, the positives of each ranking in each fold: (rankings, folds)."""
    one_class: bool = False
    """Whether no fold has both classes, so that every order of its samples has the same measures."""

    def of_folds(self, family: str) -> Floats:
        """The measure of each fold, averaged over the rankings, (folds,)."""
        each = self.each_fold[family]
        return each.mean(axis=0) if self.positives is None else weighted_mean(each, self.positives)

    def mean(self, family: str) -> float:
        """The mean over the folds that define the measure; NaN without any.

        A weighted average is taken in each fold, where the weights are known. A plain one takes the mean over folds
        of each ranking first, so that a fold in which one class is missing still counts for the others.
        """
        if self.positives is None:
            return float(mean_of_defined(self.each_fold[family]).mean())
        return float(mean_of_defined(self.of_folds(family)[None])[0])

    def of_merged(self, family: str) -> float:
        """The measure of all folds' scores together, averaged over the rankings."""
        values = self.merged[family]
        if self.positives is None:
            return float(values.mean())
        return float(weighted_mean(values[:, None], self.positives.sum(axis=1, keepdims=True))[0])


def weighted_mean(values: Floats, weights: Floats) -> Floats:
    """The mean of each column of ``values``, (rankings, folds); an undefined value without weight does not matter."""
    return quotient(np.where(weights > 0, values * weights, 0.0).sum(axis=0), weights.sum(axis=0), np.nan)


def mean_of_defined(values: Floats) -> Floats:
    """The mean of the defined values in each row; NaN without any."""
    return quotient(np.nansum(values, axis=1), (~np.isnan(values)).sum(axis=1).astype(np.float64), np.nan)


def measures_for(k: int | None, asked: Sequence[RankingMeasure] = ()) -> tuple[RankingMeasure, ...]:
    """The measures that are computed: those that need k only where it is named, and what else is asked for."""
    return (*(row for row in RANKING_MEASURES if k is not None or not row.needs_k), *asked)


def ranking_values(
    part: FoldSet,
    k: int | None,
    bootstrap: Bootstrap | None,
    average: Average = "macro",
    asked: Sequence[RankingMeasure] = (),
) -> RankingValues | None:
    """Rank by one column of scores after the other, so that one is in memory at a time; None without scores."""
    if part.y_score is None:
        return None
    rows = measures_for(k, asked)
    each: dict[str, list[list[float]]] = {row.family: [] for row in rows}
    merged: dict[str, list[float]] = {row.family: [] for row in rows}
    views = ranked_views(part, average)
    several = part.y_score.shape[1] > 1
    drawn = None if several else bootstrap
    intervals: Intervals = {}
    if several and bootstrap is not None:
        intervals = dict.fromkeys((key for row in rows for key, _ in row.aggregates), SEVERAL)
    one_class = True
    for view in views:
        summaries: dict[str, list[Any]] = {row.family: [] for row in rows}
        for row in rows:
            each[row.family].append([])
        of_folds = list(view.fold_rankings())
        for ranking, groups in zip(of_folds, view.groups(), strict=True):
            one_class = one_class and not (len(ranking.positives) and len(ranking.negatives))
            for row in rows:
                each[row.family][-1].append(row.function(ranking, k or 0))
                summaries[row.family] += summary_of(row, ranking, k, drawn, groups)
        whole, (groups,) = Ranking.merged(of_folds), view.groups(merged=True)
        for row in rows:
            merged[row.family].append(row.function(whole, k or 0))
            if drawn is not None:
                both = (summaries[row.family], summary_of(row, whole, k, drawn, groups))
                for (key, _), known in zip(row.aggregates, both, strict=True):
                    intervals[key] = why_not_grouped(part, key) or interval_of(row, known, drawn)
    positives = np.array([view.positives() for view in views]) if average == "weighted" and several else None
    return RankingValues(
        {family: np.array(values) for family, values in each.items()},
        {family: np.array(values) for family, values in merged.items()},
        intervals,
        positives,
        one_class,
    )


def why_not_grouped(part: FoldSet, key: str) -> str:
    """Why samples in groups allow no interval of an aggregate; empty where they do, and without groups."""
    units = "" if part.group is None else units_of(part, within_folds=key.endswith("_avg"))
    return units if isinstance(units, str) else ""


def summary_of(
    row: RankingMeasure, ranking: Ranking, k: int | None, bootstrap: Bootstrap | None, groups: RankedGroups | None
) -> list[Any]:
    """What an interval must know of a ranking; nothing where the measure is undefined, and without intervals."""
    if bootstrap is None or row.summary is None:
        return []
    found = row.summary(ranking, k or 0, bootstrap.class_sizes, groups)
    return [] if found is None else [found]


def interval_of(row: RankingMeasure, summaries: Sequence[Any], bootstrap: Bootstrap) -> Interval | str:
    """The interval of the mean of a measure over some rankings."""
    if row.interval is None:
        return NO_INTERVAL
    return row.interval(summaries, bootstrap.level, bootstrap.class_sizes) if summaries else UNDEFINED


def ranking_aggregates(
    found: RankingValues, k: int | None, of_positive: str = "", asked: Sequence[RankingMeasure] = ()
) -> list[Aggregate]:
    """The mean over folds, and the merged value, of every measure.

    With several columns of scores (one against the rest each) it is an average over the columns. ``of_positive`` is a
    note for all of them.
    """
    aggregates = []
    for row in measures_for(k, asked):
        each = found.of_folds(row.family)
        missing = int(np.isnan(each).sum())
        left_out = f"undefined in {missing} of {len(each)} folds, which are left out" if missing else ""
        only = NOTHING_RANKED if found.one_class and missing < len(each) else ""
        name = row.label.format(k=k)
        values = (
            (found.mean(row.family), f"mean of the folds' {name}", "; ".join(filter(None, (left_out, only)))),
            (found.of_merged(row.family), f"{name} of all folds' scores together", ""),
        )
        for (key, label), (value, meaning, own_note) in zip(row.aggregates, values, strict=True):
            right = key.endswith("_avg")
            undefined = row.why_undefined(not right, k, len(found.merged[row.family]))
            interval = found.intervals.get(key, NOT_ASKED)
            note = "; ".join(filter(None, (own_note, of_positive, subject_of(row.family, interval))))
            label = label.format(k=k)
            vacuous = right and found.one_class
            aggregate = Aggregate(key, label, meaning, row.family, value, right, note=note, vacuous=vacuous)
            aggregates.append(aggregate.completed(interval, bias_of(value, interval), undefined))
    return aggregates


def bias_of(value: float, interval: Interval | str) -> Bias | str:
    """The bias of an aggregate relative to the estimate without it, or why there is none."""
    unbiased = interval.unbiased if isinstance(interval, Interval) else None
    return Bias(value / unbiased - 1, 0.0) if unbiased else F_ONLY


def subject_of(family: str, interval: Interval | str) -> str:
    """What the interval of average precision is about; empty for other measures, whose bias is small."""
    if family != "ap" or isinstance(interval, str):
        return ""
    return OF_MEAN if interval.unbiased is None else OF_UNBIASED
