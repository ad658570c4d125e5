"""Iterative Boolean combination: the rules of a pool of classifiers that reach the envelope in the F-measure space.

Which rules can be best? With p = P(+), q = 1 - p and a = alpha, F of a rule is p TPR / (a (p TPR + q FPR) + (1 - a) p).
For 0 < a < 1 and 0 < p < 1 the divisor is above 0, and

1.  F >= c holds where (1 - a c) p TPR - a c q FPR >= (1 - a) c p. For every c that is a half-plane of ROC space: level
    sets are straight lines, all through the point (FPR, TPR) = (-(1 - a) p / (a q), 0), and F is quasi-linear. On the
    way between two points it only rises or only falls, so that on a polygon it is greatest at a vertex.
2.  F grows with TPR (c <= 1, so 1 - a c > 0) and falls with FPR. So a point on or below the upper hull of (0, 0) and
    the others, the ROC convex hull, is never better than the best vertex of that hull.

So whatever lies on or below the hull can be dropped at once: the envelope stays the same at every P(+) and for every
alpha. Conversely every vertex but (0, 0) is best at some P(+): the lines turn about a point that moves from (0, 0) to
the left without end as P(+) grows, and touch one vertex after the other. So what Algorithm 1 of the paper stores for F
is what the same search in ROC space stores, and alpha and P(+) choose among it. (For alpha = 1, precision, the same
holds of all rules but those that hold of nothing, whose precision is undefined; for alpha = 0 F is TPR.)

The hull is one of whole numbers, TP over FP, and every comparison with it is exact.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cvlint.runtime.combination.bitsets import Numbers, PackedDecisions
from cvlint.runtime.combination.boolean_functions import FUNCTIONS
from cvlint.runtime.combination.decision_rules import Combined, Rule, Scores, Threshold, is_finite, rule_of
from cvlint.runtime.errors import FoldDataError
from cvlint.runtime.measures.counts import Floats
from cvlint.runtime.spaces.fspace import f_at, f_envelope
from cvlint.runtime.thresholds.operating_points import OperatingPoints, checked_prevalence, hull_index, operating_points

THRESHOLDS = 100  # of each classifier
ITERATIONS = 10  # at most

Index: TypeAlias = NDArray[np.intp]
Pairs: TypeAlias = tuple[Sequence[Rule], PackedDecisions, Index]
"""Rules, what they decide, and from which rule of the pool on each is to be combined with them."""


@dataclass(frozen=True, slots=True)
class Combination:
    """A rule, how it did where it was chosen, and where it is the best.

    Attributes
    ----------
    rule
        What it decides by.
    tpr, fpr
        On the samples that it was chosen on, from 0 to 1.
    best_from, best_to
        At which P(+), from 0 to 1, no other rule that was tried has a higher F on these samples.
    """

    rule: Rule
    tpr: float
    fpr: float
    best_from: float
    best_to: float

    def __str__(self) -> str:
        return str(self.rule)

    def decide(self, scores: Scores) -> NDArray[np.bool_]:
        """Which samples are positive, (n,), by the scores of each classifier; raises what `Threshold.decide` does."""
        return self.rule.decide(scores)

    def f(self, prevalence: ArrayLike, alpha: float = 0.5) -> Floats:
        """F on the samples that it was chosen on, as it would be at ``prevalence``; of the shape of that."""
        return f_at(self.tpr, self.fpr, prevalence, alpha)

    def as_object(self) -> dict[str, Any]:
        """For JSON; `combination_of` reads it."""
        rates = {"tpr": self.tpr, "fpr": self.fpr, "best_from": self.best_from, "best_to": self.best_to}
        return {**rates, "text": str(self), "rule": self.rule.as_object()}


def combination_of(document: Any) -> Combination:
    """The combination that `Combination.as_object` wrote.

    Raises
    ------
    FoldDataError
        When it is none.
    """
    match document:
        case {"rule": rule, "tpr": tpr, "fpr": fpr, "best_from": low, "best_to": high} if all(
            is_finite(share) and 0 <= share <= 1 for share in (tpr, fpr, low, high)
        ):
            return Combination(rule_of(rule), float(tpr), float(fpr), float(low), float(high))
        case _:
            raise FoldDataError(f"this is no combination that cvlint combine wrote: {str(document)[:60]!r}.")


@dataclass(frozen=True, slots=True, eq=False)
class Hull:
    """The vertices of the ROC convex hull of all rules that were tried, by rising FP; (0, 0) is left out.

    Attributes
    ----------
    rules
        The rule of each vertex.
    tp, fp
        How many positives and negatives it holds of, (vertices,).
    positives, negatives
        How many samples of each class there are.
    """

    rules: tuple[Rule, ...]
    tp: Numbers
    fp: Numbers
    positives: int
    negatives: int

    def roof(self) -> Numbers:
        """The height of the hull at each FP from 0 to ``negatives``, rounded down, (negatives + 1,).

        TP is a whole number: it is above the hull if, and only if, it is above that.
        """
        x, y = np.append(0, self.fp), np.append(0, self.tp)
        at = np.arange(self.negatives + 1)
        left = np.searchsorted(x, at, "right") - 1
        right = np.minimum(left + 1, len(x) - 1)
        rise, run = y[right] - y[left], np.maximum(x[right] - x[left], 1)
        return np.asarray(y[left] + rise * (at - x[left]) // run)

    def raised(self, rules: Sequence[Rule], tp: Numbers, fp: Numbers) -> Hull:
        """The hull with more rules, of which the earlier ones stay where one is no better."""
        x, y = np.concatenate(([0], self.fp, fp)), np.concatenate(([0], self.tp, tp))
        every = [*self.rules, *rules]
        vertices = hull_index(x, y)
        index = vertices[y[vertices] > y[np.append(0, vertices[:-1])]]  # not (0, 0), nor the end of a flat edge
        return Hull(tuple(every[i - 1] for i in index), y[index], x[index], self.positives, self.negatives)

    @property
    def tpr(self) -> Floats:
        """The true positive rate of each vertex, (vertices,), from 0 to 1."""
        return self.tp / self.positives

    @property
    def fpr(self) -> Floats:
        """The false positive rate of each vertex, (vertices,), from 0 to 1."""
        return self.fp / self.negatives

    def combinations(self, alpha: float = 0.5) -> tuple[Combination, ...]:
        """The rules that are best somewhere in the F-measure space, by rising P(+); takes an alpha from 0 to 1."""
        envelope = f_envelope(self.tpr, self.fpr, alpha)
        ends = zip(envelope.bounds[:-1].tolist(), envelope.bounds[1:].tolist(), strict=True)
        return tuple(
            Combination(self.rules[i], float(self.tpr[i]), float(self.fpr[i]), low, high)
            for i, (low, high) in zip(envelope.index, ends, strict=True)
        )

    def best(self, prevalence: float, alpha: float = 0.5) -> Combination:
        """The rule with the highest F at a P(+) and an alpha, both from 0 to 1."""
        p = checked_prevalence(prevalence)
        return next(combination for combination in self.combinations(alpha) if p <= combination.best_to)

    def area(self) -> float:
        """The area below the hull, from 0 to 1."""
        x = np.concatenate(([0], self.fp, [self.negatives]))
        y = np.concatenate(([0], self.tp, [self.positives]))
        return float(((x[1:] - x[:-1]) * (y[1:] + y[:-1])).sum()) / (2 * self.positives * self.negatives)


@dataclass(frozen=True, slots=True, eq=False)
class Pool:
    """Every threshold of every classifier, and the samples that they are chosen on.

    Attributes
    ----------
    rules
        One a threshold, those of a classifier together.
    ends
        Where those of its classifier end, for each rule, (rules,).
    packed
        What they decide.
    y_true
        Whether each sample is positive, (n,).
    scores
        Of each classifier, (n,).
    """

    rules: tuple[Threshold, ...]
    ends: Index
    packed: PackedDecisions
    y_true: NDArray[np.bool_]
    scores: Mapping[str, Floats]

    @classmethod
    def of(cls, y_true: ArrayLike, scores: Scores, thresholds: int) -> Pool:
        """Choose the thresholds; takes and raises what `combined` does."""
        if not scores:
            raise FoldDataError("there are no classifiers: the scores of at least one are needed.")
        rules: list[Threshold] = []
        ends: list[int] = []
        packs: list[PackedDecisions] = []
        arrays: dict[str, Floats] = {}
        for name, values in scores.items():
            points = operating_points(y_true, values)
            if not points.defined:
                raise FoldDataError("all samples are of one class: positives and negatives are needed to choose by.")
            arrays[name], truth = np.asarray(values, dtype=np.float64), np.asarray(y_true, dtype=np.bool_)
            chosen = readable(spread(points, thresholds), points)
            packs.append(PackedDecisions.of(arrays[name] >= chosen[:, None], truth))
            rules += [Threshold(name, float(at)) for at in chosen]
            ends += [len(rules)] * len(chosen)
        return cls(tuple(rules), np.array(ends), PackedDecisions.joined(packs), truth, arrays)

    def hull(self) -> Hull:
        """The hull of the thresholds alone."""
        positives = int(self.y_true.sum())
        nothing = np.zeros(0, dtype=np.int64)
        empty = Hull((), nothing, nothing, positives, len(self.y_true) - positives)
        return empty.raised(self.rules, self.packed.tp, self.packed.fp)

    def pairs(self) -> Pairs:
        """All pairs of thresholds of two classifiers, each once."""
        return self.rules, self.packed, self.ends

    def pairs_of_new(self, before: Hull, hull: Hull) -> Pairs:
        """Each rule that is new on a hull with all the thresholds."""
        old = set(before.rules)
        rules = [rule for rule in hull.rules if rule not in old]
        decisions = np.array([rule.decide(self.scores) for rule in rules])
        return rules, PackedDecisions.of(decisions, self.y_true), np.zeros(len(rules), dtype=np.intp)


def spread(points: OperatingPoints, count: int) -> Floats:
    """At most so many thresholds, by falling value: at equal steps of TPR + FPR, half of them thus by the positives.

    The lowest is among them, at which everything is positive; infinity, at which nothing is, is not.
    """
    thresholds = points.thresholds[1:]
    if len(thresholds) <= count:
        return thresholds
    way = points.tpr[1:] + points.fpr[1:]
    return thresholds[np.unique(np.searchsorted(way, np.linspace(0, way[-1], count + 1)[1:]))]


def readable(chosen: Floats, points: OperatingPoints) -> Floats:
    """Thresholds with as few digits as tell the same samples apart: each above the next lower score."""
    place = np.searchsorted(-points.thresholds, -chosen)
    below = np.append(points.thresholds[1:], -np.inf)[place]
    return np.array([fewest_digits(low, high) for low, high in zip(below.tolist(), chosen.tolist(), strict=True)])


def fewest_digits(low: float, high: float) -> float:
    """A number above ``low`` and at most ``high``, of which 17 digits are enough."""
    rounded = (float(f"{high:.{digits}g}") for digits in range(1, 18))
    return next(number for number in rounded if low < number <= high)


def combined(
    y_true: ArrayLike, scores: Scores, *, thresholds: int = THRESHOLDS, iterations: int = ITERATIONS
) -> tuple[Hull, ...]:
    """Combine classifiers by Boolean functions of their thresholded scores, as long as the ROC convex hull rises.

    Parameters
    ----------
    y_true
        Whether each sample is positive, (n,): booleans, or 0 and 1.
    scores
        The scores of each classifier, (n,), by its name: the higher, the likelier positive. A crisp classifier's are
        its decisions, 0 and 1.
    thresholds
        How many thresholds of each classifier are tried, at least 1.
    iterations
        How often to combine, at least 0. The first time all pairs of thresholds of two classifiers are combined by the
        ten functions, which is Algorithm 1 as printed; from then on, as in the algorithm that it is made from, the new
        vertices of the hull with all the thresholds, until no combination rises above the hull.

    Returns
    -------
    tuple of Hull
        After each iteration, the first of the classifiers alone. Rules on the last are the best on these samples at
        every P(+) and for every alpha; on others they are worse by what chance added (`cvlint.runtime.combination.cross_validated_combination`).

    Raises
    ------
    FoldDataError
        When there are no scores, or they do not fit the labels, or a class is absent.

    References
    ----------
    Soleymani et al., section 3.4.2, Algorithm 1. There the size of D_bc is printed with the product of all numbers of
    thresholds; as every pair of thresholds is combined, it is a sum, over pairs of classifiers, of 10 T_e T_k. And the
    text combines vectors that tell which decisions are *correct*, which nobody knows of new samples: decisions must be
    combined, and are.
    Khreich et al. 2010 for the iterations.
    """
    pool = Pool.of(y_true, scores, thresholds)
    hulls = [pool.hull()]
    for number in range(iterations):
        hull = raised_by_pairs(hulls[-1], pool, *(pool.pairs() if number == 0 else pool.pairs_of_new(*hulls[-2:])))
        if hull is hulls[-1]:
            break
        hulls.append(hull)
    return tuple(hulls)


def raised_by_pairs(hull: Hull, pool: Pool, rules: Sequence[Rule], packed: PackedDecisions, first: Index) -> Hull:
    """The hull with all functions of some rules, each with those of the pool from number ``first`` on, (rules,)."""
    roof = hull.roof()
    for i, rule in enumerate(rules):
        others = np.arange(first[i], len(pool.rules))
        found = list(risen(roof, hull, packed, i, pool.packed, others))
        if found:
            tp, fp = (np.concatenate([each[side] for each in found]) for side in (2, 3))
            new: list[Rule] = [Combined(FUNCTIONS[f], rule, pool.rules[j]) for f, js, *_ in found for j in js]
            hull = hull.raised(new, tp, fp)
            roof = hull.roof()
    return hull


def risen(
    roof: Numbers, hull: Hull, left: PackedDecisions, i: int, right: PackedDecisions, others: Index
) -> Iterator[tuple[int, Index, Numbers, Numbers]]:
    """Each function with the others that it and decision i rise above the hull with, and TP and FP of that."""
    both_tp, both_fp = left.common(i, right, others)
    for number, function in enumerate(FUNCTIONS):
        tp = function.count(hull.positives, left.tp[i], right.tp[others], both_tp)
        fp = function.count(hull.negatives, left.fp[i], right.fp[others], both_fp)
        above = np.flatnonzero(tp > roof[fp])
        if len(above):
            yield number, others[above], tp[above], fp[above]
