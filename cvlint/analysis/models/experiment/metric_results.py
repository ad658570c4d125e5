"""The forms in which metrics come: a number, an array over classes, a curve, a tuple, a report. Effect: ``area``.

``f1_score(y, p, average=None)``, ``roc_curve(y, s)``, ``precision_recall_fscore_support(y, p)``,
``classification_report(y, p, output_dict=True)``, and ``auc(fpr, tpr)``, which takes the area under a curve.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

from cvlint.analysis.checkers.formulas.areas import area_of_points
from cvlint.analysis.domain.axis import NO_AXES
from cvlint.analysis.domain.codomain import REAL, TEXT
from cvlint.analysis.domain.frozen import replace
from cvlint.analysis.domain.heap_object import HeapObject
from cvlint.analysis.domain.lattice import measures_in
from cvlint.analysis.domain.taint_label import Taint
from cvlint.analysis.domain.value import AnyValue, Data, Measure, MeasureValue
from cvlint.analysis.inference.identifier_inference import type_by_name
from cvlint.analysis.inference.loop_axes import new_axes
from cvlint.analysis.models.arguments import unknown_result
from cvlint.analysis.models.experiment.scorers import label_with_average
from cvlint.analysis.state import AnalysisState, Arguments
from cvlint.analysis.taint import taint_at
from cvlint.knowledge.schema import Entry

MEASURED_PARTS = ("f-measure", "precision", "recall", "roc-auc", "average-precision", "jaccard", "accuracy")
REPORTED_AVERAGES = {"macro avg": "macro", "weighted avg": "weighted", "micro avg": "micro"}


def metric_result(state: AnalysisState, entry: Entry, value: MeasureValue, node: ast.AST) -> AnyValue:
    """The result of a metric: a number, an array over classes, a tuple of measures, a curve or a report."""
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
    """The coordinates of a curve: arrays over thresholds that remember which curve they are of."""
    thresholds = new_axes(state, "threshold", node)
    coordinates: dict[Any, AnyValue] = {}
    for index, part in enumerate(parts):
        if part in ("precision", "recall", "fpr", "tpr", "fnr"):
            measure = Measure("recall" if part == "tpr" else part, None, part)
            coordinates[index] = replace(value, measure=measure, along=(thresholds,), parts=(value.measure.kind,))
        else:
            coordinates[index] = Data(value.axes, codomain=REAL, origin="thresholds")
    return HeapObject("tuple", coordinates, allocation_loops=state.active_axes)


def tuple_result(state: AnalysisState, parts: Sequence[str], value: MeasureValue, node: ast.AST) -> HeapObject:
    """The tuple of measures that ``precision_recall_fscore_support`` returns."""
    along = (new_axes(state, "class", node),) if value.measure.average in (None, "none") else ()
    entries: dict[Any, AnyValue] = {}
    for index, part in enumerate(parts):
        if part not in MEASURED_PARTS:
            entries[index] = Data(value.axes)
            continue
        measure = Measure(part, value.measure.average, "F1" if part == "f-measure" else part)
        step = replace(value.trace[-1], note=f"{measure.label} is computed here")
        entries[index] = replace(value, measure=measure, along=along, trace=(*value.trace[:-1], step))
    return HeapObject("tuple", entries, allocation_loops=state.active_axes)


def report_result(state: AnalysisState, entry: Entry, value: MeasureValue, node: ast.AST) -> AnyValue:
    """A classification report as a dict: rows of classes and averages, columns of measures."""
    is_dict = isinstance(node, ast.Call) and any(k.arg == "output_dict" for k in node.keywords)
    if not is_dict:
        return Data(value.axes, codomain=TEXT)
    rows: dict[Any, AnyValue] = {}
    for title, average in REPORTED_AVERAGES.items():
        rows[title] = HeapObject("dict", report_row(entry, value, average), allocation_loops=state.active_axes)
    classes = report_row(entry, value, None)
    accuracy = {key: classes.pop(key) for key in ("accuracy",) if key in classes}
    return HeapObject(
        "dict",
        {**accuracy, **rows},
        HeapObject("dict", classes, allocation_loops=state.active_axes),
        NO_AXES,
        state.active_axes,
    )


def report_row(entry: Entry, value: MeasureValue, average: str | None) -> dict[Any, AnyValue]:
    """A row of a report, for a class or an average: its measures by the names of the columns."""
    columns: dict[Any, AnyValue] = {}
    for key, kind in entry.facts["report"].items():
        label = kind if kind != "f-measure" else label_with_average("F1", average) if average else "F1"
        step = replace(value.trace[-1], note=f"{label} is computed here")
        columns[key] = replace(value, measure=Measure(kind, average, label), trace=(*value.trace[:-1], step))
    return columns


def area_call(state: AnalysisState, entry: Entry, arguments: Arguments, node: ast.AST) -> AnyValue:
    """``auc(fpr, tpr)``: the area under a curve that is already a measure."""
    found = [m for v in arguments[0] for m in measures_in(v)]
    if not any(m.parts for m in found) and isinstance(node, ast.Call):
        by_hand = area_of_points(state, node, taint_at(state, *node.args).union(*(m.labels for m in found)))
        if by_hand is not None:
            return by_hand
    if not found:
        return type_by_name(state, unknown_result(state, arguments), entry.name.rpartition(".")[2], node)
    curve = next((m for m in found if m.parts), found[0])
    match curve:
        case MeasureValue(parts=("roc-auc",)):
            measure = Measure("roc-auc", None, "ROC AUC")
        case MeasureValue(parts=("average-precision",)) | MeasureValue(measure=Measure(kind="precision" | "recall")):
            measure = Measure("average-precision", None, "the area under the PR curve")
        case _:
            measure = curve.measure
    state.taint, labels = areas_of(state.taint, measure), areas_of(curve.labels, measure)
    return replace(curve, measure=measure, parts=(), along=(), averaged_over=NO_AXES, labels=labels)


def areas_of(labels: Taint, measure: Measure) -> Taint:
    """The labels of curves, as those of the areas under them: the largest area chooses a model, and no threshold."""
    return frozenset(
        replace(m, choice="area", cause=str(measure)) if m.kind == "measured" and m.choice == "curve" else m
        for m in labels
    )
