"""Replace the mean of the folds' F by F over all folds: the loop collects labels and predictions instead of scores."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst
from libcst.metadata import ExpressionContext

from cvlint.fixes.editing.changes import sharing, unchanged, unshared
from cvlint.fixes.editing.edits import Edit, Proposal
from cvlint.fixes.editing.exposed_names import is_exposed
from cvlint.fixes.editing.imports import imported
from cvlint.fixes.editing.syntax import Code, Variable, arguments, bound_value, inside
from cvlint.fixes.rewrites.fold_averages import averaged_value, means_after, replaced_mean
from cvlint.records import dataclass, replace

MEASURES = ("sklearn.metrics.f1_score", "sklearn.metrics.fbeta_score")
SETTINGS = frozenset({"average", "beta", "labels", "pos_label", "zero_division"})
"""Arguments of a measure that mean the same for the pooled folds as for each fold."""
LEAVING = (cst.Break, cst.Continue, cst.Raise, cst.Return)
ALTERING = frozenset({"append", "clear", "extend", "insert", "pop", "remove"})
"""Methods that change the mean of a list."""


@dataclass(frozen=True, slots=True)
class ScoreList:
    """A list to which each iteration of a loop appends the score of a fold."""

    name: cst.CSTNode
    empty: cst.CSTNode
    """The name in the statement that creates the list, and the ``[]`` that it is bound to."""
    variable: Variable
    """The list."""
    loop: cst.For
    """The loop over the folds."""
    append: cst.SimpleStatementLine
    """The line that appends to the list."""
    measured: cst.SimpleStatementLine
    """The line that computes the score: ``append`` itself, or an earlier line that binds a variable."""
    measure: cst.Call
    """The call of the measure."""
    alone: bool
    """Whether only the appending line reads the score of a fold, as far as the code shows."""


@dataclass(frozen=True, slots=True)
class CollectedValue:
    """Labels or predictions of a fold: the node, the text to append, and the function that copies them if necessary."""

    node: cst.BaseExpression
    written: str
    copy: str = ""

    @property
    def text(self) -> str:
        """The expression to append."""
        return f"{self.copy}({self.written})" if self.copy else self.written


def pooled_f_in_loop(code: Code, place: cst.BaseExpression) -> Iterator[Proposal]:
    """``scores.append(f1_score(…))`` and the mean → collected labels and predictions, one F after the loop."""
    scores = averaged_value(code, place)
    found = _collection(code, scores) if isinstance(scores, cst.Name) else None
    if found is None or not code.follows(found.loop, place) or _is_skipped(code, found) or _is_altered(code, found):
        return
    given = arguments(found.measure, "y_true", "y_pred") or {}
    settings = [arg for key, arg in given.items() if key in SETTINGS]
    if len(settings) + 2 != len(given) or not {"y_true", "y_pred"} <= given.keys():
        return
    means, others = means_after(code, found.variable, found.loop)
    begin, end = code.span(found.loop)[0], max(code.span(mean)[0] for mean in means)
    moved = [found.measure.func, *(arg.value for arg in settings)]
    if not all(unchanged(code, node, begin, end) and code.means_there(node, means) for node in moved):
        return
    values = given["y_true"].value, given["y_pred"].value
    lasting = [_lasting(code, found, value, end) for value in values]
    concatenate = imported(code, place, "numpy", "concatenate")
    copy = imported(code, place, "numpy", "copy") if not all(lasting) else ("", ())
    if concatenate is None or copy is None:
        return
    collected = [
        CollectedValue(value, code.argument(value), "" if lasts else copy[0])
        for value, lasts in zip(values, lasting, strict=True)
    ]
    kept = others > 1 or is_exposed(code, found.name, code.text(found.name))  # one of the other reads is the append
    lists = code.fresh("true_labels"), code.fresh("predictions")
    options = "".join(f", {code.text(arg)}" for arg in settings)
    pooled = [f"{concatenate[0]}({name})" for name in lists]
    text = f"{code.text(found.measure.func)}({', '.join(pooled)}{options})"
    replaced = [replaced_mean(code, mean, text) for mean in means]
    if None in replaced:
        return
    edits = [edit for one in replaced for edit in one or ()]
    collecting = _collecting(code, found, collected, lists, kept)
    yield Proposal((*edits, *collecting, *concatenate[1], *copy[1]))


def _collection(code: Code, scores: cst.Name) -> ScoreList | None:
    """Find how a list of scores is filled; None unless one loop next to its creation appends to it once."""
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
) -> ScoreList | None:
    """Complete the list if its scores are computed in the appending line, or in an earlier line of the same loop."""
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
    return ScoreList(name, made, variable, loop, append, line, value, alone)


def _appending(code: Code, read: cst.CSTNode) -> cst.Call | None:
    """The call ``scores.append(…)`` around a name, if the call is a whole statement."""
    attribute = code.parent(read)
    call = code.parent(attribute)
    match call:
        case cst.Call(func=cst.Attribute(attr=cst.Name(value="append")), args=[cst.Arg(keyword=None, star="")]):
            return call if call.func is attribute and isinstance(code.parent(call), cst.Expr) else None
        case _:
            return None


def _plain(statement: cst.CSTNode) -> bool:
    """Whether a line holds exactly one statement."""
    return isinstance(statement, cst.SimpleStatementLine) and len(statement.body) == 1


def _is_skipped(code: Code, found: ScoreList) -> bool:
    """Whether an iteration may end between the measure and the append, so that the list lacks a fold."""
    begin, end = code.span(found.measured)[1], code.span(found.append)[0]
    leaving = (node for node in inside(found.loop.body) if isinstance(node, LEAVING))
    return any(begin <= code.span(node)[0] < end for node in leaving)


def _is_altered(code: Code, found: ScoreList) -> bool:
    """Whether anything but the append changes the list of scores."""
    for read in found.variable.reads:
        around = code.parent(read)
        bound = isinstance(around, cst.Subscript) and code.context(around) is not ExpressionContext.LOAD
        called = isinstance(around, cst.Attribute) and around.value is read and around.attr.value in ALTERING
        if bound or (called and code.statement(read) is not found.append):
            return True
    return False


def _lasting(code: Code, found: ScoreList, value: cst.BaseExpression, end: int) -> bool:
    """Whether each iteration creates a new value that stays unchanged until an offset; if not, it must be copied."""
    held = sharing(code, value)
    if held is None:
        return True
    begin, last = code.span(found.loop)
    variable = code.variable(held)
    bound = [one for one in (variable.bound if variable is not None else ()) if begin <= code.span(one)[0] < last]
    values = [bound_to for one in bound if (bound_to := bound_value(code, one)) is not None]
    new = held is not value or (bound and not any(sharing(code, one) for one in values))
    return bool(new) and unshared(code, held, begin, end)


def _collecting(
    code: Code, found: ScoreList, values: Sequence[CollectedValue], lists: tuple[str, str], kept: bool
) -> Iterator[Edit]:
    """Give the edits that create two lists and collect labels and predictions where a fold is measured.

    The list of scores and its append are removed if nothing else reads them. Otherwise the new lists stand next to it,
    and the predictions of a fold are bound to a variable, so that the model does not predict twice.
    """
    apart = found.append is not found.measured
    gone = code.removable(found.append) if apart else None
    kept = kept or (apart and gone is None)
    names, empty_lists = (code.text(found.name), *lists) if kept else lists, 3 if kept else 2
    yield Edit(*code.span(found.name), ", ".join(names))
    yield Edit(*code.span(found.empty), ", ".join(["[]"] * empty_lists))
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
    """Write two statements on two lines."""
    first, second = (f"{name}.append({value})" for name, value in zip(lists, values, strict=True))
    return f"{first}\n{indent}{second}"
