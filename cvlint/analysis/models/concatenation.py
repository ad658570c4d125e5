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
    Cell,
    Const,
    Data,
    Either,
    Function,
    Library,
    Measured,
    Thing,
    axes_of,
)
from cvlint.analysis.heap.writes import append, extend
from cvlint.analysis.inference.loop_axes import held_out
from cvlint.analysis.models.arguments import argument, first
from cvlint.analysis.models.splitters import split_of_groups
from cvlint.analysis.state import Arguments, Run
from cvlint.knowledge.loader import Entry


def convert(run: Run, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """Conversions: the value stays what it is, a list becomes an array."""
    value = first(given)
    match value:
        case Cell(rest=None, keyed=keyed) if not keyed:
            return value
        case Cell() if entry.name.startswith(("builtins.", "copy.")):
            return value
        case Const():
            return value if not isinstance(value.value, str) else Data(opaque=False, what="text")
        case Thing() | Function() | Library():
            return value
        case _:
            if (
                entry.facts.get("learned")
                and isinstance(node, ast.Call)
                and node.args
                and over_rows(run, node, method=False)
            ):
                learn(run, node, f"the function {entry.name.rpartition('.')[2]}")
            return rescaled(array(value)) if entry.facts.get("learned") else array(value)


def rescaled(value: AnyValue) -> AnyValue:
    """What a transformation that learns from its data makes of them: one fold's scores get a common scale."""
    match value:
        case Data(what="scores", pooled=pooled) if not pooled:
            return replace(value, what="calibrated")
        case _:
            return value


def pool_call(run: Run, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """``np.concatenate(list_of_arrays)``: the parts of different folds together; measures are collected."""
    parts = first(given)
    joined(run, node)
    parts_of_groups(run, node)
    if len(given[0]) > 1 and not isinstance(given[0][1], Const):
        parts = Cell("tuple", dict(enumerate(given[0])), born=run.active_axes)
    match parts:
        case Cell(keyed=keyed, rest=None) if keyed:
            return pool_row(run, list(keyed.values()), node)
        case Cell() if parts.kind == "frame":
            return parts
        case Cell():
            return join(poured(run, option, parts.extent, node) for option in options(parts.rest))
        case Data() if parts.along:
            return Data(parts.axes, (), parts.trace, parts.what, parts.pooled | parts.along[0])
        case _:
            return array(parts)


def parts_of_groups(run: Run, node: ast.AST) -> None:
    """``np.concatenate([X[k] for k in test])``: each index of a split is of a whole array, a patient, and no sample."""
    match node:
        case ast.Call(args=[ast.ListComp(generators=[ast.comprehension(iter=indices)]), *_]):
            taken = run.evaluate(run, indices)
        case _:
            return
    if isinstance(taken, Data) and taken.what in ("train-indices", "test-indices"):
        for axis in taken.axes:
            if axis.splitter is not None and axis.kind == "fold":
                axis.splitter = split_of_groups(axis.splitter)


def pool_row(run: Run, parts: list[AnyValue], node: ast.AST) -> AnyValue:
    """``np.append(all_scores, scores)``, ``pd.concat([frame, row])``, ``np.concatenate([X[:a], X[b:]])``."""
    kinds = {v.what for v in parts if isinstance(v, Data)}
    if {"before", "after"} <= kinds:
        for value in parts:
            if isinstance(value, Data) and value.what in ("before", "after"):
                held_out(run, value)
    holders = [
        v for p in parts for v in options(p) if isinstance(v, Cell) and (v.kind in ("list", "frame", "array") or v.rest)
    ]
    if holders and len(parts) > 1:
        holder = holders[0]
        for value in parts:
            if holder not in options(value):
                poured_in(run, holder, value, node)
        return holder
    outer = [p for p in parts if not (axes_of(p) & run.active_axes)]
    if outer and len(outer) < len(parts) and all(isinstance(p, Data) for p in parts):
        inner = join(p for p in parts if axes_of(p) & run.active_axes)
        swept = run.active_axes - axes_of(outer[0])
        return poured(run, inner, swept, node)
    merged = join(parts)
    return element(merged) if isinstance(merged, Cell) else merged


def poured_in(run: Run, holder: Cell, value: AnyValue, node: ast.AST) -> None:
    """Add to a container what is concatenated to it."""
    for option in options(value):
        match option:
            case Measured() | Cell(kind="frame" | "table" | "tuple" | "dict"):
                row = option
                if isinstance(option, Cell) and option.kind in ("frame", "table") and option.keyed:
                    row = Cell("dict", {k: element(v) if isinstance(v, Cell) else v for k, v in option.keyed.items()})
                append(run, holder, row, node)
            case Cell(keyed=keyed, rest=None) if keyed:
                for entry in keyed.values():
                    append(run, holder, entry, node)
            case _:
                extend(run, holder, option, node)


def poured(run: Run, value: AnyValue, swept: Axes, node: ast.AST, depth: int = 6) -> AnyValue:
    """Entries of a list, concatenated: data of different folds are pooled; to a depth, as a list may hold itself."""
    match value:
        case Data():
            return run.pooled(value, swept, node)
        case Measured():
            return stacked(value, swept)
        case Cell() if depth:
            columns = {key: poured(run, v, swept, node, depth - 1) for key, v in value.keyed.items()}
            rest = None if value.rest is None else poured(run, value.rest, swept, node, depth - 1)
            return Cell("frame", columns, rest, value.extent, value.born - swept)
        case Either() if depth:
            return join(poured(run, option, swept, node, depth - 1) for option in value.options)
        case _:
            return value


def stack_call(run: Run, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """``np.vstack``: side by side; an array that it makes grow in a loop is pooled."""
    parts = first(given)
    if isinstance(parts, Cell) and parts.rest is None and any(is_grown(run, v) for v in parts.keyed.values()):
        return pool_call(run, entry, given, node)
    return array(parts)


def is_grown(run: Run, value: AnyValue) -> bool:
    """Whether a part of what is stacked was made before the loops under way."""
    if isinstance(value, Cell):
        return value.kind in ("array", "list") and bool(run.active_axes - value.born)
    return isinstance(value, Data) and bool(run.active_axes) and bool(value.pooled & run.active_axes)


def new_array(run: Run, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """An array that is to be filled."""
    return Cell("array", born=run.birth)


def container(run: Run, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """``list(x)``, ``dict(a=…)``, ``defaultdict(list)``."""
    positional, keywords = given
    kind = entry.facts["kind"]
    if kind == "defaultdict":
        return Cell("dict", born=run.birth, default=positional[0] if positional else None)
    if kind == "dict":
        source = positional[0] if positional else None
        keyed = dict(source.keyed) if isinstance(source, Cell) else {}
        return Cell(
            "dict", {**keyed, **keywords}, source.rest if isinstance(source, Cell) else None, born=run.active_axes
        )
    if not positional:
        return Cell("list", born=run.birth)
    value = positional[0]
    return value if not isinstance(value, Const) else Data()


def frame_call(run: Run, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """A DataFrame or Series of what was collected."""
    source = argument(given, 0, "data")
    columns = given[1].get("columns")
    if source is not None:
        reported(run, source)
    match source:
        case Const(value=int() | float() | str()):
            return Cell("array", born=run.birth)
        case None | Const(value=None):
            return Cell("frame", born=run.birth, default=columns or Cell("list"))
        case Cell(kind="dict"):
            keyed = {key: array(v) for key, v in source.keyed.items()}
            rest = None if source.rest is None else stacked(array(source.rest), source.extent)
            return Cell("frame", keyed, rest, source.extent, source.born)
        case Cell(rest=None, keyed=keyed) if not keyed:
            return Cell("frame", born=source.born, default=columns or Cell("list"))
        case _:
            return titled(array(source), columns)


def titled(value: AnyValue, columns: AnyValue | None) -> AnyValue:
    """A table whose numbered columns have got names."""
    if isinstance(value, Either):
        return join(titled(option, columns) for option in value.options)
    if isinstance(value, Cell) and value.kind == "table" and isinstance(columns, Cell):
        titles = {k: v.value for k, v in columns.keyed.items() if isinstance(v, Const)}
        return Cell(
            "frame", {titles.get(k, k): v for k, v in value.keyed.items()}, value.rest, value.extent, value.born
        )
    return value
