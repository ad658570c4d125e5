"""Sweeps: scores are compared with each of many thresholds, whatever the thresholds are called.

In goes a comparison; out comes a label of the kind "swept" with the loops that run over the thresholds. A measure of
what was compared, or counts of it, tell by this label that a threshold is chosen by them, and not a model.
"""

from __future__ import annotations

import ast

from cvlint.analysis.checkers.compared_sides import ORDERS
from cvlint.analysis.checkers.selection_bias import COUNTS, check_measured_again, is_named_threshold, label_measured
from cvlint.analysis.checkers.selections import measured_at
from cvlint.analysis.domain.axis import NO_AXES, Axes
from cvlint.analysis.domain.codomain import Kind
from cvlint.analysis.domain.frozen import replace
from cvlint.analysis.domain.lattice import as_array, options
from cvlint.analysis.domain.taint_label import Taint, TaintLabel
from cvlint.analysis.domain.value import AnyValue, Const, Data, MeasureValue
from cvlint.analysis.inference.loop_axes import new_axes
from cvlint.analysis.inference.loop_dependence import loops_turning
from cvlint.analysis.state import AnalysisState
from cvlint.analysis.syntax import names_in
from cvlint.analysis.taint import add_taint, labels_in, taint_at

NUMBERS = (Kind.NUMBER, Kind.COUNT)


def note_comparison(state: AnalysisState, node: ast.Compare, left: AnyValue, rights: list[AnyValue]) -> None:
    """``scores >= t``, where ``t`` is the variable of a loop; ``scores >= ts[:, None]``, for each entry of an array."""
    note_hits(state, node)
    if len(rights) != 1 or not isinstance(node.ops[0], ORDERS):
        return
    sides = (left, node.left), (rights[0], node.comparators[0])
    note_sweep(state, node, *sides)
    if sum(stands_across(state, side) for _, side in sides) == 1 and not any(isinstance(v, Const) for v, _ in sides):
        step = state.step(node, "scores are compared with each entry of an array here")
        state.taint |= {TaintLabel("swept", step, "", new_axes(state, "threshold", node))}


def stands_across(state: AnalysisState, node: ast.expr) -> bool:
    """Whether an array is a column, so that each of its entries meets all of another array: ``ts[:, None]``, ``ts.T``.

    A name stands for what it was bound to.
    """
    match node:
        case ast.Name(id=name):
            bound = state.environment.definitions.get(name)
            return bound is not None and not isinstance(bound, ast.Name) and stands_across(state, bound)
        case ast.Subscript(slice=ast.Tuple(elts=[first, *others])):
            return not is_new_dimension(first) and any(is_new_dimension(other) for other in others)
        case ast.Call(func=ast.Attribute(attr="reshape"), args=[*_, ast.Constant(value=1)]):
            return True
        case ast.Call(func=ast.Attribute(attr="reshape"), args=[*_, ast.Tuple(elts=[*_, ast.Constant(value=1)])]):
            return True
        case _:
            return isinstance(node, ast.Attribute) and node.attr == "T"


def is_new_dimension(node: ast.expr) -> bool:
    """Whether a key adds a dimension: ``None`` or ``np.newaxis``."""
    return (isinstance(node, ast.Constant) and node.value is None) or (
        isinstance(node, ast.Attribute) and node.attr == "newaxis"
    )


def note_sweep(state: AnalysisState, node: ast.expr, *sides: tuple[AnyValue, ast.expr]) -> None:
    """Scores are compared with the variable of a loop: whatever the names are, the loop runs over thresholds."""
    for (cut, cut_node), (scores, scores_node) in (sides, sides[::-1]) if state.active_loops else ():
        if isinstance(scores, (Const, MeasureValue)) or is_number(scores) or is_rest_of_share(state, scores_node):
            continue
        if is_named_threshold(state, scores_node) and not is_named_threshold(state, cut_node):
            continue  # ``net(images) > args.threshold``: the network learns in the loop
        turning = loops_of(state, cut_node, cut, True)
        if turning and (turning := turning - loops_of(state, scores_node, scores, False)):
            step = state.step(node, "scores are compared with each value of a loop here")
            state.taint |= {TaintLabel("swept", step, "", turning)}


def is_rest_of_share(state: AnalysisState, node: ast.expr) -> bool:
    """Whether an expression only reckons with the variables of loops: ``1 - w1`` of ``w3 = 1 - w1 - w2``."""
    variables = frozenset[str]().union(*(axis.loop_variables for axis in state.active_loops))
    return isinstance(node, ast.BinOp) and names_in(node) <= variables


def note_count(state: AnalysisState, *sides: tuple[AnyValue, ast.expr]) -> None:
    """``(scores > t) & (y == 1)``, ``decisions * y``: the true positives at a threshold are counted, on ``y``."""
    for (decisions, swept_node), (value, node) in (sides, sides[::-1]) if state.taint_at else ():
        truth = truth_of_count(state, node, value)
        if truth is not None and is_cut(state, swept_node) and not is_cut(state, truth):
            check_measured_again(state, "a count of hits", truth, [swept_node], kinds=("cut",))
        if truth is not None and is_swept(state, swept_node) and not isinstance(decisions, MeasureValue):
            pooled = NO_AXES.union(*(found.pooled.union(*found.along) for side, _ in sides for found in data_in(side)))
            label_measured(state, truth, node, COUNTS, others=[swept_node], pooled=pooled)


def note_hits(state: AnalysisState, node: ast.Compare) -> None:
    """``(scores > best) == y``: the hits of a chosen threshold are counted, on ``y``."""
    match node:
        case ast.Compare(left=left, ops=[ast.Eq() | ast.NotEq()], comparators=[right]) if state.taint_at:
            for decisions, truth in ((left, right), (right, left)):
                if is_cut(state, decisions) and not is_cut(state, truth) and not isinstance(truth, ast.Constant):
                    check_measured_again(state, "a share of hits", truth, [decisions], kinds=("cut",))


def is_cut(state: AnalysisState, node: ast.expr) -> bool:
    """Whether an expression holds decisions at a chosen threshold."""
    return any(m.kind == "cut" for m in taint_at(state, node))


def data_in(value: AnyValue) -> list[Data]:
    """The data that a value may be; of an array that the program filled, its entries."""
    return [option for option in options(as_array(value)) if isinstance(option, Data)]


def truth_of_count(state: AnalysisState, node: ast.expr, value: AnyValue) -> ast.expr | None:
    """The true labels in ``y == 1``, or in ``y`` by itself; what was compared with the threshold is none."""
    match node:
        case ast.Compare(left=truth, ops=[ast.Eq()], comparators=[ast.Constant()]):
            found = truth
        case ast.Attribute(value=inner, attr="T") | ast.BinOp(left=ast.Constant(value=1), op=ast.Sub(), right=inner):
            return truth_of_count(state, inner, value)
        case ast.Name() | ast.Attribute() | ast.Subscript() if not isinstance(value, (Const, MeasureValue)):
            found = node
        case _:
            return None
    return None if is_swept(state, found) or is_number(value) else found


def is_swept(state: AnalysisState, node: ast.expr) -> bool:
    """Whether an expression comes from a comparison with many thresholds."""
    return any(m.kind == "swept" for m in taint_at(state, node))


def differing(state: AnalysisState, node: ast.BinOp, left: AnyValue, right: AnyValue) -> tuple[AnyValue, AnyValue]:
    """The sides of a difference: ``max(f1s) - min(f1s)`` says how far results differ, and is no best result.

    So does ``f1s / max(f1s)``. ``scores - t`` is a sweep like ``scores > t``.
    """
    sides = ((left, node.left), (right, node.right))
    if isinstance(node.op, ast.Sub):
        if is_variable(state, node.left) or is_variable(state, node.right):
            note_sweep(state, node, *sides)
        measured = [measured_at(state, side, value) for value, side in sides]
    else:  # what is divided by the number of results is their mean
        measured = [labels_in(value, "measured") for value, _ in sides]
    steps = [{label.step.node for label in labels} for labels in measured]
    if not steps[0] & steps[1]:
        return left, right
    state.taint = frozenset(m for m in state.taint if m.kind != "chosen")
    return without_choices(left), without_choices(right)


def mark_decisions(state: AnalysisState, node: ast.If, tested: Taint) -> None:
    """``if score >= cut: labels.append(1)``, ``else: labels.append(0)``: the threshold decides the labels.

    What gets a constant in an arm of the test gets the labels of the threshold.
    """
    cuts = frozenset(m for m in tested if m.kind in ("cut", "swept"))
    for statement in (*node.body, *node.orelse) if cuts else ():
        match statement:
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=target, attr=method), args=[ast.Constant()])):
                entry = state.knowledge.methods.get(method)
                if entry is not None and entry.effect == "append":
                    add_taint(state, target, cuts)
            case ast.Assign(targets=[target], value=ast.Constant()):
                add_taint(state, target, cuts)


def is_variable(state: AnalysisState, node: ast.expr) -> bool:
    """Whether an expression is the variable of a loop under way; any other difference is arithmetic, and no cut."""
    return isinstance(node, ast.Name) and any(node.id in axis.loop_variables for axis in state.active_loops)


def without_choices(value: AnyValue) -> AnyValue:
    """A measure without the labels of the choices that it came from."""
    if not isinstance(value, MeasureValue):
        return value
    return replace(value, labels=frozenset(label for label in value.labels if label.kind != "chosen"))


def is_number(value: AnyValue) -> bool:
    """Whether a value is a single number, and no scores."""
    return isinstance(value, Data) and (value.codomain.kind in NUMBERS or value.index in ("loop-index", "bound"))


def loops_of(state: AnalysisState, node: ast.expr, value: AnyValue, is_variable: bool) -> Axes:
    """The loops under way that an expression depends on, by its names; a variable of a loop by its value, too.

    What unknown code makes in a loop need not depend on it.
    """
    found = loops_turning(state, node)
    if is_variable and isinstance(value, Data) and (not value.opaque or len(value.axes) == 1):
        found |= value.axes & state.active_axes
    return found
