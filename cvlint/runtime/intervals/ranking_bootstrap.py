"""Bootstrap intervals of measures of rankings, such as AUC_avg and AUC_merge."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from cvlint.runtime.intervals.bootstrap import (
    LONE,
    LONE_CLASS,
    MOST_SAMPLES,
    TOO_MANY,
    Bootstrap,
    Intervals,
    measure_interval,
    multiplicities,
    replicate_blocks,
)
from cvlint.runtime.measures.counts import Floats
from cvlint.runtime.measures.ranking import Ranking

WAYS = ("avg", "merge")
"""The mean over folds, and the measure of all folds' scores merged."""


def ranking_intervals(
    parts: Sequence[Ranking], whole: Ranking, measures: Mapping[str, ReplicateMeasure], bootstrap: Bootstrap
) -> Intervals:
    """Intervals of the mean over folds, and of the merged value, of each measure of a ranking.

    Parameters
    ----------
    parts, whole
        The ranking in each fold, and that of all folds together.
    measures
        The measures of all replicates of a ranking, by their families.
    bootstrap
        How to draw: as many positives, and as many negatives, as there are, in each fold for the mean over folds and
        in all folds together for the merged value. A sample counts with its weight each time it is drawn, except in
        precision at k.

    Returns
    -------
    dict
        By the aggregate's key ("auc_avg", "auc_merge") an interval, or why there is none.
    """
    if len(whole.positives) + len(whole.negatives) > MOST_SAMPLES:
        return {f"{family}_{way}": TOO_MANY for family in measures for way in WAYS}
    found = {"avg": mean_intervals(parts, measures, bootstrap), "merge": mean_intervals((whole,), measures, bootstrap)}
    return {f"{family}_{way}": found[way][family] for family in measures for way in WAYS}


def mean_intervals(
    parts: Sequence[Ranking], measures: Mapping[str, ReplicateMeasure], bootstrap: Bootstrap
) -> Intervals:
    """The intervals of the means of some measures over rankings, each of which is drawn in itself, by family."""
    if any(min(len(part.positives), len(part.negatives)) == 1 for part in parts):
        return dict.fromkeys(measures, LONE if len(parts) > 1 else LONE_CLASS)
    rankings = [ReplicatedRanking.of(p) for p in parts]
    found: dict[str, list[Floats]] = {family: [np.zeros(0)] for family in measures}
    for drawn in draws(parts, bootstrap):
        for family, measure in measures.items():
            values = [measure(ranking, *sides) for ranking, sides in zip(rankings, drawn, strict=True)]
            defined = [v for v in values if v is not None]
            if defined:
                found[family].append(np.mean(defined, axis=0))
    return {family: measure_interval(np.concatenate(values), bootstrap.level) for family, values in found.items()}


def draws(parts: Sequence[Ranking], bootstrap: Bootstrap) -> Iterator[list[tuple[Floats, Floats]]]:
    """How often each positive and each negative of each ranking is drawn: (block of replicates, samples) arrays."""
    rng = np.random.default_rng(bootstrap.seed)
    for size in replicate_blocks(bootstrap, sum(len(p.positives) + len(p.negatives) for p in parts)):
        yield [
            (multiplicities(rng, len(p.positives), size), multiplicities(rng, len(p.negatives), size)) for p in parts
        ]


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
        """Precision at ``k`` of each replicate; None with fewer than ``k`` samples.

        Samples that tie are taken at random; weights do not count.
        """
        if not 0 < k <= (positive.sum(axis=1) + negative.sum(axis=1)).min():
            return None
        every = running_sums(np.append(positive, negative, axis=1)[:, self.order])
        right = running_sums(np.append(positive, 0 * negative, axis=1)[:, self.order])
        upto, hits = (np.append(mass[:, :1], mass[:, self.ends + 1], axis=1) for mass in (every, right))
        row, bar = np.arange(len(upto)), (upto >= k).argmax(axis=1)
        above, tied = upto[row, bar - 1], upto[row, bar] - upto[row, bar - 1]
        return np.asarray((hits[row, bar - 1] + (k - above) * (hits[row, bar] - hits[row, bar - 1]) / tied) / k)


ReplicateMeasure: TypeAlias = Callable[[ReplicatedRanking, Floats, Floats], Floats | None]
"""The measure of each replicate, from how often each positive and each negative is drawn; None where undefined."""


def running_sums(masses: Floats) -> Floats:
    """The sums of the first 0, 1, … in each row."""
    return np.append(np.zeros((len(masses), 1)), np.cumsum(masses, axis=1), axis=1)
