"""Arithmetic on values: sums over loops, the divisions that make them means, and hand-written formulas."""

from __future__ import annotations

import ast
from dataclasses import replace

from cvlint.analysis.checkers.aggregation_mix import side_by_side
from cvlint.analysis.checkers.formulas import last_name, numbered_axis, numbered_parts, recognised
from cvlint.analysis.checkers.reported_scores import text_of
from cvlint.analysis.domain.lattice import array, join, options, with_step
from cvlint.analysis.domain.value import NO_AXES, AnyValue, Axes, Cell, Const, Data, Either, Measured, axes_of
from cvlint.analysis.heap.writes import extend
from cvlint.analysis.inference.identifier_inference import speaks_of_folds
from cvlint.analysis.inference.loop_axes import held_out, is_loop_variable, note_classes, own_loop
from cvlint.analysis.models.reductions import reduced
from cvlint.analysis.state import Run
from cvlint.analysis.syntax import is_same, names_in


def operation(run: Run, node: ast.BinOp) -> AnyValue:
    """The value of a binary operation."""
    if isinstance(node.op, ast.Div):
        formula = recognised(run, node)
        if formula is not None:
            return formula
    left, right = run.evaluate(run, node.left), run.evaluate(run, node.right)
    if isinstance(node.op, ast.Mod | ast.Add) and (is_text(left) or (is_text(right) and isinstance(node.op, ast.Add))):
        return text_operation(run, node, left, right)
    if isinstance(node.op, ast.Sub):
        side_by_side(run, [left, right], node)
    return combine(run, node, left, right)


def text_operation(run: Run, node: ast.BinOp, left: AnyValue, right: AnyValue) -> AnyValue:
    """``text % value`` and ``text + text``; known strings give a known string (``"%s_macro" % score``)."""
    match (left, right):
        case (Const(value=str() as a), Const(value=b)) if isinstance(node.op, ast.Mod) and a.count("%") == 1:
            try:
                return Const(value=a % b)
            except (TypeError, ValueError):
                return Data(what="text")
        case (Const(value=str() as a), Const(value=str() as b)) if isinstance(node.op, ast.Add):
            return Const(value=a + b)
        case _:
            shown = right.entries() if isinstance(right, Cell) and right.kind == "tuple" else [right]
            side_by_side(run, [left, *shown], node)
            return text_of([left, right])


def combine(run: Run, node: ast.BinOp, left: AnyValue, right: AnyValue) -> AnyValue:
    """``left op right`` for values that are not text."""
    left, right = whole(left), whole(right)
    pairs = [(a, b) for a in options(left)[:4] for b in options(right)[:4]]
    return join(combined(run, node, a, b) for a, b in pairs)


def whole(value: AnyValue) -> AnyValue:
    """An array that was filled bit by bit, as the data that it holds."""
    filled = array(value) if isinstance(value, Cell) and value.kind in ("array", "frame") else value
    return filled if isinstance(filled, Data) else value


def combined(run: Run, node: ast.BinOp, left: AnyValue, right: AnyValue) -> AnyValue:
    """``left op right`` for single values."""
    match (left, node.op, right):
        case (Measured(), ast.Div(), Measured()):
            return Data(left.axes | right.axes)
        case (Measured() | Cell(), ast.Div(), _) if not isinstance(right, Cell):
            return divided(run, node, left)
        case (Measured(), ast.Add() | ast.Sub(), Measured()):
            return summed(run, node, left, right)
        case (Measured(), ast.Pow(), _):
            return Data(left.axes)  # a square deviation, or a root of one
        case (Measured(), ast.Mult() | ast.Add() | ast.Sub(), _) if not isinstance(right, Measured):
            return left
        case (_, ast.Mult() | ast.Add() | ast.Sub(), Measured()) if not isinstance(left, Measured):
            return right
        case (Cell(kind="list"), ast.Add(), Cell(kind="list")):
            pieces = [v.what for v in (*left.entries(), *right.entries(), left, right) if isinstance(v, Data)]
            if "slice-before" in pieces and "slice-after" in pieces:
                held_out(run, left)
            both = Cell("list", {}, None, left.extent | right.extent, left.born & right.born)
            both.rest = join([*left.entries(), *right.entries()])
            return both
        case (Cell(), ast.Mult(), _):
            return left
        case (Data() as a, _, _) if a.what in ("loop-index", "bound") and isinstance(node.op, ast.Mult):
            return Data(a.axes, what="bound")
        case (_, _, Data() as b) if b.what in ("loop-index", "bound") and isinstance(node.op, ast.Mult):
            return Data(b.axes, what="bound")
        case (Data() as a, ast.Add() | ast.Sub(), _) if a.what in ("bound", "loop-index"):
            return Data(a.axes, what=a.what)
        case (Data(what="part") as a, ast.BitAnd() | ast.Mult(), Data(what="part") as b):
            note_classes(a, b)
            return blended(a, b)
        case (Data() as a, ast.Add(), Data() as b):
            if {a.what, b.what} == {"before", "after"}:
                held_out(run, a)
            return blended(a, b)
        case (Data(), _, _) | (_, _, Data()):
            return blended(left, right, "quotient" if isinstance(node.op, ast.Div) else "unknown")
        case (Const(value=int() | float()), _, Const(value=int() | float())):
            return Data(what="number")
        case _:
            return Data(axes_of(left) | axes_of(right))


def blended(left: AnyValue, right: AnyValue, default: str = "unknown") -> Data:
    """An operation on data: what both were, of one kind if they agree (scores stay scores, counts stay counts)."""
    kinds = {v.what for v in (left, right) if isinstance(v, Data)} - {"number", "length"}
    pooled = frozenset().union(*(v.pooled for v in (left, right) if isinstance(v, Data)))
    along = next((v.along for v in (left, right) if isinstance(v, Data) and v.along), ())
    calibrated = kinds & {"calibrated", "scores", "hard"} == {"calibrated"}  # sums and shares of such scores are, too
    what = kinds.pop() if len(kinds) == 1 else "unknown"
    kept = "calibrated" if calibrated else (what if what in ("scores", "count") else default)
    return Data(axes_of(left) | axes_of(right), along, (), kept, pooled)


def divided(run: Run, node: ast.BinOp, value: AnyValue, around: tuple[Cell, ...] = ()) -> AnyValue:
    """A measure, or a row of them, divided by a count: if it was a sum, this is its mean.

    ``around`` are the containers that it is in, of which one may hold itself: ``df["a"] = df.apply(f)``.
    """
    match value:
        case Measured(total=total) if total:
            return reduced(run, node, "mean", replace(value, total=NO_AXES), total)
        case Measured():
            return replace(value, scaled=not is_hundred(node.right))
        case Cell():
            if any(value is outer for outer in around):
                return Data(axes_of(value))
            around = (*around, value)
            keyed = {key: divided(run, node, v, around) for key, v in value.keyed.items()}
            rest = None if value.rest is None else divided(run, node, value.rest, around)
            return Cell(value.kind, keyed, rest, value.extent, value.born)
        case Either():
            return join(divided(run, node, v, around) for v in value.options)
        case _:
            return value


def summed(run: Run, node: ast.BinOp, left: Measured, right: Measured) -> AnyValue:
    """A sum or difference of two measures."""
    if left.measure.kind != right.measure.kind:
        return Data(left.axes | right.axes)
    parts = numbered_parts(node)
    total = left.total | right.total
    axes = left.axes | right.axes
    if parts and isinstance(node.op, ast.Add):
        total |= numbered_axis(run, node, parts)
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
        (isinstance(v, Const) and isinstance(v.value, str)) or (isinstance(v, Data) and v.what == "text")
        for v in options(value)
    )


def comparison(run: Run, node: ast.Compare) -> AnyValue:
    """A comparison; one of a fold column with a loop's index holds that fold out."""
    left = run.evaluate(run, node.left)
    rights = [run.evaluate(run, child) for child in node.comparators]
    if len(rights) == 1:
        known = compared(left, node.ops[0], rights[0])
        if known is not None:
            return Const(value=known)
        if isinstance(node.ops[0], ast.Eq | ast.NotEq | ast.In | ast.NotIn):
            sides = ((left, node.left, node.comparators[0]), (rights[0], node.comparators[0], node.left))
            for _, own, other in sides:
                note_column(run, own, other)
            for value, own, other in sides:
                if not is_loop_variable(value, own):
                    continue
                if speaks_of_folds(run, other):
                    held_out(run, value)
                elif not is_label(run, own) and both_ways(run, node, value, other):
                    held_out(run, value, by_element=True)
                if isinstance(node.ops[0], ast.Eq) and not isinstance(other, ast.Constant):
                    return Data(axes_of(left) | axes_of(rights[0]), what="part")
        if asks_for_nan(node, rights[0]):
            run.forgive(left)
            return Data(axes_of(left), what="nan-mask")
    side_by_side(run, [left, *rights], node)
    axes = axes_of(left).union(*(axes_of(v) for v in rights))
    scored = any(isinstance(v, Data) and v.what == "scores" for v in (left, *rights))
    pooled = frozenset().union(*(v.pooled for v in (left, *rights) if isinstance(v, Data)))
    return Data(axes, what="hard" if scored else "mask", pooled=pooled)


def note_column(run: Run, node: ast.expr, other: ast.expr) -> None:
    """Remember what a loop's variable is compared with: two loops over the same groups take the same rows."""
    for axis in own_loop(run, node):
        axis.column = axis.column or last_name(other)


def asks_for_nan(node: ast.Compare, right: AnyValue) -> bool:
    """``x != x`` and ``str(x) == "nan"``."""
    if not isinstance(node.ops[0], ast.NotEq | ast.Eq):
        return False
    spelled = isinstance(right, Const) and isinstance(right.value, str) and right.value.lower() == "nan"
    return spelled or is_same(node.left, node.comparators[0])


def is_label(run: Run, node: ast.expr) -> bool:
    """Whether a name is that of a label or a prediction of a sample."""
    return any(run.knowledge.conforms(kind, name) for kind in ("truth", "prediction") for name in names_in(node))


def both_ways(run: Run, node: ast.Compare, value: AnyValue, other: ast.expr) -> bool:
    """Whether a loop takes both ``groups == i`` and ``groups != i``: a part, and all but that part."""
    if isinstance(other, ast.Constant) or len(axes_of(value)) != 1:
        return False
    (axis,) = axes_of(value)
    seen = run.compared.setdefault((axis, ast.dump(other)), set())
    seen.add(type(node.ops[0]))
    return {ast.Eq, ast.NotEq} <= seen


def compared(left: AnyValue, op: ast.cmpop, right: AnyValue) -> bool | None:
    """The outcome of comparing two strings or None, as far as it is known."""
    match (left, op, right):
        case (Const(value=str() as a), ast.Eq(), Const(value=str() as b)):
            return a == b
        case (Const(value=str() as a), ast.NotEq(), Const(value=str() as b)):
            return a != b
        case (Data(what="key", pattern=others), ast.Eq(), Const(value=str() as b)) if b in others.split("\0"):
            return False  # the key of one of the entries that are not known
        case (Const(value=str() as a), ast.In(), Cell(rest=None) as cell) if cell.kind != "dict":
            known = [v.value for v in cell.keyed.values() if isinstance(v, Const)]
            return a in known if len(known) == len(cell.keyed) else None
        case _:
            return None


def sum_up(run: Run, current: AnyValue, added: AnyValue, node: ast.AST) -> AnyValue | None:
    """``current`` after ``added`` was added to it in a loop; None when nothing is known of it."""
    results = [sum_one(run, a, b, node) for a in options(current)[:4] for b in options(added)[:4]]
    found = [r for r in results if r is not None]
    return join(found) if found else None


def sum_one(run: Run, current: AnyValue, added: AnyValue, node: ast.AST) -> AnyValue | None:
    """One possible outcome of adding up."""
    match (current, added):
        case (Const() | Data() | Measured(), Measured()):
            return measure_summed(run, current, added, node)
        case (Cell(kind="list"), Cell()) if current.rest is not None or not current.keyed:
            extend(run, current, added, node)
            return current
        case (Cell(kind="list"), Data()) if not current.keyed:
            extend(run, current, added, node)
            return current
        case (Const() | Data() | Cell(kind="array"), Cell()):
            born = born_of(run, current)
            swept = run.swept(added, born)
            keyed = {k: measure_summed(run, Const(born=born), v, node) for k, v in added.keyed.items()}
            return Cell("tuple", {k: v or added.keyed[k] for k, v in keyed.items()}, None, swept, born)
        case (Const() | Data() | Cell(kind="array"), Data()):
            swept = run.swept(added, born_of(run, current))
            counted = added.what in ("count", "counts", "mask")
            return Data(added.axes - swept, (), added.trace, added.what, added.pooled | (swept if counted else NO_AXES))
        case (Cell(kind="array"), Measured()):
            return measure_summed(run, current, added, node)
        case _:
            return None


def measure_summed(run: Run, current: AnyValue, added: AnyValue, node: ast.AST) -> AnyValue | None:
    """A measure summed up over the loops around; already divided ones make a mean as they are summed."""
    if not isinstance(added, Measured):
        return (
            join(r for o in options(added) if (r := measure_summed(run, current, o, node)))
            if isinstance(added, Either)
            else None
        )
    swept = run.swept(added, born_of(run, current))
    if not swept:
        return added if isinstance(current, Const) else None
    stepped = with_step(added, run.step(node, f"{added.measure} is summed up here"))
    assert isinstance(stepped, Measured)
    settled = replace(stepped, axes=stepped.axes - swept)
    if added.scaled and not added.total:
        return reduced(run, node, "mean", replace(settled, scaled=False), swept)
    return replace(settled, total=added.total | swept)


def born_of(run: Run, value: AnyValue) -> Axes:
    """The loops around the place where an accumulator was set to its start."""
    match value:
        case Const() | Cell():
            return value.born
        case Measured():
            return run.active_axes - value.total
        case Data():
            return value.axes
        case _:
            return run.active_axes
