"""Code that nothing calls: the methods of a class, and functions and classes that a call defines and only passes on.

A library calls the methods of callbacks while it fits a model: ``model.fit(X, y, validation_data=(V, v),
callbacks=[Metrics()])`` runs like ``for epoch in range(n): metrics.on_epoch_end(epoch, logs)``, and sets
``metrics.model`` and ``metrics.validation_data`` first.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from cvlint.analysis.domain.axis import NO_AXES, Axis
from cvlint.analysis.domain.environment import ClassValue, Environment, Function
from cvlint.analysis.domain.frozen import replace
from cvlint.analysis.domain.heap_object import HeapObject, Instance
from cvlint.analysis.domain.lattice import options
from cvlint.analysis.domain.value import AnyValue, Data, axes_of
from cvlint.analysis.heap.branches import touch
from cvlint.analysis.interpreter.objects import find_member
from cvlint.analysis.state import AnalysisState, Arguments
from cvlint.analysis.syntax import nodes_in

ONCE = "once"  # of a method that is called before the first epoch, or after the last one


def methods_of(state: AnalysisState, cls: ClassValue, node: ast.ClassDef) -> list[tuple[Function, ast.AST]]:
    """The methods of a class, bound to a single object of it, ``__init__`` first, which it may inherit.

    Those of the classes in its body come after them.
    """
    instance = Instance("object", cls=cls)
    names = dict.fromkeys(s.name for s in node.body if isinstance(s, (ast.FunctionDef, ast.AsyncFunctionDef)))
    found: list[tuple[Function, ast.AST]] = []
    for name in ("__init__", *(n for n in names if n != "__init__")):
        member = find_member(state, instance, name, node)
        if isinstance(member, Function):
            method = member if member.wraps is None else replace(member.wraps, bound=member.bound)
            found.append((method, method.node or node))
    for inner in cls.attributes.values():
        if isinstance(inner, ClassValue) and isinstance(inner.node, ast.ClassDef) and inner.node in node.body:
            found += methods_of(state, inner, inner.node)
    return found


def callers_first(waiting: list[tuple[Function, ast.AST]]) -> list[tuple[Function, ast.AST, bool]]:
    """Functions that no other one calls come first: they call the others with arguments that say more.

    With each function stands whether it is evaluated with unknown arguments though others call it: where it is written
    above them. What they pass may leave out some of its code.
    """
    first_callers: dict[tuple[bool, str], int] = {}
    for number, (_, node) in enumerate(waiting):
        for name in names_called(node):
            if name[1] != getattr(node, "name", ""):
                first_callers.setdefault(name, number)
    found = []
    for number, (function, node) in enumerate(waiting):
        caller = first_callers.get((function.bound is not None, getattr(node, "name", "")))
        comes_first = function.bound is None and caller is None
        found.append((not comes_first, function, node, caller is not None and caller > number))
    return [(function, node, again) for _, function, node, again in sorted(found, key=lambda one: one[0])]


def names_called(node: ast.AST) -> Iterator[tuple[bool, str]]:
    """The names of what a function calls, and whether they are those of methods."""
    for call in nodes_in(node, ast.Call):
        match call:
            case ast.Call(func=ast.Name(id=name)):
                yield False, name
            case ast.Call(func=ast.Attribute(attr=name)):
                yield True, name


def evaluate_uncalled(state: AnalysisState, environment: Environment) -> None:
    """Evaluate functions and methods that were defined in a call and only passed on: objectives and callbacks.

    What they bind outside of themselves is undone, because whoever really calls them starts with what is there now.
    """
    own: list[tuple[Function, ast.AST]] = []
    for value in environment.bindings.values():
        if type(value) is Function and value.environment is environment and value.node is not None:
            own.append((value, value.node))
        elif type(value) is ClassValue and value.environment is environment and isinstance(value.node, ast.ClassDef):
            own += methods_of(state, value, value.node)
    held = dict(environment.bindings) if own else {}
    for function, node in own:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node not in state.summaries:
            state.call(state, function, ([], {}), node)
            environment.bindings.update(held)


def run_callbacks(
    state: AnalysisState, base: AnyValue, func: ast.Attribute, arguments: Arguments, node: ast.Call
) -> None:
    """``model.fit(X, y, callbacks=[Metrics()])``: run what the library calls in each epoch, and around them all.

    Those that get rows of a fold watch its training, and what they measure is no result of the folds.
    """
    entry = state.knowledge.methods.get(func.attr)
    if entry is None or "callbacks" not in arguments[1] or "calls_back" not in entry.facts:
        return
    taint = state.taint
    for callback in callbacks_in(arguments[1]["callbacks"]):
        held = (axes_of(value) for value in callback.attributes.values())
        if any(axis.kind == "fold" for axis in state.active_axes.union(*held)):
            continue
        touch(state, callback)
        callback.attributes["model"] = base
        for name in entry.facts["hands_over"]:
            if name in arguments[1]:
                callback.attributes[name] = arguments[1][name]
        call = ast.copy_location(ast.Call(node.func, [], node.keywords), node)
        axis = Axis("epoch", state.step(node, "the callback is called after each epoch of this fit"))
        for name, when in entry.facts["calls_back"].items():
            method = find_member(state, callback, name, node)
            if isinstance(method, Function) and method.node is not None:
                axes = NO_AXES if when == ONCE else frozenset((axis,))
                counted: list[AnyValue] = [] if when == ONCE else [Data(axes)]
                with state.inside_loops(axes):
                    state.call(state, method, ([*counted, Data(axes, opaque=True)], {}), call)
    state.taint = taint


def callbacks_in(value: AnyValue) -> list[Instance]:
    """The objects of the project's classes among callbacks."""
    entries = value.entries() if isinstance(value, HeapObject) and not isinstance(value, Instance) else [value]
    return [option for entry in entries for option in options(entry) if isinstance(option, Instance)]
