"""``frame.agg(…)``, ``frame.groupby("fold").apply(…)``: means of columns, one result a fold."""

from __future__ import annotations

import ast

from cvlint.analysis.domain.lattice import options, stacked
from cvlint.analysis.domain.value import AnyValue, Const, Data, HeapObject, LibraryName, axes_of
from cvlint.analysis.heap.reads import groups_of, item_of
from cvlint.analysis.models.arguments import argument
from cvlint.analysis.models.reductions import reduce_value
from cvlint.analysis.state import AnalysisState, Arguments
from cvlint.knowledge.schema import Entry


def aggregate(state: AnalysisState, base: AnyValue, entry: Entry, given: Arguments, node: ast.Call) -> AnyValue:
    """``frame.agg(["mean", "std"])``: a mean when one is asked for."""
    if entry.name == "pivot_table":
        return pivoted(state, base, given, node)
    if columns := columns_asked(given):
        titled = {title: column_mean(state, base, column, how, node) for title, (column, how) in columns.items()}
        return HeapObject("table", dict(titled), born=state.active_axes)
    is_mean = asks_for_mean(*given[0], *given[1].values())
    return reduce_value(state, node, "mean", base, None) if is_mean else Data(axes_of(base))


def pivoted(state: AnalysisState, base: AnyValue, given: Arguments, node: ast.Call) -> AnyValue:
    """``frame.pivot_table(values="f1", index="model", aggfunc="mean")``; without the last mostly one value a cell."""
    how = argument(given, 3, "aggfunc")
    if how is None or not asks_for_mean(how):
        return Data(axes_of(base))
    columns = argument(given, 0, "values")
    if columns is not None:
        names = next((k.value for k in node.keywords if k.arg == "values"), node.args[0] if node.args else node.func)
        base = item_of(state, base, columns, ast.copy_location(ast.Subscript(node.func, names), node))
    return reduce_value(state, node, "mean", base, None)


def asks_for_mean(*values: AnyValue) -> bool:
    """Whether one of some arguments, or of their entries, is the name of a mean, or the function."""
    found = [entry for value in values for option in options(value) for entry in entries_of(option)]
    texts = [v.value if isinstance(v, Const) else v.name for v in found if isinstance(v, Const | LibraryName)]
    return any(isinstance(text, str) and "mean" in text for text in texts)


def columns_asked(given: Arguments) -> dict[str, tuple[str, str]]:
    """The columns of ``agg(mean_auc=("auc", "mean"))`` and ``agg({"auc": "mean"})``, and what is made of each."""
    found = {}
    for title, value in given[1].items():
        match value:
            case HeapObject(keyed={0: Const(value=str() as column), 1: Const(value=str() as how)}):
                found[title] = (column, how)
    for value in given[0]:
        for key, made in value.keyed.items() if isinstance(value, HeapObject) and value.kind == "dict" else ():
            if isinstance(made, Const) and isinstance(key, str):
                found[key] = (key, str(made.value))
    return found


def column_mean(state: AnalysisState, base: AnyValue, column: str, how: str, node: ast.Call) -> AnyValue:
    """A column of a frame, or its mean."""
    taken = item_of(
        state, base, Const(value=column), ast.copy_location(ast.Subscript(node.func, ast.Constant(column)), node)
    )
    return reduce_value(state, node, "mean", taken, None) if "mean" in how else Data(axes_of(base))


def entries_of(value: AnyValue) -> list[AnyValue]:
    """A value, or the entries of a container and of the containers in it."""
    if not isinstance(value, HeapObject):
        return [value]
    inner = value.entries()
    return [*inner, *(e for v in inner if isinstance(v, HeapObject) for e in v.entries())]


def applied_to_folds(state: AnalysisState, base: AnyValue, function: AnyValue, node: ast.Call) -> AnyValue | None:
    """``frame.groupby("fold").apply(f)``: one result a fold; None where no folds are grouped by."""
    groups = groups_of(state, base, node.func.value) if isinstance(node.func, ast.Attribute) else None
    if groups is None:
        return None
    folds, rows = groups
    with state.along(folds):
        return stacked(state.call(state, function, ([rows], {}), node), folds)
