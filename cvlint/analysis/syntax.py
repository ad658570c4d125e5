"""Questions about the syntax tree: the names in an expression, the nodes of a kind.

The analysis asks them often, so the answers are cached.
"""

from __future__ import annotations

import ast
import copy
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TypeVar, cast

from cvlint.source.parsing import walk

Node = TypeVar("Node", bound=ast.AST)


@lru_cache(maxsize=8192)
def names_in(node: ast.AST) -> frozenset[str]:
    """All names and attributes that occur in an expression."""
    found = set()
    for child in walk(node):
        match child:
            case ast.Name():
                found.add(child.id)
            case ast.Attribute():
                found.add(child.attr)
    return frozenset(found)


@lru_cache(maxsize=2048)
def code_of(node: ast.AST) -> str:
    """The code of an expression of the program."""
    return ast.unparse(node)


def called_name(node: ast.expr) -> str:
    """The name of the function or method that a call names."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return ""


def is_same_code(one: ast.AST, other: ast.AST) -> bool:
    """Whether two expressions have the same code."""
    return type(one) is type(other) and ast.dump(one) == ast.dump(other)


def nodes_in(tree: ast.AST, kind: type[Node]) -> Sequence[Node]:
    """All nodes of a kind in a function or module."""
    return cast(Sequence[Node], nodes_by_kind(tree).get(kind, ()))


@lru_cache(maxsize=256)
def nodes_by_kind(tree: ast.AST) -> dict[type[ast.AST], list[ast.AST]]:
    """The nodes of a function or module by their kinds."""
    found: dict[type[ast.AST], list[ast.AST]] = defaultdict(list)
    for node in walk(tree):
        found[type(node)].append(node)
    return found


def argument_at(code: ast.AST, call: ast.AST | None, name: str) -> ast.expr | None:
    """The expression that a parameter of a function gets at a call site, or else its default."""
    if not isinstance(code, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) or not isinstance(call, ast.Call):
        return None
    if any(isinstance(a, ast.Starred) for a in call.args) or any(k.arg is None for k in call.keywords):
        return None
    for keyword in call.keywords:
        if keyword.arg == name:
            return keyword.value
    names = [a.arg for a in (*code.args.posonlyargs, *code.args.args)]
    defaults = dict(zip(reversed(names), reversed(code.args.defaults), strict=False))
    if names[:1] == ["self"]:
        names = names[1:]
    if isinstance(code, ast.Lambda) and len(names) != len(call.args):
        return None  # ``map(f, rows)`` calls it with other arguments
    if name in names and names.index(name) < len(call.args):
        return call.args[names.index(name)]
    return defaults.get(name)


def with_names(node: ast.expr, names: Mapping[str, str]) -> ast.expr:
    """A copy of an expression in which some names stand for others."""
    copied = copy.deepcopy(node)
    for child in walk(copied):
        if isinstance(child, ast.Name):
            child.id = names.get(child.id, child.id)
    return copied
