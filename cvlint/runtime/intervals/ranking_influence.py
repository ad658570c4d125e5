"""How much AUC and average precision hang on each sample: the parts that their variance is made of.

For AUC these are the placements of DeLong, DeLong & Clarke-Pearson (1988): for a positive the share of negatives that
it outranks, for a negative the share of positives that outrank it. For average precision they are its derivatives by
the weight of each sample, known as the infinitesimal jackknife (Efron 1982), and its values without each sample (the
jackknife of Efron & Stein 1981). All follow from the sums of a sorted ranking, without drawing.

Samples of a group are alike: their parts are added up before they are squared, as Obuchowski (1997, Nonparametric
analysis of clustered ROC curve data) does for AUC.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from cvlint.runtime.intervals.bootstrap import ClassSizes
from cvlint.runtime.intervals.ranking_bias import RankedPositives
from cvlint.runtime.measures.counts import Floats
from cvlint.runtime.measures.ranking import Ranking, running

MOST_LEFT_OUT = 2_000_000  # scores of positives that change with the samples left out: some hundredths of a second
BLOCK = 200_000
TINY = 1e-300


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


@dataclass(frozen=True, slots=True)
class RankingVariance:
    """A measure of one ranking, and the parts of its variance."""

    value: float
    """The measure."""
    parts: tuple[tuple[float, float], ...]
    """Independent parts of the variance, each with its degrees of freedom."""
    samples: tuple[int, int]
    """The numbers of positives and of negatives."""
    ranks: RankedPositives | None = None
    """For a measure with a bias in small folds, what that follows from."""
    left_out: tuple[tuple[float, float], ...] | None = None
    """The same parts by another method, which leaves out one sample after the other; None where it is not used."""
    grouped: bool = False
    """Whether the parts, and the numbers, are those of groups."""

    @property
    def lone(self) -> bool:
        """Whether a class has a single sample, and the measure hangs on it, so that its part is not known."""
        return min(self.samples) == 1


def auc_variance(
    ranking: Ranking, k: int, class_sizes: ClassSizes, groups: RankedGroups | None = None
) -> RankingVariance | None:
    """DeLong's variance of AUC; None without both classes. Neither k nor the prevalence matters."""
    if not (len(ranking.positives) and len(ranking.negatives)):
        return None
    if min(sizes(ranking, groups)) == 1:  # it has no variance that is known
        return RankingVariance(ranking.roc_auc(), (), sizes(ranking, groups), grouped=groups is not None)
    over = placements(ranking.positives, ranking.negatives, ranking.negative_weights)
    under = 1 - placements(ranking.negatives, ranking.positives, ranking.positive_weights)
    value = float(np.average(over, weights=ranking.positive_weights))
    sides = ((over, ranking.positive_weights), (under, ranking.negative_weights))
    parts = [shares(len(place), weights) for place, weights in sides]
    influences = [(place - value) * part for (place, _), part in zip(sides, parts, strict=True)]
    return variance_of(value, influences, "fixed", parts, heavy=True, groups=groups)


def ap_variance(
    ranking: Ranking, k: int, class_sizes: ClassSizes, groups: RankedGroups | None = None
) -> RankingVariance | None:
    """The variance of average precision; None without positives. Without negatives it is 1 and has none.

    With few positives a fold the derivatives show too little of the variance, and with a low average precision of one
    fold the values without each sample do.
    """
    if not len(ranking.positives):
        return None
    if min(sizes(ranking, groups)) < 2:
        size = sizes(ranking, groups)
        return RankingVariance(ranking.average_precision(), (), size, left_out=(), grouped=groups is not None)
    value, *influences = ap_influences(ranking)
    weights = ranking.positive_weights, ranking.negative_weights
    parts = [shares(len(each), own) for each, own in zip(influences, weights, strict=True)]
    found = variance_of(value, influences, class_sizes, parts, heavy=True, groups=groups)
    changes = ap_changes(ranking) if ranking.positive_weights is None else weighted_ap_changes(ranking, influences)
    others = variance_of(value, list(changes), class_sizes, parts, heavy=True, groups=groups)
    return replace(found, ranks=RankedPositives.of(ranking), left_out=others.parts)


def sizes(ranking: Ranking, groups: RankedGroups | None = None) -> tuple[int, int]:
    """The numbers of positives and of negatives, or of the groups that hold them."""
    return groups.holding if groups is not None else (len(ranking.positives), len(ranking.negatives))


def ap_influences(ranking: Ranking) -> tuple[float, Floats, Floats]:
    """Average precision, and its derivatives by the weight of each positive and of each negative, by rising score.

    Both classes must occur.
    """
    count = len(ranking.positives)
    own = np.ones(count) if ranking.positive_weights is None else ranking.positive_weights
    other = np.ones(len(ranking.negatives)) if ranking.negative_weights is None else ranking.negative_weights
    first = np.flatnonzero(np.append(True, ranking.positives[1:] != ranking.positives[:-1]))  # of each score
    mass, wrong_mass, scores = running(own), running(other), ranking.positives[first]
    taken = mass[-1] - mass[first]  # the positives from each score upwards, and the negatives
    wrong = wrong_mass[-1] - wrong_mass[np.searchsorted(ranking.negatives, scores, "left")]
    here = np.diff(np.append(mass[first], mass[-1]))
    precision = taken / (taken + wrong)
    value = float(here @ precision) / float(mass[-1])
    # More weight on a sample changes the precision at its own score and at every lower one.
    gain, loss = (running(here * change / (taken + wrong) ** 2) for change in (wrong, taken))
    place = np.repeat(np.arange(len(first)), np.diff(np.append(first, count)))
    of_positives = own * (precision[place] - value + gain[place + 1]) / mass[-1]
    of_negatives = -other * loss[np.searchsorted(scores, ranking.negatives, "right")] / mass[-1]
    return value, of_positives, of_negatives


def ap_changes(ranking: Ranking) -> tuple[Floats, Floats]:
    """How much each positive and each negative, by rising score, changes average precision: less its value without it.

    At least two samples of each class, without weights.
    """
    count, others = len(ranking.positives), len(ranking.negatives)
    first = np.flatnonzero(np.append(True, ranking.positives[1:] != ranking.positives[:-1]))  # of each score
    here = np.diff(np.append(first, count))
    taken = count - first  # the positives from each score upwards, and the negatives
    wrong = others - np.searchsorted(ranking.negatives, ranking.positives[first], "left")
    now = here * taken / (taken + wrong)
    fewer = here * (taken - 1) / np.maximum(taken + wrong - 1, 1)  # where a positive of a lower score is left out
    own = (here - 1) * (taken - 1) / np.maximum(taken + wrong - 1, 1)
    cleaner = here * taken / np.maximum(taken + wrong - 1, 1)
    total, upto = now.sum(), running(now)
    without = (running(fewer)[:-1] + own + total - upto[1:]) / (count - 1)
    place = np.searchsorted(ranking.positives[first], ranking.negatives, "right")
    without_negative = (running(cleaner)[place] + total - upto[place]) / count
    value = total / count
    of_positives = (value - np.repeat(without, here)) * (count - 1) / count
    return of_positives, np.asarray((value - without_negative) * (others - 1) / others)


def weighted_ap_changes(ranking: Ranking, influences: list[Floats]) -> tuple[Floats, Floats]:
    """As `ap_changes`, for samples with weights.

    A sample changes the precision at every lower score by its own weight, so that no running sum holds the changes of
    all samples. The highest samples, which change most, are left out one by one; others, where there are very many of
    them, have their derivatives, ``influences``, from which they hardly differ.
    """
    own, other = ranking.positive_weights, ranking.negative_weights
    if own is None or other is None:
        raise ValueError("the samples have no weights")
    first = np.flatnonzero(np.append(True, ranking.positives[1:] != ranking.positives[:-1]))  # of each score
    scores, mass, wrong_mass = ranking.positives[first], running(own), running(other)
    taken = mass[-1] - mass[first]  # the positives from each score upwards, and all samples
    every = taken + wrong_mass[-1] - wrong_mass[np.searchsorted(ranking.negatives, scores, "left")]
    here = np.diff(np.append(mass[first], mass[-1]))
    upto = running(here * taken / every)
    found = []
    for each, derivatives, is_own in zip((own, other), influences, (True, False), strict=True):
        lower = np.repeat(np.arange(len(first)), np.diff(np.append(first, len(own))))
        place = lower if is_own else np.searchsorted(scores, ranking.negatives, "right")
        changes = derivatives.copy()
        for rows in highest(place):
            reach = int(place[rows].max(initial=0))
            weight = each[rows][:, None]
            hits = np.maximum(taken[:reach] - weight * is_own, 0.0)
            precision = hits / np.maximum(every[:reach] - weight, np.maximum(hits, TINY))
            kept = np.where(np.arange(reach) < place[rows][:, None], here[:reach] * precision, 0.0).sum(axis=1)
            kept += upto[-1] - upto[place[rows] + is_own]
            total = mass[-1]
            if is_own:
                at, weight = place[rows], each[rows]
                hits = np.maximum(taken[at] - weight, 0.0)
                kept += (here[at] - weight) * hits / np.maximum(every[at] - weight, np.maximum(hits, TINY))
                total = total - weight
            changes[rows] = (upto[-1] / mass[-1] - kept / total) * (1 - each[rows] / each.sum())
        found.append(changes)
    return found[0], found[1]


def highest(place: NDArray[np.intp]) -> Iterator[slice]:
    """Rows from the last on, in blocks, until they have changed `MOST_LEFT_OUT` scores of positives."""
    stop, spent = len(place), 0
    while stop and spent < MOST_LEFT_OUT:
        start = max(0, stop - max(1, BLOCK // max(int(place[stop - 1]), 1)))
        spent += (stop - start) * int(place[stop - 1])
        yield slice(start, stop)
        stop = start


def placements(own: Floats, others: Floats, weights: Floats | None) -> Floats:
    """The share of the sorted ``others`` (of their weight) that each of ``own`` outranks; a tie counts half."""
    places = (np.searchsorted(others, own, side) for side in ("left", "right"))
    if weights is None:
        left, right = places
        return np.asarray((left + right) / (2 * len(others)))
    mass = running(weights)
    left, right = places
    return np.asarray((mass[left] + mass[right]) / (2 * mass[-1]))


def shares(count: int, weights: Floats | None) -> Floats | float:
    """The share of each of some samples in their sum."""
    return 1 / count if weights is None else weights / weights.sum()


def variance_of(
    value: float,
    influences: list[Floats],
    class_sizes: ClassSizes,
    parts_of_class: Sequence[Floats | float],
    heavy: bool = False,
    groups: RankedGroups | None = None,
) -> RankingVariance:
    """The variance of a measure from the influence of each positive and of each negative on it.

    A sample with the share h of the weights of its class pulls the mean towards itself, so that its distance from it
    shows 1 - h of the variance (MacKinnon & White 1985, HC2); without weights this is Bessel's correction.

    With a random prevalence the numbers of positives and negatives vary, too, as in independent draws. ``heavy``: few
    influences are much larger than the others, so that the variance is known less well. With groups the samples of
    each belong together, and the numbers of positives vary in any case.
    """
    if groups is not None:
        of_groups = groups.influences(influences[0], influences[1])
        part = (float(of_groups @ of_groups), freedom_of(of_groups))
        return RankingVariance(value, (part,), groups.holding, grouped=True)
    parts = []
    for each, share in zip(influences, parts_of_class, strict=True):
        if len(each) > 1:
            off = each - each.mean()
            freedom = freedom_of(off) if heavy else len(each) - 1.0
            parts.append((float(np.sum(off**2 / (1 - share))), freedom))
    if class_sizes == "random":
        positives, negatives = (len(each) for each in influences)
        change = float(influences[0].mean() - influences[1].mean())
        parts.append((change**2 * positives * negatives / (positives + negatives), positives + negatives - 1.0))
    return RankingVariance(value, tuple(parts), (len(influences[0]), len(influences[1])))


def freedom_of(off: Floats) -> float:
    """The degrees of freedom of the variance of values, of which only the distance from their mean matters.

    That variance itself varies with the kurtosis of the values (O'Neill 2014, Some useful moment results in sampling
    problems): it is that of a normal distribution with so many degrees of freedom.
    """
    count, second = len(off), float(np.mean(off**2))
    if second < 1e-24:
        return count - 1.0
    excess = float(np.mean(off**4)) / second**2 - (count - 3) / (count - 1)
    return min(count - 1.0, 2 * count / max(excess, 1e-9))
