"""F of all folds instead of the mean of the folds' F: labels and predictions are collected in the loop."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import libcst as cst

from cvlint.fixes.averages import averaged, instead
from cvlint.fixes.edits import Edit, Proposal
from cvlint.fixes.imports import imported
from cvlint.fixes.syntax import Code, Variable, arguments, inside

MEASURES = ("sklearn.metrics.f1_score", "sklearn.metrics.fbeta_score")
SETTINGS = frozenset({"average", "beta", "labels", "pos_label", "zero_division"})
"""Arguments of a measure that mean the same for all folds together as for each."""


@dataclass(frozen=True, slots=True)
class Collection:
    """A list that each round of a loop appends a measure to.

    Attributes
    ----------
    name, made
        The name in the statement that makes the list, and the ``[]`` that it is bound to.
    variable
        The list.
    append
        The line that appends to it.
    measured
        The line that computes the measure: ``append`` itself, or one that keeps it in a variable before.
    measure
        The call of the measure.
    alone
        Whether nothing but the appending line reads the measure of a fold.
    """

    name: cst.CSTNode
    made: cst.CSTNode
    variable: Variable
    loop: cst.For
    append: cst.SimpleStatementLine
    measured: cst.SimpleStatementLine
    measure: cst.Call
    alone: bool


def pooled_in_loop(code: Code, place: cst.BaseExpression) -> Iterator[Proposal]:
    """``scores.append(f1_score(…))`` and their mean → labels and predictions collected, and one F after the loop."""
    scores = averaged(code, place)
    found = _collection(code, scores) if isinstance(scores, cst.Name) else None
    if found is None or not code.follows(found.loop, place):
        return
    given = arguments(found.measure, "y_true", "y_pred") or {}
    settings = [arg for key, arg in given.items() if key in SETTINGS]
    if len(settings) + 2 != len(given) or not {"y_true", "y_pred"} <= given.keys():
        return
    loop = code.span(found.loop)
    if not all(code.unchanged(arg.value, *loop) for arg in settings):
        return
    concatenate = imported(code, place, "numpy", "concatenate")
    if concatenate is None:
        return
    means, kept = _means(code, found)
    lists = code.fresh("true_labels"), code.fresh("predictions")
    told = "".join(f", {code.text(arg)}" for arg in settings)
    pooled = [f"{concatenate[0]}({name})" for name in lists]
    text = f"{code.text(found.measure.func)}({', '.join(pooled)}{told})"
    values = given["y_true"].value, given["y_pred"].value
    collecting = _kept(code, found, values, lists) if kept else _replaced(code, found, values, lists)
    replaced = [edit for mean in means if (edit := instead(code, mean, text)) is not None]
    if len(replaced) == len(means):
        yield Proposal((*replaced, *_lists(code, found, lists, kept), *collecting, *concatenate[1]))


def _means(code: Code, found: Collection) -> tuple[list[cst.BaseExpression], bool]:
    """All places after the loop where the mean is taken, and whether the list is read for something else, too."""
    means: list[cst.BaseExpression] = []
    others = 0
    for read in found.variable.reads:
        around = [node for node in code.above(read) if isinstance(node, cst.BaseExpression)]
        mean = next((node for node in around if read in _summed(code, node)), None)
        if mean is None or not code.follows(found.loop, mean):
            others += 1
        elif mean not in means:
            means.append(mean)
    return means, others > 1  # one of them appends


def _summed(code: Code, node: cst.BaseExpression) -> list[cst.CSTNode]:
    """The names in a mean that stand for the list."""
    value = averaged(code, node)
    return [name for name in code.names(node) if isinstance(value, cst.Name) and name.value == value.value]


def _collection(code: Code, scores: cst.Name) -> Collection | None:
    """How a list is filled; None unless it is made once, and once appended to, directly in a loop beside it."""
    variable = code.variable(scores)
    if variable is None or len(variable.bound) != 1:
        return None
    name = variable.bound[0]
    made = bound_value(code, name)
    calls = [call for read in variable.reads if (call := _appending(code, read)) is not None]
    if not isinstance(made, cst.List) or made.elements or len(calls) != 1:
        return None
    append = code.statement(calls[0])
    loop = next((node for node in code.above(append) if isinstance(node, cst.For)), None)
    if loop is None or loop.orelse or not _plain(append) or code.block(append) is not loop.body:
        return None
    if code.block(code.statement(name)) is not code.block(loop) or code.span(name) > code.span(loop):
        return None
    assert isinstance(append, cst.SimpleStatementLine)
    return _measured(code, name, made, variable, loop, append, calls[0].args[0].value)


def _measured(
    code: Code,
    name: cst.CSTNode,
    made: cst.CSTNode,
    variable: Variable,
    loop: cst.For,
    append: cst.SimpleStatementLine,
    value: cst.BaseExpression,
) -> Collection | None:
    """The list whose values are computed where they are appended, or in a line of the same loop before."""
    line, alone = append, True
    kept = code.variable(value)
    if kept is not None:
        assign = code.assigned(value)
        if assign is None:
            return None
        value, alone = assign.value, len(kept.reads) == 1
        statement = code.parent(assign)
        if not isinstance(statement, cst.SimpleStatementLine) or not code.follows(statement, append):
            return None
        line = statement
    if not isinstance(value, cst.Call) or code.meaning(value.func) not in MEASURES:
        return None
    if code.block(line) is not loop.body or not _plain(line):
        return None
    return Collection(name, made, variable, loop, append, line, value, alone)


def bound_value(code: Code, name: cst.CSTNode) -> cst.BaseExpression | None:
    """What an assignment binds a name to, also where it binds several: ``a, b = [], []``."""
    target = code.parent(name)
    match target:
        case cst.AssignTarget():
            assign: cst.CSTNode | None = code.parent(target)
            return assign.value if isinstance(assign, cst.Assign) and len(assign.targets) == 1 else None
        case cst.Element():
            names = code.parent(target)
            whole = code.parent(names)
            assign = code.parent(whole) if isinstance(whole, cst.AssignTarget) else None
            if isinstance(assign, cst.Assign) and len(assign.targets) == 1 and isinstance(names, cst.Tuple):
                match assign.value:
                    case cst.Tuple(elements=values) if len(values) == len(names.elements):
                        return values[names.elements.index(target)].value
    return None


def _appending(code: Code, read: cst.CSTNode) -> cst.Call | None:
    """The call ``scores.append(…)`` that a name is read for, as a statement of its own."""
    attribute = code.parent(read)
    call = code.parent(attribute)
    match call:
        case cst.Call(func=cst.Attribute(attr=cst.Name(value="append")), args=[cst.Arg(keyword=None, star="")]):
            return call if call.func is attribute and isinstance(code.parent(call), cst.Expr) else None
        case _:
            return None


def _plain(statement: cst.CSTNode) -> bool:
    """Whether a line holds one statement."""
    return isinstance(statement, cst.SimpleStatementLine) and len(statement.body) == 1


def _lists(code: Code, found: Collection, lists: tuple[str, str], kept: bool) -> tuple[Edit, Edit]:
    """The edits that make two lists where the list of measures is made, in its place or beside it."""
    names, values = (code.text(found.name), *lists) if kept else lists, 3 if kept else 2
    return Edit(*code.span(found.name), ", ".join(names)), Edit(*code.span(found.made), ", ".join(["[]"] * values))


def _appends(lists: tuple[str, str], values: tuple[str, str], indent: str) -> str:
    """Two statements, the second on a line of its own."""
    first, second = (f"{name}.append({value})" for name, value in zip(lists, values, strict=True))
    return f"{first}\n{indent}{second}"


def _indent(code: Code, line: cst.CSTNode) -> str:
    return code.source.text[code.lines(line)[0] : code.span(line)[0]]


def _replaced(
    code: Code, found: Collection, values: tuple[cst.BaseExpression, cst.BaseExpression], lists: tuple[str, str]
) -> tuple[Edit, ...]:
    """The edits that collect labels and predictions instead of measures."""
    if not found.alone:
        return _kept(code, found, values, lists, instead=True)
    texts = code.argument(values[0]), code.argument(values[1])
    statement = found.measured.body[0]
    edit = Edit(*code.span(statement), _appends(lists, texts, _indent(code, found.measured)))
    if found.append is found.measured:
        return (edit,)
    gone = code.removable(found.append)
    return (edit, Edit(*gone, "")) if gone is not None else _kept(code, found, values, lists, instead=True)


def _kept(
    code: Code,
    found: Collection,
    values: tuple[cst.BaseExpression, cst.BaseExpression],
    lists: tuple[str, str],
    instead: bool = False,
) -> tuple[Edit, ...]:
    """The edits that collect labels and predictions beside the measures, none of which is computed twice."""
    indent = _indent(code, found.measured)
    hoisted, texts, edits = "", [], []
    for value, name in zip(values, ("fold_labels", "fold_predictions"), strict=True):
        if any(isinstance(node, cst.Call) for node in inside(value)):
            fresh = code.fresh(name)
            hoisted += f"{indent}{fresh} = {code.argument(value)}\n"
            edits.append(Edit(*code.span(value), fresh))
            texts.append(fresh)
        else:
            texts.append(code.argument(value))
    start = code.lines(found.measured)[0]
    edits += [Edit(start, start, hoisted)] if hoisted else []
    first, last = code.span(found.append.body[0])
    appends = _appends(lists, (texts[0], texts[1]), indent)
    edits.append(Edit(first, last, appends) if instead else Edit(last, last, f"\n{indent}{appends}"))
    return tuple(edits)
