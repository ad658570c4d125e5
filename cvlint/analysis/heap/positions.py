"""Entries by their positions, slices and copies: ``rows[-1]``, ``rows[1:]``, ``first, *rest = rows``."""

from __future__ import annotations

import ast
from typing import Any

from cvlint.analysis.domain.frozen import replace
from cvlint.analysis.domain.heap_object import BIRTHS, HeapObject, Instance
from cvlint.analysis.domain.lattice import join
from cvlint.analysis.domain.value import AnyValue, Const
from cvlint.analysis.domain.work import COPIES_PER_UNIT, work
from cvlint.analysis.state import AnalysisState


def entry_at(container: HeapObject, key: str | int | tuple[Any, ...]) -> AnyValue | None:
    """The entry under a known key or at a position; None where it is not known.

    The entries of a namedtuple have names, and are in order.
    """
    if key in container.fields:
        return container.fields[key]
    if container.elements is not None or container.kind == "dict" or not isinstance(key, int):
        return None
    last = len(container.fields) if container.kind in ("tuple", "list") else 0
    return list(container.fields.values())[key] if -len(container.fields) <= key < last else None


def known_parts(key: HeapObject) -> tuple[Any, ...] | None:
    """The key of a dict that a tuple is: ``scores["model", 3]``; None where it is not known."""
    parts = tuple(part.value for part in key.fields.values() if isinstance(part, Const))
    return parts if key.elements is None and len(parts) == len(key.fields) else None


def read_slice(state: AnalysisState, container: HeapObject, node: ast.expr) -> HeapObject:
    """``entries[1:]``: the entries of a list between the bounds; the slice of an array is a view, the same object."""
    if container.kind not in ("list", "tuple"):
        return container
    return slice_of(container, bounds_of(state, node))


def bounds_of(state: AnalysisState, node: ast.expr) -> slice | None:
    """The bounds of a slice in the code; None if they are not known."""
    limits = (node.lower, node.upper, node.step) if isinstance(node, ast.Slice) else (node,)
    bounds = [Const() if limit is None else state.evaluate(state, limit) for limit in limits]
    known = [b.value for b in bounds if isinstance(b, Const) and isinstance(b.value, (int, type(None)))]
    return slice(*known) if len(known) == 3 else None


def columns_between(container: HeapObject, bounds: slice | None) -> HeapObject:
    """``table.iloc[:, 1:]``: the columns of a table between the bounds; all if these are unknown."""
    columns = list(container.fields.items())[bounds or slice(None)]
    kept = {title if isinstance(title, str) else at: column for at, (title, column) in enumerate(columns)}
    return HeapObject(container.kind, kept, container.elements, container.extent, container.allocation_loops)


def slice_of(container: HeapObject, bounds: slice | None) -> HeapObject:
    """The entries of a list between ``bounds``; one that may be any of them if positions or bounds are not known."""
    part = copy_container(container)
    part.patterns = {}
    part.sources = (container, *container.sources)
    if container.elements is None and bounds is not None:
        part.fields = dict(enumerate(list(container.fields.values())[bounds]))
    elif container.fields and bounds != slice(None):
        part.elements, part.fields = join(container.entries()), {}
    return part


def copy_container(container: HeapObject) -> HeapObject:
    """A copy of a container or an object; later writes to one do not change the other."""
    work(1 + len(container.fields) // COPIES_PER_UNIT)
    if isinstance(container, Instance):
        return replace(
            container,
            fields=dict(container.fields),
            patterns=dict(container.patterns),
            attributes=dict(container.attributes),
            taint=dict(container.taint),
            write_loops=dict(container.write_loops),
            given=dict(container.given),
            birth=next(BIRTHS),
        )
    copied = HeapObject(
        container.kind,
        dict(container.fields),
        container.elements,
        container.extent,
        container.allocation_loops,
        container.default,
        container.trace,
    )
    copied.patterns, copied.labels, copied.keys = dict(container.patterns), container.labels, container.keys
    return copied
