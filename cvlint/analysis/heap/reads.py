"""Read containers: entries, columns and rows, and which axes they vary over."""

from __future__ import annotations

import ast
import re
from dataclasses import replace

from cvlint.analysis.checkers.leakage import held_out_parts, into_split
from cvlint.analysis.checkers.search_scores import search_column
from cvlint.analysis.checkers.undefined_folds import masked
from cvlint.analysis.domain.lattice import UNKNOWN, array, element, join, measures, options, settled, with_step
from cvlint.analysis.domain.value import (
    NO_AXES,
    AnyValue,
    Axes,
    Cell,
    Const,
    Data,
    Either,
    Library,
    Measured,
    Thing,
    axes_of,
)
from cvlint.analysis.inference.identifier_inference import named_by_key, speaks_of_folds
from cvlint.analysis.inference.loop_axes import held_out
from cvlint.analysis.state import Run
from cvlint.analysis.syntax import names_in
from cvlint.analysis.taint import root


def made_by(run: Run, factory: AnyValue, node: ast.AST, born: Axes) -> AnyValue:
    """What the factory of a defaultdict makes, as if made where the dict was."""
    value = run.call(run, factory, ([], {}), node)
    match value:
        case Cell():
            value.born = born
            return value
        case Const():
            return Const(value=value.value, born=born)
        case _:
            return value


SCALAR_KEYS = ("loop-index", "number", "key", "length")


ROW_KEYS = ("part", "test-indices", "train-indices", "mask", "slice-part", "slice", "hard", "nan-mask")


def item(run: Run, base: AnyValue, node: ast.Subscript) -> AnyValue:
    """The value of ``base[key]``."""
    marks = run.marks
    key = run.evaluate(run, node.slice)
    if isinstance(key, Data) and key.what in ("train-indices", "test-indices"):
        for axis in key.axes:
            into_split(run, marks, axis.step, "folds")
            run.indexed.setdefault(axis, set()).update(names_in(node.value))
        if key.what in ("train-indices", "test-indices"):
            held_out_parts(run, node, root(node.value))
    keys = options(key)
    keys = keys if all(isinstance(k, Const) for k in keys) else (key,)
    found = [item_of(run, option, k, node) for option in options(base) for k in keys]
    return found[0] if len(found) == 1 else join(found)


def item_of(run: Run, base: AnyValue, key: AnyValue, node: ast.Subscript) -> AnyValue:
    """An entry of one value."""
    match base:
        case Cell():
            return cell_item(run, base, key, node)
        case Measured() | Data() if base.along:
            masked(run, base, key, node)
            return array_item(base, key, node.slice)
        case Measured():
            return base
        case Thing(role="search-results"):
            return search_column(run, base, key, node)
        case Library():
            return run.call(run, base, ([key], {}), node)  # np.r_[a, b]
        case Thing(role="loader" | "iterator" | "folds"):
            return Data(axes_of(base) | run.active_axes, opaque=True)
        case Data():
            return data_item(run, base, key, node)
        case _:
            return named_by_key(run, Data(axes_of(key) | run.active_axes, opaque=True), key_name(key), node)


def key_name(key: AnyValue) -> str:
    """A key as a name, if it is a string."""
    return key.value if isinstance(key, Const) and isinstance(key.value, str) else ""


def data_item(run: Run, base: Data, key: AnyValue, node: ast.Subscript) -> AnyValue:
    """A part of data: it varies as its key does; the rows of one fold are pooled no more."""
    if base.what == "fold-pieces":
        loops_index = isinstance(key, Data) and key.what == "loop-index"
        if loops_index:
            held_out(run, key)
        return Data(base.axes | axes_of(key), opaque=True)
    axes = base.axes | axes_of(key)
    what = base.what
    if what == "hard" and isinstance(key, Cell) and key.kind == "tuple":
        what = "unknown"  # labels have no columns
    if isinstance(key, Data) and key.what in ("slice-before", "slice-after"):
        return Data(axes, what=key.what.removeprefix("slice-"))
    if isinstance(key, Data) and key.what == "slice-part":
        names = names_in(node.slice)
        if any(run.knowledge.conforms("fold", name) for name in names):
            held_out(run, key)
    if isinstance(key, Data) and key.what in ("train-indices", "test-indices"):
        what = "train" if key.what == "train-indices" else ("unknown" if what == "train" else what)
    value = Data(axes, (), base.trace, what, parted(base.pooled, key), base.opaque)
    return named_by_key(run, value, key_name(key), node)


def parted(pooled: Axes, key: AnyValue) -> Axes:
    """The axes that stay pooled in the rows under ``key``: one fold's rows are those of one model."""
    axes = axes_of(key)
    columns = {axis.column for axis in axes if axis.column}
    splitters = {id(axis.splitter) for axis in axes if axis.splitter is not None}  # which makes the same folds again
    left = frozenset(
        axis for axis in pooled - axes if axis.column not in columns and id(axis.splitter) not in splitters
    )
    rows = isinstance(key, Data) and key.what == "part"  # of one group, which may well be a fold
    if rows or any(axis.kind == "fold" for axis in axes):
        return frozenset(axis for axis in left if not axis.soft)
    return left


def array_item(base: Measured | Data, key: AnyValue, node: ast.expr) -> AnyValue:
    """An entry, a column or a part of an array."""
    match key:
        case Cell(kind="tuple") if len(key.keyed) == 2 and len(base.along) > 1:
            kept = [dim for i, dim in enumerate(base.along) if i > 1 or is_slice(key.keyed[i])]
            gone = [dim for i, dim in enumerate(base.along) if i < 2 and not is_slice(key.keyed[i])]
            return replace(base, along=tuple(kept), axes=base.axes.union(*gone))
        case Data(
            what="slice" | "mask" | "part" | "nan-mask" | "slice-part" | "slice-before" | "slice-after" | "indices"
        ):
            return base
        case Cell() | Measured():
            return base
        case _:
            return element(base)


def is_slice(value: AnyValue) -> bool:
    """Whether a key keeps its dimension."""
    return isinstance(value, Data) and value.what not in SCALAR_KEYS and value.what != "unknown"


def cell_item(run: Run, cell: Cell, key: AnyValue, node: ast.Subscript) -> AnyValue:
    """An entry of a container."""
    if len(cell.patterns) > 1 and (alike := of_pattern(cell, key)) is not None:
        return element(alike)
    match key:
        case Const(value=str() | int() | bool() as known):
            found = known_item(run, cell, known, node)
            return found if key.drawn else called_so(run, found, known, node)
        case Cell(kind="tuple"):
            return table_item(run, cell, key, node)
        case Cell() if key.keyed and all(isinstance(v, Const) for v in key.keyed.values()):
            chosen = {
                v.value: cell.keyed[v.value]
                for v in key.keyed.values()
                if isinstance(v, Const) and v.value in cell.keyed
            }
            return Cell("table", chosen, cell.rest, cell.extent, cell.born) if chosen else cell
        case Data(what="slice-before" | "slice-after" as part) if cell.kind == "list" and key.axes:
            return Data(key.axes | axes_of(cell), what=part.removeprefix("slice-"))
        case Data(what="slice" | "slice-before" | "slice-after" | "slice-part"):
            return cell
        case Either():
            return join(cell_item(run, cell, option, node) for option in key.options)
        case Data() if cell.kind == "dict" and cell.rest is None and cell.default is not None:
            cell.rest = made_by(run, cell.default, node, cell.born)
            return cell.rest
        case Data() if cell.kind in ("array", "list", "table", "frame") and (
            key.what in ROW_KEYS or cell.kind == "array"
        ):
            masked(run, array(cell), key, node)
            return unpooled(cell, key)
        case Data() if cell.kind == "dict" and is_setting(run, node.slice, key) and len(kinds_in(cell)) > 1:
            return Data(axes_of(cell) | run.active_axes, what="chosen")
        case _:
            return element(cell)


def is_setting(run: Run, node: ast.expr, key: Data) -> bool:
    """Whether a key is the same in all passes of the loops under way, ``args.metric``, and not known."""
    turning = frozenset().union(*(axis.targets for axis in run.active))
    unknown = isinstance(node, ast.Attribute) or (key.opaque and not key.axes)
    return unknown and not names_in(node) & turning


def kinds_in(cell: Cell) -> set[str]:
    """The kinds of measures that a container holds under known keys."""
    return {found.measure.kind for entry in cell.keyed.values() for found in measures(entry)}


def of_pattern(cell: Cell, key: AnyValue) -> Cell | None:
    """The entries of a dict under keys that are spelled like this one, if it is clear which these are."""
    match key:
        case Data(what="text", pattern=pattern):
            return cell.patterns.get(pattern)
        case Const(value=str() as text) if text not in cell.keyed:
            spelled = {".+".join(map(re.escape, p.split("\0"))): entries for p, entries in cell.patterns.items()}
            found = [entries for spelling, entries in spelled.items() if re.fullmatch(spelling, text)]
            return found[0] if len(found) == 1 else None
        case _:
            return None


def unpooled(cell: Cell, key: Data) -> AnyValue:
    """Some rows of an array or a frame that was filled fold by fold."""
    value = array(cell)
    match value:
        case Cell(kind="frame"):
            rows = replace_cell(value)
            rows.keyed = {name: rows_of(column, key) for name, column in value.keyed.items()}
            rows.rest = None if value.rest is None else rows_of(value.rest, key)
            return rows
        case Measured() if key.what not in ROW_KEYS:
            return element(value)
        case _:
            return rows_of(value, key)


def rows_of(value: AnyValue, key: Data) -> AnyValue:
    """Some rows of an array, or of a column: those of one fold are pooled no more."""
    match value:
        case Data():
            return Data(
                value.axes | key.axes, (), value.trace, value.what, parted(value.pooled.union(*value.along), key)
            )
        case Either():
            return join(rows_of(option, key) for option in value.options)
        case Cell(kind="list" | "array") if isinstance(filled := array(value), Data):
            return rows_of(filled, key)
        case _:
            return value


def groups_of(run: Run, base: AnyValue, node: ast.expr) -> tuple[Axes, AnyValue] | None:
    """The folds, and the rows of one of them, of ``frame.groupby("fold")``; None for other groups."""
    match node:
        case ast.Call(func=ast.Attribute(attr="groupby"), args=[key, *_]) if speaks_of_folds(run, key):
            found = (pooled_axes(option) for option in options(base))
            folds = frozenset(axis for axes in found for axis in axes if axis.kind == "fold")
        case _:
            return None
    if not folds:
        return None
    rows = [unpooled(o, Data(folds, what="part")) if isinstance(o, Cell) else o for o in options(base)]
    return folds, join(rows)


def known_item(run: Run, cell: Cell, key: str | int | bool, node: ast.Subscript) -> AnyValue:
    """The entry under a key that is known."""
    if key in cell.keyed:
        return cell.keyed[key]
    if isinstance(key, int) and key < 0 and cell.rest is None and -key <= len(cell.keyed) and cell.kind != "dict":
        return list(cell.keyed.values())[key]
    if cell.kind == "dict" and cell.default is not None:
        cell.keyed[key] = made_by(run, cell.default, node, cell.born)
        return cell.keyed[key]
    if isinstance(key, str) and cell.rest is not None:
        cell.keyed[key] = fresh(cell.rest, key, run, node) if cell.kind == "dict" else cell.rest
        return cell.keyed[key]
    if cell.kind == "frame":
        made = Cell("list", born=cell.born)
        if cell.default is not None and isinstance(key, str):
            cell.keyed[key] = made
            return made
        return named_by_key(run, Data(cell.born | run.active_axes, opaque=True), key, node)
    if cell.rest is None and (not cell.keyed or isinstance(key, str)):
        return named_by_key(run, Data(run.active_axes, opaque=True), key, node)
    found = element(cell)
    return settled(found, cell.extent) if isinstance(found, Data) else found  # ``folds[0]`` is of one fold


def called_so(run: Run, value: AnyValue, key: object, node: ast.AST) -> AnyValue:
    """A measure that is looked up by its own name: whoever does that knows what it is."""
    if isinstance(value, Measured) and isinstance(key, str) and run.knowledge.measure_named(key) == value.measure.kind:
        owner = run.frame.owner
        if owner is not None and not any(owner in step.owners for step in value.trace):
            return with_step(value, run.step(node, f"{value.measure} is looked up by its name here"))
    return value


def fresh(value: AnyValue, key: str, run: Run, node: ast.AST) -> AnyValue:
    """The entry of its own that a key of a dict of containers has."""
    match value:
        case Cell():
            return replace_cell(value)
        case Either():
            return join(fresh(v, key, run, node) for v in value.options)
        case _:
            return named_by_key(run, value, key, node)


def table_item(run: Run, cell: Cell, key: Cell, node: ast.Subscript) -> AnyValue:
    """``table[rows, column]``: a column by its name or number, one entry of it when the row is one."""
    row, column = key.keyed.get(0, UNKNOWN), key.keyed.get(1, UNKNOWN)
    rows_kept = is_slice(row)
    if isinstance(column, Const) and column.value in cell.keyed:
        found = cell.keyed[column.value]
        return found if rows_kept else element(found)
    if isinstance(column, Const) and isinstance(column.value, str) and cell.kind == "frame":
        return known_item(run, cell, column.value, node)
    value = array(cell)
    if isinstance(value, Data) and isinstance(row, Data) and (row.what in ROW_KEYS or row.axes):
        return unpooled(cell, row)
    if isinstance(value, Measured | Data) and value.along:
        return array_item(value, key, node.slice)
    return value if isinstance(value, Data) else element(cell)


def replace_cell(cell: Cell) -> Cell:
    """A copy of a container, which grows apart from it."""
    copied = Cell(cell.kind, dict(cell.keyed), cell.rest, cell.extent, cell.born, cell.default, cell.trace)
    copied.patterns = dict(cell.patterns)
    return copied


def pooled_axes(value: AnyValue | None, depth: int = 4) -> Axes:
    """The axes whose parts are together in what is given to a measure."""
    match value:
        case Data():
            return value.pooled.union(*value.along)
        case Cell() if depth:
            inner = frozenset().union(*(pooled_axes(v, depth - 1) for v in value.entries()))
            return inner | (
                value.extent if value.rest is not None and not isinstance(value.rest, Measured) else NO_AXES
            )
        case Either() if depth:
            return frozenset().union(*(pooled_axes(v, depth - 1) for v in value.options))
        case _:
            return NO_AXES
