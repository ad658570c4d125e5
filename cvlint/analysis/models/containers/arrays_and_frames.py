"""Arrays and frames, and what keeps or converts them.

``np.zeros(n)``, ``pd.DataFrame(rows)``, ``np.asarray(scores)``, ``np.where(scores > 0.5, 1, 0)``, ``frame.iterrows()``.
Effects: ``array``, ``frame``, ``same``, ``check-cv``, ``length``, ``distinct``, ``threshold``, ``bins``, ``rows``,
``text``.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence

from cvlint.analysis.checkers.leakage.learned import check_scaling_function, label_joined
from cvlint.analysis.checkers.leakage.own_statistics import is_over_rows, label_statistic
from cvlint.analysis.checkers.search_scores import report_scores
from cvlint.analysis.checkers.selections import best_of_order, ordered
from cvlint.analysis.checkers.undefined_folds.patches import check_where
from cvlint.analysis.domain.axis import NO_AXES
from cvlint.analysis.domain.codomain import BOOL, CLASS, NAMED, NUMBER, TEXT, TOP, Codomain, Kind, constant
from cvlint.analysis.domain.environment import Function
from cvlint.analysis.domain.frozen import replace
from cvlint.analysis.domain.heap_object import HeapObject, Instance
from cvlint.analysis.domain.lattice import (
    UNKNOWN,
    as_array,
    codomain_of,
    element_of,
    join,
    measures_in,
    options,
    pooled_axes,
    stack_along,
    vary_over,
    with_labels,
)
from cvlint.analysis.domain.taint_label import RESULTS
from cvlint.analysis.domain.texts import VARYING
from cvlint.analysis.domain.value import PREDICTION, AnyValue, Const, Data, LibraryName, LibraryObject, Union, axes_of
from cvlint.analysis.heap.files import written_files
from cvlint.analysis.heap.paths import Place, joined_text
from cvlint.analysis.heap.positions import entry_at
from cvlint.analysis.models.arguments import argument_named, argument_node, first_argument, unknown_result
from cvlint.analysis.models.containers.frames import (
    TABLES,
    columns_of_rows,
    each_column,
    each_entry,
    is_row_by_row,
    with_column_names,
)
from cvlint.analysis.models.containers.group_reductions import apply_to_folds, groups_listed, is_grouped
from cvlint.analysis.models.containers.iteration import gathered
from cvlint.analysis.models.experiment.estimators import rescaled
from cvlint.analysis.models.experiment.sampling import note_balancing, note_repeated, note_thinned
from cvlint.analysis.state import AnalysisState, Arguments
from cvlint.analysis.taint import labels_in, taint_at, taken
from cvlint.knowledge.schema import Entry

WHOLE = "whole"  # whole numbers, to which a value is rounded


def as_number(entry: Entry, text: Const) -> AnyValue:
    """A text that a call takes: ``float("nan")`` is NaN, and other calls give some text."""
    try:
        return replace(text, value=float(text.value)) if entry.facts.get("number") else Data(codomain=TEXT)
    except ValueError:
        return Data()


def same_call(state: AnalysisState, entry: Entry, arguments: Arguments, node: ast.AST) -> AnyValue:
    """``np.asarray(x)``, ``float(x)``: the value stays what it is, and a list becomes an array."""
    value = first_argument(arguments)
    learned = bool(entry.facts.get("learned")) and learns_columns(entry, arguments)
    if (
        learned
        and isinstance(node, ast.Call)
        and node.args
        and is_over_rows(state, node, entry.facts.get("axis_at", 1))
    ):
        check_scaling_function(state, node, entry.name.rpartition(".")[2])
    if entry.facts.get("copies"):
        note_repeated(state, node)
    if entry.facts.get("draws_with") in arguments[1]:  # ``shuffle(rows, n_samples=100)`` draws some of the rows
        note_balancing(state, entry, node)
    to = new_codomain(entry, arguments[0][1:], arguments[1])
    if to and not (to == WHOLE and isinstance(value, Const)):
        return converted(value, to, arguments[0][1:])
    match value:
        case HeapObject(elements=None, fields=keyed) if not keyed:
            return value
        case HeapObject() if entry.facts.get("as_is"):
            return value
        case Const() if entry.facts.get("text"):
            return text_call(state, entry, arguments, node)
        case Const():
            return as_number(entry, value) if isinstance(value.value, str) else value
        case LibraryObject() | Function() | LibraryName():
            return value
        case _:
            return rescaled(as_array(value)) if learned else as_array(value)


def learns_columns(entry: Entry, arguments: Arguments) -> bool:
    """Whether a function learns from columns: ``normalize(X, axis=0)``. Its default ``axis`` may be that of the rows.

    What it would learn may be given as its second argument, as the power of ``boxcox(ages, power)`` is.
    """
    name = entry.facts.get("unless")
    given = None if name is None else argument_named(arguments, 1, name)
    if given is not None and not (isinstance(given, Const) and given.value is None):
        return False
    return entry.facts.get("axis") is None or "axis" in arguments[1]


def text_call(state: AnalysisState, entry: Entry, arguments: Arguments, node: ast.AST) -> AnyValue:
    """``os.path.join(folder, name)``, ``Path(folder)``, ``glob("fold*.csv")``."""
    if not isinstance(node, ast.Call) or not arguments[0] or len(node.args) != len(arguments[0]):
        return unknown_result(state, arguments)
    parts = list(zip(node.args, arguments[0], strict=True))
    return listed_texts(state, entry, joined_text(state, parts, entry.facts.get("separator", "")))


def text_method(state: AnalysisState, base: AnyValue, entry: Entry, arguments: Arguments, node: ast.Call) -> AnyValue:
    """``path.joinpath(name)``, ``Path(folder).glob("*.csv")``."""
    is_path = isinstance(base, Data) and base.codomain.kind is Kind.TEXT
    if not (is_path or isinstance(base, Const)) or not isinstance(node.func, ast.Attribute):
        return unknown_result(state, arguments, base)
    parts = [(node.func.value, base), *zip(node.args, arguments[0], strict=False)]
    return listed_texts(state, entry, joined_text(state, parts, entry.facts["separator"]))


def listed_texts(state: AnalysisState, entry: Entry, text: AnyValue) -> AnyValue:
    """A text, or the list of all paths that fit a text with stars, where a function looks for files.

    A loop that wrote one of these files in each pass is the loop that the list goes along.
    """
    if not entry.facts.get("lists"):
        return text
    pattern = text.value if isinstance(text, Const) else text.pattern if isinstance(text, Data) else ""
    pattern = re.sub(r"\*+", VARYING, pattern)
    files = written_files(state, Place(pattern.removeprefix("./"))) if pattern else []
    axes = NO_AXES.union(*(axes for _, axes in files))
    return HeapObject("list", elements=Data(axes_of(text) | axes, codomain=TEXT, pattern=pattern), extent=axes)


def array_call(state: AnalysisState, entry: Entry, arguments: Arguments, node: ast.AST) -> AnyValue:
    """``np.zeros(n)``: an array that the code fills later; its first entries are a constant."""
    fill = entry.facts.get("fill")
    first = argument_named(arguments, 1, fill) if isinstance(fill, str) else None if fill is None else Const(value=fill)
    first = first if isinstance(first, Const) else None
    if (titles := titles_of_type(arguments[1].get("dtype"))) is not None:
        return HeapObject("frame", allocation_loops=state.allocation_loops, default=titles)
    return HeapObject("array", allocation_loops=state.allocation_loops, default=first)


def titles_of_type(dtype: AnyValue | None) -> HeapObject | None:
    """The titles of the columns of a structured array: ``dtype=[("p", float), ("r", float)]``."""
    fields = dtype.fields.values() if isinstance(dtype, HeapObject) and dtype.kind == "list" else ()
    names = [entry_at(field, 0) if isinstance(field, HeapObject) else None for field in fields]
    known = {i: name for i, name in enumerate(names) if isinstance(name, Const) and isinstance(name.value, str)}
    return HeapObject("list", dict(known)) if known and len(known) == len(names) else None


def frame_call(state: AnalysisState, entry: Entry, arguments: Arguments, node: ast.AST) -> AnyValue:
    """``pd.DataFrame(rows, columns=names)``: the rows become columns."""
    source = argument_named(arguments, 0, "data")
    columns = arguments[1].get("columns")
    if source is not None:
        report_scores(state, source)
        source = with_rows_of_objects(gathered(state, source, argument_node(node)))
    if isinstance(source, HeapObject) and are_rows(entry, arguments):
        values = dict(enumerate(source.fields.values()))
        source = HeapObject("list", values, source.elements, source.extent, source.allocation_loops)
    match source:
        case Const(value=int() | float() | str()):
            return HeapObject("array", allocation_loops=state.allocation_loops)
        case None | Const(value=None):
            return HeapObject("frame", allocation_loops=state.allocation_loops, default=columns or HeapObject("list"))
        case HeapObject(kind="dict"):
            keyed = {key: as_array(taken(v)[0]) for key, v in source.fields.items()}
            rest = None if source.elements is None else stack_along(as_array(taken(source.elements)[0]), source.extent)
            return HeapObject("frame", keyed, rest, source.extent, source.allocation_loops)
        case HeapObject(elements=None, fields=keyed) if not keyed:
            return HeapObject("frame", allocation_loops=source.allocation_loops, default=columns or HeapObject("list"))
        case HeapObject(kind="list", elements=None, fields=rows) if titled := columns_of_rows(rows.values(), columns):
            return HeapObject("frame", titled, allocation_loops=source.allocation_loops)
        case _:
            return with_column_names(as_array(source), columns)


def are_rows(entry: Entry, arguments: Arguments) -> bool:
    """Whether the values of a dict are the rows: ``DataFrame.from_dict(results, orient="index")``."""
    told = entry.facts.get("rows_if", {}).items()
    given = ((argument_named(arguments, 1, name), values) for name, values in told)
    return any(isinstance(value, Const) and value.value in values for value, values in given)


def with_rows_of_objects(source: AnyValue) -> AnyValue:
    """A list whose objects, of dataclasses for example, are rows: their attributes under the names of these."""
    if not (isinstance(source, HeapObject) and any(map(is_object, source.entries()))):
        return source
    rows = {key: row_of_object(row) for key, row in source.fields.items()}
    rest = join(row_of_object(o) for o in options(source.elements)) if source.elements is not None else None
    return HeapObject(source.kind, rows, rest, source.extent, source.allocation_loops)


def is_object(value: AnyValue) -> bool:
    """Whether a value may be an object that is no container."""
    return any(isinstance(option, Instance) and option.kind == "object" for option in options(value))


def row_of_object(value: AnyValue) -> AnyValue:
    """The attributes of an object as a dict; other values as they are."""
    if isinstance(value, Instance) and value.kind == "object":
        return HeapObject("dict", dict(value.attributes), allocation_loops=value.allocation_loops)
    return value


def length_call(state: AnalysisState, entry: Entry, arguments: Arguments, node: ast.AST) -> AnyValue:
    """``len(x)``: how many results there are, or how long their text is, is no result."""
    state.taint = frozenset(label for label in state.taint if label.kind not in RESULTS)
    return Data(axes_of(first_argument(arguments)), codomain=NUMBER)


def distinct_call(state: AnalysisState, entry: Entry, arguments: Arguments, node: ast.AST) -> AnyValue:
    """``np.unique(y)``."""
    return Data(axes_of(first_argument(arguments)), origin="distinct")


def threshold_call(state: AnalysisState, entry: Entry, arguments: Arguments, node: ast.AST) -> AnyValue:
    """``np.where(test, a, b)``, ``np.select(tests, values)``: one of several values; of constants, hard labels."""
    if len(arguments[0]) < entry.facts.get("least", 3):
        return Data(axes_of(first_argument(arguments)), codomain=BOOL, index="mask")
    check_where(state, arguments[0], node)
    tests, *chosen = (*arguments[0], *arguments[1].values())
    if entry.facts.get("listed"):
        chosen = [v for group in chosen for v in (group.entries() if isinstance(group, HeapObject) else [group])]
    if all(filled_codomain(v).is_finite for v in chosen):
        return Data(axes_of(tests), codomain=CLASS, pooled=pooled_axes(tests))
    return join(v for v in chosen if not isinstance(v, Const))


def filled_codomain(value: AnyValue) -> Codomain:
    """The values of an array that is used as it was made, ``np.ones(n)``, or of another value."""
    match value:
        case HeapObject(kind="array", elements=None, default=Const(value=fill)):
            return constant(fill)
        case _:
            return codomain_of(value)


def bins_call(state: AnalysisState, entry: Entry, arguments: Arguments, node: ast.AST) -> AnyValue:
    """``np.digitize(p, [0.5])``, ``pd.cut(p, [0, 0.5, 1])``: the bin of each entry; few cuts make decisions."""
    values, cuts = first_argument(arguments), argument_named(arguments, 1, "bins")
    few = isinstance(cuts, HeapObject) and cuts.elements is None and len(cuts.fields) <= entry.facts["cuts"]
    return Data(axes_of(values), codomain=CLASS if few else TOP, pooled=pooled_axes(values))


def same_method(state: AnalysisState, base: AnyValue, entry: Entry, arguments: Arguments, node: ast.Call) -> AnyValue:
    """``x.reshape(-1)``, ``frame.copy()``: the value stays what it is; ``frame.apply(f)`` calls the function."""
    if entry.facts.get("calls") and arguments[0]:
        for find in (apply_to_folds, groups_listed):
            if (groups := find(state, base, arguments[0][0], node)) is not None:
                return groups
        return applied(state, base, arguments[0][0], node)
    if entry.facts.get("orders"):
        column = (
            arguments[1].get("by")
            or arguments[1].get("columns")
            or (*arguments[0], None, None)[entry.facts.get("by", 0)]
        )
        base = ordered(state, base, ordering_column(base, column), node)
    if entry.facts.get("copies"):
        note_repeated(state, node)
    if entry.facts.get("ends"):
        note_thinned(state, node)
    if entry.facts.get("ends") and arguments[0] and isinstance(arguments[0][0], Const) and arguments[0][0].value == 1:
        return with_labels(base, best_of_order(state, node, labels_in(base, "ordered")))
    if to := new_codomain(entry, *arguments):
        made = converted(base, to, arguments[0])
        return replace(made, codomain=BOOL, index="mask") if "tests" in entry.facts and isinstance(made, Data) else made
    if entry.facts.get("flattens") and (column := only_column(base)) is not None:
        return column
    return base if not isinstance(base, Const) else Data(axes_of(base))


def only_column(value: AnyValue) -> AnyValue | None:
    """The column of a table that has only one; None for other values."""
    one = isinstance(value, HeapObject) and value.kind in TABLES and len(value.entries()) == 1
    return value.entries()[0] if one and isinstance(value, HeapObject) else None


def applied(state: AnalysisState, base: AnyValue, function: AnyValue, node: ast.Call) -> AnyValue:
    """``frame.apply(f)``, also by rows (``axis=1``) and of groups, whose results stand below each other."""
    frame, data = state.frame, getattr(node.func, "value", node.func)
    by_groups = is_grouped(state, data)
    by_rows = is_row_by_row(state, node, function, by_groups)
    outer = (frame.per_sample, frame.per_group)
    frame.per_sample, frame.per_group = frame.per_sample or by_rows, frame.per_group or by_groups
    try:
        if by_groups and measures_in(base):
            return state.call(state, function, ([base], {}), node)
        if isinstance(base, HeapObject) and base.kind in TABLES and base.fields and not by_rows:
            return each_column(state, base, function, node)
        return each_entry(state, base, function, node)
    finally:
        frame.per_sample, frame.per_group = outer
        state.taint |= taint_at(state, data)
        if by_groups:
            label_joined(state, node, are_many=True)


def new_codomain(entry: Entry, others: Sequence[AnyValue], keywords: Mapping[str, AnyValue]) -> str:
    """The codomain to which a function converts each entry; empty where the values stay what they are.

    ``others`` are the arguments after the value. Rounding to some decimals leaves scores what they are.
    """
    settings = [*others, *keywords.values()]
    if "by_type" in entry.facts:
        by_type = entry.facts["by_type"]
        types = [str(getattr(v, "value", getattr(v, "name", ""))) for v in settings]
        names = [text.rpartition(".")[2].rstrip("_0123456789") for text in types]
        return next((str(by_type[name]) for name in names if name in by_type), "")
    to = str(entry.facts.get("to", ""))
    if to == WHOLE and any(not isinstance(v, Const) or v.value for v in settings):
        return ""
    return to


def converted(value: AnyValue, to: str, others: Sequence[AnyValue] = ()) -> AnyValue:
    """A value whose entries were converted, each by itself, or with ``others``: what was pooled stays pooled."""
    value = vary_over(as_array(value), NO_AXES.union(*map(axes_of, others)))
    match value:
        case Union():
            return join(converted(option, to) for option in value.options)
        case Data() if to == WHOLE:
            return replace(value, codomain=value.codomain.rounded(value.origin == PREDICTION))
        case Data():
            codomain = NAMED[to]
            keep = value.codomain if value.codomain.is_finite and codomain.is_finite else codomain
            return replace(value, codomain=keep, origin="" if value.origin == PREDICTION else value.origin)
        case _:
            return value if to == WHOLE else Data(axes_of(value), codomain=NAMED[to])


def ordering_column(frame: AnyValue, column: AnyValue | None) -> AnyValue:
    """The column that a frame is ordered by; the values themselves where none is named."""
    if isinstance(column, HeapObject):
        column = column.fields.get(0)
    if not isinstance(column, Const) or not isinstance(frame, HeapObject):
        return frame
    return frame.fields.get(column.value, UNKNOWN)


def rows_method(state: AnalysisState, base: AnyValue, entry: Entry, arguments: Arguments, node: ast.Call) -> AnyValue:
    """``frame.iterrows()``: pairs of an index and a row; ``frame.itertuples()``: rows."""
    if entry.name == "to_dict":
        return base
    is_search = isinstance(base, LibraryObject) and base.role == "search-results"
    row = base if is_search else element_of(as_array(base))
    extent = axes_of(row) - axes_of(base)
    pair = HeapObject("tuple", {0: Data(index="key"), 1: row}) if entry.name == "iterrows" else row
    return HeapObject("list", {}, pair, extent, allocation_loops=state.active_axes)


def distinct_method(
    state: AnalysisState, base: AnyValue, entry: Entry, arguments: Arguments, node: ast.Call
) -> AnyValue:
    """``y.nunique()``; ``frame["city"].value_counts()`` says how frequent each value is in the data."""
    if entry.facts.get("statistic") and isinstance(node.func, ast.Attribute):
        label_statistic(state, node, node.func.value, 9)
    return Data(axes_of(base), origin="distinct")
