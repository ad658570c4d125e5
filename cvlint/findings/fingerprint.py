"""Fingerprints: how a later check recognises a finding although lines have moved or the code was formatted again.

A finding is identified by its rule, its file, the function around it and its statement.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from pathlib import PurePath

from cvlint.records import dataclass
from cvlint.source.module import Source
from cvlint.source.parsing import children_of
from cvlint.source.project import repository as repository

BLOCKS = (ast.stmt, ast.ExceptHandler, ast.match_case)
"""Nodes that begin on a line of their own: the head of a compound statement ends where the first one in it begins."""

NAMED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
UNWRITTEN = frozenset({"ctx", "kind", "type_comment"})
"""Fields of nodes that depend on the context only, or do not change the meaning."""

DIGITS = 16

Span = tuple[tuple[int, int], tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Identity:
    """Where a finding is, in terms of the code and not of lines."""

    function: str
    """The qualified name of the function or class around the statement, "Trainer.evaluate"; empty at module level."""
    statement: str
    """A hash of the parsed statement; for a compound statement a hash of its head."""
    fingerprint: str
    """A hash of the rule, the file, the function and the statement, and of the number among equal statements: no two
    findings have the same.
    """


def identity(rule: str, source: Source, node: ast.AST) -> Identity:
    """Identify a finding of ``rule`` at ``node``.

    The hashes are computed from the syntax tree, so that comments, formatting and other lines do not change them. They
    do not use ``ast.dump`` or ``ast.unparse``, whose results differ between versions of Python.
    """
    parents = parents_of(source.tree)
    statement = statement_of(node, parents)
    function, text = enclosing_name(statement, parents), normalised(statement)
    number = statement_numbers(source.tree, type(statement).__name__, function).get(statement, 0)
    place = next((index for index, inner in enumerate(head(statement)) if span(inner) == span(node)), 0)
    key = (rule, path_in_project(source), function, text, str(number), str(place))
    return Identity(function, digest(text), digest("\n".join(key)))


@lru_cache(maxsize=16)
def parents_of(tree: ast.Module) -> dict[ast.AST, ast.AST]:
    """The parent of each node of a file, in the order of ``ast.walk``."""
    parents: dict[ast.AST, ast.AST] = {}
    waiting: list[ast.AST] = [tree]
    for parent in waiting:
        children = children_of(parent)
        parents.update(dict.fromkeys(children, parent))
        waiting += children
    return parents


def statement_of(node: ast.AST, parents: dict[ast.AST, ast.AST]) -> ast.AST:
    """The smallest statement that contains a node; the position decides for nodes that the analysis made itself."""
    if node not in parents:
        enclosing = [other for other in parents if isinstance(other, BLOCKS) and encloses(other, node)]
        return max(enclosing, key=span, default=node)
    while not isinstance(node, BLOCKS):
        node = parents[node]
    return node


def head(statement: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a statement without those of the statements inside it."""
    yield statement
    for child in ast.iter_child_nodes(statement):
        if not isinstance(child, BLOCKS):
            yield from head(child)


def encloses(outer: ast.AST, inner: ast.AST) -> bool:
    """Tell whether the text of one node contains that of another."""
    return span(outer)[0] <= span(inner)[0] and span(inner)[1] <= span(outer)[1]


def span(node: ast.AST) -> Span:
    """The first and the last position of a node."""
    first = (getattr(node, "lineno", 0), getattr(node, "col_offset", 0))
    last = (getattr(node, "end_lineno", None) or first[0], getattr(node, "end_col_offset", None) or first[1])
    return first, last


def enclosing_name(statement: ast.AST, parents: dict[ast.AST, ast.AST]) -> str:
    """The qualified name of the function or class that contains a statement."""
    names = []
    while statement in parents:
        statement = parents[statement]
        if isinstance(statement, NAMED):
            names.append(statement.name)
    return ".".join(reversed(names))


@lru_cache(maxsize=64)
def statement_numbers(tree: ast.Module, kind: str, function: str) -> dict[ast.AST, int]:
    """The number of each statement of a node type in functions of this name, from 0, among the equal ones."""
    parents = parents_of(tree)
    seen: Counter[str] = Counter()
    found = {}
    for statement in parents:
        if type(statement).__name__ == kind and enclosing_name(statement, parents) == function:
            text = normalised(statement)
            found[statement] = seen[text]
            seen[text] += 1
    return found


def normalised(part: object) -> str:
    """A syntax tree as text that does not depend on formatting, without the blocks inside a statement."""
    match part:
        case ast.AST():
            fields = [(name, normalised(value)) for name, value in ast.iter_fields(part) if name not in UNWRITTEN]
            return f"{type(part).__name__}({' '.join(f'{name}={text}' for name, text in fields if text)})"
        case list():
            return ",".join(normalised(item) for item in part if not isinstance(item, BLOCKS))
        case None:
            return ""
        case _:
            return ascii(part)


def path_in_project(source: Source) -> str:
    """The path of a file relative to the folder with ``.git``, or else its displayed path; with forward slashes."""
    root = repository(source.path.parent)
    return PurePath(source.display).as_posix() if root is None else source.path.relative_to(root).as_posix()


def digest(text: str) -> str:
    """A short hash, in hexadecimal digits."""
    import hashlib  # only a finding needs it: importing it takes time

    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()[:DIGITS]
