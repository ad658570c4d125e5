"""Arithmetic on values: sums over loops, the divisions that make them means, and hand-written formulas."""

from __future__ import annotations

import ast
from dataclasses import replace

from cvlint.analysis.checkers.averages import numbered_axis, numbered_names
from cvlint.analysis.checkers.comparisons import check_side_by_side
from cvlint.analysis.checkers.formulas.hand_written import measure_of_division
from cvlint.analysis.checkers.formulas.terms import last_name
from cvlint.analysis.checkers.search_scores import text_value
from cvlint.analysis.domain.lattice import array, join, options, with_step
from cvlint.analysis.domain.value import NO_AXES, AnyValue, Axes, Const, Data, HeapObject, MeasureValue, Union, axes_of
from cvlint.analysis.heap.writes import extend
from cvlint.analysis.inference.identifier_inference import speaks_of_folds
from cvlint.analysis.inference.loop_axes import held_out, is_loop_variable, note_classes, own_loop
from cvlint.analysis.models.containers.reductions import reduce_measure
from cvlint.analysis.state import AnalysisState
from cvlint.analysis.syntax import is_same, names_in


def operation(state: AnalysisState, node: ast.BinOp) -> AnyValue:
    """The value of a binary operation."""
    if isinstance(node.op, ast.Div):
        formula = measure_of_division(state, node)
        if formula is not None:
            return formula
    left, right = state.evaluate(state, node.left), state.evaluate(state, node.right)
    if isinstance(node.op, ast.Mod | ast.Add) and (is_text(left) or (is_text(right) and isinstance(node.op, ast.Add))):
        return text_operation(state, node, left, right)
    if isinstance(node.op, ast.Sub):
        check_side_by_side(state, [left, right], node)
    return combine(state, node, left, right)


def text_operation(state: AnalysisState, node: ast.BinOp, left: AnyValue, right: AnyValue) -> AnyValue:
    """``text % value`` and ``text + text``; known strings give a known string (``"%s_macro" % score``)."""
    match (left, right):
        case (Const(value=str() as a), Const(value=b)) if isinstance(node.op, ast.Mod) and a.count("%") == 1:
            try:
                return Const(value=a % b)
            except (TypeError, ValueError):
                return Data(codomain="text")
        case (Const(value=str() as a), Const(value=str() as b)) if isinstance(node.op, ast.Add):
            return Const(value=a + b)
        case _:
            shown = right.entries() if isinstance(right, HeapObject) and right.kind == "tuple" else [right]
            check_side_by_side(state, [left, *shown], node)
            return text_value([left, right])


def combine(state: AnalysisState, node: ast.BinOp, left: AnyValue, right: AnyValue) -> AnyValue:
    """``left op right`` for values that are not text."""
    left, right = whole(left), whole(right)
    pairs = [(a, b) for a in options(left)[:4] for b in options(right)[:4]]
    return join(combined(state, node, a, b) for a, b in pairs)


def whole(value: AnyValue) -> AnyValue:
    """An array that was filled bit by bit, as the data that it holds."""
    filled = array(value) if isinstance(value, HeapObject) and value.kind in ("array", "frame") else value
    return filled if isinstance(filled, Data) else value


def combined(state: AnalysisState, node: ast.BinOp, left: AnyValue, right: AnyValue) -> AnyValue:
    """``left op right`` for single values."""
    match (left, node.op, right):
        case (MeasureValue(), ast.Div(), MeasureValue()):
            return Data(left.axes | right.axes)
        case (MeasureValue() | HeapObject(), ast.Div(), _) if not isinstance(right, HeapObject):
            return divided(state, node, left)
        case (MeasureValue(), ast.Add() | ast.Sub(), MeasureValue()):
            return summed(state, node, left, right)
        case (MeasureValue(), ast.Pow(), _):
            return Data(left.axes)  # a square deviation, or a root of one
        case (MeasureValue(), ast.Mult() | ast.Add() | ast.Sub(), _) if not isinstance(right, MeasureValue):
            return left
        case (_, ast.Mult() | ast.Add() | ast.Sub(), MeasureValue()) if not isinstance(left, MeasureValue):
            return right
        case (HeapObject(kind="list"), ast.Add(), HeapObject(kind="list")):
            pieces = [v.codomain for v in (*left.entries(), *right.entries(), left, right) if isinstance(v, Data)]
            if "slice-before" in pieces and "slice-after" in pieces:
                held_out(state, left)
            both = HeapObject("list", {}, None, left.extent | right.extent, left.born & right.born)
            both.rest = join([*left.entries(), *right.entries()])
            return both
        case (HeapObject(), ast.Mult(), _):
            return left
        case (Data() as a, _, _) if a.codomain in ("loop-index", "bound") and isinstance(node.op, ast.Mult):
            return Data(a.axes, codomain="bound")
        case (_, _, Data() as b) if b.codomain in ("loop-index", "bound") and isinstance(node.op, ast.Mult):
            return Data(b.axes, codomain="bound")
        case (Data() as a, ast.Add() | ast.Sub(), _) if a.codomain in ("bound", "loop-index"):
            return Data(a.axes, codomain=a.codomain)
        case (Data(codomain="part") as a, ast.BitAnd() | ast.Mult(), Data(codomain="part") as b):
            note_classes(a, b)
            return blended(a, b)
        case (Data() as a, ast.Add(), Data() as b):
            if {a.codomain, b.codomain} == {"before", "after"}:
                held_out(state, a)
            return blended(a, b)
        case (Data(), _, _) | (_, _, Data()):
            return blended(left, right, "quotient" if isinstance(node.op, ast.Div) else "unknown")
        case (Const(value=int() | float()), _, Const(value=int() | float())):
            return Data(codomain="number")
        case _:
            return Data(axes_of(left) | axes_of(right))


def blended(left: AnyValue, right: AnyValue, default: str = "unknown") -> Data:
    """An operation on data: what both were, of one kind if they agree (scores stay scores, counts stay counts)."""
    kinds = {v.codomain for v in (left, right) if isinstance(v, Data)} - {"number", "length"}
    pooled = frozenset().union(*(v.pooled for v in (left, right) if isinstance(v, Data)))
    along = next((v.along for v in (left, right) if isinstance(v, Data) and v.along), ())
    calibrated = kinds & {"calibrated", "scores", "hard"} == {"calibrated"}  # sums and shares of such scores are, too
    what = kinds.pop() if len(kinds) == 1 else "unknown"
    kept = "calibrated" if calibrated else (what if what in ("scores", "count") else default)
    return Data(axes_of(left) | axes_of(right), along, (), kept, pooled)


def divided(state: AnalysisState, node: ast.BinOp, value: AnyValue, around: tuple[HeapObject, ...] = ()) -> AnyValue:
    """A measure, or a row of them, divided by a count: if it was a sum, this is its mean.

    ``around`` are the containers that it is in, of which one may hold itself: ``df["a"] = df.apply(f)``.
    """
    match value:
        case MeasureValue(total=total) if total:
            return reduce_measure(state, node, "mean", replace(value, total=NO_AXES), total)
        case MeasureValue():
            return replace(value, scaled=not is_hundred(node.right))
        case HeapObject():
            if any(value is outer for outer in around):
                return Data(axes_of(value))
            around = (*around, value)
            keyed = {key: divided(state, node, v, around) for key, v in value.keyed.items()}
            rest = None if value.rest is None else divided(state, node, value.rest, around)
            return HeapObject(value.kind, keyed, rest, value.extent, value.born)
        case Union():
            return join(divided(state, node, v, around) for v in value.options)
        case _:
            return value


def summed(state: AnalysisState, node: ast.BinOp, left: MeasureValue, right: MeasureValue) -> AnyValue:
    """A sum or difference of two measures."""
    if left.measure.kind != right.measure.kind:
        return Data(left.axes | right.axes)
    parts = numbered_names(node)
    total = left.total | right.total
    axes = left.axes | right.axes
    if parts and isinstance(node.op, ast.Add):
        total |= numbered_axis(state, node, parts)
    elif left.total != right.total and left.measure.kind == right.measure.kind:
        total = left.total | right.total
    keep = left if left.trace else right
    return replace(keep, total=total, axes=axes - total, reduced=left.reduced | right.reduced)


def is_hundred(node: ast.expr) -> bool:
    """Whether a divisor only changes the unit."""
    return isinstance(node, ast.Constant) and node.value in (100, 100.0)


def is_text(value: AnyValue) -> bool:
    """Whether ``value`` is a string."""
    return any(
        (isinstance(v, Const) and isinstance(v.value, str)) or (isinstance(v, Data) and v.codomain == "text")
        for v in options(value)
    )


def comparison(state: AnalysisState, node: ast.Compare) -> AnyValue:
    """A comparison; one of a fold column with a loop's index holds that fold out."""
    left = state.evaluate(state, node.left)
    rights = [state.evaluate(state, child) for child in node.comparators]
    if len(rights) == 1:
        known = compared(left, node.ops[0], rights[0])
        if known is not None:
            return Const(value=known)
        if isinstance(node.ops[0], ast.Eq | ast.NotEq | ast.In | ast.NotIn):
            sides = ((left, node.left, node.comparators[0]), (rights[0], node.comparators[0], node.left))
            for _, own, other in sides:
                note_column(state, own, other)
            for value, own, other in sides:
                if not is_loop_variable(value, own):
                    continue
                if speaks_of_folds(state, other):
                    held_out(state, value)
                elif not is_label(state, own) and both_ways(state, node, value, other):
                    held_out(state, value, by_element=True)
                if isinstance(node.ops[0], ast.Eq) and not isinstance(other, ast.Constant):
                    return Data(axes_of(left) | axes_of(rights[0]), codomain="part")
        if asks_for_nan(node, rights[0]):
            state.forgive(left)
            return Data(axes_of(left), codomain="nan-mask")
    check_side_by_side(state, [left, *rights], node)
    axes = axes_of(left).union(*(axes_of(v) for v in rights))
    scored = any(isinstance(v, Data) and v.codomain == "scores" for v in (left, *rights))
    pooled = frozenset().union(*(v.pooled for v in (left, *rights) if isinstance(v, Data)))
    return Data(axes, codomain="hard" if scored else "mask", pooled=pooled)


def note_column(state: AnalysisState, node: ast.expr, other: ast.expr) -> None:
    """Remember what a loop's variable is compared with: two loops over the same groups take the same rows."""
    for axis in own_loop(state, node):
        axis.column = axis.column or last_name(other)


def asks_for_nan(node: ast.Compare, right: AnyValue) -> bool:
    """``x != x`` and ``str(x) == "nan"``."""
    if not isinstance(node.ops[0], ast.NotEq | ast.Eq):
        return False
    spelled = isinstance(right, Const) and isinstance(right.value, str) and right.value.lower() == "nan"
    return spelled or is_same(node.left, node.comparators[0])


def is_label(state: AnalysisState, node: ast.expr) -> bool:
    """Whether a name is that of a label or a prediction of a sample."""
    return any(state.knowledge.conforms(kind, name) for kind in ("truth", "prediction") for name in names_in(node))


def both_ways(state: AnalysisState, node: ast.Compare, value: AnyValue, other: ast.expr) -> bool:
    """Whether a loop takes both ``groups == i`` and ``groups != i``: a part, and all but that part."""
    if isinstance(other, ast.Constant) or len(axes_of(value)) != 1:
        return False
    (axis,) = axes_of(value)
    seen = state.compared.setdefault((axis, ast.dump(other)), set())
    seen.add(type(node.ops[0]))
    return {ast.Eq, ast.NotEq} <= seen


def compared(left: AnyValue, op: ast.cmpop, right: AnyValue) -> bool | None:
    """The outcome of comparing two strings or None, as far as it is known."""
    match (left, op, right):
        case (Const(value=str() as a), ast.Eq(), Const(value=str() as b)):
            return a == b
        case (Const(value=str() as a), ast.NotEq(), Const(value=str() as b)):
            return a != b
        case (Data(codomain="key", pattern=others), ast.Eq(), Const(value=str() as b)) if b in others.split("\0"):
            return False  # the key of one of the entries that are not known
        case (Const(value=str() as a), ast.In(), HeapObject(rest=None) as cell) if cell.kind != "dict":
            known = [v.value for v in cell.keyed.values() if isinstance(v, Const)]
            return a in known if len(known) == len(cell.keyed) else None
        case _:
            return None


def sum_up(state: AnalysisState, current: AnyValue, added: AnyValue, node: ast.AST) -> AnyValue | None:
    """``current`` after ``added`` was added to it in a loop; None when nothing is known of it."""
    results = [sum_one(state, a, b, node) for a in options(current)[:4] for b in options(added)[:4]]
    found = [r for r in results if r is not None]
    return join(found) if found else None


def sum_one(state: AnalysisState, current: AnyValue, added: AnyValue, node: ast.AST) -> AnyValue | None:
    """One possible outcome of adding up."""
    match (current, added):
        case (Const() | Data() | MeasureValue(), MeasureValue()):
            return measure_summed(state, current, added, node)
        case (HeapObject(kind="list"), HeapObject()) if current.rest is not None or not current.keyed:
            extend(state, current, added, node)
            return current
        case (HeapObject(kind="list"), Data()) if not current.keyed:
            extend(state, current, added, node)
            return current
        case (Const() | Data() | HeapObject(kind="array"), HeapObject()):
            born = born_of(state, current)
            swept = state.swept(added, born)
            keyed = {k: measure_summed(state, Const(born=born), v, node) for k, v in added.keyed.items()}
            return HeapObject("tuple", {k: v or added.keyed[k] for k, v in keyed.items()}, None, swept, born)
        case (Const() | Data() | HeapObject(kind="array"), Data()):
            swept = state.swept(added, born_of(state, current))
            counted = added.codomain in ("count", "counts", "mask")
            return Data(
                added.axes - swept, (), added.trace, added.codomain, added.pooled | (swept if counted else NO_AXES)
            )
        case (HeapObject(kind="array"), MeasureValue()):
            return measure_summed(state, current, added, node)
        case _:
            return None


def measure_summed(state: AnalysisState, current: AnyValue, added: AnyValue, node: ast.AST) -> AnyValue | None:
    """A measure summed up over the loops around; already divided ones make a mean as they are summed."""
    if not isinstance(added, MeasureValue):
        return (
            join(r for o in options(added) if (r := measure_summed(state, current, o, node)))
            if isinstance(added, Union)
            else None
        )
    swept = state.swept(added, born_of(state, current))
    if not swept:
        return added if isinstance(current, Const) else None
    stepped = with_step(added, state.step(node, f"{added.measure} is summed up here"))
    assert isinstance(stepped, MeasureValue)
    leave_loop = replace(stepped, axes=stepped.axes - swept)
    if added.scaled and not added.total:
        return reduce_measure(state, node, "mean", replace(leave_loop, scaled=False), swept)
    return replace(leave_loop, total=added.total | swept)


def born_of(state: AnalysisState, value: AnyValue) -> Axes:
    """The loops around the place where an accumulator was set to its start."""
    match value:
        case Const() | HeapObject():
            return value.born
        case MeasureValue():
            return state.active_axes - value.total
        case Data():
            return value.axes
        case _:
            return state.active_axes
