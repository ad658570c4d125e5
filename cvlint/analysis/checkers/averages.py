"""Averages."""

from __future__ import annotations

import ast

from cvlint.analysis.checkers.aggregation_mix import fold_axes
from cvlint.analysis.checkers.formulas import last_name
from cvlint.analysis.checkers.selection_bias import check_best_averaged
from cvlint.analysis.domain.axis import Axes, Axis
from cvlint.analysis.domain.value import MeasureValue
from cvlint.analysis.events import Event
from cvlint.analysis.state import AnalysisState
from cvlint.analysis.syntax import names_in, nodes_in


def record_average(state: AnalysisState, node: ast.AST, kind: str, value: MeasureValue, axes: Axes, note: str) -> None:
    """Record that a measure is averaged over ``axes``: ``np.mean(scores)``, ``sum(scores) / len(scores)``."""
    defined = "yes" if value.defined else "no"
    use = "choice" if is_objective(state) else "result"
    state.emit("reduce", node, value.measure, axes, value.trace, note, kind=kind, defined=defined, use=use)
    if state.taint:
        check_best_averaged(state, node, fold_axes(axes))
    if kind == "nanmean":
        state.excuse_undefined(value)


def record_batch_average(state: AnalysisState, value: MeasureValue, node: ast.AST, axis: Axis, note: str) -> None:
    """Record that a library averages a measure over the batches, as if the mean were written out."""
    axes = frozenset((axis,))
    state.record(
        Event("reduce", state.environment.module, node, value.measure, axes, value.trace, note, {"kind": "mean"})
    )


def is_objective(state: AnalysisState) -> bool:
    """Whether the function around is handed to an optimiser, and the best value that this finds is not read."""
    function, known = state.frame.node, state.knowledge
    if not isinstance(function, ast.FunctionDef):
        return False
    tree = state.frame.module.source.tree
    takers = (c for c in nodes_in(tree, ast.Call) if known.conforms("optimiser", last_name(c.func)))
    handed = any(function.name in names_in(argument) for taker in takers for argument in taker.args)
    return handed and not any(known.conforms("best-value", ast.unparse(a)) for a in nodes_in(tree, ast.Attribute))
