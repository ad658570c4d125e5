"""Taint labels of one event are merged; labels are compared by identity, and a set of them has no order."""

from __future__ import annotations

import ast
from itertools import permutations
from types import SimpleNamespace
from typing import Any

from cvlint.analysis.domain.axis import Axis
from cvlint.analysis.domain.taint_label import MOST_LABELS, TaintLabel, choices_in, sorted_labels
from cvlint.analysis.domain.trace import Step
from cvlint.analysis.domain.value import Data
from cvlint.analysis.taint import constant_columns, merge_labels, stored, taken_arguments


def test_merging_labels_does_not_depend_on_their_order() -> None:
    """A set of labels is in another order in each run of Python."""
    source: Any = SimpleNamespace(display="a.py")
    step = Step(source, ast.parse("best = max(scores)").body[0], "the best is chosen here")
    over = frozenset([Axis("fold", step)])
    labels: Any = [
        TaintLabel("learned", step),
        TaintLabel("learned", step, pooled=over),
        TaintLabel("learned", step, swept=over),
        TaintLabel("learned", step, turning=over),
        TaintLabel("learned", step, undersampling=True),
    ]
    assert len({merge_labels(order) for order in permutations(labels)}) == 1
    many: Any = tuple(
        TaintLabel("learned", step, columns=frozenset([f"[{i}]"]), choice=str(i)) for i in range(MOST_LABELS + 8)
    )
    assert merge_labels(many) == merge_labels(many[::-1])


def test_labels_that_differ_in_their_columns_alone_are_merged() -> None:
    source: Any = SimpleNamespace(display="a.py")
    step = Step(source, ast.parse("best = max(scores)").body[0], "the best is chosen here")
    labels = [
        TaintLabel("chosen", step, "F1", choice=choice, columns=frozenset(columns))
        for choice in ("", "loop", "several")
        for columns in (["a"], ["b"])
    ]
    merged = merge_labels(frozenset(labels))
    assert len(merged) == 3
    assert {(label.choice, label.columns) for label in merged} == {
        (choice, frozenset("ab")) for choice in ("", "loop", "several")
    }


def test_labels_that_say_the_same_are_in_the_order_of_the_ways_to_them() -> None:
    source: Any = SimpleNamespace(display="a.py")
    first, second, third = (Step(source, node, "happens") for node in ast.parse("a\nb\nc").body)
    labels = [TaintLabel("learned", first, way=way) for way in ((third,), (), (second,), (second, third))]
    orders = {tuple(sorted_labels(order)) for order in permutations(labels)}
    assert orders == {(labels[1], labels[2], labels[3], labels[0])}


def test_a_model_keeps_what_was_chosen_and_no_other_label() -> None:
    source: Any = SimpleNamespace(display="a.py")
    step = Step(source, ast.parse("a").body[0], "happens")
    chosen, cut, learned = (TaintLabel(kind, step) for kind in ("chosen", "cut", "learned"))
    assert choices_in(frozenset([chosen, cut, learned])) == {chosen, cut}


def test_a_function_of_a_library_gets_its_arguments_without_labels() -> None:
    source: Any = SimpleNamespace(display="a.py")
    label = TaintLabel("learned", Step(source, ast.parse("a").body[0], "happens"))
    value = stored(Data(), frozenset([label]))
    assert isinstance(value, Data) and value.labels
    for positional, keywords in (([value], {}), ([], {"X": value}), ([value], {"X": value}), ([], {})):
        found, named = taken_arguments((positional, keywords))
        assert not any(one.labels for one in (*found, *named.values()) if isinstance(one, Data))
        assert (len(found), list(named)) == (len(positional), list(keywords))


def test_columns_are_known_if_each_of_them_is_spelled_out() -> None:
    state: Any = SimpleNamespace(environment=SimpleNamespace(definitions={"given": ast.parse("['a']").body[0].value}))  # type: ignore[attr-defined]
    keys = {
        "'a'": ["a"],
        "['a', 'b']": ["a", "b"],
        "rows, 'a'": ["a"],
        "given": ["a"],
        "['a', b]": [],
        "b": [],
        "[]": [],
    }
    for code, columns in keys.items():
        assert constant_columns(state, ast.parse(code, mode="eval").body) == columns, code
