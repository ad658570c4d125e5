"""Find the part of a split, training or test, on which a measure is computed.

The evidence is a call of ``train_test_split``, or else names such as ``y_test``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Literal

from cvlint.analysis.syntax import called_name
from cvlint.knowledge.loader import load_knowledge
from cvlint.records import dataclass

DataPart = Literal["training", "test"]

CONVENTIONS: Mapping[DataPart, str] = {"training": "training", "test": "test-only"}
"""The naming convention of each part; see `cvlint.knowledge.identifiers`."""

SPLITTER = "train_test_split"
DATA_ARGUMENTS = 2
"""The number of positional arguments of a measure that are data: y_true and y_pred."""

LOOPS = (ast.For, ast.AsyncFor, ast.While, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
"""Code in these nodes runs more than once; a lambda is passed to a function that calls it for each item."""


@dataclass(frozen=True, slots=True)
class CallContext:
    """The functions around a call, the innermost first and the module last, and whether the call is in a loop."""

    scopes: tuple[ast.AST, ...]
    in_loop: bool


@dataclass(frozen=True, slots=True)
class MeasuredData:
    """The data on which a measure is computed."""

    part: DataPart | None = None
    """The part of a split, if it is known."""
    in_loop: bool = False
    """Whether the measure is computed in each pass of a loop."""
    function: str = ""
    """The function that computes the measure; empty at module level."""
    by_name_only: bool = False
    """Whether only names such as ``y_test`` say which part it is."""


def measured_data(node: ast.AST, tree: ast.Module) -> MeasuredData:
    """Find the data on which a measure is computed.

    Parameters
    ----------
    node : ast.AST
        The call that computes the measure.
    tree : ast.Module
        The file of the call.

    Returns
    -------
    MeasuredData
        Its part is None where no split is seen, or where data of both parts go into the measure.
    """
    contexts, split_names = _contexts_and_split_names(tree)
    context = contexts.get(node)
    if not isinstance(node, ast.Call) or context is None:
        return MeasuredData()
    keywords = [keyword.value for keyword in node.keywords if keyword.arg and keyword.arg.startswith("y_")]
    names = {name for argument in (*node.args[:DATA_ARGUMENTS], *keywords) for name in _data_names(argument)}
    by_split = {split_names[s, name] for name in names for s in context.scopes if (s, name) in split_names}
    parts = by_split or {part for name in names if (part := _part_by_name(name)) is not None}
    part = next(iter(parts)) if len(parts) == 1 else None
    function = getattr(context.scopes[0], "name", "")
    return MeasuredData(part, context.in_loop, function, by_name_only=part is not None and not by_split)


def _part_by_name(name: str) -> DataPart | None:
    """The part of a split that a name stands for; None where it stands for no part, or for both."""
    knowledge = load_knowledge()
    found = [part for part, convention in CONVENTIONS.items() if knowledge.conforms(convention, name)]
    return found[0] if len(found) == 1 else None


def _data_names(node: ast.AST) -> Iterator[str]:
    """The names of data in an argument: ``X_test`` alone in ``model.fit(X_train, y_train).predict(X_test)``."""
    match node:
        case ast.Call():
            if node.args or isinstance(node.func, ast.Name):
                yield from (name for argument in node.args for name in _data_names(argument))
            else:
                yield from _data_names(node.func)
        case ast.Name(id=name):
            yield name
        case ast.Attribute(value=base, attr=name):
            yield name
            yield from _data_names(base)
        case ast.Constant(value=str() as key):
            yield key
        case _:
            yield from (name for child in ast.iter_child_nodes(node) for name in _data_names(child))


@lru_cache(maxsize=4)  # all measures of a file are looked up in a row
def _contexts_and_split_names(
    tree: ast.Module,
) -> tuple[Mapping[ast.AST, CallContext], Mapping[tuple[ast.AST, str], DataPart]]:
    """The context of each call of a file, and the part of a split to which each name in each scope is bound."""
    contexts: dict[ast.AST, CallContext] = {}
    parts: dict[tuple[ast.AST, str], DataPart] = {}
    stack: list[tuple[ast.AST, CallContext]] = [(tree, CallContext((tree,), False))]
    while stack:
        node, context = stack.pop()
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                context = CallContext((node, *context.scopes), False)
            case ast.Call():
                contexts[node] = context
            case ast.Assign(targets=[ast.Tuple(elts=elements)], value=ast.Call(func=func)) if (
                called_name(func) == SPLITTER
            ):
                names = [element.id if isinstance(element, ast.Name) else "" for element in elements]
                parts.update({(context.scopes[0], name): "training" for name in names[::2]})
                parts.update({(context.scopes[0], name): "test" for name in names[1::2]})
            case _ if isinstance(node, LOOPS):
                context = CallContext(context.scopes, True)
        stack += [(child, context) for child in ast.iter_child_nodes(node)]
    return contexts, parts
