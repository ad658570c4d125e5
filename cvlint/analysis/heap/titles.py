"""Columns and rows of tables under lists of titles: ``table[["fold", "f1"]]``, ``table.loc[["recall"], classes]``."""

from __future__ import annotations

import ast
from typing import TypeGuard

from cvlint.analysis.domain.heap_object import HeapObject
from cvlint.analysis.domain.value import AnyValue, Const
from cvlint.analysis.state import AnalysisState
from cvlint.analysis.syntax import nodes_in
from cvlint.analysis.taint import constant_columns

TITLES = ("columns", "keys")
WITHOUT = ("drop", "difference")


def names_columns(key: AnyValue) -> TypeGuard[HeapObject]:
    """Whether a key is a list of known titles: ``["fold", "f1"]``."""
    return isinstance(key, HeapObject) and bool(key.fields) and all(isinstance(v, Const) for v in key.fields.values())


def titles_of(table: AnyValue) -> HeapObject | None:
    """The titles of a table, in a list; None if it may have others, or columns without one."""
    if not isinstance(table, HeapObject) or table.kind not in ("frame", "table") or table.elements is not None:
        return None
    titles = {at: Const(value=title) for at, title in enumerate(table.fields) if isinstance(title, str)}
    is_known = bool(titles) and len(titles) == len(table.fields)
    return HeapObject("list", dict(titles), allocation_loops=table.allocation_loops) if is_known else None


def columns_under(container: HeapObject, key: HeapObject) -> HeapObject:
    """The columns that a list of titles names, or else the rows; the whole table if none of them is known."""
    chosen = entries_under(container, key)
    if chosen is None:
        return rows_under(container, key)
    return HeapObject("table", chosen.fields, container.elements, container.extent, container.allocation_loops)


def rows_under(container: HeapObject, key: HeapObject) -> HeapObject:
    """The rows that a list of titles names, in the columns that know theirs: ``pd.DataFrame(report).loc[["recall"]]``.

    Of a table that was turned, as in ``pd.DataFrame(report).T[["recall"]]``, these are the columns.
    """
    columns = {title: cut_to_rows(column, key) for title, column in container.fields.items()}
    elements = None if container.elements is None else cut_to_rows(container.elements, key)
    if elements is container.elements and all(columns[title] is column for title, column in container.fields.items()):
        return container
    return HeapObject(container.kind, columns, elements, container.extent, container.allocation_loops)


def cut_to_rows(column: AnyValue, key: HeapObject) -> AnyValue:
    """The rows of a column under a list of titles; the whole column if it knows none of them."""
    found = entries_under(column, key) if isinstance(column, HeapObject) and column.kind in ("dict", "table") else None
    return column if found is None else found


def entries_under(container: HeapObject, key: HeapObject) -> HeapObject | None:
    """The entries of a container that a list of titles names, in their order; None if it has none of them."""
    titles = [v.value for v in key.fields.values() if isinstance(v, Const)]
    chosen = {title: container.fields[title] for title in titles if title in container.fields}
    if not chosen:
        return None
    return HeapObject(container.kind, chosen, None, container.extent, container.allocation_loops)


def titles_left_out(state: AnalysisState, key: ast.expr) -> list[str]:
    """The titles that a key takes out of all columns, where it spells them out; empty for other keys."""
    definition = state.environment.definitions.get(key.id) if isinstance(key, ast.Name) else key
    match definition:
        case ast.Call(func=ast.Attribute(value=taken, attr="tolist" | "to_list"), args=[]):
            definition = taken
        case ast.Call(func=ast.Name(id="list"), args=[taken]):
            definition = taken
    match definition:
        case ast.ListComp(elt=ast.Name(id=kept), generators=[ast.comprehension(target=ast.Name(id=name), ifs=tests)]):
            return titles_refused(state, name, tests) if kept == name else []
        case ast.Call(func=ast.Attribute(value=columns, attr=method), args=[removed, *_]) if method in WITHOUT:
            return constant_columns(state, removed) if is_titles(columns) else []
        case _:
            return []


def is_titles(node: ast.expr) -> bool:
    """Whether an expression is ``frame.columns``."""
    return isinstance(node, ast.Attribute) and node.attr in TITLES


def titles_refused(state: AnalysisState, name: str, tests: list[ast.expr]) -> list[str]:
    """The titles that all tests of a comprehension refuse: ``c != "label"``, ``c not in ("id", "label")``."""
    if any(nodes_in(test, ast.Or) for test in tests):
        return []
    found: list[str] = []
    for comparison in (c for test in tests for c in nodes_in(test, ast.Compare)):
        match comparison:
            case ast.Compare(left=ast.Name(id=one), ops=[ast.NotEq() | ast.NotIn()], comparators=[refused]) if (
                one == name
            ):
                found += listed(state, refused)
            case _:
                pass
    return found


def listed(state: AnalysisState, node: ast.expr) -> list[str]:
    """The titles that a list, a tuple, a set or a text spells out, perhaps under a name."""
    if isinstance(node, ast.Name):
        node = state.environment.definitions.get(node.id, node)
    entries = node.elts if isinstance(node, (ast.List, ast.Tuple, ast.Set)) else [node]
    return [e.value for e in entries if isinstance(e, ast.Constant) and isinstance(e.value, str)]
