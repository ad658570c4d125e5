"""The five ways to make one F-measure of several folds: F_avg, F_pr,re, F_tp,fp, and F~avg and F~pr,re.

Each takes the counts of all folds, the weight ``beta`` of recall against precision, and how classes are averaged:
"micro" adds the counts of the classes first; "macro" and "weighted" average the values of the classes, for F_avg in
each fold as scikit-learn does, for the others after the folds. All values are from 0 to 1. Counts of many experiments,
such as the replicates of a bootstrap, have one more axis in front, (experiments, folds, classes); so has the result.

References
----------
Forman & Scholz 2010, sections 2.3 and 3.1.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cvlint.runtime.measures.counts import Average, Counts, Floats, f_from_rates, quotient


def f_avg(counts: Counts, beta: float = 1.0, average: Average = "binary") -> Floats:
    """F_avg: the mean of the folds' F."""
    return np.asarray(f_of_each_fold(counts, beta, average).mean(axis=-1))


def f_prre(counts: Counts, beta: float = 1.0, average: Average = "binary") -> Floats:
    """F_pr,re: F of the folds' mean precision and mean recall, where an undefined one counts as 0."""
    counts = for_average(counts, average)
    f = f_from_rates(counts.precision(0.0).mean(axis=-2), counts.recall(0.0).mean(axis=-2), beta)
    return one_value(f, counts, average)


def f_tpfp(counts: Counts, beta: float = 1.0, average: Average = "binary") -> Floats:
    """F_tp,fp: F of the counts summed over the folds, which is nearly unbiased: 2 TP / (2 TP + FP + FN)."""
    return np.asarray(f_of_each_fold(for_average(counts, average).summed(), beta, average)[..., 0])


def f_avg_valid(counts: Counts, beta: float = 1.0, average: Average = "binary") -> Floats:
    """F~avg: the mean of F over the folds in which precision and recall are defined; NaN without any."""
    counts = for_average(counts, average)
    return one_value(mean_where(counts.f(beta), counts.valid), counts, average)


def f_prre_valid(counts: Counts, beta: float = 1.0, average: Average = "binary") -> Floats:
    """F~pr,re: F of mean precision and mean recall over the folds in which both are defined; NaN without any."""
    counts = for_average(counts, average)
    precision, recall = (mean_where(rates, counts.valid) for rates in (counts.precision(0.0), counts.recall(0.0)))
    f = np.where(counts.valid.any(axis=-2), f_from_rates(precision, recall, beta), np.nan)
    return one_value(f, counts, average)


@dataclass(frozen=True, slots=True)
class FAggregates:
    """The five aggregates of F over folds, each from 0 to 1.

    Attributes
    ----------
    f_avg, f_prre, f_tpfp
        F_avg, F_pr,re and F_tp,fp.
    f_avg_valid, f_prre_valid
        The first two over valid folds only; NaN without any.
    """

    f_avg: float
    f_prre: float
    f_tpfp: float
    f_avg_valid: float
    f_prre_valid: float


def f_aggregates(counts: Counts, beta: float = 1.0, average: Average = "binary") -> FAggregates:
    """Aggregate the F-measure over folds in the five ways of the paper.

    Parameters
    ----------
    counts
        Counts of shape (folds, classes).
    beta
        The weight of recall against precision.
    average
        How classes are averaged: "binary", "micro", "macro" or "weighted".

    Returns
    -------
    FAggregates
        ``f_avg``: mean of the folds' F. ``f_prre``: F of mean precision and mean recall, undefined ones being 0.
        ``f_tpfp``: F of the summed counts, the one that is nearly unbiased. ``f_avg_valid``, ``f_prre_valid``
        (the paper's F with a tilde): the same as the first two over valid folds only; NaN without any.

    References
    ----------
    Forman & Scholz 2010, sections 2.3 and 3.1.
    """
    return FAggregates(
        *(float(way(counts, beta, average)) for way in (f_avg, f_prre, f_tpfp, f_avg_valid, f_prre_valid))
    )


def f_of_each_fold(counts: Counts, beta: float = 1.0, average: Average = "binary") -> Floats:
    """F of each fold by itself, averaged over its classes, (…, folds)."""
    counts = for_average(counts, average)
    return over_classes(counts.f(beta), counts, average)


def for_average(counts: Counts, average: Average) -> Counts:
    """The counts that an average over classes starts from: for "micro" those of all classes together."""
    return counts.micro() if average == "micro" else counts


def one_value(f: Floats, counts: Counts, average: Average) -> Floats:
    """The average over classes of F over all folds, (…, classes)."""
    return np.asarray(over_classes(f[..., None, :], counts.summed(), average)[..., 0])


def over_classes(values: Floats, counts: Counts, average: Average) -> Floats:
    """The mean over classes of ``values`` (…, folds, classes), plain or weighted by the positives of each.

    A fold of samples with several labels may have no true label at all: its weighted mean is the plain one, as in
    scikit-learn.
    """
    weights = counts.present.astype(np.float64)
    if average == "weighted":
        weights = np.where(counts.positives.any(axis=-1, keepdims=True), counts.positives, weights)
    return quotient(np.where(weights > 0, values * weights, 0.0).sum(axis=-1), weights.sum(axis=-1), np.nan)


def mean_where(values: Floats, chosen: NDArray[np.bool_]) -> Floats:
    """The mean over the ``chosen`` folds of ``values``, for each class; NaN for a class without a chosen fold."""
    return quotient(np.where(chosen, values, 0.0).sum(axis=-2), chosen.sum(axis=-2).astype(np.float64), np.nan)
