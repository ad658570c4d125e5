"""The lattice of codomains: which values an array, or one number, can take.

    BOTTOM < {CONST(values), BOOL, CLASS, COUNT, NUMBER, REAL(bounds), TEXT} < TOP

A codomain is *finite* if it holds constants, truth values or classes: the values are decisions then, whatever they are
called. Python's own operations keep that true by construction: a comparison gives BOOL, arithmetic of a decision with a
constant a CLASS, a condition that chooses between two constants CONST. ``None`` and NaN do not vanish in a join: they
make it ``undefined``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from enum import Enum
from functools import reduce
from typing import Any

from cvlint.analysis.domain.frozen import dataclass, replace

Bounds = tuple[float, float]

SIDES = frozenset(("above", "below"))  # of a bound that a mask compares values with
MOST_CLASSES = 10  # so many whole numbers lie at most between the bounds of scores that are rounded to classes
DECISION = 2  # constants: more of them may be a scale of grades, which ranks


class Kind(Enum):
    """The kinds of codomains."""

    __hash__ = object.__hash__  # an enumeration's own is written in Python

    BOTTOM = "nothing"
    CONST = "some constants"
    BOOL = "truth values"
    CLASS = "finitely many classes"
    COUNT = "counts"
    NUMBER = "one number"
    REAL = "real numbers"
    TEXT = "text"
    TOP = "anything"


@dataclass(frozen=True, slots=True)
class Codomain:
    """A set of values.

    Parameters
    ----------
    values
        Of CONST: the constants.
    bounds
        Of REAL: the numbers between which all values lie, if they are known. Those of probabilities are 0 and 1.
    replaced
        The sides of a bound on which constants have replaced the values, with the bound:
        ``q[q > 0.5] = 1`` replaces those above 0.5.
    undefined
        Whether ``None`` or NaN may stand among the values.
    """

    kind: Kind
    values: frozenset[Any] = frozenset()
    bounds: Bounds | None = None
    replaced: frozenset[tuple[str, str]] = frozenset()
    undefined: bool = False

    @property
    def is_finite(self) -> bool:
        """Whether there are finitely many values."""
        return self.kind in (Kind.CONST, Kind.BOOL, Kind.CLASS)

    @property
    def is_hard(self) -> bool:
        """Whether the values are decisions: finitely many, and not a scale that somebody wrote out."""
        if self.kind is not Kind.CONST:
            return self.is_finite
        return len(self.values) == DECISION and all(isinstance(v, str) or v == round(v) for v in self.values)

    @property
    def is_real(self) -> bool:
        """Whether the values are scores or other real numbers."""
        return self.kind is Kind.REAL

    @property
    def is_scalar(self) -> bool:
        """Whether there is one value only."""
        return self.kind is Kind.NUMBER or (self.kind is Kind.CONST and len(self.values) == 1)

    def join(self, other: Codomain) -> Codomain:
        """The least codomain that holds the values of both."""
        undefined = self.undefined or other.undefined
        return replace(joined_values(self, other), undefined=undefined)

    def overwritten(self, other: Codomain, side: str, bound: str = "") -> Codomain:
        """The values after those on one ``side`` of a bound were replaced: none is left once both sides were."""
        if self.is_finite or not other.is_finite:
            return self.join(other)
        replaced = self.replaced | ({(side, bound)} if side in SIDES else set())
        none_left = all((one, bound) in replaced for one in SIDES)
        return CLASS if none_left else replace(self, bounds=None, replaced=replaced)

    def rounded(self, predicted: bool = False) -> Codomain:
        """The values as whole numbers; ``predicted``: as they come out of a model, so that they become its classes."""
        if self.kind is Kind.REAL and self.bounds is not None:
            low, high = self.bounds
            return CLASS if high - low <= MOST_CLASSES else REAL
        return CLASS if predicted and self.kind in (Kind.REAL, Kind.TOP) else self


def joined_values(one: Codomain, other: Codomain) -> Codomain:
    """The join, but for what may be undefined."""
    kinds = {one.kind, other.kind}
    if one == other or other.kind is Kind.BOTTOM:
        return one
    if one.kind is Kind.BOTTOM:
        return other
    if kinds == {Kind.CONST}:
        return Codomain(Kind.CONST, one.values | other.values)
    if kinds == {Kind.REAL} and one.bounds is not None and other.bounds is not None:
        hull = (min(one.bounds[0], other.bounds[0]), max(one.bounds[1], other.bounds[1]))
        return Codomain(Kind.REAL, bounds=hull, replaced=one.replaced & other.replaced)
    if one.is_finite and other.is_finite:
        return BOOL if kinds == {Kind.BOOL, Kind.CONST} and one.values | other.values <= {0, 1} else CLASS
    if kinds <= {Kind.COUNT, Kind.CONST, Kind.NUMBER}:
        return COUNT if Kind.COUNT in kinds else NUMBER
    if kinds <= {Kind.REAL, Kind.COUNT, Kind.CONST, Kind.NUMBER, Kind.BOOL, Kind.CLASS}:
        return replace(REAL, replaced=one.replaced & other.replaced)
    return TOP


TOP = Codomain(Kind.TOP)
BOTTOM = Codomain(Kind.BOTTOM)
UNDEFINED = Codomain(Kind.BOTTOM, undefined=True)
BOOL = Codomain(Kind.BOOL)
CLASS = Codomain(Kind.CLASS)
COUNT = Codomain(Kind.COUNT)
NUMBER = Codomain(Kind.NUMBER)
TEXT = Codomain(Kind.TEXT)
REAL = Codomain(Kind.REAL)
UNIT = Codomain(Kind.REAL, bounds=(0.0, 1.0))

NAMED = {"bool": BOOL, "class": CLASS, "real": REAL, "unit": UNIT, "hard": CLASS, "scores": REAL}
"""The codomains that the knowledge speaks of."""


def constant(value: object) -> Codomain:
    """The codomain of a constant."""
    match value:
        case None:
            return UNDEFINED
        case float() if math.isnan(value):
            return UNDEFINED
        case bool() | int() | float() | str():
            return Codomain(Kind.CONST, frozenset((value,)))
        case _:
            return TOP


def join_codomains(codomains: Iterable[Codomain]) -> Codomain:
    """The join of codomains."""
    return reduce(Codomain.join, codomains, BOTTOM)


SHIFTS: dict[str, Callable[[float, float], float]] = {
    "Add": lambda a, b: a + b,
    "Sub": lambda a, b: a - b,
    "Mult": lambda a, b: a * b,
}
SELECTING = frozenset(("BitAnd", "BitOr", "BitXor", "Mult"))  # of two decisions they make one; a sum counts votes


def arithmetic(operator: str, left: Codomain, right: Codomain) -> Codomain:
    """The values of ``left operator right``, entry by entry; ``operator`` is the name of its class in `ast`."""
    if left.is_scalar and right.is_scalar:
        return NUMBER
    if right.is_scalar or left.is_scalar:
        return with_constant(operator, left, right)
    if left.is_finite and right.is_finite:
        return joined_values(left, right) if operator in SELECTING else TOP
    return Codomain(left.kind) if left.kind is right.kind and left.kind in (Kind.REAL, Kind.COUNT) else TOP


def with_constant(operator: str, left: Codomain, right: Codomain) -> Codomain:
    """Arithmetic with a constant: finitely many values stay finitely many, and bounds are shifted."""
    array, number = (left, right) if right.is_scalar else (right, left)
    if array.is_finite:
        return CLASS
    if array.kind is not Kind.REAL or array.bounds is None or operator not in SHIFTS or not number.values:
        return Codomain(array.kind) if array.kind in (Kind.REAL, Kind.COUNT) else TOP
    (value,) = number.values
    if isinstance(value, str):
        return TOP
    shift = SHIFTS[operator]
    ends = [shift(end, value) if array is left else shift(value, end) for end in array.bounds]
    return Codomain(Kind.REAL, bounds=(min(ends), max(ends)))
