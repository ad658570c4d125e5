"""Where the scores of each fold stand among those of all: why AUC_merge differs from AUC_avg."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice

import numpy as np

from cvlint.runtime.data.foldset import FoldSet
from cvlint.runtime.data.labels import Label
from cvlint.runtime.measures.counts import Floats

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


@dataclass(frozen=True, eq=False, slots=True)
class FoldPlaces:
    """The places of one fold's scores, each the share of all folds' negatives that score lower, a tie counting half.

    Attributes
    ----------
    fold
        Its name.
    negatives
        The `QUANTILES` of its negatives' places, (5,), from 0 to 1; NaN without negatives.
    positives
        The places of its positives, ascending.
    """

    fold: Label
    negatives: Floats
    positives: Floats


@dataclass(frozen=True, eq=False, slots=True)
class ScorePlaces:
    """The folds' places, and the share of pairs of a positive and a negative that are of two different folds."""

    folds: tuple[FoldPlaces, ...]
    across: float


def score_places(data: FoldSet, column: int, most: int) -> ScorePlaces | None:
    """Look up the places of the first ``most`` folds; None where a class is absent.

    The mean of the positives' places is AUC_merge (without weights, which are not looked at); that of a fold's
    negatives is 1/2 if its scores are on the scale of the others.
    """
    truth, score = data.is_class(column), data.scores(column)
    every = np.sort(score[~truth])
    if not len(every) or not truth.any():
        return None

    def place(values: Floats) -> Floats:
        return (np.searchsorted(every, values, "left") + np.searchsorted(every, values, "right")) / (2 * len(every))

    found = []
    for name, ranking in zip(data.fold_names, islice(data.fold_rankings(column), most), strict=False):
        quartiles = np.quantile(place(ranking.negatives), QUANTILES) if len(ranking.negatives) else np.full(5, np.nan)
        found.append(FoldPlaces(name, np.asarray(quartiles), place(ranking.positives)))
    sizes, positives = data.summed(None), data.summed(truth)
    within = float(positives @ (sizes - positives)) / (float(positives.sum()) * len(every))
    return ScorePlaces(tuple(found), 1 - within)
