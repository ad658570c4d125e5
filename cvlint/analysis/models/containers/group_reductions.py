"""Means of the columns of a frame, or of groups of rows.

Effects: ``aggregate``, ``transform``; ``apply`` after ``groupby``.

``frame.agg(["mean", "std"])``, ``frame.groupby("model").agg(f1=("f1", "mean"))``,
``frame.groupby("fold").apply(score)``, ``frame.groupby("sex")["age"].transform("mean")``.
"""

from __future__ import annotations

import ast

from cvlint.analysis.checkers.leakage.made_columns import check_group_encoding
from cvlint.analysis.checkers.leakage.own_statistics import OF_GROUPS, label_statistic
from cvlint.analysis.domain.environment import Function
from cvlint.analysis.domain.heap_object import HeapObject
from cvlint.analysis.domain.lattice import measures_in, options, stack_along
from cvlint.analysis.domain.value import AnyValue, Const, Data, LibraryName, axes_of
from cvlint.analysis.heap.reads import read_entry_of
from cvlint.analysis.heap.row_selection import fold_groups
from cvlint.analysis.models.arguments import unknown_result
from cvlint.analysis.models.containers.column_expressions import evaluated_columns
from cvlint.analysis.models.containers.frames import each_entry
from cvlint.analysis.models.containers.reductions import kind_in_frame, reduce_value
from cvlint.analysis.state import AnalysisState, Arguments
from cvlint.analysis.syntax import called_name
from cvlint.knowledge.schema import Entry

LISTING_EFFECTS = ("container", "same")  # of ``list`` and ``np.array``
MOST_NAMES = 4  # ``frame = frame.dropna()`` leads to itself


def aggregate_method(
    state: AnalysisState, base: AnyValue, entry: Entry, arguments: Arguments, node: ast.Call
) -> AnyValue:
    """``frame.agg(["mean", "std"])``: a mean where its arguments name one."""
    if (expressions := evaluated_columns(state, base, node)) is not None:
        return HeapObject("table", expressions, allocation_loops=state.active_axes)
    if isinstance(node.func, ast.Attribute):
        label_statistic(state, node, node.func.value, 1)
    if columns := column_aggregations(arguments):
        titled = {title: column_mean(state, base, column, how, node) for title, (column, how) in columns.items()}
        return HeapObject("table", dict(titled), allocation_loops=state.active_axes)
    if (how := function_given(arguments)) is not None and measures_in(base):
        return state.call(state, how, ([base], {}), node)
    if arguments[0] and (groups := groups_listed(state, base, arguments[0][0], node)) is not None:
        return groups
    is_mean = names_mean(*arguments[0], *arguments[1].values())
    return reduce_value(state, node, "mean", base, None) if is_mean else Data(axes_of(base))


def transform_method(
    state: AnalysisState, base: AnyValue, entry: Entry, arguments: Arguments, node: ast.Call
) -> AnyValue:
    """``frame.groupby("sex")["age"].transform("mean")``: each row gets a statistic of its group.

    A frame without groups calls a function with each of its columns, as its ``apply`` does.
    """
    is_of_columns = isinstance(node.func, ast.Attribute) and not is_grouped(state, node.func.value)
    if arguments[0] and isinstance(arguments[0][0], Function) and is_of_columns:
        return state.call(state, arguments[0][0], ([base], {}), node)
    if not (arguments[0] and isinstance(node.func, ast.Attribute) and is_grouped(state, node.func.value)):
        return unknown_result(state, arguments, base)
    if isinstance(arguments[0][0], Function):
        state.frame.per_group, outer = True, state.frame.per_group
        try:
            return each_entry(state, base, arguments[0][0], node)
        finally:
            state.frame.per_group = outer
    label_statistic(state, node, node.func.value, 1, OF_GROUPS)
    if names_mean(arguments[0][0]):
        check_group_encoding(state, node, node.func.value)
    if measures_in(base) and names_mean(arguments[0][0]):
        return reduce_value(state, node, "mean", base, None)
    return Data(axes_of(base))


def is_grouped(state: AnalysisState, node: ast.expr, depth: int = MOST_NAMES) -> bool:
    """Whether an expression holds groups of rows: ``frame.groupby("sex")["age"]``; ``depth``: names to follow."""
    while isinstance(node, (ast.Attribute, ast.Subscript, ast.Call)):
        if isinstance(node, ast.Call) and called_name(node.func) in state.knowledge.groups["groups-rows"]:
            return True
        node = node.func if isinstance(node, ast.Call) else node.value
    definition = state.environment.definitions.get(node.id) if isinstance(node, ast.Name) and depth else None
    return isinstance(definition, (ast.Call, ast.Subscript)) and is_grouped(state, definition, depth - 1)


def function_given(arguments: Arguments) -> Function | None:
    """The function of the project that aggregates: ``agg(lambda column: column.mean())``."""
    match arguments:
        case ([Function() as how], {}):
            return how
        case _:
            return None


def names_mean(*values: AnyValue) -> bool:
    """Whether an argument, or one of its entries, is the name of a mean or the function itself."""
    entries = [entry for value in values for option in options(value) for entry in entries_of(option)]
    texts = [v.value if isinstance(v, Const) else v.name for v in entries if isinstance(v, (Const, LibraryName))]
    return any(isinstance(text, str) and "mean" in text for text in texts)


def column_aggregations(arguments: Arguments) -> dict[str, tuple[str, str]]:
    """The columns and their aggregations: ``agg(mean_auc=("auc", "mean"))``, ``agg({"auc": ["mean", "std"]})``."""
    found = {}
    for title, value in arguments[1].items():
        match value:
            case HeapObject(fields={0: Const(value=str() as column), 1: Const(value=str() as how)}):
                found[title] = (column, how)
    for value in arguments[0]:
        for key, made in value.fields.items() if isinstance(value, HeapObject) and value.kind == "dict" else ():
            if (named := names_of_aggregations(made)) and isinstance(key, str):
                found[key] = (key, named)
    return found


def names_of_aggregations(value: AnyValue) -> str:
    """The names of one aggregation or of a list of them, ``["mean", np.std]``; empty where one is not known."""
    entries = entries_of(value)
    texts = [str(v.value) if isinstance(v, Const) else v.name for v in entries if isinstance(v, (Const, LibraryName))]
    return " ".join(texts) if len(texts) == len(entries) else ""


def column_mean(state: AnalysisState, base: AnyValue, column: str, aggregation: str, node: ast.Call) -> AnyValue:
    """The mean of a column where the aggregation is one."""
    column_value = read_entry_of(
        state, base, Const(value=column), ast.copy_location(ast.Subscript(node.func, ast.Constant(column)), node)
    )
    if is_listing(state, aggregation) and measures_in(column_value):
        return HeapObject("list", elements=column_value, allocation_loops=state.active_axes)
    kind = kind_in_frame("mean", column_value)
    return reduce_value(state, node, kind, column_value, None) if "mean" in aggregation else Data(axes_of(base))


def entries_of(value: AnyValue) -> list[AnyValue]:
    """A value; of a container its entries, and the entries of the containers in it."""
    if not isinstance(value, HeapObject):
        return [value]
    inner = value.entries()
    return [*inner, *(e for v in inner if isinstance(v, HeapObject) for e in v.entries())]


def groups_listed(state: AnalysisState, base: AnyValue, function: AnyValue, node: ast.Call) -> HeapObject | None:
    """``frame.groupby("model")["f1"].apply(list)``: a list for each group; None for other functions."""
    if not (isinstance(function, LibraryName) and is_listing(state, function.name) and measures_in(base)):
        return None
    if not (isinstance(node.func, ast.Attribute) and is_grouped(state, node.func.value)):
        return None
    return HeapObject("list", elements=base, allocation_loops=state.active_axes)


def is_listing(state: AnalysisState, name: str) -> bool:
    """Whether a function of a library keeps all values that it gets, as ``list`` and ``np.array`` do."""
    entry = state.knowledge.entry(name)
    return entry is not None and entry.effect in LISTING_EFFECTS


def apply_to_folds(state: AnalysisState, base: AnyValue, function: AnyValue, node: ast.Call) -> AnyValue | None:
    """``frame.groupby("fold").apply(f)``: one result for each fold; None where the groups are no folds."""
    groups = fold_groups(state, base, node.func.value) if isinstance(node.func, ast.Attribute) else None
    if groups is None:
        return None
    folds, rows = groups
    with state.inside_loops(folds):
        return stack_along(state.call(state, function, ([rows], {}), node), folds)
