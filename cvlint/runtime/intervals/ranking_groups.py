"""The groups of ranked samples, and the sums of what belongs to the samples of each.

Samples of a group are alike, so that their parts of a variance are no independent ones: the parts of each group are
added up first. The groups are drawn, so that the numbers of positives are random.

References
----------
Obuchowski 1997, Nonparametric analysis of clustered ROC curve data.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cvlint.runtime.measures.counts import Floats


@dataclass(frozen=True, eq=False, slots=True)
class RankedGroups:
    """The group of each positive and of each negative of a ranking, by rising score, from 0."""

    positives: NDArray[np.intp]
    negatives: NDArray[np.intp]
    count: int
    """The number of groups."""

    @classmethod
    def of(cls, truth: NDArray[np.bool_], score: Floats, group: NDArray[np.intp]) -> RankedGroups:
        """The groups of samples with these true classes and scores, (n,), in the order of `Ranking.of`."""
        names, codes = np.unique(group, return_inverse=True)
        sides = [codes.reshape(-1)[side][np.argsort(score[side], kind="stable")] for side in (truth, ~truth)]
        return cls(sides[0], sides[1], len(names))

    @property
    def holding(self) -> tuple[int, int]:
        """How many groups hold a positive, and how many a negative."""
        return len(np.unique(self.positives)), len(np.unique(self.negatives))

    def summed(self, positives: Floats, negatives: Floats) -> Floats:
        """The sum of the values of all samples in each group, (groups,)."""
        found = np.bincount(self.positives, positives, self.count) + np.bincount(self.negatives, negatives, self.count)
        return np.asarray(found, dtype=np.float64)

    def influences(self, positives: Floats, negatives: Floats) -> Floats:
        """The influence of each group, whose squares add up to the variance, from those of its samples.

        What the samples of a class differ by is known from the groups that hold that class only: with two such groups
        their sums of squares show half of the variance, as those of two samples do. What all samples of a class have in
        common counts as often as groups differ in their numbers of samples.
        """
        own, other = float(positives.mean()), float(negatives.mean())
        parts = [(positives - own, 0 * negatives), (0 * positives, negatives - other)]
        total = self.summed(np.full(len(positives), own), np.full(len(negatives), other))
        for part, number in zip(parts, self.holding, strict=True):
            total = total + self.summed(*part) * np.sqrt(number / max(number - 1, 1))
        return np.asarray((total - total.mean()) * np.sqrt(self.count / max(self.count - 1, 1)))
