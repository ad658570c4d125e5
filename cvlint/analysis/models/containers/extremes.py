"""The largest and smallest of several values, and their positions. Effect: ``select``.

``max(rows, key=f1_of)``, ``np.argmax(scores)``, ``frame["f1"].idxmax()``: the best of what was measured is chosen here.
"""

from __future__ import annotations

import ast

from cvlint.analysis.checkers.comparisons import check_side_by_side
from cvlint.analysis.checkers.formulas.areas import is_difference
from cvlint.analysis.checkers.leakage.own_statistics import LARGEST, OF_COLUMN, SMALLEST, first_axes, label_statistic
from cvlint.analysis.checkers.rows.expressions import is_title
from cvlint.analysis.checkers.selection_bias import check_choice
from cvlint.analysis.checkers.selections import choose_in_assignment, in_order, measured_at, measured_in
from cvlint.analysis.domain.codomain import CLASS, TOP
from cvlint.analysis.domain.environment import Function
from cvlint.analysis.domain.frozen import replace
from cvlint.analysis.domain.heap_object import HeapObject
from cvlint.analysis.domain.lattice import (
    as_array,
    element_of,
    extent_of,
    join,
    leave_loop,
    measures_in,
    options,
    with_labels,
)
from cvlint.analysis.domain.taint_label import NO_TAINT, Taint
from cvlint.analysis.domain.value import AnyValue, Const, Data, LibraryObject, MeasureValue, Partial, axes_of
from cvlint.analysis.heap.positions import entry_at
from cvlint.analysis.models.arguments import argument_named, argument_node, first_argument
from cvlint.analysis.models.containers.iteration import iterate
from cvlint.analysis.state import AnalysisState, Arguments
from cvlint.analysis.syntax import names_in
from cvlint.analysis.taint import labels_in
from cvlint.knowledge.schema import Entry


def select_call(state: AnalysisState, entry: Entry, arguments: Arguments, node: ast.AST) -> AnyValue:
    """``np.max(scores)``, ``np.argmax(scores)``: the largest of several values, or its position."""
    value, key = first_argument(arguments), arguments[1].get("key")
    others = [] if is_position(entry) else arguments[0][1:]  # ``np.argmax(scores, 1)``: the second one is the axis
    bounds = [v for v in others if isinstance(v, Const)]  # ``max(f1, 0.5)`` is no choice
    if others and not bounds and entry.facts.get("of_arguments"):
        value = as_list(arguments[0])
    compared, entries = compared_entries(state, value, key, node)
    are_apart = bool(others) and any(is_difference(state, n) for n in getattr(node, "args", ()))
    choices = NO_TAINT if bounds or are_apart else select_best(state, entry, node, compared, value)
    if entry.facts.get("forgives"):
        state.excuse_undefined(first_argument(arguments))
    label_extreme(state, entry, value, node, argument_node(node), 1)
    check_side_by_side(state, arguments[0], node)
    if len(arguments[0]) > 1 and entry.facts.get("largest") and isinstance(node, ast.Call) and not are_apart:
        measured = NO_TAINT.union(*(measured_at(state, n, v) for n, v in zip(node.args, arguments[0], strict=False)))
        choices |= choose_in_assignment(state, node, node.args, measured)
        state.taint |= choices
    several = bool(others) and not (entry.facts.get("pairs") and isinstance(arguments[0][1], Const))
    if several and not any(isinstance(v, MeasureValue) and v.along for v in arguments[0]):
        return with_labels(join(v for v in arguments[0] if not isinstance(v, Const)), choices)
    if key is not None or compared is not value:
        return with_labels(entries, choices)
    dimension = argument_named(arguments, 1, "dim") or arguments[1].get("axis")
    return with_labels(selected(entry, value, dimension), choices)


def compared_entries(
    state: AnalysisState, value: AnyValue, key: AnyValue | None, node: ast.AST
) -> tuple[AnyValue, AnyValue]:
    """What a sequence is compared by, and one of its entries.

    With ``key=`` entries are compared by its results. Without it, tuples are compared by their first entry, and all
    other entries by their own value. The entries of a dict are its keys.
    """
    is_followed = isinstance(key.target if isinstance(key, Partial) else key, Function)
    if not is_followed and all(isinstance(o, HeapObject) and o.kind == "dict" for o in options(value)):
        return Data(), Data()
    if not is_followed and not isinstance(value, LibraryObject):
        entry = leave_loop(element_of(value), extent_of(value))
        return leading_entries(value) or leading(entry) or value, entry
    sequence = argument_node(node)
    iteration = iterate(state, value, sequence, None)
    if key is None or not is_followed:
        entry = join(iteration.elements)
        return leading(entry) or value, leave_loop(entry, iteration.axes)
    with state.inside_loops(iteration.axes):
        taint = state.taint
        found = as_list([state.call(state, key, ([element], {}), node) for element in iteration.elements])
        state.taint = taint | {m for m in state.taint if m.kind == "statistic"}  # it decides the order
    return found, leave_loop(join(iteration.elements), iteration.axes)


def as_list(values: list[AnyValue]) -> AnyValue:
    """Several values that are compared with each other, each in its own place."""
    return HeapObject("list", dict(enumerate(values))) if len(values) > 1 else join(values)


def leading_entries(value: AnyValue) -> AnyValue | None:
    """The first entries of the tuples in a list, each in its own place."""
    match value:
        case HeapObject(kind="list", elements=None, fields=held) if len(held) > 1:
            found = [first for entry in held.values() if (first := leading(entry)) is not None]
            return as_list(found) if len(found) == len(held) else None
        case _:
            return None


def leading(entry: AnyValue) -> AnyValue | None:
    """The first entry of a tuple, by which tuples are compared."""
    found = [entry_at(o, 0) if isinstance(o, HeapObject) and o.kind != "dict" else None for o in options(entry)]
    return join(first for first in found if first is not None) if all(found) else None


def select_best(state: AnalysisState, entry: Entry, node: ast.AST, compared: AnyValue, value: AnyValue) -> Taint:
    """The taint of the largest of several values, or of its position; it is also added to that of the expression."""
    if entry.facts.get("orders"):
        ordered = in_order(state, node, labels_in(value, "measured") or measured_in(state.taint), value)
        state.taint |= ordered
        return ordered
    kind = entry.facts.get("largest") or entry.facts.get("smallest")
    if kind is None:
        return NO_TAINT
    if compared is not value and not measures_known(compared):
        return NO_TAINT
    is_largest = "largest" in entry.facts
    return check_choice(state, node, compared, is_largest, kind == "position", compared is not value)


def label_extreme(
    state: AnalysisState, entry: Entry, value: AnyValue, node: ast.AST, data: ast.expr | None, axis_at: int
) -> None:
    """The smallest or largest value of data is a statistic of them: ``(X - X.min(axis=0)) / np.ptp(X, axis=0)``."""
    if entry.facts.get("orders") or is_position(entry) or data is None or measures_in(value):
        return
    largest = OF_COLUMN if is_of_column(state, node, data, axis_at) else LARGEST
    label_statistic(state, node, data, axis_at, largest if "largest" in entry.facts else SMALLEST)


def is_of_column(state: AnalysisState, node: ast.AST, data: ast.expr, axis_at: int) -> bool:
    """Whether an extreme is of one column, ``frame["age"].max()``, or of each, ``X.max(axis=0)``."""
    along = first_axes(state, node, axis_at) if isinstance(node, ast.Call) else []
    if along or not isinstance(data, ast.Subscript):
        return bool(along) and all(isinstance(v, Const) and v.value == 0 for v in along)
    titles = (names_in(axis.step.node) for axis in state.active_loops if names_in(data.slice) <= axis.loop_variables)
    return is_title(state, data.slice) or any("columns" in names for names in titles)


def measures_known(value: AnyValue) -> bool:
    """Whether a value holds measures, or is not known well enough to rule that out."""
    return bool(measures_in(value)) or any(isinstance(v, Data) and v.opaque for v in options(value))


def selected(entry: Entry, base: AnyValue, dimension: AnyValue | None, is_pair: bool = False) -> AnyValue:
    """What a selection returns: a value, its position, or (for tensors, along a dimension) the pair of both.

    ``is_pair``: the code takes it for a pair.
    """
    value = as_array(base)
    found = select_entry(value, entry)
    if not entry.facts.get("pairs") or not isinstance(dimension, Const) or not isinstance(found, Data):
        return found
    is_unknown_array = isinstance(value, Data) and value.is_plain and value.opaque
    if is_unknown_array or is_pair or entry.facts["pairs"] == "always":
        pair: list[AnyValue] = [found, replace(found, codomain=CLASS)]
        return HeapObject("tuple", {**dict(enumerate(pair)), **dict(zip(("values", "indices"), pair, strict=True))})
    return found


def is_position(entry: Entry) -> bool:
    """Whether a function gives the position of the largest or smallest entry, and not its value."""
    return "position" in (entry.facts.get("largest"), entry.facts.get("smallest"))


def select_entry(value: AnyValue, entry: Entry) -> AnyValue:
    """One entry along a dimension: it is chosen, not averaged; ``argmax`` gives a position, one of the classes."""
    match value:
        case MeasureValue() if is_position(entry) or entry.facts.get("orders"):
            return Data(value.axes)
        case MeasureValue() if value.along:
            return replace(value, along=(), axes=value.axes)
        case MeasureValue():
            return value
        case Data():
            codomain = CLASS if is_position(entry) else value.codomain if value.codomain.is_real else TOP
            return Data(value.axes, codomain=codomain, pooled=value.pooled)
        case _:
            return Data(axes_of(value), codomain=CLASS if is_position(entry) else TOP)


def select_method(state: AnalysisState, base: AnyValue, entry: Entry, arguments: Arguments, node: ast.Call) -> AnyValue:
    """``scores.max()``, ``scores.argmax()``."""
    choices = select_best(state, entry, node, base, base)
    label_extreme(state, entry, base, node, node.func.value if isinstance(node.func, ast.Attribute) else None, 0)
    dimension = argument_named(arguments, 0, "dim") or arguments[1].get("axis")
    targets = state.assigned_targets
    is_unpacked = len(targets) == 1 and isinstance(targets[0], ast.Tuple) and len(targets[0].elts) == 2
    is_pair = "dim" in arguments[1] or (is_unpacked and isinstance(base, Data))
    return with_labels(selected(entry, base, dimension, is_pair), choices)
