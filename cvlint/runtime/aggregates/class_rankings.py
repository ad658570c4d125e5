"""The rankings that an average of AUC, AP or P@k over classes needs, one against the rest.

"macro" and "weighted" rank by one column of scores after the other. "micro" ranks all pairs of a sample and a class at
once: a pair is positive where the sample belongs to the class.

References
----------
scikit-learn's `roc_auc_score` and `average_precision_score` define these averages for one set of samples.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import repeat

import numpy as np
from numpy.typing import NDArray

from cvlint.runtime.data.arrays import rows_of_each
from cvlint.runtime.data.foldset import FoldSet
from cvlint.runtime.intervals.ranking_influence import RankedGroups
from cvlint.runtime.measures.counts import Average, Floats
from cvlint.runtime.measures.ranking import Ranking


@dataclass(frozen=True, eq=False, slots=True)
class RankedView:
    """One way to rank the samples: by one column of scores, or all pairs of a sample and a class."""

    folds: FoldSet
    column: int | None

    def fold_rankings(self) -> Iterator[Ranking]:
        """The ranking in each fold."""
        if self.column is not None:
            yield from self.folds.fold_rankings(self.column)
            return
        for rows in rows_of_each(self.folds.fold, self.folds.folds):
            yield ranked_pairs(self.folds, rows)

    def groups(self, merged: bool = False) -> Iterator[RankedGroups | None]:
        """The groups of the ranking in each fold, or of all folds together; None of each where there are no groups."""
        folds, column = self.folds, self.column
        if folds.group is None or column is None:
            yield from repeat(None, 1 if merged else folds.folds)
            return
        truth, score, group = folds.is_class(column), folds.scores(column), folds.group[0].astype(np.intp)
        whole = [np.argsort(folds.fold, kind="stable")]  # samples that tie in the order of `Ranking.merged`
        for rows in whole if merged else rows_of_each(folds.fold, folds.folds):
            yield RankedGroups.of(truth[rows], score[rows], group[rows])

    def positives(self) -> Floats:
        """The positives of each fold, or the sums of their weights, (folds,)."""
        if self.column is None:
            raise ValueError("pairs of samples and classes are not weighted by positives")
        truth = self.folds.is_class(self.column)
        return self.folds.summed(truth if self.folds.weight is None else truth * self.folds.weight)


def ranked_views(folds: FoldSet, average: Average) -> tuple[RankedView, ...]:
    """The ways to rank that an average over classes needs; a single column of scores is ranked as it is."""
    columns = 0 if folds.y_score is None else folds.y_score.shape[1]
    if average == "micro" and columns > 1:
        return (RankedView(folds, None),)
    return tuple(RankedView(folds, column) for column in range(columns))


def ranked_pairs(folds: FoldSet, rows: NDArray[np.intp]) -> Ranking:
    """The ranking of all pairs of a class and one of some samples."""
    if folds.y_score is None:
        raise ValueError("the set holds no scores")
    score, true = folds.y_score[rows], folds.y_true[rows]
    belongs = true if folds.kind == "multilabel" else true[:, None] == np.arange(score.shape[1])
    weight = None if folds.weight is None else np.repeat(folds.weight[rows], score.shape[1])
    return Ranking.of(belongs.reshape(-1), score.reshape(-1), weight)
