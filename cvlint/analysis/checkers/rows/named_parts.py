"""Measures whose result is called by one part of the data, and their labels and predictions by another."""

from __future__ import annotations

import ast

from cvlint.analysis.checkers.rows.measuring import UNKNOWN_MEASURE
from cvlint.analysis.events import Event
from cvlint.analysis.state import AnalysisState


def check_named_part(state: AnalysisState, node: ast.AST, truth: ast.expr | None, predictions: ast.expr | None) -> None:
    """``recall_val = recall_score(y_train, train_pred)``: a training score under the name of a held-out one."""
    conforms, target = state.knowledge.conforms, state.target
    if not target or not conforms("test-part", target) or conforms("training", target):
        return
    names = [a.id for a in (truth, predictions) if isinstance(a, ast.Name)]
    if len(names) == 2 and all(conforms("training", name) and not conforms("test-part", name) for name in names):
        note = f"{target} is computed of {names[0]} here, by their names"
        step = state.step(node, note, heuristic=True)
        facts = {"how": "named", "model": target, "data": names[0]}
        state.record(Event("retest", step.source, node, UNKNOWN_MEASURE, trace=(step,), note=note, facts=facts))
