"""F of all folds instead of the mean of the folds' F: labels and predictions are collected in the loop."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import libcst as cst
from libcst.metadata import ExpressionContext

from cvlint.fixes.editing.changes import sharing, unchanged, unshared
from cvlint.fixes.editing.edits import Edit, Proposal
from cvlint.fixes.editing.exposed_names import is_exposed
from cvlint.fixes.editing.imports import imported
from cvlint.fixes.editing.syntax import Code, Variable, arguments, inside
from cvlint.fixes.rewrites.fold_averages import averaged, instead, means_of

MEASURES = ("sklearn.metrics.f1_score", "sklearn.metrics.fbeta_score")
SETTINGS = frozenset({"average", "beta", "labels", "pos_label", "zero_division"})
"""Arguments of a measure that mean the same for all folds together as for each."""
LEAVING = (cst.Break, cst.Continue, cst.Raise, cst.Return)
ALTERING = frozenset({"append", "clear", "extend", "insert", "pop", "remove"})
"""Methods of a list after which its mean is another."""


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
        Whether nothing but the appending line reads the measure of a fold, as far as that can be known.
    """

    name: cst.CSTNode
    made: cst.CSTNode
    variable: Variable
    loop: cst.For
    append: cst.SimpleStatementLine
    measured: cst.SimpleStatementLine
    measure: cst.Call
    alone: bool


@dataclass(frozen=True, slots=True)
class Value:
    """Labels or predictions of a fold, how they are written, and the function that copies them, if that is needed."""

    node: cst.BaseExpression
    written: str
    copy: str = ""

    @property
    def text(self) -> str:
        """What is appended."""
        return f"{self.copy}({self.written})" if self.copy else self.written


def pooled_in_loop(code: Code, place: cst.BaseExpression) -> Iterator[Proposal]:
    """``scores.append(f1_score(…))`` and their mean → labels and predictions collected, and one F after the loop."""
    scores = averaged(code, place)
    found = _collection(code, scores) if isinstance(scores, cst.Name) else None
    if found is None or not code.follows(found.loop, place) or _is_skipped(code, found) or _is_altered(code, found):
        return
    given = arguments(found.measure, "y_true", "y_pred") or {}
    settings = [arg for key, arg in given.items() if key in SETTINGS]
    if len(settings) + 2 != len(given) or not {"y_true", "y_pred"} <= given.keys():
        return
    means, others = means_of(code, found.variable, found.loop)
    begin, end = code.span(found.loop)[0], max(code.span(mean)[0] for mean in means)
    seen = [found.measure.func, *(arg.value for arg in settings)]
    if not all(unchanged(code, node, begin, end) and code.means_there(node, means) for node in seen):
        return
    values = given["y_true"].value, given["y_pred"].value
    lasting = [_lasting(code, found, value, end) for value in values]
    concatenate = imported(code, place, "numpy", "concatenate")
    copy = imported(code, place, "numpy", "copy") if not all(lasting) else ("", ())
    if concatenate is None or copy is None:
        return
    collected = [
        Value(value, code.argument(value), "" if lasts else copy[0])
        for value, lasts in zip(values, lasting, strict=True)
    ]
    kept = others > 1 or is_exposed(code, found.name, code.text(found.name))  # one of the others appends
    lists = code.fresh("true_labels"), code.fresh("predictions")
    told = "".join(f", {code.text(arg)}" for arg in settings)
    pooled = [f"{concatenate[0]}({name})" for name in lists]
    text = f"{code.text(found.measure.func)}({', '.join(pooled)}{told})"
    replaced = [instead(code, mean, text) for mean in means]
    if None in replaced:
        return
    edits = [edit for one in replaced for edit in one or ()]
    collecting = _collecting(code, found, collected, lists, kept)
    yield Proposal((*edits, *collecting, *concatenate[1], *copy[1]))


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
        exposed = is_exposed(code, value, code.text(value))
        value, alone = assign.value, len(kept.reads) == 1 and not exposed
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


def _is_skipped(code: Code, found: Collection) -> bool:
    """Whether a round may end between the measure and what appends it, so that a fold is left out."""
    begin, end = code.span(found.measured)[1], code.span(found.append)[0]
    leaving = (node for node in inside(found.loop.body) if isinstance(node, LEAVING))
    return any(begin <= code.span(node)[0] < end for node in leaving)


def _is_altered(code: Code, found: Collection) -> bool:
    """Whether the list of measures is altered by more than what appends to it."""
    for read in found.variable.reads:
        around = code.parent(read)
        bound = isinstance(around, cst.Subscript) and code.context(around) is not ExpressionContext.LOAD
        called = isinstance(around, cst.Attribute) and around.value is read and around.attr.value in ALTERING
        if bound or (called and code.statement(read) is not found.append):
            return True
    return False


def _lasting(code: Code, found: Collection, value: cst.BaseExpression, end: int) -> bool:
    """Whether a value of one fold is made anew in each round and stays as it is until an offset; else copy it."""
    held = sharing(code, value)
    if held is None:
        return True
    begin, last = code.span(found.loop)
    variable = code.variable(held)
    bound = [one for one in (variable.bound if variable is not None else ()) if begin <= code.span(one)[0] < last]
    made = [made for one in bound if (made := bound_value(code, one)) is not None]
    anew = held is not value or (bound and not any(sharing(code, one) for one in made))
    return bool(anew) and unshared(code, held, begin, end)


def _collecting(
    code: Code, found: Collection, values: Sequence[Value], lists: tuple[str, str], kept: bool
) -> Iterator[Edit]:
    """The edits that make two lists, and collect labels and predictions where a fold is measured.

    The list of measures goes, and what is appended to it, where nothing else reads them; else the new lists come beside
    it, and nothing is predicted twice.
    """
    apart = found.append is not found.measured
    gone = code.removable(found.append) if apart else None
    kept = kept or (apart and gone is None)
    names, values_made = (code.text(found.name), *lists) if kept else lists, 3 if kept else 2
    yield Edit(*code.span(found.name), ", ".join(names))
    yield Edit(*code.span(found.made), ", ".join(["[]"] * values_made))
    if apart and gone is not None and not kept:
        yield Edit(*gone, "")
    indent = code.indent(found.measured)
    start, end = code.span(found.measured.body[0])
    if found.alone and not kept:
        yield Edit(start, end, _appends(lists, [value.text for value in values], indent))
        return
    hoisted, texts = "", []
    for value, name in zip(values, ("fold_labels", "fold_predictions"), strict=True):
        if any(isinstance(node, cst.Call) for node in inside(value.node)):
            fresh = code.fresh(name)
            hoisted += f"{indent}{fresh} = {code.argument(value.node)}\n"
            yield Edit(*code.span(value.node), fresh)
            value = replace(value, written=fresh)
        texts.append(value.text)
    if hoisted:
        yield Edit(at := code.lines(found.measured)[0], at, hoisted)
    yield Edit(end, end, f"\n{indent}{_appends(lists, texts, indent)}")


def _appends(lists: tuple[str, str], values: Sequence[str], indent: str) -> str:
    """Two statements, the second on a line of its own."""
    first, second = (f"{name}.append({value})" for name, value in zip(lists, values, strict=True))
    return f"{first}\n{indent}{second}"
