"""Measures computed by libraries: in a call, by a ``scoring=`` argument, as parts of a curve or a report."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from cvlint.analysis.checkers.aggregation_mix import check_prevalence_loop
from cvlint.analysis.checkers.one_class_folds import is_under_class_test
from cvlint.analysis.checkers.rankings import check_ranking
from cvlint.analysis.checkers.reported_scores import unknown_result
from cvlint.analysis.checkers.selection_bias import check_measured_again, label_measured
from cvlint.analysis.checkers.stratification import check_stratification, has_many_labels, split_axes
from cvlint.analysis.checkers.undefined_folds import check_zero_division
from cvlint.analysis.domain.axis import NO_AXES, Axes
from cvlint.analysis.domain.heap_object import HeapObject
from cvlint.analysis.domain.lattice import measures_in, options
from cvlint.analysis.domain.taint_label import NO_TAINT
from cvlint.analysis.domain.value import AnyValue, Const, Data, LibraryObject, Measure, MeasureValue, axes_of
from cvlint.analysis.heap.reads import pooled_axes
from cvlint.analysis.inference.identifier_inference import type_by_name
from cvlint.analysis.inference.loop_axes import loops_binding, new_axes
from cvlint.analysis.inference.loop_dependence import is_loop_invariant
from cvlint.analysis.models.arguments import first_argument
from cvlint.analysis.models.scorers import label_with_average, measure_of_entry
from cvlint.analysis.state import AnalysisState, Arguments
from cvlint.knowledge.loader import Entry


def counts_call(state: AnalysisState, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """A confusion matrix: counts, which may be summed over folds."""
    axes = state.active_axes.union(*(axes_of(v) for v in given[0]))
    pooled = frozenset().union(*(pooled_axes(v) for v in given[0]))
    return Data(axes, codomain="counts", pooled=pooled)


def call_metric_object(state: AnalysisState, target: LibraryObject, node: ast.AST) -> AnyValue:
    """A metric object called on a batch gives the value of that batch."""
    measure = measure_of_entry(target.facts, average_of_object(target.facts.get("node")))
    return MeasureValue(state.active_axes, (), (state.step(node, f"{measure.label} is computed here"),), measure)


def average_of_object(made: ast.AST | None) -> str | None:
    """The average that a metric object was made with, ``F1Score(average="micro")``, where it is written out."""
    asked = [k.value for k in made.keywords if k.arg == "average"] if isinstance(made, ast.Call) else []
    return next((a.value for a in asked if isinstance(a, ast.Constant) and isinstance(a.value, str)), None)


def call_metric_object_method(
    state: AnalysisState, base: LibraryObject, name: str, given: Arguments, node: ast.AST
) -> AnyValue:
    """``update``, ``compute``, ``result`` of a metric that accumulates."""
    if name in ("compute", "result"):
        batches = frozenset(a for a in state.active_axes if a.kind == "batch")
        value = call_metric_object(state, base, node)
        return replace(value, axes=value.axes - batches) if isinstance(value, MeasureValue) else value
    if name == "forward":
        return call_metric_object(state, base, node)
    return base if name in ("to", "cuda", "clone", "mean") else Const()  # the mean of an object is one, too


def evaluate_load_call(state: AnalysisState, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """``evaluate.load("f1")``: an object whose ``compute`` gives a dict with the measure."""
    name = first_argument(given)
    known = state.knowledge.scorer(str(name.value)) if isinstance(name, Const) else None
    if known is None:
        return Data(state.active_axes, opaque=True)
    return LibraryObject(
        role="evaluator",
        facts={
            "name": str(name.value) if isinstance(name, Const) else "",
            "measure": known.measure,
            "label": known.label,
            "average": known.average,
        },
    )


def compute_of_evaluator(state: AnalysisState, base: LibraryObject, given: Arguments, node: ast.AST) -> AnyValue:
    """``metric.compute(predictions=…, references=…)``."""
    facts = {
        **base.facts,
        "params": [],
        "keywords": {"predictions": "y_pred", "references": "y_true", "prediction_scores": "y_score"},
    }
    return HeapObject(
        "dict",
        {base.facts["name"]: measure_call(state, Entry("evaluate.compute", "measure", facts), given, node)},
        allocation_loops=state.active_axes,
    )


def area_call(state: AnalysisState, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """``auc(fpr, tpr)``: the area under a curve that is already a measure."""
    found = [m for v in given[0] for m in measures_in(v)]
    if not found:
        return type_by_name(state, unknown_result(state, given), "auc", node)
    base = next((m for m in found if m.parts), found[0])
    match base:
        case MeasureValue(parts=("roc-auc",)):
            measure = Measure("roc-auc", None, "ROC AUC")
        case MeasureValue(parts=("average-precision",)) | MeasureValue(measure=Measure(kind="precision" | "recall")):
            measure = Measure("average-precision", None, "the area under the PR curve")
        case _:
            measure = base.measure
    return replace(base, measure=measure, parts=(), along=(), averaged_over=NO_AXES)


MEASURED_PARTS = ("f-measure", "precision", "recall", "roc-auc", "average-precision", "jaccard", "accuracy")


def bound_arguments(entry: Entry, given: Arguments) -> dict[str, AnyValue]:
    """The arguments of a metric by our names: ``y_true``, ``y_pred``, ``y_score``."""
    positional, keywords = given
    names = entry.facts.get("keywords", {})
    bound = dict(zip(entry.facts["params"], positional, strict=False))
    bound.update({names.get(k, k): v for k, v in keywords.items()})
    return bound


def measure_call(state: AnalysisState, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """A metric function is called: ``f1_score(y_test, y_pred)``."""
    bound = bound_arguments(entry, given)
    truth = bound.get("y_true")
    predictions = bound.get("y_pred") or bound.get("y_score") or bound.get("y_prob") or bound.get("probas_pred")
    if isinstance(truth, Data) and truth.codomain == "train":
        return Data(state.active_axes | axes_of(truth))  # how well a model fits its training part is no result
    truth_node = true_labels_in(entry, node)
    average = average_in_call(entry, bound)
    measure = measure_of_entry(entry.facts, average)
    multilabel = is_multilabel(state, truth, truth_node)
    multilabel = multilabel or (measure.kind == "roc-auc" and average == "none" and "multi_class" not in bound)
    measure = with_average(measure, average, multilabel)
    pooled = pooled_axes(predictions)
    every = state.ongoing_axes(state.active_axes.union(*(axes_of(v) for v in (truth, predictions) if v is not None)))
    fixed = fixed_axes(state, every, truth) | axes_outside_truth(state, truth_node, every)
    predicted = [v for v in entries_or_self(predictions) if isinstance(v, Data)]
    origin = tuple(dict.fromkeys(step for v in predicted for step in v.trace))
    check_ranking(state, entry, node, measure, pooled, origin, {v.codomain for v in predicted}, truth_node)
    step = state.step(node, f"{measure.label} is computed here")
    trace = (*origin, step) if pooled else (step,)
    value = MeasureValue(every - fixed - pooled, (), trace, measure, pooled=pooled, fixed=fixed)
    check_split_of_truth(state, value, truth_node, node, multilabel)
    value = check_zero_division(state, bound.get("zero_division"), value, node)
    if value.measure.kind in ("roc-auc", "average-precision") and is_under_class_test(state):
        value = replace(value, defined=True)
    state.computed_measures.append(value)
    check_reused_data(state, entry, measure, truth_node, node)
    return metric_result(state, entry, value, node)


def average_in_call(entry: Entry, bound: Mapping[str, AnyValue]) -> str | None:
    """The average that a call chooses, by ``average=`` or by ``task=``; None where it leaves the default."""
    average, task = bound.get("average"), bound.get("task")
    chosen = str(average.value).lower() if isinstance(average, Const) else None
    return entry.facts.get("task_average", {}).get(task.value, chosen) if isinstance(task, Const) else chosen


def is_multilabel(state: AnalysisState, truth: AnyValue | None, node: ast.expr | None) -> bool:
    """Whether a sample has several labels: by the value of the true labels, by a loop over them, or by the splitter."""
    if (isinstance(truth, Data) and truth.codomain == "multilabel") or is_one_label(state, node):
        return True
    return any(a.splitter is not None and a.splitter.facts.get("labels") == "many" for a in state.active_loops)


def with_average(measure: Measure, average: str | None, multilabel: bool) -> Measure:
    """A measure with the average of a call; over several labels micro-F is no accuracy."""
    if average == "micro" and multilabel:
        measure = replace(measure, average="micro over labels")
    if average is not None and measure.kind == "f-measure":
        measure = replace(measure, label=label_with_average(measure.label, average))
    return measure


def check_split_of_truth(
    state: AnalysisState, value: MeasureValue, truth: ast.expr | None, node: ast.AST, multilabel: bool
) -> None:
    """A measure is computed in the test parts of a split, which may lack a class."""
    axes = split_axes(state, value.axes)
    multilabel = multilabel or (bool(axes) and has_many_labels(state, truth))
    for axis in axes:
        check_stratification(state, axis, value, node, "many" if multilabel else "one")


def check_reused_data(
    state: AnalysisState, entry: Entry, measure: Measure, truth: ast.expr | None, node: ast.AST
) -> None:
    """A measure is computed on data: these may be resampled, or have chosen a threshold or a model before."""
    check_prevalence_loop(state, measure, truth, node)
    if isinstance(node, ast.Call):
        others = [a for a in (*node.args, *(k.value for k in node.keywords)) if a is not truth]
        check_measured_again(state, str(measure), truth, others)
    state.taint = NO_TAINT
    label_measured(state, truth, node, measure, bool(entry.facts.get("curve")))


def entries_or_self(value: AnyValue | None) -> list[AnyValue]:
    """A value and, of containers, what is in them."""
    found: list[AnyValue] = []
    for option in options(value):
        found += option.entries() if isinstance(option, HeapObject) else [option]
    return found


def fixed_axes(state: AnalysisState, axes: Axes, truth: AnyValue | None) -> Axes:
    """The fold axes of a measure along which the truth stays the same: models of all folds on one test set.

    What is not known is taken to vary over the loops under way, except for batches that do not come from a loop which
    only its names call one over folds.
    """
    if not isinstance(truth, Data):
        return NO_AXES
    known = not truth.opaque and not truth.along and truth.codomain in ("data", "parts")
    parts = truth.pooled.union(*truth.along)
    batches = any(a.kind == "batch" for a in parts)
    own = axes_of(truth) | parts
    return frozenset(
        a
        for a in axes
        if a.kind == "fold" and a not in own and (known or a not in state.active_loops or (batches and a.heuristic))
    )


def true_labels_in(entry: Entry, node: ast.AST) -> ast.expr | None:
    """The true labels, as they are written in a call; None where that is not clear."""
    if not isinstance(node, ast.Call) or any(isinstance(a, ast.Starred) for a in node.args):
        return None
    names, params = entry.facts.get("keywords", {}), entry.facts["params"]
    given = [k.value for k in node.keywords if k.arg is not None and names.get(k.arg, k.arg) == "y_true"]
    position = params.index("y_true") if "y_true" in params else len(node.args)
    given += node.args[position : position + 1]
    return given[0] if len(given) == 1 else None


def is_one_label(state: AnalysisState, truth: ast.expr | None) -> bool:
    """Whether one of several labels of the samples is taken, by a loop over their names: ``y_test[task]``."""
    match truth:
        case ast.Subscript(slice=ast.Name() as key):
            return any(axis.kind == "loop" for axis in loops_binding(state, key))
        case _:
            return False


def axes_outside_truth(state: AnalysisState, truth: ast.expr | None, axes: Axes) -> Axes:
    """The loops over folds under way that do not change the true labels, as these are written in the call."""
    if truth is None:
        return NO_AXES
    return frozenset(a for a in axes if a.kind == "fold" and is_loop_invariant(state, truth, a))


def metric_result(state: AnalysisState, entry: Entry, value: MeasureValue, node: ast.AST) -> AnyValue:
    """The result of a metric as it comes: a number, an array over classes, a tuple of parts, a report."""
    if "report" in entry.facts:
        return report_result(state, entry, value, node)
    if entry.facts.get("curve"):
        return curve_result(state, entry.facts["parts"], value, node)
    if "parts" in entry.facts:
        return tuple_result(state, entry.facts["parts"], value, node)
    if value.measure.average == "none" and value.measure.kind in ("f-measure", "precision", "recall", "jaccard"):
        return replace(value, along=(new_axes(state, "class", node),))
    return value


def curve_result(state: AnalysisState, parts: Sequence[str], value: MeasureValue, node: ast.AST) -> HeapObject:
    """The coordinates of a curve, each an array over thresholds that remembers its curve."""
    points = new_axes(state, "threshold", node)
    made: dict[Any, AnyValue] = {}
    for index, part in enumerate(parts):
        if part in ("precision", "recall", "fpr", "tpr", "fnr"):
            measure = Measure("recall" if part == "tpr" else part, None, part)
            made[index] = replace(value, measure=measure, along=(points,), parts=(value.measure.kind,))
        else:
            made[index] = Data(value.axes, codomain="thresholds")
    return HeapObject("tuple", made, allocation_loops=state.active_axes)


def tuple_result(state: AnalysisState, parts: Sequence[str], value: MeasureValue, node: ast.AST) -> HeapObject:
    """A tuple of measures, as of ``precision_recall_fscore_support``."""
    along = (new_axes(state, "class", node),) if value.measure.average in (None, "none") else ()
    made: dict[Any, AnyValue] = {}
    for index, part in enumerate(parts):
        if part not in MEASURED_PARTS:
            made[index] = Data(value.axes)
            continue
        measure = Measure(part, value.measure.average, "F1" if part == "f-measure" else part)
        step = replace(value.trace[-1], note=f"{measure.label} is computed here")
        made[index] = replace(value, measure=measure, along=along, trace=(*value.trace[:-1], step))
    return HeapObject("tuple", made, allocation_loops=state.active_axes)


REPORTED_AVERAGES = {"macro avg": "macro", "weighted avg": "weighted", "micro avg": "micro"}


def report_result(state: AnalysisState, entry: Entry, value: MeasureValue, node: ast.AST) -> AnyValue:
    """A classification report as a dict: rows of classes and averages, columns of measures."""
    wanted = isinstance(node, ast.Call) and any(k.arg == "output_dict" for k in node.keywords)
    if not wanted:
        return Data(value.axes, codomain="text")
    rows: dict[Any, AnyValue] = {}
    for title, average in REPORTED_AVERAGES.items():
        rows[title] = HeapObject("dict", report_row(entry, value, average), allocation_loops=state.active_axes)
    classes = report_row(entry, value, None)
    whole = {key: classes.pop(key) for key in ("accuracy",) if key in classes}
    return HeapObject(
        "dict",
        {**whole, **rows},
        HeapObject("dict", classes, allocation_loops=state.active_axes),
        NO_AXES,
        state.active_axes,
    )


def report_row(entry: Entry, value: MeasureValue, average: str | None) -> dict[Any, AnyValue]:
    """A row of a report, of an average or of a class: its measures by the names of the columns."""
    columns: dict[Any, AnyValue] = {}
    for key, kind in entry.facts["report"].items():
        label = kind if kind != "f-measure" else label_with_average("F1", average) if average else "F1"
        step = replace(value.trace[-1], note=f"{label} is computed here")
        columns[key] = replace(value, measure=Measure(kind, average, label), trace=(*value.trace[:-1], step))
    return columns
