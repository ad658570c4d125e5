"""Thresholds and models that are chosen by a measure, and what is then measured on the same data.

``threshold = thresholds[np.argmax(tpr - fpr)]`` and later ``f1_score(y_test, scores > threshold)``; or the best of many
epochs by ``f1_score(y_test, ...)``, reported as the result. A curve or a measure puts a *taint label* on its result
with the data that it was computed on; the best of several labelled values is *chosen* by these data. What is chosen
and measured on the same data looks better than it is (the winner's curse). Event ``choose``: CVL501
(``what="threshold"``), CVL502 (``what="model"``), CVL503 (``what="threshold of a label"``).
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Sequence

from cvlint.analysis.checkers.best_shown import AGAIN, STOPPED, forget_best_so_far, record_choice
from cvlint.analysis.checkers.compared_sides import ORDERS
from cvlint.analysis.checkers.formulas.areas import is_difference, is_distance
from cvlint.analysis.checkers.left_out import prove_by_measure
from cvlint.analysis.checkers.rows.samples import is_only_tested, rows_measured
from cvlint.analysis.checkers.selections import (
    best_value,
    chosen,
    confirmed,
    end_of_order,
    is_best,
    measured_axes,
    measured_in,
    of_models,
    settle,
)
from cvlint.analysis.domain.axis import NO_AXES, Axes, DataName
from cvlint.analysis.domain.frozen import replace
from cvlint.analysis.domain.lattice import codomain_of, measures_in, options, with_labels
from cvlint.analysis.domain.rows import RowSet, part_of
from cvlint.analysis.domain.taint_label import NO_TAINT, Taint, TaintLabel, choices_in, sorted_labels
from cvlint.analysis.domain.trace import last_call
from cvlint.analysis.domain.value import CALIBRATED, PREDICTION, AnyValue, Const, Data, Measure, MeasureValue
from cvlint.analysis.events import LABEL_THRESHOLD, Event
from cvlint.analysis.inference.data_names import data_name, whole_of_rows
from cvlint.analysis.inference.loop_dependence import loops_turning, parts_named_behind
from cvlint.analysis.inference.written_entries import loops_over_parts
from cvlint.analysis.label_columns import without_entry_keys
from cvlint.analysis.side_by_side import are_several_results
from cvlint.analysis.state import AnalysisState, Selection
from cvlint.analysis.syntax import is_same_code, names_in
from cvlint.analysis.taint import labels_in, taint_at
from cvlint.source.parsing import walk

DIMENSIONS = {"index": 0, "rows": 0, "columns": 1}
COLUMN_OF_LABELS = re.compile(r"\[([^\[\]]*,\s*)?(\w+)\]$")  # ``y_true[:, i]``, ``frame[label]``

COUNTS = Measure("counts", None, "a measure of the counts")


def label_measured(
    state: AnalysisState,
    truth: ast.expr | None,
    node: ast.AST,
    measure: Measure,
    is_curve: bool = False,
    others: Sequence[ast.expr] = (),
    pooled: Axes = NO_AXES,
) -> None:
    """A measure or a curve is computed: its result gets a label with the data."""
    data = data_name(state, truth)
    if data is None or truth is None or measure.kind == "regression":
        return
    prove_by_measure(state, truth)
    for axis in state.active_loops:
        if axis.kind == "fold":
            state.measured_names.setdefault(axis, set()).add(data.name)
    forget_best_so_far(state, data)
    step = state.step(node, f"{measure} is computed here")
    swept = NO_AXES.union(*(m.axes for m in taint_at(state, *others) if m.kind == "swept"))
    swept = frozenset(axis for axis in swept if axis in state.active_axes or axis.kind == "threshold")
    area = measure.kind in ("roc-auc", "average-precision")
    of = "counts" if measure.kind == "counts" else "curve" if is_curve else "area" if area and not swept else ""
    out_of_fold = any(axis.kind == "fold" for axis in pooled)
    rows = rows_measured(state, truth, data)
    part = part_of_data(state, truth, data.name, rows, out_of_fold)
    over_parts = loops_over_parts(state)
    turning = frozenset(axis for axis in loops_turning(state, truth) if axis.kind != "seed") - over_parts
    label = TaintLabel("measured", step, str(measure), state.active_axes - over_parts, choice=of, measured_on=data)
    state.taint |= {replace(label, part=part, swept=swept, turning=turning, pooled=pooled, rows=rows)}


def part_of_data(state: AnalysisState, truth: ast.expr, name: str, rows: RowSet, out_of_fold: bool = False) -> str:
    """The part of a split that data are: ``test`` if no fit under way saw them, else ``other``.

    A test part within a training part is a validation part. Where the way of the data is not known, a name may say it.
    """
    roles: dict[ast.AST, set[str]] = {}
    taint = taint_at(state, truth)
    for label in taint:
        if label.kind == "rows":
            roles.setdefault(label.step.node, set()).add(label.part)
    parts = {part for found in roles.values() if len(found) == 1 for part in found}  # of both parts: it is not known
    known = state.knowledge
    if parts == {"train"} or known.conforms("training", name):
        return "out-of-fold" if out_of_fold and not parts else "train"
    if "train" in parts:
        return "other"
    if known.conforms("test-only", name):
        return "test"
    of_training = any(label.kind == "part" and known.conforms("training", label.subject) for label in taint)
    if known.conforms("test-part", name) or (of_training and not out_of_fold):
        return "other"
    if parts or out_of_fold:
        return "test" if parts else "out-of-fold"
    return "test" if parts_named_behind(state, truth) == {"test"} or is_only_tested(rows) else "other"


def check_choice(
    state: AnalysisState, node: ast.AST, values: AnyValue, is_largest: bool, is_position: bool, by_key: bool
) -> Taint:
    """``np.argmax(tpr - fpr)``, ``max(rows, key=f1_of)``: the best of ``values`` is chosen by their measures."""
    found = measures_in(values)
    # the maximum of each row is the likeliest class of a sample
    is_per_row = isinstance(node, ast.Call) and any(k.arg in ("axis", "dim") for k in node.keywords)
    if is_per_row and not found:
        return NO_TAINT
    measured = of_models(labels_in(values, "measured") or measured_in(state.taint), [values])
    if not is_best(measured, is_largest):
        return NO_TAINT
    over = measured_axes(measured) - state.active_axes
    earlier = choices_before(measured, labels_in(values, "chosen") | state.taint)
    if over and over <= NO_AXES.union(*(label.over for label in earlier)):
        state.taint |= earlier  # a second measure only settles ties among the best by the first one
        return earlier
    if is_per_row:  # of a table whose dimensions are not known: results on other data are never compared
        over &= dimension_of(state, node, found) or over - NO_AXES.union(*(label.turning for label in measured))
    plain = chosen(state, node, measured, over, measure_of_points(measured, found))
    is_f = any(m.measure.kind == "f-measure" for m in found)
    is_peak = is_largest and (is_f or not found) and not codomain_of(values).is_finite  # a single rate has a bound
    if is_peak or (not is_largest and is_distance(state, node)):
        plain = frozenset(replace(m, choice="peak") if m.choice == "curve" else m for m in plain)
    choices = plain if is_position else best_value(plain, is_f)
    if not is_position and not by_key:
        times_computed = Counter((d, by) for d, by, _ in {(m.measured_on, m.cause, m.step.node) for m in measured})
        measured_again = {data for (data, _), count in times_computed.items() if count > 1}
        choices = frozenset(replace(m, choice="several") if m.measured_on in measured_again else m for m in choices)
    if not is_position and not over and are_several_results(state, values):
        choices = frozenset(replace(m, choice="several") for m in choices)
    state.taint |= plain if by_key else choices  # besides the best value, a row has other entries
    return choices


def measure_of_points(measured: Taint, found: Sequence[MeasureValue]) -> str:
    """The measure that was computed of the points of a curve, and that chooses in its place: F of the PR curve."""
    names = {str(value.measure) for value in found if value.measure.kind == "f-measure"}
    on_curve = all(label.choice == "curve" for label in measured)
    return names.pop() if on_curve and len(names) == 1 else ""


def choices_before(measured: Taint, labels: Taint) -> Taint:
    """The choices that are made already on the same data."""
    data = {label.measured_on for label in measured}
    return frozenset(label for label in labels if label.kind == "chosen" and label.measured_on in data)


def dimension_of(state: AnalysisState, node: ast.AST, found: Sequence[MeasureValue]) -> Axes:
    """The loops along the dimension that ``axis=1`` names, if the measures lie in tables whose dimensions are known."""
    given = [k.value for k in getattr(node, "keywords", ()) if k.arg in ("axis", "dim")]
    values = {o.value if isinstance(o, Const) else None for n in given for o in options(state.evaluate(state, n))}
    match [DIMENSIONS.get(str(value), value) for value in values]:
        case [int() as at] if all(-len(m.along) <= at < len(m.along) > 1 for m in found):
            return NO_AXES.union(*(m.along[at] for m in found))
        case _:
            return NO_AXES


def check_best_entry(state: AnalysisState, node: ast.Subscript, base: AnyValue, value: AnyValue) -> AnyValue:
    """``f1s[best]``, where ``best`` is the position of the largest: the same as their maximum, and labelled so."""
    given = choices_in(taint_at(state, node.slice))
    at = without_entry_keys(given)  # of a pair: ``table.loc[table["f1"].idxmax(), "threshold"]``
    state.taint = state.taint - given | at
    choices = frozenset(replace(m, kind="chosen") for m in at)  # ``f1s[threshold_index]`` is named like a threshold
    if choices:
        measured = labels_in(base, "measured") | taint_at(state, node.value)
        data = {m.measured_on for m in measured if m.kind == "measured"}
        choices = frozenset(m for m in choices if m.measured_on in data)
    choices |= (ends := end_of_order(state, node, base))
    state.taint |= frozenset(replace(m, choice="") for m in ends)  # besides the best value, a row has other entries
    if not choices:
        return value
    kinds = {m.measure.kind for m in measures_in(value)}
    is_own = not kinds and any(is_largest_itself(state, node.value, label) for label in choices)
    told = best_value(point_of_curve(choices) if is_own or is_point(node, value) else choices, "f-measure" in kinds)
    if not kinds:  # the name of the best one
        told = frozenset(replace(label, choice="") if label.choice == "several" else label for label in told)
    elif are_several_results(state, base):
        told = frozenset(replace(label, choice="several") if label.choice in ("", "area") else label for label in told)
    if is_own or isinstance(value, MeasureValue):
        state.taint = (state.taint - choices) | told
    return with_labels(value, told)


def is_largest_itself(state: AnalysisState, array: ast.expr, label: TaintLabel) -> bool:
    """Whether ``gmeans[best]`` is read, where ``best`` is the position of the largest of ``gmeans`` along a curve.

    The largest difference of two rates, ``tpr - fpr``, is a distance between the classes as well, and no result.
    """
    match label.step.node:
        case ast.Call(args=[ast.expr() as compared, *_]) | ast.Call(func=ast.Attribute(value=compared), args=[]):
            is_peak = label.choice == "peak" and is_same_code(array, compared)
            return is_peak and not is_difference(state, compared) and is_made_of_rates(state, compared)
        case _:
            return False


def is_made_of_rates(state: AnalysisState, array: ast.expr) -> bool:
    """Whether an array was computed of the points of a curve: ``np.sqrt(tpr * (1 - fpr))``."""
    definition = state.environment.definitions.get(array.id) if isinstance(array, ast.Name) else array
    names = names_in(definition) if definition is not None else ()
    held = [value for name in names if (value := state.environment.lookup(name)) is not None]
    dimensions = [axes for value in held for found in measures_in(value) for axes in found.along]
    return any(axis.kind == "threshold" for axes in dimensions for axis in axes)


def is_point(node: ast.Subscript, value: AnyValue) -> bool:
    """Whether ``tpr[best]`` is read: a measure at one of the thresholds of a curve."""
    along = isinstance(value, MeasureValue) and any(axis.kind == "threshold" for axis in value.axes)
    return along and not isinstance(node.slice, ast.Slice)


def point_of_curve(choices: Taint) -> Taint:
    """The labels of what is reached at the threshold that was chosen because a measure is largest there."""
    return frozenset(replace(label, choice="threshold") if label.choice == "peak" else label for label in choices)


def conclude(state: AnalysisState, selection: Selection) -> None:
    """After the code under a test that may have chosen the best."""
    if settle(state, selection):
        for label in sorted_labels(m for m in selection.labels if m.choice == "threshold"):
            check_label_threshold(state, label)


def label_threshold(state: AnalysisState, node: ast.expr, taint: Taint, by_use: bool = False) -> Taint:
    """The labels of a choice, where its use or its name says that it is a threshold; an area chooses no threshold."""
    has_choice = any(m.kind == "chosen" for m in taint)
    if not has_choice or not (by_use or is_named_threshold(state, node)):
        return taint
    kinds = ("area", "loop", "several", STOPPED)
    thresholds = frozenset(m for m in confirmed(state, taint) if m.kind == "chosen" and m.choice not in kinds)
    for taint_label in sorted_labels(thresholds):
        check_label_threshold(state, taint_label)
    return taint - thresholds | {replace(m, kind="cut") for m in thresholds}


def is_named_threshold(state: AnalysisState, node: ast.expr) -> bool:
    """Whether a name in an expression, or a key, says that it is a threshold."""
    return any(state.knowledge.conforms("threshold", name) for name in names_and_keys(node))


def names_and_keys(node: ast.expr) -> frozenset[str]:
    """The names in an expression, and the keys of entries: ``best["threshold"]``."""
    keys = (n.slice for n in walk(node) if isinstance(n, ast.Subscript))
    return names_in(node) | {k.value for k in keys if isinstance(k, ast.Constant) and isinstance(k.value, str)}


def check_label_threshold(state: AnalysisState, taint_label: TaintLabel) -> None:
    """A threshold is chosen in a loop over labels, on a column of the true labels: each label gets its own."""
    loop_variables = frozenset[str]().union(*(axis.loop_variables for axis in taint_label.axes if axis.kind == "loop"))
    column = column_measured(taint_label)
    if column is None or column.group(2) not in loop_variables or is_tested(state, column.string):
        return
    if not column.group(1) and not state.knowledge.conforms("label-name", column.group(2)):
        return  # the key takes rows, or one of several data sets
    step = taint_label.step
    facts = {"what": LABEL_THRESHOLD, "by": taint_label.cause, "data": column.string, "part": "other"}
    state.record(
        Event(
            "choose", step.source, step.node, Measure("unknown"), trace=state.call_trace(), note=step.note, facts=facts
        )
    )


def column_measured(label: TaintLabel) -> re.Match[str] | None:
    """The column of labels that a measure is computed on: ``y_true[:, k]``, which may have a name of its own."""
    match label.measured_on:
        case None:
            return None
        case DataName(bound=ast.Subscript() as definition):
            return COLUMN_OF_LABELS.search(ast.unparse(definition))
        case DataName(name=name):
            return COLUMN_OF_LABELS.search(name)


def is_tested(state: AnalysisState, name: str) -> bool:
    """Whether a test around mentions the data: how many positives they hold, perhaps."""
    return any(name in ast.unparse(test) for test in state.frame.guard_tests)


def check_threshold_comparison(state: AnalysisState, node: ast.Compare) -> None:
    """``scores >= threshold``: what was chosen is a threshold, by its use; scores may come from a chosen model.

    In ``probs >= 0.5`` the number is the threshold, and in ``net(images) >= args.threshold`` the one with its name.
    """
    compared = frozenset(m for m in state.taint if m.kind == "swept")
    sides = [(side, taint_at(state, side)) for side in (node.left, *node.comparators)]
    has_number = any(isinstance(side, ast.Constant) for side, _ in sides)
    by_use = not has_number and all(isinstance(op, ORDERS) for op in node.ops)
    named = [side for side, _ in sides if is_named_threshold(state, side)]
    scores = [t for side, t in sides if are_scores(state, side, t)]
    of_models = {m.step.node for t in scores for m in t}  # what chose the model chose no threshold of its scores
    state.taint = compared.union(*scores)
    for side, found in sides:
        if found not in scores:
            own = frozenset(m for m in found if m.step.node not in of_models)
            state.taint |= label_threshold(state, side, own, by_use and named in ([], [side]))


def are_scores(state: AnalysisState, node: ast.expr, taint: Taint) -> bool:
    """Whether an expression with a choice among its labels is what the chosen model predicts."""
    if not any(label.kind == "chosen" for label in taint):
        return False
    value = state.evaluate(state, node)
    return isinstance(value, Data) and value.origin in (PREDICTION, CALIBRATED)


def check_measured_again(
    state: AnalysisState,
    measure: str,
    truth: ast.expr | None,
    others: list[ast.expr],
    heuristic: bool = False,
    kinds: tuple[str, ...] = ("chosen", "cut"),
) -> Taint:
    """A result is measured: an event where the same data chose before, and none where other data did.

    What a test part chose stays a choice on the test part, on whatever else it is measured afterwards. Groups of the
    rows that chose are no other data, and neither is the table whose columns chose a threshold each. Returned are the
    labels that the result in a fold has, which its mean over the folds then tells.
    """
    under_way = {label.step.node for label in state.selecting}  # what a test may keep is not kept yet
    found = (m for m in confirmed(state, taint_at(state, *others)) if m.step.node not in under_way)
    choices = [m for m in found if m.kind in kinds]
    data = data_name(state, truth) if choices else None
    if data is None or truth is None:
        return NO_TAINT
    rows = rows_measured(state, truth, data)
    part = part_of_data(state, truth, data.name, rows)
    if part == "train":
        return NO_TAINT
    own = (data, whole_of_rows(state, truth))
    on_same = [named for m in choices if (named := as_named_now(m, data, rows, part)) is not None]
    reused = {m.step.node for m in (*on_same, *(m for m in choices if m.measured_on in own))}
    for label in choices:
        if label.step.node not in reused and label.part != "test":
            state.excused_nodes.add(label.step.node)
            state.judged_choices.add((label.step.node, last_call(label.way)))
    for taint_label in sorted_labels(on_same):
        record_choice(state, taint_label, state.step(truth, f"{measure} is computed on the same data here", heuristic))
    in_folds = any(axis.kind == "fold" for axis in state.active_axes)
    return frozenset(replace(m, choice=AGAIN) for m in on_same if in_folds and m.choice != STOPPED)


def as_named_now(choice: TaintLabel, data: DataName, rows: RowSet, part: str) -> TaintLabel | None:
    """A choice, if these data made it: they have the same name, are of the same table, or hold the same rows.

    They are told under the name that they have here, where they had none when they chose, or that of a validation part.
    Rows that nobody knows are only taken to be the same.
    """
    chosen_by = choice.measured_on
    if chosen_by is not None and data in (chosen_by, chosen_by.table):
        return choice
    are_same = choice.rows is not None and choice.rows.found is rows and bool(part_of(rows))
    if not are_same or (part == choice.part and chosen_by is not None and chosen_by.name.isidentifier()):
        return choice if are_same else None
    return replace(choice, measured_on=data, part=part)


def check_unknown_call(state: AnalysisState, name: str, node: ast.Call, are_counts: bool = False) -> None:
    """An unknown function chooses a threshold or judges a result, by its name: ``find_best_threshold(y, scores)``.

    The confusion matrix of the best model shows what it confuses, and is no result; that of a threshold is one.
    """
    kinds = ("cut",) if are_counts else ("chosen", "cut")
    arguments = [*node.args, *(k.value for k in node.keywords)]
    if state.knowledge.conforms("choice", name) and not any(m.kind in ("chosen", "cut") for m in state.taint):
        step = state.step(node, f"{name} chooses the best here, by its name", heuristic=True)
        data_names = {m.measured_on for m in state.taint if m.kind == "measured"} or {
            data_name(state, argument) for argument in arguments
        }
        state.taint |= {
            TaintLabel("chosen", step, name, state.active_axes, measured_on=data)
            for data in data_names
            if data is not None
        }
    elif len(arguments) > 1 and state.knowledge.conforms("judging", name):
        for truth in arguments:
            if isinstance(truth, (ast.Name, ast.Attribute)):
                check_measured_again(
                    state, "a result", truth, [other for other in arguments if other is not truth], True, kinds
                )
