"""Write containers: entries under keys, appends and extensions, and what they do to axes.

A write under a loop's index, or an append, *collects* values along the loop. A write of scores to the test rows of an
array (``oof[test] = scores``), or an extension of a list by them, *pools* them.
"""

# How containers are modelled: a `HeapObject` has ``fields`` (entries under known keys) and ``elements`` (the join of
# all others). Statements (``x[key] = v``) come here from `interpreter.assignments`. Methods (``dict.update``) come here
# from their transfer functions (`update_method`) in `models.containers.lists_and_dicts`. The docstring of
# `cvlint.analysis.heap` lists every idiom.

from __future__ import annotations

import ast
from dataclasses import replace

from cvlint.analysis.checkers.search_scores import report_scores
from cvlint.analysis.checkers.undefined_folds.patches import check_masked_store
from cvlint.analysis.domain.axis import NO_AXES
from cvlint.analysis.domain.heap_object import HeapObject
from cvlint.analysis.domain.lattice import UNKNOWN, element_of, join, options, with_step
from cvlint.analysis.domain.text_pattern import anonymous
from cvlint.analysis.domain.value import AnyValue, Const, Data, MeasureValue, Union, axes_of
from cvlint.analysis.heap.paths import is_loop_counter
from cvlint.analysis.heap.reads import ROW_KEYS, copy_container
from cvlint.analysis.inference.identifier_inference import type_by_key
from cvlint.analysis.state import AnalysisState


def write_entry(state: AnalysisState, target: ast.Subscript, value: AnyValue, adding: bool = False) -> None:
    """``base[key] = value``, or ``base[key] += value`` if ``adding``."""
    base = state.evaluate(state, target.value)
    key = state.evaluate(state, target.slice)
    value = without_alias(value, base)
    if isinstance(key, Const) and state.active_axes - key.allocation_loops and is_loop_counter(state, target.slice):
        key = Data(state.active_axes - key.allocation_loops, codomain="loop-index")  # ``scores[fold] = f1; fold += 1``
    for option in options(base):
        match option:
            case HeapObject():
                write_container(state, option, key, value, target, adding)
            case Data():
                write_to_unknown(state, option, target, key, value)
            case _:
                pass
    check_masked_store(state, base, key, target)


def without_alias(value: AnyValue, base: AnyValue) -> AnyValue:
    """``value``, copied if it is the container that it is about to be stored in."""
    holders = options(base)
    copies = [copy_container(v) if isinstance(v, HeapObject) and v in holders else v for v in options(value)]
    return join(copies)


def write_to_unknown(state: AnalysisState, base: Data, target: ast.Subscript, key: AnyValue, value: AnyValue) -> None:
    """Write an entry of data from unknown code: from here on, the analysis follows them as a frame."""
    root: ast.expr = target.value
    while isinstance(root, ast.Attribute | ast.Subscript) and not (
        isinstance(root, ast.Attribute) and isinstance(root.value, ast.Name) and root.value.id == "self"
    ):
        root = root.value
    if any(isinstance(v, Const) for v in options(value)):
        return
    container = HeapObject("frame", allocation_loops=base.axes)
    if isinstance(root, ast.Name) and state.environment.lookup(root.id) is base:
        write_container(state, container, key, value, target, False)
        state.environment.bind(root.id, container)


def write_container(
    state: AnalysisState, container: HeapObject, key: AnyValue, value: AnyValue, node: ast.Subscript, adding: bool
) -> None:
    """Write an entry of a container, by the form of its key."""
    match key:
        case Const(value=str() | int() | bool() as plain_key) if container.kind in (
            "dict",
            "frame",
            "table",
            "list",
            "tuple",
        ) or isinstance(value, MeasureValue):
            write_known_key(state, container, plain_key, value, node)
        case Data(codomain="text", pattern=pattern) if pattern and container.kind == "dict":
            collect_entry(
                state,
                container.patterns.setdefault(
                    anonymous(pattern), HeapObject("dict", allocation_loops=container.allocation_loops)
                ),
                value,
                key,
                node,
                adding,
            )
            collect_entry(state, container, value, key, node, adding)
        case Const() | Data(codomain="loop-index" | "number" | "key" | "length" | "unknown" | "text" | "bound"):
            collect_entry(state, container, value, key, node, adding)
        case HeapObject(kind="tuple"):
            write_table(state, container, key, value, node)
        case Data(codomain="slice"):
            if isinstance(value, Data | MeasureValue) and key.axes:
                pool_rows(state, container, value, key, node)
        case Data():
            pool_rows(state, container, value, key, node)
        case Union():
            for option in key.options[:4]:
                write_container(state, container, option, value, node, adding)
        case _:
            collect_entry(state, container, value, key, node, adding)


def write_known_key(
    state: AnalysisState, container: HeapObject, key: str | int, value: AnyValue, node: ast.AST
) -> None:
    """Write under a known key; in a frame, a row at a number is appended."""
    value = type_by_key(state, value, key, node)
    old = container.fields.get(key)
    if isinstance(value, HeapObject) and container.kind == "frame" and isinstance(key, int):
        append_row(state, container, value, node)
    elif old is not None and state.branch_depth and not isinstance(value, MeasureValue):
        container.fields[key] = join([old, value])
    else:
        container.fields[key] = value


def write_table(
    state: AnalysisState, container: HeapObject, key: HeapObject, value: AnyValue, node: ast.Subscript
) -> None:
    """``table[row, column] = value``."""
    row, column = key.fields.get(0, UNKNOWN), key.fields.get(1, UNKNOWN)
    if isinstance(column, Const) and isinstance(column.value, str):
        inner = container.fields.get(column.value)
        if not isinstance(inner, HeapObject):
            inner = HeapObject("array", allocation_loops=container.allocation_loops)
            container.fields[column.value] = inner
        write_container(state, inner, row, type_by_key(state, value, column.value, node), node, False)
    elif isinstance(column, Const) and isinstance(column.value, int) and isinstance(value, MeasureValue):
        inner = container.fields.setdefault(
            column.value, HeapObject("array", allocation_loops=container.allocation_loops)
        )
        if isinstance(inner, HeapObject):
            collect_entry(state, inner, value, row, node, False)
    elif isinstance(row, Const) and isinstance(row.value, str) and isinstance(value, MeasureValue):
        inner = container.fields.setdefault(row.value, HeapObject("array", allocation_loops=container.allocation_loops))
        if isinstance(inner, HeapObject):
            collect_entry(state, inner, value, column, node, False)
    elif isinstance(row, Data) and row.codomain in ROW_KEYS and row.axes - container.allocation_loops:
        pool_rows(state, container, value, row, node)
    elif isinstance(value, MeasureValue) and isinstance(row, Data) and isinstance(column, Data):
        ordered = (row.axes - container.allocation_loops, column.axes - container.allocation_loops)
        if all(ordered) and not ordered[0] & ordered[1]:
            grid = replace(value, along=(ordered[1], *value.along), axes=value.axes - ordered[1] - ordered[0])
            container.elements = join([*options(container.elements), with_collection(state, grid, node)])
            container.extent |= ordered[0]
        else:
            collect_entry(state, container, value, row, node, False)
    else:
        collect_entry(state, container, value, row, node, False)


def collect_entry(
    state: AnalysisState, container: HeapObject, value: AnyValue, key: AnyValue, node: ast.AST, adding: bool
) -> None:
    """Write under a key that varies with the active loops: the container extends along them."""
    if container.kind == "frame" and isinstance(value, HeapObject):
        append_row(state, container, value, node)
        return
    if adding and isinstance(value, MeasureValue) and value.summed_over:
        container.elements = value  # the sum of an entry, not a new entry
        return
    extent = state.swept_axes(value, container.allocation_loops)
    if isinstance(value, MeasureValue):
        value = with_collection(state, value, node)
    container.elements = join([*options(container.elements), value])
    container.extent |= extent


def with_collection(state: AnalysisState, value: MeasureValue, node: ast.AST) -> AnyValue:
    """A measure with a step that says where it is collected."""
    return with_step(value, state.step(node, f"{value.measure} is collected here"))


def sum_ensemble(state: AnalysisState, target: ast.Subscript, value: Data) -> None:
    """``scores[sample] += p`` in each fold, for the same samples: an ensemble's sum, which pools no folds."""
    key = state.evaluate(state, target.slice)
    if not isinstance(key, Data) or key.codomain in ROW_KEYS:
        return
    for container in options(state.evaluate(state, target.value)):
        if isinstance(container, HeapObject) and container.kind == "dict":
            crossed = state.active_axes - container.allocation_loops
            summed = frozenset(axis for axis in crossed if axis.kind == "fold")
            repeated = any(axis.kind in ("seed", "epoch") for axis in crossed)  # each pass adds other rows
            if len(summed) == 1 and not repeated and isinstance(container.elements, Data):
                container.elements = replace(value, axes=value.axes - summed)
                container.extent -= summed


def pool_rows(state: AnalysisState, container: HeapObject, value: AnyValue, key: AnyValue, node: ast.AST) -> None:
    """Write the rows of a fold into an array of all rows; the rows of its training part add nothing."""
    if isinstance(key, Data) and key.codomain == "train-indices":
        return
    swept = (state.active_axes - container.allocation_loops) & axes_of(key)
    for option in options(value):
        match option:
            case MeasureValue():
                collect_entry(state, container, option, key, node, False)
                continue
            case Data():
                part = option
            case _:
                part = Data(axes_of(option))
        before = [
            v for v in options(container.elements) if isinstance(v, Data) and v.pooled and v.codomain == part.codomain
        ]
        container.elements = join(before or [state.pool_data(part, swept, node)])


def append_row(state: AnalysisState, container: HeapObject, row: HeapObject, node: ast.AST) -> None:
    """Append a row: each of its values becomes an entry of a column."""
    names = container.default.fields if isinstance(container.default, HeapObject) else {}
    for key, value in row.fields.items():
        title = names.get(key) if isinstance(key, int) else None
        column = title.value if isinstance(title, Const) else key
        inner = container.fields.get(column)
        if not isinstance(inner, HeapObject):
            inner = HeapObject("list", allocation_loops=container.allocation_loops)
            container.fields[column] = inner
        append_entry(state, inner, type_by_key(state, value, column, node), node)


def append_entry(state: AnalysisState, container: HeapObject, value: AnyValue, node: ast.AST) -> None:
    """``container.append(value)``."""
    value = without_alias(value, container)
    report_scores(state, value)
    match value:
        case HeapObject() if container.kind == "frame":
            append_row(state, container, value, node)
            return
        case MeasureValue():
            value = with_collection(state, value, node)
        case HeapObject(kind="tuple" | "list" | "dict"):
            fields = {
                k: with_collection(state, v, node) if isinstance(v, MeasureValue) else v
                for k, v in value.fields.items()
            }
            value = (
                HeapObject(value.kind, fields, value.elements, value.extent, value.allocation_loops, value.default)
                if fields
                else value
            )
        case _:
            pass
    if (
        container.fields
        and container.elements is None
        and container.kind == "list"
        and not state.active_axes - container.allocation_loops
    ):
        container.fields[len(container.fields)] = value
        return
    container.elements = join([*options(container.elements), value])
    container.extent |= state.swept_axes(value, container.allocation_loops)


def extend_list(state: AnalysisState, container: HeapObject, value: AnyValue, node: ast.AST) -> None:
    """``container.extend(values)``: measures are collected, data are pooled."""
    for option in options(value):
        match option:
            case HeapObject():
                entries = option.entries()
                swept = (
                    frozenset().union(*(state.swept_axes(v, container.allocation_loops) for v in entries))
                    if entries
                    else state.active_axes - container.allocation_loops
                )
                container.elements = join([*options(container.elements), *entries])
                container.extent |= swept | (option.extent if option.elements is not None else NO_AXES)
            case MeasureValue() | Data(along=(_, *_)):
                append_entry(state, container, element_of(option), node)
            case Data():
                swept = state.swept_axes(option, container.allocation_loops)
                container.elements = join([*options(container.elements), state.pool_data(option, swept, node)])
                container.extent |= swept
            case _:
                pass


def update_dict(container: HeapObject, others: list[AnyValue], keywords: dict[str, AnyValue]) -> None:
    """``container.update(other, key=value)``: known keys of the others replace its own; unknown ones are not copied."""
    for other in others:
        if isinstance(other, HeapObject):
            container.fields.update(other.fields)
    container.fields.update(keywords)


def set_default(container: HeapObject, key: AnyValue, default: AnyValue) -> AnyValue:
    """``container.setdefault(key, default)``; the default counts as allocated together with its container."""
    if isinstance(default, HeapObject):
        default.allocation_loops = container.allocation_loops
    if isinstance(key, Const) and isinstance(key.value, str | int):
        return container.fields.setdefault(key.value, default)
    if container.elements is None:
        container.elements = default
    return container.elements


def clear_container(state: AnalysisState, container: HeapObject) -> None:
    """``container.clear()``: from here on it counts as a new container."""
    container.fields, container.elements, container.extent = {}, None, NO_AXES
    container.allocation_loops = state.active_axes
