"""Measures of other forms than ``measure(y_true, y_pred)`` of a known library.

``evaluator.evaluate(predictions)`` of Spark, ``model.evaluate(X, y)`` of Keras, ``quality_score(y_test, predicted)`` of
an unknown library.
"""

from __future__ import annotations

import ast
from typing import Any

from cvlint.analysis.checkers.rankings import check_ranking
from cvlint.analysis.domain.axis import NO_AXES
from cvlint.analysis.domain.frozen import replace
from cvlint.analysis.domain.heap_object import HeapObject
from cvlint.analysis.domain.lattice import measures_in, with_step
from cvlint.analysis.domain.value import AnyValue, Const, Data, LibraryName, LibraryObject
from cvlint.analysis.models.experiment.metric_objects import average_of_object
from cvlint.analysis.models.experiment.metrics import measure_call, part_of_comparison
from cvlint.analysis.models.experiment.scorers import call_scorer
from cvlint.analysis.state import AnalysisState, Arguments
from cvlint.knowledge.schema import Entry

# Conventions for names of functions that plot, or that rank (`check_ranking_by_name` in the interpreter sees these).
OTHER_USES = ("ends-plotted", "loss", "ranks-roc-auc", "ranks-average-precision", "ranks-precision-at-k")


def evaluate_predictions(state: AnalysisState, base: LibraryObject, node: ast.Call) -> AnyValue:
    """``evaluator.evaluate(predictions)``: the measure of an evaluator; it may rank predicted labels."""
    value = call_scorer(state, base, node)
    if base.facts.get("hard"):
        entry = Entry(base.name, "evaluator", {"params": []})
        for found in measures_in(value):
            check_ranking(state, entry, node, found.measure, NO_AXES, (), "hard", None)
    return value


def note_compiled(state: AnalysisState, base: AnyValue, entry: Entry, arguments: Arguments) -> None:
    """``model.compile(metrics=["accuracy", "AUC"])``: what ``model.evaluate`` returns behind the loss."""
    metrics = arguments[1].get("metrics")
    if isinstance(base, LibraryObject) and isinstance(metrics, HeapObject) and metrics.elements is None:
        base.facts["compiled"] = [metric_told(state, entry, metric) for metric in metrics.fields.values()]


def metric_told(state: AnalysisState, entry: Entry, metric: AnyValue) -> AnyValue:
    """The object that a text stands for among the metrics of a model: ``"AUC"`` for ``keras.metrics.AUC()``."""
    home = entry.facts.get("metrics_in")
    known = state.knowledge.entry(f"{home}.{metric.value}") if home and isinstance(metric, Const) else None
    if known is None or known.effect != "stateful-measure":
        return metric
    return LibraryObject(role="state", name=known.name, facts=dict(known.facts))


def evaluate_model(state: AnalysisState, base: LibraryObject, arguments: Arguments, node: ast.Call) -> AnyValue:
    """``loss, f1 = model.evaluate(X_test, y_test)``: the loss, and the metrics that the model was compiled with."""
    values: dict[Any, AnyValue] = {0: Data(state.active_axes)}
    for metric in base.facts["compiled"]:
        values[len(values)] = measure_of_metric(state, metric, arguments, node)
    return HeapObject("list", values, allocation_loops=state.active_axes)


def measure_of_metric(state: AnalysisState, metric: AnyValue, arguments: Arguments, node: ast.Call) -> AnyValue:
    """What one of a model's metrics gives for data: that of an object of the library, or the accuracy."""
    match metric:
        case LibraryObject(role="state", facts=facts):
            known = {**facts, "average": average_of_object(facts.get("node")) or facts.get("average")}
        case LibraryName(name=name) | Const(value=str() as name) if "acc" in name:
            known = {"measure": "accuracy", "label": "accuracy"}
        case _:
            return Data(state.active_axes)
    entry = Entry("model.evaluate", "measure", {**known, "params": ["x", "y_true"], "keywords": {"y": "y_true"}})
    return measure_call(state, entry, arguments, node)


def unknown_measure(state: AnalysisState, name: str, arguments: Arguments, node: ast.AST) -> AnyValue | None:
    """``quality_score(y_test, predicted)`` of an unknown library: a measure of unknown kind, by its arguments.

    It must judge by its name as well; None for other functions.
    """
    tail, known = name.rpartition(".")[2], state.knowledge
    if not isinstance(node, ast.Call) or len(node.args) != len(arguments[0]) or len(node.args) < 2:
        return None
    if not known.conforms("judging", tail) or any(known.conforms(c, tail) for c in OTHER_USES):
        return None
    params = [part_of_comparison(state, value, arg) for value, arg in zip(arguments[0][:2], node.args, strict=False)]
    if set(params) != {"y_true", "y_pred"}:
        return None
    entry = Entry(name, "measure", {"measure": "other", "label": tail, "params": params})
    value = measure_call(state, entry, arguments, node)
    step = state.step(
        node, f"{tail} compares predictions with true labels, by the names of its arguments", heuristic=True
    )
    state.taint = frozenset(replace(m, step=step) if m.step.node is node else m for m in state.taint)
    return with_step(value, step)
