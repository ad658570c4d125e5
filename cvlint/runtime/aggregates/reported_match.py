"""Match a published number with the aggregates that round to it: 0.69 may be F_avg, and F_tp,fp 0.58."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from cvlint.runtime.aggregates.registry import FAMILIES
from cvlint.runtime.aggregates.results import Aggregate, Recomputed
from cvlint.runtime.errors import FoldDataError

REPORTED_AS = {name: key for key, family in FAMILIES.items() for name in family.reported_as}
"""The family of each measure, by the names that users write."""
F_OF_BETA = re.compile(r"f(\d+\.?\d*|\.\d+)")


@dataclass(frozen=True, slots=True)
class Reported:
    """A published number."""

    text: str
    """What the user wrote: ``f1=0.69``."""
    family: str
    """The family of its measure, a key of `FAMILIES`."""
    value: float
    """From 0 to 1."""
    digits: int
    """How many decimal places of the value are known."""


@dataclass(frozen=True, slots=True)
class Match:
    """A published number and the aggregates that round to it."""

    reported: Reported
    aggregates: tuple[Aggregate, ...]


def parse_reported(text: str, digits: int | None = None, beta: float = 1.0) -> Reported:
    """Read a published number, such as ``f1=0.69`` or ``auc=91.2%``.

    Parameters
    ----------
    text
        A measure, an equals sign and a number. A number above 1, or with a percent sign, is a percentage. "f1" and
        "f0.5" are F with that beta; "f" and "fbeta" are F with the beta that is computed.
    digits
        How many decimal places of the number are known; by default those that are written.
    beta
        The weight of recall in the F that is computed.

    Raises
    ------
    FoldDataError
        When the text has another form, the number is not between 0 and 100 %, or F has another beta.
    """
    match = re.fullmatch(r"\s*([\w@.]+)\s*=\s*([0-9]*\.?[0-9]+)\s*(%?)\s*", text)
    if match is None:
        raise FoldDataError(f"the reported value {text!r} cannot be read: write it like f1=0.69.")
    family = family_of(match[1], beta)
    number = Decimal(match[2])
    places = digits if digits is not None else max(0, -int(number.as_tuple().exponent))
    percent = bool(match[3]) or number > 1
    value = number / 100 if percent else number
    if not 0 <= value <= 1:
        raise FoldDataError(f"the reported value {text!r} is no share: it must be between 0 and 1, or 0 and 100 %.")
    return Reported(text.strip(), family, float(value), places + 2 * percent)


def family_of(measure: str, beta: float) -> str:
    """The family of a measure; raises FoldDataError for an unknown measure, and for F with another beta."""
    named = F_OF_BETA.fullmatch(measure.lower())
    if named is None:
        family = REPORTED_AS.get(measure.lower())
        if family is None:
            raise FoldDataError(
                f"no aggregate belongs to the measure {measure!r}: valid are f1, {', '.join(REPORTED_AS)}."
            )
        return family
    if float(named[1]) != beta:
        raise FoldDataError(
            f"a reported {measure} is F with beta {float(named[1]):g}, and what is computed is F with beta {beta:g}: "
            f"compute with beta {float(named[1]):g} to compare them."
        )
    return "f"


def match_reported(found: Recomputed, reported: Reported) -> Match:
    """The aggregates of the reported measure that round to the reported number."""
    half = 0.5 * 10.0**-reported.digits + 1e-12
    return Match(
        reported,
        tuple(a for a in found.aggregates if a.family == reported.family and abs(a.value - reported.value) <= half),
    )
