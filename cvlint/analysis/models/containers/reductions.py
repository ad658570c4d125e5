"""Means, medians and sums. Effects: ``reduce``, ``accumulate``, ``weigh``, ….

``np.mean(scores)``, ``frame.mean(axis=0)``, ``scores.std()``: a reduction takes a dimension away
from an array of measures; what it takes away is in the event that `cvlint.analysis.checkers.averages` emits.
"""

from __future__ import annotations

import ast

from cvlint.analysis.checkers.averages import record_average
from cvlint.analysis.checkers.leakage.own_statistics import label_statistic
from cvlint.analysis.checkers.sweeps import note_count
from cvlint.analysis.domain.axis import NO_AXES, Axes, Axis
from cvlint.analysis.domain.codomain import NAMED, REAL, TOP, Kind
from cvlint.analysis.domain.frozen import replace
from cvlint.analysis.domain.heap_object import HeapObject
from cvlint.analysis.domain.lattice import (
    MOST_LEVELS,
    as_array,
    join,
    lacks_scores,
    measures_in,
    options,
    pooled_axes,
    with_step,
)
from cvlint.analysis.domain.value import AnyValue, Const, Data, MeasureValue, axes_of, library
from cvlint.analysis.domain.work import work
from cvlint.analysis.heap.merge import merge
from cvlint.analysis.inference.loop_axes import is_over_classes
from cvlint.analysis.models.arguments import argument_named, argument_node, first_argument
from cvlint.analysis.models.containers.frames import transposed
from cvlint.analysis.models.containers.iteration import iterate
from cvlint.analysis.models.containers.undefined_values import is_undefined
from cvlint.analysis.state import AnalysisState, Arguments
from cvlint.analysis.syntax import called_name, nodes_in
from cvlint.analysis.taint import selected_columns
from cvlint.knowledge.schema import Entry

INFLECTION = {"mean": "averaged", "nanmean": "averaged", "median": "summed up by its median", "sum": "summed up"}


OTHER_AXIS = {0: Const(value=1), 1: Const(value=0), "index": Const(value=1), "columns": Const(value=0)}


def reduce_call(state: AnalysisState, entry: Entry, arguments: Arguments, node: ast.AST) -> AnyValue:
    """``np.mean(values, axis=0)``, ``sum(values)``; ``sum(lists, [])`` is one list."""
    if entry.facts["kind"] == "sum" and isinstance(argument_named(arguments, 1, "start"), HeapObject):
        return flattened(state, first_argument(arguments), node)
    if isinstance(node, ast.Call) and node.args and entry.facts["kind"] != "sum":
        label_statistic(state, node, node.args[0], entry.facts.get("axis_at", 1))
    axis = argument_named(arguments, 1, "axis") if entry.facts["kind"] != "sum" or "axis" in arguments[1] else None
    return reduce_value(state, node, entry.facts["kind"], first_argument(arguments), axis or arguments[1].get("dim"))


def flattened(state: AnalysisState, lists: AnyValue, node: ast.AST) -> AnyValue:
    """All entries of several lists in one."""
    made = HeapObject("list", allocation_loops=state.allocation_loops)
    plan = iterate(state, lists, argument_node(node), None)
    with state.inside_loops(plan.axes):
        for entries in plan.elements:
            merge(state, made, entries, node)
    return made


def reduce_value(
    state: AnalysisState,
    node: ast.AST,
    kind: str,
    value: AnyValue,
    axis: AnyValue | None = None,
    depth: int = MOST_LEVELS,
) -> AnyValue:
    """A mean, median or sum of ``value`` along one of its dimensions, or along all."""
    dimension = axis.value if isinstance(axis, Const) and isinstance(axis.value, int) else None
    if dimension in (1, -1) and (turned := transposed(value)) is not value:
        value, dimension = turned, 0
    found = options(as_array(value))
    if kind == "nanmean" and any(map(lacks_scores, found)):
        kind = "mean"  # it passes over models, and over no fold
    return join(reduce_one(state, node, kind, option, dimension, depth) for option in found)


def reduce_one(
    state: AnalysisState, node: ast.AST, kind: str, value: AnyValue, dimension: int | None, depth: int
) -> AnyValue:
    """A reduction of one possible value along ``dimension``; None means all dimensions."""
    match value:
        case MeasureValue() if value.along:
            reduced = (
                value.along
                if dimension is None or len(value.along) == 1
                else value.along[dimension : dimension + 1 or None]
            )
            kept = (
                () if dimension is None or len(value.along) == 1 else tuple(d for d in value.along if d not in reduced)
            )
            return reduce_measure(state, node, kind, replace(value, along=kept), frozenset().union(*reduced))
        case MeasureValue():
            return value
        case Data() if value.along:
            kept = (
                ()
                if dimension is None
                else tuple(d for i, d in enumerate(value.along) if i != dimension % len(value.along))
            )
            if kind == "sum":
                pooled = value.pooled.union(*value.along)
                codomain = TOP if value.codomain.is_finite else value.codomain
                pooled = pooled if codomain.kind is Kind.COUNT else value.pooled
                return replace(value, along=kept, codomain=codomain, pooled=pooled, opaque=False)
            # a mean of hard labels is a share of votes
            codomain = TOP if value.codomain.is_finite else value.codomain
            return replace(value, along=kept, codomain=codomain, opaque=False)
        case HeapObject(kind="table" | "frame") if depth:
            if dimension in (1, -1) and value.kind == "table":
                return mean_of_columns(value)
            work(1 + len(value.fields))
            rows = Const(value=0)
            kinds = {k: kind_in_frame(kind, v) if isinstance(k, str) else kind for k, v in value.fields.items()}
            columns = {k: reduce_value(state, node, kinds[k], v, rows, depth - 1) for k, v in value.fields.items()}
            rest = None if value.elements is None else reduce_value(state, node, kind, value.elements, None, depth - 1)
            return HeapObject("table", columns, rest, NO_AXES, value.allocation_loops)
        case HeapObject() if kind == "sum" and value.elements is None:
            return Data(axes_of(value))
        case HeapObject() if value.elements is None and value.fields and depth:
            return reduce_row(state, node, kind, value, depth)
        case Data():
            return Data(
                value.axes, (), (), REAL if value.codomain.is_real and not value.is_calibrated else TOP, value.pooled
            )
        case _:
            return Data(axes_of(value))


def mean_of_columns(frame: HeapObject) -> Data:
    """``frame.mean(axis=1)``: a value for each row. Scores that were pooled over folds are, in each column, pooled."""
    pooled = frozenset[Axis]().union(*(pooled_axes(column) for column in frame.entries()))
    return Data(axes_of(frame), pooled=pooled)


def is_column(state: AnalysisState, node: ast.expr) -> bool:
    """Whether an expression is a column of a frame, ``frame["auc"]``, or a series of its own."""
    made_by = state.environment.definitions.get(node.id) if isinstance(node, ast.Name) else node
    match made_by:
        case ast.Subscript(value=table) | ast.Attribute(value=table):
            held = options(state.evaluate(state, table))
            titles = selected_columns(state, made_by)
            frames = [v for v in held if isinstance(v, HeapObject) and v.kind in ("frame", "table")]
            return any(isinstance(t, str) and t in frame.fields for frame in frames for t in titles)
        case ast.Call(func=func):
            return called_name(func) == "Series"
        case _:
            return False


def kind_in_frame(kind: str, column: AnyValue) -> str:
    """The reduction that pandas makes of a column: its mean leaves undefined entries out."""
    return "nanmean" if kind == "mean" and any(map(is_undefined, options(as_array(column)))) else kind


def reduce_row(state: AnalysisState, node: ast.AST, kind: str, row: HeapObject, depth: int) -> AnyValue:
    """A mean over a literal row: it goes on inside arrays, and it is no measure where the entries differ."""
    work(1 + len(row.fields))
    varying = {key: v for key, v in row.fields.items() if not isinstance(v, Const)}
    entries = {key: reduce_value(state, node, kind, v, None, depth - 1) for key, v in varying.items()}
    measures_found = {v.measure for v in entries.values() if isinstance(v, MeasureValue)}
    if len(measures_found) == 1 and len(entries) == len(row.fields):
        return next(iter(entries.values()))
    if entries and all(isinstance(v, Data) for v in entries.values()):
        pooled = frozenset().union(*(v.pooled for v in entries.values() if isinstance(v, Data)))
        return Data(axes_of(row), pooled=pooled)
    return Data(axes_of(row))


def reduce_measure(state: AnalysisState, node: ast.AST, kind: str, value: MeasureValue, axes: Axes) -> AnyValue:
    """What is left of a measure that is reduced over ``axes``; a mean or a median is an event.

    A sum only remembers its axes, since a division may follow: ``total += f1`` and later ``total / k``.
    """
    axes -= value.fixed
    if not axes:
        return value
    if kind in ("sum", "nansum") and value.scaled and not value.summed_over:
        kind, value = "mean", replace(value, scaled=False)  # a sum of values that were divided before
    if kind in ("sum", "nansum"):
        return replace(value, summed_over=value.summed_over | axes)
    note = f"{value.measure} is {INFLECTION.get(kind, 'averaged')} here"
    if state.knowledge.conforms("training", reduced_name(node)) and not is_of_test_part(state, value):
        return replace(value, axes=value.axes - axes, summed_over=value.summed_over - axes)
    loops = [axis for axis in axes if axis.kind == "loop"]
    if value.measure.label == "Dice" and loops:  # a mean over images, each with an overlap of its own
        return replace(
            value,
            averaged_over=value.averaged_over | axes,
            axes=value.axes - axes,
            summed_over=value.summed_over - axes,
        )
    record_average(state, node, kind, value, axes, note)
    of_one_class = value.measure.average in (None, "none", "binary")
    is_macro = of_one_class and any(is_over_classes(state, axis) for axis in axes)
    measure = replace(value.measure, average="macro") if is_macro else value.measure
    reduced = replace(
        value, averaged_over=value.averaged_over | axes, axes=value.axes - axes, summed_over=value.summed_over - axes
    )
    return with_step(replace(reduced, measure=measure), state.step(node, note))


def is_of_test_part(state: AnalysisState, value: MeasureValue) -> bool:
    """Whether a measure was computed on data that no model learned from, whatever name it has got."""
    known = state.knowledge
    return any(
        label.part in ("test", "out-of-fold") or known.conforms("test-part", label.measured_on.name)
        for label in value.labels
        if label.kind == "measured" and label.measured_on is not None
    )


def reduced_name(node: ast.AST) -> str:
    """The name or key of the reduced values: ``train_f1`` in ``np.mean(train_f1)``."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case ast.Subscript(slice=ast.Constant(value=str() as key)):
            return key
        case ast.Subscript(value=inner) | ast.AugAssign(target=inner) | ast.BinOp(left=inner):
            return reduced_name(inner)
        case ast.Call(args=[first, *_]) if isinstance(first, (ast.Name, ast.Attribute, ast.Subscript)):
            return reduced_name(first)
        case ast.Call(func=ast.Attribute(value=ast.Name() | ast.Attribute() | ast.Subscript() as inner), args=[]):
            return reduced_name(inner)
        case _:
            return ""


def accumulate_call(state: AnalysisState, entry: Entry, arguments: Arguments, node: ast.AST) -> AnyValue:
    """``np.cumsum(scores)``, ``itertools.accumulate(scores)``; ``accumulate(scores, max)`` folds with the function."""
    by = argument_named(arguments, 1, entry.facts["by"]) if "by" in entry.facts else None
    if by is not None and by != Const():
        given = [by, first_argument(arguments)]
        folded = state.call(state, library(entry.facts["folds"]), (given, {}), folding_call(node))
        return HeapObject("list", elements=folded, allocation_loops=state.active_axes)
    return running_sums(first_argument(arguments))


def folding_call(node: ast.AST) -> ast.AST:
    """``reduce(function, values)`` for ``accumulate(values, function)``."""
    match node:
        case ast.Call(func=func, args=[values, function, *others]):
            return ast.copy_location(ast.Call(func, [function, values, *others], node.keywords), node)
        case _:
            return node


def accumulate_method(
    state: AnalysisState, base: AnyValue, entry: Entry, arguments: Arguments, node: ast.Call
) -> AnyValue:
    """``scores.cumsum()``."""
    return running_sums(base)


def running_sums(value: AnyValue) -> AnyValue:
    """The sums of the first entries of an array: each is taken for the sum of all of them, as the last one is."""
    sums: list[AnyValue] = []
    for option in options(as_array(value)):
        match option:
            case MeasureValue(along=(first, *others)):
                sums.append(replace(option, along=(NO_AXES, *others), summed_over=option.summed_over | first))
            case _:
                sums.append(option)
    return join(sums)


def weigh_call(state: AnalysisState, entry: Entry, arguments: Arguments, node: ast.AST) -> AnyValue:
    """``np.dot(scores, weights)``."""
    operands = list(zip(node.args, arguments[0], strict=False)) if isinstance(node, ast.Call) else []
    return product(state, node, operands)


def weigh_method(state: AnalysisState, base: AnyValue, entry: Entry, arguments: Arguments, node: ast.Call) -> AnyValue:
    """``decisions.dot(y)``."""
    assert isinstance(node.func, ast.Attribute)
    return product(state, node, [(node.func.value, base), *zip(node.args, arguments[0], strict=False)])


def product(state: AnalysisState, node: ast.AST, operands: list[tuple[ast.expr, AnyValue]]) -> AnyValue:
    """The product of arrays: of decisions at many thresholds and true labels, the true positives."""
    if len(operands) == 2:
        note_count(state, *((value, code) for code, value in operands))
    return weighted_sum(state, node, [pair for pair in operands if not isinstance(pair[1], Const)])


def weighted_sum(state: AnalysisState, node: ast.AST, operands: list[tuple[ast.expr, AnyValue]]) -> AnyValue:
    """The product of measures and weights: a mean where the weights are shares, and else a sum."""
    measured = [(code, as_array(v)) for code, v in operands if measures_in(v)]
    weights = [code for code, v in operands if not measures_in(v)]
    if len(measured) != 1:
        pooled = NO_AXES.union(*(pooled_axes(value) for _, value in operands))
        return Data(NO_AXES.union(*(axes_of(v) for _, v in operands)), pooled=pooled)
    kind = "mean" if any(is_share(state, code) for code in weights) else "sum"
    return reduce_value(state, node, kind, measured[0][1])


def is_share(state: AnalysisState, node: ast.expr) -> bool:
    """Whether an expression divides: ``np.ones(k) / k``, ``np.full(k, 1 / k)``, ``sizes / sizes.sum()``."""
    if isinstance(node, ast.Name):
        node = state.environment.definitions.get(node.id, node)
    return any(isinstance(operation.op, ast.Div) for operation in nodes_in(node, ast.BinOp))


def quantile_call(state: AnalysisState, entry: Entry, arguments: Arguments, node: ast.AST) -> AnyValue:
    """``np.percentile(scores, 50)``: the median; other quantiles are no measures."""
    if is_half(argument_named(arguments, 1, "q")):
        return reduce_value(state, node, "median", first_argument(arguments))
    return spread_call(state, entry, arguments, node)


def quantile_method(
    state: AnalysisState, base: AnyValue, entry: Entry, arguments: Arguments, node: ast.Call
) -> AnyValue:
    """``series.quantile()``: the median, unless an argument says otherwise."""
    share = argument_named(arguments, 0, "q")
    if share is None or is_half(share):
        return reduce_value(state, node, "median", base)
    return spread_method(state, base, entry, arguments, node)


def is_half(value: AnyValue | None) -> bool:
    """Whether a number is the half, as a share or in percent."""
    return isinstance(value, Const) and value.value in (0.5, 50)


def spread_call(state: AnalysisState, entry: Entry, arguments: Arguments, node: ast.AST) -> AnyValue:
    """``np.std(scores)``, ``np.quantile(scores, 0.9)``: the result is no measure."""
    if isinstance(node, ast.Call) and node.args:
        label_statistic(state, node, node.args[0], entry.facts.get("axis_at", 1))
    return no_measure(entry, first_argument(arguments))


def reduce_method(state: AnalysisState, base: AnyValue, entry: Entry, arguments: Arguments, node: ast.Call) -> AnyValue:
    """``scores.mean()``, ``frame.mean(axis=0)``."""
    positional, keywords = arguments
    axis = keywords.get("axis", keywords.get("dim", positional[0] if positional else None))
    kind = entry.facts["kind"]
    if not isinstance(node.func, ast.Attribute):
        return reduce_value(state, node, kind, base, axis)
    data = node.func.value
    label_statistic(state, node, data, entry.facts.get("axis_at", 0))
    keeps_undefined = keywords.get("skipna") == Const(value=False)
    if kind == "mean" and not keeps_undefined and is_column(state, data):
        kind = kind_in_frame(kind, state.evaluate(state, data))  # ``base`` may be one of its options
    if is_turned(state, data):
        axis = OTHER_AXIS.get(axis.value if isinstance(axis, Const) else 0, axis)
    return reduce_value(state, node, kind, base, axis)


def is_turned(state: AnalysisState, node: ast.expr) -> bool:
    """Whether rows and columns of a table have changed places: ``table.T``, or a name that is bound to it."""
    made_by = state.environment.definitions.get(node.id) if isinstance(node, ast.Name) else node
    turns = 0
    while True:
        match made_by:
            case ast.Attribute(value=inner, attr="T") | ast.Call(func=ast.Attribute(value=inner, attr="transpose")):
                made_by, turns = inner, turns + 1
            case _:
                return turns % 2 == 1


def spread_method(state: AnalysisState, base: AnyValue, entry: Entry, arguments: Arguments, node: ast.Call) -> AnyValue:
    """``scores.std()``: the result is no measure."""
    if isinstance(node.func, ast.Attribute):
        label_statistic(state, node, node.func.value, entry.facts.get("axis_at", 0))
    return no_measure(entry, base)


def no_measure(entry: Entry, value: AnyValue) -> Data:
    """What is left of values whose spread is computed; the most frequent of labels is a label."""
    if "to" not in entry.facts:
        return Data(axes_of(value))
    return Data(axes_of(value), codomain=NAMED[entry.facts["to"]], pooled=pooled_axes(value))
