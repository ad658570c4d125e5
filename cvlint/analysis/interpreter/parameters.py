"""Parameters: bind the arguments of a call, and tell the arguments of two calls apart."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import TypeVar

from cvlint.analysis.domain.axis import NO_AXES
from cvlint.analysis.domain.environment import Environment, Function
from cvlint.analysis.domain.heap_object import HeapObject
from cvlint.analysis.domain.lattice import UNKNOWN, join, leave_loop, value_key
from cvlint.analysis.domain.taint_label import NO_TAINT, Taint, choices_in
from cvlint.analysis.domain.value import AnyValue, Const, Data, LibraryName, Union, axes_of
from cvlint.analysis.inference.loop_dependence import is_loop_invariant
from cvlint.analysis.models.arguments import unknown_result
from cvlint.analysis.state import AnalysisState, Arguments
from cvlint.analysis.syntax import code_of
from cvlint.analysis.taint import ArgumentTaint, carries_no_labels, taint_at, taken

Given = TypeVar("Given")


def test_arguments(state: AnalysisState, node: ast.AST) -> tuple[bool, ...]:
    """Which arguments are named like test parts: the result for a test part differs from that for another part."""
    arguments = [*node.args, *(k.value for k in node.keywords)] if isinstance(node, ast.Call) else []
    named = (ast.Name, ast.Attribute, ast.Subscript)
    return tuple(isinstance(a, named) and state.knowledge.conforms("test-only", code_of(a)) for a in arguments)


def loop_invariant_arguments(state: AnalysisState, node: ast.AST) -> frozenset[int]:
    """The arguments that are the same in each pass of the innermost fold loop: they come from a test set."""
    axis = next((a for a in reversed(state.active_loops) if a.kind == "fold"), None)
    if axis is None or not isinstance(node, ast.Call):
        return frozenset()
    arguments = [*node.args, *(k.value for k in node.keywords)]
    return frozenset(i for i, argument in enumerate(arguments) if is_loop_invariant(state, argument, axis))


def takes_truth(state: AnalysisState, code: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> bool:
    """Whether a parameter is named like true labels, so that the function's result may be typed by its name."""
    return any(state.knowledge.conforms("truth", arg.arg) for arg in code.args.args)


def argument_keys(arguments: Arguments) -> tuple[object, ...]:
    """The part of a summary's key that tells the arguments of two calls apart."""
    positional, keywords = arguments
    return (
        *(value_key(v) for v in positional),
        *((k, value_key(v)) for k, v in sorted(keywords.items(), key=lambda kv: kv[0])),
    )


def matched(names: Sequence[str], arguments: tuple[list[Given], dict[str, Given]]) -> dict[str, Given]:
    """What the positional and keyword arguments of a call give to parameters of these names."""
    positional, keywords = arguments
    return {
        **dict(zip(names, positional, strict=False)),
        **{name: keywords[name] for name in names if name in keywords},
    }


def bind_parameters(
    state: AnalysisState,
    function: Function,
    environment: Environment,
    arguments: Arguments,
    taint: ArgumentTaint,
    node: ast.AST,
) -> None:
    """Bind the parameters of a function to arguments, defaults or unknown values, and to the taint of the arguments.

    If nothing calls the function (``node`` is no call), a parameter whose default is True or False may be either.
    """
    assert function.node is not None
    spec, (positional, keywords) = function.node.args, arguments
    names = tuple(arg.arg for arg in (*spec.posonlyargs, *spec.args))
    if function.bound is not None and names:
        positional = [function.bound, *positional]
    by_name = (*names, *(arg.arg for arg in spec.kwonlyargs))
    environment.taint.update(taint_of_containers(function, by_name, arguments, taint))
    if names and (choices := choices_of_receiver(state, function, node)):
        environment.taint[names[0]] = choices
    given = matched(names, (positional, {})) | matched(by_name, ([], keywords))
    defaults = dict(zip(reversed(names), reversed(spec.defaults), strict=False))
    defaults |= {arg.arg: d for arg, d in zip(spec.kwonlyargs, spec.kw_defaults, strict=True) if d is not None}
    for name in by_name:
        if name in given:
            environment.bindings[name], held = taken(given[name])
            if held:
                environment.taint[name] = held | environment.taint.get(name, NO_TAINT)
        elif name in defaults:
            value = default_value(state, function, defaults[name])
            if isinstance(value, Const) and value.value is None and not isinstance(node, ast.Call):
                value = Data(opaque=True)
            if labels := taint_at(state, defaults[name]):
                environment.taint[name] = labels
            flag = isinstance(value, Const) and isinstance(value.value, bool)
            environment.bindings[name] = Data(opaque=True) if flag and not isinstance(node, ast.Call) else value
        else:
            environment.bindings[name] = Data(opaque=True)
    if spec.vararg is not None:
        environment.bindings[spec.vararg.arg] = rest_of_arguments(state, positional, len(names), node)
    if spec.kwarg is not None:
        others = {key: value for key, value in keywords.items() if key not in by_name}
        environment.bindings[spec.kwarg.arg] = HeapObject("dict", dict(others), allocation_loops=state.active_axes)


def choices_of_receiver(state: AnalysisState, function: Function, node: ast.AST) -> Taint:
    """The choices by which an object was kept that is called, or whose method is: ``best.evaluate(X_test, y_test)``."""
    match node:
        case ast.Call(func=ast.Attribute(value=receiver)) | ast.Call(func=receiver) if function.bound is not None:
            return choices_in(taint_at(state, receiver))
        case _:
            return NO_TAINT


def taint_of_containers(
    function: Function, names: Sequence[str], arguments: Arguments, taint: ArgumentTaint
) -> dict[str, Taint]:
    """The taint of parameters that get containers, which as a whole carry no labels: a frame with scaled columns.

    A statistic is known as one in the function, too: ``standardise(X, X.mean(), X.std())``. Of a dict that is unpacked,
    ``score(**given)``, taint may be known for a key whose value is not.
    """
    positional, keywords = taint
    if len(positional) != len(arguments[0]) or not (any(positional) or any(keywords.values())):
        return {}
    before = [NO_TAINT] if function.bound is not None else []
    found = matched(names, ([*before, *positional], keywords))
    given = matched(names, ([UNKNOWN for _ in before] + arguments[0], arguments[1]))
    kept = {
        name: labels
        if carries_no_labels(given.get(name, UNKNOWN))
        else frozenset(m for m in labels if m.kind == "statistic")
        for name, labels in found.items()
    }
    return {name: labels for name, labels in kept.items() if labels}


def rest_of_arguments(state: AnalysisState, positional: list[AnyValue], count: int, node: ast.AST) -> HeapObject:
    """What ``*args`` gets beside ``count`` parameters; with a list of unknown length, ``f(*scores)``, its elements."""
    rest = HeapObject("tuple", dict(enumerate(positional[count:])), allocation_loops=state.active_axes)
    nodes = node.args if isinstance(node, ast.Call) and len(node.args) <= len(positional) else []
    given = zip(reversed(positional), reversed(nodes), strict=False)
    unpacked = [value for value, argument in given if isinstance(argument, ast.Starred)]
    starred = [argument for argument in nodes if isinstance(argument, ast.Starred)]
    if any(state.starred_counts.get(argument, 1) != 1 for argument in starred):
        return rest  # each entry of what is unpacked is known by its position
    if rest.fields and unpacked and len(positional) - len(nodes) <= 1:  # one more is the object of a method
        rest.extent = NO_AXES.union(*map(axes_of, unpacked)) - state.active_axes
        rest.elements, rest.fields = join(rest.entries()), {}
    return rest


def default_value(state: AnalysisState, function: Function, node: ast.expr) -> AnyValue:
    """The value of a parameter's default; None says nothing about the usual argument."""
    assert function.environment is not None
    if (made := state.defaults.get((node, id(function.environment)))) is not None:
        return made
    outer, state.environment = state.environment, function.environment
    value = state.evaluate(state, node)
    state.environment = outer
    return value


def call_each(state: AnalysisState, called: Union, call: Callable[[AnyValue], AnyValue]) -> AnyValue:
    """Call what may be one of several values: the result may be that of any, and so may its taint.

    Nobody calls None: ``clone = None`` only stands where an import failed. Beside a function of the project, what is
    imported from elsewhere under its name is taken to do the same. A constant beside what is not known is a default,
    ``settings.get("selection", {}).get("method", "rfe")``, and decides nothing.
    """
    given, found = state.taint, NO_TAINT
    results = []
    callables = [o for o in called.options if not (isinstance(o, Const) and o.value is None)]
    if any(isinstance(o, Function) for o in callables):
        unknown = [o for o in callables if isinstance(o, LibraryName) and state.knowledge.entry(o.name) is None]
        callables = [o for o in callables if o not in unknown]
    for option in callables or called.options:
        state.taint = given
        results.append(call(option))
        found |= state.taint
    state.taint = found
    if any(isinstance(result, Data) and result.opaque for result in results):
        results = [r for r in results if not (isinstance(r, Const) and r.value is not None)]
    return join(results)


def passed_through(state: AnalysisState, forward: AnyValue, arguments: Arguments, node: ast.AST) -> AnyValue:
    """``network(x)``: what its ``forward`` makes of a batch; it does not vary over the layers that a loop visits."""
    if not isinstance(forward, Function):
        return unknown_result(state, arguments)
    result = state.call(state, forward, arguments, node)
    given = NO_AXES.union(*map(axes_of, (*arguments[0], *arguments[1].values())))
    return leave_loop(result, axes_of(result) - state.active_axes - given)
