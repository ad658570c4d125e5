"""Read containers: ``scores[fold]``, ``frame["f1"]``, ``X[test]``, ``table[row, column]``.

A read under an unknown key gives one of the elements and *varies* over the container's extent. A selection of rows
keeps the dimension; the rows of a single fold are no longer pooled.
"""

from __future__ import annotations

import ast
from typing import TypeGuard

from cvlint.analysis.checkers.leakage.learned import check_split, label_parts, label_rows
from cvlint.analysis.checkers.leakage.row_cuts import check_identifiers, check_single_split, without_training_rows
from cvlint.analysis.checkers.search_scores import search_column
from cvlint.analysis.checkers.undefined_folds.filters import check_mask
from cvlint.analysis.domain.axis import NO_AXES, Axes, sorted_axes
from cvlint.analysis.domain.codomain import TOP, Codomain, Kind
from cvlint.analysis.domain.environment import ClassValue
from cvlint.analysis.domain.frozen import replace
from cvlint.analysis.domain.heap_object import HeapObject
from cvlint.analysis.domain.lattice import (
    UNKNOWN,
    as_array,
    element_of,
    join,
    leave_loop,
    measures_in,
    options,
    vary_over,
    with_step,
)
from cvlint.analysis.domain.taint_label import sorted_labels
from cvlint.analysis.domain.texts import anonymous, covers
from cvlint.analysis.domain.value import (
    AnyValue,
    Const,
    Data,
    LibraryName,
    LibraryObject,
    MeasureValue,
    Union,
    axes_of,
)
from cvlint.analysis.heap.entries import make_default
from cvlint.analysis.heap.paths import counted_loops
from cvlint.analysis.heap.positions import bounds_of, columns_between, copy_container, entry_at, known_parts, read_slice
from cvlint.analysis.heap.row_selection import (
    ROW_KEYS,
    SCALAR_KEYS,
    is_row_key,
    is_row_label,
    pooled_after_selection,
    select_rows,
)
from cvlint.analysis.heap.titles import columns_under, names_columns, rows_under
from cvlint.analysis.inference.identifier_inference import named_measures, type_by_key
from cvlint.analysis.inference.loop_axes import (
    name_fold_loops,
    prove_fold_loop,
    prove_loop_over,
    train_and_test_indices,
)
from cvlint.analysis.inference.rows_left_out import prove_by_rest
from cvlint.analysis.state import ENTRIES, AnalysisState
from cvlint.analysis.syntax import names_in, root_name, row_keys
from cvlint.analysis.taint import taint_at


def read_entry(state: AnalysisState, base: AnyValue, node: ast.Subscript) -> AnyValue:
    """The value of ``base[key]``."""
    if isinstance(node.slice, ast.Tuple) and not node.slice.elts:
        return base  # ``array[()]``
    taint = state.taint
    key = state.evaluate(state, node.slice)
    rows = key.fields.get(0) if isinstance(key, HeapObject) and key.kind == "tuple" else key
    if isinstance(rows, Data) and rows.index in ("train-indices", "test-indices"):
        taint = without_training_rows(state, taint, rows.axes)
        if taint and state.knowledge.conforms("truth", root_name(node.value)):
            taint = frozenset(m for m in taint if m.kind != "learned")  # see `learned_by_labels`
        for label in sorted_labels(m for m in taint_at(state, node.slice) if m.kind == "part"):
            check_split(state, taint, label.step, "hold-out")
        for axis in sorted_axes(rows.axes):
            if axis.kind == "fold":
                check_split(state, taint, axis.step, "folds")
            state.indexed_names.setdefault(axis, set()).update(names_in(node.value))
        if taint and not rows.axes:
            check_single_split(state, node.slice, taint)
        label_parts(state, node, root_name(node.value))
        label_rows(state, node, rows.index.removesuffix("-indices"))
    elif isinstance(rows, Data) and rows.index == "part":
        for axis in sorted_axes(rows.axes):
            held_out = axis.compared_column or rows.opaque  # by the loop; else it is some other part of a fold
            if axis.kind == "fold" and not axis.heuristic and held_out:
                check_split(state, taint, axis.step, "folds")
    elif taint:
        check_identifiers(state, node, taint)
    if state.active_loops and (of_folds := prove_by_rest(state, row_keys(node)[0])) is not None:
        check_split(state, taint, of_folds.step, "folds")
    if type(key) is not Union and type(base) is not Union:
        return read_entry_of(state, base, key, node)
    keys = options(key)
    keys = keys if all(isinstance(k, Const) for k in keys) else (key,)
    bases = [option for option in options(base) if not is_empty_dict(option)] or options(base)
    found = [read_entry_of(state, option, k, node) for option in bases for k in keys]
    if len(found) > 1 and isinstance(key, Const):
        return named_measures(state, join(found), key.value, node)
    return found[0] if len(found) == 1 else join(found)


def is_empty_dict(value: AnyValue) -> bool:
    """Whether a value is a dict without entries, from which nothing can be read."""
    return isinstance(value, HeapObject) and value.kind == "dict" and not value.entries() and value.default is None


def read_entry_of(state: AnalysisState, base: AnyValue, key: AnyValue, node: ast.Subscript) -> AnyValue:
    """The value of ``base[key]`` for a single base and key."""
    match base:
        case HeapObject(kind="frame") if is_row_key(state, key, node):
            return HeapObject(
                "dict", {title: element_of(column) for title, column in base.fields.items()}, base.elements, base.extent
            )
        case HeapObject(kind="frame" | "table") if is_row_label(state, base, key, node):
            return base  # all rows that the index calls so
        case HeapObject():
            return at_fold(state, base, key, read_container(state, base, key, node))
        case Data(along=along) if along and isinstance(key, Data) and key.index in ("train-indices", "test-indices"):
            return select_data(state, base, key, node)  # the rows of a fold, of data that a loop has gathered
        case MeasureValue() | Data() if base.along:
            check_mask(state, base, key, node)
            return select_from_array(base, key, node.slice)
        case MeasureValue():
            return base
        case LibraryObject(role="search-results"):
            return search_column(state, base, key, node)
        case LibraryName(name=name) if isinstance(held := state.attributes.get((name, ENTRIES)), HeapObject) and (
            not isinstance(key, Const) or key.value in held.fields
        ):
            return read_container(state, held, key, node)
        case LibraryName():
            return state.call(state, base, ([key], {}), node)  # np.r_[a, b]
        case LibraryObject(role="folds") if axis := prove_loop_over(
            state, base.facts["axis"], loops_of_key(state, key, node)
        ):
            return train_and_test_indices(axis)
        case LibraryObject(role="loader" | "iterator" | "folds"):
            return Data(axes_of(base) | state.active_axes, opaque=True)
        case Data():
            return select_data(state, base, key, node)
        case ClassValue():
            return base  # ``Box[float]``
        case _:
            return type_by_key(state, Data(axes_of(key) | state.active_axes, opaque=True), key_name(key), node)


def at_fold(state: AnalysisState, base: HeapObject, key: AnyValue, entry: AnyValue) -> AnyValue:
    """``models[fold]`` in a loop over folds: the entry of this fold, whatever loop over folds has filled the list.

    A loop whose index takes the entries of such a list or dict in turn, ``parts[f"fold {i}"]``, is a loop over folds.
    """
    loops = key.axes if isinstance(key, Data) and (key.index == "loop-index" or key.pattern) else NO_AXES
    filled = frozenset(axis for axis in base.extent - loops if axis.kind == "fold")
    if not filled or not loops:
        return entry
    if base.kind in ("list", "dict") and filled == base.extent and len(filled) == len(loops) == 1:
        prove_loop_over(state, next(iter(filled)), loops)
    if not any(axis.kind == "fold" for axis in loops):
        return entry
    return vary_over(leave_loop(entry, filled), loops)


def loops_of_key(state: AnalysisState, key: AnyValue, node: ast.Subscript) -> Axes:
    """The loops whose passes a key counts: ``splits[i]``."""
    match key:
        case Data(index="loop-index"):
            return key.axes
        case _:
            return counted_loops(state, node.slice, key)


def key_name(key: AnyValue) -> str:
    """The key if it is a string; otherwise an empty string."""
    return key.value if isinstance(key, Const) and isinstance(key.value, str) else ""


def select_data(state: AnalysisState, base: Data, key: AnyValue, node: ast.Subscript) -> AnyValue:
    """A part of data; it also varies over the loops that its key varies over."""
    if isinstance(key, Data) and key.pattern:
        name_fold_loops(state, key.pattern, key.axes)  # ``results[f"fold{i}_pred"]``
    if base.origin == "fold-pieces":
        loops_index = isinstance(key, Data) and key.index == "loop-index"
        if loops_index:
            prove_fold_loop(state, key)
        return Data(base.axes | axes_of(key), opaque=True, index="part")
    axes = base.axes | axes_of(key)
    codomain, origin = base.codomain, base.origin
    if isinstance(key, Data) and key.index in ("slice-before", "slice-after"):
        return Data(axes, origin=key.index.removeprefix("slice-"))
    if isinstance(key, Data) and key.index == "slice-part":
        names = names_in(node.slice)
        if any(state.knowledge.conforms("fold", name) for name in names):
            prove_fold_loop(state, key)
    if isinstance(key, Data) and key.index in ("train-indices", "test-indices"):
        origin = "train" if key.index == "train-indices" else ("" if origin == "train" else origin)
        codomain = TOP if key.index == "train-indices" else codomain
    pooled = pooled_after_selection(base.pooled, key)
    value = replace(base, axes=axes, along=(), codomain=codomain, pooled=pooled, origin=origin, size=None)
    return type_by_key(state, value, key_name(key), node)


def select_from_array(base: MeasureValue | Data, key: AnyValue, node: ast.expr) -> AnyValue:
    """An entry, a column or a part of an array."""
    match key:
        case Const(value=str()) if len(base.along) > 1:  # a column of a table in which all columns are alike
            return replace(base, along=base.along[:-1], axes=base.axes | base.along[-1])
        case Const(value=None):  # ``scores[None]``: one more dimension, of length 1
            return replace(base, along=(NO_AXES, *base.along))
        case HeapObject(kind="tuple") if len(key.fields) == 2 and len(base.along) > 1:
            kept = [dim for i, dim in enumerate(base.along) if i > 1 or keeps_dimension(key.fields[i])]
            gone = [dim for i, dim in enumerate(base.along) if i < 2 and not keeps_dimension(key.fields[i])]
            return replace(base, along=tuple(kept), axes=base.axes.union(*gone))
        case Data(index="slice" | "slice-part" | "slice-before" | "slice-after" | "part" | "indices" | "nan-mask"):
            return base
        case Data(index="mask" | "above" | "below") | HeapObject() | MeasureValue() | LibraryObject(role="range"):
            return base
        case _:
            return element_of(base)


def is_slice(value: AnyValue) -> bool:
    """Whether a key is a slice: ``1:`` or ``:-1``."""
    return isinstance(value, Data) and value.index in ("slice", "slice-before", "slice-after", "slice-part")


def keeps_dimension(value: AnyValue) -> bool:
    """Whether a key selects several entries, so that the dimension stays."""
    if not isinstance(value, Data) or value.is_plain or value.codomain.is_scalar or value.index in SCALAR_KEYS:
        return False
    return bool(value.index or value.origin) or not value.codomain.is_finite  # ``np.argmax(x)`` is one position


def read_container(state: AnalysisState, container: HeapObject, key: AnyValue, node: ast.Subscript) -> AnyValue:
    """An entry, or a part, of a container."""
    if len(container.patterns) > 1 and (alike := entries_of_pattern(container, key)):
        return join(alike)
    match key:
        case Const(value=str() | int() | bool() as plain_key):
            found = read_known_key(state, container, plain_key, node)
            return found if key.drawn else confirm_measure(state, found, plain_key, node)
        case HeapObject(kind="tuple") if container.kind == "dict":
            known = known_parts(key)
            return container.fields[known] if known in container.fields else element_of(container)
        case HeapObject(kind="tuple"):
            return read_table(state, container, key, node)
        case HeapObject() if names_columns(key):
            return columns_under(container, key)
        case Data(index="slice-before" | "slice-after" as part) if container.kind == "list" and key.axes:
            return Data(key.axes | axes_of(container), origin=part.removeprefix("slice-"))
        case Data() if is_slice(key):
            return read_slice(state, container, node.slice)
        case LibraryObject(role="range") if container.kind == "array":
            return container
        case Union():
            return join(read_container(state, container, option, node) for option in key.options)
        case Data() if container.kind == "dict" and container.elements is None and container.default is not None:
            container.elements = make_default(state, container.default, node, container.allocation_loops)
            return container.elements
        case Data() if container.kind in ("array", "list", "table", "frame") and (
            key.index in ROW_KEYS or container.kind == "array"
        ):
            check_mask(state, as_array(container), key, node)
            return select_rows(container, key)
        case Data() if (
            container.kind == "dict"
            and is_fixed_setting(state, node.slice, key)
            and len(measure_kinds_in(container)) > 1
        ):
            return Data(axes_of(container) | state.active_axes, origin="chosen")
        case _:
            return element_of(container)


def is_fixed_setting(state: AnalysisState, node: ast.expr, key: Data) -> bool:
    """Whether a key is unknown but the same in all passes of the active loops, such as ``args.metric``."""
    turning = frozenset().union(*(axis.loop_variables for axis in state.active_loops))
    unknown = isinstance(node, ast.Attribute) or (key.opaque and not key.axes)
    return unknown and not names_in(node) & turning


def measure_kinds_in(container: HeapObject) -> set[str]:
    """The kinds of the measures that a container holds under known keys."""
    return {found.measure.kind for entry in container.fields.values() for found in measures_in(entry)}


def entries_of_pattern(container: HeapObject, key: AnyValue) -> list[AnyValue]:
    """The entries of a dict under keys of the same pattern as this one, and of narrower ones: ``f"{name}_f1"``.

    There are none if a pattern is new, or if several may hold a known key.
    """
    patterns = container.patterns
    match key:
        case Data(codomain=Codomain(kind=Kind.TEXT), pattern=pattern) if (own := anonymous(pattern)) in patterns:
            known = [v for text, v in container.fields.items() if isinstance(text, str) and covers(own, text)]
            alike = [entries for other, entries in patterns.items() if other == own or covers(own, other)]
            return [*map(element_of, alike), *known]
        case Const(value=str() as text) if text not in container.fields:
            found = [entries for pattern, entries in patterns.items() if covers(pattern, text)]
            return [element_of(found[0])] if len(found) == 1 else []
        case _:
            return []


def read_known_key(state: AnalysisState, container: HeapObject, key: str | int | bool, node: ast.Subscript) -> AnyValue:
    """The entry under a known key."""
    if (at_key := entry_at(container, key)) is not None:
        return at_key
    if container.kind == "dict" and container.default is not None:
        container.fields[key] = make_default(state, container.default, node, container.allocation_loops)
        return container.fields[key]
    if container.elements is not None and (isinstance(key, str) or container.kind == "frame"):
        container.fields[key] = (
            copy_for_key(container.elements, key, state, node) if container.kind == "dict" else container.elements
        )
        return container.fields[key]
    if container.kind == "list" and is_unfilled(container.elements):  # ``[[] for _ in measures]``: a list for each
        container.fields[key] = copy_for_key(container.elements, key, state, node)
        return container.fields[key]
    if container.kind == "frame" and container.elements is not None:
        return container.elements  # a column under its number
    if container.kind == "frame":
        made = HeapObject("list", allocation_loops=container.allocation_loops)
        if container.default is not None and isinstance(key, str):
            container.fields[key] = made
            return made
        return type_by_key(state, Data(container.allocation_loops | state.active_axes, opaque=True), key, node)
    if container.elements is None and (not container.fields or isinstance(key, str)):
        return type_by_key(state, Data(state.active_axes, opaque=True), key, node)
    found = element_of(container)
    return leave_loop(found, container.extent) if isinstance(found, Data) else found  # ``folds[0]`` belongs to one fold


def is_unfilled(value: AnyValue | None) -> TypeGuard[HeapObject]:
    """Whether a value is a list or a dict that nothing was written to yet."""
    return isinstance(value, HeapObject) and value.kind in ("list", "dict") and not value.entries()


def confirm_measure(state: AnalysisState, value: AnyValue, key: object, node: ast.AST) -> AnyValue:
    """Confirm a measure that is looked up by its own name: the code that does so knows what it is."""
    if (
        isinstance(value, MeasureValue)
        and isinstance(key, str)
        and state.knowledge.measure_named(key) == value.measure.kind
    ):
        owner = state.frame.owner
        if owner is not None and not any(owner in step.owners for step in value.trace):
            return with_step(value, state.step(node, f"{value.measure} is looked up by its name here"))
    return value


def copy_for_key(value: AnyValue, key: str | int, state: AnalysisState, node: ast.AST) -> AnyValue:
    """A copy of the container that a dict of containers holds, for a single key."""
    match value:
        case HeapObject():
            return copy_container(value)
        case Union():
            return join(copy_for_key(v, key, state, node) for v in value.options)
        case _:
            return type_by_key(state, value, key, node)


def read_table(state: AnalysisState, container: HeapObject, key: HeapObject, node: ast.Subscript) -> AnyValue:
    """``table[row, column]``: a column by its name or number, or an entry of it if the row is a single one."""
    row, column = key.fields.get(0, UNKNOWN), key.fields.get(1, UNKNOWN)
    rows_kept = keeps_dimension(row) or is_row_label(state, container, row, node)
    if names_columns(row) and container.kind in ("frame", "table"):
        container, rows_kept = rows_under(container, row), True
    if isinstance(column, Const) and column.value in container.fields:
        found = container.fields[column.value]
        return found if rows_kept else element_of(found)
    if isinstance(column, Const) and isinstance(column.value, str) and container.kind == "frame":
        return read_known_key(state, container, column.value, node)
    if rows_kept and names_columns(column) and container.kind in ("frame", "table"):
        return columns_under(container, column)
    if rows_kept and is_slice(column) and container.kind in ("frame", "table") and isinstance(node.slice, ast.Tuple):
        return columns_between(container, bounds_of(state, node.slice.elts[1]))
    value = as_array(container)
    if isinstance(value, HeapObject) and value.kind == "table" and isinstance(column, Const):
        titles = list(value.fields)
        at = titles.index(column.value) if column.value in titles else column.value
        if isinstance(at, int) and -len(titles) <= at < len(titles):
            found = value.fields[titles[at]]
            return found if rows_kept else element_of(found)
    if isinstance(value, Data) and isinstance(row, Data) and (row.index in ROW_KEYS or row.axes):
        return select_rows(container, row)
    arrays = [option for option in options(value) if isinstance(option, (MeasureValue, Data)) and option.along]
    if arrays and len(arrays) == len(options(value)):
        return join(select_from_array(array, key, node.slice) for array in arrays)
    return value if isinstance(value, Data) else element_of(container)
