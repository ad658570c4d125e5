"""Select rows of arrays and frames: a single row, those of a fold, those under a mask.

The rows of one fold come from one model: they are no longer pooled along that loop.
"""

from __future__ import annotations

import ast

from cvlint.analysis.domain.axis import Axes
from cvlint.analysis.domain.frozen import replace
from cvlint.analysis.domain.heap_object import HeapObject
from cvlint.analysis.domain.lattice import as_array, element_of, join, options, pooled_axes
from cvlint.analysis.domain.value import MASKS, AnyValue, Const, Data, MeasureValue, Union, axes_of
from cvlint.analysis.heap.positions import copy_container
from cvlint.analysis.inference.identifier_inference import mentions_folds
from cvlint.analysis.state import AnalysisState

SCALAR_KEYS = ("loop-index", "key")


ROW_KEYS = ("part", "test-indices", "train-indices", *MASKS, "slice-part", "slice", "nan-mask")


def is_row_key(state: AnalysisState, key: AnyValue, node: ast.Subscript) -> bool:
    """Whether a key selects one row of a frame: ``frame.iloc[0]``, ``frame.loc[i]``."""
    by_rows = isinstance(node.value, ast.Attribute) and node.value.attr in state.knowledge.groups["selects-rows"]
    return by_rows and (
        (isinstance(key, Const) and isinstance(key.value, int) and not isinstance(key.value, bool))
        or (isinstance(key, Data) and key.index in SCALAR_KEYS)
    )


def is_row_label(state: AnalysisState, frame: HeapObject, key: AnyValue, node: ast.Subscript) -> bool:
    """Whether a key is a text of the index, which many rows may have: ``frame.set_index("model").loc["svm"]``."""
    by_rows = isinstance(node.value, ast.Attribute) and node.value.attr in state.knowledge.groups["selects-rows"]
    return by_rows and isinstance(key, Const) and isinstance(key.value, str) and key.value not in frame.fields


def select_rows(container: HeapObject, key: Data) -> AnyValue:
    """Some rows of an array or a frame that was filled fold by fold."""
    value = as_array(container)
    match value:
        case HeapObject(kind="frame"):
            rows = copy_container(value)
            rows.fields = {name: select_column_rows(column, key) for name, column in value.fields.items()}
            rows.elements = None if value.elements is None else select_column_rows(value.elements, key)
            return rows
        case MeasureValue() if key.index not in ROW_KEYS:
            return element_of(value)
        case _:
            return select_column_rows(value, key)


def select_column_rows(value: AnyValue, key: Data) -> AnyValue:
    """Some rows of an array or a column; those of a single fold are no longer pooled."""
    match value:
        case Data():
            pooled = pooled_after_selection(value.pooled.union(*value.along), key)
            return replace(value, axes=value.axes | key.axes, along=(), pooled=pooled, opaque=False, size=None)
        case Union():
            return join(select_column_rows(option, key) for option in value.options)
        case HeapObject(kind="list" | "array") if isinstance(filled := as_array(value), Data):
            return select_column_rows(filled, key)
        case _:
            return value


def fold_groups(state: AnalysisState, base: AnyValue, node: ast.expr) -> tuple[Axes, AnyValue] | None:
    """The folds of ``frame.groupby("fold")``, and the rows of one of them; None for other groups."""
    known = state.knowledge.groups["groups-rows"]
    match node:
        case ast.Call(func=ast.Attribute(attr=name), args=[key, *_]) if name in known and mentions_folds(state, key):
            found = (pooled_axes(option) for option in options(base))
            folds = frozenset(axis for axes in found for axis in axes if axis.kind == "fold")
        case _:
            return None
    if not folds:
        return None
    rows = [select_rows(o, Data(folds, index="part")) if isinstance(o, HeapObject) else o for o in options(base)]
    return folds, join(rows)


def pooled_after_selection(pooled: Axes, key: AnyValue) -> Axes:
    """The axes that are still pooled in the rows under ``key``: the rows of one fold come from one model."""
    if not pooled:
        return pooled
    axes = axes_of(key)
    columns = {axis.compared_column for axis in axes if axis.compared_column}
    splitters = {
        id(axis.splitter) for axis in axes if axis.splitter is not None
    }  # the same splitter makes the same folds again
    left = frozenset(
        axis for axis in pooled - axes if axis.compared_column not in columns and id(axis.splitter) not in splitters
    )
    rows = isinstance(key, Data) and key.index == "part"  # the rows of one group, which may well be a fold
    if rows or any(axis.kind == "fold" for axis in axes):
        return frozenset(axis for axis in left if not axis.heuristic)
    return left
