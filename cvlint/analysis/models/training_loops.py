"""Measures that a training library computes in each batch and averages: Keras' ``compile``, Lightning's ``log``."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from cvlint.analysis.domain.lattice import measures, options
from cvlint.analysis.domain.value import (
    AnyValue,
    Axis,
    Const,
    Data,
    Function,
    HeapObject,
    Instance,
    LibraryName,
    Measure,
    MeasureValue,
)
from cvlint.analysis.events import Event
from cvlint.analysis.inference.identifier_inference import label_of
from cvlint.analysis.models.scorers import returned_by
from cvlint.analysis.state import AnalysisState, Arguments
from cvlint.knowledge.schema import Entry

KERAS = "Keras calls it on each batch and shows the mean over the batches"
LIGHTNING = "Lightning averages what is logged in each batch"
IN_BATCH = "this method runs once a batch"


def compiled(state: AnalysisState, entry: Entry, given: Arguments, node: ast.Call) -> None:
    """``model.compile(metrics=["accuracy", f1])``: functions are called on each batch, objects accumulate."""
    for keyword in node.keywords:
        if keyword.arg is not None and keyword.arg in entry.facts["batchwise"]:
            for place, value in listed(given[1][keyword.arg], keyword.value):
                found = batch_measure(state, value, place)
                if found is not None:
                    averaged(state, found, place, Axis("batch", state.step(place, KERAS)), KERAS)


def listed(value: AnyValue, node: ast.expr) -> list[tuple[ast.expr, AnyValue]]:
    """The entries of an argument, and where each stands."""
    if not isinstance(value, HeapObject):
        return [(node, option) for option in options(value)]
    literal = node.elts if isinstance(node, ast.List | ast.Tuple) and len(node.elts) == len(value.keyed) else []
    places = literal or [node] * len(value.entries())
    return [found for place, entry in zip(places, value.entries(), strict=True) for found in listed(entry, place)]


def batch_measure(state: AnalysisState, value: AnyValue, node: ast.expr) -> MeasureValue | None:
    """What a function computes of each batch; None where that is not known."""
    match value:
        case Function(node=ast.FunctionDef(name=name)):
            result = returned_by(state, value)
            found = next(measures(result), None)
            if found is None and not (isinstance(result, Data) and result.opaque):
                return None
        case LibraryName(name=full_name) if state.knowledge.entry(full_name) is None:
            name, found = full_name.rpartition(".")[2], None
        case _:
            return None
    if found is None and (kind := state.knowledge.measure_named(name)):
        step = state.step(node, f"{name} is a measure by its name here", heuristic=True)
        found = MeasureValue(trace=(step,), measure=Measure(kind, None, label_of(state, kind, name)))
    return found


def averaged(state: AnalysisState, value: MeasureValue, node: ast.AST, axis: Axis, note: str) -> None:
    """A library averages a measure over the batches: the same event as a mean that is written out."""
    axes = frozenset((axis,))
    state.record(Event("reduce", state.scope.module, node, value.measure, axes, value.trace, note, {"kind": "mean"}))


def logged(state: AnalysisState, given: Arguments, node: ast.Call) -> None:
    """``self.log("val_f1", f1)`` in a method that runs once a batch: Lightning averages it over the epoch."""
    axis = next((a for a in reversed(state.active) if a.kind == "batch" and a.step.note == IN_BATCH), None)
    if axis is None:
        return
    asked = given[1].get("on_epoch")
    training = state.knowledge.conforms("training", getattr(axis.step.node, "name", ""))
    if (isinstance(asked, Const) and not asked.value) or (training and asked is None):
        return
    for value in (*given[0], *given[1].values()):
        for found in measures(value):
            if axis in found.axes:
                averaged(state, found, node, axis, LIGHTNING)


@dataclass(slots=True)
class BatchMethods:
    """Methods that Lightning calls: ``test_step`` on each batch, ``test_epoch_end`` on all that these returned."""

    state: AnalysisState
    returned: dict[tuple[int, str], HeapObject] = field(default_factory=dict)

    def call(self, function: Function, node: ast.AST) -> None:
        """Evaluate a function that nothing in the project calls."""
        stage, _, part = getattr(node, "name", "").partition("_")
        key = (id(function.bound), stage)
        match part:
            case "step" if isinstance(function.bound, Instance):
                axes = frozenset((Axis("batch", self.state.step(node, IN_BATCH)),))
                with self.state.along(axes):
                    result = self.state.call(self.state, function, ([], {}), node)
                self.returned[key] = HeapObject("list", {}, result, axes)
            case "epoch_end" if key in self.returned:
                self.state.call(self.state, function, ([self.returned[key]], {}), node)
            case _:
                self.state.call(self.state, function, ([], {}), node)
