"""Which aggregate printed values can be: a proof where one is impossible, by exact arithmetic."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

from cvlint.runtime.faults import FoldDataError

MOST_POSITIVES = 5_000_000  # tables are gone through one number of true positives after the other


@dataclass(frozen=True, slots=True)
class Printed:
    """A printed value: the numbers that round to it lie from ``low`` to ``high``."""

    text: str
    low: Fraction
    high: Fraction

    @classmethod
    def of(cls, text: str, name: str) -> Printed:
        """Read a number from 0 to 1, or a percentage with its sign; the decimal places typed say how exact it is.

        Raises
        ------
        FoldDataError
            When the text is no such number.
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
        """Whether a value rounds to it; a value half-way does, however one rounds."""
        return self.low <= value <= self.high


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a printed F can be an aggregate, and why, in a sentence."""

    name: str
    possible: bool
    reason: str


@dataclass(frozen=True, slots=True)
class Claim:
    """The values that a paper prints of one run, and what it says of the test data; None where it does not.

    Attributes
    ----------
    f, precision, recall, accuracy
        Printed values; precision and recall are of the same run and of the same kind (pooled, or means of folds).
    positives, negatives
        Of all test data together.
    beta
        The weight of recall in F.
    """

    f: Printed
    precision: Printed | None = None
    recall: Printed | None = None
    accuracy: Printed | None = None
    positives: int | None = None
    negatives: int | None = None
    beta: Fraction = Fraction(1)


def verdicts(claim: Claim) -> tuple[Verdict, ...]:
    """Judge each aggregate that the printed F may be.

    Parameters
    ----------
    claim
        What is printed.

    Returns
    -------
    tuple of Verdict
        Of F_tp,fp, F_pr,re and F_avg. "Impossible" is proved: no run rounds to these values. "Possible" is proved
        by an example table for F_tp,fp with counts; elsewhere it says that nothing printed excludes it.

    Notes
    -----
    F is concave in precision and recall, so the mean of F is at most F of the means; it is at least what the convex
    envelope over the unit square has, max(0, mean precision + mean recall - 1).
    """
    return (pooled(claim), of_means(claim), mean_of_folds(claim))


def harmonic(precision: Fraction, recall: Fraction, beta: Fraction) -> Fraction:
    """F_beta of precision and recall; 0 where both are 0."""
    bottom = beta**2 * precision + recall
    return (1 + beta**2) * precision * recall / bottom if bottom else Fraction(0)


def between(low: Fraction, high: Fraction) -> str:
    """An interval in words."""
    return f"from {float(low):.4f} to {float(high):.4f}"


def of_means(claim: Claim, name: str = "f_prre") -> Verdict:
    """F of precision and recall, as far as they are printed."""
    p, r = claim.precision, claim.recall
    low = harmonic(p.low if p else Fraction(0), r.low if r else Fraction(0), claim.beta)
    high = harmonic(p.high if p else Fraction(1), r.high if r else Fraction(1), claim.beta)
    possible = low <= claim.f.high and claim.f.low <= high
    if p is None or r is None:
        return Verdict(name, possible, f"With what is printed, F of precision and recall lies {between(low, high)}.")
    whence = f"Precision {p.text} and recall {r.text}, as far as they are rounded, give F {between(low, high)}"
    return Verdict(name, possible, f"{whence}." if possible else f"{whence}, and never {claim.f.text}.")


def mean_of_folds(claim: Claim) -> Verdict:
    """The mean of the folds' F, between its bounds for the printed means of precision and recall."""
    p, r = claim.precision, claim.recall
    low = max(Fraction(0), (p.low if p else Fraction(0)) + (r.low if r else Fraction(0)) - 1)
    high = harmonic(p.high if p else Fraction(1), r.high if r else Fraction(1), claim.beta)
    possible = low <= claim.f.high and claim.f.low <= high
    reason = f"With these means of precision and recall the mean of the folds' F lies {between(low, high)}."
    return Verdict("f_avg", possible, reason)


def pooled(claim: Claim) -> Verdict:
    """F of one table of counts: by a search of all tables where the numbers of both classes are known."""
    plain = of_means(claim, "f_tpfp")
    if claim.positives is None or claim.negatives is None:
        return plain
    found = next(tables(claim, claim.positives, claim.negatives), None)
    if found is None:
        what = f"{claim.positives} positives and {claim.negatives} negatives"
        return Verdict("f_tpfp", False, f"No table of counts with {what} rounds to the printed values.")
    tp, fp = found
    return Verdict(
        "f_tpfp", True, f"For example TP {tp}, FP {fp}, FN {claim.positives - tp} and TN {claim.negatives - fp}."
    )


def tables(claim: Claim, positives: int, negatives: int) -> Iterator[tuple[int, int]]:
    """The TP and (least) FP of tables that round to all printed values, undefined precision counting as 0.

    Raises
    ------
    FoldDataError
        When there is no positive or no negative, or too many positives to go through.
    """
    if positives < 1 or negatives < 1 or positives > MOST_POSITIVES:
        raise FoldDataError(f"the counts must be from 1 up, and at most {MOST_POSITIVES} positives can be searched.")
    first = ceil(claim.recall.low * positives) if claim.recall else 0
    last = floor(claim.recall.high * positives) if claim.recall else positives
    square = claim.beta**2
    for tp in range(first, last + 1):
        low, high = Fraction(0), Fraction(negatives)
        weighted = (1 + square) * tp
        for printed, top, rest in (
            (claim.f, weighted, weighted + square * (positives - tp)),
            (claim.precision, Fraction(tp), Fraction(tp)),
        ):
            if printed is None:
                continue
            if not tp:  # F and precision are 0, whatever FP is
                high = high if printed.holds(Fraction(0)) else Fraction(-1)
                continue
            low = max(low, top / printed.high - rest) if printed.high else Fraction(negatives + 1)
            high = min(high, top / printed.low - rest) if printed.low else high
        if claim.accuracy is not None:
            total = positives + negatives
            low = max(low, tp + negatives - claim.accuracy.high * total)
            high = min(high, tp + negatives - claim.accuracy.low * total)
        if ceil(low) <= floor(high):
            yield tp, ceil(low)
