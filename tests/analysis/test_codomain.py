"""The lattice of codomains, and what Python's operations make of it."""

from __future__ import annotations

from itertools import product

import pytest

from cvlint.analysis.domain.codomain import (
    BOOL,
    BOTTOM,
    CLASS,
    COUNT,
    NUMBER,
    REAL,
    TEXT,
    TOP,
    UNIT,
    Codomain,
    Kind,
    arithmetic,
    constant,
    join_codomains,
)

ELEMENTS = (BOTTOM, BOOL, CLASS, COUNT, NUMBER, REAL, UNIT, TEXT, TOP, constant(0), constant(1), constant(None))


def test_join_commutes() -> None:
    for one, other in product(ELEMENTS, repeat=2):
        assert one.join(other) == other.join(one), (one, other)


def test_join_never_becomes_finite_again() -> None:
    for one, other in product(ELEMENTS, repeat=2):
        if one.kind is not BOTTOM.kind and not one.is_finite:
            assert not one.join(other).is_finite, (one, other)


@pytest.mark.parametrize("element", ELEMENTS)
def test_top_absorbs_and_bottom_vanishes(element: Codomain) -> None:
    assert element.join(TOP).kind is TOP.kind
    assert element.join(BOTTOM) == element
    assert element.join(element) == element


def test_none_and_nan_never_vanish() -> None:
    assert UNIT.join(constant(None)).undefined
    assert join_codomains([constant(float("nan")), constant(0), constant(1)]).undefined
    assert not join_codomains([constant(0), constant(1)]).undefined


def test_two_constants_are_a_decision_and_more_are_grades() -> None:
    assert join_codomains([constant(0), constant(1)]).is_hard
    assert join_codomains([constant("no"), constant("yes")]).is_hard
    assert not constant(0).is_hard
    assert not join_codomains(map(constant, (0, 1, 2))).is_hard
    assert not join_codomains([constant(0.2), constant(0.9)]).is_hard


@pytest.mark.parametrize(
    ("operator", "left", "right", "hard"),
    [
        ("Mult", BOOL, constant(1), True),
        ("Sub", constant(1), CLASS, True),
        ("BitAnd", BOOL, BOOL, True),
        ("Add", BOOL, BOOL, False),
        ("Mult", BOOL, UNIT, False),
        ("Add", CLASS, TOP, False),
    ],
)
def test_arithmetic(operator: str, left: Codomain, right: Codomain, hard: bool) -> None:
    assert arithmetic(operator, left, right).is_hard == hard


def test_rounding_makes_classes_of_what_is_narrow() -> None:
    assert UNIT.rounded().is_hard
    assert arithmetic("Add", UNIT, constant(0.5)).rounded().is_hard
    assert not arithmetic("Mult", UNIT, constant(100)).rounded().is_hard
    assert not REAL.rounded().is_hard
    assert not TOP.rounded().is_hard
    assert TOP.rounded(predicted=True).is_hard


def test_constants_on_both_sides_of_a_bound_replace_all_scores() -> None:
    above = UNIT.overwritten(constant(1), "above")
    assert not above.is_finite
    assert above.overwritten(constant(0), "below").is_hard
    assert not above.overwritten(constant(1), "above").is_finite
    assert not UNIT.overwritten(constant(0), "mask").overwritten(constant(1), "mask").is_finite


def test_clipping_leaves_the_values_between_two_bounds() -> None:
    clipped = UNIT.overwritten(constant(0), "below", "p: 0.01").overwritten(constant(1), "above", "p: 0.99")
    assert not clipped.is_finite


def real(low: float, high: float) -> Codomain:
    return Codomain(Kind.REAL, bounds=(low, high))


def test_a_join_of_numbers_lies_between_the_outer_bounds() -> None:
    assert real(0, 1).join(real(2, 5)) == real(0, 5)
    assert real(0, 4).join(real(-2, 3)) == real(-2, 4)


def test_scores_and_counts_together_are_numbers_without_bounds() -> None:
    assert real(0, 1).join(COUNT) == real(0, 1).join(BOOL) == REAL.join(NUMBER) == REAL


def test_a_count_or_a_constant_is_a_count_and_a_number_stays_one() -> None:
    assert COUNT.join(constant(0)) == COUNT.join(NUMBER) == COUNT
    assert NUMBER.join(constant(0)) == constant(0).join(NUMBER) == NUMBER


def test_decisions_and_a_constant_that_is_none_are_classes() -> None:
    assert BOOL.join(Codomain(Kind.CONST, frozenset((0, 1)))) == BOOL
    assert BOOL.join(Codomain(Kind.CONST, frozenset((0, 2)))) == CLASS
    assert CLASS.join(constant(1)) == CLASS


@pytest.mark.parametrize(
    ("operator", "left", "right", "expected"),
    [
        ("Sub", real(0, 1), constant(2), real(-2, -1)),
        ("Sub", constant(2), real(0, 1), real(1, 2)),
        ("Mult", real(0, 1), constant(-3), real(-3, 0)),
        ("Add", REAL, REAL, REAL),
        ("Add", COUNT, COUNT, COUNT),
        ("Add", REAL, COUNT, TOP),
        ("Add", TEXT, TEXT, TOP),
        ("Add", constant(1), constant(2), NUMBER),
    ],
)
def test_arithmetic_moves_bounds(operator: str, left: Codomain, right: Codomain, expected: Codomain) -> None:
    assert arithmetic(operator, left, right) == expected
