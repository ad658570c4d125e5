"""The values that a paper prints about a run, as exact ranges, and the verdicts about them.

`Claim` is what the two judges read: `possible_aggregates` judges each aggregate by bounds and pooled tables, and asks
`known_folds` where the paper gives the sizes of the folds. Both answer with a `Verdict`.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from cvlint.runtime.consistency.confusion_tables import FoldSizes, Table
from cvlint.runtime.errors import FoldDataError


@dataclass(frozen=True, slots=True)
class Printed:
    """A printed value; the numbers that round to it lie from ``low`` to ``high``."""

    text: str
    low: Fraction
    high: Fraction

    @classmethod
    def of(cls, text: str, name: str) -> Printed:
        """Read a number from 0 to 1, or a percentage with its sign; its decimal places say how exact it is.

        Raises
        ------
        FoldDataError
            When the text is not such a number.
        """
        body = text.strip().removesuffix("%")
        scale = 100 if text.strip().endswith("%") else 1
        try:
            value = Fraction(body)
        except (ValueError, ZeroDivisionError):
            value = Fraction(-1)
        if not 0 <= value <= scale or not set(body) <= set("0123456789."):
            raise FoldDataError(
                f"{name} cannot be {text!r}: valid is a number from 0 to 1, or a percentage with its sign."
            )
        half = Fraction(1, 2 * 10 ** len(body.partition(".")[2]))
        low, high = max(value - half, Fraction(0)), min(value + half, Fraction(scale))
        return cls(text.strip(), low / scale, high / scale)

    def holds(self, value: Fraction) -> bool:
        """Whether a value rounds to it; a value half-way between two counts as rounding to both."""
        return self.low <= value <= self.high


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a printed value can be an aggregate, and why, in a sentence."""

    name: str
    """The key of the aggregate."""
    possible: bool
    reason: str
    """The verdict and its reason; "impossible" is always proved."""
    example: tuple[Table, ...] = ()
    """Tables that round to all printed values, one for each fold or one for all; empty where "possible" only means that
    nothing excludes it.
    """

    @property
    def proved(self) -> bool:
        """Whether the verdict is certain."""
        return not self.possible or bool(self.example)


@dataclass(frozen=True, slots=True)
class Claim:
    """The values that a paper prints about one run, and the sizes of its test data; None for what it does not print.

    All measures but F and AUC are of the same kind: pooled, or means over folds.
    """

    f: Printed
    precision: Printed | None = None
    recall: Printed | None = None
    accuracy: Printed | None = None
    positives: int | None = None
    negatives: int | None = None
    """The numbers of samples of each class in all test data together."""
    beta: Fraction = Fraction(1)
    """The weight of recall in F."""
    specificity: Printed | None = None
    balanced_accuracy: Printed | None = None
    auc: Printed | None = None
    sizes: FoldSizes | None = None
    """The sizes of the folds."""

    def rates(self) -> dict[str, Printed]:
        """The printed measures of a single table of counts, except F, by their names."""
        names = ("precision", "recall", "accuracy", "specificity", "balanced_accuracy")
        return {name: printed for name in names if (printed := getattr(self, name)) is not None}


def harmonic(precision: Fraction, recall: Fraction, beta: Fraction) -> Fraction:
    """F_beta of precision and recall; 0 where both are 0."""
    bottom = beta**2 * precision + recall
    return (1 + beta**2) * precision * recall / bottom if bottom else Fraction(0)
