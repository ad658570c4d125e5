"""Loops: the axes that a loop over a value runs along, and its elements. Effects: ``iterate``, ``loader``.

``for train, test in splitter.split(X, y)`` runs along folds, and so does a loop over a list that was filled along
folds. Where the iterable says nothing, names do (a heuristic, so the confidence is medium at most).
"""

from __future__ import annotations

import ast

from cvlint.analysis.checkers.rows.samples import note_rows_drawn
from cvlint.analysis.domain.axis import NO_AXES, Axes, Axis
from cvlint.analysis.domain.environment import Function
from cvlint.analysis.domain.heap_object import HeapObject, Instance
from cvlint.analysis.domain.lattice import (
    MAX_OPTIONS,
    UNKNOWN,
    element_of,
    extent_of,
    join,
    options,
    value_key,
    vary_over,
)
from cvlint.analysis.domain.taint_label import NO_COLUMNS, NO_TAINT, Taint, for_columns
from cvlint.analysis.domain.value import (
    AnyValue,
    Const,
    Data,
    LibraryName,
    LibraryObject,
    Measure,
    MeasureValue,
    Union,
    axes_of,
)
from cvlint.analysis.heap.positions import slice_of
from cvlint.analysis.heap.row_selection import fold_groups
from cvlint.analysis.heap.titles import titles_of
from cvlint.analysis.inference.data_names import note_data_drawn
from cvlint.analysis.inference.identifier_inference import mentions_folds
from cvlint.analysis.inference.loop_axes import (
    SPLIT,
    axis_by_names,
    join_splitters,
    takes_keys,
    takes_row_numbers,
    train_and_test_indices,
)
from cvlint.analysis.label_columns import taint_of_entries
from cvlint.analysis.models.arguments import argument_named, first_argument
from cvlint.analysis.side_by_side import as_candidates
from cvlint.analysis.state import AnalysisState, Arguments
from cvlint.knowledge.schema import Entry
from cvlint.records import dataclass

MOST_UNROLLED = 8
MOST_KEYS = 16  # entries of a dict, and names in a list: rows of measures are longer than lists of models
MOST_PARTS = 3  # ``for part in (train, valid, test)``: what is done to each of them matters
MOST_PASSES = 16  # of loops within each other, all together


@dataclass(frozen=True, slots=True)
class Iteration:
    """How a loop runs: the axes that it runs along, and its elements (several where the loop is unrolled)."""

    axes: Axes
    elements: tuple[AnyValue, ...]


def iterate(state: AnalysisState, source: AnyValue, iter_node: ast.expr, target: ast.expr | None) -> Iteration:
    """How a loop over ``source`` runs; it keeps which data it visits."""
    if isinstance(source, HeapObject) and source.kind == "dict" and iter_node in state.taint_at:
        state.taint_at[iter_node] = without_statistics(state.taint_at[iter_node])  # its keys
    found = iterate_options(state, source, iter_node, target)
    found = Iteration(found.axes, as_candidates(state, found.elements, source))
    note_rows_drawn(state, note_data_drawn(state, found.axes, iter_node))
    return found


def iterate_options(state: AnalysisState, source: AnyValue, iter_node: ast.expr, target: ast.expr | None) -> Iteration:
    """How a loop over several possible values runs; one that is split into folds comes first."""
    iterations = [iterate_value(state, option, iter_node, target) for option in options(joined_items(source))]
    if len(iterations) == 1:
        return iterations[0]
    folds = [p for p in iterations if any(a.kind == "fold" for a in p.axes)]
    splitters = {id(a.splitter): (a.splitter, p) for p in folds for a in p.axes if a.splitter is not None}
    if splitters:
        return splitters[id(join_splitters([splitter for splitter, _ in splitters.values()]))][1]
    if folds:
        return folds[0]
    elements = [e for p in iterations for e in p.elements]
    known = {value_key(e): e for e in elements} if all(isinstance(e, Const) for e in elements) else {}
    return Iteration(iterations[0].axes, tuple(known.values()) if 0 < len(known) <= MOST_KEYS else (join(elements),))


def joined_items(source: AnyValue) -> AnyValue:
    """The items of one of several dicts are those of a value that may be any of them: each has its key."""
    found = options(source)
    parts = [o.facts["parts"][0] for o in found if isinstance(o, LibraryObject) and o.facts.get("form") == "items"]
    if not 1 < len(parts) == len(found):
        return source
    return LibraryObject(role="iterator", facts={"form": "items", "parts": (join(parts),)})


def iterate_value(state: AnalysisState, source: AnyValue, iter_node: ast.expr, target: ast.expr | None) -> Iteration:
    """How a loop over one possible value runs."""
    match source:
        case LibraryObject(role="folds"):
            return iterate_folds(state, source, iter_node, target)
        case LibraryObject(role="splitter"):
            axis = Axis("fold", state.step(iter_node, SPLIT), source)
            return Iteration(frozenset((axis,)), (train_and_test_indices(axis),))
        case LibraryObject(role="iterator"):
            return iterate_iterator(state, source, iter_node, target)
        case LibraryObject(role="range"):
            axis = axis_by_names(state, source.facts["node"], target, iter_node)
            axis.by_blocks = goes_by_blocks(source.facts["node"])
            return Iteration(frozenset((axis,)), (Data(frozenset((axis,)), index="loop-index"),))
        case LibraryObject(role="loader"):
            kind = "loop" if source.facts["one"] else "batch"
            axis = Axis(kind, state.step(iter_node, "batches are drawn here"))
            return Iteration(frozenset((axis,)), (Data(source.axes | {axis}, opaque=True),))
        case HeapObject(kind="frame" | "table") if groups := fold_groups(state, source, iter_node):
            axes, rows = groups
            return Iteration(axes, (HeapObject("tuple", {0: Data(axes, index="key"), 1: rows}),))
        case HeapObject(kind="frame" | "table") | Data() if is_grouped(state, iter_node):
            axis = axis_by_names(state, iter_node, target, iter_node)
            return Iteration(frozenset((axis,)), (HeapObject("tuple", {0: Data(index="key"), 1: source}),))
        case HeapObject(kind="frame" | "table") if (titles := titles_visited(state, source, iter_node)) is not None:
            return iterate_value(state, titles, iter_node, target)
        case MeasureValue(measure=Measure(average="none"), along=()):
            classes = frozenset((Axis("class", state.step(iter_node, "a loop over the classes")),))
            return Iteration(classes, (vary_over(source, classes),))
        case Data(origin="fold-pieces"):
            return Iteration(source.axes, (Data(source.axes, opaque=True),))
        case HeapObject(kind="list" | "tuple" | "dict") if unrollable(state, source):
            axis = (
                Axis("loop", state.step(iter_node, "a loop"))
                if has_titles(state, source)
                else axis_by_names(state, iter_node, target, iter_node)
            )
            values = source.fields if source.kind == "dict" else source.fields.values()
            if source.kind == "dict":
                return Iteration(frozenset((axis,)), tuple(Const(value=key, drawn=True) for key in values))
            return Iteration(frozenset((axis,)), tuple(source.fields.values()))
        case HeapObject(kind="list" | "tuple", fields=names) if len(names) > MAX_OPTIONS and lists_names(source):
            axes = axes_by_name(state, extent_of(source), iter_node, target)
            return Iteration(axes, (Data(axes, index="key"),))  # a union of the names would not hold all of them
        case HeapObject(kind="dict"):
            axes = source.extent or frozenset((axis_by_names(state, iter_node, target, iter_node),))
            return Iteration(axes, (Data(axes, index="key") if source.keys is None else source.keys,))
        case _:
            axes = axes_by_name(state, extent_of(source), iter_node, target)
            element = element_of(source)
            folds = [axis for axis in axes if axis.kind == "fold"]
            numbers = takes_row_numbers(state, target) or takes_keys(state, target)
            if len(folds) == len(axes) == 1 and numbers and not knows_rows(element):
                return Iteration(axes, (train_and_test_indices(folds[0]),))
            return Iteration(axes, (vary_over(element, axes),))


def titles_visited(state: AnalysisState, source: HeapObject, node: ast.expr) -> HeapObject | None:
    """The titles of a frame that a loop goes over; None for ``frame.values`` or ``frame.to_dict("records")``."""
    made = state.environment.definitions.get(node.id) if isinstance(node, ast.Name) else node
    last = made.func if isinstance(made, ast.Call) else made
    is_rows = isinstance(last, ast.Attribute) and last.attr in state.knowledge.groups["gives-rows"]
    return None if is_rows else titles_of(source)


def knows_rows(pair: AnyValue) -> bool:
    """Whether a pair is known to be the training and test indices of a fold."""
    parts = pair.entries() if isinstance(pair, HeapObject) else []
    return any(isinstance(o, Data) and o.index.endswith("-indices") for part in parts for o in options(part))


def loader_call(state: AnalysisState, entry: Entry, arguments: Arguments, node: ast.AST) -> AnyValue:
    """``DataLoader(data, batch_size=32)``: a loop over it runs over batches, or over samples if each has a batch."""
    size = argument_named(arguments, 1, "batch_size")
    facts = {"function": first_argument(arguments), "node": node, "one": isinstance(size, Const) and size.value == 1}
    axes = NO_AXES.union(*(axes_of(v) for v in (*arguments[0], *arguments[1].values())))
    return LibraryObject(axes=axes, role="loader", name=entry.name, facts={**entry.facts, **facts})


def axes_by_name(state: AnalysisState, extent: Axes, iter_node: ast.expr, target: ast.expr | None) -> Axes:
    """The axes of a loop over a list: those along which it was filled, or a new one of the kind that names tell.

    A list that a plain loop filled was filled along folds where the names of the loop over it speak of folds.
    """
    named = axis_by_names(state, iter_node, target, iter_node)
    if not extent:
        return frozenset((named,))
    if named.kind == "fold" and all(axis.kind == "loop" for axis in extent):
        for axis in extent:
            axis.kind, axis.step = named.kind, named.step
    return extent


def is_grouped(state: AnalysisState, node: ast.expr) -> bool:
    """Whether a loop runs over groups of rows that are no folds: ``for name, rows in frame.groupby("model")``."""
    match node:
        case ast.Call(func=ast.Attribute(attr=name), args=[key, *_]) if name in state.knowledge.groups["groups-rows"]:
            return not mentions_folds(state, key)
        case _:
            return False


def has_titles(state: AnalysisState, value: AnyValue) -> bool:
    """Whether the keys of a literal dict are words, such as the names of data sets, and no fold numbers."""
    if not (isinstance(value, HeapObject) and value.kind == "dict" and value.elements is None and value.fields):
        return False
    texts = [key for key in value.fields if isinstance(key, str) and not any(c.isdigit() for c in key)]
    return len(texts) == len(value.fields) and not any(state.knowledge.conforms("fold", key) for key in texts)


def unrollable(state: AnalysisState, heap_object: HeapObject) -> bool:
    """Whether a container is a short literal, so that the loop runs once for each entry instead of for their join.

    Not if the loops around it run so often already that all together would make too many passes.
    """
    if len(heap_object.fields) > 1 and len(heap_object.fields) * state.passes > MOST_PASSES:
        return False
    most = MOST_KEYS if heap_object.kind == "dict" or lists_names(heap_object) else MOST_UNROLLED
    if heap_object.elements is not None or not 0 < len(heap_object.fields) <= most:
        return False
    if heap_object.kind == "dict" or 1 < len(heap_object.fields) <= MOST_PARTS:
        return True
    return any(
        isinstance(v, (Const, LibraryName, Function, MeasureValue, HeapObject, LibraryObject, Union, Instance))
        for v in heap_object.entries()
    )


def lists_names(heap_object: HeapObject) -> bool:
    """Whether a list holds known texts alone, such as the names of measures or models."""
    return all(isinstance(v, Const) and isinstance(v.value, str) for v in heap_object.entries())


def goes_by_blocks(node: ast.AST) -> bool:
    """Whether a range jumps from block to block: ``range(0, n, size)``, but not ``range(n, 0, -1)``."""
    match node:
        case ast.Call(args=[_, _, ast.Constant(value=1) | ast.UnaryOp()]):
            return False
        case ast.Call(args=[_, _, _]):
            return True
        case _:
            return False


def iterate_folds(
    state: AnalysisState, source: LibraryObject, iter_node: ast.expr, target: ast.expr | None
) -> Iteration:
    """A loop over ``splitter.split(X, y)``.

    ``split`` of an unknown object makes folds only where the loop unpacks pairs or triples.
    """
    axis: Axis = source.facts["axis"]
    if source.facts.get("maybe") and not (isinstance(target, ast.Tuple) and 2 <= len(target.elts) <= 3):
        axis = axis_by_names(state, iter_node, target, iter_node)
        return Iteration(frozenset((axis,)), (Data(frozenset((axis,)), opaque=True),))
    return Iteration(frozenset((axis,)), (train_and_test_indices(axis),))


def iterate_iterator(
    state: AnalysisState, source: LibraryObject, iter_node: ast.expr, target: ast.expr | None
) -> Iteration:
    """A loop over ``enumerate``, ``zip`` or ``items``: along the axes of what they wrap."""
    wrapped: tuple[AnyValue, ...] = source.facts["parts"]
    targets = target.elts if isinstance(target, ast.Tuple) else []
    if source.facts["form"] == "enumerate":
        pair = isinstance(targets[1], ast.Tuple) if len(targets) == 2 else False
        inner = (
            iterate(state, wrapped[0], iter_node, targets[1] if pair else target) if wrapped else Iteration(NO_AXES, ())
        )
        index = Data(inner.axes, index="loop-index")
        return Iteration(inner.axes, tuple(HeapObject("tuple", {0: index, 1: value}) for value in inner.elements))
    if source.facts["form"] == "items":
        return iterate_items(state, wrapped[0], iter_node, target)
    iterations = [
        iterate(state, value, iter_node, targets[i] if len(targets) == len(wrapped) else None)
        for i, value in enumerate(wrapped)
    ]
    if not iterations:
        return Iteration(NO_AXES, ())
    if source.facts["form"] == "product":
        axes = NO_AXES.union(*(p.axes for p in iterations))
        row = {i: vary_over(join(p.elements), p.axes) for i, p in enumerate(iterations)}
        return Iteration(axes, (HeapObject("tuple", dict(row)),))
    count = max(len(p.elements) for p in iterations)
    axes = frozenset(a for p in iterations for a in p.axes if a.kind != "loop") or iterations[0].axes
    columns = [entries_in_order(v, count) or p.elements for v, p in zip(wrapped, iterations, strict=True)]
    rows = tuple(
        HeapObject("tuple", {i: c[row if row < len(c) else 0] for i, c in enumerate(columns) if c})
        for row in range(count)
    )
    return Iteration(axes, rows)


def entries_in_order(value: AnyValue, count: int) -> tuple[AnyValue, ...]:
    """The entries of a literal list beside one that is unrolled: ``zip([y_train, y_test], ["train", "test"])``."""
    match value:
        case HeapObject(kind="list" | "tuple", elements=None) if 1 < count == len(value.fields):
            return tuple(value.fields.values())
        case _:
            return ()


def listed(state: AnalysisState, value: AnyValue, node: ast.expr, count: int) -> AnyValue:
    """A list of what an iterator gives, of which ``count`` targets take the parts: ``(name, f1), = scores.items()``."""
    if not (isinstance(value, LibraryObject) and value.role == "iterator"):
        return value
    plan = iterate(state, value, node, None)
    if len(plan.elements) == count:
        return HeapObject("list", dict(enumerate(plan.elements)), allocation_loops=state.allocation_loops)
    return HeapObject("list", {}, join(plan.elements), plan.axes, state.allocation_loops)


def iterate_items(state: AnalysisState, source: AnyValue, iter_node: ast.expr, target: ast.expr | None) -> Iteration:
    """A loop over the items of a dict or the columns of a frame."""
    rows: list[AnyValue] = []
    axes: Axes = NO_AXES
    for option in options(source):
        match option:
            case HeapObject() if option.fields and len(option.fields) <= MOST_KEYS:
                rows += [HeapObject("tuple", {0: Const(value=key), 1: value}) for key, value in option.fields.items()]
                if option.elements is not None:
                    others = "\0".join(key for key in option.fields if isinstance(key, str))
                    rows.append(HeapObject("tuple", {0: Data(index="key", pattern=others), 1: option.elements}))
                axes |= option.extent
            case HeapObject():
                axes |= option.extent
                key = Data(option.extent, index="key") if option.keys is None else option.keys
                rows.append(HeapObject("tuple", {0: key, 1: element_of(option)}))
            case _:
                rows.append(HeapObject("tuple", {0: Data(index="key"), 1: element_of(option)}))
    if not axes and has_titles(state, source):
        axes = frozenset((Axis("loop", state.step(iter_node, "a loop")),))
    axes = axes or frozenset((axis_by_names(state, iter_node, target, iter_node),))
    return Iteration(axes, tuple(rows))


def iterate_call(state: AnalysisState, entry: Entry, arguments: Arguments, node: ast.AST) -> AnyValue:
    """``enumerate(xs)``, ``zip(xs, ys)``, ``range(n)``, ``tqdm(xs)``."""
    form = entry.facts["form"]
    if form == "range":
        return LibraryObject(role="range", facts={"node": node})
    if not arguments[0] and (by_name := arguments[1].get("iterable")) is not None:
        arguments = [by_name], arguments[1]
    if form == "same":
        return first_argument(arguments) if arguments[0] else UNKNOWN
    if form == "slice":
        return sliced(arguments)
    if form == "zip" and arguments[0] and isinstance(node, ast.Call) and [type(a) for a in node.args] == [ast.Starred]:
        return transposed(state, node.args[0], arguments[0][0])
    if form == "enumerate":
        keep_statistics_of_values(state)
    return LibraryObject(role="iterator", facts={"form": form, "parts": tuple(arguments[0])})


def without_statistics(taint: Taint) -> Taint:
    """The taint of the keys of a dict whose values are statistics."""
    return frozenset(m for m in taint if m.kind != "statistic")


def keep_statistics_of_values(state: AnalysisState) -> None:
    """The number or the key of an entry says nothing of its value: of the pair, the value alone is a statistic."""
    others = without_statistics(state.taint)
    values = frozenset(for_columns(m, NO_COLUMNS) for m in state.taint - others)
    state.taint = others | taint_of_entries([NO_TAINT, values])


def sliced(arguments: Arguments) -> AnyValue:
    """``islice(values, 1, None)``: the entries between the bounds, where all positions are known."""
    values = first_argument(arguments)
    bounds = [b.value for b in arguments[0][1:] if isinstance(b, Const) and isinstance(b.value, (int, type(None)))]
    in_order = isinstance(values, HeapObject) and values.kind in ("list", "tuple") and values.elements is None
    if not in_order or not 1 <= len(bounds) == len(arguments[0]) - 1 <= 3 or not isinstance(values, HeapObject):
        return values
    return slice_of(values, slice(*bounds))


def gathered(state: AnalysisState, value: AnyValue, node: ast.expr) -> AnyValue:
    """The list that holds what an iterator gives: ``list(zip(models, f1s))``; other values as they are."""
    if not (isinstance(value, LibraryObject) and value.role == "iterator"):
        return value
    plan = iterate(state, value, node, None)
    return HeapObject("list", {}, join(plan.elements), plan.axes, state.allocation_loops)


def transposed(state: AnalysisState, node: ast.expr, row: AnyValue) -> AnyValue:
    """``f1s, aucs = zip(*rows)``: one list for each column."""
    rows = state.evaluate(state, node.value) if isinstance(node, ast.Starred) else UNKNOWN
    if isinstance(rows, LibraryObject) and isinstance(node, ast.Starred):  # ``zip(*scores.items())``
        plan = iterate(state, rows, node.value, None)
        row, rows = join(plan.elements), HeapObject("list", {}, UNKNOWN, plan.axes, state.allocation_loops)
    if not isinstance(rows, HeapObject) or not isinstance(row, HeapObject) or row.elements is not None:
        return LibraryObject(role="iterator", facts={"form": "zip", "parts": (row,)})
    columns = {i: HeapObject("list", {}, value, rows.extent, rows.allocation_loops) for i, value in row.fields.items()}
    return HeapObject("tuple", dict(columns), allocation_loops=rows.allocation_loops)
