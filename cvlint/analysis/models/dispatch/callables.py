"""Functions that take functions. Effects: ``partial``, ``map``, ``fold``, ``operate``, ….

``functools.partial(f1_score, average="macro")``, ``pool.map(score, folds)``, ``executor.submit(score, fold)``,
``Parallel(n_jobs=4)(delayed(score)(fold) for fold in folds)``.
"""

from __future__ import annotations

import ast

from cvlint.analysis.domain.environment import Function
from cvlint.analysis.domain.heap_object import HeapObject
from cvlint.analysis.domain.lattice import UNKNOWN, join, leave_loop, options
from cvlint.analysis.domain.value import AnyValue, Const, Data, LibraryName, LibraryObject, Partial
from cvlint.analysis.models.arguments import first_argument, unknown_result
from cvlint.analysis.models.containers.iteration import iterate
from cvlint.analysis.models.containers.reductions import reduce_value
from cvlint.analysis.state import AnalysisState, Arguments
from cvlint.knowledge.schema import Entry


def partial_call(state: AnalysisState, entry: Entry, arguments: Arguments, node: ast.AST) -> AnyValue:
    """``functools.partial(f1_score, average="macro")``."""
    if not arguments[0]:
        return UNKNOWN
    return Partial(target=arguments[0][0], arguments=tuple(arguments[0][1:]), keywords=tuple(arguments[1].items()))


def map_call(state: AnalysisState, entry: Entry, arguments: Arguments, node: ast.AST) -> AnyValue:
    """``map(function, values)``."""
    return map_function(state, arguments, node, starred=False)


def map_function(state: AnalysisState, arguments: Arguments, node: ast.AST, starred: bool) -> AnyValue:
    """The list of what a function returns for each element; ``starred``: an element holds all arguments."""
    if len(arguments[0]) < 2:
        return Data(state.active_axes, opaque=True)
    function, sequence = arguments[0][0], arguments[0][1]
    sequence_node = node.args[-1] if isinstance(node, ast.Call) and node.args else ast.Constant(None)
    iteration = iterate(state, sequence, sequence_node, None)
    heap_object = HeapObject("list", allocation_loops=state.active_axes)
    with state.inside_loops(iteration.axes):
        for element in iteration.elements:
            unpacks = starred and isinstance(element, HeapObject) and element.elements is None
            values = list(element.fields.values()) if unpacks and isinstance(element, HeapObject) else [element]
            result = state.call(state, function, (values, {}), elements_call(node))
            heap_object.elements = join([*options(heap_object.elements), result])
            heap_object.extent |= state.swept_axes(result, heap_object.allocation_loops)
    return heap_object


def fold_call(state: AnalysisState, entry: Entry, arguments: Arguments, node: ast.AST) -> AnyValue:
    """``functools.reduce(function, values, start)``: a loop that gives the function what it returned before."""
    if len(arguments[0]) < 2 or not isinstance(node, ast.Call):
        return unknown_result(state, arguments)
    function, sequence = arguments[0][:2]
    if adds_up(state, function):
        return reduce_value(state, node, "sum", sequence)
    iteration = iterate(state, sequence, node.args[1], None)
    total: AnyValue = arguments[0][2] if len(arguments[0]) > 2 else Const(value=0, allocation_loops=state.active_axes)
    with state.inside_loops(iteration.axes):
        for element in iteration.elements:
            total = state.call(state, function, ([total, element], {}), elements_call(node))
    return leave_loop(total, iteration.axes - state.active_axes)


def adds_up(state: AnalysisState, function: AnyValue) -> bool:
    """Whether a function returns the sum of its two arguments."""
    match function:
        case LibraryName(name=name):
            entry = state.knowledge.entry(name)
            return entry is not None and entry.facts.get("operator") == "Add"
        case Function(node=ast.Lambda(body=ast.BinOp(op=ast.Add(), left=ast.Name(), right=ast.Name()))):
            return True
        case Function(node=ast.FunctionDef(body=[*_, ast.Return(value=ast.BinOp(op=ast.Add()))])):
            return True
        case _:
            return False


def elements_call(node: ast.AST) -> ast.AST:
    """``function(values)`` for ``map(function, values)``: the call that stands behind a call of a function."""
    match node:
        case ast.Call(args=[function, *others]):
            return ast.copy_location(ast.Call(function, others, node.keywords), node)
        case _:
            return node


def operate_call(state: AnalysisState, entry: Entry, arguments: Arguments, node: ast.AST) -> AnyValue:
    """``operator.add(a, b)``, ``np.multiply(a, b)``: a binary operation."""
    match node:
        case ast.Call(args=[left, right]):
            operator: ast.operator = getattr(ast, entry.facts["operator"])()
            return state.evaluate(state, ast.copy_location(ast.BinOp(left, operator, right), node))
        case _:
            return unknown_result(state, arguments)


def spawn_call(state: AnalysisState, entry: Entry, arguments: Arguments, node: ast.AST) -> AnyValue:
    """``Thread(target=function, args=values)``: another thread calls the function."""
    given = arguments[1]
    values, named = given.get("args"), given.get("kwargs")
    if "target" in given:
        positional = list(values.fields.values()) if isinstance(values, HeapObject) else []
        keywords = {str(k): v for k, v in named.fields.items()} if isinstance(named, HeapObject) else {}
        state.call(state, given["target"], (positional, keywords), node)
    return unknown_result(state, ([], {}))


def call_parallel_object(state: AnalysisState, target: LibraryObject, arguments: Arguments, node: ast.AST) -> AnyValue:
    """``Parallel(n_jobs=4)(delayed(f)(x) for x in xs)``."""
    if target.role == "delayed":
        return state.call(state, target.facts["function"], arguments, node)
    return first_argument(arguments)


def map_method(state: AnalysisState, base: AnyValue, entry: Entry, arguments: Arguments, node: ast.Call) -> AnyValue:
    """``pool.map(function, values)``."""
    return map_function(state, arguments, node, starred="star" in entry.name)


def submit_method(state: AnalysisState, base: AnyValue, entry: Entry, arguments: Arguments, node: ast.Call) -> AnyValue:
    """``executor.submit(function, x)``: the future stands for its result."""
    if not arguments[0]:
        return unknown_result(state, arguments, base)
    given = arguments[0][1:]
    if entry.facts.get("packed") and given and isinstance(packed := given[0], HeapObject):
        given = list(packed.fields.values())
    return state.call(state, arguments[0][0], (given, arguments[1]), elements_call(node))
