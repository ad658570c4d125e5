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
from dataclasses import replace

from cvlint.analysis.domain.axis import Axes
from cvlint.analysis.domain.lattice import measures_in
from cvlint.analysis.domain.taint_label import NO_TAINT, DataName, Taint, TaintLabel
from cvlint.analysis.domain.trace import Step
from cvlint.analysis.domain.value import AnyValue, LibraryName, Measure
from cvlint.analysis.events import Event
from cvlint.analysis.state import LABEL_THRESHOLD, AnalysisState
from cvlint.analysis.syntax import names_in
from cvlint.analysis.taint import NO_COLUMNS, root_name, sorted_labels, taint_at

MOST_NAMES = 8
SHOWN_AS_BEST = ("loop", "several", "threshold")  # kinds of choices whose best value is a result once it is shown
MAXIMA = ("max", "nanmax", "amax")
WORD = re.compile(r"\w+")
COLUMN_OF_LABELS = re.compile(r"\[([^\[\]]*,\s*)?(\w+)\]$")  # ``y_true[:, i]``, ``frame[label]``
CONVERSIONS = (
    "ravel",
    "flatten",
    "squeeze",
    "to_numpy",
    "numpy",
    "cpu",
    "detach",
    "astype",
    "copy",
    "tolist",
    "reshape",
)
CHOOSING_FUNCTIONS = ("argmax", "nanargmax", "idxmax", "max", "nanmax", "amax")


def data_name(state: AnalysisState, node: ast.expr | None) -> DataName | None:
    """The data that an expression takes: their spelling, with names followed to what they were bound to."""
    level = len(state.frames) - 1
    for _ in range(MOST_NAMES):
        if node is None:
            return None
        frame, node = state.frames[level], without_conversions(state, node)
        if not isinstance(node, ast.Name):
            environment = frame.environment.defining_environment(root_name(node))
            return DataName(environment or state.frames[0].environment, ast.unparse(node), None)
        environment = frame.environment.defining_environment(node.id)
        argument = frame.argument(node.id) if level and environment is frame.environment else None
        if argument is not None:
            node, level = argument, level - 1
            continue
        definition = environment.definitions.get(node.id) if environment is not None else None
        plain_definition = without_conversions(state, definition) if definition is not None else None
        if (
            plain_definition is definition
            or not isinstance(plain_definition, ast.Name | ast.Attribute | ast.Subscript)
            or plain_definition is node
        ):
            return DataName(environment or state.frames[0].environment, node.id, definition)
        node = plain_definition
    return None


def without_conversions(state: AnalysisState, node: ast.expr) -> ast.expr:
    """Data without their conversions: ``y`` of ``np.asarray(y.values).ravel()``."""
    while True:
        match node:
            case ast.Attribute(value=inner, attr="values" | "T" | "array"):
                node = inner
            case ast.Call(func=ast.Attribute(value=ast.Name(id=library), attr=attr), args=[first, *_]) if isinstance(
                state.environment.lookup(library), LibraryName
            ) and attr in ("array", "asarray", "ravel", "squeeze"):
                node = first
            case ast.Call(func=ast.Attribute(value=inner, attr=attr)) if attr in CONVERSIONS:
                node = inner
            case _:
                return node


def label_measured(
    state: AnalysisState, truth: ast.expr | None, node: ast.AST, measure: Measure, is_curve: bool
) -> None:
    """A measure or a curve is computed: its result gets a label with the data."""
    data = data_name(state, truth)
    if data is not None:
        for axis in state.active_loops:
            if axis.kind == "fold":
                state.measured_names.setdefault(axis, set()).add(data.name)
        step = state.step(node, f"{measure} is computed here")
        area = measure.kind in ("roc-auc", "average-precision")
        of = "curve" if is_curve else "area" if area else ""
        state.taint |= {TaintLabel("measured", step, str(measure), state.active_axes, choice=of, measured_on=data)}


def check_choice(state: AnalysisState, name: str, node: ast.AST, value: AnyValue) -> None:
    """``np.argmax(tpr - fpr)``: the best is chosen by the data on which these were computed."""
    # the maximum of each row is the likeliest class of a sample
    is_per_row = isinstance(node, ast.Call) and any(k.arg in ("axis", "dim") for k in node.keywords)
    if name.rpartition(".")[2] not in CHOOSING_FUNCTIONS or is_per_row:
        return
    choices = label_choice(state, node, state.taint)
    by_key = isinstance(node, ast.Call) and any(k.arg == "key" for k in node.keywords)
    if name.rpartition(".")[2] in MAXIMA and not by_key:
        is_f = any(m.measure.kind == "f-measure" for m in measures_in(value))
        measured = [m for m in state.taint if m.kind == "measured"]
        times_computed = Counter(
            (data, by) for data, by, _ in {(m.measured_on, m.cause, m.step.node) for m in measured}
        )
        measured_again = {data for (data, _), count in times_computed.items() if count > 1}
        kinds_known = {
            replace(m, choice="several" if m.measured_on in measured_again else kind_of_choice(state, m, is_f))
            for m in choices
        }
        state.taint = (state.taint - choices) | kinds_known


def check_best_entry(state: AnalysisState, node: ast.Subscript, value: AnyValue) -> None:
    """``f1s[best]``, where ``best`` is the position of the largest: the same as their maximum."""
    kinds = {m.measure.kind for m in measures_in(value)}
    data = {m.measured_on for m in taint_at(state, node.value) if m.kind == "measured"}
    choices = frozenset(m for m in taint_at(state, node.slice) if m.kind == "chosen" and m.measured_on in data)
    if kinds and choices:
        is_f = "f-measure" in kinds
        state.taint = (state.taint - choices) | {replace(m, choice=kind_of_choice(state, m, is_f)) for m in choices}


def kind_of_choice(state: AnalysisState, taint_label: TaintLabel, is_f: bool) -> str:
    """What the best is chosen among: thresholds of a curve, or passes of a loop on the same data."""
    if taint_label.choice == "curve":
        return "threshold" if is_f else taint_label.choice
    names = (
        frozenset(WORD.findall(taint_label.measured_on.name))
        if taint_label.measured_on is not None
        else frozenset[str]()
    )
    ended_loops = taint_label.axes - state.active_axes
    if any(state.knowledge.conforms("threshold", name) for axis in ended_loops for name in axis.loop_variables):
        return "threshold"
    on_same_data = all(
        axis.kind in ("epoch", "seed", "loop") and not axis.loop_variables & names and not axis.is_class_axis
        for axis in ended_loops
    )
    return "loop" if ended_loops and on_same_data else taint_label.choice


def label_choice(state: AnalysisState, node: ast.AST, taint: Taint, by: str = "") -> Taint:
    """The labels of a choice at ``node``, by the measure ``by`` or by those in ``taint``."""
    measured = [m for m in taint if m.kind == "measured"]
    steps = [state.step(node, f"the best is chosen by {by or m.cause} here") for m in measured]
    choices = frozenset(
        replace(m, kind="chosen", step=s, cause=by or m.cause, columns=NO_COLUMNS)
        for m, s in zip(measured, steps, strict=True)
    )
    state.taint |= choices
    return choices


def choice_by_comparison(state: AnalysisState, node: ast.If) -> Taint:
    """``if f > best: best, threshold = f, t``: the test chooses what is bound under it."""
    match node.test:
        case ast.BoolOp(values=values):
            choices_of_parts = (choice_by_comparison(state, ast.If(value, node.body, [])) for value in values)
            return NO_TAINT.union(*choices_of_parts)
        case ast.Compare(left=left, ops=[ast.Gt() | ast.GtE() | ast.Lt() | ast.LtE()], comparators=[right]):
            targets = {ast.unparse(target) for target in assigned_targets(node.body)}
            if isinstance(left, ast.Constant) or isinstance(right, ast.Constant):
                return NO_TAINT
            compared_targets = {ast.unparse(side) for side in (left, right)} & targets
            if not (compared_targets and state.active_loops):
                return NO_TAINT
            if measures_compared := {
                str(m.measure) for side in (left, right) for m in measures_in(state.evaluate(state, side))
            }:
                kind = "threshold" if any(state.knowledge.conforms("threshold", name) for name in targets) else "loop"
                are_plain = all(isinstance(side, ast.Name | ast.Attribute | ast.Subscript) for side in (left, right))
                measure_name = min(measures_compared) if len(measures_compared) == 1 and are_plain else "a measure"
                choices = label_choice(state, node.test, taint_at(state, left, right), measure_name)
                for taint_label in sorted_labels(choices) if kind == "threshold" else ():
                    check_label_threshold(state, taint_label)
                return frozenset(replace(m, choice=kind if m.choice != "area" else "loop") for m in choices)
    return NO_TAINT


def assigned_targets(body: list[ast.stmt]) -> list[ast.expr]:
    """What the assignments of a block bind."""
    targets = [target for statement in body if isinstance(statement, ast.Assign) for target in statement.targets]
    return [name for target in targets for name in (target.elts if isinstance(target, ast.Tuple) else [target])]


def label_threshold(state: AnalysisState, node: ast.expr, taint: Taint) -> Taint:
    """The labels of a choice, where its name says that it is a threshold; an area chooses no threshold."""
    has_choice = any(m.kind == "chosen" for m in taint)
    if not has_choice or not any(state.knowledge.conforms("threshold", name) for name in names_and_keys(node)):
        return taint
    thresholds = frozenset(m for m in taint if m.kind == "chosen" and m.choice not in ("area", "loop", "several"))
    for taint_label in sorted_labels(thresholds):
        check_label_threshold(state, taint_label)
    return taint - thresholds | {replace(m, kind="cut") for m in thresholds}


def names_and_keys(node: ast.expr) -> frozenset[str]:
    """The names in an expression, and the keys of entries: ``best["threshold"]``."""
    keys = (n.slice for n in ast.walk(node) if isinstance(n, ast.Subscript))
    return names_in(node) | {k.value for k in keys if isinstance(k, ast.Constant) and isinstance(k.value, str)}


def check_label_threshold(state: AnalysisState, taint_label: TaintLabel) -> None:
    """A threshold is chosen in a loop over labels, on a column of the true labels: each label gets its own."""
    loop_variables = frozenset[str]().union(*(axis.loop_variables for axis in taint_label.axes if axis.kind == "loop"))
    column = COLUMN_OF_LABELS.search(taint_label.measured_on.name) if taint_label.measured_on is not None else None
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


def is_tested(state: AnalysisState, name: str) -> bool:
    """Whether a test around mentions the data: how many positives they hold, perhaps."""
    return any(name in ast.unparse(test) for test in state.frame.guard_tests)


def check_threshold_comparison(state: AnalysisState, node: ast.Compare) -> None:
    """``scores >= threshold``: what was chosen is a threshold."""
    state.taint = NO_TAINT.union(
        *(label_threshold(state, side, taint_at(state, side)) for side in (node.left, *node.comparators))
    )


def check_measured_again(
    state: AnalysisState, measure: str, truth: ast.expr | None, others: list[ast.expr], heuristic: bool = False
) -> None:
    """A result is measured: an event where the same data chose before, and none where other data did."""
    choices = [m for m in taint_at(state, *others) if m.kind in ("chosen", "cut")]
    data = data_name(state, truth) if choices else None
    if data is None or state.knowledge.conforms("training", data.name):
        return
    reused = {m.step.node for m in choices if m.measured_on == data}
    state.excused_nodes.update(m.step.node for m in choices if m.step.node not in reused)
    for taint_label in sorted_labels(m for m in choices if m.measured_on == data):
        node = truth if truth is not None else taint_label.step.node
        record_choice(state, taint_label, state.step(node, f"{measure} is computed on the same data here", heuristic))


def record_choice(state: AnalysisState, taint_label: TaintLabel, step: Step, seen: str = "measured") -> None:
    """Record that data chose something that is then measured on them again, or shown as the result."""
    name = taint_label.measured_on.name if taint_label.measured_on is not None else ""
    facts = {
        "what": "threshold" if taint_label.kind == "cut" or taint_label.choice == "threshold" else "model",
        "by": taint_label.cause,
        "data": name,
        "part": "test" if state.knowledge.conforms("test-only", name) else "other",
        "seen": seen,
    }
    choice, trace = taint_label.step, (*state.call_trace(), step)
    state.record(
        Event("choose", choice.source, choice.node, Measure("unknown"), trace=trace, note=choice.note, facts=facts)
    )


def check_best_shown(state: AnalysisState, node: ast.AST) -> None:
    """The best of several values is shown after the loop over them."""
    choices = (m for m in state.taint if m.choice in SHOWN_AS_BEST and not m.axes & state.active_axes)
    for taint_label in sorted_labels(choices):
        if taint_label.measured_on is not None and state.knowledge.conforms("test-only", taint_label.measured_on.name):
            record_choice(state, taint_label, state.step(node, "the best is shown as the result here"), "shown")


def check_best_averaged(state: AnalysisState, node: ast.AST, folds: Axes) -> None:
    """The best epoch of each fold, chosen by the fold's own test part, is averaged over the folds as the result."""
    measured = {m.measured_on for m in state.taint if m.kind == "measured"}
    for taint_label in sorted_labels(
        m for m in state.taint if m.kind == "chosen" and m.choice in ("loop", "several") and m.measured_on in measured
    ):
        inner_loops = [axis for axis in taint_label.axes - folds if axis.kind in ("epoch", "loop")]
        if (
            (inner_loops or taint_label.choice == "several")
            and taint_label.axes & folds
            and not is_inner_part(state, taint_label, folds)
        ):
            record_choice(
                state, taint_label, state.step(node, "what it reaches is averaged over the folds here"), "averaged"
            )


def is_inner_part(state: AnalysisState, taint_label: TaintLabel, folds: Axes) -> bool:
    """Whether a choice was made on other data than the test parts of the folds, as far as names say."""
    knowledge = state.knowledge
    name = taint_label.measured_on.name if taint_label.measured_on is not None else ""
    test_names = {other_name for axis in folds for other_name in state.measured_names.get(axis, ())}
    has_test_part = any(knowledge.conforms("test-only", other_name) for other_name in test_names)
    return knowledge.conforms("training", name) or (has_test_part and not knowledge.conforms("test-only", name))


def check_unknown_call(state: AnalysisState, name: str, node: ast.Call) -> None:
    """An unknown function chooses a threshold or judges a result, by its name: ``find_best_threshold(y, scores)``."""
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
            if isinstance(truth, ast.Name | ast.Attribute):
                check_measured_again(
                    state, "a result", truth, [other for other in arguments if other is not truth], heuristic=True
                )
