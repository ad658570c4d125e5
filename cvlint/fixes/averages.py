"""The spellings of a mean of a list of values."""

from __future__ import annotations

import libcst as cst

from cvlint.fixes.edits import Edit
from cvlint.fixes.syntax import Code

MEANS = ("numpy.mean", "numpy.nanmean", "numpy.average", "statistics.mean", "statistics.fmean")
ARRAYS = ("numpy.array", "numpy.asarray")


def averaged(code: Code, node: cst.BaseExpression) -> cst.BaseExpression | None:
    """What a mean is taken of.

    Returns
    -------
    expression or None
        ``scores`` of ``np.mean(scores)``, ``scores.mean()``, ``np.array(scores).mean()`` and
        ``sum(scores) / len(scores)``; None for other spellings.
    """
    match node:
        case cst.Call(func=func, args=[cst.Arg(keyword=None, star="", value=value)]) if code.meaning(func) in MEANS:
            return _of_array(code, value)
        case cst.Call(func=cst.Attribute(value=value, attr=cst.Name(value="mean")), args=[]):
            return _of_array(code, value)
        case cst.BinaryOperation(
            left=cst.Call(func=cst.Name(value="sum"), args=[cst.Arg(value=cst.Name() as summed)]),
            operator=cst.Divide(),
            right=cst.Call(func=cst.Name(value="len"), args=[cst.Arg(value=cst.Name() as counted)]),
        ) if summed.value == counted.value:
            return summed
        case _:
            return None


def _of_array(code: Code, node: cst.BaseExpression) -> cst.BaseExpression:
    match node:
        case cst.Call(func=func, args=[cst.Arg(keyword=None, star="", value=value)]) if code.meaning(func) in ARRAYS:
            return value
        case _:
            return node


def instead(code: Code, mean: cst.BaseExpression, text: str) -> Edit | None:
    """The edit that puts something else in place of a mean.

    It may be a float of Python's, which has not the methods of an array: ``.round(3)`` becomes a call of ``round``.
    """
    parent = code.parent(mean)
    if not isinstance(parent, cst.Attribute):
        return Edit(*code.span(mean), text)
    match code.parent(parent):
        case cst.Call(func=func, args=[] | [cst.Arg(star="")]) as call if (
            func is parent and parent.attr.value == "round"
        ):
            if isinstance(code.parent(call), cst.Attribute):
                return None
            digits = code.argument(call.args[0].value) if call.args else "0"
            return Edit(*code.span(call), f"round({text}, {digits})") if code.is_free_builtin(mean, "round") else None
        case _:
            return None
