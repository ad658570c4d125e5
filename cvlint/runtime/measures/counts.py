"""Counts of true and false positives and negatives in each fold, and the five ways to make one F-measure of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats: TypeAlias = NDArray[np.float64]
Average: TypeAlias = Literal["binary", "micro", "macro", "weighted"]
Kind: TypeAlias = Literal["binary", "multiclass", "multilabel"]

AVERAGES: tuple[Average, ...] = ("binary", "micro", "macro", "weighted")


def f_from_counts(tp: ArrayLike, fp: ArrayLike, fn: ArrayLike, beta: float = 1.0) -> Floats:
    """F_beta from counts.

    Parameters
    ----------
    tp, fp, fn
        True positives, false positives, false negatives; arrays of any shapes that broadcast, not negative.
    beta
        The weight of recall against precision, at least 0; 0 gives precision.

    Returns
    -------
    ndarray
        (1 + beta²) tp / ((1 + beta²) tp + beta² fn + fp), from 0 to 1; 0 where that is 0 / 0.

    References
    ----------
    Forman & Scholz 2010, section 2.2; Sasaki 2007, equation 6.
    """
    top = (1 + beta**2) * np.asarray(tp, dtype=np.float64)
    return quotient(top, top + beta**2 * np.asarray(fn) + np.asarray(fp), 0.0)


def f_from_rates(precision: ArrayLike, recall: ArrayLike, beta: float = 1.0) -> Floats:
    """F_beta, the weighted harmonic mean of precision and recall (each from 0 to 1); 0 where both are 0."""
    p, r = np.asarray(precision, dtype=np.float64), np.asarray(recall, dtype=np.float64)
    return quotient((1 + beta**2) * p * r, beta**2 * p + r, 0.0)


def quotient(top: Floats, bottom: Floats, undefined: float) -> Floats:
    """``top / bottom``, and ``undefined`` where the divisor is 0."""
    top, bottom = np.broadcast_arrays(top, bottom)
    found: Floats = np.divide(top, bottom, out=np.full(bottom.shape, undefined), where=bottom != 0)
    return found


@dataclass(frozen=True, eq=False, slots=True)
class Counts:
    """Counts a fold and a class.

    Attributes
    ----------
    cells
        TP, FP, FN and TN: shape (4, folds, classes); sums of weights where samples have weights. A binary task
        has one class, the positive one.
    kind
        What the task is; in a multiclass fold, a class that neither occurs nor is predicted is not averaged over.
    """

    cells: Floats
    kind: Kind = "binary"

    @property
    def tp(self) -> Floats:
        """True positives, (folds, classes)."""
        return np.asarray(self.cells[0])

    @property
    def fp(self) -> Floats:
        """False positives, (folds, classes)."""
        return np.asarray(self.cells[1])

    @property
    def fn(self) -> Floats:
        """False negatives, (folds, classes)."""
        return np.asarray(self.cells[2])

    @property
    def tn(self) -> Floats:
        """True negatives, (folds, classes)."""
        return np.asarray(self.cells[3])

    @property
    def positives(self) -> Floats:
        """The positives of each fold and class."""
        return self.tp + self.fn

    @property
    def predicted(self) -> Floats:
        """What is predicted positive, of each fold and class."""
        return self.tp + self.fp

    @property
    def valid(self) -> NDArray[np.bool_]:
        """Whether precision and recall are both defined, for each fold and class."""
        return (self.positives > 0) & (self.predicted > 0)

    @property
    def present(self) -> NDArray[np.bool_]:
        """The classes that a fold's macro average is taken over, as scikit-learn takes it."""
        if self.kind == "multiclass":
            return (self.positives > 0) | (self.predicted > 0)
        return np.ones(self.tp.shape, dtype=np.bool_)

    def precision(self, undefined: float = np.nan) -> Floats:
        """Precision of each fold and class, from 0 to 1; ``undefined`` where nothing is predicted positive."""
        return quotient(self.tp, self.predicted, undefined)

    def recall(self, undefined: float = np.nan) -> Floats:
        """Recall of each fold and class, from 0 to 1; ``undefined`` where there are no positives."""
        return quotient(self.tp, self.positives, undefined)

    def f(self, beta: float = 1.0) -> Floats:
        """F_beta of each fold and class, from 0 to 1; 0 in an invalid fold."""
        return f_from_counts(self.tp, self.fp, self.fn, beta)

    def summed(self) -> Counts:
        """The counts of all folds together, as one fold."""
        return Counts(self.cells.sum(axis=1, keepdims=True), self.kind)

    def micro(self) -> Counts:
        """The counts of all classes together, as one class."""
        return Counts(self.cells.sum(axis=2, keepdims=True), "binary")

    def one(self, fold: int) -> Counts:
        """The counts of one fold alone."""
        return Counts(self.cells[:, fold : fold + 1], self.kind)


def counts_of(tables: NDArray[Any], kind: Kind) -> Counts:
    """Counts (folds, targets) of confusion tables (folds, true, predicted); of two classes the last is positive."""
    wide = tables.astype(np.float64)
    tp = np.diagonal(wide, axis1=1, axis2=2)
    fp, fn = wide.sum(axis=1) - tp, wide.sum(axis=2) - tp
    cells = np.stack((tp, fp, fn, wide.sum(axis=(1, 2))[:, None] - tp - fp - fn))
    return Counts(cells[:, :, -1:] if kind == "binary" else cells, kind)


@dataclass(frozen=True, slots=True)
class FAggregates:
    """The five aggregates of F over folds, each from 0 to 1; NaN for one that has no valid fold to speak of."""

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
        How classes are averaged. "micro" adds their counts first. "macro" and "weighted" average the classes'
        values: for F_avg in each fold as scikit-learn does, for the other aggregates after the folds.

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
    if average == "micro":
        counts = counts.micro()
    total = counts.summed()
    per_fold = over_classes(counts.f(beta), counts, average)
    valid = counts.valid
    f_valid = mean_where(counts.f(beta), valid)
    prre = f_from_rates(counts.precision(0.0).mean(axis=0), counts.recall(0.0).mean(axis=0), beta)
    prre_valid = f_from_rates(mean_where(counts.precision(0.0), valid), mean_where(counts.recall(0.0), valid), beta)
    whole = [
        float(over_classes(values[None, :], total, average)[0])
        for values in (prre, total.f(beta)[0], f_valid, np.where(np.isnan(f_valid), np.nan, prre_valid))
    ]
    return FAggregates(float(per_fold.mean()), *whole)


def over_classes(values: Floats, counts: Counts, average: Average) -> Floats:
    """The mean over classes of ``values`` (folds, classes): weighted by the positives of each, or plain; (folds,)."""
    weights = counts.positives if average == "weighted" else counts.present.astype(np.float64)
    return quotient(np.where(weights > 0, values * weights, 0.0).sum(axis=1), weights.sum(axis=1), np.nan)


def mean_where(values: Floats, chosen: NDArray[np.bool_]) -> Floats:
    """The mean over folds of ``values`` where ``chosen``, for each class; NaN where nothing is chosen."""
    return quotient(np.where(chosen, values, 0.0).sum(axis=0), chosen.sum(axis=0).astype(np.float64), np.nan)
