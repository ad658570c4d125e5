"""What is kept of several marks of one thing: marks are told apart by identity, and a set of them has no order."""

from __future__ import annotations

import ast
from typing import Any

from cvlint.analysis.domain.taint_label import TaintLabel
from cvlint.analysis.domain.trace import Step
from cvlint.analysis.taint import merge_labels


def test_marks_that_differ_in_their_columns_alone_are_one() -> None:
    module: Any = None
    step = Step(module, ast.parse("best = max(scores)").body[0], "the best is chosen here")
    taint = [
        TaintLabel("chosen", step, "F1", choice=of, columns=frozenset(columns))
        for of in ("", "loop", "several")
        for columns in (["a"], ["b"])
    ]
    kept = merge_labels(frozenset(taint))
    assert len(kept) == 3
    assert {(taint_label.choice, taint_label.columns) for taint_label in kept} == {
        (of, frozenset("ab")) for of in ("", "loop", "several")
    }
