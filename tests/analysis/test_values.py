"""Values: which are the same, and what is known of them."""

from __future__ import annotations

from cvlint.analysis.domain.codomain import BOOL, REAL, Codomain, Kind
from cvlint.analysis.domain.lattice import value_key
from cvlint.analysis.domain.value import PREDICTION, Const, Data, LibraryName, Union


def test_unions_are_the_same_if_their_options_are() -> None:
    one, two, three = (Union((Const(value=1), Const(value=last))) for last in (2, 2, 3))
    assert value_key(one) == value_key(two) != value_key(three)


def test_what_is_plain() -> None:
    """Nothing is known of it, but perhaps that a model predicted it."""
    assert all(value.is_plain for value in (Data(), Data(codomain=Codomain(Kind.TOP)), Data(origin=PREDICTION)))
    known = (Data(index="part"), Data(origin="truth"), Data(codomain=BOOL), Data(codomain=REAL, origin=PREDICTION))
    assert not any(value.is_plain for value in known)


def test_constants_of_other_types_are_others() -> None:
    assert value_key(Const(value=1)) != value_key(Const(value=True))
    assert value_key(LibraryName(name="a")) != value_key(LibraryName(name="b"))
