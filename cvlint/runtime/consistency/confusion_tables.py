"""The confusion tables that each fold of a cross-validation can have, and exact measures of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cvlint.runtime.errors import FoldDataError
from cvlint.runtime.simulation.simulated_cv import shared

MOST_TABLES = 2_000_000  # of all kinds of folds together
MOST_FOLDS = 200
CELL = 2**30  # cells between 0 and 1 that values are rounded down to
MOST_SQUARE = 1_000  # numerator and denominator of beta², so that no product overflows 64 bits

Integers: TypeAlias = NDArray[np.int64]
Table: TypeAlias = tuple[int, int, int, int]  # positives, negatives, TP, FP
Quotient: TypeAlias = Callable[[Any, Any, Any, Any], tuple[Any, Any]]

# The numerator and denominator of each measure of a fold; 0 / 0 counts as 0, as zero_division=0 of scikit-learn.
MEASURES: dict[str, Quotient] = {
    "precision": lambda p, n, tp, fp: (tp, tp + fp),
    "recall": lambda p, n, tp, fp: (tp, p),
    "accuracy": lambda p, n, tp, fp: (tp + n - fp, p + n),
    "specificity": lambda p, n, tp, fp: (n - fp, n),
    "balanced_accuracy": lambda p, n, tp, fp: (tp * n + (n - fp) * p, 2 * p * n),
    # The least and the greatest area under a ROC curve through this point; any, where a class is missing.
    "least_auc": lambda p, n, tp, fp: (tp * (n - fp), p * n),
    "greatest_auc": lambda p, n, tp, fp: (p * n - fp * (p - tp) + (p * n == 0), p * n + (p * n == 0)),
}


def f_measure(beta: Fraction) -> Quotient:
    """F_beta as a quotient of whole numbers.

    Raises
    ------
    FoldDataError
        When beta is not a quotient of small numbers, so that products would not be exact.
    """
    square = beta**2
    top, bottom = square.numerator, square.denominator
    if max(top, bottom) > MOST_SQUARE:
        raise FoldDataError(f"beta {float(beta):g} has too many digits to search tables of counts with.")
    return lambda p, n, tp, fp: ((top + bottom) * tp, (top + bottom) * tp + top * (p - tp) + bottom * fp)


def exactly(measure: Quotient, table: Table) -> Fraction:
    """The value of a measure in one table."""
    top, bottom = measure(*table)
    return Fraction(int(top), int(bottom)) if bottom else Fraction(0)


def cells(measure: Quotient, tables: Integers) -> Integers:
    """The values of a measure in tables, (tables, 4), rounded down to cells, (tables,)."""
    top, bottom = measure(*tables.T)
    return np.asarray(np.where(bottom > 0, CELL * top // np.maximum(bottom, 1), 0))


@dataclass(frozen=True, slots=True)
class FoldSizes:
    """The numbers of positives and negatives that each fold can have."""

    choices: tuple[tuple[tuple[int, int], ...], ...]
    """For each fold the pairs of positives and negatives that it can have."""
    positives: int
    """The number in all folds together."""

    @classmethod
    def stratified(cls, positives: int, negatives: int, folds: int) -> FoldSizes:
        """Folds as scikit-learn's StratifiedKFold makes them: extra negatives follow after the extra positives."""
        check_folds(positives + negatives, folds)
        each = shared(positives, folds)
        start = positives % folds
        others = shared(negatives, folds)
        turned = [others[(i - start) % folds] for i in range(folds)]
        return cls.listed(each, turned)

    @classmethod
    def listed(cls, positives: Iterable[int], negatives: Iterable[int]) -> FoldSizes:
        """Folds whose class sizes are known.

        Raises
        ------
        FoldDataError
            When the two differ in length, or some fold is empty.
        """
        p, n = tuple(positives), tuple(negatives)
        if len(p) != len(n):
            raise FoldDataError(f"positives are given of {len(p)} folds and negatives of {len(n)}: give both of each.")
        check_folds(sum(p) + sum(n), len(p))
        if min(a + b for a, b in zip(p, n, strict=True)) < 1:
            raise FoldDataError("a fold without samples has no measure: every fold needs at least one.")
        return cls(tuple(((a, b),) for a, b in zip(p, n, strict=True)), sum(p))

    @classmethod
    def unstratified(cls, positives: int, negatives: int, folds: int) -> FoldSizes:
        """Folds of equal size (±1) with any split of the positives among them."""
        check_folds(positives + negatives, folds)
        sizes = shared(positives + negatives, folds)
        return cls(
            tuple(
                tuple((p, size - p) for p in range(max(0, size - negatives), min(size, positives) + 1))
                for size in sizes
            ),
            positives,
        )

    @property
    def defined(self) -> bool:
        """Whether every fold has both classes for every split of the positives."""
        return all(p and n for choice in self.choices for p, n in choice)

    def tables(self) -> list[Integers]:
        """Every table that each fold can have, (tables, 4); folds with the same choices share one array.

        Raises
        ------
        FoldDataError
            When there are more than can be searched.
        """
        kinds = set(self.choices)
        count = sum((p + 1) * (n + 1) for kind in kinds for p, n in kind)
        if count > MOST_TABLES:
            raise FoldDataError(
                f"folds of this size have {count:,} tables of counts, and at most {MOST_TABLES:,} can be searched: "
                "leave out the folds to judge by bounds alone."
            )
        known = {kind: np.concatenate([every_table(p, n) for p, n in kind]) for kind in kinds}
        return [known[choice] for choice in self.choices]


def check_folds(samples: int, folds: int) -> None:
    """Refuse numbers that cannot be a cross-validation."""
    if not (1 <= folds <= min(samples, MOST_FOLDS)):
        raise FoldDataError(
            f"{samples} samples make no {folds} folds: there can be from 1 fold to one for each sample, and at most "
            f"{MOST_FOLDS}."
        )


def every_table(positives: int, negatives: int) -> Integers:
    """Every table of a fold with so many positives and negatives, (tables, 4)."""
    tp, fp = np.divmod(np.arange((positives + 1) * (negatives + 1), dtype=np.int64), negatives + 1)
    return np.stack((np.full(len(tp), positives), np.full(len(tp), negatives), tp, fp), axis=1)
