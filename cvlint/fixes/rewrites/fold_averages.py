"""The spellings of a mean of a list of values, and what stands in its place."""

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
"""Functions of Python's own that give a number of the kind that they are given."""
_ASKED = re.compile(r"\.(?:astype|dtype|item|round|tolist)\b")


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


def means_of(code: Code, variable: Variable, made: cst.CSTNode) -> tuple[list[cst.BaseExpression], int]:
    """All places after a statement where the mean of a variable is taken, and how often it is read for something else.

    The statement is that after which the values are complete.
    """
    means: list[cst.BaseExpression] = []
    others = 0
    for read in variable.reads:
        around = [node for node in code.above(read) if isinstance(node, cst.BaseExpression)]
        mean = next((node for node in around if read in _averaged_names(code, node)), None)
        if mean is None or not code.follows(made, mean):
            others += 1
        elif mean not in means:
            means.append(mean)
    return means, others


def _averaged_names(code: Code, node: cst.BaseExpression) -> list[cst.CSTNode]:
    """The names in a mean that stand for what it is taken of."""
    value = averaged(code, node)
    return [name for name in code.names(node) if isinstance(value, cst.Name) and name.value == value.value]


def instead(code: Code, mean: cst.BaseExpression, text: str) -> tuple[Edit, ...] | None:
    """The edits that put something else in place of a mean.

    It may be a float of Python's, which has not the methods of numpy's numbers: ``.round(3)`` becomes a call of
    ``round``, and what is asked for others later is made a number of numpy's. None where that cannot be written.
    """
    call = _rounding(code, mean)
    method = call is None and isinstance(code.parent(mean), cst.Attribute)
    if method or _is_asked(code, mean if call is None else call):
        number = imported(code, mean, "numpy", "float64")
        return None if number is None else (Edit(*code.span(mean), f"{number[0]}({text})"), *number[1])
    if call is None:
        return (Edit(*code.span(mean), text),)
    digits = code.argument(call.args[0].value) if call.args else "0"
    return (Edit(*code.span(call), f"round({text}, {digits})"),) if code.is_free_builtin(mean, "round") else None


def _rounding(code: Code, mean: cst.BaseExpression) -> cst.Call | None:
    """The call of the method ``round`` of a mean, if it is there."""
    method = code.parent(mean)
    match code.parent(method):
        case cst.Call(func=cst.Attribute(attr=cst.Name(value="round")) as func, args=[] | [cst.Arg(star="")]) as call:
            return call if func is method else None
        case _:
            return None


def _is_asked(code: Code, value: cst.CSTNode, seen: frozenset[str] = frozenset()) -> bool:
    """Whether a value may be asked for what numpy's numbers have and Python's have not."""
    parent = code.parent(value)
    match parent:
        case cst.Attribute(attr=attr):
            return not hasattr(0.0, attr.value)
        case cst.FormattedStringExpression() | cst.ComparisonTarget() | cst.Comparison() | cst.Expr():
            return False
        case cst.BinaryOperation() | cst.UnaryOperation():
            return _is_asked(code, parent, seen)
        case cst.Arg():
            call = code.parent(parent)
            if isinstance(call, cst.Call) and (code.is_builtin(call.func) or _formats(call)):
                return code.text(call.func) in ROUNDING and _is_asked(code, call, seen)
        case cst.AssignTarget() | cst.AnnAssign() | cst.AugAssign() | cst.Assign():
            name = parent.targets[0].target if isinstance(parent, cst.Assign) else parent.target
            variable = code.variable(name)
            if variable is not None and isinstance(name, cst.Name) and not is_exposed(code, name, name.value):
                kept = seen | {name.value}
                return name.value not in seen and any(_is_asked(code, read, kept) for read in variable.reads)
    texts = (code.source.text, *code.importing)
    return any(_ASKED.search(text) for text in texts)  # it is kept somewhere


def _formats(call: cst.Call) -> bool:
    return isinstance(call.func, cst.Attribute) and call.func.attr.value == "format"
