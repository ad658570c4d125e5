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
from typing import TypeGuard

from cvlint.analysis.checkers.undefined_folds.patches import check_masked_store
from cvlint.analysis.domain.axis import NO_AXES, Axes
from cvlint.analysis.domain.codomain import Codomain, Kind
from cvlint.analysis.domain.environment import Environment
from cvlint.analysis.domain.frozen import replace
from cvlint.analysis.domain.heap_object import HeapObject
from cvlint.analysis.domain.lattice import UNKNOWN, codomain_of, element_of, join, options, pooled_axes
from cvlint.analysis.domain.texts import anonymous
from cvlint.analysis.domain.value import MASKS, AnyValue, Const, Data, LibraryName, MeasureValue, Union, axes_of
from cvlint.analysis.heap.branches import touch
from cvlint.analysis.heap.entries import (
    append_row,
    forget_positions,
    grown,
    replace_element,
    with_collection,
    without_alias,
    write_known_key,
)
from cvlint.analysis.heap.merge import merge
from cvlint.analysis.heap.paths import counted_loops
from cvlint.analysis.heap.positions import copy_container, known_parts
from cvlint.analysis.heap.row_selection import ROW_KEYS
from cvlint.analysis.inference.identifier_inference import type_by_key
from cvlint.analysis.inference.loop_axes import loops_of_element
from cvlint.analysis.inference.loop_dependence import loops_turning
from cvlint.analysis.state import ENTRIES, AnalysisState


def write_entry(
    state: AnalysisState, base: AnyValue, target: ast.Subscript, value: AnyValue, adding: bool = False
) -> None:
    """``base[key] = value``, or ``base[key] += value`` if ``adding``; ``base`` is the value of ``target.value``."""
    key = written_key(state, target.slice)
    value = without_alias(value, base)
    one_of_many = loops_over_containers(state, target.value)
    for option in options(base):
        match option:
            case HeapObject():
                outer, option.allocation_loops = option.allocation_loops, option.allocation_loops | one_of_many
                write_container(state, option, key, value, target, adding)
                option.allocation_loops = outer
            case Data():
                write_to_unknown(state, option, target, key, value)
            case LibraryName(name=name):
                held = state.attributes.setdefault((name, ENTRIES), HeapObject("dict"))
                if isinstance(held, HeapObject):
                    write_container(state, held, key, value, target, adding)
            case _:
                pass
    check_masked_store(state, base, key, target)


def written_key(state: AnalysisState, node: ast.expr) -> AnyValue:
    """The key under which an entry is written; a number that counts the passes of a loop is the loop's index."""
    key = passing_number(state, node)
    match (key, node):
        case (HeapObject(kind="tuple"), ast.Tuple(elts=parts)) if len(parts) == len(key.fields):
            return HeapObject("tuple", {i: written_key(state, part) for i, part in enumerate(parts)})
        case _:
            return key


def passing_number(state: AnalysisState, node: ast.expr) -> AnyValue:
    """The value of an expression; a number that counts the passes of a loop, ``i += 1``, is the loop's index.

    So is what names a fold, where the loop runs once for each of a few that are written down.
    """
    value = state.evaluate(state, node)
    counted = counted_loops(state, node, value) if type(value) is Const else NO_AXES
    if type(value) is Const and not counted:
        counted = frozenset(axis for axis in loops_of_element(state, node) if axis.kind == "fold")
    return Data(counted, index="loop-index") if counted else value


def delete_entry(state: AnalysisState, base: AnyValue, key: AnyValue) -> None:
    """``del base[key]``: what stood behind an entry of a list moves on."""
    for option in options(base):
        match option:
            case HeapObject(kind="list", elements=None) if isinstance(key, Const) and isinstance(key.value, int):
                touch(state, option)
                kept = list(option.fields.values())
                if not state.arms and -len(kept) <= key.value < len(kept):
                    del kept[key.value]
                    option.fields = dict(enumerate(kept))
                else:
                    forget_positions(state, option)
            case HeapObject(kind="list"):
                forget_positions(state, option)
            case HeapObject(kind="dict") if isinstance(key, Const) and not state.arms:
                touch(state, option)
                option.fields.pop(key.value, None)
            case _:
                pass


def loops_over_containers(state: AnalysisState, node: ast.expr) -> Axes:
    """The loops under way whose passes write to one of many inner containers each: ``table[name][key] = value``.

    The outer container extends along them, and the inner ones do not.
    """
    if not isinstance(node, ast.Subscript) or not state.active_loops:
        return NO_AXES
    found = loops_turning(state, node.slice) & state.active_axes
    holders = [o for o in options(state.evaluate(state, node.value)) if isinstance(o, HeapObject)] if found else []
    for holder in holders:
        if axes := found - holder.allocation_loops - holder.extent:
            touch(state, holder)
            holder.extent |= axes
    return found if holders else NO_AXES


def write_to_unknown(state: AnalysisState, base: Data, target: ast.Subscript, key: AnyValue, value: AnyValue) -> None:
    """Write an entry of data from unknown code: from here on, the analysis follows them as a frame."""
    root: ast.expr = target.value
    while isinstance(root, (ast.Attribute, ast.Subscript)) and not (
        isinstance(root, ast.Attribute) and isinstance(root.value, ast.Name) and root.value.id == "self"
    ):
        root = root.value
    if any(isinstance(v, Const) for v in options(value)):
        by_row = isinstance(key, Data) and (key.index in MASKS or key.index == "loop-index")
        if by_row and isinstance(value, Const) and isinstance(target.value, ast.Name):
            changed = overwritten_rows(base, value, key)
            for name in names_of_array(state.environment, target.value.id, base):
                state.environment.bind(name, changed)
        return
    container = HeapObject("frame", allocation_loops=base.axes)
    if isinstance(root, ast.Name) and state.environment.lookup(root.id) is base:
        write_container(state, container, key, value, target, False)
        state.environment.bind(root.id, container)


def names_of_array(environment: Environment, name: str, array: Data) -> set[str]:
    """The names of one array: after ``labels = scores``, what is written to one stands in the other."""
    found: set[str] = set()
    waiting = {name}
    while waiting:
        found |= waiting
        sources = {d.id for n in waiting if isinstance(d := environment.definitions.get(n), ast.Name)}
        copies = {n for n, d in environment.definitions.items() if isinstance(d, ast.Name) and d.id in waiting}
        waiting = {n for n in (sources | copies) - found if environment.bindings.get(n) is array}
    return found


def write_container(
    state: AnalysisState, container: HeapObject, key: AnyValue, value: AnyValue, node: ast.AST, adding: bool = False
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
        case Data(codomain=Codomain(kind=Kind.TEXT), pattern=pattern) if pattern and container.kind == "dict":
            touch(state, container)
            alike = HeapObject("dict", allocation_loops=container.allocation_loops)
            collect_entry(state, container.patterns.setdefault(anonymous(pattern), alike), value, key, node, adding)
            collect_entry(state, container, value, key, node, adding)
        case Const() | Data(index="loop-index" | "key" | "bound"):
            collect_entry(state, container, value, key, node, adding)
        case HeapObject(kind="tuple") if container.kind == "dict":
            if (known := known_parts(key)) is not None:
                touch(state, container)
                container.fields[known] = grown(state, value, container.fields.get(known), container)
            else:
                container.keys = join([*options(container.keys), key])
                collect_entry(state, container, value, key, node, adding)
        case HeapObject(kind="tuple"):
            write_table(state, container, key, value, node)
        case Data(index="slice") if container.kind == "list" and isinstance(value, HeapObject):
            forget_positions(state, container)
            merge(state, container, value, node)
        case Data(index="slice", axes=axes) if not axes and isinstance(value, MeasureValue) and value.along:
            merge(state, container, value, node)  # ``all_scores[:] = scores``
        case Data(index="slice"):
            value = element_of(value) if isinstance(value, HeapObject) and value.kind in ("array", "list") else value
            if isinstance(value, Data) or (isinstance(value, MeasureValue) and key.axes):
                pool_rows(state, container, value, key, node)
        case Data(is_plain=True) | Data(codomain=Codomain(kind=Kind.TEXT | Kind.NUMBER | Kind.CLASS), index=""):
            collect_entry(state, container, value, key, node, adding)
        case Data():
            pool_rows(state, container, value, key, node)
        case Union():
            fresh = value if is_unnamed(value, state) else None
            for i, option in enumerate(key.options):
                own = copy_container(fresh) if i and fresh is not None else value
                write_container(state, container, option, own, node, adding)
        case _:
            if container.kind == "dict":
                touch(state, container)
                container.keys = join([*options(container.keys), key])
            collect_entry(state, container, value, key, node, adding)


def is_unnamed(value: AnyValue, state: AnalysisState) -> TypeGuard[HeapObject]:
    """Whether a container was made just to be stored: under each of several keys there is one of its own."""
    return isinstance(value, HeapObject) and not any(held is value for held in state.environment.bindings.values())


def write_table(state: AnalysisState, container: HeapObject, key: HeapObject, value: AnyValue, node: ast.AST) -> None:
    """``table[row, column] = value``."""
    row, column = key.fields.get(0, UNKNOWN), key.fields.get(1, UNKNOWN)
    titles = list(container.fields) if container.kind == "frame" else []
    if isinstance(column, Const) and isinstance(column.value, int) and -len(titles) <= column.value < len(titles):
        column = Const(value=titles[column.value])  # ``frame.iat[row, 0] = f1``
    if isinstance(column, Const) and isinstance(column.value, str):
        if is_whole(row) and isinstance(value, (HeapObject, MeasureValue)):
            write_known_key(state, container, column.value, value, node)  # ``frame.loc[:, "f1"] = scores``
            return
        inner = container.fields.get(column.value)
        measured = isinstance(inner, MeasureValue) and not is_whole(row)
        if isinstance(value, Const) and (isinstance(inner, Data) or measured):
            touch(state, container)
            container.fields[column.value] = overwritten_rows(inner, value, row)
            return
        if not isinstance(inner, HeapObject):
            first = inner if isinstance(inner, Const) else None
            inner = HeapObject("array", allocation_loops=container.allocation_loops, default=first)
            container.fields[column.value] = inner
        write_container(state, inner, row, type_by_key(state, value, column.value, node), node, False)
    elif isinstance(column, Const) and isinstance(column.value, int) and isinstance(value, MeasureValue):
        inner = container.fields.setdefault(
            column.value, HeapObject("array", allocation_loops=container.allocation_loops)
        )
        if isinstance(inner, HeapObject):
            collect_entry(state, inner, value, row, node, False)
    elif isinstance(row, Const) and isinstance(row.value, (str, int)) and isinstance(value, MeasureValue):
        inner = container.fields.setdefault(row.value, HeapObject("array", allocation_loops=container.allocation_loops))
        if isinstance(inner, HeapObject):
            collect_entry(state, inner, value, column, node, False)
    elif isinstance(row, Data) and row.index in ROW_KEYS and row.axes - container.allocation_loops:
        pool_rows(state, container, value, row, node)
    elif isinstance(value, MeasureValue) and isinstance(row, Data) and isinstance(column, Data):
        ordered = (row.axes - container.allocation_loops, column.axes - container.allocation_loops)
        if all(ordered) and not ordered[0] & ordered[1]:
            grid = replace(value, along=(ordered[1], *value.along), axes=value.axes - ordered[1] - ordered[0])
            touch(state, container)
            container.elements = join([*options(container.elements), with_collection(state, grid, node)])
            container.extent |= ordered[0]
        else:
            collect_entry(state, container, value, row, node, False)
    else:
        collect_entry(state, container, value, row, node, False)


def is_whole(rows: AnyValue) -> bool:
    """Whether a key selects all rows: ``:``."""
    return isinstance(rows, Data) and rows.index == "slice" and not rows.axes


def is_column(state: AnalysisState, node: ast.AST) -> bool:
    """Whether a column of a frame is written, ``frame[name] = scores``, and not a row: ``frame.loc[i] = scores``."""
    if not isinstance(node, ast.Subscript):
        return False
    frame = node.value
    return not (isinstance(frame, ast.Attribute) and frame.attr in state.knowledge.groups["selects-rows"])


def collect_entry(
    state: AnalysisState, container: HeapObject, value: AnyValue, key: AnyValue, node: ast.AST, adding: bool
) -> None:
    """Write under a key that varies with the active loops: the container extends along them."""
    is_row = isinstance(value, HeapObject) and value.kind == "tuple"  # of a structured array
    if container.kind == "frame" and isinstance(value, HeapObject) and (is_row or not is_column(state, node)):
        append_row(state, container, value, node)
        return
    titles = container.default if container.kind == "frame" and not is_column(state, node) else None
    if isinstance(titles, HeapObject) and titles.fields and isinstance(value, MeasureValue):
        # a row with the same value in all columns
        append_row(state, container, HeapObject("list", dict.fromkeys(titles.fields, value)), node)
        return
    if adding and isinstance(value, MeasureValue) and value.summed_over:
        touch(state, container)
        container.elements = value  # the sum of an entry, not a new entry
        return
    value = with_collection(state, value, node) if isinstance(value, MeasureValue) else value
    replace_element(state, container, value)


def sum_ensemble(state: AnalysisState, target: ast.Subscript, value: Data) -> None:
    """``scores[sample] += p`` in each fold, for the same samples: an ensemble's sum, which pools no folds.

    This corrects what the container was taken to hold before, in all arms of a branch.
    """
    key = state.evaluate(state, target.slice)
    if not isinstance(key, Data) or key.index in ROW_KEYS:
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
    if isinstance(key, Data) and key.index == "train-indices":
        return
    swept = (state.active_axes - container.allocation_loops) & axes_of(key)
    pooled: list[AnyValue] = []
    for option in options(value):
        match option:
            case MeasureValue():
                collect_entry(state, container, option, key, node, False)
                continue
            case Data():
                part = option
            case Const():
                touch(state, container)
                container.elements = overwritten_rows(container.elements, option, key)
                continue
            case _:
                part = Data(axes_of(option), codomain=codomain_of(option))
        before = [
            v for v in options(container.elements) if isinstance(v, Data) and v.pooled and v.codomain == part.codomain
        ]
        pooled += before or [state.pool_data(part, swept, node)]
    if pooled:
        touch(state, container)
        container.elements = join(pooled)


def overwritten_rows(old: AnyValue | None, constant: Const, key: AnyValue) -> AnyValue:
    """The entries after a constant was written to some of them: ``q[q > 0.5] = 1``.

    An index that a loop counts up selects all of them, one after another.
    """
    if old is None or (isinstance(key, Data) and key.index == "loop-index"):
        axes = NO_AXES if old is None else axes_of(old)
        return Data(axes, codomain=codomain_of(constant), pooled=pooled_axes(old))
    where = (key.index, key.bound) if isinstance(key, Data) else ("", "")
    entries = [
        replace(v, codomain=v.codomain.overwritten(codomain_of(constant), *where)) if isinstance(v, Data) else v
        for v in options(old)
    ]
    return join([*entries, *([constant] if not any(isinstance(v, Data) for v in entries) else [])])
