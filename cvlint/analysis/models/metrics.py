"""Measures computed by libraries: in a call, by a ``scoring=`` argument, as parts of a curve or a report."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from cvlint.analysis.checkers.aggregation_mix import under_priors
from cvlint.analysis.checkers.one_class_folds import is_asked_for
from cvlint.analysis.checkers.reported_scores import unfollowed
from cvlint.analysis.checkers.selection_bias import judged, measured_on
from cvlint.analysis.checkers.stratification import has_many_labels, split_event, tested_parts
from cvlint.analysis.checkers.threshold_curves import only_chooses
from cvlint.analysis.checkers.undefined_folds import zero_division
from cvlint.analysis.domain.lattice import measures, options
from cvlint.analysis.domain.value import (
    NO_AXES,
    NO_TAINT,
    AnyValue,
    Axes,
    Const,
    Data,
    HeapObject,
    LibraryObject,
    Measure,
    MeasureValue,
    axes_of,
)
from cvlint.analysis.heap.reads import pooled_axes
from cvlint.analysis.inference.identifier_inference import named
from cvlint.analysis.inference.loop_axes import one_axis, own_loop
from cvlint.analysis.inference.loop_dependence import stays_same
from cvlint.analysis.models.arguments import first
from cvlint.analysis.models.scorers import labelled, named_average
from cvlint.analysis.state import AnalysisState, Arguments
from cvlint.knowledge.schema import Entry


def confusion_counts(state: AnalysisState, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """A confusion matrix: counts, which may be summed over folds."""
    axes = state.active_axes.union(*(axes_of(v) for v in given[0]))
    pooled = frozenset().union(*(pooled_axes(v) for v in given[0]))
    return Data(axes, codomain="counts", pooled=pooled)


def state_called(state: AnalysisState, target: LibraryObject, node: ast.AST) -> AnyValue:
    """A metric object called on a batch gives the value of that batch."""
    measure = labelled(target.facts, average_asked(target.facts.get("node")))
    return MeasureValue(state.active_axes, (), (state.step(node, f"{measure.label} is computed here"),), measure)


def average_asked(made: ast.AST | None) -> str | None:
    """The average that a metric object was made with, ``F1Score(average="micro")``, where it is written out."""
    asked = [k.value for k in made.keywords if k.arg == "average"] if isinstance(made, ast.Call) else []
    return next((a.value for a in asked if isinstance(a, ast.Constant) and isinstance(a.value, str)), None)


def state_method(state: AnalysisState, base: LibraryObject, name: str, given: Arguments, node: ast.AST) -> AnyValue:
    """``update``, ``compute``, ``result`` of a metric that accumulates."""
    if name in ("compute", "result"):
        batches = frozenset(a for a in state.active_axes if a.kind == "batch")
        value = state_called(state, base, node)
        return replace(value, axes=value.axes - batches) if isinstance(value, MeasureValue) else value
    if name == "forward":
        return state_called(state, base, node)
    return base if name in ("to", "cuda", "clone", "mean") else Const()  # the mean of an object is one, too


def evaluate_load(state: AnalysisState, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """``evaluate.load("f1")``: an object whose ``compute`` gives a dict with the measure."""
    name = first(given)
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


def evaluator_computes(state: AnalysisState, base: LibraryObject, given: Arguments, node: ast.AST) -> AnyValue:
    """``metric.compute(predictions=…, references=…)``."""
    facts = {
        **base.facts,
        "params": [],
        "keywords": {"predictions": "y_pred", "references": "y_true", "prediction_scores": "y_score"},
    }
    return HeapObject(
        "dict",
        {base.facts["name"]: measure_call(state, Entry("evaluate.compute", "measure", facts), given, node)},
        born=state.active_axes,
    )


def area_under(state: AnalysisState, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """``auc(fpr, tpr)``: the area under a curve that is already a measure."""
    found = [m for v in given[0] for m in measures(v)]
    if not found:
        return named(state, unfollowed(state, given), "auc", node)
    base = next((m for m in found if m.parts), found[0])
    match base:
        case MeasureValue(parts=("roc-auc",)):
            measure = Measure("roc-auc", None, "ROC AUC")
        case MeasureValue(parts=("average-precision",)) | MeasureValue(measure=Measure(kind="precision" | "recall")):
            measure = Measure("average-precision", None, "the area under the PR curve")
        case _:
            measure = base.measure
    return replace(base, measure=measure, parts=(), along=(), reduced=NO_AXES)


MEASURED_PARTS = ("f-measure", "precision", "recall", "roc-auc", "average-precision", "jaccard", "accuracy")


def bound_arguments(entry: Entry, given: Arguments) -> dict[str, AnyValue]:
    """The arguments of a metric by our names: ``y_true``, ``y_pred``, ``y_score``."""
    positional, keywords = given
    names = entry.facts.get("keywords", {})
    bound = dict(zip(entry.facts["params"], positional, strict=False))
    bound.update({names.get(k, k): v for k, v in keywords.items()})
    return bound


def measure_call(state: AnalysisState, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """A metric function is called."""
    bound = bound_arguments(entry, given)
    truth = bound.get("y_true")
    guess = bound.get("y_pred") or bound.get("y_score") or bound.get("y_prob") or bound.get("probas_pred")
    if isinstance(truth, Data) and truth.codomain == "train":
        return Data(state.active_axes | axes_of(truth))  # how well the training part is fitted is nobody's result
    average = bound.get("average")
    chosen = str(average.value).lower() if isinstance(average, Const) and "average" in bound else None
    if isinstance(task := bound.get("task"), Const):
        chosen = entry.facts.get("task_average", {}).get(task.value, chosen)
    measure = labelled(entry.facts, chosen)
    many = (isinstance(truth, Data) and truth.codomain == "multilabel") or is_one_label(state, truth_of(entry, node))
    many = many or any(a.splitter is not None and a.splitter.facts.get("labels") == "many" for a in state.active)
    many = many or (measure.kind == "roc-auc" and chosen == "none" and "multi_class" not in bound)
    if chosen == "micro" and many:
        measure = replace(measure, average="micro over labels")  # where micro-F is no accuracy
    if chosen is not None and measure.kind == "f-measure":
        measure = replace(measure, label=named_average(measure.label, chosen))
    pooled = pooled_axes(guess)
    every = state.whole(state.active_axes.union(*(axes_of(v) for v in (truth, guess) if v is not None)))
    fixed = fixed_axes(state, every, truth) | same_truth(state, entry, every, node)
    axes = every - fixed - pooled
    what = {v.codomain for v in leaves(guess) if isinstance(v, Data)}
    origin = tuple(dict.fromkeys(s for v in leaves(guess) if isinstance(v, Data) for s in v.trace))
    step = state.step(node, f"{measure.label} is computed here")
    scores = "hard" if what == {"hard"} else ("calibrated" if "calibrated" in what else "scores")
    others = [a for a in node.args if a is not truth_of(entry, node)] if isinstance(node, ast.Call) else []
    if not (entry.facts.get("curve") and pooled and only_chooses(state, entry, node)):
        state.emit("measure", node, measure, pooled, origin, scores=scores)
        ranked_labels(state, entry, others[0] if others else None)
    value = MeasureValue(axes, (), (*origin, step) if pooled else (step,), measure, pooled=pooled, fixed=fixed)
    parts = tested_parts(state, axes)
    many = many or (bool(parts) and has_many_labels(state, truth_of(entry, node)))
    for axis in parts:
        split_event(state, axis, value, node, "many" if many else "one")
    value = zero_division(state, bound.get("zero_division"), value, node)
    if value.measure.kind in ("roc-auc", "average-precision") and is_asked_for(state):
        value = replace(value, defined=True)
    state.computed.append(value)
    true = truth_of(entry, node)
    under_priors(state, measure, true, node)
    if isinstance(node, ast.Call):
        judged(state, str(measure), true, [a for a in (*node.args, *(k.value for k in node.keywords)) if a is not true])
    state.taint = NO_TAINT
    measured_on(state, true, node, measure, bool(entry.facts.get("curve")))
    return shaped(state, entry, value, node)


LABELLED = ("f-measure", "precision", "recall", "accuracy")  # measures that refuse scores


def ranked_labels(state: AnalysisState, entry: Entry, guess: ast.expr | None) -> None:
    """What is given to a measure that refuses scores, such as F or accuracy, is hard, and so it is for AUC, too."""
    if not isinstance(guess, ast.Name) or not entry.name.startswith("sklearn.metrics."):
        return
    key = (state.scope.home(guess.id), guess.id, state.scope.definitions.get(guess.id))
    ranks = "y_pred" not in entry.facts["params"]
    if not ranks and entry.facts["measure"] not in LABELLED:
        return
    step = state.step(guess, f"the same {guess.id} is labels here")
    if not ranks:
        state.labels[key] = step
    elif state.events:
        state.rankings.setdefault(key, []).append(state.events[-1])
    for event in state.rankings.get(key, []) if key in state.labels else ():
        if event in state.events:
            facts = {**event.facts, "scores": "hard"}
            state.events[state.events.index(event)] = replace(
                event, facts=facts, trace=(*event.trace, state.labels[key])
            )


def leaves(value: AnyValue | None) -> list[AnyValue]:
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
        if a.kind == "fold" and a not in own and (known or a not in state.active or (batches and a.heuristic))
    )


def truth_of(entry: Entry, node: ast.AST) -> ast.expr | None:
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
            return any(axis.kind == "loop" for axis in own_loop(state, key))
        case _:
            return False


def same_truth(state: AnalysisState, entry: Entry, axes: Axes, node: ast.AST) -> Axes:
    """The loops over folds under way that do not feed the true labels, as they are written in the call."""
    truth = truth_of(entry, node)
    if truth is None:
        return NO_AXES
    return frozenset(a for a in axes if a.kind == "fold" and stays_same(state, truth, a))


def shaped(state: AnalysisState, entry: Entry, value: MeasureValue, node: ast.AST) -> AnyValue:
    """The result of a metric as it comes: a number, an array over classes, a tuple of parts, a report."""
    if "report" in entry.facts:
        return report(state, entry, value, node)
    if entry.facts.get("curve"):
        return curve(state, entry.facts["parts"], value, node)
    if "parts" in entry.facts:
        return parts_of(state, entry.facts["parts"], value, node)
    if value.measure.average == "none" and value.measure.kind in ("f-measure", "precision", "recall", "jaccard"):
        return replace(value, along=(one_axis(state, "class", node),))
    return value


def curve(state: AnalysisState, parts: Sequence[str], value: MeasureValue, node: ast.AST) -> HeapObject:
    """The coordinates of a curve, each an array over thresholds that remembers its curve."""
    points = one_axis(state, "threshold", node)
    made: dict[Any, AnyValue] = {}
    for index, part in enumerate(parts):
        if part in ("precision", "recall", "fpr", "tpr", "fnr"):
            measure = Measure("recall" if part == "tpr" else part, None, part)
            made[index] = replace(value, measure=measure, along=(points,), parts=(value.measure.kind,))
        else:
            made[index] = Data(value.axes, codomain="thresholds")
    return HeapObject("tuple", made, born=state.active_axes)


def parts_of(state: AnalysisState, parts: Sequence[str], value: MeasureValue, node: ast.AST) -> HeapObject:
    """A tuple of measures, as of ``precision_recall_fscore_support``."""
    along = (one_axis(state, "class", node),) if value.measure.average in (None, "none") else ()
    made: dict[Any, AnyValue] = {}
    for index, part in enumerate(parts):
        if part not in MEASURED_PARTS:
            made[index] = Data(value.axes)
            continue
        measure = Measure(part, value.measure.average, "F1" if part == "f-measure" else part)
        step = replace(value.trace[-1], note=f"{measure.label} is computed here")
        made[index] = replace(value, measure=measure, along=along, trace=(*value.trace[:-1], step))
    return HeapObject("tuple", made, born=state.active_axes)


REPORTED_AVERAGES = {"macro avg": "macro", "weighted avg": "weighted", "micro avg": "micro"}


def report(state: AnalysisState, entry: Entry, value: MeasureValue, node: ast.AST) -> AnyValue:
    """A classification report as a dict: rows of classes and averages, columns of measures."""
    wanted = isinstance(node, ast.Call) and any(k.arg == "output_dict" for k in node.keywords)
    if not wanted:
        return Data(value.axes, codomain="text")
    rows: dict[Any, AnyValue] = {}
    for title, average in REPORTED_AVERAGES.items():
        rows[title] = HeapObject("dict", report_row(entry, value, average), born=state.active_axes)
    classes = report_row(entry, value, None)
    whole = {key: classes.pop(key) for key in ("accuracy",) if key in classes}
    return HeapObject(
        "dict", {**whole, **rows}, HeapObject("dict", classes, born=state.active_axes), NO_AXES, state.active_axes
    )


def report_row(entry: Entry, value: MeasureValue, average: str | None) -> dict[Any, AnyValue]:
    """A row of a report, of an average or of a class: its measures by the names of the columns."""
    columns: dict[Any, AnyValue] = {}
    for key, kind in entry.facts["report"].items():
        label = kind if kind != "f-measure" else named_average("F1", average) if average else "F1"
        step = replace(value.trace[-1], note=f"{label} is computed here")
        columns[key] = replace(value, measure=Measure(kind, average, label), trace=(*value.trace[:-1], step))
    return columns
