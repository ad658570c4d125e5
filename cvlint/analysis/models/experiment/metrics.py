"""Metric functions of libraries. Effects: ``measure``, ``counts``, ``harmonic``.

``f1_score(y_test, y_pred)``, ``roc_auc_score(y, scores)``, ``confusion_matrix(y, p)``, ``scipy.stats.hmean([p, r])``.
A metric is where axes become those of a measure, and where most checkers look.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping

from cvlint.analysis.checkers.comparisons import check_prevalence_loop
from cvlint.analysis.checkers.formulas.hand_written import f_from_hmean_call
from cvlint.analysis.checkers.leakage.final_tests import check_drawn_test_part, check_split_elsewhere, note_final_test
from cvlint.analysis.checkers.left_out import loops_of_elements, prove_by_measure
from cvlint.analysis.checkers.rankings import PREDICTED, check_hard_labels, check_ranking, predictions_in
from cvlint.analysis.checkers.rows.measuring import check_named_part
from cvlint.analysis.checkers.selection_bias import COUNTS, check_measured_again, label_measured
from cvlint.analysis.checkers.undefined_folds.one_class_folds import is_under_class_test
from cvlint.analysis.checkers.undefined_folds.patches import check_zero_division
from cvlint.analysis.checkers.undefined_folds.stratification import (
    check_stratification,
    check_stratification_of_formula,
    has_many_labels,
    note_pooled,
    split_axes,
)
from cvlint.analysis.domain.axis import NO_AXES, Axes
from cvlint.analysis.domain.codomain import COUNT, Codomain, Kind
from cvlint.analysis.domain.frozen import replace
from cvlint.analysis.domain.lattice import codomain_of, entries_or_self, pooled_axes
from cvlint.analysis.domain.taint_label import TaintLabel
from cvlint.analysis.domain.value import (
    CALIBRATED,
    PREDICTION,
    AnyValue,
    Const,
    Data,
    Measure,
    MeasureValue,
    axes_of,
)
from cvlint.analysis.inference.data_names import without_conversions
from cvlint.analysis.inference.loop_axes import loops_binding
from cvlint.analysis.inference.loop_dependence import is_loop_invariant, loops_turning
from cvlint.analysis.models.arguments import unknown_result
from cvlint.analysis.models.experiment.metric_results import metric_result
from cvlint.analysis.models.experiment.scorers import label_with_average, measure_of_entry
from cvlint.analysis.state import AnalysisState, Arguments
from cvlint.analysis.syntax import root_name
from cvlint.knowledge.schema import Entry

PREDICTIONS = (PREDICTION, CALIBRATED)


def measure_call(state: AnalysisState, entry: Entry, arguments: Arguments, node: ast.AST) -> AnyValue:
    """``f1_score(y_test, y_pred)``: a measure, which varies over the axes of labels and predictions."""
    bound = bound_arguments(entry, arguments)
    truth = bound.get("y_true")
    predictions = next((bound[name] for name in PREDICTED if name in bound), None)
    truth_node = true_labels_in(entry, node)
    check_named_part(state, node, truth_node, predictions_in(node, truth_node))
    if (labels := labels_given_last(state, entry, arguments, node)) is not None:
        truth, predictions, truth_node = predictions, truth, labels
    if truth_node is not None:
        prove_by_measure(state, truth_node)
    if isinstance(truth, Data) and truth.origin == "train":
        return Data(state.active_axes | axes_of(truth))  # how well a model fits its training part is no result
    average = average_in_call(entry, bound)
    measure = measure_of_entry(entry.facts, average)
    multilabel = is_multilabel(state, truth, truth_node)
    multilabel = multilabel or (measure.kind == "roc-auc" and average == "none" and "multi_class" not in bound)
    multilabel = multilabel or average == "samples"
    measure = with_average(measure, average, multilabel)
    pooled = pooled_axes(predictions)
    every = state.ongoing_axes(state.active_axes.union(*(axes_of(v) for v in (truth, predictions) if v is not None)))
    turning = NO_AXES if truth_node is None else loops_turning(state, truth_node)
    fixed = (fixed_axes(state, every, truth) - turning) | axes_outside_truth(state, truth_node, every)
    fixed -= loops_of_elements(state, truth_node)
    predicted = [v for v in entries_or_self(predictions) if isinstance(v, Data)]
    origin = tuple(dict.fromkeys(step for v in predicted for step in v.trace))
    check_ranking(state, entry, node, measure, pooled, origin, scale_of(predictions), truth_node)
    step = state.step(node, f"{measure.label} is computed here")
    trace = (*origin, step) if pooled else (step,)
    value = MeasureValue(every - fixed - pooled, (), trace, measure, pooled=pooled, fixed=fixed)
    check_split_of_truth(state, value, truth_node, node, multilabel)
    value = check_zero_division(state, bound.get("zero_division"), value, node)
    if value.measure.kind in ("roc-auc", "average-precision") and is_under_class_test(state):
        value = replace(value, defined=True)
    state.note_measure(value)
    note_final_test(state, value, truth_node)
    note_pooled(state, value, node)
    check_drawn_test_part(state, measure, truth_node, node)
    check_split_elsewhere(state, truth_node, node)
    check_reused_data(state, entry, measure, truth_node, node, pooled)
    state.taint |= {TaintLabel("scored", axis.step) for axis in pooled if axis.kind == "fold"}
    return metric_result(state, entry, value, node)


def bound_arguments(entry: Entry, arguments: Arguments) -> dict[str, AnyValue]:
    """The arguments of a metric by the names of scikit-learn: ``y_true``, ``y_pred``, ``y_score``."""
    positional, keywords = arguments
    names = entry.facts.get("keywords", {})
    bound = dict(zip(entry.facts["params"], positional, strict=False))
    bound.update({names.get(k, k): v for k, v in keywords.items()})
    return bound


def average_in_call(entry: Entry, bound: Mapping[str, AnyValue]) -> str | None:
    """The average that a call chooses, by ``average=`` or by ``task=``; None where it leaves the default."""
    average, task = bound.get("average"), bound.get("task")
    chosen = None
    match average:
        case Const(value=given) | Data(codomain=Codomain(kind=Kind.TEXT), pattern=given):
            chosen = str(given).lower()
    return entry.facts.get("task_average", {}).get(task.value, chosen) if isinstance(task, Const) else chosen


def is_multilabel(state: AnalysisState, truth: AnyValue | None, node: ast.expr | None) -> bool:
    """Whether a sample has several labels: by the value of the true labels, by a loop over them, or by the splitter."""
    if (isinstance(truth, Data) and truth.origin == "multilabel") or is_one_label(state, truth, node):
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
    state: AnalysisState, entry: Entry, measure: Measure, truth: ast.expr | None, node: ast.AST, pooled: Axes
) -> None:
    """A measure is computed on data: these may be resampled, or have chosen a threshold or a model before."""
    check_prevalence_loop(state, measure, truth, node)
    arguments = [*node.args, *(k.value for k in node.keywords)] if isinstance(node, ast.Call) else []
    others = [a for a in arguments if a is not truth]
    again = check_measured_again(state, str(measure), truth, others)
    state.taint &= state.selecting
    if entry.facts.get("loss"):
        return
    label_measured(state, truth, node, measure, bool(entry.facts.get("curve")), others, pooled)
    state.taint |= again


def scale_of(predictions: AnyValue | None) -> str:
    """What predictions are: hard labels, scores on a common scale, or other scores."""
    if predictions is not None and codomain_of(predictions).is_hard:
        return "hard"
    calibrated = any(isinstance(v, Data) and v.is_calibrated for v in entries_or_self(predictions))
    return "calibrated" if calibrated else "scores"


def fixed_axes(state: AnalysisState, axes: Axes, truth: AnyValue | None) -> Axes:
    """The fold axes along which the true labels stay the same: the models of all folds on one test set.

    An unknown value is taken to vary over the loops under way; batches are taken to vary only over loops that more than
    names prove to run over folds.
    """
    if not isinstance(truth, Data):
        return NO_AXES
    is_known = not truth.opaque and not truth.along and truth.origin in ("data", "parts")
    parts_of_truth = truth.pooled.union(*truth.along)
    batches = any(a.kind == "batch" for a in parts_of_truth)
    axes_of_truth = axes_of(truth) | parts_of_truth
    return frozenset(
        a
        for a in axes
        if a.kind == "fold"
        and a not in axes_of_truth
        and (is_known or a not in state.active_loops or (batches and a.heuristic))
    )


def true_labels_in(entry: Entry, node: ast.AST) -> ast.expr | None:
    """The expression of the true labels in a call; None where that is not clear."""
    if not isinstance(node, ast.Call) or any(isinstance(a, ast.Starred) for a in node.args):
        return None
    names, params = entry.facts.get("keywords", {}), entry.facts["params"]
    given = [k.value for k in node.keywords if k.arg is not None and names.get(k.arg, k.arg) == "y_true"]
    position = params.index("y_true") if "y_true" in params else len(node.args)
    given += node.args[position : position + 1]
    return given[0] if len(given) == 1 else None


def is_one_label(state: AnalysisState, value: AnyValue | None, truth: ast.expr | None) -> bool:
    """Whether a loop over labels takes one label of the samples: ``y_test[task]``, ``Y[test][:, k]``.

    The columns of truth values, ``label_binarize(y, classes=[0, 1, 2])``, are the classes of a single label.
    """
    match truth:
        case ast.Subscript(slice=ast.Name() as key):
            return any(axis.kind == "loop" for axis in loops_binding(state, key))
        case ast.Subscript(slice=ast.Tuple(elts=[_, ast.Name() as key])):
            is_one_hot = value is not None and codomain_of(value).is_finite
            return not is_one_hot and any(axis.kind == "loop" for axis in loops_binding(state, key))
        case _:
            return False


def labels_given_last(state: AnalysisState, entry: Entry, arguments: Arguments, node: ast.AST) -> ast.expr | None:
    """The true labels of ``roc_curve(y_pred, y_test)``, which gives the two in the wrong order; else None.

    The first argument must be what a model predicts, or decisions with the name of predictions.
    """
    values = arguments[0]
    if not isinstance(node, ast.Call) or len(values) < 2 or len(values) != len(node.args):
        return None
    if entry.facts["params"][:1] != ["y_true"] or entry.facts["params"][1] not in PREDICTED:
        return None
    entries = entries_or_self(values[0])
    is_predicted = bool(entries) and all(isinstance(v, Data) and v.origin in PREDICTIONS for v in entries)
    if not is_predicted and not codomain_of(values[0]).is_hard:
        return None
    sides = [part_of_comparison(state, value, side) for value, side in zip(values[:2], node.args, strict=False)]
    return node.args[1] if sides == ["y_pred", "y_true"] or (is_predicted and sides[1] == "y_true") else None


def part_of_comparison(state: AnalysisState, value: AnyValue, node: ast.expr) -> str:
    """Whether an argument is the true labels or the predictions: by its value, or by its name, ``y`` of ``batch.y``."""
    if isinstance(value, Data) and value.origin in PREDICTIONS:
        return "y_pred"
    node = without_conversions(state, node)
    names = [root_name(node), *([node.attr] if isinstance(node, ast.Attribute) else [])]
    if any(state.knowledge.conforms("prediction", name) for name in names):
        return "y_pred"
    return "y_true" if any(state.knowledge.conforms("truth", name) for name in names) else ""


def axes_outside_truth(state: AnalysisState, truth: ast.expr | None, axes: Axes) -> Axes:
    """The loops over folds under way that do not change the true labels, as the call spells these."""
    if truth is None:
        return NO_AXES
    return frozenset(a for a in axes if a.kind == "fold" and is_loop_invariant(state, truth, a))


def counts_call(state: AnalysisState, entry: Entry, arguments: Arguments, node: ast.AST) -> AnyValue:
    """``confusion_matrix(y, p)``: counts, which one may sum over folds."""
    if isinstance(node, ast.Call) and node.args:
        label_measured(state, node.args[0], node, COUNTS, others=[a for a in node.args[1:]])
        check_hard_labels(state, entry, predictions_in(node, node.args[0]), node.args[0])
    axes = state.active_axes.union(*(axes_of(v) for v in arguments[0]))
    pooled = frozenset().union(*(pooled_axes(v) for v in arguments[0]))
    return Data(axes, codomain=COUNT, origin="counts", pooled=pooled)


def harmonic_call(state: AnalysisState, entry: Entry, arguments: Arguments, node: ast.AST) -> AnyValue:
    """``scipy.stats.hmean([precision, recall])``."""
    found = f_from_hmean_call(state, node) if isinstance(node, ast.Call) else None
    if found is None:
        return unknown_result(state, arguments)
    check_stratification_of_formula(state, found, node)
    return found
