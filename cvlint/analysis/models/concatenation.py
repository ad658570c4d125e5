"""Arrays and tables made of others: converted, concatenated, pooled over folds."""

from __future__ import annotations

import ast
from dataclasses import replace

from cvlint.analysis.checkers.leakage import is_over_rows, label_joined, label_learned
from cvlint.analysis.checkers.reported_scores import report_scores
from cvlint.analysis.domain.axis import Axes
from cvlint.analysis.domain.heap_object import HeapObject
from cvlint.analysis.domain.lattice import as_array, element_of, join, options, stack_along
from cvlint.analysis.domain.value import (
    AnyValue,
    Const,
    Data,
    Function,
    LibraryName,
    LibraryObject,
    MeasureValue,
    Union,
    axes_of,
)
from cvlint.analysis.heap.writes import append_entry, extend_list
from cvlint.analysis.inference.loop_axes import prove_fold_loop
from cvlint.analysis.models.arguments import argument_named, first_argument
from cvlint.analysis.models.splitters import split_of_groups
from cvlint.analysis.state import AnalysisState, Arguments
from cvlint.knowledge.loader import Entry


def same_call(state: AnalysisState, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """Conversions: the value stays what it is, a list becomes an array."""
    value = first_argument(given)
    match value:
        case HeapObject(elements=None, fields=keyed) if not keyed:
            return value
        case HeapObject() if entry.name.startswith(("builtins.", "copy.")):
            return value
        case Const():
            return value if not isinstance(value.value, str) else Data(opaque=False, codomain="text")
        case LibraryObject() | Function() | LibraryName():
            return value
        case _:
            if (
                entry.facts.get("learned")
                and isinstance(node, ast.Call)
                and node.args
                and is_over_rows(state, node, method=False)
            ):
                label_learned(state, node, f"the function {entry.name.rpartition('.')[2]}")
            return rescaled(as_array(value)) if entry.facts.get("learned") else as_array(value)


def rescaled(value: AnyValue) -> AnyValue:
    """What a transformation that learns from its data makes of them: one fold's scores get a common scale."""
    match value:
        case Data(codomain="scores", pooled=pooled) if not pooled:
            return replace(value, codomain="calibrated")
        case _:
            return value


def pool_call(state: AnalysisState, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """``np.concatenate(list_of_arrays)``: the parts of different folds together; measures are collected."""
    parts = first_argument(given)
    label_joined(state, node)
    note_split_of_groups(state, node)
    if len(given[0]) > 1 and not isinstance(given[0][1], Const):
        parts = HeapObject("tuple", dict(enumerate(given[0])), allocation_loops=state.active_axes)
    match parts:
        case HeapObject(fields=keyed, elements=None) if keyed:
            return concatenate_parts(state, list(keyed.values()), node)
        case HeapObject() if parts.kind == "frame":
            return parts
        case HeapObject():
            return join(pool_entries(state, option, parts.extent, node) for option in options(parts.elements))
        case Data() if parts.along:
            return Data(parts.axes, (), parts.trace, parts.codomain, parts.pooled | parts.along[0])
        case _:
            return as_array(parts)


def note_split_of_groups(state: AnalysisState, node: ast.AST) -> None:
    """``np.concatenate([X[k] for k in test])``: each index of a split is of a whole array, a patient, and no sample."""
    match node:
        case ast.Call(args=[ast.ListComp(generators=[ast.comprehension(iter=indices)]), *_]):
            taken = state.evaluate(state, indices)
        case _:
            return
    if isinstance(taken, Data) and taken.codomain in ("train-indices", "test-indices"):
        for axis in taken.axes:
            if axis.splitter is not None and axis.kind == "fold":
                axis.splitter = split_of_groups(axis.splitter)


def concatenate_parts(state: AnalysisState, parts: list[AnyValue], node: ast.AST) -> AnyValue:
    """``np.append(all_scores, scores)``, ``pd.concat([frame, row])``, ``np.concatenate([X[:a], X[b:]])``."""
    kinds = {v.codomain for v in parts if isinstance(v, Data)}
    if {"before", "after"} <= kinds:
        for value in parts:
            if isinstance(value, Data) and value.codomain in ("before", "after"):
                prove_fold_loop(state, value)
    holders = [
        v
        for p in parts
        for v in options(p)
        if isinstance(v, HeapObject) and (v.kind in ("list", "frame", "array") or v.elements)
    ]
    if holders and len(parts) > 1:
        holder = holders[0]
        for value in parts:
            if holder not in options(value):
                concatenate_to(state, holder, value, node)
        return holder
    outer = [p for p in parts if not (axes_of(p) & state.active_axes)]
    if outer and len(outer) < len(parts) and all(isinstance(p, Data) for p in parts):
        inner = join(p for p in parts if axes_of(p) & state.active_axes)
        swept = state.active_axes - axes_of(outer[0])
        return pool_entries(state, inner, swept, node)
    merged = join(parts)
    return element_of(merged) if isinstance(merged, HeapObject) else merged


def concatenate_to(state: AnalysisState, holder: HeapObject, value: AnyValue, node: ast.AST) -> None:
    """Add to a container what is concatenated to it."""
    for option in options(value):
        match option:
            case MeasureValue() | HeapObject(kind="frame" | "table" | "tuple" | "dict"):
                row = option
                if isinstance(option, HeapObject) and option.kind in ("frame", "table") and option.fields:
                    row = HeapObject(
                        "dict", {k: element_of(v) if isinstance(v, HeapObject) else v for k, v in option.fields.items()}
                    )
                append_entry(state, holder, row, node)
            case HeapObject(fields=keyed, elements=None) if keyed:
                for entry in keyed.values():
                    append_entry(state, holder, entry, node)
            case _:
                extend_list(state, holder, option, node)


def pool_entries(state: AnalysisState, value: AnyValue, swept: Axes, node: ast.AST, depth: int = 6) -> AnyValue:
    """Entries of a list, concatenated: data of different folds are pooled; to a depth, as a list may hold itself."""
    match value:
        case Data():
            return state.pool_data(value, swept, node)
        case MeasureValue():
            return stack_along(value, swept)
        case HeapObject() if depth:
            columns = {key: pool_entries(state, v, swept, node, depth - 1) for key, v in value.fields.items()}
            rest = None if value.elements is None else pool_entries(state, value.elements, swept, node, depth - 1)
            return HeapObject("frame", columns, rest, value.extent, value.allocation_loops - swept)
        case Union() if depth:
            return join(pool_entries(state, option, swept, node, depth - 1) for option in value.options)
        case _:
            return value


def stack_call(state: AnalysisState, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """``np.vstack``: side by side; an array that it makes grow in a loop is pooled."""
    parts = first_argument(given)
    if (
        isinstance(parts, HeapObject)
        and parts.elements is None
        and any(is_grown(state, v) for v in parts.fields.values())
    ):
        return pool_call(state, entry, given, node)
    return as_array(parts)


def is_grown(state: AnalysisState, value: AnyValue) -> bool:
    """Whether a part of what is stacked was made before the loops under way."""
    if isinstance(value, HeapObject):
        return value.kind in ("array", "list") and bool(state.active_axes - value.allocation_loops)
    return isinstance(value, Data) and bool(state.active_axes) and bool(value.pooled & state.active_axes)


def array_call(state: AnalysisState, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """An array that is to be filled."""
    return HeapObject("array", allocation_loops=state.allocation_loops)


def container_call(state: AnalysisState, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """``list(x)``, ``dict(a=…)``, ``defaultdict(list)``."""
    positional, keywords = given
    kind = entry.facts["kind"]
    if kind == "defaultdict":
        return HeapObject(
            "dict", allocation_loops=state.allocation_loops, default=positional[0] if positional else None
        )
    if kind == "dict":
        source = positional[0] if positional else None
        keyed = dict(source.fields) if isinstance(source, HeapObject) else {}
        return HeapObject(
            "dict",
            {**keyed, **keywords},
            source.elements if isinstance(source, HeapObject) else None,
            allocation_loops=state.active_axes,
        )
    if not positional:
        return HeapObject("list", allocation_loops=state.allocation_loops)
    value = positional[0]
    return value if not isinstance(value, Const) else Data()


def frame_call(state: AnalysisState, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """A DataFrame or Series of what was collected."""
    source = argument_named(given, 0, "data")
    columns = given[1].get("columns")
    if source is not None:
        report_scores(state, source)
    match source:
        case Const(value=int() | float() | str()):
            return HeapObject("array", allocation_loops=state.allocation_loops)
        case None | Const(value=None):
            return HeapObject("frame", allocation_loops=state.allocation_loops, default=columns or HeapObject("list"))
        case HeapObject(kind="dict"):
            keyed = {key: as_array(v) for key, v in source.fields.items()}
            rest = None if source.elements is None else stack_along(as_array(source.elements), source.extent)
            return HeapObject("frame", keyed, rest, source.extent, source.allocation_loops)
        case HeapObject(elements=None, fields=keyed) if not keyed:
            return HeapObject("frame", allocation_loops=source.allocation_loops, default=columns or HeapObject("list"))
        case _:
            return with_column_names(as_array(source), columns)


def with_column_names(value: AnyValue, columns: AnyValue | None) -> AnyValue:
    """A table whose numbered columns have got names."""
    if isinstance(value, Union):
        return join(with_column_names(option, columns) for option in value.options)
    if isinstance(value, HeapObject) and value.kind == "table" and isinstance(columns, HeapObject):
        titles = {k: v.value for k, v in columns.fields.items() if isinstance(v, Const)}
        return HeapObject(
            "frame",
            {titles.get(k, k): v for k, v in value.fields.items()},
            value.elements,
            value.extent,
            value.allocation_loops,
        )
    return value
