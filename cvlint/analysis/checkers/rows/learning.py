"""What a transformer learns from the rows that it is fitted to, and what code learns from them by hand."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from cvlint.analysis.checkers.rows.expressions import rebind_rows, rows_of
from cvlint.analysis.domain.rows import Learned, RowSet, RowsOf, covers, frame_of
from cvlint.analysis.domain.taint_label import Taint, TaintLabel
from cvlint.analysis.domain.trace import Step
from cvlint.analysis.domain.value import LibraryObject
from cvlint.analysis.state import AnalysisState
from cvlint.analysis.taint import taint_at

BY_HAND = {"scaled": "are scaled with their own statistics here", "filled": "are filled with their own statistics here"}
"""What code does to rows with a mean or a deviation of theirs, in the words of a trace."""


CATEGORIES = ("labels", "categories")


def learned_from(base: LibraryObject) -> str:
    """What of the data a transformer learns from: their ``values``, their ``labels`` or ``categories``, or nothing.

    One that draws numbers at random learns of ``chance``: it makes something else of the same data after each fit.
    """
    settings, learns_if = base.facts.get("told_by", {}), base.facts.get("learns_if", {})
    constructor: ast.AST | None = base.facts.get("node")
    told: dict[str | None, object] = base.facts.get("told", {})
    for keyword in constructor.keywords if isinstance(constructor, ast.Call) else ():
        expected, is_known = settings.get(keyword.arg), keyword.arg in told
        if expected == "" or (expected and is_known and told[keyword.arg] == expected):
            return "nothing"
        if keyword.arg in learns_if and is_known:
            return "values" if told[keyword.arg] == learns_if[keyword.arg] else "nothing"
    return str(base.facts.get("learns", "values"))


def learns_from_values(base: LibraryObject) -> bool:
    """Whether a transformer learns from the values of the data, and not only from their labels and categories."""
    return learned_from(base) == "values"


def given_to_keep(state: AnalysisState, base: LibraryObject) -> Taint:
    """What a transformer was given when it was made, and keeps: ``TfidfVectorizer(vocabulary=other.vocabulary_)``."""
    constructor: ast.AST | None = base.facts.get("node")
    given = constructor.keywords if isinstance(constructor, ast.Call) else ()
    labels = taint_at(state, *(k.value for k in given if k.arg in base.facts.get("kept_of", ())))
    return frozenset(label for label in labels if label.kind == "learned")


def learning(
    state: AnalysisState, node: ast.AST, by: str, rows: RowSet, by_hand: str = "", of_categories: bool = False
) -> Learned:
    """A transformer learns from rows, perhaps in a helper that is called for several parts."""
    frame = state.frame
    note = f"the data {BY_HAND[by_hand]}" if by_hand else f"{by} learns from these rows here"
    call = None
    if isinstance(frame.call, ast.Call) and len(state.frames) > 1:
        call = Step(state.frames[-2].module.source, frame.call, f"{note.removesuffix(' here')} in this call")
    return Learned(by, state.step(node, note), rows.found, call, by_hand, of_categories)


def learn_by_hand(
    state: AnalysisState, node: ast.AST, data: ast.expr, how: str, statistic: ast.expr, of: Learned | None = None
) -> None:
    """``X - X.mean()``, ``X.fillna(X.mean())``, ``X -= X.mean()``: rows are ``scaled`` or ``filled`` by themselves.

    ``of``: what was learned of other rows, with which they are.
    """
    if not state.rows.is_followed:
        return
    found = rows_of(state, data)
    if of is None and any(one.by_hand == how and one.rows is found.rows.found for one in found.learned):
        return  # ``X -= X.mean()`` and then ``X /= X.std()``
    learned = of or learning(state, node, how, rows_behind(state, statistic, found.rows), how)
    after = RowsOf(found.rows, found.learned | {learned}, found.fit)
    match state.frame.call:
        case ast.Call(func=ast.Attribute(attr="apply")) as applied:  # a column of the data that it is applied to
            state.rows.by_hand[applied] = learned
            return
    match node:
        case ast.BinOp():
            state.rows.by_hand[node] = learned
        case ast.AugAssign():
            rebind_rows(state, data, after)
        case _:
            state.rows.of_calls[node] = after


def rows_behind(state: AnalysisState, statistic: ast.expr, rows: RowSet) -> RowSet:
    """The rows that statistics are of: some of the ``rows`` that get them, ``X - X[train].mean(0)``, or all of them."""
    found = {m.rows.found for m in taint_at(state, statistic) if m.kind == "statistic" and m.rows is not None}
    part = found.pop() if len(found) == 1 else rows.found
    return part if part is not rows.found and covers(rows, part) else rows


def learn_of_joined(
    state: AnalysisState, node: ast.AST, data: ast.expr, statistics: Iterable[TaintLabel], action: str, how: str
) -> bool:
    """Whether rows get statistics of parts that they were put together with: ``x_test - np.r_[x, x_test].mean(0)``.

    All statistics of the same parts are one thing that was learned.
    """
    if not state.rows.is_followed:
        return False
    rows = rows_of(state, data).rows
    for statistic in statistics:
        whole = frame_of(statistic.rows) if statistic.rows is not None else None
        if whole is None or not whole.is_union or whole is frame_of(rows) or not covers(whole, rows):
            continue
        by = f"each part {action} statistics of"
        learned = state.rows.of_joined.setdefault(whole, Learned(by, statistic.step, whole, by_hand=how))
        note_applied(state, learned, rows)
        learn_by_hand(state, node, data, how, data, learned)
        return True
    return False


def note_applied(state: AnalysisState, learned: Learned, rows: RowSet) -> None:
    """What was learned from data is applied to a part of them."""
    whole = frame_of(learned.rows)
    if whole is not frame_of(rows) and covers(whole, rows):
        parts = state.rows.applied_to.setdefault(learned, [])
        parts += [] if state.suppress_events else [rows]


def scale_further(state: AnalysisState, node: ast.BinOp) -> None:
    """``(X - X.mean()) / X.std()`` has learned where ``X - X.mean()`` has."""
    learned = state.rows.by_hand.get(node.left)
    if learned is not None:
        state.rows.by_hand[node] = learned
