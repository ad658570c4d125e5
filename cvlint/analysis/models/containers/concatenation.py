"""Arrays and frames put together, or in another shape.

Effects: ``pool``, ``stack``, ``beside``, ``transpose``, ``unstack``, ``columns-code``.

``np.concatenate(all_scores)``, ``pd.concat(frames)``, ``np.vstack([a, b])``: data of different folds are pooled,
measures of different folds are collected. Columns are put beside others by ``frame.merge(other, on="fold")``,
``frame.set_index(["fold", "model"])["f1"].unstack()`` and ``frame.eval("f1 = 2 * p * r / (p + r)")``.
"""

from __future__ import annotations

import ast

from cvlint.analysis.checkers.leakage.learned import check_split, label_joined
from cvlint.analysis.domain.axis import Axes, sorted_axes
from cvlint.analysis.domain.codomain import Kind
from cvlint.analysis.domain.frozen import replace
from cvlint.analysis.domain.heap_object import HeapObject
from cvlint.analysis.domain.lattice import as_array, element_of, join, options, stack_along
from cvlint.analysis.domain.value import AnyValue, Const, Data, MeasureValue, Union, axes_of, library
from cvlint.analysis.heap.branches import touch
from cvlint.analysis.heap.entries import append_entry
from cvlint.analysis.heap.merge import merge
from cvlint.analysis.heap.positions import copy_container
from cvlint.analysis.inference.loop_axes import prove_fold_loop
from cvlint.analysis.inference.rows_left_out import prove_held_out, rows_between
from cvlint.analysis.models.arguments import argument_named, first_argument
from cvlint.analysis.models.containers.arrays_and_frames import same_method
from cvlint.analysis.models.containers.frames import TABLES, transposed
from cvlint.analysis.models.experiment.printing import format_method
from cvlint.analysis.models.experiment.sampling import note_copies
from cvlint.analysis.models.experiment.splitters import split_of_groups
from cvlint.analysis.state import AnalysisState, Arguments
from cvlint.knowledge.schema import Entry


def pool_call(state: AnalysisState, entry: Entry, arguments: Arguments, node: ast.AST) -> AnyValue:
    """``np.concatenate(list_of_arrays)``: data of different folds are pooled, measures are collected."""
    parts = first_argument(arguments)
    axis = argument_named(arguments, 1, "axis")
    if not (isinstance(axis, Const) and axis.value in (1, -1, "columns")):
        label_joined(state, node, isinstance(parts, HeapObject) and parts.elements is not None)
        note_copies(state, node)
    note_split_of_groups(state, node)
    if len(arguments[0]) > 1 and not isinstance(arguments[0][1], Const):
        parts = HeapObject("tuple", dict(enumerate(arguments[0])), allocation_loops=state.active_axes)
    match parts:
        case HeapObject(fields=keyed, elements=None) if keyed:
            return concatenate_parts(state, list(keyed.values()), node)
        case HeapObject() if parts.kind == "frame":
            return parts
        case HeapObject():
            return join(pool_entries(state, option, parts.extent, node) for option in options(parts.elements))
        case Data() if parts.along:
            return replace(parts, along=(), pooled=parts.pooled | parts.along[0], opaque=False)
        case _:
            return as_array(parts)


def concatenate_parts(state: AnalysisState, parts: list[AnyValue], node: ast.AST) -> AnyValue:
    """``np.append(all_scores, scores)``, ``pd.concat([frame, row])``, ``np.concatenate([X[:a], X[b:]])``."""
    origins = {v.origin for v in parts if isinstance(v, Data)}
    if {"before", "after"} <= origins:
        for value in parts:
            if isinstance(value, Data) and value.origin in ("before", "after"):
                prove_fold_loop(state, value)
                for axis in sorted_axes(a for a in value.axes if a.kind == "fold"):
                    check_split(state, state.taint, axis.step, "folds")
    elif (held := rows_between(node)) is not None and (of_folds := prove_held_out(state, held)) is not None:
        check_split(state, state.taint, of_folds.step, "folds")
    targets = [
        v
        for p in parts
        for v in options(p)
        if isinstance(v, HeapObject) and (v.kind in ("list", "frame", "array") or v.elements)
    ]
    if targets and len(parts) > 1:
        target = targets[0]
        for value in parts:
            if target not in options(value):
                concatenate_to(state, target, value, node)
        return target
    tables = [o for p in parts for o in options(p) if isinstance(o, HeapObject) and o.kind == "table" and o.fields]
    if tables and len(tables) == len(parts):
        titles = dict.fromkeys(title for table in tables for title in table.fields)
        columns = {title: join(t.fields[title] for t in tables if title in t.fields) for title in titles}
        return HeapObject("table", columns, allocation_loops=state.allocation_loops)
    before_loop = [p for p in parts if not (axes_of(p) & state.active_axes)]
    are_arrays = all(isinstance(p, (Data, MeasureValue)) or is_none(p) for p in parts)
    if before_loop and len(before_loop) < len(parts) and are_arrays:
        in_loop = join(p for p in parts if axes_of(p) & state.active_axes)
        first = before_loop[0]
        swept = state.active_axes - (first.allocation_loops if isinstance(first, Const) else axes_of(first))
        return pool_entries(state, in_loop, swept, node)
    joined = join(parts)
    return element_of(joined) if isinstance(joined, HeapObject) else joined


def is_none(value: AnyValue) -> bool:
    """Whether a value is the None that an array starts with: ``scores = None`` before the loop."""
    return isinstance(value, Const) and value.value is None


def concatenate_to(state: AnalysisState, target: HeapObject, value: AnyValue, node: ast.AST) -> None:
    """Add to a container what is concatenated with it."""
    for option in options(value):
        match option:
            case MeasureValue() | HeapObject(kind="frame" | "table" | "tuple" | "dict"):
                row = option
                if isinstance(option, HeapObject) and option.kind in ("frame", "table") and option.fields:
                    row = HeapObject(
                        "dict", {k: element_of(v) if isinstance(v, HeapObject) else v for k, v in option.fields.items()}
                    )
                append_entry(state, target, row, node)
            case _:
                if target.kind == "frame" and not target.entries() and isinstance(option, HeapObject):
                    touch(state, target)
                    target.kind = option.kind  # an empty series takes the entries of a list
                merge(state, target, option, node)


def pool_entries(state: AnalysisState, value: AnyValue, swept: Axes, node: ast.AST, depth: int = 6) -> AnyValue:
    """The entries of a list, concatenated: data of different folds are pooled.

    ``depth`` bounds the recursion, as a list may hold itself.
    """
    match value:
        case Data():
            return state.pool_data(value, swept, node)
        case MeasureValue():
            return stack_along(value, swept)
        case HeapObject(kind="list" | "array", elements=None, fields={0: MeasureValue() as only}) if (
            len(value.fields) == 1
        ):
            return stack_along(only, swept)
        case HeapObject() if depth:
            columns = {key: pool_entries(state, v, swept, node, depth - 1) for key, v in value.fields.items()}
            rest = None if value.elements is None else pool_entries(state, value.elements, swept, node, depth - 1)
            return HeapObject("frame", columns, rest, value.extent, value.allocation_loops - swept)
        case Union() if depth:
            return join(pool_entries(state, option, swept, node, depth - 1) for option in value.options)
        case _:
            return value


def stack_call(state: AnalysisState, entry: Entry, arguments: Arguments, node: ast.AST) -> AnyValue:
    """``np.vstack([a, b])`` puts arrays side by side; an array that grows in a loop by it is pooled."""
    parts = first_argument(arguments)
    if entry.facts.get("joins") == "rows":
        label_joined(state, node)
        note_copies(state, node)
    if (
        isinstance(parts, HeapObject)
        and parts.elements is None
        and any(is_grown(state, v) for v in parts.fields.values())
    ):
        return pool_call(state, entry, arguments, node)
    stacked = as_array(parts)
    if entry.facts.get("joins") == "rows" and isinstance(stacked, Data) and len(stacked.along) > 1:
        first, second, *others = stacked.along  # stacks of rows are put below each other
        return replace(stacked, along=(first | second, *others))
    return stacked


def is_grown(state: AnalysisState, value: AnyValue) -> bool:
    """Whether an argument of ``vstack`` is older than the loops under way."""
    if isinstance(value, HeapObject):
        return value.kind in ("array", "list") and bool(state.active_axes - value.allocation_loops)
    if isinstance(value, Const) and is_none(value):
        return bool(state.active_axes - value.allocation_loops)
    return isinstance(value, Data) and bool(state.active_axes) and bool(value.pooled & state.active_axes)


def note_split_of_groups(state: AnalysisState, node: ast.AST) -> None:
    """``np.concatenate([X[k] for k in test])``: each index of the split stands for a whole array, of a patient perhaps.

    The splitter splits groups then, not samples.
    """
    match node:
        case ast.Call(args=[ast.ListComp(generators=[ast.comprehension(iter=indices)]), *_]):
            indices_value = state.evaluate(state, indices)
        case _:
            return
    if isinstance(indices_value, Data) and indices_value.index in ("train-indices", "test-indices"):
        for axis in indices_value.axes:
            if axis.splitter is not None and axis.kind == "fold":
                axis.splitter = split_of_groups(axis.splitter)


def beside_method(state: AnalysisState, base: AnyValue, entry: Entry, arguments: Arguments, node: ast.Call) -> AnyValue:
    """``frame.merge(other)``, ``frame.join(other)``: the columns of both; a text joins texts."""
    found = []
    for option in options(base):
        if is_frame(option):
            found.append(with_columns_of(option, first_argument(arguments)))
        else:
            transfer = format_method if entry.facts.get("text") and not holds_numbers(option) else same_method
            found.append(transfer(state, option, entry, arguments, node))
    return join(found)


def holds_numbers(value: AnyValue) -> bool:
    """Whether a value is an array or a table of numbers, and not the separator of texts."""
    is_data = isinstance(value, Data) and not value.opaque and value.codomain.kind is not Kind.TEXT
    return is_data or isinstance(value, MeasureValue)


def is_frame(value: AnyValue) -> bool:
    """Whether a value is a frame whose columns the analysis follows."""
    return isinstance(value, HeapObject) and value.kind in TABLES and bool(value.entries())


def with_columns_of(frame: AnyValue, other: AnyValue) -> AnyValue:
    """A frame with the columns of another beside its own."""
    assert isinstance(frame, HeapObject)
    made = copy_container(frame)
    for option in options(other):
        if isinstance(option, HeapObject) and is_frame(option):
            made.fields = {**option.fields, **made.fields}
            made.elements = join([*options(made.elements), option.elements]) if option.elements else made.elements
    return made


def transpose_method(
    state: AnalysisState, base: AnyValue, entry: Entry, arguments: Arguments, node: ast.Call
) -> AnyValue:
    """``frame.transpose()``."""
    return join(transposed(option) for option in options(same_method(state, base, entry, arguments, node)))


def unstack_method(
    state: AnalysisState, base: AnyValue, entry: Entry, arguments: Arguments, node: ast.Call
) -> AnyValue:
    """``column.unstack()``: a frame whose columns are parts of the column, under titles that nobody knows."""
    match as_array(base):
        case MeasureValue(along=(extent, *_)) | Data(along=(extent, *_)) as column:
            return HeapObject("frame", {}, column, extent, state.allocation_loops)
        case _:
            return same_method(state, base, entry, arguments, node)


def columns_code_method(
    state: AnalysisState, base: AnyValue, entry: Entry, arguments: Arguments, node: ast.Call
) -> AnyValue:
    """``frame.eval("score = f1 + 0")``: the code reads and writes the columns."""
    code = first_argument(arguments)
    if not (isinstance(base, HeapObject) and is_frame(base) and isinstance(code, Const)):
        return same_method(state, base, entry, arguments, node)
    made = copy_container(base)
    columns = HeapObject("dict", made.fields, made.elements, made.extent, made.allocation_loops)
    value = state.call(state, library(entry.facts["runs"]), ([code, columns], {}), node)
    return made if isinstance(value, Const) and value.value is None else value
