"""The measures of rankings in each draw of whole units: samples of several repetitions, or groups."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cvlint.runtime.data.arrays import rows_of_each
from cvlint.runtime.data.foldset import FoldSet
from cvlint.runtime.intervals.ranking_bootstrap import ReplicatedRanking, ReplicateMeasure
from cvlint.runtime.measures.counts import Floats
from cvlint.runtime.measures.ranking import Ranking


@dataclass(frozen=True, eq=False, slots=True)
class UnitRanking:
    """A ranking, and the unit of each of its positives and negatives, by rising score."""

    ranking: ReplicatedRanking
    positives: NDArray[np.intp]
    negatives: NDArray[np.intp]

    @classmethod
    def of(cls, part: FoldSet, rows: NDArray[np.intp], column: int, unit: NDArray[np.intp]) -> UnitRanking:
        """The ranking of some rows by a column of scores; ``unit`` is that of every row of the set."""
        truth, score = part.is_class(column)[rows], part.scores(column)[rows]
        weight = None if part.weight is None else part.weight[rows]
        sides = [rows[chosen][np.argsort(score[chosen], kind="stable")] for chosen in (truth, ~truth)]
        return cls(ReplicatedRanking.of(Ranking.of(truth, score, weight)), *(unit[side] for side in sides))

    def measured(self, measure: ReplicateMeasure, drawn: Floats) -> Floats | None:
        """The measure in each replicate, from how often each unit is drawn; NaN where a replicate lacks a class."""
        positive, negative = drawn[:, self.positives], drawn[:, self.negatives]
        if not (positive.shape[1] and negative.shape[1]):
            return None
        with np.errstate(divide="ignore", invalid="ignore"):
            found = measure(self.ranking, positive, negative)
        if found is None:
            return None
        lacking = (positive.sum(axis=1) == 0) | (negative.sum(axis=1) == 0)
        return np.where(lacking, np.nan, found)


def unit_rankings(part: FoldSet, unit: NDArray[np.intp], column: int, merged: bool) -> list[UnitRanking]:
    """The ranking in each fold, or that of all folds together."""
    each = [np.arange(len(part))] if merged else list(rows_of_each(part.fold, part.folds))
    return [UnitRanking.of(part, rows, column, unit) for rows in each]


def mean_measures(
    rankings: Sequence[UnitRanking], measures: Mapping[str, ReplicateMeasure], drawn: Floats
) -> dict[str, Floats]:
    """The mean of each measure over the rankings that define it, in each replicate, by family."""
    found = {}
    for family, measure in measures.items():
        values = [one.measured(measure, drawn) for one in rankings]
        known = [value for value in values if value is not None]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)  # the mean of no values is NaN, as it should be
            found[family] = np.nanmean(known, axis=0) if known else np.full(len(drawn), np.nan)
    return found
