"""Replace the harmonic mean of macro-precision and macro-recall by macro-F, the mean of the classes' F."""

from __future__ import annotations

from collections.abc import Iterator
from math import isclose, sqrt

import libcst as cst

from cvlint.fixes.editing.changes import unchanged
from cvlint.fixes.editing.edits import Edit, Proposal
from cvlint.fixes.editing.imports import imported
from cvlint.fixes.editing.syntax import Code, arguments

METRICS = "sklearn.metrics"
PRECISION, RECALL = f"{METRICS}.precision_score", f"{METRICS}.recall_score"
POINTS = ((0.5, 0.25), (0.25, 0.5), (0.75, 0.25), (1.0, 0.5))
"""Pairs of precision and recall at which a formula is compared with F."""
CLOSE = 1e-6
"""The relative tolerance: a formula may add a tiny number to its denominator."""


def macro_f_by_class(code: Code, place: cst.BaseExpression) -> Iterator[Proposal]:
    """``2 * p * r / (p + r)`` of macro-averages → ``f1_score(…, average="macro")`` with their own arguments.

    A formula with other weights becomes ``fbeta_score(…, beta=…)``.
    """
    names = {name.value: name for name in code.names(place) if not code.is_builtin(name)}
    calls = {code.meaning(call.func): call for name in names.values() if (call := _part(code, name, place)) is not None}
    if len(names) != 2 or calls.keys() != {PRECISION, RECALL}:
        return
    one, other = (sorted(code.text(arg).rstrip(", \n") for arg in call.args) for call in calls.values())
    if one != other or not any(_is_macro(arg) for arg in calls[PRECISION].args):
        return
    beta = _beta(place, *(_holding(code, names, calls[part]) for part in (PRECISION, RECALL)))
    if beta is None:
        return
    measure = imported(code, place, METRICS, "f1_score" if beta == 1 else "fbeta_score")
    if measure is not None:
        given = [code.text(arg).rstrip(", \n") for arg in next(iter(calls.values())).args]
        options = ", ".join(given if beta == 1 else [*given, f"beta={beta:g}"])
        yield Proposal((Edit(*code.span(place), f"{measure[0]}({options})"), *measure[1]))


def _holding(code: Code, names: dict[str, cst.Name], call: cst.Call) -> str:
    """The name of the variable that holds the result of a call."""
    return next(text for text, name in names.items() if (made := code.assigned(name)) and made.value is call)


def _part(code: Code, name: cst.Name, place: cst.CSTNode) -> cst.Call | None:
    """The call of the measure that a variable holds, if nothing else binds it and its arguments are unchanged here."""
    assign = code.assigned(name)
    if assign is None or not isinstance(assign.value, cst.Call) or not code.follows(code.statement(assign), place):
        return None
    call = assign.value
    if arguments(call, "y_true", "y_pred") is None or any(isinstance(arg.value, cst.Call) for arg in call.args):
        return None  # a second call may give another result
    return call if unchanged(code, call, code.span(assign)[1], code.span(place)[0]) else None


def _is_macro(arg: cst.Arg) -> bool:
    match arg:
        case cst.Arg(keyword=cst.Name(value="average"), value=cst.SimpleString(evaluated_value="macro")):
            return True
        case _:
            return False


def _beta(formula: cst.BaseExpression, precision: str, recall: str) -> float | None:
    """Find β of a formula (1 + β²)PR / (β²P + R) from its values for some precisions and recalls.

    Returns
    -------
    float or None
        None for another formula, or for one that holds more than arithmetic.
    """
    found = [_computed(formula, {precision: p, recall: r}) for p, r in POINTS]
    values = [value for value in found if value is not None]
    if len(values) < len(POINTS):
        return None
    (p, r), f = POINTS[0], values[0]
    if not min(p, r) < f < max(p, r):
        return None
    beta = float(f"{sqrt(r * (p - f) / (p * (f - r))):.4g}")
    expected = [(1 + beta**2) * p * r / (beta**2 * p + r) for p, r in POINTS]
    same = all(isclose(a, b, rel_tol=CLOSE) for a, b in zip(values, expected, strict=True))
    return beta if same else None


def _computed(node: cst.BaseExpression, known: dict[str, float]) -> float | None:
    """Evaluate arithmetic on numbers and known names; None for anything else."""
    match node:
        case cst.Integer(evaluated_value=value) | cst.Float(evaluated_value=value):
            return float(value)
        case cst.Name(value=name):
            return known.get(name)
        case cst.BinaryOperation(left=left, operator=operator, right=right):
            one, other = _computed(left, known), _computed(right, known)
            return _combined(one, operator, other) if one is not None and other is not None else None
        case _:
            return None


def _combined(one: float, operator: cst.BaseBinaryOp, other: float) -> float | None:
    match operator:
        case cst.Add():
            return one + other
        case cst.Subtract():
            return one - other
        case cst.Multiply():
            return one * other
        case cst.Divide():
            return one / other if other else None
        case cst.Power() if abs(other) <= 2:
            return one**other if one > 0 else None
        case _:
            return None
