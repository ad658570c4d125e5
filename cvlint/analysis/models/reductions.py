"""Means, medians and sums of measures, and the axes that they take away."""

from __future__ import annotations

import ast
from dataclasses import replace

from cvlint.analysis.checkers.aggregation_mix import folds_of, side_by_side
from cvlint.analysis.checkers.formulas import last_name
from cvlint.analysis.checkers.leakage import summed_up
from cvlint.analysis.checkers.selection_bias import averaged_over_folds, chosen
from cvlint.analysis.domain.lattice import array, join, options, with_step
from cvlint.analysis.domain.value import NO_AXES, AnyValue, Axes, Const, Data, HeapObject, MeasureValue, axes_of
from cvlint.analysis.models.arguments import argument, first
from cvlint.analysis.state import AnalysisState, Arguments
from cvlint.analysis.syntax import names_in, nodes_in
from cvlint.knowledge.schema import Entry

INFLECTION = {"mean": "averaged", "nanmean": "averaged", "median": "summed up by its median", "sum": "summed up"}


def reduce_call(state: AnalysisState, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """``np.mean(values, axis=0)``, ``sum(values)``."""
    if isinstance(node, ast.Call) and node.args and entry.facts["kind"] != "sum":
        summed_up(state, node, node.args[0], method=False)
    axis = argument(given, 1, "axis") if entry.facts["kind"] != "sum" or "axis" in given[1] else None
    return reduce_value(state, node, entry.facts["kind"], first(given), axis or given[1].get("dim"))


def reduce_value(
    state: AnalysisState, node: ast.AST, kind: str, value: AnyValue, axis: AnyValue | None = None
) -> AnyValue:
    """A mean, median or sum of ``value`` along one of its dimensions, or all."""
    which = axis.value if isinstance(axis, Const) and isinstance(axis.value, int) else None
    filled = array(value)
    return join(reduce_one(state, node, kind, option, which) for option in options(filled))


def reduce_one(state: AnalysisState, node: ast.AST, kind: str, value: AnyValue, which: int | None) -> AnyValue:
    """Reduce one possible value."""
    match value:
        case MeasureValue() if value.along:
            gone = value.along if which is None or len(value.along) == 1 else value.along[which : which + 1 or None]
            kept = () if which is None or len(value.along) == 1 else tuple(d for d in value.along if d not in gone)
            return reduced(state, node, kind, replace(value, along=kept), frozenset().union(*gone))
        case MeasureValue():
            return value
        case Data() if value.along:
            kept = () if which is None else tuple(d for i, d in enumerate(value.along) if i != which % len(value.along))
            if kind == "sum":
                pooled = value.pooled.union(*value.along)
                return Data(
                    value.axes, kept, value.trace, value.codomain, pooled if value.codomain == "count" else value.pooled
                )
            what = "unknown" if value.codomain == "hard" else value.codomain  # shares of votes
            return Data(value.axes, kept, value.trace, what, value.pooled)
        case HeapObject(kind="table" | "frame"):
            if which in (1, -1) and value.kind == "table":
                return Data(axes_of(value))
            columns = {key: reduce_value(state, node, kind, v, Const(value=0)) for key, v in value.keyed.items()}
            rest = None if value.rest is None else reduce_value(state, node, kind, value.rest)
            return HeapObject("table", columns, rest, NO_AXES, value.born)
        case HeapObject() if kind == "sum" and value.rest is None:
            return Data(axes_of(value))
        case HeapObject() if value.rest is None and value.keyed:
            return row_reduced(state, node, kind, value)
        case Data():
            return Data(value.axes, (), (), value.codomain if value.codomain == "scores" else "unknown", value.pooled)
        case _:
            return Data(axes_of(value))


def row_reduced(state: AnalysisState, node: ast.AST, kind: str, row: HeapObject) -> AnyValue:
    """A mean over a literal row: of arrays it goes on inside, of plain measures it means nothing."""
    inner = {key: reduce_value(state, node, kind, v) for key, v in row.keyed.items() if not isinstance(v, Const)}
    same = {v.measure for v in inner.values() if isinstance(v, MeasureValue)}
    if len(same) == 1 and len(inner) == len(row.keyed):
        return next(iter(inner.values()))
    if inner and all(isinstance(v, Data) for v in inner.values()):
        pooled = frozenset().union(*(v.pooled for v in inner.values() if isinstance(v, Data)))
        return Data(axes_of(row), pooled=pooled)
    return Data(axes_of(row))


def reduced(state: AnalysisState, node: ast.AST, kind: str, value: MeasureValue, axes: Axes) -> AnyValue:
    """A measure that was reduced over ``axes``: the event, and what is left."""
    axes -= value.fixed
    if not axes:
        return value
    if kind in ("sum", "nansum"):
        return replace(value, total=value.total | axes)
    note = f"{value.measure} is {INFLECTION.get(kind, 'averaged')} here"
    if state.knowledge.conforms("training", reduced_name(node)):
        return replace(value, axes=value.axes - axes, total=value.total - axes)
    defined = "yes" if value.defined else "no"
    of_images = value.measure.label == "Dice" and any(axis.kind == "loop" for axis in axes)  # each overlaps by itself
    if of_images:
        return replace(value, reduced=value.reduced | axes, axes=value.axes - axes, total=value.total - axes)
    use = "choice" if is_objective(state) else "result"
    state.emit("reduce", node, value.measure, axes, value.trace, note, kind=kind, defined=defined, use=use)
    if state.taint:
        averaged_over_folds(state, node, folds_of(axes))
    if kind == "nanmean":
        state.forgive(value)
    of_classes = any(axis.kind == "class" for axis in axes) and value.measure.average in (None, "none", "binary")
    measure = replace(value.measure, average="macro") if of_classes else value.measure
    kept = replace(value, reduced=value.reduced | axes, axes=value.axes - axes, total=value.total - axes)
    return with_step(replace(kept, measure=measure), state.step(node, note))


def is_objective(state: AnalysisState) -> bool:
    """Whether the function around is handed to an optimiser, and the best value that this finds is not read."""
    function, known = state.frame.node, state.knowledge
    if not isinstance(function, ast.FunctionDef):
        return False
    tree = state.frame.module.source.tree
    takers = (c for c in nodes_in(tree, ast.Call) if known.conforms("optimiser", last_name(c.func)))
    handed = any(function.name in names_in(argument) for taker in takers for argument in taker.args)
    return handed and not any(known.conforms("best-value", ast.unparse(a)) for a in nodes_in(tree, ast.Attribute))


def reduced_name(node: ast.AST) -> str:
    """What the reduced values are called, where they stand under a name or a key: ``np.mean(train_f1)``."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case ast.Subscript(slice=ast.Constant(value=str() as key)):
            return key
        case ast.Subscript(value=inner) | ast.AugAssign(target=inner) | ast.BinOp(left=inner):
            return reduced_name(inner)
        case ast.Call(args=[first, *_]) if isinstance(first, ast.Name | ast.Attribute | ast.Subscript):
            return reduced_name(first)
        case ast.Call(func=ast.Attribute(value=ast.Name() | ast.Attribute() | ast.Subscript() as inner), args=[]):
            return reduced_name(inner)
        case _:
            return ""


def spread_call(state: AnalysisState, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """A standard deviation, a quantile: no measure any more."""
    if isinstance(node, ast.Call) and node.args:
        summed_up(state, node, node.args[0], method=False)
    return Data(axes_of(first(given)))


def select_call(state: AnalysisState, entry: Entry, given: Arguments, node: ast.AST) -> AnyValue:
    """The largest of several values, or where it is."""
    chosen(state, entry.name, node, first(given))
    if entry.facts.get("forgives"):
        state.forgive(first(given))
    side_by_side(state, given[0], node)
    if len(given[0]) > 1 and not any(isinstance(v, MeasureValue) and v.along for v in given[0]):
        return join(v for v in given[0] if not isinstance(v, Const))
    return selected(state, array(first(given)), entry.name)


def selected(state: AnalysisState, value: AnyValue, name: str) -> AnyValue:
    """One of the entries along a dimension: chosen, not averaged; or the place where it is."""
    match value:
        case MeasureValue() if name.rpartition(".")[2].startswith(("arg", "nanarg", "idx")):
            return Data(value.axes)
        case MeasureValue() if value.along:
            return replace(value, along=(), axes=value.axes)
        case MeasureValue():
            return value
        case _:
            return Data(axes_of(value))
