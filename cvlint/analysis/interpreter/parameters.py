"""Parameters: bind the arguments of a call, and tell the arguments of two calls apart."""

from __future__ import annotations

import ast

from cvlint.analysis.domain.environment import Environment, Function
from cvlint.analysis.domain.heap_object import HeapObject
from cvlint.analysis.domain.lattice import value_key
from cvlint.analysis.domain.value import AnyValue, Const, Data
from cvlint.analysis.inference.loop_dependence import is_loop_invariant
from cvlint.analysis.state import AnalysisState, Arguments


def test_arguments(state: AnalysisState, node: ast.AST) -> tuple[bool, ...]:
    """Which arguments are named like test parts: the result for a test part differs from that for another part."""
    arguments = node.args if isinstance(node, ast.Call) else []
    return tuple(isinstance(a, ast.Name) and state.knowledge.conforms("test-only", a.id) for a in arguments)


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


def bind_parameters(
    state: AnalysisState, function: Function, environment: Environment, arguments: Arguments, called: bool
) -> None:
    """Bind the parameters of a function to arguments, defaults or unknown values.

    If nothing calls the function (``called`` is false), a parameter whose default is True or False may be either.
    """
    assert function.node is not None
    spec, (positional, keywords) = function.node.args, arguments
    names = [arg.arg for arg in (*spec.posonlyargs, *spec.args)]
    if function.bound is not None and names:
        positional = [function.bound, *positional]
    defaults = dict(zip(reversed(names), reversed(spec.defaults), strict=False))
    defaults |= {arg.arg: d for arg, d in zip(spec.kwonlyargs, spec.kw_defaults, strict=True) if d is not None}
    for index, name in enumerate((*names, *(arg.arg for arg in spec.kwonlyargs))):
        if index < len(positional) and index < len(names):
            environment.bindings[name] = positional[index]
        elif name in keywords:
            environment.bindings[name] = keywords[name]
        elif name in defaults:
            value = default_value(state, function, defaults[name])
            flag = isinstance(value, Const) and isinstance(value.value, bool)
            environment.bindings[name] = Data(opaque=True) if flag and not called else value
        else:
            environment.bindings[name] = Data(opaque=True)
    if spec.vararg is not None:
        extra = positional[len(names) :]
        environment.bindings[spec.vararg.arg] = HeapObject(
            "tuple", dict(enumerate(extra)), None, allocation_loops=state.active_axes
        )
    if spec.kwarg is not None:
        elements = {k: v for k, v in keywords.items() if k not in environment.bindings}
        environment.bindings[spec.kwarg.arg] = HeapObject(
            "dict", dict(elements), None, allocation_loops=state.active_axes
        )


def default_value(state: AnalysisState, function: Function, node: ast.expr) -> AnyValue:
    """The value of a parameter's default; None says nothing about the usual argument."""
    assert function.environment is not None
    outer, state.environment = state.environment, function.environment
    value = state.evaluate(state, node)
    state.environment = outer
    return Data(opaque=True) if isinstance(value, Const) and value.value is None else value
