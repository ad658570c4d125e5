"""What statements do with rows: assignments, loops, branches and returns."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from cvlint.analysis.checkers.rows.expressions import bind_rows, holder_of, key_of, rows_of, value_of
from cvlint.analysis.checkers.rows.measuring import note_beside_truth
from cvlint.analysis.domain.heap_object import HeapObject
from cvlint.analysis.domain.lattice import options
from cvlint.analysis.domain.rows import RowSet, RowsOf
from cvlint.analysis.inference.written_entries import parts_asked_for
from cvlint.analysis.state import AnalysisState
from cvlint.analysis.syntax import kept_in_node, nodes_in


def rows_in(state: AnalysisState, node: ast.expr) -> RowsOf | None:
    """The rows of an expression that is about to be assigned."""
    return rows_of(state, node) if state.rows.is_followed else None


def assign_rows(state: AnalysisState, target: ast.expr, found: RowsOf | None) -> None:
    """A target is bound to a value with these rows, or with rows of which nothing is known."""
    if state.rows.is_followed:
        bind_rows(state, target, found or RowsOf(RowSet()))


def add_to_rows(state: AnalysisState, node: ast.AugAssign) -> None:
    """``rows += [row]`` adds rows; ``X -= mean`` keeps them."""
    holder = holder_of(state, node.target) if state.rows.is_followed else None
    if holder is None:
        return
    held = options(value_of(state, node.target))
    if isinstance(node.op, ast.Add) and any(isinstance(value, HeapObject) for value in held):
        state.rows.held.pop(holder, None)


def return_rows(state: AnalysisState, value: ast.expr | None) -> None:
    """A function returns data, or a model that its caller may measure."""
    if value is None or not state.rows.is_followed:
        return
    state.frame.returned_rows.append(rows_of(state, value))
    if state.rows.fits and isinstance(value, (ast.Tuple, ast.List, ast.Dict)):
        note_beside_truth(state, value, parts_given(value))
    if names_given_results(state.frames[-2:][0].node).get(state.frame.call) in (0, names_for(state, value)):
        return  # the names that the caller binds it to are followed
    for part in parts_given(value) if state.rows.fits else ():
        fit = state.rows.fits.get(rows_of(state, part).rows.found)
        if fit is not None:
            fit.is_used_elsewhere = True


def yield_rows(state: AnalysisState, node: ast.Yield | ast.YieldFrom) -> None:
    """A generator yields data, one after another."""
    if node.value is None or not state.rows.is_followed:
        return
    found = rows_of(state, node.value)
    given = found.each if isinstance(node, ast.YieldFrom) else found
    state.frame.yielded_rows.append(given or RowsOf(RowSet()))


def parts_given(node: ast.expr) -> Iterator[ast.expr]:
    """The names and results of calls that an expression hands on: ``model`` of ``(model, model.score(X, y))``."""
    match node:
        case ast.Name() | ast.Call() | ast.Attribute() | ast.Subscript():
            yield node
        case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Dict(values=parts):
            for part in parts:
                yield from parts_given(part)
        case ast.IfExp(body=body, orelse=orelse):
            yield from parts_given(body)
            yield from parts_given(orelse)
        case _:
            return


@kept_in_node
def names_given_results(code: ast.AST) -> dict[ast.AST | None, int]:
    """The calls whose result names are bound to, and to how many; 0 for calls that stand alone."""
    bound: dict[ast.AST | None, int] = {statement.value: 0 for statement in nodes_in(code, ast.Expr)}
    for assign in nodes_in(code, ast.Assign):
        match [target.elts if isinstance(target, ast.Tuple) else [target] for target in assign.targets]:
            case [[*names]] if all(isinstance(name, ast.Name) for name in names):
                bound[assign.value] = len(names)
    return bound


def names_for(state: AnalysisState, node: ast.expr) -> int | None:
    """How many names the parts of a result need: 2 for ``model, score``; None where a part holds models itself."""
    match node:
        case ast.Name():
            return 1
        case ast.Tuple(elts=parts):
            inner = [p for p in parts if isinstance(p, (ast.Tuple, ast.List, ast.Dict, ast.IfExp))]
            return None if any(is_model(state, one) for part in inner for one in parts_given(part)) else len(parts)
        case _:
            return None


def is_model(state: AnalysisState, node: ast.expr) -> bool:
    """Whether an expression gives a model that was fitted to data."""
    return state.rows.fits.get(rows_of(state, node).rows.found) is not None


def rows_of_elements(state: AnalysisState, node: ast.expr, count: int) -> list[RowsOf] | None:
    """The rows of the elements that a loop visits one by one: ``for part in (X_train, X_test)``."""
    found = entries_visited(state, node) if state.rows.is_followed and count > 1 else ()
    return list(found) if len(found) == count else None


def rows_of_each_pass(state: AnalysisState, node: ast.expr) -> RowsOf | None:
    """What each pass of a loop visits, where all are alike: the parts of a fold, ``for X, V in parts_of_folds()``."""
    match node:
        case _ if not state.rows.is_followed:
            return None
        case ast.Call(func=ast.Name(id="enumerate"), args=[inner, *_]):
            found = rows_of_each_pass(state, inner)
            return None if found is None else RowsOf(RowSet(), entries=(RowsOf(RowSet()), found))
        case ast.Call(func=ast.Name(id="tqdm" | "list" | "iter"), args=[inner, *_]):
            return rows_of_each_pass(state, inner)
        case ast.Name() | ast.Attribute() | ast.Call() | ast.ListComp() | ast.GeneratorExp():
            return rows_of(state, node).each
        case _:
            return None


def entries_visited(state: AnalysisState, node: ast.expr) -> tuple[RowsOf, ...]:
    """The rows of the elements of an iterable, as far as it shows them: ``models.items()``, ``zip(names, models)``."""
    unknown = RowsOf(RowSet())
    match node:
        case ast.List() | ast.Tuple() | ast.Name() | ast.ListComp() | ast.GeneratorExp():
            return rows_of(state, node).entries
        case ast.Call(func=ast.Attribute(value=base, attr="values"), args=[]):
            return rows_of(state, base).entries
        case ast.Call(func=ast.Attribute(value=base, attr="items"), args=[]):
            return tuple(RowsOf(RowSet(), entries=(unknown, one)) for one in rows_of(state, base).entries)
        case ast.Call(func=ast.Name(id="list" | "tuple"), args=[inner]):
            return entries_visited(state, inner)
        case ast.Call(func=ast.Name(id="enumerate"), args=[inner, *_]):
            return tuple(RowsOf(RowSet(), entries=(unknown, one)) for one in entries_visited(state, inner))
        case ast.Call(func=ast.Name(id="zip"), args=[_, *_] as given, keywords=[]):
            columns = [entries_visited(state, one) for one in given]
            count = max(map(len, columns))
            known = [column if len(column) == count else (unknown,) * count for column in columns]
            return tuple(RowsOf(RowSet(), entries=row) for row in zip(*known, strict=True))
        case ast.Call(func=ast.Name() as graph) if titles := parts_asked_for(state, node):
            data = rows_of(state, graph)
            masks = [state.rows.same_part(data.rows.part(f".{title}", "view"), data) for title in titles]
            return tuple(RowsOf(RowSet(), entries=(unknown, mask)) for mask in masks)
        case _:
            return ()


def enter_loop(state: AnalysisState, node: ast.For | ast.AsyncFor | ast.While) -> None:
    """The body of a loop begins: what it binds or fits may hold what an earlier pass left."""
    if not state.rows.is_followed:
        return
    names, parts, methods = changes_of_loop(node)
    for name in names:
        state.rows.held.pop((state.environment.assigned_environment(name), name), None)
    for part in parts:
        key = part.attr if isinstance(part, ast.Attribute) else key_of(state, part.slice)
        state.rows.held.pop((rows_of(state, part.value).rows.found, key), None)
    for method in methods:
        if method.attr in state.knowledge.groups["fits"]:
            holder = holder_of(state, method.value)
            held = state.rows.held.get(holder) if holder is not None else None
            if held is not None:
                state.rows.fits.pop(held.rows.found, None)
                state.rows.learned.pop(held.rows.found, None)


@kept_in_node
def changes_of_loop(node: ast.AST) -> tuple[list[str], list[ast.Subscript | ast.Attribute], list[ast.Attribute]]:
    """What a loop may change: the names that it binds, the parts of names that it sets, and the methods it calls."""
    names = dict.fromkeys(name.id for name in nodes_in(node, ast.Name) if isinstance(name.ctx, ast.Store))
    parts: list[ast.Subscript | ast.Attribute] = [*nodes_in(node, ast.Subscript), *nodes_in(node, ast.Attribute)]
    set_parts = [part for part in parts if isinstance(part.ctx, ast.Store) and isinstance(part.value, ast.Name)]
    methods = [call.func for call in nodes_in(node, ast.Call) if isinstance(call.func, ast.Attribute)]
    return list(names), set_parts, methods
