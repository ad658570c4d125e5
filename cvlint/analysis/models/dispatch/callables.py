"""Functions that take functions.

Effects: ``partial``, ``map``, ``fold``, ``optimise``, ``parallel``, ``delayed``, ``submit``.

``functools.partial(f1_score, average="macro")``, ``pool.map(score, folds)``, ``executor.submit(score, fold)``,
``Parallel(n_jobs=4)(delayed(score)(fold) for fold in folds)``.
"""

from __future__ import annotations

import ast

from cvlint.analysis.checkers.selections import best_value, chosen, measured_in
from cvlint.analysis.domain.axis import Axis
from cvlint.analysis.domain.codomain import CLASS, TOP, join_codomains
from cvlint.analysis.domain.environment import Function
from cvlint.analysis.domain.heap_object import HeapObject
from cvlint.analysis.domain.lattice import UNKNOWN, codomain_of, leave_loop, pooled_axes, with_labels
from cvlint.analysis.domain.value import AnyValue, Data, LibraryName, LibraryObject, MeasureValue, Partial, axes_of
from cvlint.analysis.heap.entries import add_element, grown
from cvlint.analysis.models.arguments import argument_node, first_argument, unknown_result
from cvlint.analysis.models.containers.extremes import select_call
from cvlint.analysis.models.containers.frames import TABLES, each_entry
from cvlint.analysis.models.containers.iteration import iterate
from cvlint.analysis.models.containers.reductions import reduce_value
from cvlint.analysis.state import AnalysisState, Arguments
from cvlint.analysis.syntax import names_in
from cvlint.analysis.taint import labels_in, stored
from cvlint.knowledge.schema import Entry

MOST_FOLDED = 8  # so many values are put together one after another


def partial_call(state: AnalysisState, entry: Entry, arguments: Arguments, node: ast.AST) -> AnyValue:
    """``functools.partial(f1_score, average="macro")``."""
    if not arguments[0]:
        return UNKNOWN
    call = node if isinstance(node, ast.Call) else None
    keywords = tuple(arguments[1].items())
    return Partial(target=arguments[0][0], arguments=tuple(arguments[0][1:]), keywords=keywords, node=call)


def map_call(state: AnalysisState, entry: Entry, arguments: Arguments, node: ast.AST) -> AnyValue:
    """``map(function, values)``, ``itertools.starmap(function, rows)``."""
    return map_function(state, arguments, node, starred="star" in entry.name)


def map_function(state: AnalysisState, arguments: Arguments, node: ast.AST, starred: bool) -> AnyValue:
    """The list of what a function returns for each element; ``starred``: an element holds all arguments."""
    if len(arguments[0]) < 2:
        return Data(state.active_axes, opaque=True)
    function, sequence = arguments[0][0], arguments[0][1]
    if len(arguments[0]) > 2 and not starred:
        sequence = LibraryObject(role="iterator", facts={"form": "zip", "parts": tuple(arguments[0][1:])})
        starred = True
    sequence_node = node.args[-1] if isinstance(node, ast.Call) and node.args else ast.Constant(None)
    iteration = iterate(state, sequence, sequence_node, None)
    heap_object = HeapObject("list", allocation_loops=state.active_axes)
    results: list[AnyValue] = []
    with state.inside_loops(iteration.axes):
        for element in iteration.elements:
            unpacks = starred and isinstance(element, HeapObject) and element.elements is None
            values = list(element.fields.values()) if unpacks and isinstance(element, HeapObject) else [element]
            result = state.call(state, function, (values, {}), elements_call(node))
            add_element(state, heap_object, result)
            results.append(result)
    if len(results) > 1 and all(isinstance(r, HeapObject) and r.kind in ("list", "tuple") for r in results):
        return HeapObject("list", dict(enumerate(results)), allocation_loops=state.active_axes)
    return heap_object


def fold_call(state: AnalysisState, entry: Entry, arguments: Arguments, node: ast.AST) -> AnyValue:
    """``functools.reduce(function, values, start)``: what the function makes of all that came before and of one value.

    A container to start with grows. Otherwise the function gets the sum of all values: if a sum is left, it adds up.
    """
    if len(arguments[0]) < 2:
        return Data(state.active_axes, opaque=True)
    function, sequence, *start = arguments[0]
    if (selection := selection_of(state, function)) is not None:
        return select_call(state, selection, ([sequence], {}), elements_call(node))
    if (values := values_in_order(sequence)) and not any(isinstance(v, MeasureValue) for v in values):
        made, *later = [*start[:1], *values]
        for value in later:
            made = stored(state.call(state, function, ([made, value], {}), node), state.taint)
        return made
    before = start[0] if start and isinstance(start[0], HeapObject) else reduce_value(state, node, "sum", sequence)
    iteration = iterate(state, sequence, argument_node(node, 1), None)
    result: AnyValue = UNKNOWN
    with state.inside_loops(iteration.axes):
        for element in iteration.elements:
            result = grown(state, state.call(state, function, ([before, element], {}), node), before)
    return leave_loop(result, iteration.axes)


def values_in_order(sequence: AnyValue) -> list[AnyValue]:
    """The entries of a short list, each of which is known by its position; none where they are not."""
    match sequence:
        case HeapObject(kind="list" | "tuple", elements=None, fields=keyed) if len(keyed) <= MOST_FOLDED:
            return list(keyed.values())
        case _:
            return []


def selection_of(state: AnalysisState, function: AnyValue) -> Entry | None:
    """What selects one of two values by their order: ``max``, ``lambda a, b: a if a[0] >= b[0] else b``."""
    match function:
        case LibraryName(name=name):
            entry = state.knowledge.entry(name)
            return entry if entry is not None and entry.effect == "select" else None
        case Function(node=ast.Lambda(body=code) | ast.FunctionDef(body=[ast.Return(value=code)])):
            match code:
                case ast.IfExp(test=ast.Compare(left=left, ops=[ast.Gt() | ast.GtE() | ast.Lt() | ast.LtE() as order])):
                    is_left = not names_in(left).isdisjoint(names_in(code.body))
                    keeps_larger = is_left == isinstance(order, (ast.Gt, ast.GtE))
                    return Entry("larger", "select", {"largest" if keeps_larger else "smallest": "value"})
        case _:
            pass
    return None


def mapped_entries(state: AnalysisState, base: AnyValue, mapping: AnyValue, node: ast.AST) -> AnyValue:
    """What a function or a dict makes of each entry of an array or a column."""
    if isinstance(base, HeapObject) and base.kind in TABLES and base.fields:
        columns = {title: mapped_entries(state, column, mapping, node) for title, column in base.fields.items()}
        return HeapObject(base.kind, columns, allocation_loops=base.allocation_loops)
    if not isinstance(mapping, HeapObject):
        return each_entry(state, base, mapping, node)
    entries = mapping.entries()
    finite = entries and all(codomain_of(v).is_finite for v in entries)
    images = CLASS if codomain_of(base).is_hard else join_codomains(codomain_of(v) for v in entries)
    return Data(axes_of(base), codomain=images if finite else TOP, pooled=pooled_axes(base), opaque=not finite)


def elements_call(node: ast.AST) -> ast.AST:
    """``function(values)`` for ``map(function, values)``: the call that stands behind a call of a function."""
    match node:
        case ast.Call(args=[function, *others]):
            return ast.copy_location(ast.Call(function, others, node.keywords), node)
        case _:
            return node


def optimise_call(state: AnalysisState, entry: Entry, arguments: Arguments, node: ast.AST) -> AnyValue:
    """``scipy.optimize.minimize(loss, start)``: the function is called for many points, and the best one is kept."""
    if not arguments[0] or not isinstance(arguments[0][0], Function):
        return unknown_result(state, arguments)
    axes = frozenset((Axis("loop", state.step(node, "a loop over points")),))
    with state.inside_loops(axes):
        value = state.call(state, arguments[0][0], ([Data(axes)], {}), node)
    choices = chosen(state, node, labels_in(value, "measured") or measured_in(state.taint), axes)
    state.taint |= choices
    point = Data(state.active_axes)
    if entry.facts["returns"] == "point":
        return point
    reached = with_labels(leave_loop(value, axes), best_value(choices, True))
    return HeapObject("dict", {"x": point, "fun": reached}, allocation_loops=state.active_axes)


def call_parallel_object(state: AnalysisState, target: LibraryObject, arguments: Arguments, node: ast.AST) -> AnyValue:
    """``Parallel(n_jobs=4)(delayed(f)(x) for x in xs)``."""
    if target.role == "delayed":
        return state.call(state, target.facts["function"], arguments, node)
    return first_argument(arguments)


def map_method(state: AnalysisState, base: AnyValue, entry: Entry, arguments: Arguments, node: ast.Call) -> AnyValue:
    """``pool.map(function, values)``, ``series.map(function)``, ``series.map({"no": 0, "yes": 1})``."""
    if len(arguments[0]) == 1 and isinstance(base, (Data, MeasureValue, HeapObject)):
        return mapped_entries(state, base, arguments[0][0], node)
    return map_function(state, arguments, node, starred="star" in entry.name)


def submit_method(state: AnalysisState, base: AnyValue, entry: Entry, arguments: Arguments, node: ast.Call) -> AnyValue:
    """``executor.submit(function, x)``: the future stands for its result."""
    if not arguments[0]:
        return unknown_result(state, arguments, base)
    return state.call(state, arguments[0][0], (arguments[0][1:], arguments[1]), elements_call(node))
