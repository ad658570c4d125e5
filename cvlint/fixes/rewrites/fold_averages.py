"""Recognise the spellings of a mean, ``np.mean(scores)`` or ``sum(scores) / len(scores)``, and replace them."""

from __future__ import annotations

import re

import libcst as cst

from cvlint.fixes.editing.edits import Edit
from cvlint.fixes.editing.exposed_names import is_exposed
from cvlint.fixes.editing.imports import imported
from cvlint.fixes.editing.syntax import Code, Variable

MEANS = ("numpy.mean", "numpy.nanmean", "numpy.average", "statistics.mean", "statistics.fmean")
ARRAYS = ("numpy.array", "numpy.asarray")
ROUNDING = ("abs", "max", "min", "round", "sum")
"""Built-in functions whose result has the number type of their argument."""
_NUMPY_METHODS = re.compile(r"\.(?:astype|dtype|item|round|tolist)\b")


def averaged_value(code: Code, node: cst.BaseExpression) -> cst.BaseExpression | None:
    """Find the values that a mean is computed of.

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


def means_after(code: Code, variable: Variable, complete: cst.CSTNode) -> tuple[list[cst.BaseExpression], int]:
    """Find the means of a variable after a statement, and count the other reads of the variable.

    After this statement the values are complete.
    """
    means: list[cst.BaseExpression] = []
    others = 0
    for read in variable.reads:
        around = [node for node in code.above(read) if isinstance(node, cst.BaseExpression)]
        mean = next((node for node in around if read in _averaged_names(code, node)), None)
        if mean is None or not code.follows(complete, mean):
            others += 1
        elif mean not in means:
            means.append(mean)
    return means, others


def _averaged_names(code: Code, node: cst.BaseExpression) -> list[cst.CSTNode]:
    """The names inside a mean that stand for the averaged values."""
    value = averaged_value(code, node)
    return [name for name in code.names(node) if isinstance(value, cst.Name) and name.value == value.value]


def replaced_mean(code: Code, mean: cst.BaseExpression, text: str) -> tuple[Edit, ...] | None:
    """Give the edits that put another expression in place of a mean; None if that cannot be written.

    The new value may be a Python float, which lacks the methods of numpy numbers: ``.round(3)`` becomes a call of
    ``round``, and a value whose other numpy methods the code may call is wrapped in ``np.float64``.
    """
    call = _rounding(code, mean)
    method = call is None and isinstance(code.parent(mean), cst.Attribute)
    if method or _needs_numpy_number(code, mean if call is None else call):
        number = imported(code, mean, "numpy", "float64")
        return None if number is None else (Edit(*code.span(mean), f"{number[0]}({text})"), *number[1])
    if call is None:
        return (Edit(*code.span(mean), text),)
    digits = code.argument(call.args[0].value) if call.args else "0"
    return (Edit(*code.span(call), f"round({text}, {digits})"),) if code.is_free_builtin(mean, "round") else None


def _rounding(code: Code, mean: cst.BaseExpression) -> cst.Call | None:
    """The call of the method ``round`` on a mean, if there is one."""
    method = code.parent(mean)
    match code.parent(method):
        case cst.Call(func=cst.Attribute(attr=cst.Name(value="round")) as func, args=[] | [cst.Arg(star="")]) as call:
            return call if func is method else None
        case _:
            return None


def _needs_numpy_number(code: Code, value: cst.CSTNode, seen: frozenset[str] = frozenset()) -> bool:
    """Whether the code may use an attribute of a value that numpy numbers have and Python numbers lack."""
    parent = code.parent(value)
    match parent:
        case cst.Attribute(attr=attr):
            return not hasattr(0.0, attr.value)
        case cst.FormattedStringExpression() | cst.ComparisonTarget() | cst.Comparison() | cst.Expr():
            return False
        case cst.BinaryOperation() | cst.UnaryOperation():
            return _needs_numpy_number(code, parent, seen)
        case cst.Arg():
            call = code.parent(parent)
            if isinstance(call, cst.Call) and (code.is_builtin(call.func) or _formats(call)):
                return code.text(call.func) in ROUNDING and _needs_numpy_number(code, call, seen)
        case cst.AssignTarget() | cst.AnnAssign() | cst.AugAssign() | cst.Assign():
            name = parent.targets[0].target if isinstance(parent, cst.Assign) else parent.target
            variable = code.variable(name)
            if variable is not None and isinstance(name, cst.Name) and not is_exposed(code, name, name.value):
                kept = seen | {name.value}
                return name.value not in seen and any(_needs_numpy_number(code, read, kept) for read in variable.reads)
    texts = (code.source.text, *code.importing)
    return any(_NUMPY_METHODS.search(text) for text in texts)  # the value is stored somewhere


def _formats(call: cst.Call) -> bool:
    return isinstance(call.func, cst.Attribute) and call.func.attr.value == "format"
