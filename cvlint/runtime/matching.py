"""Which aggregate a published number is."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from cvlint.runtime.aggregates import Aggregate, Recomputed
from cvlint.runtime.faults import FoldDataError

FAMILIES = {"f": "f", "f1": "f", "fbeta": "f", "auc": "auc", "ap": "ap", "precision_at_k": "p_at_k"}


@dataclass(frozen=True, slots=True)
class Reported:
    """A published number: of which measure, its value from 0 to 1, and to how many decimal places it is known."""

    text: str
    family: str
    value: float
    digits: int


@dataclass(frozen=True, slots=True)
class Match:
    """A published number and the aggregates that round to it."""

    reported: Reported
    aggregates: tuple[Aggregate, ...]


def parse_reported(text: str, digits: int | None = None) -> Reported:
    """Read ``f1=0.69``, ``auc=91.2%`` and the like.

    Parameters
    ----------
    text
        A measure, an equals sign and a number; above 1, or with a percent sign, it counts as percent.
    digits
        Decimal places that are known of the number as it is written; by default those written.

    Raises
    ------
    FoldDataError
        When the text is not of this form, or the number is not between 0 and 100 %.
    """
    match = re.fullmatch(r"\s*([\w@]+)\s*=\s*([0-9]*\.?[0-9]+)\s*(%?)\s*", text)
    if match is None:
        raise FoldDataError(f"the reported value {text!r} cannot be read: write it like f1=0.69.")
    family = FAMILIES.get(match[1].lower())
    if family is None:
        raise FoldDataError(f"no aggregate is of the measure {match[1]!r}: valid are {', '.join(FAMILIES)}.")
    number = Decimal(match[2])
    places = digits if digits is not None else max(0, -int(number.as_tuple().exponent))
    percent = bool(match[3]) or number > 1
    value = number / 100 if percent else number
    if not 0 <= value <= 1:
        raise FoldDataError(f"the reported value {text!r} is no share: it must be between 0 and 1, or 0 and 100 %.")
    return Reported(text.strip(), family, float(value), places + 2 * percent)


def compared(found: Recomputed, reported: Reported) -> Match:
    """The aggregates of the reported measure that lie within its rounding."""
    half = 0.5 * 10.0**-reported.digits + 1e-12
    return Match(
        reported,
        tuple(a for a in found.aggregates if a.family == reported.family and abs(a.value - reported.value) <= half),
    )
