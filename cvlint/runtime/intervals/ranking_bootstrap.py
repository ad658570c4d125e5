"""Measures of many replicates of a ranking at once, each of which draws some samples several times."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from cvlint.runtime.measures.counts import Floats
from cvlint.runtime.measures.ranking import Ranking

WAYS = ("avg", "merge")
"""The mean over folds, and the measure of all folds' scores merged."""


@dataclass(frozen=True, eq=False, slots=True)
class ReplicatedRanking:
    """A ranking with its samples looked up once, to measure many replicates of it."""

    left: NDArray[np.intp]
    right: NDArray[np.intp]
    """For each positive, how many negatives have a lower score, and how many a score that is not higher."""
    first: NDArray[np.intp]
    """Where each distinct score of the positives begins."""
    order: NDArray[np.intp]
    ends: NDArray[np.intp]
    """All samples, positives first, by falling score; where each distinct score ends in that order."""
    positive_weights: Floats | float
    negative_weights: Floats | float
    """Of the samples, as in `Ranking`."""

    @classmethod
    def of(cls, ranking: Ranking) -> ReplicatedRanking:
        """Look up every sample."""
        left, right = (np.searchsorted(ranking.negatives, ranking.positives, side) for side in ("left", "right"))
        scores = np.concatenate((ranking.positives, ranking.negatives))
        order = np.argsort(-scores, kind="stable")
        ends = np.flatnonzero(np.append(np.diff(scores[order]) != 0, len(scores) > 0))
        first = np.flatnonzero(np.append(len(left) > 0, np.diff(ranking.positives) != 0)[: len(left)])
        weights = [1.0 if w is None else w for w in (ranking.positive_weights, ranking.negative_weights)]
        return cls(left, right, first, order, ends, *weights)

    def auc(self, positive: Floats, negative: Floats) -> Floats | None:
        """AUC of each replicate, from how often each sample is drawn; None without both classes."""
        if not (positive.shape[1] and negative.shape[1]):
            return None
        own, mass = positive * self.positive_weights, running_sums(negative * self.negative_weights)
        below = (own * (mass[:, self.left] + mass[:, self.right])).sum(axis=1) / 2
        return np.asarray(below / (own.sum(axis=1) * mass[:, -1]))

    def average_precision(self, positive: Floats, negative: Floats) -> Floats | None:
        """Average precision of each replicate; None without both classes."""
        if not (positive.shape[1] and negative.shape[1]):
            return None
        right, wrong = running_sums(positive * self.positive_weights), running_sums(negative * self.negative_weights)
        total = right[:, -1:]
        below = right[:, self.first]
        taken = total - below
        own = np.diff(np.append(below, total, axis=1), axis=1)
        all_taken = taken + wrong[:, -1:] - wrong[:, self.left[self.first]]
        precision = np.divide(taken, all_taken, out=np.zeros_like(taken), where=all_taken > 0)
        return np.asarray((own * precision).sum(axis=1) / total[:, 0])

    def precision_at(self, positive: Floats, negative: Floats, k: int) -> Floats | None:
        """Precision at ``k`` of each replicate, as `Ranking.precision_at`; None with fewer than ``k`` samples."""
        if not 0 < k <= (positive.sum(axis=1) + negative.sum(axis=1)).min():
            return None
        times = running_sums(np.append(positive, negative, axis=1)[:, self.order])
        upto = np.append(times[:, :1], times[:, self.ends + 1], axis=1)
        row, bar = np.arange(len(upto)), (upto >= k).argmax(axis=1)
        taken = (k - upto[row, bar - 1]) / (upto[row, bar] - upto[row, bar - 1])
        own, other = positive * self.positive_weights, negative * self.negative_weights
        sides = np.append(own, 0 * other, axis=1), np.append(0 * own, other, axis=1)
        true, false = (self.mass_taken(side, row, bar, taken) for side in sides)
        return np.asarray(true / (true + false))

    def mass_taken(self, mass: Floats, row: NDArray[np.intp], bar: NDArray[np.intp], taken: Floats) -> Floats:
        """The mass above the score ``bar`` of each replicate, and the share ``taken`` of the mass at that score."""
        upto = np.append(np.zeros((len(mass), 1)), running_sums(mass[:, self.order])[:, self.ends + 1], axis=1)
        return np.asarray(upto[row, bar - 1] + taken * (upto[row, bar] - upto[row, bar - 1]))


ReplicateMeasure: TypeAlias = Callable[[ReplicatedRanking, Floats, Floats], Floats | None]
"""The measure of each replicate, from how often each positive and each negative is drawn; None where undefined."""


def running_sums(masses: Floats) -> Floats:
    """The sums of the first 0, 1, … in each row."""
    return np.append(np.zeros((len(masses), 1)), np.cumsum(masses, axis=1), axis=1)
