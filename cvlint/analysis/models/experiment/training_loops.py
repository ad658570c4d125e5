"""Measures that a training library averages over batches.

Effects: ``compile``, ``log``, ``learner``, ``batch-scoring``.

Keras calls the functions in ``model.compile(metrics=[f1])`` on each batch and shows the mean; Lightning averages what
``self.log("val_f1", f1)`` logs in ``validation_step``.
"""

from __future__ import annotations

import ast

from cvlint.analysis.checkers.averages import record_batch_average
from cvlint.analysis.domain.axis import Axis
from cvlint.analysis.domain.environment import Function
from cvlint.analysis.domain.frozen import replace
from cvlint.analysis.domain.heap_object import HeapObject, Instance
from cvlint.analysis.domain.lattice import measures_in, options
from cvlint.analysis.domain.value import AnyValue, Const, Data, LibraryName, LibraryObject, Measure, MeasureValue
from cvlint.analysis.inference.identifier_inference import measure_label
from cvlint.analysis.models.arguments import argument_named
from cvlint.analysis.models.experiment.estimators import fit_method
from cvlint.analysis.models.experiment.predictions import note_compiled
from cvlint.analysis.models.experiment.scorers import measured_by_scoring, returned_by
from cvlint.analysis.state import AnalysisState, Arguments
from cvlint.knowledge.schema import Entry
from cvlint.records import dataclass, field

KERAS = "Keras"
BATCHWISE = "{library} calls it on each batch and shows the mean over the batches"
LIGHTNING = "Lightning averages what is logged in each batch"
IN_BATCH = "this method runs once a batch"


def compile_metrics(state: AnalysisState, entry: Entry, arguments: Arguments, node: ast.Call) -> None:
    """``model.compile(metrics=["accuracy", f1])``: functions are averaged over batches, objects accumulate."""
    note = BATCHWISE.format(library=entry.facts.get("library", KERAS))
    for keyword in node.keywords:
        if keyword.arg is not None and keyword.arg in entry.facts["batchwise"]:
            for place, value in entries_with_nodes(arguments[1][keyword.arg], keyword.value):
                found = measure_of_batch(state, value, place)
                if found is not None and isinstance(value, Function) and labels_are_one_hot(entry, arguments):
                    found = over_all_classes(found)
                if found is not None:
                    record_batch_average(state, found, place, Axis("batch", state.step(place, note)), note)


def evaluate_loaded(state: AnalysisState, loaded: list[AnyValue], node: ast.Call) -> AnyValue:
    """``load_model("net.h5", custom_objects={"f1": f1}).evaluate(X, y)``: functions are averaged over batches."""
    note = BATCHWISE.format(library=KERAS)
    for value in loaded:
        found = measure_of_batch(state, value, node) if isinstance(value, Function) else None
        if found is not None:
            record_batch_average(state, found, node, Axis("batch", state.step(node, note)), note)
    return Data(state.active_axes)


def labels_are_one_hot(entry: Entry, arguments: Arguments) -> bool:
    """Whether a loss says that each sample has a column for each class: ``loss="categorical_crossentropy"``."""
    match arguments[1].get("loss"):
        case Const(value=str(name)) | LibraryName(name=name) | LibraryObject(name=name):
            return name.rpartition(".")[2] in entry.facts.get("one_hot_losses", ())
        case _:
            return False


def over_all_classes(value: MeasureValue) -> MeasureValue:
    """A formula that sums over all columns of one-hot labels counts the hits of all classes together.

    Where each sample gets exactly one class, as by a softmax of two, that is the accuracy.
    """
    if value.measure.kind not in ("f-measure", "precision", "recall") or value.measure.average not in (None, "binary"):
        return value
    return replace(value, measure=replace(value.measure, average="one-hot"))


def learner_call(state: AnalysisState, entry: Entry, arguments: Arguments, node: ast.AST) -> AnyValue:
    """``vision_learner(loaders, resnet18, metrics=[f1])`` of fastai: functions are averaged over batches."""
    if isinstance(node, ast.Call):
        compile_metrics(state, entry, arguments, node)
    return LibraryObject(role="estimator", name=entry.name, facts=dict(entry.facts))


def batch_scoring_call(state: AnalysisState, entry: Entry, arguments: Arguments, node: ast.AST) -> AnyValue:
    """``BatchScoring("f1")`` of skorch: a scorer that is called on each batch, and whose values are averaged."""
    note = BATCHWISE.format(library=entry.facts["library"])
    scoring = argument_named(arguments, 0, "scoring")
    for found in measured_by_scoring(state, scoring, node, None).values():
        if isinstance(found, MeasureValue):
            record_batch_average(state, found, node, Axis("batch", state.step(node, note)), note)
    return Data(state.active_axes)


def entries_with_nodes(value: AnyValue, node: ast.expr) -> list[tuple[ast.expr, AnyValue]]:
    """The entries of an argument, each with the expression that it comes from."""
    if not isinstance(value, HeapObject):
        return [(node, option) for option in options(value)]
    literal = node.elts if isinstance(node, (ast.List, ast.Tuple)) and len(node.elts) == len(value.fields) else []
    nodes = literal or [node] * len(value.entries())
    return [
        pair
        for entry_node, entry in zip(nodes, value.entries(), strict=True)
        for pair in entries_with_nodes(entry, entry_node)
    ]


def measure_of_batch(state: AnalysisState, value: AnyValue, node: ast.expr) -> MeasureValue | None:
    """The measure that a function computes on each batch; None where that is unknown."""
    match value:
        case Function(node=ast.FunctionDef(name=name)):
            result = returned_by(state, value)
            found = next(iter(measures_in(result)), None)
            if found is None and not (isinstance(result, Data) and result.opaque):
                return None
        case LibraryName(name=full_name) if state.knowledge.entry(full_name) is None:
            name, found = full_name.rpartition(".")[2], None
        case _:
            return None
    if found is None and (kind := state.knowledge.measure_named(name)):
        step = state.step(node, f"{name} is a measure by its name here", heuristic=True)
        found = MeasureValue(trace=(step,), measure=Measure(kind, None, measure_label(state, kind, name)))
    return found


def log_metrics(state: AnalysisState, arguments: Arguments, node: ast.Call) -> None:
    """``self.log("val_f1", f1)`` in a method that runs once a batch: Lightning averages it over the epoch."""
    axis = next((a for a in reversed(state.active_loops) if a.kind == "batch" and a.step.note == IN_BATCH), None)
    if axis is None:
        return
    on_epoch = arguments[1].get("on_epoch")
    training = state.knowledge.conforms("training", getattr(axis.step.node, "name", ""))
    if (isinstance(on_epoch, Const) and not on_epoch.value) or (training and on_epoch is None):
        return
    for value in (*arguments[0], *arguments[1].values()):
        for found in measures_in(value):
            if axis in found.axes:
                record_batch_average(state, found, node, axis, LIGHTNING)


@dataclass(slots=True)
class BatchMethods:
    """Methods that Lightning calls: ``test_step`` on each batch, ``test_epoch_end`` on what the steps returned."""

    state: AnalysisState
    returned: dict[tuple[int, str], HeapObject] = field(default_factory=dict)

    def call(self, function: Function, node: ast.AST) -> None:
        """Evaluate a function that nothing in the project calls; a ``..._step`` method runs along batches."""
        stage, _, part = getattr(node, "name", "").partition("_")
        key = (id(function.bound), stage)
        match part:
            case "step" if isinstance(function.bound, Instance):
                axes = frozenset((Axis("batch", self.state.step(node, IN_BATCH)),))
                with self.state.inside_loops(axes):
                    result = self.state.call(self.state, function, ([], {}), node)
                self.returned[key] = HeapObject("list", {}, result, axes)
            case "epoch_end" if key in self.returned:
                self.state.call(self.state, function, ([self.returned[key]], {}), node)
            case _:
                self.state.call(self.state, function, ([], {}), node)


def compile_method(
    state: AnalysisState, base: AnyValue, entry: Entry, arguments: Arguments, node: ast.Call
) -> AnyValue:
    """``model.compile(metrics=[f1])``."""
    compile_metrics(state, entry, arguments, node)
    note_compiled(state, base, entry, arguments)
    return fit_method(state, base, entry, arguments, node)
