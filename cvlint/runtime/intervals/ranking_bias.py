"""How far average precision of small folds lies above that of endless samples with the same share of positives.

Each fold's precision at a positive is that of a few samples, in which the positive itself is always a hit. How far this
raises the mean depends on the whole ROC curve. Its empirical points are too spread for that (their own chance would
count twice), so a binormal curve is fitted to the ranks of all folds' positives among the negatives of their fold. The
expected precision at each of its points follows from the binomial distribution. Only the bias, and how the standard
error changes with the value, are taken from the fitted curve, never the value.

References
----------
Metz, Herman & Shen 1998, Maximum likelihood estimation of receiver operating characteristic (ROC) curves from
continuously-distributed data.
DiCiccio, Monti & Young 2006, Variance stabilization for a scalar parameter.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from statistics import NormalDist

import numpy as np

from cvlint.runtime.measures.counts import Floats
from cvlint.runtime.measures.ranking import Ranking

MOST_RANKS = 500  # of each fit: more change the bias, which is small with so many, by nothing that counts
STEP = 0.1
APART = 3 * STEP  # how far a curve is moved to see how its standard error changes
REACH = 7.0  # standard deviations; lower shares than 10^-12 cannot be told from 0
POINTS = 400
NODES = 24
DECAY = 40.0
ROUNDS = 4
CANDIDATES = 9
SHARED = 0.25  # standard errors: where ties of both classes move average precision by more, its bias is not estimated


@dataclass(frozen=True, eq=False, slots=True)
class RankedPositives:
    """The ranks of the positives of one fold among its negatives."""

    above: Floats
    """The number of negatives above each positive; a tie counts half. At most `MOST_RANKS` of them, evenly chosen."""
    positives: float
    negatives: float
    """The numbers of samples; with weights, of those that are worth as much."""
    tied: float
    """How much higher average precision is if ties are broken at random."""

    @classmethod
    def of(cls, ranking: Ranking) -> RankedPositives:
        """The ranks in one ranking with both classes."""
        own, others = effective(ranking)
        chosen = evenly(len(ranking.positives))
        places = [np.searchsorted(ranking.negatives, ranking.positives[chosen], side) for side in ("left", "right")]
        if ranking.negative_weights is None:
            above = len(ranking.negatives) - (places[0] + places[1]) / 2
        else:
            mass = np.concatenate(([0.0], np.cumsum(ranking.negative_weights)))
            above = (1 - (mass[places[0]] + mass[places[1]]) / 2 / mass[-1]) * others
        tied = 0.0
        if (places[0] != places[1]).any():
            raised = np.nextafter(ranking.positives, np.inf)
            tied = (replace(ranking, positives=raised).average_precision() - ranking.average_precision()) / 2
        return cls(np.asarray(above, dtype=np.float64), own, others, tied)


def effective(ranking: Ranking) -> tuple[float, float]:
    """How many positives and negatives without weights are worth as much as those of a ranking (Kish 1965).

    They keep the share of positives: the smaller class decides.
    """
    if ranking.positive_weights is None or ranking.negative_weights is None:
        return float(len(ranking.positives)), float(len(ranking.negatives))
    totals = [float(each.sum()) for each in (ranking.positive_weights, ranking.negative_weights)]
    worth = [float(each @ each) / each.sum() for each in (ranking.positive_weights, ranking.negative_weights)]
    return totals[0] / max(worth), totals[1] / max(worth)


def evenly(count: int) -> slice:
    """At most `MOST_RANKS` of so many, at equal distances."""
    return slice((count - 1) // MOST_RANKS // 2, None, 1 + (count - 1) // MOST_RANKS)


@dataclass(frozen=True, slots=True)
class BinormalCurve:
    """A ROC curve whose false positive rate at the scores of positives is normal on the probit."""

    mean: float
    deviation: float

    @classmethod
    def of(cls, above: Floats, negatives: Floats) -> BinormalCurve:
        """The most likely curve for positives with so many negatives above them, of so many."""
        grid, log_rate, log_rest = rates()
        likely = above[:, None] * log_rate + (negatives - above)[:, None] * log_rest
        likely = np.exp(likely - likely.max(axis=1, keepdims=True))
        mean, deviation, reach, factor = -1.5, 1.0, 4.0, 6.0
        for _ in range(ROUNDS):
            means = mean + reach * np.linspace(-1, 1, CANDIDATES)
            deviations = deviation * factor ** np.linspace(-1, 1, CANDIDATES)
            every, spread = (each.ravel() for each in np.meshgrid(means, deviations))
            share = np.exp(-(((grid[:, None] - every) / spread) ** 2) / 2)
            share /= share.sum(axis=0)
            best = int(np.log(np.maximum(likely @ share, 1e-300)).sum(axis=0).argmax())
            mean, deviation = float(every[best]), max(float(spread[best]), STEP)
            reach, factor = reach / 3, factor ** (1 / 3)
        return cls(mean, deviation)

    def points(self) -> Floats:
        """The false positive rate at `POINTS` positives, from the highest on."""
        grid, log_rate, _ = rates()
        return np.asarray(np.exp(np.interp(self.mean + self.deviation * quantiles(), grid, log_rate)))


@cache
def rates() -> tuple[Floats, Floats, Floats]:
    """A grid of probits, with the logarithms of the shares that lie below and above."""
    grid = np.linspace(-REACH, REACH, round(2 * REACH / STEP) + 1, dtype=np.float64)
    below: Floats = np.log(np.array([NormalDist().cdf(float(z)) for z in grid]))
    return grid, below, below[::-1]


@cache
def quantiles() -> Floats:
    """The quantiles of the standard normal distribution in the middle of `POINTS` equal shares."""
    return np.array([NormalDist().inv_cdf((i + 0.5) / POINTS) for i in range(POINTS)])


def expected_precision(recall: Floats, alarms: Floats, positives: float, negatives: float) -> Floats:
    """The expected precision at a positive, from the chance that another positive, or a negative, ranks above it.

    It is the mean of (1 + X) / (1 + X + Y) for binomial X and Y: the integral over z from 0 to 1 of the mean of
    (1 + X) z^(X + Y), which is a product.
    """
    nodes, weights = np.polynomial.legendre.leggauss(NODES)
    upto = np.minimum(1, DECAY / np.maximum((positives - 1) * recall + negatives * alarms, 1e-9))
    left = upto[:, None] * (nodes + 1) / 2
    own, other = 1 - recall[:, None] * left, 1 - alarms[:, None] * left
    powers = (positives - 2) * np.log(own) + negatives * np.log(other)
    return np.asarray(upto * (((own + (positives - 1) * recall[:, None] * (1 - left)) * np.exp(powers)) @ weights) / 2)


def expected_and_true(curve: BinormalCurve, positives: float, negatives: float) -> tuple[float, float]:
    """Average precision of a curve: expected of so many samples, and of endlessly many with the same shares."""
    recall, alarms = (np.arange(POINTS) + 0.5) / POINTS, curve.points()
    true = float(np.mean(positives * recall / (positives * recall + negatives * alarms)))
    return float(np.mean(expected_precision(recall, alarms, positives, negatives))), true


@dataclass(frozen=True, slots=True)
class LogitBias:
    """How far the logit of a mean of average precisions is too high, and how much wider its interval must be."""

    shift: float
    factor: float
    """How far the true value moves where the mean moves by 1, if the classes move apart."""
    growth: float
    """How fast the logarithm of the standard error grows with the logit of the value, if the classes move apart."""

    @classmethod
    def of(cls, folds: Sequence[RankedPositives]) -> LogitBias:
        """The bias of the mean over folds of these ranks."""
        above = np.concatenate([fold.above for fold in folds])
        negatives = np.repeat([fold.negatives for fold in folds], [len(fold.above) for fold in folds])
        chosen = np.argsort(above / negatives, kind="stable")[evenly(len(above))]
        curve = BinormalCurve.of(above[chosen], negatives[chosen])
        size = [float(np.mean([getattr(fold, name) for fold in folds])) for name in ("positives", "negatives")]
        moved = BinormalCurve(curve.mean + STEP, curve.deviation)
        (expected, true), moves = (
            [logit(each) for each in expected_and_true(one, size[0], size[1])] for one in (curve, moved)
        )
        change = moves[0] - expected
        factor = max(1.0, (moves[1] - true) / change) if abs(change) > 1e-9 else 1.0
        return cls(expected - true, factor, growth_of(curve, size[0], size[1]))


def growth_of(curve: BinormalCurve, positives: float, negatives: float) -> float:
    """How fast the logarithm of the standard error grows with the logit of average precision around a curve."""
    sides = [BinormalCurve(curve.mean + step, curve.deviation) for step in (APART, -APART)]
    (low, small), (high, large) = (value_and_error(one, positives, negatives) for one in sides)
    return math.log(large / small) / (high - low) if high - low > 1e-9 and min(small, large) > 1e-9 else 0.0


def value_and_error(curve: BinormalCurve, positives: float, negatives: float) -> tuple[float, float]:
    """The logit of average precision of a curve, and its standard error in so many samples, if these are many."""
    recall, alarms = (np.arange(POINTS) + 0.5) / POINTS, curve.points()
    own, other = positives * recall, negatives * alarms
    precision = own / (own + other)
    value = float(precision.mean())
    gain, loss = (np.cumsum((each / (own + other) ** 2 / POINTS)[::-1])[::-1] for each in (other, own))
    of_positive = precision - value + positives * gain
    of_negative, mass = np.append(negatives * loss, 0.0), np.diff(np.concatenate(([0.0], alarms, [1.0])))
    spread = float(mass @ (of_negative - mass @ of_negative) ** 2)
    variance = float(of_positive.var()) / positives + spread / negatives
    return logit(value), math.sqrt(variance) / (value * (1 - value)) if 0 < value < 1 else 0.0


def logit(share: float) -> float:
    """The logarithm of the odds; finite for 0 and 1, too."""
    inside = min(max(share, 1e-12), 1 - 1e-12)
    return math.log(inside / (1 - inside))
