"""Thresholds with few digits that decide as the exact ones do: above the next lower score, and not above their own."""

from __future__ import annotations

from collections.abc import Callable
from decimal import ROUND_FLOOR, Decimal

MOST_DIGITS = 17  # significant digits that tell every two floats apart


def shortest_between(low: float, high: float, rounded: Callable[[float, int], float]) -> tuple[float, int]:
    """Round a threshold to as few significant digits as possible.

    Parameters
    ----------
    low, high
        The next lower score, and the threshold.
    rounded
        How to round a number to so many digits: `to_nearest` or `downwards`.

    Returns
    -------
    tuple
        The number above ``low`` and at most ``high``, and its significant digits.
    """
    tried = ((rounded(high, digits), digits) for digits in range(1, MOST_DIGITS + 1))
    return next(((number, digits) for number, digits in tried if low < number <= high), (high, MOST_DIGITS))


def to_nearest(number: float, digits: int) -> float:
    """The nearest number with so many significant digits."""
    return float(f"{number:.{digits}g}")


def downwards(number: float, digits: int) -> float:
    """The highest number with so many significant digits that is not above a number."""
    exact = Decimal(repr(number))
    place = Decimal(1).scaleb(exact.adjusted() - digits + 1)
    return float((exact / place).to_integral_value(ROUND_FLOOR) * place)
