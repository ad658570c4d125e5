"""The standard error of the difference of two AUCs, or average precisions, on the same samples (DeLong's test).

The AUC of a ranking is a mean of placements: for a positive the share of negatives that it outranks, for a negative the
share of positives that outrank it. How far a sample's placement lies from the mean says how much the AUC hangs on that
sample. For two rankings of the same samples the differences of these parts are summed: within a fold their variance is
that of DeLong; over folds, repetitions and columns of scores the parts of one sample add up, and for groups the parts
of one group do (Obuchowski 1997). For average precision the parts are the mean of its change if the sample is left out
and of its derivative by the weight of the sample; for precision at k they are the latter.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cvlint.runtime.data.arrays import rows_of_each
from cvlint.runtime.data.foldset import FoldSet
from cvlint.runtime.intervals.bootstrap import (
    EACH_FOLD,
    EQUAL,
    FEW,
    FEW_IN_FOLDS,
    LEAST,
    LONE,
    LONE_CLASS,
    LONE_GROUP,
)
from cvlint.runtime.intervals.ranking_influence import (
    ap_changes,
    ap_influences,
    freedom_of,
    placements,
    weighted_ap_changes,
)
from cvlint.runtime.intervals.ranking_intervals import FEW_OF_CLASS, LEAST_GROUPS, LONE_GROUP_OF_CLASS, WEIGHTED_TOP
from cvlint.runtime.measures.counts import Floats
from cvlint.runtime.measures.ranking import Ranking

NO_FOLD = "no fold defines it"
KNOWN = 1e9  # degrees of freedom of a variance that is taken as known
LEAST_FIRST = 10  # positives, and negatives, among the first samples, and among the others
MANY_FIRST = 40  # samples: the hits among fewer are too few numbers for an interval that holds what it says
FEW_FIRST = f"its folds have fewer than {MANY_FIRST} first samples together, too few for such an interval"
FEW_AMONG_FIRST = (
    f"as a mean of both experiments, fewer than {LEAST_FIRST} positives or negatives are among the first samples, or "
    f"fewer than {LEAST_FIRST} are left"
)


def auc_parts(truth: NDArray[np.bool_], score: Floats, weight: Floats | None = None, k: int = 0) -> Floats:
    """How much the AUC hangs on each sample, (n,): their sum of squares is DeLong's variance of the AUC.

    Parameters
    ----------
    truth, score, weight
        Of each sample, (n,); at least two samples of each class.
    """
    found = np.zeros(len(truth))
    for chosen, sign in ((truth, 1.0), (~truth, -1.0)):
        others = np.flatnonzero(~chosen)[np.argsort(score[~chosen], kind="stable")]
        own_weight, other_weight = (None, None) if weight is None else (weight[chosen], weight[others])
        place = sign * placements(score[chosen], score[others], other_weight)
        share = np.full(len(place), 1 / len(place)) if own_weight is None else own_weight / own_weight.sum()
        m = 1 / float(share @ share)  # without weights the number of samples
        found[chosen] = share * (place - share @ place) * np.sqrt(m / (m - 1))
    return found


def ap_parts(truth: NDArray[np.bool_], score: Floats, weight: Floats | None = None, k: int = 0) -> Floats:
    """How much average precision hangs on each sample, (n,), as `auc_parts`.

    What two samples do together counts twice in its values without each sample (jackknife; Efron & Stein 1981), and not
    at all in its derivatives (infinitesimal jackknife). With five positives the standard error is a tenth too large by
    the former, and too small by the latter: their mean is right to a few percent.
    """
    found = np.zeros(len(truth))
    sides = [np.flatnonzero(chosen)[np.argsort(score[chosen], kind="stable")] for chosen in (truth, ~truth)]
    ranking = Ranking.of(truth, score, weight)
    influences = list(ap_influences(ranking)[1:])
    changes = ap_changes(ranking) if weight is None else weighted_ap_changes(ranking, influences)
    for side, without, derivative in zip(sides, changes, influences, strict=True):
        own = (without + derivative) / 2
        found[side] = (own - own.mean()) * np.sqrt(len(own) / (len(own) - 1))
    return found


def top_parts(
    truth: NDArray[np.bool_], score: Floats, weight: Floats | None = None, k: int = 0, last: float = 0.0
) -> Floats:
    """How much precision at k hangs on each sample, (n,), as `auc_parts`; without weights.

    One more sample among the first k pushes out the last of them, which is a positive with the chance ``last``.
    """
    found = np.zeros(len(truth))
    if not 1 <= k <= len(truth):
        return found
    taken = among_first(score, k)
    for side, change in ((truth, 1 - last), (~truth, -last)):
        own = taken[side] * change / k
        found[side] = (own - own.mean()) * np.sqrt(len(own) / (len(own) - 1))
    return found


def among_first(score: Floats, k: int) -> Floats:
    """How far each sample is among the ``k`` highest scores: samples that tie for the last places share them."""
    border = np.partition(score, len(score) - k)[len(score) - k]
    above, tied = score > border, score == border
    return np.asarray(above + tied * ((k - int(above.sum())) / int(tied.sum())))


def top_parts_of(
    truth: NDArray[np.bool_], scores: tuple[Floats, Floats], folds: Sequence[NDArray[np.intp]], k: int
) -> tuple[Parts, Parts] | str:
    """`top_parts` of both rankings for folds with these rows, or why they tell too little.

    The share of positives around the last place is that of all folds together: one from a few samples of each fold
    would raise the variance by its own.

    Limits on the hits of each ranking would leave lucky differences: of those that one experiment in ten had within
    them, intervals of 95 % held the mean difference in 92 %. So they are put on a mean of both that does not vary with
    the difference, as far as the variances that were found tell it.
    """
    chosen = [rows for rows in folds if 1 <= k <= len(rows)]
    taken, reach = k * len(chosen), max(1, k // 4)
    if taken < MANY_FIRST:
        return FEW_FIRST
    parts: list[Parts] = []
    hits, own = np.zeros(2), np.zeros((2, len(truth)))
    for side, score in enumerate(scores):
        hits[side] = sum(float(among_first(score[rows], k) @ truth[rows]) for rows in chosen)
        around = [rows[np.argsort(-score[rows], kind="stable")][max(0, k - reach) : k + reach] for rows in chosen]
        last = float(truth[np.concatenate(around)].mean())
        parts.append(partial(top_parts, last=last))
        for rows in chosen:
            own[side, rows] = parts[side](truth[rows], score[rows], None, k)
    both = float(own[0] @ own[1])
    weights = np.array([float(own[1] @ own[1]), float(own[0] @ own[0])]) - both
    apart = float(weights.sum())  # the variance of the difference
    shared = float(weights @ hits) / apart if apart > 1e-24 else float(hits.mean())
    positives, negatives = (sum(int(side[rows].sum()) for rows in chosen) for side in (truth, ~truth))
    least, most = max(0, taken - negatives) + LEAST_FIRST, min(taken, positives) - LEAST_FIRST
    if not least - 1e-9 <= shared <= most + 1e-9:
        return FEW_AMONG_FIRST
    return parts[0], parts[1]


Parts: TypeAlias = Callable[[NDArray[np.bool_], Floats, Floats | None, int], Floats]
PARTS: dict[str, Parts] = {"auc": auc_parts, "ap": ap_parts}
"""By family, how much a measure of a ranking hangs on each sample; precision at k has `top_parts_of`."""


class DifferenceError(NamedTuple):
    """The standard error of a difference, and the degrees of freedom of its variance.

    Few samples decide AUC, so that its variance is known less well. For average precision the degrees of freedom of its
    parts would widen intervals that hold what they say.
    """

    error: float
    freedom: float


def difference_error(
    pairs: Sequence[tuple[FoldSet, FoldSet, NDArray[np.intp]]],
    units: int,
    grouped: bool,
    merged: bool,
    family: str,
    k: int = 0,
) -> DifferenceError | str:
    """The standard error of the difference of a mean over folds, or of a merged value, or why there is none.

    Parameters
    ----------
    pairs
        For each repetition the two experiments with equal rows, and the unit of each row: its sample or its group.
    units
        The number of units.
    grouped
        Whether the units are groups.
    merged
        Whether all folds are ranked together, as for AUC_merge.
    family
        Of the measure: "auc", "ap" or "p_at_k".
    k
        Of precision at k.

    References
    ----------
    DeLong, DeLong & Clarke-Pearson 1988; for groups Obuchowski 1997; for average precision Efron & Stein 1981.
    """
    total = np.zeros(units)
    for first, second, unit in pairs:
        columns = range(1 if first.y_score is None else first.y_score.shape[1])
        for column in columns:
            parts = difference_parts(first, second, column, merged, family, k, unit if grouped else None)
            if isinstance(parts, str):
                return parts
            np.add.at(total, unit, parts / (len(pairs) * len(columns)))
    fewest, folds = fewest_units(pairs), pairs[0][0].folds
    if fewest < (LEAST_GROUPS if grouped else LEAST):
        return FEW_OF_CLASS if grouped else FEW
    if grouped and not merged and len(pairs) == 1 and folds > 1 and fewest < EACH_FOLD * folds:
        return FEW_IN_FOLDS
    variance = float(total @ total)
    if variance < 1e-24:
        return EQUAL
    freedom = freedom_of(total - total.mean()) if family == "auc" else KNOWN
    return DifferenceError(float(np.sqrt(variance)), freedom)


def fewest_units(pairs: Sequence[tuple[FoldSet, FoldSet, NDArray[np.intp]]]) -> int:
    """How many units hold a sample of a class, or one of the others: the fewest over columns and repetitions."""
    found = []
    for first, _, unit in pairs:
        for column in range(1 if first.y_score is None else first.y_score.shape[1]):
            truth = first.is_class(column)
            found += [len(np.unique(unit[side])) for side in (truth, ~truth)]
    return min(found)


def difference_parts(
    first: FoldSet,
    second: FoldSet,
    column: int,
    merged: bool,
    family: str,
    k: int,
    group: NDArray[np.intp] | None = None,
) -> Floats | str:
    """How much the difference of the measures of one column of scores hangs on each sample, or why that is not known.

    The parts of a ``group`` are added up by the caller. In each ranking they vary around a mean of their own, so that
    g groups show (g - 1) / g of their variance: with few groups a fold that is much less than with few groups.
    """
    truth, found = first.is_class(column), np.zeros(len(first))
    fold = np.zeros(len(first), dtype=np.intp) if merged else first.fold
    each = list(rows_of_each(fold, 1 if merged else first.folds))
    sizes = [(int(truth[rows].sum()), int((~truth[rows]).sum())) for rows in each]
    varied = [rows for rows, size in zip(each, sizes, strict=True) if min(size)]
    if not varied:
        return NO_FOLD
    if any(min(size) == 1 for size in sizes):
        return LONE if len(each) > 1 else LONE_CLASS
    if group is not None and any(is_lone(group[rows], truth[rows]) for rows in varied):
        return LONE_GROUP if len(each) > 1 else LONE_GROUP_OF_CLASS
    if family == "p_at_k" and first.weight is not None:
        return WEIGHTED_TOP
    defined = len(varied)
    if family == "ap":
        defined = sum(size[0] > 0 for size in sizes)  # without negatives it is 1
    if family == "p_at_k":
        defined = sum(sum(size) >= k for size in sizes)
    scores = first.scores(column), second.scores(column)
    measures = (PARTS[family], PARTS[family]) if family in PARTS else top_parts_of(truth, scores, varied, k)
    if isinstance(measures, str):
        return measures
    for parts, score, sign in zip(measures, scores, (-1, 1), strict=True):
        for rows in varied:
            weight = None if first.weight is None else first.weight[rows]
            found[rows] += sign * parts(truth[rows], score[rows], weight, k) / max(defined, 1)
    if group is not None:
        for rows in varied:
            count = len(np.unique(group[rows]))
            found[rows] *= np.sqrt(count / (count - 1))
    return found


def is_lone(group: NDArray[np.intp], truth: NDArray[np.bool_]) -> bool:
    """Whether a single group of a ranking holds all samples of a class."""
    return any(len(np.unique(group[side])) == 1 for side in (truth, ~truth))
