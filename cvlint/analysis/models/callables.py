"""Callables."""

from __future__ import annotations

import ast

from cvlint.analysis.domain.lattice import UNKNOWN, join, options
from cvlint.analysis.domain.value import AnyValue, Data, HeapObject, LibraryObject, Partial
from cvlint.analysis.models.arguments import first_argument, unknown_result
from cvlint.analysis.models.containers.iteration import iterate
from cvlint.analysis.state import AnalysisState, Arguments
from cvlint.knowledge.loader import Entry


def partial_call(state: AnalysisState, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """``functools.partial(f1_score, average="macro")``."""
    if not given[0]:
        return UNKNOWN
    return Partial(target=given[0][0], arguments=tuple(given[0][1:]), keywords=tuple(given[1].items()))


def map_call(state: AnalysisState, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """``map(function, values)``."""
    return map_function(state, given, node, starred=False)


def map_function(state: AnalysisState, given: Arguments, node: ast.AST, starred: bool) -> AnyValue:
    """A function called on every element of a sequence."""
    if len(given[0]) < 2:
        return Data(state.active_axes, opaque=True)
    function, source = given[0][0], given[0][1]
    place = node.args[-1] if isinstance(node, ast.Call) and node.args else ast.Constant(None)
    plan = iterate(state, source, place, None)
    cell = HeapObject("list", born=state.active_axes)
    with state.along(plan.axes):
        for value in plan.elements:
            spread_out = starred and isinstance(value, HeapObject) and value.rest is None
            values = list(value.keyed.values()) if spread_out and isinstance(value, HeapObject) else [value]
            result = state.call(state, function, (values, {}), node)
            cell.rest = join([*options(cell.rest), result])
            cell.extent |= state.swept(result, cell.born)
    return cell


def call_parallel_object(state: AnalysisState, target: LibraryObject, given: Arguments, node: ast.AST) -> AnyValue:
    """``Parallel(…)(delayed(f)(x) for x in xs)``."""
    if target.role == "delayed":
        return state.call(state, target.facts["function"], given, node)
    return first_argument(given)


def map_method(state: AnalysisState, base: AnyValue, entry: Entry, given: Arguments, node: ast.Call) -> AnyValue:
    """``pool.map(function, values)``."""
    return map_function(state, given, node, starred="star" in entry.name)


def submit_method(state: AnalysisState, base: AnyValue, entry: Entry, given: Arguments, node: ast.Call) -> AnyValue:
    """``executor.submit(function, *arguments)``: the future stands for its result."""
    if not given[0]:
        return unknown_result(state, given, base)
    return state.call(state, given[0][0], (given[0][1:], given[1]), node)
