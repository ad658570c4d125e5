"""Confidence intervals of measures of rankings, by the same bootstrap as those of F."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cvlint.runtime.intervals.f_bootstrap import (
    CELLS,
    LONE,
    LONE_CLASS,
    MOST_SAMPLES,
    TOO_MANY,
    Bootstrap,
    Intervals,
    interval_of,
    multiplicities,
)
from cvlint.runtime.measures.counts import Floats
from cvlint.runtime.measures.ranking import Ranking


def ranking_intervals(parts: Sequence[Ranking], whole: Ranking, k: int | None, bootstrap: Bootstrap) -> Intervals:
    """Intervals of the mean over folds, and of the merged value, of each measure of a ranking.

    Parameters
    ----------
    parts, whole
        The ranking in each fold, and that of all folds together.
    k
        For precision at ``k``; None to leave it out.
    bootstrap
        How to draw: as many positives, and as many negatives, as there are, in each fold for the mean over folds and
        in all folds together for the merged value. A sample counts with its weight each time it is drawn, except in
        precision at ``k``.

    Returns
    -------
    dict
        By the aggregate's name an interval, or why there is none.
    """
    families = ("auc", "ap") if k is None else ("auc", "ap", "p_at_k")
    if len(whole.positives) + len(whole.negatives) > MOST_SAMPLES:
        return {f"{family}_{how}": TOO_MANY for family in families for how in ("avg", "merge")}
    found = {"avg": middles(parts, families, k, bootstrap), "merge": middles((whole,), families, k, bootstrap)}
    return {f"{family}_{how}": found[how][family] for family in families for how in found}


def middles(parts: Sequence[Ranking], families: Sequence[str], k: int | None, bootstrap: Bootstrap) -> Intervals:
    """The middles of the means of some measures over rankings that are drawn each in itself, by the measures' names."""
    if any(min(len(part.positives), len(part.negatives)) == 1 for part in parts):
        return dict.fromkeys(families, LONE if len(parts) > 1 else LONE_CLASS)
    places = [ReplicatedRanking.of(p) for p in parts]
    found: dict[str, list[Floats]] = {family: [np.zeros(0)] for family in families}
    for drawn in draws(parts, bootstrap):
        for family in families:
            values = [p.measure(family, *sides, k) for p, sides in zip(places, drawn, strict=True)]
            defined = [v for v in values if v is not None]
            if defined:
                found[family].append(np.mean(defined, axis=0))
    return {family: interval_of(np.concatenate(values), bootstrap.level) for family, values in found.items()}


def draws(parts: Sequence[Ranking], bootstrap: Bootstrap) -> Iterator[list[tuple[Floats, Floats]]]:
    """How often each positive and each negative of each ranking is drawn: (block of replicates, samples) arrays."""
    rng = np.random.default_rng(bootstrap.seed)
    samples = sum(len(p.positives) + len(p.negatives) for p in parts)
    block = max(1, CELLS // max(samples, 1))
    for start in range(0, bootstrap.replicates, block):
        size = min(block, bootstrap.replicates - start)
        yield [
            (multiplicities(rng, len(p.positives), size), multiplicities(rng, len(p.negatives), size)) for p in parts
        ]


@dataclass(frozen=True, eq=False, slots=True)
class ReplicatedRanking:
    """What is the same in every replicate of a ranking.

    Attributes
    ----------
    left, right
        Where each positive stands among the negatives: above so many, and above or beside so many.
    first
        Where each different score of positives begins.
    order, ends
        All samples, positives first, from the highest score down; where each different score ends in that order.
    positive_weights, negative_weights
        Of the samples, as in `Ranking`.
    """

    left: NDArray[np.intp]
    right: NDArray[np.intp]
    first: NDArray[np.intp]
    order: NDArray[np.intp]
    ends: NDArray[np.intp]
    positive_weights: Floats | float
    negative_weights: Floats | float

    @classmethod
    def of(cls, ranking: Ranking) -> ReplicatedRanking:
        """Look every sample up."""
        left, right = (np.searchsorted(ranking.negatives, ranking.positives, side) for side in ("left", "right"))
        scores = np.concatenate((ranking.positives, ranking.negatives))
        order = np.argsort(-scores, kind="stable")
        ends = np.flatnonzero(np.append(np.diff(scores[order]) != 0, len(scores) > 0))
        first = np.flatnonzero(np.append(len(left) > 0, np.diff(ranking.positives) != 0)[: len(left)])
        weights = [1.0 if w is None else w for w in (ranking.positive_weights, ranking.negative_weights)]
        return cls(left, right, first, order, ends, *weights)

    def measure(self, family: str, positive: Floats, negative: Floats, k: int | None) -> Floats | None:
        """A measure of each replicate, from how often each sample is drawn; None where it is undefined."""
        p, n = positive.shape[1], negative.shape[1]
        match family:
            case "auc":
                return self.auc(positive, negative) if p and n else None
            case "ap":
                return self.average_precision(positive, negative) if p and n else None
            case _:
                return self.precision_at(positive, negative, k) if k and k <= p + n else None

    def auc(self, positive: Floats, negative: Floats) -> Floats:
        """AUC of each replicate."""
        own, mass = positive * self.positive_weights, summed(negative * self.negative_weights)
        below = (own * (mass[:, self.left] + mass[:, self.right])).sum(axis=1) / 2
        return np.asarray(below / (own.sum(axis=1) * mass[:, -1]))

    def average_precision(self, positive: Floats, negative: Floats) -> Floats:
        """Average precision of each replicate."""
        right, wrong = summed(positive * self.positive_weights), summed(negative * self.negative_weights)
        total = right[:, -1:]
        below = right[:, self.first]
        taken = total - below
        own = np.diff(np.append(below, total, axis=1), axis=1)
        all_taken = taken + wrong[:, -1:] - wrong[:, self.left[self.first]]
        precision = np.divide(taken, all_taken, out=np.zeros_like(taken), where=all_taken > 0)
        return np.asarray((own * precision).sum(axis=1) / total[:, 0])

    def precision_at(self, positive: Floats, negative: Floats, k: int) -> Floats:
        """Precision at ``k`` of each replicate, samples that tie being drawn at random; weights are not looked at."""
        every = summed(np.append(positive, negative, axis=1)[:, self.order])
        right = summed(np.append(positive, 0 * negative, axis=1)[:, self.order])
        upto, hits = (np.append(mass[:, :1], mass[:, self.ends + 1], axis=1) for mass in (every, right))
        row, bar = np.arange(len(upto)), (upto >= k).argmax(axis=1)
        above, tied = upto[row, bar - 1], upto[row, bar] - upto[row, bar - 1]
        return np.asarray((hits[row, bar - 1] + (k - above) * (hits[row, bar] - hits[row, bar - 1]) / tied) / k)


def summed(masses: Floats) -> Floats:
    """The sums of the first 0, 1, … in each row."""
    return np.append(np.zeros((len(masses), 1)), np.cumsum(masses, axis=1), axis=1)
