"""The order in which the cells of a notebook were run, where the order in which they stand cannot have been it.

An author writes a cell above those that it needs, and runs it after them: the numbers of the runs tell.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def run_order(tree: ast.Module, cells: Sequence[range], counts: Sequence[int | None]) -> tuple[int, ...]:
    """The cells in the order of their runs.

    Parameters
    ----------
    tree
        The code of all cells.
    cells
        The lines of each cell.
    counts
        The number of the last run of each cell.

    Returns
    -------
    tuple of int
        The indices of the cells with code. It is empty where they can have been run as they stand, and where the
        numbers tell no order: a cell never ran, two have one number, or a name is read too early in theirs, too.
    """
    statements: dict[int, list[ast.stmt]] = {}
    index = 0
    for statement in tree.body:
        while index + 1 < len(cells) and statement.lineno >= cells[index + 1].start:
            index += 1
        statements.setdefault(index, []).append(statement)
    standing = list(statements)
    numbers = [count for cell in standing if (count := counts[cell]) is not None]
    if len(set(numbers)) < len(standing) or numbers == sorted(numbers):
        return ()
    by_run = sorted(standing, key=lambda cell: counts[cell] or 0)
    bound = {cell: frozenset(names_bound(code)) for cell, code in statements.items()}
    read = {cell: frozenset(names_read(code)) for cell, code in statements.items()}
    if not reads_too_early(standing, bound, read) or reads_too_early(by_run, bound, read):
        return ()
    return tuple(by_run)


def reads_too_early(
    order: Sequence[int], bound: dict[int, frozenset[str]], read: dict[int, frozenset[str]]
) -> frozenset[str]:
    """The names that a cell reads before a later cell binds them."""
    all_bound = frozenset[str]().union(*bound.values())
    known, early = frozenset[str](), frozenset[str]()
    for cell in order:
        known |= bound[cell]
        early |= read[cell] & all_bound - known
    return early


def names_bound(code: Sequence[ast.stmt]) -> Iterator[str]:
    """The names that statements bind for the cells after them."""
    for node in outside_functions(code):
        match node:
            case ast.Name(id=name, ctx=ast.Store()):
                yield name
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.alias(name=name, asname=asname):
                yield asname or name.partition(".")[0]


def names_read(code: Sequence[ast.stmt]) -> Iterator[str]:
    """The names that statements read when they run; a function reads its names later."""
    return (n.id for n in outside_functions(code) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load))


def outside_functions(code: Sequence[ast.AST]) -> Iterator[ast.AST]:
    """The nodes of statements without the bodies of functions."""
    waiting = list(code)
    while waiting:
        node = waiting.pop()
        yield node
        body = node.body if isinstance(node, SCOPES) else []
        later = {id(part) for part in (body if isinstance(body, list) else [body])}
        waiting += [child for child in ast.iter_child_nodes(node) if id(child) not in later]
