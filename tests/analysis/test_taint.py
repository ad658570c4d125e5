"""Taint labels of one event are merged; labels are compared by identity, and a set of them has no order."""

from __future__ import annotations

import ast
from itertools import permutations
from types import SimpleNamespace
from typing import Any

from cvlint.analysis.domain.axis import Axis
from cvlint.analysis.domain.taint_label import MOST_LABELS, TaintLabel
from cvlint.analysis.domain.trace import Step
from cvlint.analysis.taint import merge_labels


def test_merging_labels_does_not_depend_on_their_order() -> None:
    """A set of labels is in another order in each run of Python."""
    source: Any = SimpleNamespace(display="a.py")
    step = Step(source, ast.parse("best = max(scores)").body[0], "the best is chosen here")
    over = frozenset([Axis("fold", step)])
    labels: Any = [
        TaintLabel("learned", step),
        TaintLabel("learned", step, pooled=over),
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
