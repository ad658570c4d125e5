"""Definitions: the pieces of a module's code by the names that they bind, with the words in their text."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import TypeAlias

from cvlint.records import dataclass
from cvlint.source.module import Source
from cvlint.source.parsing import walk
from cvlint.source.prefilter import Prefilter

_SEPARATORS = bytes(b if chr(b).isalnum() or b in b"_" or b > 127 else 32 for b in range(256))
_BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")
_CALLED_BY_PYTHON = ("forward", "call")
"""Methods that a call of the object runs, in the large libraries of neural networks."""

Place: TypeAlias = tuple[int, int]
"""The line and the column of a statement: equal in all trees of a text."""


@dataclass(frozen=True, slots=True)
class Definition:
    """A function, a method, the rest of a class, or another statement at the top level of a module.

    ``names`` are those by which other code reaches it. ``words`` are all words of its text, strings and comments
    included. ``marks`` are the words that the prefilter searches for and that are in it.
    """

    names: frozenset[str]
    words: frozenset[str]
    marks: frozenset[str]
    place: Place


def place_of(node: ast.AST) -> Place:
    """The place of a statement."""
    return getattr(node, "lineno", 0), getattr(node, "col_offset", 0)


def definitions_of(source: Source, prefilter: Prefilter, marks: frozenset[str]) -> tuple[Definition, ...]:
    """All definitions of a module, whose text holds these words of the prefilter."""

    def made(names: Iterable[str], node: ast.AST, text: str) -> Definition:
        words = frozenset(text.encode().translate(_SEPARATORS).decode().split())
        return Definition(frozenset(names), words, prefilter.words_in(text, marks), place_of(node))

    def split(node: ast.stmt) -> Iterator[Definition]:
        match node:
            case ast.Import():
                pass
            case ast.ImportFrom():  # the module's own name says nothing about what is imported
                names = [alias for alias in node.names if alias.asname is not None]
                yield from (made([str(alias.asname)], alias, alias.name) for alias in names)
            case ast.ClassDef():
                yield made([node.name], node, " ".join(map(ast.unparse, [*node.bases, *node.decorator_list])))
                for member in node.body:
                    yield made([_method_name(member) or node.name], member, _text(source, member))
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                yield made([node.name], node, _text(source, node))
            case ast.Assign(targets=[ast.Name(id=name)]):
                yield made([name], node, _text(source, node))
            case ast.Expr():
                yield made([], node, _text(source, node))
            case _:
                yield made(_bound_names(node), node, _text(source, node))

    return tuple(found for node in source.tree.body for found in split(node))


def imports_of(source: Source) -> Iterator[tuple[str, int]]:
    """The modules that a file may import, in functions too, each with its level."""
    for node in source.tree.body:
        if isinstance(node, (ast.Import, ast.ImportFrom)) or "import" in _text(source, node):
            yield from _imported_in([node])


def _imported_in(body: Iterable[ast.AST]) -> Iterator[tuple[str, int]]:
    for node in body:
        match node:
            case ast.Import(names=names):
                yield from ((alias.name, 0) for alias in names)
            case ast.ImportFrom(module=module, names=names, level=level):
                if module:
                    yield module, level
                yield from ((f"{module}.{alias.name}" if module else alias.name, level) for alias in names)
            case _:
                for block in _BLOCKS:
                    inner = getattr(node, block, None)
                    if isinstance(inner, list):
                        yield from _imported_in(inner)


def _method_name(node: ast.stmt) -> str:
    """The name of a method that code calls by its name; empty for others, which the class itself leads to."""
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return ""
    return "" if node.name.startswith("__") or node.name in _CALLED_BY_PYTHON else node.name


def _bound_names(node: ast.stmt) -> Iterator[str]:
    for child in walk(node):
        match child:
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                yield name
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.alias(name=name, asname=other):
                yield other or name


def _text(source: Source, node: ast.stmt) -> str:
    first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", ()))])
    return "\n".join(source.lines[first - 1 : node.end_lineno])
