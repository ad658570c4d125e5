"""Macro-F by its definition instead of the harmonic mean of macro-precision and macro-recall."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from cvlint.fixes.edits import Edit, Proposal
from cvlint.fixes.imports import imported
from cvlint.fixes.syntax import Code, arguments

METRICS = "sklearn.metrics"
PARTS = {f"{METRICS}.precision_score", f"{METRICS}.recall_score"}


def of_classes(code: Code, place: cst.BaseExpression) -> Iterator[Proposal]:
    """``2 * p * r / (p + r)`` of macro-averages → ``f1_score(…, average="macro")`` with their own arguments."""
    names = {name.value: name for name in code.names(place) if not code.is_builtin(name)}
    calls = [call for name in names.values() if (call := _part(code, name, place)) is not None]
    if len(names) != 2 or {code.meaning(call.func) for call in calls} != PARTS:
        return
    one, other = (sorted(code.text(arg) for arg in call.args) for call in calls)
    if one != other or not any(_is_macro(arg) for arg in calls[0].args):
        return
    measure = imported(code, place, METRICS, "f1_score")
    if measure is not None:
        told = ", ".join(code.text(arg).rstrip(", \n") for arg in calls[0].args)
        yield Proposal((Edit(*code.span(place), f"{measure[0]}({told})"), *measure[1]))


def _part(code: Code, name: cst.Name, place: cst.CSTNode) -> cst.Call | None:
    """The measure that a variable holds, if it alone binds it, and its arguments mean the same at the place."""
    assign = code.assigned(name)
    if assign is None or not isinstance(assign.value, cst.Call) or not code.follows(code.statement(assign), place):
        return None
    call = assign.value
    if arguments(call, "y_true", "y_pred") is None or any(isinstance(arg.value, cst.Call) for arg in call.args):
        return None  # what is called once more may give something else
    return call if code.unchanged(call, code.span(assign)[1], code.span(place)[0]) else None


def _is_macro(arg: cst.Arg) -> bool:
    match arg:
        case cst.Arg(keyword=cst.Name(value="average"), value=cst.SimpleString(evaluated_value="macro")):
            return True
        case _:
            return False
