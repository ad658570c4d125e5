"""Code that nothing calls: the methods of a class, and functions and classes that a call defines and only passes on."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from cvlint.analysis.domain.environment import ClassValue, Environment, Function
from cvlint.analysis.domain.frozen import replace
from cvlint.analysis.domain.heap_object import Instance
from cvlint.analysis.interpreter.objects import find_member
from cvlint.analysis.state import AnalysisState
from cvlint.analysis.syntax import nodes_in


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
