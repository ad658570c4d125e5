"""Bindings: whether a name still holds the same value at two places of a function.

A path is a name with attributes, ``y_pred`` or ``self.scores``. Its version counts the statements before a place that
bind it or change what it holds. So the same path with the same version is the same value.
"""

from __future__ import annotations

import ast
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from functools import lru_cache

from cvlint.findings.code_block import function_of
from cvlint.findings.fingerprint import parents_of
from cvlint.records import dataclass, field
from cvlint.source.module import Source

Position = tuple[int, int]
CHANGING = frozenset({"append", "extend", "insert", "pop", "remove", "clear", "sort", "reverse", "update", "add"})
"""Methods that change the object that they are called on."""
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


@dataclass(frozen=True, slots=True)
class Bindings:
    """The places where the paths of each function are bound."""

    by_function: dict[ast.AST, dict[str, list[Position]]] = field(default_factory=dict)

    def versioned(self, source: Source, node: ast.AST, path: str, *, after: bool = False) -> str:
        """A path at a node of a file, with its version there; ``after`` the node, if this is where it is bound."""
        scope = function_of(node, parents_of(source.tree)) or source.tree
        at = end_of(node) if after else start_of(node)
        parts = path.split(".")
        paths = [".".join(parts[:count]) for count in range(1, len(parts) + 1)]
        count = sum(bisect_left(self.places(scope, one), at) for one in paths)
        return f"{path}@{count}"

    def places(self, scope: ast.AST, path: str) -> list[Position]:
        """The places in a function or module that bind a path or change what it holds, in their order."""
        if scope not in self.by_function:
            self.by_function[scope] = bound_paths(scope)
        return self.by_function[scope].get(path, [])

    def last_before(self, scope: ast.AST, path: str, node: ast.AST) -> Position | None:
        """The last place before a node that binds a path or changes what it holds."""
        places = self.places(scope, path)
        count = bisect_left(places, start_of(node))
        return places[count - 1] if count else None


def bound_paths(scope: ast.AST) -> dict[str, list[Position]]:
    """The positions at which each path is bound or changed in a function or module, without the functions inside it."""
    found: dict[str, list[Position]] = {}
    for node in nodes_of(scope):
        path = bound_path(node)
        if path:
            found.setdefault(path, []).append(start_of(node))
    return {path: sorted(places) for path, places in found.items()}


def bound_path(node: ast.AST) -> str:
    """The path that a node binds or changes; empty if there is none."""
    match node:
        case ast.Name(ctx=ast.Store() | ast.Del()) | ast.Attribute(ctx=ast.Store() | ast.Del()):
            return path_of(node)
        case ast.Subscript(value=value, ctx=ast.Store() | ast.Del()):
            return path_of(value)
        case ast.Call(func=ast.Attribute(value=value, attr=attr)) if attr in CHANGING:
            return path_of(value)
        case _:
            return ""


def path_of(node: ast.AST) -> str:
    """The name with attributes that an expression is; empty for other expressions."""
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=value, attr=attr):
            before = path_of(value)
            return f"{before}.{attr}" if before else ""
        case _:
            return ""


def paths_in(expression: ast.AST) -> Iterator[str]:
    """The paths that an expression reads, without those of functions that it calls and of indices."""
    waiting = [expression]
    while waiting:
        node = waiting.pop()
        match node:
            case ast.Name() | ast.Attribute() if path_of(node):
                yield path_of(node)
            case ast.Call(func=func, args=args, keywords=keywords):
                owner = [func.value] if isinstance(func, ast.Attribute) else []
                waiting += [*owner, *args, *(keyword.value for keyword in keywords)]
            case ast.Subscript(value=value):
                waiting.append(value)
            case _:
                waiting += ast.iter_child_nodes(node)


def nodes_of(scope: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a function or module, without those of the functions inside it."""
    waiting = [scope]
    while waiting:
        for child in ast.iter_child_nodes(waiting.pop()):
            yield child
            if not isinstance(child, FUNCTIONS):
                waiting.append(child)


@lru_cache(maxsize=8)
def method_calls(scope: ast.AST) -> Mapping[tuple[str, str], list[ast.Call]]:
    """The calls of methods in a function or module, by the path of the object and the name of the method."""
    found: dict[tuple[str, str], list[ast.Call]] = {}
    for node in nodes_of(scope):
        match node:
            case ast.Call(func=ast.Attribute(value=value, attr=attr)) if path := path_of(value):
                found.setdefault((path, attr), []).append(node)
    return found


@lru_cache(maxsize=8)
def paths_split_without_labels(scope: ast.AST) -> frozenset[str]:
    """The paths of splitters all of whose calls in a function or module split by one argument: ``kf.split(X)``."""
    return frozenset(
        path
        for (path, attr), calls in method_calls(scope).items()
        if attr == "split" and all(is_split_without_labels(one) for one in calls)
    )


def is_split_without_labels(call: ast.Call) -> bool:
    """Whether a call splits by one argument: ``kf.split(X)``."""
    return len(call.args) == 1 and not call.keywords


@lru_cache(maxsize=8)
def paths_given(scope: ast.AST, keyword: str) -> frozenset[str]:
    """The paths that calls in a function or module get by a keyword: ``cv=folds``."""
    given = (node.value for node in nodes_of(scope) if isinstance(node, ast.keyword) and node.arg == keyword)
    return frozenset(map(path_of, given)) - {""}


@lru_cache(maxsize=8)
def assignments_at(scope: ast.AST) -> Mapping[Position, ast.Assign | ast.AugAssign]:
    """The assignments in a function or module, by where each of their targets begins."""
    found: dict[Position, ast.Assign | ast.AugAssign] = {}
    for node in nodes_of(scope):
        match node:
            case ast.Assign(targets=[ast.Tuple(elts=targets)]) | ast.Assign(targets=targets):
                found.update(dict.fromkeys(map(start_of, targets), node))
            case ast.AugAssign(target=target):
                found[start_of(target)] = node
    return found


def start_of(node: ast.AST) -> Position:
    """Where a node begins."""
    return getattr(node, "lineno", 0), getattr(node, "col_offset", 0)


def end_of(node: ast.AST) -> Position:
    """Where a node ends."""
    line, column = start_of(node)
    return getattr(node, "end_lineno", None) or line, getattr(node, "end_col_offset", None) or column
