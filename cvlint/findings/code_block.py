"""Blocks of code: how a check recognises that the code around two findings was copied.

The block of a finding reaches from the first of its steps in the same function to the last one. Two blocks are equal if
their syntax trees are: comments and formatting do not count, and every name and every text does.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import lru_cache

from cvlint.findings.fingerprint import BLOCKS, digest, enclosing_name, normalised, parents_of, statement_of
from cvlint.records import dataclass, field
from cvlint.source.module import Source

LEAST = 4
"""The statements that a block has at least, if the function around it has so many: one equal line is no copy."""

Place = tuple[list[ast.AST], int]
"""A list of statements, and the index of one of them."""


@dataclass(frozen=True, slots=True)
class CodeBlocks:
    """Makes the hashes of blocks; it remembers the text of each statement, because blocks overlap."""

    texts: dict[ast.AST, str] = field(default_factory=dict)

    def hash(self, source: Source, node: ast.AST, steps: Iterable[tuple[Source, ast.AST]]) -> str:
        """The hash of the block around ``node`` and ``steps``; a step in another function counts by its statement."""
        parents = parents_of(source.tree)
        statement = statement_of(node, parents)
        if statement not in parents:
            return ""
        own, others = [statement], []
        for step_source, step in steps:
            step_parents = parents_of(step_source.tree)
            found = statement_of(step, step_parents)
            is_near = step_source is source and function_of(found, parents) is function_of(statement, parents)
            if is_near and found in parents:
                own.append(found)
            else:
                others.append(normalised(found))
        block = widened(stretch(own, parents), parents)
        inside = next((i for i, one in enumerate(all_statements(block)) if one is statement), 0)
        words = [*map(self.text, all_statements(block)), str(inside), *sorted(others)]
        return digest("\n".join(words))

    def text(self, statement: ast.AST) -> str:
        """The text of a statement without those inside it."""
        if statement not in self.texts:
            self.texts[statement] = normalised(statement)
        return self.texts[statement]


def function_of(node: ast.AST, parents: dict[ast.AST, ast.AST]) -> ast.AST | None:
    """The function around a node; None at module level."""
    while node in parents:
        node = parents[node]
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            return node
    return None


def stretch(statements: Iterable[ast.AST], parents: dict[ast.AST, ast.AST]) -> list[ast.AST]:
    """The shortest run of statements of one body that contains all given ones, which lie in one function."""
    ways = [list(way_to(one, parents)) for one in statements]
    run: list[ast.AST] = []
    for places in zip(*ways, strict=False):
        body = places[0][0]
        if any(other is not body for other, _ in places):
            break
        first, last = min(index for _, index in places), max(index for _, index in places)
        run = body[first : last + 1]
        if first != last:
            break
    return run


def way_to(statement: ast.AST, parents: dict[ast.AST, ast.AST]) -> Iterator[Place]:
    """The places of the statements around a statement in the bodies of its function, from the outermost inwards."""
    places = []
    function = function_of(statement, parents)
    while statement in parents and statement is not function:
        place = place_of(statement, parents)
        if place is not None:
            places.append(place)
        statement = parents[statement]
    yield from reversed(places)


def place_of(statement: ast.AST, parents: dict[ast.AST, ast.AST]) -> Place | None:
    """The body that a statement is in, and its index there."""
    return _places_in(parents[statement]).get(statement)


@lru_cache(maxsize=16)  # of a long body, each place is asked for
def _places_in(parent: ast.AST) -> dict[ast.AST, Place]:
    lists = [value for _, value in ast.iter_fields(parent) if isinstance(value, list)]
    return {one: (body, index) for body in lists for index, one in enumerate(body)}


def widened(run: list[ast.AST], parents: dict[ast.AST, ast.AST]) -> list[ast.AST]:
    """A run with the statements before it, and where there are too few also those after it and around it."""
    while run and run[0] in parents and sum(1 for _ in all_statements(run)) < LEAST:
        place = place_of(run[0], parents)
        if place is None:
            return run
        body, first = place
        last = first + len(run)
        if first > 0:
            run = body[first - 1 : last]
        elif last < len(body):
            run = body[: last + 1]
        elif isinstance(parents[run[0]], BLOCKS):
            run = [parents[run[0]]]
        else:
            return run
    return run


def all_statements(run: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """The statements of a run and those inside them, in the order of the code."""
    waiting = list(run)[::-1]
    while waiting:
        statement = waiting.pop()
        yield statement
        inside = [child for child in ast.iter_child_nodes(statement) if isinstance(child, BLOCKS)]
        waiting += inside[::-1]


def scope_name(source: Source, node: ast.AST) -> str:
    """The file and the function that a node is in, as a text."""
    parents = parents_of(source.tree)
    statement = statement_of(node, parents)
    function = function_of(statement, parents)
    return f"{source.display}\n{enclosing_name(statement, parents)}\n{getattr(function, 'lineno', 0)}"
