"""On which part of a split a measure is computed, as far as the code says: by `train_test_split` and names."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from cvlint.analysis.syntax import called_name
from cvlint.knowledge.loader import load_knowledge

Part = Literal["training", "test"]

CONVENTIONS: Mapping[Part, str] = {"training": "training", "test": "test-only"}
"""The conventions of the knowledge that the names of each part follow."""

SPLITTER = "train_test_split"
GIVEN = 2
"""How many arguments of a measure are data, if they are given by their places: true labels, and predictions."""

PASSES = (ast.For, ast.AsyncFor, ast.While, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
"""What is in these happens more than once; a lambda is given away to be called for each of something."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What is around a call: the functions, innermost first, the module at the end; and whether it is in a loop."""

    scopes: tuple[ast.AST, ...]
    repeated: bool


@dataclass(frozen=True, slots=True)
class Measured:
    """What a measure is computed on: the part of a split, if that is known, and whether again in each pass of a loop.

    ``function`` is where that is done, empty at the top of a file; ``named``: only names like ``y_test`` say which part
    it is.
    """

    part: Part | None = None
    repeated: bool = False
    function: str = ""
    named: bool = False


def measured(node: ast.AST, tree: ast.Module) -> Measured:
    """On which data a measure is computed.

    Parameters
    ----------
    node : ast.AST
        Where it is computed.
    tree : ast.Module
        The file that this is in.

    Returns
    -------
    Measured
        Without a part where nothing is seen of a split, or where data of both parts go into the measure.
    """
    around, parts = _read(tree)
    here = around.get(node)
    if not isinstance(node, ast.Call) or here is None:
        return Measured()
    given = [*node.args[:GIVEN], *(k.value for k in node.keywords if k.arg and k.arg.startswith("y_"))]
    names = {name for one in given for name in _names(one)}
    split = {parts[scope, name] for name in names for scope in here.scopes if (scope, name) in parts}
    known = split or {part for name in names if (part := _called(name)) is not None}
    part = next(iter(known)) if len(known) == 1 else None
    return Measured(part, here.repeated, getattr(here.scopes[0], "name", ""), part is not None and not split)


def _called(name: str) -> Part | None:
    """The part of a split that is called so; None where a name speaks of none, or of both."""
    knowledge = load_knowledge()
    found = [part for part, convention in CONVENTIONS.items() if knowledge.conforms(convention, name)]
    return found[0] if len(found) == 1 else None


def _names(node: ast.AST) -> Iterator[str]:
    """The names of the data in an argument; in ``model.fit(X_train, y_train).predict(X_test)`` the last one only."""
    match node:
        case ast.Call():
            if node.args or isinstance(node.func, ast.Name):
                yield from (name for argument in node.args for name in _names(argument))
            else:
                yield from _names(node.func)
        case ast.Name(id=name):
            yield name
        case ast.Attribute(value=base, attr=name):
            yield name
            yield from _names(base)
        case ast.Constant(value=str() as key):
            yield key
        case _:
            yield from (name for child in ast.iter_child_nodes(node) for name in _names(child))


@lru_cache(maxsize=4)  # the measures of a file are asked for one after the other
def _read(tree: ast.Module) -> tuple[Mapping[ast.AST, Surroundings], Mapping[tuple[ast.AST, str], Part]]:
    """What is around each call of a file, and which part of a split the names in each scope are bound to."""
    around: dict[ast.AST, Surroundings] = {}
    parts: dict[tuple[ast.AST, str], Part] = {}
    waiting: list[tuple[ast.AST, Surroundings]] = [(tree, Surroundings((tree,), False))]
    while waiting:
        node, here = waiting.pop()
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                here = Surroundings((node, *here.scopes), False)
            case ast.Call():
                around[node] = here
            case ast.Assign(targets=[ast.Tuple(elts=elements)], value=ast.Call(func=func)) if (
                called_name(func) == SPLITTER
            ):
                names = [element.id if isinstance(element, ast.Name) else "" for element in elements]
                parts.update({(here.scopes[0], name): "training" for name in names[::2]})
                parts.update({(here.scopes[0], name): "test" for name in names[1::2]})
            case _ if isinstance(node, PASSES):
                here = Surroundings(here.scopes, True)
        waiting += [(child, here) for child in ast.iter_child_nodes(node)]
    return around, parts
