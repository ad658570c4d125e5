"""Read containers: entries, columns and rows, and which axes they vary over."""

from __future__ import annotations

import ast
import re
from dataclasses import replace

from cvlint.analysis.checkers.leakage import check_split, label_parts
from cvlint.analysis.checkers.search_scores import search_column
from cvlint.analysis.checkers.undefined_folds.filters import check_mask
from cvlint.analysis.domain.lattice import UNKNOWN, array, element, join, leave_loop, measures, options, with_step
from cvlint.analysis.domain.value import (
    NO_AXES,
    AnyValue,
    Axes,
    Const,
    Data,
    HeapObject,
    LibraryName,
    LibraryObject,
    MeasureValue,
    Union,
    axes_of,
)
from cvlint.analysis.inference.identifier_inference import named_by_key, speaks_of_folds
from cvlint.analysis.inference.loop_axes import held_out
from cvlint.analysis.state import AnalysisState
from cvlint.analysis.syntax import names_in
from cvlint.analysis.taint import root


def made_by(state: AnalysisState, factory: AnyValue, node: ast.AST, born: Axes) -> AnyValue:
    """What the factory of a defaultdict makes, as if made where the dict was."""
    value = state.call(state, factory, ([], {}), node)
    match value:
        case HeapObject():
            value.born = born
            return value
        case Const():
            return Const(value=value.value, born=born)
        case _:
            return value


SCALAR_KEYS = ("loop-index", "number", "key", "length")


ROW_KEYS = ("part", "test-indices", "train-indices", "mask", "slice-part", "slice", "hard", "nan-mask")


def item(state: AnalysisState, base: AnyValue, node: ast.Subscript) -> AnyValue:
    """The value of ``base[key]``."""
    taint = state.taint
    key = state.evaluate(state, node.slice)
    if isinstance(key, Data) and key.codomain in ("train-indices", "test-indices"):
        for axis in key.axes:
            check_split(state, taint, axis.step, "folds")
            state.indexed.setdefault(axis, set()).update(names_in(node.value))
        if key.codomain in ("train-indices", "test-indices"):
            label_parts(state, node, root(node.value))
    keys = options(key)
    keys = keys if all(isinstance(k, Const) for k in keys) else (key,)
    found = [item_of(state, option, k, node) for option in options(base) for k in keys]
    return found[0] if len(found) == 1 else join(found)


def item_of(state: AnalysisState, base: AnyValue, key: AnyValue, node: ast.Subscript) -> AnyValue:
    """An entry of one value."""
    match base:
        case HeapObject():
            return cell_item(state, base, key, node)
        case MeasureValue() | Data() if base.along:
            check_mask(state, base, key, node)
            return array_item(base, key, node.slice)
        case MeasureValue():
            return base
        case LibraryObject(role="search-results"):
            return search_column(state, base, key, node)
        case LibraryName():
            return state.call(state, base, ([key], {}), node)  # np.r_[a, b]
        case LibraryObject(role="loader" | "iterator" | "folds"):
            return Data(axes_of(base) | state.active_axes, opaque=True)
        case Data():
            return data_item(state, base, key, node)
        case _:
            return named_by_key(state, Data(axes_of(key) | state.active_axes, opaque=True), key_name(key), node)


def key_name(key: AnyValue) -> str:
    """A key as a name, if it is a string."""
    return key.value if isinstance(key, Const) and isinstance(key.value, str) else ""


def data_item(state: AnalysisState, base: Data, key: AnyValue, node: ast.Subscript) -> AnyValue:
    """A part of data: it varies as its key does; the rows of one fold are pooled no more."""
    if base.codomain == "fold-pieces":
        loops_index = isinstance(key, Data) and key.codomain == "loop-index"
        if loops_index:
            held_out(state, key)
        return Data(base.axes | axes_of(key), opaque=True)
    axes = base.axes | axes_of(key)
    what = base.codomain
    if what == "hard" and isinstance(key, HeapObject) and key.kind == "tuple":
        what = "unknown"  # labels have no columns
    if isinstance(key, Data) and key.codomain in ("slice-before", "slice-after"):
        return Data(axes, codomain=key.codomain.removeprefix("slice-"))
    if isinstance(key, Data) and key.codomain == "slice-part":
        names = names_in(node.slice)
        if any(state.knowledge.conforms("fold", name) for name in names):
            held_out(state, key)
    if isinstance(key, Data) and key.codomain in ("train-indices", "test-indices"):
        what = "train" if key.codomain == "train-indices" else ("unknown" if what == "train" else what)
    value = Data(axes, (), base.trace, what, parted(base.pooled, key), base.opaque)
    return named_by_key(state, value, key_name(key), node)


def parted(pooled: Axes, key: AnyValue) -> Axes:
    """The axes that stay pooled in the rows under ``key``: one fold's rows are those of one model."""
    axes = axes_of(key)
    columns = {axis.column for axis in axes if axis.column}
    splitters = {id(axis.splitter) for axis in axes if axis.splitter is not None}  # which makes the same folds again
    left = frozenset(
        axis for axis in pooled - axes if axis.column not in columns and id(axis.splitter) not in splitters
    )
    rows = isinstance(key, Data) and key.codomain == "part"  # of one group, which may well be a fold
    if rows or any(axis.kind == "fold" for axis in axes):
        return frozenset(axis for axis in left if not axis.heuristic)
    return left


def array_item(base: MeasureValue | Data, key: AnyValue, node: ast.expr) -> AnyValue:
    """An entry, a column or a part of an array."""
    match key:
        case HeapObject(kind="tuple") if len(key.keyed) == 2 and len(base.along) > 1:
            kept = [dim for i, dim in enumerate(base.along) if i > 1 or is_slice(key.keyed[i])]
            gone = [dim for i, dim in enumerate(base.along) if i < 2 and not is_slice(key.keyed[i])]
            return replace(base, along=tuple(kept), axes=base.axes.union(*gone))
        case Data(
            codomain="slice" | "mask" | "part" | "nan-mask" | "slice-part" | "slice-before" | "slice-after" | "indices"
        ):
            return base
        case HeapObject() | MeasureValue():
            return base
        case _:
            return element(base)


def is_slice(value: AnyValue) -> bool:
    """Whether a key keeps its dimension."""
    return isinstance(value, Data) and value.codomain not in SCALAR_KEYS and value.codomain != "unknown"


def cell_item(state: AnalysisState, cell: HeapObject, key: AnyValue, node: ast.Subscript) -> AnyValue:
    """An entry of a container."""
    if len(cell.patterns) > 1 and (alike := of_pattern(cell, key)) is not None:
        return element(alike)
    match key:
        case Const(value=str() | int() | bool() as known):
            found = known_item(state, cell, known, node)
            return found if key.drawn else called_so(state, found, known, node)
        case HeapObject(kind="tuple"):
            return table_item(state, cell, key, node)
        case HeapObject() if key.keyed and all(isinstance(v, Const) for v in key.keyed.values()):
            chosen = {
                v.value: cell.keyed[v.value]
                for v in key.keyed.values()
                if isinstance(v, Const) and v.value in cell.keyed
            }
            return HeapObject("table", chosen, cell.rest, cell.extent, cell.born) if chosen else cell
        case Data(codomain="slice-before" | "slice-after" as part) if cell.kind == "list" and key.axes:
            return Data(key.axes | axes_of(cell), codomain=part.removeprefix("slice-"))
        case Data(codomain="slice" | "slice-before" | "slice-after" | "slice-part"):
            return cell
        case Union():
            return join(cell_item(state, cell, option, node) for option in key.options)
        case Data() if cell.kind == "dict" and cell.rest is None and cell.default is not None:
            cell.rest = made_by(state, cell.default, node, cell.born)
            return cell.rest
        case Data() if cell.kind in ("array", "list", "table", "frame") and (
            key.codomain in ROW_KEYS or cell.kind == "array"
        ):
            check_mask(state, array(cell), key, node)
            return unpooled(cell, key)
        case Data() if cell.kind == "dict" and is_setting(state, node.slice, key) and len(kinds_in(cell)) > 1:
            return Data(axes_of(cell) | state.active_axes, codomain="chosen")
        case _:
            return element(cell)


def is_setting(state: AnalysisState, node: ast.expr, key: Data) -> bool:
    """Whether a key is the same in all passes of the loops under way, ``args.metric``, and not known."""
    turning = frozenset().union(*(axis.targets for axis in state.active))
    unknown = isinstance(node, ast.Attribute) or (key.opaque and not key.axes)
    return unknown and not names_in(node) & turning


def kinds_in(cell: HeapObject) -> set[str]:
    """The kinds of measures that a container holds under known keys."""
    return {found.measure.kind for entry in cell.keyed.values() for found in measures(entry)}


def of_pattern(cell: HeapObject, key: AnyValue) -> HeapObject | None:
    """The entries of a dict under keys that are spelled like this one, if it is clear which these are."""
    match key:
        case Data(codomain="text", pattern=pattern):
            return cell.patterns.get(pattern)
        case Const(value=str() as text) if text not in cell.keyed:
            spelled = {".+".join(map(re.escape, p.split("\0"))): entries for p, entries in cell.patterns.items()}
            found = [entries for spelling, entries in spelled.items() if re.fullmatch(spelling, text)]
            return found[0] if len(found) == 1 else None
        case _:
            return None


def unpooled(cell: HeapObject, key: Data) -> AnyValue:
    """Some rows of an array or a frame that was filled fold by fold."""
    value = array(cell)
    match value:
        case HeapObject(kind="frame"):
            rows = replace_cell(value)
            rows.keyed = {name: rows_of(column, key) for name, column in value.keyed.items()}
            rows.rest = None if value.rest is None else rows_of(value.rest, key)
            return rows
        case MeasureValue() if key.codomain not in ROW_KEYS:
            return element(value)
        case _:
            return rows_of(value, key)


def rows_of(value: AnyValue, key: Data) -> AnyValue:
    """Some rows of an array, or of a column: those of one fold are pooled no more."""
    match value:
        case Data():
            return Data(
                value.axes | key.axes, (), value.trace, value.codomain, parted(value.pooled.union(*value.along), key)
            )
        case Union():
            return join(rows_of(option, key) for option in value.options)
        case HeapObject(kind="list" | "array") if isinstance(filled := array(value), Data):
            return rows_of(filled, key)
        case _:
            return value


def groups_of(state: AnalysisState, base: AnyValue, node: ast.expr) -> tuple[Axes, AnyValue] | None:
    """The folds, and the rows of one of them, of ``frame.groupby("fold")``; None for other groups."""
    match node:
        case ast.Call(func=ast.Attribute(attr="groupby"), args=[key, *_]) if speaks_of_folds(state, key):
            found = (pooled_axes(option) for option in options(base))
            folds = frozenset(axis for axes in found for axis in axes if axis.kind == "fold")
        case _:
            return None
    if not folds:
        return None
    rows = [unpooled(o, Data(folds, codomain="part")) if isinstance(o, HeapObject) else o for o in options(base)]
    return folds, join(rows)


def known_item(state: AnalysisState, cell: HeapObject, key: str | int | bool, node: ast.Subscript) -> AnyValue:
    """The entry under a key that is known."""
    if key in cell.keyed:
        return cell.keyed[key]
    if isinstance(key, int) and key < 0 and cell.rest is None and -key <= len(cell.keyed) and cell.kind != "dict":
        return list(cell.keyed.values())[key]
    if cell.kind == "dict" and cell.default is not None:
        cell.keyed[key] = made_by(state, cell.default, node, cell.born)
        return cell.keyed[key]
    if isinstance(key, str) and cell.rest is not None:
        cell.keyed[key] = fresh(cell.rest, key, state, node) if cell.kind == "dict" else cell.rest
        return cell.keyed[key]
    if cell.kind == "frame":
        made = HeapObject("list", born=cell.born)
        if cell.default is not None and isinstance(key, str):
            cell.keyed[key] = made
            return made
        return named_by_key(state, Data(cell.born | state.active_axes, opaque=True), key, node)
    if cell.rest is None and (not cell.keyed or isinstance(key, str)):
        return named_by_key(state, Data(state.active_axes, opaque=True), key, node)
    found = element(cell)
    return leave_loop(found, cell.extent) if isinstance(found, Data) else found  # ``folds[0]`` is of one fold


def called_so(state: AnalysisState, value: AnyValue, key: object, node: ast.AST) -> AnyValue:
    """A measure that is looked up by its own name: whoever does that knows what it is."""
    if (
        isinstance(value, MeasureValue)
        and isinstance(key, str)
        and state.knowledge.measure_named(key) == value.measure.kind
    ):
        owner = state.frame.owner
        if owner is not None and not any(owner in step.owners for step in value.trace):
            return with_step(value, state.step(node, f"{value.measure} is looked up by its name here"))
    return value


def fresh(value: AnyValue, key: str, state: AnalysisState, node: ast.AST) -> AnyValue:
    """The entry of its own that a key of a dict of containers has."""
    match value:
        case HeapObject():
            return replace_cell(value)
        case Union():
            return join(fresh(v, key, state, node) for v in value.options)
        case _:
            return named_by_key(state, value, key, node)


def table_item(state: AnalysisState, cell: HeapObject, key: HeapObject, node: ast.Subscript) -> AnyValue:
    """``table[rows, column]``: a column by its name or number, one entry of it when the row is one."""
    row, column = key.keyed.get(0, UNKNOWN), key.keyed.get(1, UNKNOWN)
    rows_kept = is_slice(row)
    if isinstance(column, Const) and column.value in cell.keyed:
        found = cell.keyed[column.value]
        return found if rows_kept else element(found)
    if isinstance(column, Const) and isinstance(column.value, str) and cell.kind == "frame":
        return known_item(state, cell, column.value, node)
    value = array(cell)
    if isinstance(value, Data) and isinstance(row, Data) and (row.codomain in ROW_KEYS or row.axes):
        return unpooled(cell, row)
    if isinstance(value, MeasureValue | Data) and value.along:
        return array_item(value, key, node.slice)
    return value if isinstance(value, Data) else element(cell)


def replace_cell(cell: HeapObject) -> HeapObject:
    """A copy of a container, which grows apart from it."""
    copied = HeapObject(cell.kind, dict(cell.keyed), cell.rest, cell.extent, cell.born, cell.default, cell.trace)
    copied.patterns = dict(cell.patterns)
    return copied


def pooled_axes(value: AnyValue | None, depth: int = 4) -> Axes:
    """The axes whose parts are together in what is given to a measure."""
    match value:
        case Data():
            return value.pooled.union(*value.along)
        case HeapObject() if depth:
            inner = frozenset().union(*(pooled_axes(v, depth - 1) for v in value.entries()))
            return inner | (
                value.extent if value.rest is not None and not isinstance(value.rest, MeasureValue) else NO_AXES
            )
        case Union() if depth:
            return frozenset().union(*(pooled_axes(v, depth - 1) for v in value.options))
        case _:
            return NO_AXES
