"""Sums that a loop adds up: ``x += v``, ``x = x + v``, and rows of them, ``{k: total[k] + new[k] for k in total}``."""

from __future__ import annotations

import ast

from cvlint.analysis.domain.axis import NO_AXES, Axes
from cvlint.analysis.domain.codomain import TOP, Kind
from cvlint.analysis.domain.frozen import replace
from cvlint.analysis.domain.heap_object import HeapObject
from cvlint.analysis.domain.lattice import as_array, join, measures_in, options, with_step
from cvlint.analysis.domain.value import AnyValue, Const, Data, MeasureValue, Union
from cvlint.analysis.heap.merge import merge, merged
from cvlint.analysis.models.containers.reductions import reduce_measure
from cvlint.analysis.state import AnalysisState
from cvlint.analysis.syntax import names_in, root_name
from cvlint.source.parsing import walk

MOST_PAIRS = 16
FIRST_OPTIONS = 4


def summed(state: AnalysisState, target: ast.Name, source: ast.expr, value: AnyValue) -> AnyValue:
    """What ``target = source`` binds: a sum, or a row of sums, where the source adds to what the name was bound to."""
    if isinstance(source, ast.BinOp) and is_accumulation(target.id, source):
        return accumulate_by_assignment(state, target, source, value)
    if is_share_added(value) and target.id in names_in(source):
        return accumulate(state, state.evaluate(state, target), value, source) or value
    if isinstance(source, ROWS) and state.active_axes and measures_in(value) and target.id in names_in(source):
        start = start_of_sum(state, target, source)
        for row in options(value):
            if start is not None and isinstance(row, HeapObject):
                sum_entries(state, row, source, frozenset((target.id,)), start | row.extent)
    return value


ROWS = (ast.Dict, ast.DictComp, ast.List, ast.ListComp, ast.Tuple, ast.IfExp)


def sum_entries(state: AnalysisState, row: HeapObject, source: ast.expr, names: frozenset[str], start: Axes) -> None:
    """Make the entries of a new row sums, where the source adds each to an entry of the row before, ``names``."""
    match source:
        case ast.IfExp(body=body, orelse=orelse):
            for branch in (body, orelse):
                sum_entries(state, row, branch, names, start)
        case ast.DictComp(value=entry, generators=loops) | ast.ListComp(elt=entry, generators=loops):
            bound = (names_in(loop.target) for loop in loops if names_in(loop.iter) & names)
            if adds_to(entry, names.union(*bound)):
                row.fields = {key: entry_summed(state, held, entry, start) for key, held in row.fields.items()}
                row.elements = row.elements and entry_summed(state, row.elements, entry, start)
        case ast.Dict(keys=keys, values=entries):
            for key, entry in zip(keys, entries, strict=True):
                sum_entry(state, row, key.value if isinstance(key, ast.Constant) else None, entry, names, start)
        case ast.List(elts=entries) | ast.Tuple(elts=entries):
            for place, entry in enumerate(entries):
                sum_entry(state, row, place, entry, names, start)


def sum_entry(
    state: AnalysisState, row: HeapObject, key: object, entry: ast.expr, names: frozenset[str], start: Axes
) -> None:
    """Make one entry of a new row a sum: ``(total[0] + f1, total[1] + auc)``."""
    if key in row.fields and adds_to(entry, names):
        row.fields[key] = entry_summed(state, row.fields[key], entry, start)


def entry_summed(state: AnalysisState, held: AnyValue, entry: ast.expr, start: Axes) -> AnyValue:
    """An entry as a sum that began inside the loops ``start``."""
    return accumulate_measure(state, Const(allocation_loops=start), held, entry) or held


def adds_to(entry: ast.expr, names: frozenset[str]) -> bool:
    """Whether an expression adds to a part of what one of the names holds: ``total.get(key, 0) + new[key]``."""
    if not isinstance(entry, ast.BinOp) or not isinstance(entry.op, ast.Add):
        return False
    return any(root_name(side) in names for side in (entry.left, entry.right))


def is_accumulation(name: str, node: ast.BinOp) -> bool:
    """Whether ``name = node`` adds to ``name``."""
    if not isinstance(node.op, ast.Add):
        return False
    return any(isinstance(side, ast.Name) and side.id == name for side in (node.left, node.right))


def is_share_added(value: AnyValue) -> bool:
    """Whether a value is a measure that was divided: ``mean = (mean * n + f1) / (n + 1)``."""
    return isinstance(value, MeasureValue) and value.scaled and not value.summed_over


def accumulate_by_assignment(state: AnalysisState, target: ast.Name, node: ast.BinOp, value: AnyValue) -> AnyValue:
    """``x = x + value``: the same as ``x += value``."""
    on_left = isinstance(node.left, ast.Name) and node.left.id == target.id
    current = state.evaluate(state, target)
    added = state.evaluate(state, node.right if on_left else node.left)
    return accumulate(state, current, added, node, start_of_sum(state, target, node)) or value


def start_of_sum(state: AnalysisState, target: ast.expr, source: ast.expr) -> Axes | None:
    """The loops around the place where a sum began with its first entry: ``total = f1s[0]``; None where unknown.

    ``source`` is what is added to it here.
    """
    match target:
        case ast.Name(id=name) if (binder := state.environment.defining_environment(name)) is not None:
            within = set(walk(source))
            begun = [loops for other, loops in binder.dependences.get(name, ()) if other not in within]
            held = binder.bindings.get(name)  # ``if total is None: total = new``: it is as old as the None
            older = held.allocation_loops if isinstance(held, HeapObject) else state.active_axes
            return begun[-1] & older if begun else None
        case ast.Subscript(value=base):
            held = state.evaluate(state, base)
            return held.allocation_loops if isinstance(held, HeapObject) else None
        case _:
            return None


def paired(some: tuple[AnyValue, ...], others: tuple[AnyValue, ...]) -> list[tuple[AnyValue, AnyValue]]:
    """The pairs of two values that may be this or that; of very many pairs those of the first options."""
    if len(some) * len(others) > MOST_PAIRS:
        some, others = some[:FIRST_OPTIONS], others[:FIRST_OPTIONS]
    return [(one, other) for one in some for other in others]


def accumulate(
    state: AnalysisState, current: AnyValue, added: AnyValue, node: ast.AST, start: Axes | None = None
) -> AnyValue | None:
    """``current`` after a loop added ``added`` to it; None if nothing is known of it.

    ``start`` are the loops around the place where it began, if these are known.
    """
    pairs = paired(options(current), options(added))
    results = [accumulate_pair(state, a, b, node, start) for a, b in pairs]
    found = [r for r in results if r is not None]
    return join(found) if found else None


def accumulate_pair(
    state: AnalysisState, current: AnyValue, added: AnyValue, node: ast.AST, start: Axes | None
) -> AnyValue | None:
    """The outcome for a single value on each side."""
    match (current, added):
        case (Const(value=str()), MeasureValue()) if swept := state.swept_axes(added, current.allocation_loops):
            return replace(added, axes=added.axes - swept, along=(swept, *added.along))  # ``text += f"{f1},"``
        case (MeasureValue(), MeasureValue()) if start is not None and current.measure.kind == added.measure.kind:
            return accumulate_measure(state, Const(allocation_loops=start), added, node)  # the first result, and others
        case (Const() | Data() | MeasureValue(), MeasureValue()):
            return accumulate_measure(state, current, added, node)
        case (HeapObject(kind="tuple"), HeapObject(kind="tuple")):
            return merged(state, "tuple", [current, added], node)
        case (HeapObject(kind="list"), HeapObject()) if not is_row_of_numbers(current):
            merge(state, current, added, node)
            return current
        case (HeapObject(kind="list"), Data()) if not current.fields:
            merge(state, current, added, node)
            return current
        case (Data() | HeapObject(kind="array"), HeapObject(kind="list")) if isinstance(
            row := as_array(added), MeasureValue
        ):  # ``sums += f1s``: an array takes a list entry by entry
            return accumulate_measure(state, current, row, node)
        case (Const() | Data() | HeapObject(kind="array"), HeapObject()):
            loops = accumulator_loops(state, current)
            swept = state.swept_axes(added, loops)
            fields = {
                k: accumulate_measure(state, Const(allocation_loops=loops), v, node) for k, v in added.fields.items()
            }
            return HeapObject("tuple", {k: v or added.fields[k] for k, v in fields.items()}, None, swept, loops)
        case (Const() | Data() | HeapObject(kind="array"), Data()):
            swept = state.swept_axes(added, accumulator_loops(state, current))
            counted = added.codomain.kind is Kind.COUNT or added.index == "mask"
            codomain = TOP if added.codomain.is_finite else added.codomain  # a sum of decisions counts votes
            pooled = added.pooled | (swept if counted else NO_AXES)
            return Data(added.axes - swept, (), added.trace, codomain, pooled, index=added.index, origin=added.origin)
        case (HeapObject(kind="array" | "list" as kind), MeasureValue()) if kind == "array" or is_row_of_numbers(
            current
        ):
            return accumulate_measure(state, current, added, node)
        case _:
            return None


def is_row_of_numbers(value: HeapObject) -> bool:
    """Whether a list may be an array of numbers, to which ``+=`` adds number by number."""
    numbers = [isinstance(v, Const) and isinstance(v.value, (int, float)) for v in value.fields.values()]
    return value.kind == "list" and value.elements is None and bool(numbers) and all(numbers)


def accumulate_measure(state: AnalysisState, current: AnyValue, added: AnyValue, node: ast.AST) -> AnyValue | None:
    """A measure that is summed over the active loops; measures that were divided before give a mean."""
    if not isinstance(added, MeasureValue):
        return (
            join(r for o in options(added) if (r := accumulate_measure(state, current, o, node)))
            if isinstance(added, Union)
            else None
        )
    swept = state.swept_axes(added, accumulator_loops(state, current))
    if not swept:
        return added if isinstance(current, Const) else None
    stepped = with_step(added, state.step(node, f"{added.measure} is summed up here"))
    assert isinstance(stepped, MeasureValue)
    summed = replace(stepped, axes=stepped.axes - swept)
    if added.scaled and not added.summed_over:
        return reduce_measure(state, node, "mean", replace(summed, scaled=False), swept)
    return replace(summed, summed_over=added.summed_over | swept)


def accumulator_loops(state: AnalysisState, value: AnyValue) -> Axes:
    """The loops around the place where an accumulator got its start value."""
    match value:
        case Const() | HeapObject():
            return value.allocation_loops
        case MeasureValue():
            return state.active_axes - value.summed_over
        case Data():
            return value.axes
        case _:
            return state.active_axes
