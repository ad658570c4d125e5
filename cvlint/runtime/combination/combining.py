"""Iterative Boolean combination: the rules of a pool of classifiers that reach the envelope in the F-measure space.

`combined` is the search: it combines thresholds of two classifiers by ten Boolean functions, keeps the vertices of the
ROC convex hull (`roc_hull` explains why no other rule can be best), and combines those again until the hull stays.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cvlint.runtime.combination.bitsets import Numbers, PackedDecisions
from cvlint.runtime.combination.boolean_functions import FUNCTIONS
from cvlint.runtime.combination.decision_rules import Combined, Rule, Scores, Threshold
from cvlint.runtime.combination.roc_hull import RocHull
from cvlint.runtime.errors import FoldDataError
from cvlint.runtime.measures.counts import Floats
from cvlint.runtime.thresholds.operating_points import OperatingPoints, operating_points
from cvlint.runtime.thresholds.shortest_threshold import shortest_between, to_nearest

THRESHOLDS = 100  # of each classifier
ITERATIONS = 10  # at most

Index: TypeAlias = NDArray[np.intp]
Pairs: TypeAlias = tuple[Sequence[Rule], PackedDecisions, Index]
"""Rules, their decisions, and the number of the first rule of the pool that each is to be combined with."""


@dataclass(frozen=True, slots=True, eq=False)
class Pool:
    """Every threshold of every classifier, and the samples on which rules are chosen."""

    rules: tuple[Threshold, ...]
    """One rule for each threshold, ordered by classifier."""
    ends: Index
    """For each rule, where the rules of its classifier end, (rules,)."""
    packed: PackedDecisions
    """The decisions of the rules."""
    y_true: NDArray[np.bool_]
    """Whether each sample is positive, (n,)."""
    scores: Mapping[str, Floats]
    """The scores of each classifier, (n,)."""

    @classmethod
    def of(cls, y_true: ArrayLike, scores: Scores, thresholds: int) -> Pool:
        """Choose the thresholds; parameters and exceptions are those of `combined`."""
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
            chosen = with_few_digits(evenly_spread(points, thresholds), points)
            packs.append(PackedDecisions.of(arrays[name] >= chosen[:, None], truth))
            rules += [Threshold(name, float(at)) for at in chosen]
            ends += [len(rules)] * len(chosen)
        return cls(tuple(rules), np.array(ends), PackedDecisions.joined(packs), truth, arrays)

    def hull(self) -> RocHull:
        """The hull of the thresholds alone."""
        positives = int(self.y_true.sum())
        nothing = np.zeros(0, dtype=np.int64)
        empty = RocHull((), nothing, nothing, positives, len(self.y_true) - positives)
        return empty.raised(self.rules, self.packed.tp, self.packed.fp)

    def pairs(self) -> Pairs:
        """Every pair of thresholds of two classifiers, once."""
        return self.rules, self.packed, self.ends

    def pairs_of_new(self, before: RocHull, hull: RocHull) -> Pairs:
        """Every pair of a rule that is new on a hull and a threshold."""
        old = set(before.rules)
        rules = [rule for rule in hull.rules if rule not in old]
        decisions = np.array([rule.decide(self.scores) for rule in rules])
        return rules, PackedDecisions.of(decisions, self.y_true), np.zeros(len(rules), dtype=np.intp)


def evenly_spread(points: OperatingPoints, count: int) -> Floats:
    """At most so many thresholds, by falling value, at equal steps of TPR + FPR.

    The lowest threshold, at which every sample is positive, is among them; infinity, at which none is, is not.
    """
    thresholds = points.thresholds[1:]
    if len(thresholds) <= count:
        return thresholds
    distance = points.tpr[1:] + points.fpr[1:]
    return thresholds[np.unique(np.searchsorted(distance, np.linspace(0, distance[-1], count + 1)[1:]))]


def with_few_digits(chosen: Floats, points: OperatingPoints) -> Floats:
    """The thresholds with as few digits as leave their decisions the same: each stays above the next lower score."""
    place = np.searchsorted(-points.thresholds, -chosen)
    below = np.append(points.thresholds[1:], -np.inf)[place]
    pairs = zip(below.tolist(), chosen.tolist(), strict=True)
    return np.array([shortest_between(low, high, to_nearest)[0] for low, high in pairs])


def combined(
    y_true: ArrayLike, scores: Scores, *, thresholds: int = THRESHOLDS, iterations: int = ITERATIONS
) -> tuple[RocHull, ...]:
    """Combine classifiers by Boolean functions of their thresholded scores, as long as the ROC convex hull rises.

    Parameters
    ----------
    y_true
        Whether each sample is positive, (n,): booleans, or 0 and 1.
    scores
        The scores of each classifier, (n,), by its name; a higher score means that positive is likelier. For a crisp
        classifier they are its decisions, 0 and 1.
    thresholds
        How many thresholds of each classifier are tried, at least 1.
    iterations
        How often to combine, at least 0. The first iteration combines all pairs of thresholds of two classifiers by
        ten functions, which is Algorithm 1 as printed. The others combine the new vertices of the hull with all the
        thresholds, as in the algorithm of Khreich et al., until no combination rises above the hull.

    Returns
    -------
    tuple of Hull
        The hull of the classifiers alone, then that after each iteration. Its rules are the best on these samples at
        every P(+) and for every alpha; on other samples they are worse by what chance added
        (`cvlint.runtime.combination.cross_validated_combination`).

    Raises
    ------
    FoldDataError
        When there are no scores, or they do not fit the labels, or a class is absent.

    References
    ----------
    Soleymani et al., section 3.4.2, Algorithm 1. There the size of D_bc is printed with the product of all numbers of
    thresholds; as every pair of thresholds is combined, it is a sum, over pairs of classifiers, of 10 T_e T_k. And the
    text combines vectors that say which decisions are *correct*, which is unknown for new samples; this function
    combines the decisions.
    Khreich et al. 2010 for the iterations.
    """
    pool = Pool.of(y_true, scores, thresholds)
    hulls = [pool.hull()]
    for number in range(iterations):
        pairs = pool.pairs() if number == 0 else pool.pairs_of_new(*hulls[-2:])
        hull = raised_by_combinations(hulls[-1], pool, pairs)
        if hull is hulls[-1]:
            break
        hulls.append(hull)
    return tuple(hulls)


def raised_by_combinations(hull: RocHull, pool: Pool, pairs: Pairs) -> RocHull:
    """The hull, raised by all Boolean functions of some pairs of a rule and a threshold of the pool."""
    rules, packed, first = pairs
    roof = hull.roof()
    for i, rule in enumerate(rules):
        others = np.arange(first[i], len(pool.rules))
        found = list(combinations_above(roof, hull, packed, i, pool.packed, others))
        if found:
            tp, fp = (np.concatenate([each[side] for each in found]) for side in (2, 3))
            new: list[Rule] = [Combined(FUNCTIONS[f], rule, pool.rules[j]) for f, js, *_ in found for j in js]
            hull = hull.raised(new, tp, fp)
            roof = hull.roof()
    return hull


def combinations_above(
    roof: Numbers, hull: RocHull, left: PackedDecisions, i: int, right: PackedDecisions, others: Index
) -> Iterator[tuple[int, Index, Numbers, Numbers]]:
    """Each function with the other rules that, combined with rule i, lie above the hull; with their TP and FP."""
    both_tp, both_fp = left.common(i, right, others)
    for number, function in enumerate(FUNCTIONS):
        tp = function.count(hull.positives, left.tp[i], right.tp[others], both_tp)
        fp = function.count(hull.negatives, left.fp[i], right.fp[others], both_fp)
        above = np.flatnonzero(tp > roof[fp])
        if len(above):
            yield number, others[above], tp[above], fp[above]
