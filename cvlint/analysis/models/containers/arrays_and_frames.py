"""Arrays and frames, and what keeps or converts them.

``np.zeros(n)``, ``pd.DataFrame(rows)``, ``np.asarray(scores)``, ``np.where(scores > 0.5, 1, 0)``, ``frame.iterrows()``.
Effects: ``as_array``, ``frame``, ``same``, ``check-cv``, ``length``, ``distinct``, ``threshold``, ``rows``.
"""

from __future__ import annotations

import ast

from cvlint.analysis.checkers.leakage import is_over_rows, label_learned
from cvlint.analysis.checkers.search_scores import report_scores
from cvlint.analysis.checkers.selections import best_of_order, labels_in, ordered
from cvlint.analysis.checkers.undefined_folds.patches import check_where
from cvlint.analysis.domain.environment import Function
from cvlint.analysis.domain.heap_object import HeapObject
from cvlint.analysis.domain.lattice import UNKNOWN, as_array, element_of, join, stack_along, with_labels
from cvlint.analysis.domain.value import AnyValue, Const, Data, LibraryName, LibraryObject, Union, axes_of
from cvlint.analysis.models.arguments import argument_named, first_argument
from cvlint.analysis.models.containers.group_reductions import apply_to_folds
from cvlint.analysis.models.experiment.estimators import rescaled
from cvlint.analysis.state import AnalysisState, Arguments
from cvlint.knowledge.schema import Entry


def same_call(state: AnalysisState, entry: Entry, arguments: Arguments, node: ast.AST) -> AnyValue:
    """``np.asarray(x)``, ``float(x)``: the value stays what it is, and a list becomes an array."""
    value = first_argument(arguments)
    learned = bool(entry.facts.get("learned"))
    if learned and isinstance(node, ast.Call) and node.args and is_over_rows(state, node, method=False):
        label_learned(state, node, f"the function {entry.name.rpartition('.')[2]}")
    match value:
        case HeapObject(elements=None, fields=keyed) if not keyed:
            return value
        case HeapObject() if entry.name.startswith("builtins."):
            return value
        case Const():
            return value if not isinstance(value.value, str) else Data(opaque=False, codomain="text")
        case LibraryObject() | Function() | LibraryName():
            return value
        case _:
            return rescaled(as_array(value)) if learned else as_array(value)


def array_call(state: AnalysisState, entry: Entry, arguments: Arguments, node: ast.AST) -> AnyValue:
    """``np.zeros(n)``: an array that the code fills later."""
    return HeapObject("array", allocation_loops=state.allocation_loops)


def frame_call(state: AnalysisState, entry: Entry, arguments: Arguments, node: ast.AST) -> AnyValue:
    """``pd.DataFrame(rows, columns=names)``: the rows become columns."""
    source = argument_named(arguments, 0, "data")
    columns = arguments[1].get("columns")
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


def length_call(state: AnalysisState, entry: Entry, arguments: Arguments, node: ast.AST) -> AnyValue:
    """``len(x)``."""
    return Data(axes_of(first_argument(arguments)), codomain="length")


def distinct_call(state: AnalysisState, entry: Entry, arguments: Arguments, node: ast.AST) -> AnyValue:
    """``np.unique(y)``."""
    return Data(axes_of(first_argument(arguments)), codomain="distinct")


def threshold_call(state: AnalysisState, entry: Entry, arguments: Arguments, node: ast.AST) -> AnyValue:
    """``np.where(test, a, b)``: one of two values; of two numbers, hard labels."""
    if len(arguments[0]) < 3:
        return Data(axes_of(first_argument(arguments)), codomain="mask")
    check_where(state, arguments[0], node)
    return (
        join(v for v in arguments[0][1:] if not isinstance(v, Const))
        if any(not isinstance(v, Const) for v in arguments[0][1:])
        else Data(axes_of(first_argument(arguments)), codomain="hard")
    )


def same_method(state: AnalysisState, base: AnyValue, entry: Entry, arguments: Arguments, node: ast.Call) -> AnyValue:
    """``x.reshape(-1)``, ``frame.copy()``: the value stays what it is; ``frame.apply(f)`` calls the function."""
    if entry.name == "apply" and arguments[0]:
        if (per_fold := apply_to_folds(state, base, arguments[0][0], node)) is not None:
            return per_fold
        state.frame.per_sample, outer = state.frame.per_sample or is_row_by_row(node), state.frame.per_sample
        try:
            return state.call(state, arguments[0][0], ([element_of(base)], {}), node)
        finally:
            state.frame.per_sample = outer
    if entry.facts.get("orders"):
        column = (
            arguments[1].get("by") or arguments[1].get("columns") or (*arguments[0], None)[entry.facts.get("by", 0)]
        )
        base = ordered(state, base, ordering_column(base, column), node)
    if entry.facts.get("ends") and arguments[0] and isinstance(arguments[0][0], Const) and arguments[0][0].value == 1:
        return with_labels(base, best_of_order(labels_in(base, "ordered")))
    return base if not isinstance(base, Const) else Data(axes_of(base))


def ordering_column(frame: AnyValue, column: AnyValue | None) -> AnyValue:
    """The column that a frame is ordered by; the values themselves where none is named."""
    if isinstance(column, HeapObject):
        column = column.fields.get(0)
    if not isinstance(column, Const) or not isinstance(frame, HeapObject):
        return frame
    return frame.fields.get(column.value, UNKNOWN)


def is_row_by_row(node: ast.Call) -> bool:
    """Whether ``apply`` calls a function on each row: on a single column, on a group, or with ``axis=1``."""
    rows = any(
        k.arg == "axis" and not (isinstance(k.value, ast.Constant) and k.value.value == 0) for k in node.keywords
    )
    base = node.func.value if isinstance(node.func, ast.Attribute) else node.func
    column = isinstance(base, ast.Attribute) or (
        isinstance(base, ast.Subscript) and isinstance(base.slice, ast.Constant)
    )
    return rows or column or isinstance(base, ast.Call)


def rows_method(state: AnalysisState, base: AnyValue, entry: Entry, arguments: Arguments, node: ast.Call) -> AnyValue:
    """``frame.iterrows()``: pairs of an index and a row; ``frame.itertuples()``: rows."""
    if entry.name == "to_dict":
        return base
    row = element_of(as_array(base))
    extent = axes_of(row) - axes_of(base)
    pair = HeapObject("tuple", {0: Data(codomain="key"), 1: row}) if entry.name == "iterrows" else row
    return HeapObject("list", {}, pair, extent, allocation_loops=state.active_axes)


def distinct_method(
    state: AnalysisState, base: AnyValue, entry: Entry, arguments: Arguments, node: ast.Call
) -> AnyValue:
    """``y.nunique()``."""
    return Data(axes_of(base), codomain="distinct")
