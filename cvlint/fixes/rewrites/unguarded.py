"""Guard formulas of F, precision and recall against division by zero."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import libcst as cst

from cvlint.fixes.editing.changes import unchanged
from cvlint.fixes.editing.edits import Edit, Proposal
from cvlint.fixes.editing.exposed_names import is_exposed
from cvlint.fixes.editing.syntax import Code, bound_value
from cvlint.records import dataclass

Kind = Literal["python", "numpy"]
"""The type of a single number: a division by zero raises for Python numbers and gives NaN for numpy numbers."""
MATRIX = "sklearn.metrics.confusion_matrix"
SINGLE = ("sklearn.metrics.precision_score", "sklearn.metrics.recall_score")
NUMBERS = ("len", "int", "float")


@dataclass(frozen=True, slots=True)
class CountRatio:
    """A quotient ``part / (part + rest)`` of counts."""

    node: cst.BinaryOperation
    part: cst.BaseExpression
    rest: cst.BaseExpression


def guarded_division(code: Code, place: cst.BaseExpression) -> Iterator[Proposal]:
    """``2 * p * r / (p + r)`` → the counts, or ``… if p + r else 0.0``; ``tp / (tp + fp)`` gets such a guard, too."""
    ratio = _ratio(place)
    if ratio is not None:
        yield from _all_guarded(code, [ratio.node])
        return
    means = _harmonic(place)
    if means is None:
        return
    assert isinstance(place, cst.BinaryOperation)
    ratios = [_named(code, name, place) for name in means]
    precision, recall = ratios
    if precision is not None and recall is not None and code.text(precision.part) == code.text(recall.part):
        yield from _counts(code, place, means, precision, recall)
    yield from _all_guarded(code, [place, *(ratio.node for ratio in ratios if ratio is not None)])


def _ratio(node: cst.CSTNode | None) -> CountRatio | None:
    """A precision or a recall from counts: ``tp / (tp + fp)``."""
    match node:
        case cst.BinaryOperation(
            left=part, operator=cst.Divide(), right=cst.BinaryOperation(left=one, operator=cst.Add(), right=other)
        ):
            part = _without_float(part)
            for same, rest in ((one, other), (other, one)):
                if isinstance(part, cst.Name | cst.Attribute) and part.deep_equals(same):
                    return CountRatio(node, part, rest) if isinstance(rest, cst.Name | cst.Attribute) else None
    return None


def _without_float(node: cst.BaseExpression) -> cst.BaseExpression:
    match node:
        case cst.Call(func=cst.Name(value="float"), args=[cst.Arg(value=value)]):
            return value
        case _:
            return node


def _harmonic(node: cst.BaseExpression) -> tuple[cst.Name, cst.Name] | None:
    """The names of precision and recall in their harmonic mean, ``2 * p * r / (p + r)``."""
    match node:
        case cst.BinaryOperation(
            left=product,
            operator=cst.Divide(),
            right=cst.BinaryOperation(left=cst.Name() as p, operator=cst.Add(), right=cst.Name() as r),
        ) if p.value != r.value:
            factors = sorted(_factors(product))
            return (p, r) if factors in (sorted(["2", p.value, r.value]), sorted(["2.0", p.value, r.value])) else None
        case _:
            return None


def _factors(node: cst.BaseExpression) -> list[str]:
    match node:
        case cst.BinaryOperation(left=left, operator=cst.Multiply(), right=right):
            return _factors(left) + _factors(right)
        case cst.Name(value=text) | cst.Integer(value=text) | cst.Float(value=text):
            return [text]
        case _:
            return [""]


def _named(code: Code, name: cst.Name, place: cst.CSTNode) -> CountRatio | None:
    """The ratio that a variable holds, if one assignment binds it, in the block of the formula or in an outer block."""
    assign = code.assigned(name)
    ratio = _ratio(assign.value) if assign is not None else None
    if assign is None or ratio is None or not code.follows(code.statement(assign), place):
        return None
    return ratio if unchanged(code, ratio.node, code.span(assign)[1], code.span(place)[0]) else None


def _counts(
    code: Code, place: cst.BinaryOperation, means: tuple[cst.Name, cst.Name], precision: CountRatio, recall: CountRatio
) -> Iterator[Proposal]:
    """``2 * tp / (2 * tp + fp + fn)``; precision and recall are removed if nothing else reads them, or guarded."""
    tp, fp, fn = code.text(precision.part), code.text(precision.rest), code.text(recall.rest)
    if len({tp, fp, fn}) != 3:
        return
    edits = [Edit(*code.span(place), f"2 * {tp} / (2 * {tp} + {fp} + {fn})")]
    start, end = code.span(place)
    left: list[cst.BinaryOperation] = []
    for name, ratio in zip(means, (precision, recall), strict=True):
        variable = code.variable(name)
        if variable is None:
            return
        unread = all(start <= code.span(read)[0] < end for read in variable.reads)
        unread = unread and not is_exposed(code, place, name.value)
        lines = code.removable(ratio.node) if unread else None
        if lines is not None:
            edits.append(Edit(*lines, ""))
        else:
            left.append(ratio.node)
    if not left:
        yield Proposal(tuple(edits))
    for proposal in _all_guarded(code, left) if left else ():
        yield Proposal((*edits, *proposal.edits))


def _all_guarded(code: Code, divisions: list[cst.BinaryOperation]) -> Iterator[Proposal]:
    """``… if divisor else 0.0`` for divisions of single numbers; an array has no truth value.

    The fix is safe for Python numbers at the top level of a file and outside of ``try`` and ``with``: there it only
    prevents that the script ends with a ZeroDivisionError. The caller of a function may rely on that error, and so may
    the object of a ``with``, ``contextlib.suppress`` for example. Numpy numbers give NaN, which a reported mean may
    skip.
    """
    kinds = [number(code, name) for division in divisions for name in code.names(division) if name.value != "float"]
    if None in kinds:
        return
    bare = not any(
        isinstance(node, cst.FunctionDef | cst.ClassDef | cst.Lambda | cst.Try | cst.TryStar | cst.With)
        for division in divisions
        for node in code.above(division)
    )
    edits = [Edit(*code.span(division), _with_guard(code, division)) for division in divisions]
    yield Proposal(tuple(edits), safe=bare and set(kinds) == {"python"})


def _with_guard(code: Code, division: cst.BinaryOperation) -> str:
    text = f"{code.text(division)} if {code.text(division.right)} else 0.0"
    alone = isinstance(code.parent(division), cst.Assign | cst.Return | cst.Arg) or division.lpar
    return text if alone else f"({text})"


def number(code: Code, node: cst.BaseExpression, seen: frozenset[str] = frozenset()) -> Kind | None:
    """The type of a value that is certainly a single number; None for any other value."""
    match node:
        case cst.Integer() | cst.Float():
            return "python"
        case cst.Name(value=name):
            return "python" if name in seen else _variable(code, node, seen | {name})
        case cst.BinaryOperation(left=left, right=right):
            return _either(number(code, left, seen), number(code, right, seen))
        case cst.IfExp(body=body, orelse=orelse):
            return _either(number(code, body, seen), number(code, orelse, seen))
        case cst.Call(func=cst.Name(value=name)) if name in NUMBERS and code.is_builtin(node.func):
            return "python"
        case cst.Call(func=func, args=args) if code.meaning(func) in SINGLE:
            return "numpy" if all(arg.keyword is None or arg.keyword.value != "average" for arg in args) else None
        case (
            cst.Subscript(value=cst.Subscript(value=matrix, slice=[_]), slice=[_])
            | cst.Subscript(value=matrix, slice=[_, _])
        ) if all(isinstance(index, cst.Integer) for index in _indices(node)):
            return "numpy" if _is_matrix(code, matrix) else None
        case _:
            return None


def _indices(node: cst.BaseExpression) -> Iterator[cst.BaseExpression | None]:
    while isinstance(node, cst.Subscript):
        for element in node.slice:
            yield element.slice.value if isinstance(element.slice, cst.Index) else None
        node = node.value


def _variable(code: Code, name: cst.Name, seen: frozenset[str]) -> Kind | None:
    """The type of a variable: the common type of all its bindings."""
    variable = code.variable(name)
    kind: Kind | None = "python"
    for bound in variable.bound if variable is not None else (None,):
        kind = _either(kind, _bound(code, bound, seen) if bound is not None else None)
    return kind


def _bound(code: Code, name: cst.CSTNode, seen: frozenset[str]) -> Kind | None:
    target = code.parent(name)
    if isinstance(target, cst.AugAssign):
        return number(code, target.value, seen)
    if isinstance(target, cst.AssignTarget):  # also in a chain: tp = fp = fn = 0
        made = code.parent(target)
        return number(code, made.value, seen) if isinstance(made, cst.Assign) else None
    value = bound_value(code, name)
    if value is not None:
        return number(code, value, seen)
    assign = next((node for node in code.above(name) if isinstance(node, cst.Assign | cst.For)), None)
    match assign if isinstance(target, cst.Element) else None:
        case cst.Assign(value=cst.Call(func=cst.Attribute(value=matrix, attr=cst.Name(value="ravel")), args=[])):
            return "numpy" if _is_matrix(code, matrix) else None
    return None


def _is_matrix(code: Code, node: cst.BaseExpression) -> bool:
    assign = code.assigned(node)
    made = assign.value if assign is not None else node
    return isinstance(made, cst.Call) and code.meaning(made.func) == MATRIX


def _either(one: Kind | None, other: Kind | None) -> Kind | None:
    """The type of a result: numpy if either operand is a numpy number; None if either is unknown."""
    if one is None or other is None:
        return None
    return "python" if one == other == "python" else "numpy"
