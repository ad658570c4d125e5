"""Rank the scores of each fold among the negatives of all folds, which shows why AUC_merge differs from AUC_avg."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice

import numpy as np

from cvlint.runtime.data.foldset import FoldSet
from cvlint.runtime.data.labels import Label
from cvlint.runtime.measures.counts import Floats

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


@dataclass(frozen=True, eq=False, slots=True)
class FoldRanks:
    """The ranks of one fold's scores: the share of all folds' negatives that score lower; a tie counts half."""

    fold: Label
    """The name of the fold."""
    negatives: Floats
    """The `QUANTILES` of the ranks of its negatives, (5,), from 0 to 1; NaN without negatives."""
    positives: Floats
    """The ranks of its positives, ascending."""


@dataclass(frozen=True, eq=False, slots=True)
class ScoreRanks:
    """The ranks of the folds, and the share of positive-negative pairs from two different folds."""

    folds: tuple[FoldRanks, ...]
    across: float


def score_ranks(data: FoldSet, column: int, most: int) -> ScoreRanks | None:
    """Rank the scores of the first ``most`` folds; None if a class is absent.

    The mean rank of the positives is AUC_merge without weights. The mean rank of a fold's negatives is 1/2 if its
    scores have the same scale as those of the other folds.
    """
    truth, score = data.is_class(column), data.scores(column)
    every = np.sort(score[~truth])
    if not len(every) or not truth.any():
        return None

    def rank(values: Floats) -> Floats:
        return (np.searchsorted(every, values, "left") + np.searchsorted(every, values, "right")) / (2 * len(every))

    found = []
    for name, ranking in zip(data.fold_names, islice(data.fold_rankings(column), most), strict=False):
        quartiles = np.quantile(rank(ranking.negatives), QUANTILES) if len(ranking.negatives) else np.full(5, np.nan)
        found.append(FoldRanks(name, np.asarray(quartiles), rank(ranking.positives)))
    sizes, positives = data.summed(None), data.summed(truth)
    within = float(positives @ (sizes - positives)) / (float(positives.sum()) * len(every))
    return ScoreRanks(tuple(found), 1 - within)
