"""Columns of frames. Effects: ``rename``; functions that ``apply`` calls on each column or on each entry of one.

Rows become columns where a frame is made of them or turned over: ``pd.DataFrame([{"f1": first}, {"f1": second}])``.
``frame.rename(columns={"f1": "F"})``, ``frame.add_prefix("cv_")``, ``frame.columns = ["model", "F"]``,
``frame.apply(np.mean)``, ``frame["f1"].apply(float)``.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from typing import Any

from cvlint.analysis.domain.axis import Axis
from cvlint.analysis.domain.heap_object import HeapObject, Instance
from cvlint.analysis.domain.lattice import element_of, extent_of, join, measures_in, options, stack_along, vary_over
from cvlint.analysis.domain.texts import joined
from cvlint.analysis.domain.value import AnyValue, Const, Data, LibraryName, MeasureValue, Union
from cvlint.analysis.heap.branches import touch
from cvlint.analysis.heap.positions import copy_container
from cvlint.analysis.models.arguments import argument_named
from cvlint.analysis.state import AnalysisState, Arguments
from cvlint.analysis.taint import taken
from cvlint.knowledge.schema import Entry

TABLES = ("frame", "table")


def rename_method(state: AnalysisState, base: AnyValue, entry: Entry, arguments: Arguments, node: ast.Call) -> AnyValue:
    """``frame.rename(columns={"f1": "F"})``, ``frame.add_prefix("cv_")``: the same columns under other titles."""
    told = argument_named(arguments, 0, entry.facts["titles"])
    found = [renamed(option, new_title(entry, told)) for option in options(base)]
    if "inplace" in arguments[1]:
        for option, made in zip(options(base), found, strict=True):
            if isinstance(option, HeapObject) and isinstance(made, HeapObject):
                touch(state, option)
                option.fields, option.elements = made.fields, made.elements
    return join(found)


def new_title(entry: Entry, told: AnyValue | None) -> Callable[[Any], AnyValue | None]:
    """The title that a column gets: from a dict, or with a text before or behind it; None where it is not known."""
    before, behind = entry.facts.get("place") == "before", entry.facts.get("place") == "behind"

    def title(old: Any) -> AnyValue | None:
        match told:
            case HeapObject(kind="dict", elements=None):
                return told.fields.get(old, Const(value=old))
            case Const(value=str() as text) if isinstance(old, str) and (before or behind):
                text_of_both = joined((text, old) if before else (old, text))
                return None if text_of_both is None else Const(value=text_of_both)
            case _:
                return None

    return title


def renamed(frame: AnyValue, title: Callable[[Any], AnyValue | None]) -> AnyValue:
    """A copy of a frame with new titles; columns whose titles are not known become entries under unknown keys."""
    if not isinstance(frame, HeapObject) or frame.kind not in TABLES:
        return frame
    made = copy_container(frame)
    made.fields = {}
    for old, column in frame.fields.items():
        match title(old):
            case Const(value=str() | int() as new):
                made.fields[new] = column
            case _:
                made.elements = join([*options(made.elements), column])
    return made


def columns_of_rows(rows: Iterable[AnyValue], names: AnyValue | None) -> dict[str, AnyValue]:
    """The columns of ``[{"f1": first}, {"f1": second}]``, or of lists that hold measures; none where others stand.

    The ``names`` are the titles of columns that only have a number.
    """
    columns: dict[Any, AnyValue] = {}
    titles = names.fields if isinstance(names, HeapObject) else {}
    for row in rows:
        if not isinstance(row, HeapObject) or row.elements is not None:
            return {}
        if row.kind != "dict" and not (row.kind in ("list", "tuple") and measures_in(row, depth=1)):
            return {}
        for key, value in row.fields.items():
            told = titles.get(key) if row.kind != "dict" else None
            title = told.value if isinstance(told, Const) else key
            column = columns.setdefault(title, HeapObject("list", allocation_loops=row.allocation_loops))
            if isinstance(column, HeapObject):
                column.fields[len(column.fields)] = taken(value)[0]
    return columns


def with_column_names(value: AnyValue, columns: AnyValue | None) -> AnyValue:
    """A table whose numbered columns get the names that ``columns=`` lists."""
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


def transposed(value: AnyValue) -> AnyValue:
    """``frame.T``, where each column is a dict, as the results of one model are: its keys become the columns.

    Where the entries of a column are not known by their keys, the frame stays what it is.
    """
    match value:
        case HeapObject(kind="frame") if value.entries() and all(map(has_known_keys, value.entries())):
            rows = columns_of_rows(value.fields.values(), None)
            more = value.elements.fields if isinstance(value.elements, HeapObject) else {}
            found = {key: join(v for v in (more.get(key), rows.get(key)) if v is not None) for key in (*rows, *more)}
            return HeapObject("frame", found, allocation_loops=value.allocation_loops)
        case _:
            return value


def has_known_keys(column: AnyValue) -> bool:
    """Whether a column is a dict, or several of them, of whose entries all keys are known."""
    return isinstance(column, HeapObject) and column.kind in ("dict", "table") and column.elements is None


def set_titles(frame: HeapObject, titles: AnyValue) -> None:
    """``frame.columns = ["model", "F"]``: the titles of the columns, in their order."""
    if frame.elements is not None or not isinstance(titles, HeapObject) or len(titles.fields) != len(frame.fields):
        return
    known = [v.value if isinstance(v, Const) else None for v in titles.fields.values()]
    if None not in known:
        frame.kind, frame.fields = "frame", dict(zip(known, frame.fields.values(), strict=True))


def each_column(state: AnalysisState, frame: HeapObject, function: AnyValue, node: ast.Call) -> AnyValue:
    """``frame.apply(np.mean)``: what a function makes of each column."""
    fields = {title: state.call(state, function, ([column], {}), node) for title, column in frame.fields.items()}
    return HeapObject(frame.kind, fields, allocation_loops=frame.allocation_loops)


def each_entry(state: AnalysisState, base: AnyValue, function: AnyValue, node: ast.AST) -> AnyValue:
    """``frame["f1"].apply(float)``: what a function makes of each entry of a column.

    ``frame["threshold"].map(f1_at)`` measures once for each entry: that is a loop over them.
    """
    entry = element_of(base)
    found = state.call(state, function, ([entry], {}), node)
    if isinstance(base, Data) and not base.along and isinstance(found, MeasureValue) and not found.along:
        axes = frozenset((Axis("loop", state.step(node, "a loop over the entries")),))
        with state.inside_loops(axes):
            found = state.call(state, function, ([vary_over(entry, axes)], {}), node)
        return stack_along(found, axes)
    extent = extent_of(base)
    if extent and isinstance(found, (MeasureValue, Data)) and not found.along and found.axes >= extent:
        return stack_along(found, extent)
    return found


def takes_columns(state: AnalysisState, function: AnyValue) -> bool:
    """Whether a function learns from columns, and so makes nothing of single values: ``zscore``."""
    entry = state.knowledge.entry(function.name) if isinstance(function, LibraryName) else None
    return entry is not None and bool(entry.facts.get("learned"))


def is_row_by_row(state: AnalysisState, node: ast.Call, function: AnyValue, by_groups: bool) -> bool:
    """Whether ``apply`` calls a function on each row: on a single column, on a group, or with ``axis=1``."""
    if any(k.arg == "axis" and not (isinstance(k.value, ast.Constant) and k.value.value == 0) for k in node.keywords):
        return True
    base = node.func.value if isinstance(node.func, ast.Attribute) else node.func
    if by_groups:
        return isinstance(base, ast.Call) or is_column(state, base)
    return not takes_columns(state, function) and is_column(state, base)


def is_column(state: AnalysisState, node: ast.expr) -> bool:
    """Whether an expression may give a column: ``frame["f1"].dropna()``, ``frame.f1``, ``load()``.

    What cleans a frame gives a frame: ``frame.drop(columns="label")``, ``frame.astype(float)``.
    """
    match node:
        case ast.Call(func=ast.Attribute(value=base, attr=name)):
            return name not in state.knowledge.groups["cleans-frames"] or is_column(state, base)
        case ast.Attribute(value=holder):  # ``self.frame``
            return not isinstance(state.evaluate(state, holder), Instance)
        case ast.Subscript(slice=cut):
            return isinstance(cut, ast.Constant)
        case _:
            return isinstance(node, ast.Call)
