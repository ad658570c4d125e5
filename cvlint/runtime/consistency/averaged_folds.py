"""Which folds a printed mean is taken over: all of them, or those in which precision and recall are defined.

The search of `mean_feasibility` knows sums over all folds. A mean over m of k folds is such a sum as well: precision,
recall and F of any other fold count as 0, and the number of defined folds is one more printed value.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from cvlint.runtime.consistency.confusion_tables import MEASURES, Quotient, Table
from cvlint.runtime.consistency.count_sums import MeanRange
from cvlint.runtime.consistency.reported_values import Claim

OVER_DEFINED = frozenset({"precision", "recall"})
"""The measures that decide which folds are defined; the others can be means over all folds beside them."""


def is_defined(p: Any, n: Any, tp: Any, fp: Any) -> tuple[Any, Any]:
    """1 for a table whose precision and recall are both defined, as a quotient."""
    return (p > 0) * (tp + fp > 0) * 1, 1


@dataclass(frozen=True, slots=True)
class AveragedFolds:
    """The folds that the printed means are taken over."""

    folds: int
    """The number of all folds."""
    defined: int | None = None
    """The number of folds in which precision and recall are both defined, over which alone the means are taken; None
    for means over all folds."""
    rates_of_all: bool = False
    """Whether accuracy and its like are means over all folds nevertheless."""

    @property
    def share(self) -> Fraction:
        """The share of the folds that are averaged."""
        return Fraction(1) if self.defined is None else Fraction(self.defined, self.folds)

    def averaged(self, measure: Quotient, low: Fraction, high: Fraction) -> MeanRange:
        """The range of a mean over these folds, as that of a mean over all folds in which the others count as 0."""
        if self.defined is None:
            return MeanRange(measure, low, high)
        return MeanRange(zero_where_undefined(measure), low * self.share, high * self.share)

    def printed_rates(self, claim: Claim, without: frozenset[str] = frozenset()) -> list[MeanRange]:
        """The ranges of the printed means, except F, and of the number of defined folds."""
        found = []
        for name, printed in claim.rates().items():
            if name in without:
                continue
            if self.rates_of_all and name not in OVER_DEFINED:
                found.append(MeanRange(MEASURES[name], printed.low, printed.high))
            else:
                found.append(self.averaged(MEASURES[name], printed.low, printed.high))
        return found if self.defined is None else [*found, MeanRange(is_defined, self.share, self.share)]

    def taken(self, tables: Sequence[Table]) -> list[Table]:
        """The tables of the averaged folds."""
        return [table for table in tables if self.defined is None or is_defined(*table)[0]]


def zero_where_undefined(measure: Quotient) -> Quotient:
    """A measure that is 0 where precision or recall is undefined."""

    def quotient(p: Any, n: Any, tp: Any, fp: Any) -> tuple[Any, Any]:
        top, bottom = measure(p, n, tp, fp)
        return top * is_defined(p, n, tp, fp)[0], bottom

    return quotient


def over_defined_folds(claim: Claim, folds: int) -> Iterator[AveragedFolds]:
    """Every number of defined folds, the greatest first; accuracy and its like are of those folds, or of all."""
    others = claim.rates().keys() - OVER_DEFINED
    for defined in range(folds, 0, -1):
        yield AveragedFolds(folds, defined)
        if others and defined < folds:
            yield AveragedFolds(folds, defined, rates_of_all=True)
