"""DeLong's test of the difference of two AUCs on the same samples, also of means over folds and repetitions.

The AUC of a ranking is a mean of placements: for a positive the share of negatives that it outranks, for a negative the
share of positives that outrank it. How far a sample's placement lies from the mean says how much the AUC hangs on that
sample. For two rankings of the same samples the differences of these parts are summed: within a fold their variance is
that of DeLong; over folds, repetitions and columns of scores the parts of one sample add up, and for groups the parts
of one group do (Obuchowski 1997).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from cvlint.runtime.data.foldset import FoldSet
from cvlint.runtime.intervals.bootstrap import EQUAL, LONE, LONE_CLASS
from cvlint.runtime.intervals.ranking_influence import placements
from cvlint.runtime.measures.counts import Floats

NO_FOLD = "no fold defines it"


def auc_parts(truth: NDArray[np.bool_], score: Floats, weight: Floats | None = None) -> Floats:
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


def auc_difference_error(
    pairs: Sequence[tuple[FoldSet, FoldSet, NDArray[np.intp]]], units: int, grouped: bool, merged: bool
) -> float | str:
    """The standard error of the difference of AUC_avg (or AUC_merge) of two experiments, or why there is none.

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

    References
    ----------
    DeLong, DeLong & Clarke-Pearson 1988; for groups Obuchowski 1997.
    """
    total = np.zeros(units)
    for first, second, unit in pairs:
        columns = range(1 if first.y_score is None else first.y_score.shape[1])
        for column in columns:
            parts = difference_parts(first, second, column, merged)
            if isinstance(parts, str):
                return parts
            np.add.at(total, unit, parts / (len(pairs) * len(columns)))
    variance = float(total @ total)
    if grouped:
        variance *= units / (units - 1)
    return EQUAL if variance < 1e-24 else float(np.sqrt(variance))


def difference_parts(first: FoldSet, second: FoldSet, column: int, merged: bool) -> Floats | str:
    """How much the difference of the AUCs of one column of scores hangs on each sample."""
    truth, found = first.is_class(column), np.zeros(len(first))
    fold = np.zeros(len(first), dtype=np.intp) if merged else first.fold
    each = [np.flatnonzero(fold == code) for code in range(1 if merged else first.folds)]
    sizes = [(int(truth[rows].sum()), int((~truth[rows]).sum())) for rows in each]
    defined = [rows for rows, size in zip(each, sizes, strict=True) if min(size)]
    if not defined:
        return NO_FOLD
    if any(min(size) == 1 for size in sizes):
        return LONE if len(each) > 1 else LONE_CLASS
    for rows in defined:
        weight = None if first.weight is None else first.weight[rows]
        own, other = (auc_parts(truth[rows], one.scores(column)[rows], weight) for one in (first, second))
        found[rows] = (other - own) / len(defined)
    return found
