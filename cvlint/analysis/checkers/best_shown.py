"""What tells the result of a choice: the best is shown behind its loop, or in it, or averaged over folds.

In go the labels of choices on shown or averaged values; out come events ``choose``, one for each choice.
"""

from __future__ import annotations

import ast
from collections.abc import Collection

from cvlint.analysis.checkers.leakage.final_tests import note_shown_folds
from cvlint.analysis.checkers.selections import confirmed
from cvlint.analysis.domain.axis import Axes
from cvlint.analysis.domain.taint_label import TaintLabel, sorted_labels
from cvlint.analysis.domain.trace import COMPUTED, Step
from cvlint.analysis.domain.value import AnyValue, Measure
from cvlint.analysis.events import Event
from cvlint.analysis.state import AnalysisState
from cvlint.analysis.syntax import names_in
from cvlint.analysis.taint import labels_in

STOPPED = "stopped"  # a choice that a library makes while it fits a model
AGAIN = "again"  # a choice whose best was measured again on the part of a fold that had chosen it
SHOWN_AS_BEST = ("loop", "several", "threshold")  # kinds of choices whose best value is a result once it is shown


def record_choice(state: AnalysisState, taint_label: TaintLabel, step: Step, seen: str = "measured") -> None:
    """Record that data chose something that is then measured on them again, or shown as the result."""
    first = state.going_on.get(taint_label.step.node)
    if first is not None and any(event.name == "choose" and event.node is first for event in state.events):
        return  # a second loop goes on with the selection of the first one
    state.record(event_of_choice(state, taint_label, step, seen))


def event_of_choice(state: AnalysisState, taint_label: TaintLabel, step: Step, seen: str) -> Event:
    """The event of a choice that is then measured again, or shown, at ``step``."""
    name = taint_label.measured_on.name if taint_label.measured_on is not None else ""
    facts = {
        "what": "threshold" if taint_label.kind == "cut" or is_threshold(taint_label) else "model",
        "by": taint_label.cause,
        "data": name,
        "part": taint_label.part,
        "seen": taint_label.choice if taint_label.choice == STOPPED else seen,
    }
    choice = taint_label.step
    calls = state.call_trace()
    known = {call.node for call in calls}
    computed = [s for s in taint_label.way if s.note.endswith(COMPUTED)]
    way = [s for s in taint_label.way if s not in computed and s.node not in known]  # of the helper that chooses
    trace = (*computed, choice, *way, *calls, step)
    return Event("choose", choice.source, choice.node, Measure("unknown"), trace=trace, note=choice.note, facts=facts)


def is_threshold(label: TaintLabel) -> bool:
    """Whether the best of several thresholds was chosen."""
    return label.choice == "threshold" or bool(label.swept & label.over)


def check_best_shown(state: AnalysisState, node: ast.AST, values: Collection[AnyValue] = ()) -> None:
    """Values are shown: the folds behind them give a result, and so does the best of several after its loop."""
    note_shown_folds(state, values)
    shown = frozenset[TaintLabel]().union(*(labels_in(value, "chosen") for value in values))
    found = (state.taint | shown) - state.selecting
    for label in sorted_labels(m for m in confirmed(state, found) if is_result_once_shown(state, m)):
        if loops_of_choice(label) & state.active_axes:
            note_best_so_far(state, label, node)
        else:
            record_choice(state, label, state.step(node, "the best is shown as the result here"), "shown")
    for label in sorted_labels(m for m in shown & state.selecting if is_result_once_shown(state, m)):
        note_best_so_far(state, label, node)
    for label in sorted_labels(m for m in confirmed(state, found) if is_of_only_part(state, m)):
        step = state.step(node, "the best is shown here, and no other part tests it", heuristic=True)
        record_choice(state, label, step, "shown")


def is_of_only_part(state: AnalysisState, label: TaintLabel) -> bool:
    """Whether a threshold was chosen on a validation part, where the code knows of no test part that judges it."""
    name = label.measured_on.name if label.measured_on is not None else ""
    conforms = state.knowledge.conforms
    return (
        is_threshold(label)
        and label.part == "other"
        and conforms("test-part", name)
        and not loops_of_choice(label) & state.active_axes
        and not any(frame.gets_unknown_data for frame in state.frames)
        and not any(
            conforms("test-only", n) and not conforms("training", n)  # ``train_test_split``
            for n in names_in(label.step.source.tree)
        )
    )


def is_result_once_shown(state: AnalysisState, label: TaintLabel) -> bool:
    """Whether the best of several is a result where it is shown: the test part chose, and no mean stands beside it."""
    is_best = label.part == "test" or (label.part == "out-of-fold" and is_threshold(label))
    beside_mean = label.over and all((label.measured_on, axis) in state.averaged for axis in label.over)
    folds = any(axis.kind == "fold" and not axis.is_repetition for axis in label.over)
    is_chosen = label.choice in SHOWN_AS_BEST and label.kind in ("chosen", "cut")  # of an order, no end is taken yet
    return is_chosen and is_best and not beside_mean and not folds


def note_best_so_far(state: AnalysisState, label: TaintLabel, node: ast.AST) -> None:
    """``if f1 > best: best = f1; print(best)``: the last pass shows the best of all, if nothing else is shown."""
    step = state.step(node, "each new best is shown here, and the last one is the result", heuristic=True)
    if label.choice == "loop" and label.over and not state.suppress_events:
        state.best_so_far.setdefault(label.step.node, (label, event_of_choice(state, label, step, "shown")))


def forget_best_so_far(state: AnalysisState, data: object) -> None:
    """Data are measured again behind the loop whose passes were compared on them: that is the result."""
    for node, (label, _) in list(state.best_so_far.items()) if state.best_so_far else ():
        if label.measured_on == data and not label.over & state.active_axes:
            del state.best_so_far[node]


def record_best_so_far(state: AnalysisState) -> None:
    """At the end of the analysis: the choices whose best is shown nowhere but in the loop that makes them."""
    told = {event.node for event in state.events if event.name == "choose"}
    for node, (_, event) in state.best_so_far.items():
        if node not in told and state.going_on.get(node) not in told and node not in state.unconfirmed:
            state.events.append(event)


def loops_of_choice(label: TaintLabel) -> Axes:
    """The loops in which a choice is still under way, so that what is shown there is progress and no result.

    Thresholds that lie in one array, a curve's perhaps, are all tried at once: what a fold shows then is its result.
    """
    if label.over or label.choice != "threshold":
        return label.over or label.axes
    return frozenset(axis for axis in label.axes if axis.kind == "epoch")


def check_best_averaged(state: AnalysisState, node: ast.AST, folds: Axes) -> None:
    """The best epoch or threshold of each fold, chosen by the fold's own test part, is averaged over the folds."""
    measured = {m.measured_on for m in state.taint if m.kind == "measured"}
    for taint_label in sorted_labels(
        m
        for m in confirmed(state, state.taint)
        if m.kind in ("chosen", "cut") and m.choice in (*SHOWN_AS_BEST, AGAIN) and m.measured_on in measured
    ):
        inner_loops = [axis for axis in taint_label.axes - folds if axis.kind in ("epoch", "seed", "loop")]
        if (
            (inner_loops or taint_label.choice in ("several", "threshold", AGAIN))
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
