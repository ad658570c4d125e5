"""Objects that compute a measure. Effects: ``stateful-measure``, ``evaluate-load``.

``metric = torchmetrics.F1Score(...)``, ``metric.update(p, y)``, ``metric.compute()``; ``evaluate.load("f1")``.
"""

from __future__ import annotations

import ast
from typing import Any

from cvlint.analysis.checkers.formulas.areas import relabelled
from cvlint.analysis.checkers.own_measures import is_truth
from cvlint.analysis.checkers.selection_bias import label_measured
from cvlint.analysis.checkers.selections import measured_in
from cvlint.analysis.domain.frozen import replace
from cvlint.analysis.domain.heap_object import HeapObject
from cvlint.analysis.domain.lattice import options
from cvlint.analysis.domain.value import AnyValue, Const, Data, LibraryObject, MeasureValue
from cvlint.analysis.inference.identifier_inference import MEASURE_LABELS as LABELS
from cvlint.analysis.models.arguments import first_argument
from cvlint.analysis.models.experiment.metrics import measure_call
from cvlint.analysis.models.experiment.scorers import measure_of_entry
from cvlint.analysis.state import AnalysisState, Arguments
from cvlint.analysis.syntax import words_of
from cvlint.analysis.taint import add_taint
from cvlint.knowledge.schema import Entry


def call_metric_object(state: AnalysisState, target: LibraryObject, node: ast.AST) -> AnyValue:
    """``metric(p, y)`` on a batch gives the value of that batch."""
    measure = measure_of_entry(target.facts, average_of_object(target.facts.get("node")))
    return MeasureValue(state.active_axes, (), (state.step(node, f"{measure.label} is computed here"),), measure)


def average_of_object(constructor: ast.AST | None) -> str | None:
    """The average that a metric object is made with, ``F1Score(average="micro")``, where the call spells it out."""
    keywords = constructor.keywords if isinstance(constructor, ast.Call) else []
    averages = [k.value for k in keywords if k.arg == "average"]
    return next((str(a.value).lower() for a in averages if isinstance(a, ast.Constant)), None)  # None: of each class


def call_metric_object_method(
    state: AnalysisState, base: LibraryObject, name: str, arguments: Arguments, node: ast.AST
) -> AnyValue:
    """``update``, ``compute``, ``result``, ``aggregate`` of a metric object that accumulates counts over batches."""
    if name in ("compute", "result", "aggregate"):
        batches = frozenset(a for a in state.active_axes if a.kind == "batch")
        value = call_metric_object(state, base, node)
        if not isinstance(value, MeasureValue):
            return value
        measured, value = measured_in(state.taint), replace(value, axes=value.axes - batches)
        state.taint = state.taint - measured | relabelled(measured, value, state.active_axes)
        return value
    if name == "forward":
        return call_metric_object(state, base, node)
    if name.startswith("update"):
        note_update(state, base, node)
    return base if name in ("to", "cuda", "clone", "mean") else Const()  # the mean of a metric object is one as well


def note_update(state: AnalysisState, base: LibraryObject, node: ast.AST) -> None:
    """``metric.update(preds, labels)``: what the object computes later is measured on these true labels."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return
    given = [*node.args, *(k.value for k in node.keywords)]
    truths = [argument for argument in given if any(is_truth(state, word) for word in words_of(argument))]
    if len(truths) == 1:
        measure = measure_of_entry(base.facts, average_of_object(base.facts.get("node")))
        others = [argument for argument in given if argument is not truths[0]]
        label_measured(state, truths[0], node, measure, others=others)
        add_taint(state, node.func.value, measured_in(state.taint))


def evaluate_load_call(state: AnalysisState, entry: Entry, arguments: Arguments, node: ast.AST) -> AnyValue:
    """``evaluate.load("f1")``, ``evaluate.combine(["f1", "accuracy"])``: an object whose ``compute`` gives a dict."""
    asked = [name for option in options(first_argument(arguments)) for name in names_in_value(option)]
    results: dict[str, dict[str, Any]] = {}
    for name in asked:
        keys = entry.facts.get("results", {}).get(name, {})
        results |= {key: {"measure": kind, "label": LABELS[kind], "average": "entities"} for key, kind in keys.items()}
        scorer = state.knowledge.scorer(name)
        if scorer is not None and name in entry.facts["measures"]:
            results[name] = {"measure": scorer.measure, "label": scorer.label, "average": scorer.average}
    if not results:
        return Data(state.active_axes, opaque=True)
    return LibraryObject(role="evaluator", facts={"results": results, "keywords": entry.facts["keywords"]})


def names_in_value(value: AnyValue) -> list[str]:
    """The texts that a value is or holds."""
    entries = value.entries() if isinstance(value, HeapObject) else [value]
    return [v.value for v in entries if isinstance(v, Const) and isinstance(v.value, str)]


def compute_of_evaluator(state: AnalysisState, base: LibraryObject, arguments: Arguments, node: ast.AST) -> AnyValue:
    """``metric.compute(predictions=…, references=…)``: a dict with the measures by their names."""
    shared = {"params": [], "keywords": base.facts["keywords"]}
    found: dict[Any, AnyValue] = {
        name: measure_call(state, Entry("evaluate.compute", "measure", {**known, **shared}), arguments, node)
        for name, known in base.facts["results"].items()
    }
    return HeapObject("dict", found, allocation_loops=state.active_axes)
