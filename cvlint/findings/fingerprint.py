"""What a finding is known by when lines move: its rule, file, function and statement, whatever their formatting."""

from __future__ import annotations

import ast
import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path, PurePath

from cvlint.source.module import Source

BLOCKS = (ast.stmt, ast.ExceptHandler, ast.match_case)
"""What stands on lines of its own; a statement ends where the first of them begins inside it."""

NAMED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
UNWRITTEN = frozenset({"ctx", "kind", "type_comment"})
"""Fields that follow from the place of a node, or that change nothing in what it means."""

DIGITS = 16

Span = tuple[tuple[int, int], tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Identity:
    """Where a finding is, by what is written and not by lines.

    Attributes
    ----------
    function
        The qualified name of the function or class around the statement, "Trainer.evaluate"; empty at the top.
    statement
        A hash of the statement as it is parsed; of a compound one only its head.
    fingerprint
        A hash of rule, file, function and statement, and of which of several alike it is: no two findings share it.
    """

    function: str
    statement: str
    fingerprint: str


def identity(rule: str, source: Source, node: ast.AST) -> Identity:
    """What a finding of ``rule`` at ``node`` is known by.

    It is taken from the syntax tree, so that comments, formatting and other lines change nothing; and not from
    ``ast.dump`` or ``ast.unparse``, whose texts differ between versions of Python.
    """
    parents = parents_of(source.tree)
    block = block_of(node, parents)
    function, text = name_around(block, parents), written(block)
    number = numbers(source.tree, type(block).__name__).get(block, 0)
    place = next((index for index, inner in enumerate(head(block)) if span(inner) == span(node)), 0)
    key = (rule, path_in_project(source), function, text, str(number), str(place))
    return Identity(function, digest(text), digest("\n".join(key)))


@lru_cache(maxsize=16)
def parents_of(tree: ast.Module) -> dict[ast.AST, ast.AST]:
    """The parent of each node of a file, in an order that depends on nothing but the tree."""
    return {child: parent for parent in ast.walk(tree) for child in ast.iter_child_nodes(parent)}


def block_of(node: ast.AST, parents: dict[ast.AST, ast.AST]) -> ast.AST:
    """The smallest statement that holds a node, or a place in its text where the node itself was made by the engine."""
    if node not in parents:
        around = [other for other in parents if isinstance(other, BLOCKS) and encloses(other, node)]
        return max(around, key=span, default=node)
    while not isinstance(node, BLOCKS):
        node = parents[node]
    return node


def head(block: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a statement, without the statements inside it."""
    yield block
    for child in ast.iter_child_nodes(block):
        if not isinstance(child, BLOCKS):
            yield from head(child)


def encloses(outer: ast.AST, inner: ast.AST) -> bool:
    """Whether the text of one node is inside that of another."""
    return span(outer)[0] <= span(inner)[0] and span(inner)[1] <= span(outer)[1]


def span(node: ast.AST) -> Span:
    """Where a node begins and ends."""
    first = (getattr(node, "lineno", 0), getattr(node, "col_offset", 0))
    last = (getattr(node, "end_lineno", None) or first[0], getattr(node, "end_col_offset", None) or first[1])
    return first, last


def name_around(block: ast.AST, parents: dict[ast.AST, ast.AST]) -> str:
    """The qualified name of the function or class that a statement is in."""
    names = []
    while block in parents:
        block = parents[block]
        if isinstance(block, NAMED):
            names.append(block.name)
    return ".".join(reversed(names))


@lru_cache(maxsize=64)
def numbers(tree: ast.Module, kind: str) -> dict[ast.AST, int]:
    """Which each statement of a kind is, from 0, of those that say the same in functions of the same name."""
    parents = parents_of(tree)
    seen: Counter[tuple[str, str]] = Counter()
    found = {}
    for block in parents:
        if type(block).__name__ == kind:
            key = (name_around(block, parents), written(block))
            found[block] = seen[key]
            seen[key] += 1
    return found


def written(part: object) -> str:
    """A part of a syntax tree as text, the same for every way to format it; blocks inside a statement are left out."""
    match part:
        case ast.AST():
            fields = [(name, written(value)) for name, value in ast.iter_fields(part) if name not in UNWRITTEN]
            return f"{type(part).__name__}({' '.join(f'{name}={text}' for name, text in fields if text)})"
        case list():
            return ",".join(written(item) for item in part if not isinstance(item, BLOCKS))
        case None:
            return ""
        case _:
            return ascii(part)


def path_in_project(source: Source) -> str:
    """The path of a file below the folder with ``.git``, or else as it is shown, with forward slashes."""
    root = repository(source.path.parent)
    return PurePath(source.display).as_posix() if root is None else source.path.relative_to(root).as_posix()


@lru_cache(maxsize=1024)
def repository(folder: Path) -> Path | None:
    """The nearest folder with ``.git``, from a folder upwards."""
    return next((place for place in (folder, *folder.parents) if os.path.exists(place / ".git")), None)


def digest(text: str) -> str:
    """A short hash, in hexadecimal digits."""
    import hashlib  # only a finding needs it

    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()[:DIGITS]
