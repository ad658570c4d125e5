"""Arrays and tables made of others: converted, concatenated, pooled over folds."""

from __future__ import annotations

import ast
from dataclasses import replace

from cvlint.analysis.checkers.leakage import joined, learn, over_rows
from cvlint.analysis.checkers.reported_scores import reported
from cvlint.analysis.domain.lattice import array, element, join, options, stacked
from cvlint.analysis.domain.value import (
    AnyValue,
    Axes,
    Const,
    Data,
    Function,
    HeapObject,
    LibraryName,
    LibraryObject,
    MeasureValue,
    Union,
    axes_of,
)
from cvlint.analysis.heap.writes import append, extend
from cvlint.analysis.inference.loop_axes import held_out
from cvlint.analysis.models.arguments import argument, first
from cvlint.analysis.models.splitters import split_of_groups
from cvlint.analysis.state import AnalysisState, Arguments
from cvlint.knowledge.schema import Entry


def convert(state: AnalysisState, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """Conversions: the value stays what it is, a list becomes an array."""
    value = first(given)
    match value:
        case HeapObject(rest=None, keyed=keyed) if not keyed:
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
                and over_rows(state, node, method=False)
            ):
                learn(state, node, f"the function {entry.name.rpartition('.')[2]}")
            return rescaled(array(value)) if entry.facts.get("learned") else array(value)


def rescaled(value: AnyValue) -> AnyValue:
    """What a transformation that learns from its data makes of them: one fold's scores get a common scale."""
    match value:
        case Data(codomain="scores", pooled=pooled) if not pooled:
            return replace(value, codomain="calibrated")
        case _:
            return value


def pool_call(state: AnalysisState, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """``np.concatenate(list_of_arrays)``: the parts of different folds together; measures are collected."""
    parts = first(given)
    joined(state, node)
    parts_of_groups(state, node)
    if len(given[0]) > 1 and not isinstance(given[0][1], Const):
        parts = HeapObject("tuple", dict(enumerate(given[0])), born=state.active_axes)
    match parts:
        case HeapObject(keyed=keyed, rest=None) if keyed:
            return pool_row(state, list(keyed.values()), node)
        case HeapObject() if parts.kind == "frame":
            return parts
        case HeapObject():
            return join(poured(state, option, parts.extent, node) for option in options(parts.rest))
        case Data() if parts.along:
            return Data(parts.axes, (), parts.trace, parts.codomain, parts.pooled | parts.along[0])
        case _:
            return array(parts)


def parts_of_groups(state: AnalysisState, node: ast.AST) -> None:
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


def pool_row(state: AnalysisState, parts: list[AnyValue], node: ast.AST) -> AnyValue:
    """``np.append(all_scores, scores)``, ``pd.concat([frame, row])``, ``np.concatenate([X[:a], X[b:]])``."""
    kinds = {v.codomain for v in parts if isinstance(v, Data)}
    if {"before", "after"} <= kinds:
        for value in parts:
            if isinstance(value, Data) and value.codomain in ("before", "after"):
                held_out(state, value)
    holders = [
        v
        for p in parts
        for v in options(p)
        if isinstance(v, HeapObject) and (v.kind in ("list", "frame", "array") or v.rest)
    ]
    if holders and len(parts) > 1:
        holder = holders[0]
        for value in parts:
            if holder not in options(value):
                poured_in(state, holder, value, node)
        return holder
    outer = [p for p in parts if not (axes_of(p) & state.active_axes)]
    if outer and len(outer) < len(parts) and all(isinstance(p, Data) for p in parts):
        inner = join(p for p in parts if axes_of(p) & state.active_axes)
        swept = state.active_axes - axes_of(outer[0])
        return poured(state, inner, swept, node)
    merged = join(parts)
    return element(merged) if isinstance(merged, HeapObject) else merged


def poured_in(state: AnalysisState, holder: HeapObject, value: AnyValue, node: ast.AST) -> None:
    """Add to a container what is concatenated to it."""
    for option in options(value):
        match option:
            case MeasureValue() | HeapObject(kind="frame" | "table" | "tuple" | "dict"):
                row = option
                if isinstance(option, HeapObject) and option.kind in ("frame", "table") and option.keyed:
                    row = HeapObject(
                        "dict", {k: element(v) if isinstance(v, HeapObject) else v for k, v in option.keyed.items()}
                    )
                append(state, holder, row, node)
            case HeapObject(keyed=keyed, rest=None) if keyed:
                for entry in keyed.values():
                    append(state, holder, entry, node)
            case _:
                extend(state, holder, option, node)


def poured(state: AnalysisState, value: AnyValue, swept: Axes, node: ast.AST, depth: int = 6) -> AnyValue:
    """Entries of a list, concatenated: data of different folds are pooled; to a depth, as a list may hold itself."""
    match value:
        case Data():
            return state.pooled(value, swept, node)
        case MeasureValue():
            return stacked(value, swept)
        case HeapObject() if depth:
            columns = {key: poured(state, v, swept, node, depth - 1) for key, v in value.keyed.items()}
            rest = None if value.rest is None else poured(state, value.rest, swept, node, depth - 1)
            return HeapObject("frame", columns, rest, value.extent, value.born - swept)
        case Union() if depth:
            return join(poured(state, option, swept, node, depth - 1) for option in value.options)
        case _:
            return value


def stack_call(state: AnalysisState, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """``np.vstack``: side by side; an array that it makes grow in a loop is pooled."""
    parts = first(given)
    if isinstance(parts, HeapObject) and parts.rest is None and any(is_grown(state, v) for v in parts.keyed.values()):
        return pool_call(state, entry, given, node)
    return array(parts)


def is_grown(state: AnalysisState, value: AnyValue) -> bool:
    """Whether a part of what is stacked was made before the loops under way."""
    if isinstance(value, HeapObject):
        return value.kind in ("array", "list") and bool(state.active_axes - value.born)
    return isinstance(value, Data) and bool(state.active_axes) and bool(value.pooled & state.active_axes)


def new_array(state: AnalysisState, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """An array that is to be filled."""
    return HeapObject("array", born=state.birth)


def container(state: AnalysisState, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """``list(x)``, ``dict(a=…)``, ``defaultdict(list)``."""
    positional, keywords = given
    kind = entry.facts["kind"]
    if kind == "defaultdict":
        return HeapObject("dict", born=state.birth, default=positional[0] if positional else None)
    if kind == "dict":
        source = positional[0] if positional else None
        keyed = dict(source.keyed) if isinstance(source, HeapObject) else {}
        return HeapObject(
            "dict",
            {**keyed, **keywords},
            source.rest if isinstance(source, HeapObject) else None,
            born=state.active_axes,
        )
    if not positional:
        return HeapObject("list", born=state.birth)
    value = positional[0]
    return value if not isinstance(value, Const) else Data()


def frame_call(state: AnalysisState, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """A DataFrame or Series of what was collected."""
    source = argument(given, 0, "data")
    columns = given[1].get("columns")
    if source is not None:
        reported(state, source)
    match source:
        case Const(value=int() | float() | str()):
            return HeapObject("array", born=state.birth)
        case None | Const(value=None):
            return HeapObject("frame", born=state.birth, default=columns or HeapObject("list"))
        case HeapObject(kind="dict"):
            keyed = {key: array(v) for key, v in source.keyed.items()}
            rest = None if source.rest is None else stacked(array(source.rest), source.extent)
            return HeapObject("frame", keyed, rest, source.extent, source.born)
        case HeapObject(rest=None, keyed=keyed) if not keyed:
            return HeapObject("frame", born=source.born, default=columns or HeapObject("list"))
        case _:
            return titled(array(source), columns)


def titled(value: AnyValue, columns: AnyValue | None) -> AnyValue:
    """A table whose numbered columns have got names."""
    if isinstance(value, Union):
        return join(titled(option, columns) for option in value.options)
    if isinstance(value, HeapObject) and value.kind == "table" and isinstance(columns, HeapObject):
        titles = {k: v.value for k, v in columns.keyed.items() if isinstance(v, Const)}
        return HeapObject(
            "frame", {titles.get(k, k): v for k, v in value.keyed.items()}, value.rest, value.extent, value.born
        )
    return value
