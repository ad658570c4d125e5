"""Counts of true and false positives and negatives in each fold, and F of them: ``2 * tp / (2 * tp + fp + fn)``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cvlint.runtime.measures.recall_weight import checked_beta

Floats: TypeAlias = NDArray[np.float64]
Average: TypeAlias = Literal["binary", "micro", "macro", "weighted"]
Kind: TypeAlias = Literal["binary", "multiclass", "multilabel"]

AVERAGES: tuple[Average, ...] = ("binary", "micro", "macro", "weighted")


def f_from_counts(tp: ArrayLike, fp: ArrayLike, fn: ArrayLike, beta: float = 1.0) -> Floats:
    """F_beta from counts.

    Parameters
    ----------
    tp, fp, fn
        True positives, false positives, false negatives: not negative; arrays of any shapes that broadcast.
    beta
        The weight of recall against precision, from 0 to a million; 0 gives precision.

    Returns
    -------
    ndarray
        (1 + beta²) tp / ((1 + beta²) tp + beta² fn + fp), from 0 to 1; 0 where that is 0 / 0.

    Raises
    ------
    FoldDataError
        For another beta.

    References
    ----------
    Forman & Scholz 2010, section 2.2; Sasaki 2007, equation 6.
    """
    square = checked_beta(beta) ** 2
    top = (1 + square) * np.asarray(tp, dtype=np.float64)
    return quotient(top, top + square * np.asarray(fn) + np.asarray(fp), 0.0)


def f_from_rates(precision: ArrayLike, recall: ArrayLike, beta: float = 1.0) -> Floats:
    """F_beta from precision and recall: their weighted harmonic mean.

    Parameters
    ----------
    precision, recall
        From 0 to 1; arrays of any shapes that broadcast.
    beta
        The weight of recall against precision, from 0 to a million.

    Raises
    ------
    FoldDataError
        For another beta.

    Returns
    -------
    ndarray
        (1 + beta²) P R / (beta² P + R), from 0 to 1; 0 where both are 0.

    References
    ----------
    Sasaki 2007, section 2.
    """
    p, r = np.asarray(precision, dtype=np.float64), np.asarray(recall, dtype=np.float64)
    square = checked_beta(beta) ** 2
    return quotient((1 + square) * p * r, square * p + r, 0.0)


def quotient(top: Floats, bottom: Floats, undefined: float) -> Floats:
    """``top / bottom``, and ``undefined`` where the divisor is 0."""
    top, bottom = np.broadcast_arrays(top, bottom)
    found: Floats = np.divide(top, bottom, out=np.full(bottom.shape, undefined), where=bottom != 0)
    return found


@dataclass(frozen=True, eq=False, slots=True)
class Counts:
    """The counts of each fold and class.

    Attributes
    ----------
    cells
        TP, FP, FN and TN: shape (4, folds, classes); sums of weights where samples have weights. A binary task
        has one class, the positive one. Counts of many experiments have the shape (4, experiments, folds, classes).
    kind
        The kind of task. In a multiclass fold, averages leave out a class that neither occurs nor is predicted.
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
        """The positive predictions of each fold and class."""
        return self.tp + self.fp

    @property
    def valid(self) -> NDArray[np.bool_]:
        """Whether precision and recall are both defined, for each fold and class."""
        return (self.positives > 0) & (self.predicted > 0)

    @property
    def present(self) -> NDArray[np.bool_]:
        """The classes in the macro average of a fold, as in scikit-learn."""
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
        return Counts(self.cells.sum(axis=-2, keepdims=True), self.kind)

    def micro(self) -> Counts:
        """The counts of all classes together, as one class."""
        return Counts(self.cells.sum(axis=-1, keepdims=True), "binary")

    def one(self, fold: int) -> Counts:
        """The counts of one fold alone."""
        return Counts(self.cells[..., fold : fold + 1, :], self.kind)


def counts_of(tables: NDArray[Any], kind: Kind) -> Counts:
    """Counts (…, folds, targets) of tables (…, folds, true, predicted); the last of two classes is positive."""
    wide = tables.astype(np.float64)
    tp = np.diagonal(wide, axis1=-2, axis2=-1)
    fp, fn = wide.sum(axis=-2) - tp, wide.sum(axis=-1) - tp
    cells = np.stack((tp, fp, fn, wide.sum(axis=(-2, -1))[..., None] - tp - fp - fn))
    return Counts(cells[..., -1:] if kind == "binary" else cells, kind)
