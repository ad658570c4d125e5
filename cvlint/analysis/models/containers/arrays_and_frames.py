"""Arrays and frames, and what keeps or converts them.

``np.zeros(n)``, ``pd.DataFrame(rows)``, ``np.asarray(scores)``, ``np.where(scores > 0.5, 1, 0)``, ``frame.iterrows()``.
Effects: ``as_array``, ``frame``, ``same``, ``check-cv``, ``length``, ``distinct``, ``threshold``, ``rows``.
"""

from __future__ import annotations

import ast
import re

from cvlint.analysis.checkers.leakage import is_over_rows, label_learned
from cvlint.analysis.checkers.search_scores import report_scores
from cvlint.analysis.checkers.undefined_folds.patches import check_where
from cvlint.analysis.domain.environment import Function
from cvlint.analysis.domain.heap_object import HeapObject
from cvlint.analysis.domain.lattice import as_array, element_of, join, stack_along
from cvlint.analysis.domain.text_pattern import VARYING
from cvlint.analysis.domain.value import AnyValue, Const, Data, LibraryName, LibraryObject, Union, axes_of
from cvlint.analysis.heap.copies import copy_value
from cvlint.analysis.heap.paths import joined_text
from cvlint.analysis.models.arguments import argument_named, first_argument, unknown_result
from cvlint.analysis.models.containers.group_reductions import apply_to_folds
from cvlint.analysis.models.experiment.estimators import rescaled
from cvlint.analysis.state import AnalysisState, Arguments
from cvlint.knowledge.schema import Entry


def same_call(state: AnalysisState, entry: Entry, arguments: Arguments, node: ast.AST) -> AnyValue:
    """``np.asarray(x)``, ``float(x)``: the value stays what it is, and a list becomes an array."""
    value = first_argument(arguments)
    match value:
        case HeapObject(elements=None, fields=keyed) if not keyed:
            return value
        case HeapObject() if entry.facts.get("as_is"):
            return value
        case Const() if entry.facts.get("text"):
            return text_call(state, entry, arguments, node)
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


def copy_call(state: AnalysisState, entry: Entry, arguments: Arguments, node: ast.AST) -> AnyValue:
    """``copy.deepcopy(x)``, ``pickle.loads(pickle.dumps(x))``."""
    return copy_value(first_argument(arguments))


def text_call(state: AnalysisState, entry: Entry, arguments: Arguments, node: ast.AST) -> AnyValue:
    """``os.path.join(folder, name)``, ``Path(folder)``, ``glob("fold*.csv")``."""
    if not isinstance(node, ast.Call) or not arguments[0] or len(node.args) != len(arguments[0]):
        return unknown_result(state, arguments)
    parts = list(zip(node.args, arguments[0], strict=True))
    return listed_texts(entry, joined_text(state, parts, entry.facts.get("separator", "")))


def text_method(state: AnalysisState, base: AnyValue, entry: Entry, arguments: Arguments, node: ast.Call) -> AnyValue:
    """``path.joinpath(name)``, ``Path(folder).glob("*.csv")``."""
    is_path = isinstance(base, Data) and base.codomain == "text"
    if not (is_path or isinstance(base, Const)) or not isinstance(node.func, ast.Attribute):
        return unknown_result(state, arguments, base)
    parts = [(node.func.value, base), *zip(node.args, arguments[0], strict=False)]
    return listed_texts(entry, joined_text(state, parts, entry.facts["separator"]))


def listed_texts(entry: Entry, text: AnyValue) -> AnyValue:
    """A text, or the list of all paths that fit a text with stars, where a function looks for files."""
    if not entry.facts.get("lists"):
        return text
    pattern = text.value if isinstance(text, Const) else text.pattern if isinstance(text, Data) else ""
    return HeapObject("list", elements=Data(axes_of(text), codomain="text", pattern=re.sub(r"\*+", VARYING, pattern)))


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
    return base if not isinstance(base, Const) else Data(axes_of(base))


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
