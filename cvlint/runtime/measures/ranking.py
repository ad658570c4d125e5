"""Measures of a ranking: ROC AUC, average precision, precision among the first k."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cvlint.runtime.measures.counts import Floats

BLOCK = 4_000_000  # positives that are looked up at a time: bounds the memory


@dataclass(frozen=True, eq=False, slots=True)
class Ranking:
    """Scores of one set of samples, sorted within each class."""

    positives: Floats
    negatives: Floats
    """The scores of each class, ascending."""
    positive_weights: Floats | None = None
    negative_weights: Floats | None = None
    """Their weights in the same order; None when all are 1."""

    @classmethod
    def of(cls, truth: NDArray[np.bool_], score: Floats, weight: Floats | None = None) -> Ranking:
        """Sort the scores (n,) of samples whose true class is ``truth`` (n,)."""
        if weight is None:
            own, others = score[truth], score[~truth]  # copies: they are sorted in place
            own.sort()
            others.sort()
            return cls(own, others)
        sides: list[tuple[Floats, Floats]] = []
        for chosen in (truth, ~truth):
            order = np.argsort(score[chosen], kind="stable")
            sides.append((score[chosen][order], weight[chosen][order]))
        (positives, positive_weights), (negatives, negative_weights) = sides
        return cls(positives, negatives, positive_weights, negative_weights)

    @classmethod
    def merged(cls, rankings: Sequence[Ranking]) -> Ranking:
        """The ranking of the samples of several rankings together: sorted scores are merged sooner than sorted."""
        weighted = any(one.positive_weights is not None for one in rankings)
        sides: list[tuple[Floats, Floats | None]] = []
        for scores, weights in (
            ([one.positives for one in rankings], [one.positive_weights for one in rankings]),
            ([one.negatives for one in rankings], [one.negative_weights for one in rankings]),
        ):
            every = np.concatenate(scores)
            if weighted:
                order = np.argsort(every, kind="stable")
                sides.append((every[order], np.concatenate([own for own in weights if own is not None])[order]))
            else:
                every.sort(kind="stable")  # finds the sorted runs
                sides.append((every, None))
        (positives, positive_weights), (negatives, negative_weights) = sides
        return cls(positives, negatives, positive_weights, negative_weights)

    def roc_auc(self) -> float:
        """The probability that a positive scores above a negative; a tie counts half; NaN without both classes."""
        if not (len(self.positives) and len(self.negatives)):
            return float("nan")
        below = 0.0
        if self.positive_weights is None or self.negative_weights is None:
            for start in range(0, len(self.positives), BLOCK):
                block = self.positives[start : start + BLOCK]
                left = np.searchsorted(self.negatives, block, "left")
                tied = np.flatnonzero(self.negatives[np.minimum(left, len(self.negatives) - 1)] == block)
                right = np.searchsorted(self.negatives, block[tied], "right")
                below += int(left.sum()) + int((right - left[tied]).sum()) / 2
            return below / (len(self.positives) * len(self.negatives))
        mass = running(self.negative_weights)
        left_mass = mass[np.searchsorted(self.negatives, self.positives, "left")]
        right_mass = mass[np.searchsorted(self.negatives, self.positives, "right")]
        below = float(self.positive_weights @ (left_mass + right_mass)) / 2
        return below / (float(self.positive_weights.sum()) * float(mass[-1]))

    def average_precision(self) -> float:
        """The mean of the precision at the score of each positive, as in scikit-learn; NaN without positives."""
        count = len(self.positives)
        if not count:
            return float("nan")
        mass = other = None
        if self.positive_weights is not None and self.negative_weights is not None:
            mass, other = running(self.positive_weights), running(self.negative_weights)
        first = np.flatnonzero(np.concatenate(([True], self.positives[1:] != self.positives[:-1])))  # of each score
        gained = 0.0
        for start in range(0, len(first), BLOCK):
            here = first[start : start + BLOCK]
            places = np.searchsorted(self.negatives, self.positives[here], "left")
            upto = np.append(here[1:], first[start + BLOCK] if start + BLOCK < len(first) else count)
            if mass is None or other is None:
                taken, own, wrong = count - here, upto - here, len(self.negatives) - places
            else:
                taken, own, wrong = mass[-1] - mass[here], mass[upto] - mass[here], other[-1] - other[places]
            gained += float(own @ (taken / (taken + wrong)))
        return gained / (count if mass is None else float(mass[-1]))

    def precision_at(self, k: int) -> float:
        """The share of positives among the ``k`` highest scores, as a share of their weights; ties fall at random.

        ``k`` counts samples. Of samples that tie for the last places, each counts with the probability that it is
        taken: without weights the result is the expected precision, with weights a ratio of expected weights. NaN when
        there are fewer than ``k`` samples.
        """
        total = len(self.positives) + len(self.negatives)
        if not 1 <= k <= total:
            return float("nan")
        best = np.concatenate((self.positives[-k:], self.negatives[-k:]))
        bar = np.partition(best, len(best) - k)[len(best) - k]
        above, tied, above_mass, tied_mass = 0, 0, [], []
        for side, weights in ((self.positives, self.positive_weights), (self.negatives, self.negative_weights)):
            left, right = np.searchsorted(side, bar, "left"), np.searchsorted(side, bar, "right")
            above += len(side) - int(right)
            tied += int(right - left)
            mass = (len(side) - right, right - left) if weights is None else (weights[right:], weights[left:right])
            above_mass.append(float(np.sum(mass[0])))
            tied_mass.append(float(np.sum(mass[1])))
        taken = (k - above) / tied
        true, false = (high + taken * level for high, level in zip(above_mass, tied_mass, strict=True))
        return true / (true + false)


def running(weights: Floats) -> Floats:
    """The sums of the first 0, 1, … weights."""
    return np.concatenate(([0.0], np.cumsum(weights)))
