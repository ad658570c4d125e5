"""Values: which are the same, and what is known of them."""

from __future__ import annotations

import ast
from types import SimpleNamespace
from typing import Any

import pytest

from cvlint.analysis.domain.axis import Axis
from cvlint.analysis.domain.codomain import BOOL, CLASS, REAL, Codomain, Kind
from cvlint.analysis.domain.heap_object import HeapObject, Instance
from cvlint.analysis.domain.lattice import join, options, value_key, with_step
from cvlint.analysis.domain.trace import Step
from cvlint.analysis.domain.value import PREDICTION, Const, Data, LibraryName, MeasureValue, Union, library
from cvlint.analysis.domain.work import METER, UNBOUNDED, WorkSpent, work
from cvlint.analysis.heap.positions import known_parts, slice_of
from cvlint.analysis.heap.row_selection import pooled_after_selection

SOURCE: Any = SimpleNamespace(display="a.py")


def step(code: str = "fit(X)", heuristic: bool = False) -> Step:
    return Step(SOURCE, ast.parse(code).body[0], "happens here", heuristic)


def axis(kind: str, heuristic: bool = False, splitter: Any = None) -> Axis:
    return Axis(kind, step(f"for {kind} in found: pass", heuristic), splitter)


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


def test_the_unknown_stays_in_a_join_beside_decisions_only() -> None:
    """Where only some entries are constants, the whole is no decision; beside scores it says nothing."""
    unknown, decision, score = Data(), Data(codomain=CLASS), Data(codomain=REAL)
    assert options(join([unknown, decision])) == (unknown, decision)
    assert options(join([unknown, score])) == (score,)
    assert options(join([unknown, decision, score])) == (decision, score)
    assert options(join([Data(origin=PREDICTION), decision])) == (decision,)


def test_a_trace_ends_somewhere_and_only_data_and_measures_have_one() -> None:
    others = (Const(value=1), HeapObject("list"), LibraryName(name="a"))
    assert all(with_step(value, step()) is value for value in others)
    measure = MeasureValue()
    for number in range(20):
        measure = with_step(measure, step(f"x{number}"))
    assert isinstance(measure, MeasureValue) and len(measure.trace) == 13


def test_a_name_of_a_library_is_sure_unless_it_is_said() -> None:
    assert not library("sklearn.metrics.f1_score").heuristic
    assert library("sklearn.metrics.f1_score", heuristic=True).heuristic


def test_what_an_array_is_made_with_is_among_its_entries() -> None:
    """What the factory of a ``defaultdict`` makes is not, as long as nobody has asked for an entry."""
    entry, filled = Const(value=1), Const(value=0)
    assert HeapObject("array", {0: entry}, default=filled).initialised_entries() == [entry, filled]
    assert HeapObject("array", {0: entry}).initialised_entries() == [entry]
    assert HeapObject("dict", {0: entry}, default=filled).initialised_entries() == [entry]


def test_a_plain_object_varies_over_no_loop_and_a_container_over_those_around_it() -> None:
    loops = frozenset([axis("fold")])
    assert Instance("object", allocation_loops=loops).axes == frozenset()
    assert Instance("list", allocation_loops=loops).axes == loops
    assert HeapObject("list", {0: Data(axes=loops)}).axes == loops


def test_a_slice_of_a_list_in_part_known_may_hold_any_of_its_entries() -> None:
    first, second, any_other = Const(value=1), Const(value=2), Const(value=3)
    known = slice_of(HeapObject("list", {0: first, 1: second}), slice(1, None))
    assert (known.fields, known.elements) == ({0: second}, None)
    part = slice_of(HeapObject("list", {0: first, 1: second}, any_other), slice(1, None))
    assert (part.fields, options(part.elements)) == ({}, (first, second, any_other))


def test_a_tuple_is_a_key_if_each_part_of_it_is_known() -> None:
    known = {0: Const(value="svm"), 1: Const(value=3)}
    assert known_parts(HeapObject("tuple", known)) == ("svm", 3)
    assert known_parts(HeapObject("tuple", {**known, 2: Data()})) is None
    assert known_parts(HeapObject("tuple", known, Const(value=4))) is None


def test_only_folds_that_are_drawn_anew_repeat_a_hold_out() -> None:
    def is_repetition(**facts: bool) -> bool:
        return axis("fold", splitter=SimpleNamespace(role="splitter", name="", facts=facts)).is_repetition

    assert is_repetition(drawn_anew=True)
    assert not is_repetition(drawn_anew=False) and not is_repetition() and not axis("fold").is_repetition


def test_rows_of_a_fold_are_not_pooled_over_loops_that_only_a_name_calls_folds() -> None:
    by_name, seeds = axis("fold", heuristic=True), axis("seed")
    pooled = frozenset([by_name, seeds])
    assert pooled_after_selection(pooled, Data(frozenset([axis("fold")]))) == {seeds}
    assert pooled_after_selection(pooled, Data(frozenset([axis("epoch")]))) == pooled
    assert pooled_after_selection(pooled, Data(index="part")) == {seeds}


def test_work_may_be_done_up_to_its_bound() -> None:
    before, METER.left = METER.left, 3
    try:
        work(2)
        work(1)
        assert METER.left == 0
        with pytest.raises(WorkSpent):
            work(1)
    finally:
        METER.left = before
    assert before <= UNBOUNDED
