"""Intervals of AUC and average precision from their variance, and of precision at k.

The variance of a mean over folds is that of each fold by itself, added up. The interval is symmetric on the logit (that
of average precision on a scale on which its standard error does not depend on it), so that it stays between 0 and 1,
and takes Student's t with the degrees of freedom that Satterthwaite (1946) gives: with two positives a fold, a variance
is hardly known. No sample is drawn, so that millions of samples take no longer than the measure itself.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from cvlint.runtime.intervals.bootstrap import (
    CERTAIN,
    EACH_FOLD,
    FEW,
    FEW_IN_FOLDS,
    LEAST,
    LONE,
    LONE_CLASS,
    LONE_GROUP,
    ClassSizes,
    Interval,
)
from cvlint.runtime.intervals.ranking_bias import SHARED, LogitBias, logit
from cvlint.runtime.intervals.ranking_influence import RankedGroups, RankingVariance
from cvlint.runtime.intervals.student_t import t_quantile
from cvlint.runtime.intervals.truncated_binomial import TruncatedBinomial, expit
from cvlint.runtime.measures.ranking import Ranking

TOO_FEW = f"fewer than {LEAST} positives or negatives are among the first samples, or fewer than {LEAST} are left"
NARROWEST = 2 * LEAST
LEAST_GROUPS = 20  # that hold a sample of each class
FEW_OF_CLASS = f"fewer than {LEAST_GROUPS} groups hold a positive, or a negative: too few to show how far they differ"
LONE_GROUP_OF_CLASS = "a single group holds samples of a true class, which does not show how far such groups differ"
UNLIMITED = "so few samples decide it that one of its limits is not known"
TOO_NARROW = (
    f"it needs at least {LEAST} positives and {LEAST} negatives among the first samples, and as many that are left, "
    "and with so few samples hardly any result has them"
)
WEIGHTED_TOP = "its samples have weights, for which no interval of it is implemented"


def mean_interval(folds: Sequence[RankingVariance], level: float, class_sizes: ClassSizes) -> Interval | str:
    """The interval of the mean of a measure over some rankings, or why there is none.

    That of average precision is about the true one: it lies around the mean without its bias, unless many samples tie,
    for which the bias is not known.
    """
    grouped = any(fold.grouped for fold in folds)
    if any(fold.lone for fold in folds):
        several, single = (LONE_GROUP, LONE_GROUP_OF_CLASS) if grouped else (LONE, LONE_CLASS)
        return several if len(folds) > 1 else single
    fewest = min(sum(fold.samples[side] for fold in folds) for side in (0, 1))
    if fewest < (LEAST_GROUPS if grouped else LEAST):
        return FEW_OF_CLASS if grouped else FEW
    if grouped and len(folds) > 1 and fewest < EACH_FOLD * len(folds):
        return FEW_IN_FOLDS
    mean = math.fsum(fold.value for fold in folds) / len(folds)
    variance, freedom = variance_of_mean(folds)
    if variance < 1e-24 or not 0 < mean < 1:
        return CERTAIN
    wide, error = t_quantile((1 + level) / 2, freedom), math.sqrt(variance) / (mean * (1 - mean))
    ranks = [fold.ranks for fold in folds if fold.ranks is not None]
    tied = math.fsum(fold.tied for fold in ranks) / len(folds) > SHARED * math.sqrt(variance)
    if not ranks or tied:
        return Interval(expit(logit(mean) - wide * error), expit(logit(mean) + wide * error), level)
    bias = LogitBias.of(ranks)
    centre, reach = logit(mean) - bias.shift, wide * error * bias.factor
    low, high = (centre + stretched(side * reach, bias.growth) for side in (-1, 1))
    if low == -math.inf or high == math.inf:
        return UNLIMITED
    return Interval(expit(low), expit(high), level, unbiased=expit(centre))


def variance_of_mean(folds: Sequence[RankingVariance]) -> tuple[float, float]:
    """The variance of the mean over some rankings, and its degrees of freedom.

    A single ranking takes the larger of two variances: where few positives of many rank high, a value without each
    sample differs too little from that with all.
    """
    several = [[part for fold in folds for part in fold.parts]]
    if all(fold.left_out is not None for fold in folds):
        others = [part for fold in folds for part in fold.left_out or ()]
        several = [others] if len(folds) > 1 else [*several, others]
    parts = max(several, key=lambda own: math.fsum(variance for variance, _ in own))
    variance = math.fsum(each for each, _ in parts)
    squared = math.fsum(each**2 / freedom for each, freedom in parts)
    return variance / len(folds) ** 2, variance**2 / squared if squared else 1.0


def stretched(reach: float, growth: float) -> float:
    """How far an end lies from the centre, if the standard error grows exponentially on the way (falls for below 0).

    That is the way by which the end moves on the scale on which the standard error is the same everywhere.
    """
    if abs(growth * reach) < 1e-9:
        return reach
    left = 1 - growth * reach
    return -math.log(left) / growth if left > 0 else math.copysign(math.inf, reach)


@dataclass(frozen=True, slots=True)
class TopShare:
    """The first ``taken`` samples of a ranking, and what lies at their border."""

    taken: float
    hits: float
    """Their number, and the positives among them; samples that tie count as far as they are likely to be taken."""
    positives: float
    negatives: float
    """The numbers of all samples."""
    border: float
    border_hits: float
    """The number of samples around the last place, and the positives among them."""
    weighted: bool
    """Whether samples have weights."""
    of_groups: tuple[float, float, float] | None = None
    """Sums over the groups of the squares of their hits, of the products of hits and samples taken, and of the squares
    of samples taken, each less its mean; None without groups.
    """


def top_share(ranking: Ranking, k: int, class_sizes: ClassSizes, groups: RankedGroups | None = None) -> TopShare | None:
    """The first ``k`` samples; None with fewer."""
    total = len(ranking.positives) + len(ranking.negatives)
    if not 1 <= k <= total:
        return None
    reach = min(max(1, k // 4), max(total - k, 1), k)
    low, high = max(0, k - reach), min(total, k + reach)
    unweighted = Ranking(ranking.positives, ranking.negatives)
    below, hits, above = (n * unweighted.precision_at(n) if n else 0.0 for n in (low, k, high))
    weighted = ranking.positive_weights is not None
    squares = None if groups is None else squares_of_groups(unweighted, k, groups)
    sizes = len(ranking.positives), len(ranking.negatives)
    return TopShare(k, hits, *sizes, high - low, above - below, weighted, squares)


def squares_of_groups(ranking: Ranking, k: int, groups: RankedGroups) -> tuple[float, float, float]:
    """How far the groups differ in their hits and in their samples among the first ``k``, as `TopShare` holds it."""
    sides = ranking.positives, ranking.negatives
    best = np.concatenate([side[-k:] for side in sides])
    bar = np.partition(best, len(best) - k)[len(best) - k]
    above, tied = (sum(int(np.sum(test(side, bar))) for side in sides) for test in (np.greater, np.equal))
    right, wrong = ((side > bar) + (side == bar) * ((k - above) / tied) for side in sides)
    each = groups.summed(right, 0 * wrong), groups.summed(right, wrong)
    hits, taken = (own - own.mean() for own in each)
    scale = groups.count / max(groups.count - 1, 1)
    return float(hits @ hits) * scale, float(hits @ taken) * scale, float(taken @ taken) * scale


def precision_interval(folds: Sequence[TopShare], level: float, class_sizes: ClassSizes) -> Interval | str:
    """The interval of the mean precision at k, by as many independent labels as have the same variance.

    A positive among the first k pushes the last of them out, which is a positive with the share at the border: so the
    variance is larger than that of independent labels, and smaller where the first k are a large part of a class. The
    interval allows for the limits on the hits outside of which there is none.
    """
    if any(fold.weighted for fold in folds):
        return WEIGHTED_TOP
    taken, hits, positives, negatives, border, border_hits = (
        math.fsum(getattr(fold, name) for fold in folds)
        for name in ("taken", "hits", "positives", "negatives", "border", "border_hits")
    )
    lowest, highest = max(LEAST, taken - negatives + LEAST), min(taken - LEAST, positives - LEAST)
    if highest - lowest < NARROWEST:
        return TOO_NARROW
    if not lowest - 1e-9 <= hits <= highest + 1e-9:
        return TOO_FEW
    p, last = (hits + 0.5) / (taken + 1), (border_hits + 0.5) / (border + 1)
    variance = taken * (p * (1 - last) ** 2 + (1 - p) * last**2)
    if class_sizes == "random" or folds[0].of_groups is not None:
        variance -= (taken * (p - last)) ** 2 / (positives + negatives)
    else:
        variance -= (taken * p * (1 - last)) ** 2 / max(positives, 1) + (taken * (1 - p) * last) ** 2 / max(
            negatives, 1
        )
    if all(fold.of_groups is not None for fold in folds):
        both = [math.fsum(fold.of_groups[i] for fold in folds if fold.of_groups is not None) for i in range(3)]
        variance = max(variance, both[0] - 2 * last * both[1] + last**2 * both[2])
    if variance < 1e-9 * taken:
        return CERTAIN
    drawn = class_sizes == "random" or folds[0].of_groups is not None  # the number of positives
    most = taken if drawn else min(taken, positives)  # hits: the variance falls to 0 where all of these are hits
    share = (hits + 0.5) / (most + 1)
    independent = most**2 * share * (1 - share) / variance
    within = TruncatedBinomial.of(hits, lowest, highest, independent / most, independent)
    found = within.interval(logit(share), 1 / math.sqrt(independent * share * (1 - share)), level)
    return TOO_FEW if found is None else Interval(found.low * most / taken, found.high * most / taken, level)
