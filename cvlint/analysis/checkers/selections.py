"""Selections: an order comparison of measures decides what is kept.

``if f1 > best: best = f1``, ``best = max(best, f1)``, ``max(rows, key=lambda row: row["f1"])``,
``frame.sort_values("auc").iloc[-1]``. In go measures with the *labels* that say what they were measured on; out come
labels of the kind "chosen", on whatever the comparison decides. Whether that is a fault, and whether it is reported,
is for `cvlint.analysis.checkers.selection_bias` to say.

A test chooses where one of the values that it compares is kept: after the block under the test, it holds what was read
there. So everything that is read under the test gets a label (``AnalysisState.selecting``), and the labels count from
when the kept value has one.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from cvlint.analysis.checkers.compared_sides import (
    entry_read,
    is_location,
    is_size,
    order_comparisons,
    sides_without_margin,
)
from cvlint.analysis.domain.axis import NO_AXES, Axes
from cvlint.analysis.domain.frozen import replace
from cvlint.analysis.domain.lattice import measures_in, options, with_labels
from cvlint.analysis.domain.taint_label import NO_COLUMNS, NO_TAINT, Taint, TaintLabel, sorted_labels
from cvlint.analysis.domain.trace import Step
from cvlint.analysis.domain.value import AnyValue, Const, MeasureValue
from cvlint.analysis.inference.loop_dependence import loops_turning
from cvlint.analysis.side_by_side import are_several_results, are_two_results
from cvlint.analysis.state import AnalysisState, Selection
from cvlint.analysis.taint import labels_in, taint_at
from cvlint.source.parsing import walk

MOST_DEFINITIONS = 4
READS = (ast.Name, ast.Attribute, ast.Subscript, ast.Call)  # ``np.mean(table["f1"])`` reads a part of the table, too
LABELS_OF_MEASURES = ("measured", "ordered", "chosen")
OF_CURVES = ("curve", "peak")  # choices among the thresholds of a curve


def labelled(state: AnalysisState, node: ast.expr, value: AnyValue) -> AnyValue:
    """A measure with the labels that the evaluation of its expression found; they travel with the value from there.

    What is read from a variable or a container, or is computed of such a part, knows what it was measured on; the taint
    there is that of the whole.
    """
    if type(value) is not MeasureValue and not measures_in(value):
        return value
    found = frozenset(label for label in state.taint if label.kind in LABELS_OF_MEASURES) if state.taint else NO_TAINT
    if isinstance(node, READS) and (own := labels_in(value, "measured")):
        others = frozenset(label for label in found if label.kind == "measured") - own
        found, state.taint = found - others, state.taint - others
    value = with_labels(value, found, depth=0)
    own = labels_in(value, *LABELS_OF_MEASURES)
    if not all(isinstance(o, MeasureValue) for o in options(value)):  # besides the best result, a row has other entries
        own = frozenset(label for label in own if label.choice != "several")
    state.taint |= own
    return value


def as_loss(state: AnalysisState, value: AnyValue) -> AnyValue:
    """``-f1``, ``1 - f1``: the smaller, the better."""
    if not isinstance(value, MeasureValue) or not value.labels:
        return value
    turned = {label: replace(label, is_loss=not label.is_loss) for label in value.labels}
    state.taint = frozenset(turned.get(label, label) for label in state.taint)
    return replace(value, labels=frozenset(turned.values()))


def is_best(measured: Taint, is_larger: bool) -> bool:
    """Whether the largest, or the smallest, of what was measured is the best; else it is the worst.

    Of counts, hits or errors, either may be: ``cost = 10 * fn + fp``.
    """
    return any(label.choice == "counts" or label.is_loss != is_larger for label in measured)


def measured_at(state: AnalysisState, node: ast.AST, value: AnyValue) -> Taint:
    """The labels of what was measured in a value; those of its expression where the value holds no measure."""
    return labels_in(value, "measured") or measured_in(taint_at(state, node))


def measured_in(taint: Taint) -> Taint:
    """The labels of measures."""
    return frozenset(label for label in taint if label.kind == "measured")


def chosen(state: AnalysisState, node: ast.AST, measured: Iterable[TaintLabel], over: Axes, by: str = "") -> Taint:
    """The labels of what ``node`` chooses by measures, along the loops ``over``."""
    return frozenset(
        replace(
            label,
            kind="chosen",
            step=state.step(node, f"the best is chosen by {by or label.cause} here", label.step.heuristic),
            cause=by or label.cause,
            columns=NO_COLUMNS,
            over=label.axes & over,
            way=(label.step, *state.call_trace()),
        )
        for label in measured
    )


def best_value(labels: Taint, is_f: bool) -> Taint:
    """The labels of a choice on the value that the chosen one reaches."""
    return frozenset(replace(label, choice=kind_of_choice(label, is_f)) for label in labels)


def kind_of_choice(label: TaintLabel, is_f: bool) -> str:
    """What the best is chosen among: thresholds, or passes of a loop on the same data."""
    over = label.over
    if label.swept & over:
        return "threshold"
    if label.choice in OF_CURVES:
        return "threshold" if is_f else label.choice
    kinds = ("epoch", "seed", "loop")
    on_same_data = all((axis.kind in kinds or axis.is_repetition) and not axis.is_class_axis for axis in over)
    return "loop" if over and on_same_data and not over & label.turning else label.choice


def find_selection(state: AnalysisState, test: ast.expr) -> Selection | None:
    """The selection that a test may make: it compares a measure with a location that may keep the best."""
    kept: list[tuple[ast.expr, bool]] = []
    labels: Taint = NO_TAINT
    if is_of_other_pass(state, test):
        return None
    for compare, holds in order_comparisons(state, test, MOST_DEFINITIONS):
        sides = sides_without_margin(state, compare)
        entries = [entry_read(state, side) for side in sides]
        at_sides = [[p for p in dict.fromkeys(pair) if is_location(p)] for pair in zip(sides, entries, strict=True)]
        if not any(at_sides) or any(isinstance(side, ast.Constant) or is_size(state, side) for side in sides):
            continue
        values = [state.evaluate(state, side) for side in sides]
        results = [measured_at(state, side, value) for side, value in zip(sides, values, strict=True)]
        measured = of_models(results[0] | results[1], values)
        if not measured:
            continue
        read = [v if e is s else state.evaluate(state, e) for s, e, v in zip(sides, entries, values, strict=True)]
        over = state.active_axes - start_of(read)
        if not over and not all(results) and any(isinstance(v, Const) for value in values for v in options(value)):
            continue  # a single candidate and the value to start with
        measured = frozenset(m for m in measured if m.axes & over) or measured
        if over:
            note_going_on(state, test, [*at_sides[0], *at_sides[1]], values, measured)
        measures = {str(found.measure) for value in values for found in measures_in(value)}
        by = min(measures) if len(measures) == 1 and all(at_sides) else "a measure"
        if are_two_results(state, *results):
            first = next((guard for guard in state.frame.guards if guard in state.confirmed), test)  # of an elif
            labels |= frozenset(replace(m, choice="several") for m in chosen(state, first, measured, NO_AXES, by=by))
            state.confirmed.add(test)
        else:
            is_here = compare in walk(test)
            told = () if is_here else (state.step(compare, "it is compared with the best so far here"),)
            node = test if is_here else kept_meanwhile(state, [*at_sides[0], *at_sides[1]]) or test
            if node is not test:
                state.confirmed.add(test)
            labels |= {replace(m, way=(*told, *m.way)) for m in as_pass(chosen(state, node, measured, over, by=by))}
        left_is_larger = isinstance(compare.ops[0], (ast.Gt, ast.GtE)) == holds
        kept += [(place, is_best(measured, not left_is_larger)) for place in at_sides[0]]
        kept += [(place, is_best(measured, left_is_larger)) for place in at_sides[1]]
    if not kept:
        return None
    if test not in state.confirmed:
        state.unconfirmed.add(test)
    return Selection(test, tuple(kept), labels)


def kept_meanwhile(state: AnalysisState, places: list[ast.expr]) -> ast.AST | None:
    """Where the best so far was kept between a comparison and the test of its outcome.

    ``is_best = f1 > best``, ``best = max(f1, best)``, ``if is_best: torch.save(...)``.
    """
    for place in places:
        bound = state.environment.definitions.get(place.id) if isinstance(place, ast.Name) else None
        found = labels_in(state.evaluate(state, place), "chosen") | taint_at(state, place)
        if bound is not None and any(label.kind == "chosen" and label.step.node is bound for label in found):
            return bound
    return None


def is_of_other_pass(state: AnalysisState, test: ast.expr) -> bool:
    """Whether a test asks for another pass of a loop than the one under way: ``phase == "val" and f1 > best``."""
    for part in test.values if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) else ():
        match part:
            case ast.Compare(left=ast.Name(id=name), ops=[ast.Eq()], comparators=[ast.Constant(value=asked)]):
                known = state.environment.lookup(name)
                if isinstance(known, Const) and known.value != asked:
                    return True
    return False


def note_going_on(
    state: AnalysisState, test: ast.expr, places: list[ast.expr], values: list[AnyValue], measured: Taint
) -> None:
    """Note the earlier test whose selection goes on, if the best so far has not been set back: it is one selection."""
    held = NO_TAINT.union(*(taint_at(state, place) for place in places), *(labels_in(v, "chosen") for v in values))
    data = {label.measured_on for label in measured}
    for label in sorted_labels(m for m in held if m.kind == "chosen" and m.measured_on in data):
        if label.step.node in state.confirmed and label.step.node is not test:
            state.going_on[test] = state.going_on.get(label.step.node, label.step.node)
            return


def as_pass(labels: Taint) -> Taint:
    """Labels of a choice that a test makes between a new value and the best before it: it is one among several.

    Where the data turn with the loop, the best is that of several samples, and nothing is chosen. A loop over the
    points of a curve runs over thresholds.
    """
    return frozenset(replace(label, choice=choice_of_pass(label)) for label in labels)


def choice_of_pass(label: TaintLabel) -> str:
    """What the passes of a loop are that a label chooses among: thresholds, or other passes on the same data."""
    if label.swept & label.over or label.choice in OF_CURVES:
        return "threshold"
    return "" if label.turning & label.over else "loop"


def start_of(values: list[AnyValue]) -> Axes:
    """The loops around the place where a location got the value that the first pass is compared with."""
    starts = [v.allocation_loops for value in values for v in options(value) if isinstance(v, Const)]
    return frozenset.intersection(*starts) if starts else NO_AXES


def selected(state: AnalysisState, node: ast.Name, value: AnyValue) -> Taint:
    """The labels of a variable that is read under a test which may choose.

    A threshold by itself is no result, and neither is a model, or a number that counts how often one is the better.
    """
    is_measure = bool(measures_in(value))
    turning = NO_AXES if is_measure else loops_turning(state, node)
    return frozenset(
        replace(m, choice="") if m.swept & turning or (m.choice == "several" and not is_measure) else m
        for m in state.selecting
    )


def settle(state: AnalysisState, selection: Selection) -> bool:
    """After the code under a test: it has chosen if a location that it compares keeps what was read under it."""
    outer, state.selecting, taint = state.selecting, NO_TAINT, state.taint
    for place, is_better in selection.kept:
        found = labels_in(state.evaluate(state, place), "chosen") | taint_at(state, place)
        if is_better and any(label.step.node is selection.test for label in found):
            state.unconfirmed.discard(selection.test)
            state.confirmed.add(selection.test)
    state.selecting, state.taint = outer, taint
    return selection.test not in state.unconfirmed


def confirmed(state: AnalysisState, taint: Iterable[TaintLabel]) -> Iterator[TaintLabel]:
    """The labels of choices that keep what they choose."""
    return (label for label in taint if label.step.node not in state.unconfirmed)


def otherwise(selection: Selection) -> Selection:
    """The selection of the code that runs where the test fails."""
    return replace(selection, kept=tuple((place, not is_better) for place, is_better in selection.kept))


def is_kept_in_place(state: AnalysisState, selection: Selection, body: ast.expr) -> bool:
    """Whether the statement under way binds one of the compared locations: ``best = f1 if f1 > best else best``."""
    targets = {ast.unparse(target) for target in state.assigned_targets}
    stays = ast.unparse(body)  # ``best if best > f1 else f1`` binds it anew where the test fails
    kept = [(ast.unparse(place), is_better) for place, is_better in selection.kept]
    if any(place in targets and is_better != (place == stays) for place, is_better in kept):
        state.unconfirmed.discard(selection.test)
        state.confirmed.add(selection.test)
        return True
    return False


def choose_in_assignment(state: AnalysisState, node: ast.expr, sides: list[ast.expr], by: Taint) -> Taint:
    """``best = max(best, f1)``: the larger of two values is kept in the place of one of them."""
    targets = {ast.unparse(target) for target in state.assigned_targets}
    if not any(is_location(side) and ast.unparse(side) in targets for side in sides):
        return NO_TAINT
    over = state.active_axes - start_of([state.evaluate(state, side) for side in sides])
    return as_pass(chosen(state, node, by, over))


def end_of_order(state: AnalysisState, node: ast.Subscript, base: AnyValue) -> Taint:
    """``rows[0]``, ``rows[-1]`` or ``frame.loc[0, "f1"]`` of what is ordered by a measure: the best one."""
    match at := node.slice.elts[0] if isinstance(node.slice, ast.Tuple) and node.slice.elts else node.slice:
        case ast.Constant(value=0) | ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=1)):
            found = taint_at(state, node.value)
            ordered = labels_in(base, "ordered") | frozenset(m for m in found if m.kind == "ordered")
            is_first = isinstance(at, ast.Constant)
            taken = frozenset(m for m in ordered if not is_worst_end(m, is_first))
            return taken_from_order(taken, state.step(node, f"the {'first' if is_first else 'last'} is taken here"))
        case _:
            return NO_TAINT


def is_worst_end(ordered: TaintLabel, is_first: bool) -> bool:
    """Whether an end of what is ordered is the worst: the last row of ``frame.sort_values("f1", ascending=False)``."""
    match ordered.step.node:
        case ast.Call(keywords=keywords):
            told = [k.value.value for k in keywords if k.arg == "ascending" and isinstance(k.value, ast.Constant)]
            return bool(told) and not is_best(frozenset((ordered,)), is_larger=bool(told[0]) != is_first)
        case _:
            return False


def taken_from_order(ordered: Taint, step: Step) -> Taint:
    """The labels of one end of an order of measures, which is taken in a step."""
    return frozenset(replace(m, kind="chosen", way=(*m.way, step)) for m in ordered)


def best_of_order(state: AnalysisState, node: ast.AST, ordered: Taint) -> Taint:
    """The labels of the first or last one in an order of measures."""
    return best_value(taken_from_order(ordered, state.step(node, "the best is taken here")), True)


def in_order(state: AnalysisState, node: ast.AST, measured: Taint, values: AnyValue) -> Taint:
    """The labels of what is ordered by measures: the best one has yet to be taken.

    Points of a curve are sorted by rates to draw it, which counts alone are.
    """
    measured = frozenset(m for m in measured if m.choice != "counts")
    found = chosen(state, node, measured, measured_axes(measured) - state.active_axes)
    several = are_several_results(state, values)
    return frozenset(replace(m, kind="ordered", choice="several" if several else m.choice) for m in found)


def ordered(state: AnalysisState, value: AnyValue, compared: AnyValue, node: ast.AST) -> AnyValue:
    """``value`` in the order of measures: what comes first or last in it is the best."""
    labels = in_order(state, node, labels_in(compared, "measured"), compared)
    state.taint |= labels
    return with_labels(value, labels)


def measured_axes(measured: Taint) -> Axes:
    """The loops around the places of measures."""
    return NO_AXES.union(*(label.axes for label in measured))


def of_models(measured: Taint, values: Iterable[AnyValue]) -> Taint:
    """The labels of measures that choose; not where averages over folds choose, as a cross-validation does.

    Counts of a confusion matrix choose only through a measure, or among thresholds, by what these cost.
    """
    found = [m for value in values for m in measures_in(value)]
    if found and all(any(a.kind == "fold" for a in m.averaged_over) for m in found):
        return NO_TAINT
    return frozenset(label for label in measured if found or label.choice != "counts" or label.swept)
