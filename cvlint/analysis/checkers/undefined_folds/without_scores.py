"""Tests whether a model gives scores at all: ``if hasattr(model, "predict_proba")``, ``if scores is not None``.

Where it gives none, the measure is missing for the model, and no fold is left out: NaN or None there says nothing.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Iterable

from cvlint.analysis.domain.lattice import UNKNOWN, measures_in, options
from cvlint.analysis.domain.value import CALIBRATED, NO_SCORES, PREDICTION, AnyValue, Const, Data
from cvlint.analysis.state import AnalysisState
from cvlint.analysis.syntax import names_in
from cvlint.source.parsing import walk

ABSENT_METHOD = frozenset(("AttributeError", "NotImplementedError"))


def unless_without_scores(state: AnalysisState, value: Const) -> AnyValue:
    """A constant, but for None and NaN in an arm for models without scores."""
    if is_missing(value) and any(asks_for_scores(state, guard) for guard in state.frame.guards):
        return Data(origin=NO_SCORES)
    return value


def expect_no_scores(state: AnalysisState, test: ast.expr, bound: Iterable[str]) -> None:
    """After ``auc = None``, ``if scores is not None: auc = …``: where the test fails, the model gives no scores.

    ``if limit is None: limit = …`` asks for nothing but what it binds.
    """
    names = state.environment.bindings
    missing = [name for name in bound if is_missing(names.get(name))]
    if missing and names_in(test).isdisjoint(bound) and asks_for_scores(state, test):
        names.update(dict.fromkeys(missing, Data(origin=NO_SCORES)))


def is_missing(value: AnyValue | None) -> bool:
    """Whether a value is None or NaN."""
    if not isinstance(value, Const):
        return False
    return value.value is None or (isinstance(value.value, float) and math.isnan(value.value))


def asks_for_scores(state: AnalysisState, guard: ast.AST) -> bool:
    """Whether a guard asks what a model can do, and nothing of the fold."""
    if isinstance(guard, ast.ExceptHandler):
        return True
    if not isinstance(guard, ast.expr):
        return False
    for child in walk(guard):
        match child:
            case ast.Call(func=ast.Name(id="hasattr"), args=[_, method]):
                return not isinstance(method, ast.Constant) or method.value in state.knowledge.groups["predicts"]
            case ast.Compare(left=left, ops=[ast.Is() | ast.IsNot()], comparators=[ast.Constant(value=None)]) if (
                holds_scores(state, left)
            ):
                return True
    return False


def holds_scores(state: AnalysisState, node: ast.expr) -> bool:
    """Whether a name holds what a model predicts, by its value or by its name."""
    if not isinstance(node, ast.Name):
        return False
    held = state.environment.lookup(node.id)
    if any(isinstance(value, Data) and value.origin in (PREDICTION, CALIBRATED, NO_SCORES) for value in options(held)):
        return True
    return state.knowledge.conforms("scores-of-model", node.id) and not measures_in(held or UNKNOWN)


def means_no_scores(state: AnalysisState, node: ast.Try, handler: ast.ExceptHandler, measured: bool) -> bool:
    """Whether a handler catches a model without scores: a method is missing, or the body only asks for predictions."""
    asked = frozenset[str]().union(*map(names_in, node.body)) & state.knowledge.groups["predicts"]
    return bool(asked) and (not measured or (handler.type is not None and names_in(handler.type) <= ABSENT_METHOD))
