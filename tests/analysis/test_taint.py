"""Taint labels of one event are merged; labels are compared by identity, and a set of them has no order."""

from __future__ import annotations

import ast
from typing import Any

from cvlint.analysis.domain.taint_label import TaintLabel
from cvlint.analysis.domain.trace import Step
from cvlint.analysis.taint import merge_labels


def test_labels_that_differ_in_their_columns_alone_are_merged() -> None:
    source: Any = None
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
