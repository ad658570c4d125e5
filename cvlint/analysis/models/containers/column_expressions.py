"""Expressions over columns, which polars evaluates on the frame that gets them.

Effects: ``column``, ``select-columns``.

``frame.select(pl.col("f1").mean())``, ``frame.with_columns(pl.col("age").fill_null(pl.col("age").mean()))``,
``frame.group_by("model").agg(pl.mean("f1"))``. The expression is evaluated a second time, with the columns of the frame
in place of ``pl.col(...)``, as if the code were ``frame["f1"].mean()``.
"""

from __future__ import annotations

import ast

from cvlint.analysis.domain.heap_object import HeapObject
from cvlint.analysis.domain.value import AnyValue, Data, LibraryName, axes_of
from cvlint.analysis.heap.positions import copy_container
from cvlint.analysis.models.arguments import unknown_result
from cvlint.analysis.state import AnalysisState, Arguments
from cvlint.analysis.syntax import called_name, copy_of, names_in
from cvlint.knowledge.schema import Entry
from cvlint.source.parsing import walk

THE_FRAME = "the frame"  # the name of a frame that the code gives none


def column_call(state: AnalysisState, entry: Entry, arguments: Arguments, node: ast.AST) -> AnyValue:
    """``pl.col("f1")``: by itself it has no values."""
    return Data(state.active_axes)


def select_columns_method(
    state: AnalysisState, base: AnyValue, entry: Entry, arguments: Arguments, node: ast.Call
) -> AnyValue:
    """``frame.select(pl.col("f1").mean())``, ``frame.with_columns(z=pl.col("x") / 2)``: new columns, of old ones."""
    columns = evaluated_columns(state, base, node)
    if columns is None:
        return unknown_result(state, arguments, base)
    if entry.name != "with_columns":
        return HeapObject("table", columns, allocation_loops=state.active_axes)
    state.taint = frozenset(m for m in state.taint if m.kind != "statistic")  # a column of them is one more feature
    if not isinstance(base, HeapObject):
        return Data(axes_of(base) | state.active_axes)
    made = copy_container(base)
    made.fields |= columns
    return made


def evaluated_columns(state: AnalysisState, base: AnyValue, node: ast.Call) -> dict[object, AnyValue] | None:
    """The columns that the expressions in a call make of a frame, by their titles; None where the call has none."""
    given = [(None, a) for a in node.args] + [(k.arg, k.value) for k in node.keywords]
    flat = [(key, e) for key, a in given for e in (a.elts if isinstance(a, (ast.List, ast.Tuple)) else [a])]
    if not isinstance(node.func, ast.Attribute) or not any(reads_columns(state, e) for _, e in flat):
        return None
    trees = rewritten(state, base, node, node.func.value, [e for _, e in flat])
    found: dict[object, AnyValue] = {}
    for (key, expression), tree in zip(flat, trees, strict=True):
        found[key or title_of(expression)] = state.evaluate(state, tree)
    return found


def reads_columns(state: AnalysisState, node: ast.expr) -> bool:
    """Whether an expression reads columns of a frame that it does not name."""
    return any(isinstance(n, ast.Call) and column_entry(state, n) is not None for n in walk(node))


def column_entry(state: AnalysisState, node: ast.Call) -> Entry | None:
    """The knowledge of ``pl.col`` if a call is one of it."""
    if not isinstance(node.func, (ast.Name, ast.Attribute)) or (
        isinstance(node.func, ast.Attribute) and not isinstance(node.func.value, (ast.Name, ast.Attribute))
    ):
        return None
    target = state.evaluate(state, node.func)
    entry = state.knowledge.entry(target.name) if isinstance(target, LibraryName) else None
    return entry if entry is not None and entry.effect == "column" else None


def title_of(node: ast.expr) -> str:
    """The title of the column that an expression makes: its alias, or the first column that it reads."""
    calls = [n for n in walk(node) if isinstance(n, ast.Call) and n.args and isinstance(n.args[0], ast.Constant)]
    aliases = [c for c in calls if called_name(c.func) == "alias"]
    return next((str(c.args[0].value) for c in (*aliases, *calls) if isinstance(c.args[0], ast.Constant)), "")


def rewritten(
    state: AnalysisState, base: AnyValue, node: ast.Call, receiver: ast.expr, expressions: list[ast.expr]
) -> list[ast.expr]:
    """The expressions with the frame's columns in them; they are made once for each call."""
    key = (THE_FRAME, node)
    groups: list[ast.expr] = []
    frame = receiver
    if isinstance(receiver, ast.Call) and called_name(receiver.func) in state.knowledge.groups["groups-rows"]:
        assert isinstance(receiver.func, ast.Attribute)
        frame, groups = receiver.func.value, receiver.args
    if not isinstance(frame, ast.Name) and not (isinstance(frame, ast.Attribute) and "self" in names_in(frame)):
        state.environment.bind(THE_FRAME, base)
        frame = ast.copy_location(ast.Name(THE_FRAME, ast.Load()), receiver)
    if key not in state.inlined:
        writer = ColumnWriter(state, frame, groups)
        trees = [ast.fix_missing_locations(writer.visit(copy_of(e))) for e in expressions]
        state.inlined[key] = ast.copy_location(ast.List(trees, ast.Load()), node)
    made = state.inlined[key]
    assert isinstance(made, ast.List)
    return made.elts


class ColumnWriter(ast.NodeTransformer):
    """Writes ``frame["f1"]`` for ``pl.col("f1")``, and the mean of each group for a mean ``over`` groups."""

    def __init__(self, state: AnalysisState, frame: ast.expr, groups: list[ast.expr]) -> None:
        self.state, self.frame, self.groups = state, frame, groups

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Write a call anew that reads columns, or that only names the result."""
        match node:
            case ast.Call(func=ast.Attribute(value=inner, attr="alias")):
                return self.visit(inner)  # type: ignore[no-any-return]
            case ast.Call(
                func=ast.Attribute(
                    value=ast.Call(func=ast.Attribute(value=ast.Call() as column, attr=statistic)), attr="over"
                ),
                args=[*groups],
            ) if column_entry(self.state, column) is not None:
                of_groups = self.column(column, column_entry(self.state, column), groups)
                transform = ast.Attribute(of_groups, "transform", ast.Load())
                return located(ast.Call(transform, [ast.Constant(statistic)], []), node)
        entry = column_entry(self.state, node)
        if entry is None:
            return self.generic_visit(node)
        selected = self.column(node, entry, self.groups)
        if not entry.facts.get("statistic"):
            return selected
        name = called_name(node.func)
        return located(ast.Call(located(ast.Attribute(selected, name, ast.Load()), node), [], []), node)

    def column(self, node: ast.Call, entry: Entry | None, groups: list[ast.expr]) -> ast.expr:
        """``frame["f1"]``, ``frame.groupby("model")["f1"]``, or the whole frame where the call names no columns."""
        frame = self.frame
        if groups:
            frame = located(ast.Call(located(ast.Attribute(frame, "groupby", ast.Load()), node), groups, []), node)
        if entry is None or entry.facts.get("every") or not node.args:
            return frame
        key = node.args[0] if len(node.args) == 1 else located(ast.List(node.args, ast.Load()), node)
        return located(ast.Subscript(frame, key, ast.Load()), node)


def located(tree: ast.expr, node: ast.AST) -> ast.expr:
    """A tree at the place of a node."""
    return ast.copy_location(tree, node)
