"""Thresholds and models that are chosen by a measure, and what is then measured on the same data.

A curve, and a measure, *marks* what is made of it with the data that it was computed on; the best of several marked
values is *chosen* by these data. Predictions made with a chosen threshold, measured on the same data again, are the
winner's curse.
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
from cvlint.analysis.inference.loop_dependence import argument_of
from cvlint.analysis.state import LABEL_THRESHOLD, AnalysisState
from cvlint.analysis.syntax import names_in
from cvlint.analysis.taint import NO_COLUMNS, root_name, sorted_labels, taint_at

MOST_NAMES = 8
SHOWN_AS_BEST = ("loop", "several", "threshold")  # what the best of which is a result when it is shown
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
CHOOSING_FUNCTIONS = (
    "argmax",
    "nanargmax",
    "idxmax",
    "max",
    "nanmax",
    "amax",
)  # the last parts of names that pick the best


def data_name(state: AnalysisState, node: ast.expr | None) -> DataName | None:
    """Which data an expression takes: as they are spelled, parameters and names for them followed to what was given."""
    level = len(state.frames) - 1
    for _ in range(MOST_NAMES):
        if node is None:
            return None
        frame, node = state.frames[level], without_conversions(state, node)
        if not isinstance(node, ast.Name):
            home = frame.environment.defining_environment(root_name(node))
            return DataName(home or state.frames[0].environment, ast.unparse(node), None)
        home = frame.environment.defining_environment(node.id)
        given = argument_of(frame, node.id) if level and home is frame.environment else None
        if given is not None:
            node, level = given, level - 1
            continue
        definition = home.definitions.get(node.id) if home is not None else None
        other = without_conversions(state, definition) if definition is not None else None
        if other is definition or not isinstance(other, ast.Name | ast.Attribute | ast.Subscript) or other is node:
            return DataName(home or state.frames[0].environment, node.id, definition)
        node = other
    return None


def without_conversions(state: AnalysisState, node: ast.expr) -> ast.expr:
    """Data without what only converts them: ``y`` of ``np.asarray(y.values).ravel()``."""
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
    """A measure, or a curve, is computed: what is made of it knows the data."""
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
    """``np.argmax(tpr - fpr)``: the best is chosen by the data that these were computed on."""
    along = isinstance(node, ast.Call) and any(k.arg in ("axis", "dim") for k in node.keywords)  # the likeliest class
    if name.rpartition(".")[2] not in CHOOSING_FUNCTIONS or along:
        return
    made = label_choice(state, node, state.taint)
    by_key = isinstance(node, ast.Call) and any(k.arg == "key" for k in node.keywords)
    if name.rpartition(".")[2] in MAXIMA and not by_key:
        of_f = any(m.measure.kind == "f-measure" for m in measures_in(value))
        taint = [m for m in state.taint if m.kind == "measured"]
        computed = Counter((data, by) for data, by, _ in {(m.measured_on, m.cause, m.step.node) for m in taint})
        several = {data for (data, _), times in computed.items() if times > 1}
        found = {
            replace(m, choice="several" if m.measured_on in several else kind_of_choice(state, m, of_f)) for m in made
        }
        state.taint = (state.taint - made) | found


def check_best_entry(state: AnalysisState, node: ast.Subscript, value: AnyValue) -> None:
    """``f1s[best]``, where ``best`` is the place of the largest: the same as their maximum."""
    kinds = {m.measure.kind for m in measures_in(value)}
    data = {m.measured_on for m in taint_at(state, node.value) if m.kind == "measured"}
    made = frozenset(m for m in taint_at(state, node.slice) if m.kind == "chosen" and m.measured_on in data)
    if kinds and made:
        of_f = "f-measure" in kinds
        state.taint = (state.taint - made) | {replace(m, choice=kind_of_choice(state, m, of_f)) for m in made}


def kind_of_choice(state: AnalysisState, taint_label: TaintLabel, of_f: bool) -> str:
    """What the maximum of measures is of: thresholds of a curve, or passes of a loop, all on the same data."""
    if taint_label.choice == "curve":
        return "threshold" if of_f else taint_label.choice
    names = (
        frozenset(WORD.findall(taint_label.measured_on.name))
        if taint_label.measured_on is not None
        else frozenset[str]()
    )
    over = taint_label.axes - state.active_axes
    if any(state.knowledge.conforms("threshold", name) for axis in over for name in axis.loop_variables):
        return "threshold"
    same = all(
        axis.kind in ("epoch", "seed", "loop") and not axis.loop_variables & names and not axis.is_class_axis
        for axis in over
    )
    return "loop" if over and same else taint_label.choice


def label_choice(state: AnalysisState, node: ast.AST, taint: Taint, by: str = "") -> Taint:
    """The marks of a choice at ``node`` by what bears ``taint``, or by the measure that is known to be compared."""
    found = [m for m in taint if m.kind == "measured"]
    steps = [state.step(node, f"the best is chosen by {by or m.cause} here") for m in found]
    made = frozenset(
        replace(m, kind="chosen", step=s, cause=by or m.cause, columns=NO_COLUMNS)
        for m, s in zip(found, steps, strict=True)
    )
    state.taint |= made
    return made


def choice_by_comparison(state: AnalysisState, node: ast.If) -> Taint:
    """``if f > best: best, threshold = f, t``: what is bound under such a test was chosen by it."""
    match node.test:
        case ast.BoolOp(values=values):
            parts = (choice_by_comparison(state, ast.If(value, node.body, [])) for value in values)
            return NO_TAINT.union(*parts)
        case ast.Compare(left=left, ops=[ast.Gt() | ast.GtE() | ast.Lt() | ast.LtE()], comparators=[right]):
            bound = {ast.unparse(target) for target in assigned_targets(node.body)}
            if isinstance(left, ast.Constant) or isinstance(right, ast.Constant):
                return NO_TAINT
            kept = {ast.unparse(side) for side in (left, right)} & bound
            if not (kept and state.active_loops):
                return NO_TAINT
            if by := {str(m.measure) for side in (left, right) for m in measures_in(state.evaluate(state, side))}:
                of = "threshold" if any(state.knowledge.conforms("threshold", name) for name in bound) else "loop"
                plain_sides = all(isinstance(side, ast.Name | ast.Attribute | ast.Subscript) for side in (left, right))
                by_name = min(by) if len(by) == 1 and plain_sides else "a measure"
                made = label_choice(state, node.test, taint_at(state, left, right), by_name)
                for taint_label in sorted_labels(made) if of == "threshold" else ():
                    check_label_threshold(state, taint_label)
                return frozenset(replace(m, choice=of if m.choice != "area" else "loop") for m in made)
    return NO_TAINT


def assigned_targets(body: list[ast.stmt]) -> list[ast.expr]:
    """What the assignments of a block bind."""
    found = [target for statement in body if isinstance(statement, ast.Assign) for target in statement.targets]
    return [each for target in found for each in (target.elts if isinstance(target, ast.Tuple) else [target])]


def label_threshold(state: AnalysisState, node: ast.expr, taint: Taint) -> Taint:
    """The marks of what was chosen, where its name says that it is a threshold; an area chooses none."""
    chosen_so_far = any(m.kind == "chosen" for m in taint)
    if not chosen_so_far or not any(state.knowledge.conforms("threshold", name) for name in names_and_keys(node)):
        return taint
    cuts = frozenset(m for m in taint if m.kind == "chosen" and m.choice not in ("area", "loop", "several"))
    for taint_label in sorted_labels(cuts):
        check_label_threshold(state, taint_label)
    return taint - cuts | {replace(m, kind="cut") for m in cuts}


def names_and_keys(node: ast.expr) -> frozenset[str]:
    """The names in an expression, and the keys of entries: ``best["threshold"]``."""
    keys = (n.slice for n in ast.walk(node) if isinstance(n, ast.Subscript))
    return names_in(node) | {k.value for k in keys if isinstance(k, ast.Constant) and isinstance(k.value, str)}


def check_label_threshold(state: AnalysisState, taint_label: TaintLabel) -> None:
    """A threshold was chosen: in a loop over labels, on a column of the true labels, each label gets one of its own."""
    turning = frozenset[str]().union(*(axis.loop_variables for axis in taint_label.axes if axis.kind == "loop"))
    column = COLUMN_OF_LABELS.search(taint_label.measured_on.name) if taint_label.measured_on is not None else None
    if column is None or column.group(2) not in turning or is_tested(state, column.string):
        return
    if not column.group(1) and not state.knowledge.conforms("label-name", column.group(2)):
        return  # rows, or one of several data sets
    at = taint_label.step
    facts = {"what": LABEL_THRESHOLD, "by": taint_label.cause, "data": column.string, "part": "other"}
    state.record(
        Event("choose", at.module, at.node, Measure("unknown"), trace=state.call_trace(), note=at.note, facts=facts)
    )


def is_tested(state: AnalysisState, name: str) -> bool:
    """Whether a test around speaks of the data: of how many positives they hold, perhaps."""
    return any(name in ast.unparse(test) for test in state.frame.guard_tests)


def check_threshold_comparison(state: AnalysisState, node: ast.Compare) -> None:
    """``scores >= threshold``: what was chosen is a threshold."""
    state.taint = NO_TAINT.union(
        *(label_threshold(state, side, taint_at(state, side)) for side in (node.left, *node.comparators))
    )


def check_measured_again(
    state: AnalysisState, measure: str, truth: ast.expr | None, others: list[ast.expr], heuristic: bool = False
) -> None:
    """Something is measured: what the same data chose before is too good; what other data chose is as it should be."""
    found = [m for m in taint_at(state, *others) if m.kind in ("chosen", "cut")]
    data = data_name(state, truth) if found else None
    if data is None or state.knowledge.conforms("training", data.name):
        return
    same = {m.step.node for m in found if m.measured_on == data}
    state.excused_nodes.update(m.step.node for m in found if m.step.node not in same)
    for taint_label in sorted_labels(m for m in found if m.measured_on == data):
        node = truth if truth is not None else taint_label.step.node
        record_choice(state, taint_label, state.step(node, f"{measure} is computed on the same data here", heuristic))


def record_choice(state: AnalysisState, taint_label: TaintLabel, step: Step, how: str = "measured") -> None:
    """What data chose is measured on them once more, or shown as the result."""
    name = taint_label.measured_on.name if taint_label.measured_on is not None else ""
    facts = {
        "what": "threshold" if taint_label.kind == "cut" or taint_label.choice == "threshold" else "model",
        "by": taint_label.cause,
        "data": name,
        "part": "test" if state.knowledge.conforms("test-only", name) else "other",
        "seen": how,
    }
    at, trace = taint_label.step, (*state.call_trace(), step)
    state.record(Event("choose", at.module, at.node, Measure("unknown"), trace=trace, note=at.note, facts=facts))


def check_best_shown(state: AnalysisState, node: ast.AST) -> None:
    """The best of several values is shown when the loop over them is over."""
    over = (m for m in state.taint if m.choice in SHOWN_AS_BEST and not m.axes & state.active_axes)
    for taint_label in sorted_labels(over):
        if taint_label.measured_on is not None and state.knowledge.conforms("test-only", taint_label.measured_on.name):
            record_choice(state, taint_label, state.step(node, "the best is shown as the result here"), "shown")


def check_best_averaged(state: AnalysisState, node: ast.AST, folds: Axes) -> None:
    """The best epoch of each fold, chosen by the fold's own test part, is averaged over the folds as the result."""
    measured = {m.measured_on for m in state.taint if m.kind == "measured"}
    for taint_label in sorted_labels(
        m for m in state.taint if m.kind == "chosen" and m.choice in ("loop", "several") and m.measured_on in measured
    ):
        inner = [axis for axis in taint_label.axes - folds if axis.kind in ("epoch", "loop")]
        if (
            (inner or taint_label.choice == "several")
            and taint_label.axes & folds
            and not is_inner_part(state, taint_label, folds)
        ):
            record_choice(
                state, taint_label, state.step(node, "what it reaches is averaged over the folds here"), "averaged"
            )


def is_inner_part(state: AnalysisState, taint_label: TaintLabel, folds: Axes) -> bool:
    """Whether the folds' test parts are other data than those that a choice was made on, as far as names tell."""
    known = state.knowledge
    name = taint_label.measured_on.name if taint_label.measured_on is not None else ""
    others = {other for axis in folds for other in state.measured_names.get(axis, ())}
    tests = any(known.conforms("test-only", other) for other in others)
    return known.conforms("training", name) or (tests and not known.conforms("test-only", name))


def check_unknown_call(state: AnalysisState, name: str, node: ast.Call) -> None:
    """A call chooses a threshold, by its name, or code that could not be followed is given labels and predictions."""
    given = [*node.args, *(k.value for k in node.keywords)]
    if state.knowledge.conforms("choice", name) and not any(m.kind in ("chosen", "cut") for m in state.taint):
        step = state.step(node, f"{name} chooses the best here, by its name", heuristic=True)
        known = {m.measured_on for m in state.taint if m.kind == "measured"} or {
            data_name(state, argument) for argument in given
        }
        state.taint |= {
            TaintLabel("chosen", step, name, state.active_axes, measured_on=data) for data in known if data is not None
        }
    elif len(given) > 1 and state.knowledge.conforms("judging", name):
        for truth in given:
            if isinstance(truth, ast.Name | ast.Attribute):
                check_measured_again(
                    state, "a result", truth, [other for other in given if other is not truth], heuristic=True
                )
