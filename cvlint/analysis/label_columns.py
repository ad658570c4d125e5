"""What taint labels apply to: columns of a frame, entries of a tuple, and columns of a frame inside another object.

``table["age"] = scaled`` labels the column ``age`` of ``table``. ``data["train"]["age"] = scaled`` and
``adata.obsm["pca"] = scaled`` label a column by its *path*, from the outside to the inside.
"""

from __future__ import annotations

from cvlint.analysis.domain.taint_label import NO_COLUMNS, Taint, for_columns, is_entry_label

INSIDE = "\x1f"  # between the names of a path: no title holds it


def labels_for_columns(taint: Taint, keys: list[str]) -> Taint:
    """The labels of a value that is written to some columns."""
    columns = frozenset(keys)
    return frozenset(for_columns(m, columns) for m in taint) if keys else taint


def labels_within(taint: Taint, keys: list[str]) -> Taint:
    """The labels of a frame, as labels of the object that holds it under these keys; of all columns they stay such."""
    if not keys:
        return taint
    paths = (frozenset(f"{key}{INSIDE}{column}" for key in keys for column in m.columns) for m in taint)
    return frozenset(
        m if is_entry_label(m) else for_columns(m, columns) for m, columns in zip(taint, paths, strict=True)
    )


def first_of_path(column: str) -> str:
    """The outermost name of a column's path."""
    return column.partition(INSIDE)[0]


def taint_of_columns(taint: Taint, keys: list[str]) -> Taint:
    """The labels that apply to some columns; for a single column they lose its name."""
    found = frozenset(m for m in taint if not m.columns or not m.columns.isdisjoint(keys) or inside(m.columns, keys))
    if len(keys) != 1:
        return found
    return frozenset(for_columns(m, NO_COLUMNS if keys[0] in m.columns else inside(m.columns, keys)) for m in found)


def inside(columns: frozenset[str], keys: list[str]) -> frozenset[str]:
    """The paths of columns inside of what the keys take: ``age`` of the path ``train``, ``age`` for ``["train"]``."""
    starts = tuple([key + INSIDE for key in keys])
    return frozenset(column.partition(INSIDE)[2] for column in columns if column.startswith(starts))


def without_columns(taint: Taint, keys: list[str]) -> Taint:
    """The taint that is left after some columns are dropped."""
    left = ((m, frozenset(c for c in m.columns if first_of_path(c) not in keys)) for m in taint)
    return frozenset(for_columns(m, columns) for m, columns in left if columns or not m.columns)


def entry_key(index: int) -> str:
    """The name of a tuple's entry among the columns of a label."""
    return f"[{index}]"


def taint_of_entry(taint: Taint, index: int) -> Taint:
    """The taint of one entry of a value that may be a tuple."""
    key = entry_key(index)
    kept = (m for m in taint if key in m.columns or not is_entry_label(m))
    return frozenset(for_columns(m, NO_COLUMNS) if key in m.columns else m for m in kept)


def taint_of_entries(entries: list[Taint]) -> Taint:
    """The taint of a tuple of such entries; each label names its entry."""
    found = ((i, m) for i, taint in enumerate(entries) for m in taint)
    return frozenset(m if m.columns else for_columns(m, frozenset((entry_key(i),))) for i, m in found)


def without_entry_keys(taint: Taint) -> Taint:
    """The taint of a tuple that is passed on as a whole."""
    if not any(map(is_entry_label, taint)):
        return taint
    return frozenset([for_columns(m, NO_COLUMNS) if is_entry_label(m) else m for m in taint])
