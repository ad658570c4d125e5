"""Columns and rows of tables under lists of titles: ``table[["fold", "f1"]]``, ``table.loc[["recall"], classes]``."""

from __future__ import annotations

from typing import TypeGuard

from cvlint.analysis.domain.heap_object import HeapObject
from cvlint.analysis.domain.value import AnyValue, Const


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
