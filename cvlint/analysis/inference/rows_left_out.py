"""Loops whose passes hold out a part of the rows, which the rest gives away: all rows but those of the pass.

``X[np.setdiff1d(rows, held)]``, ``X[~mask]``, ``X[[j for j in range(n) if j not in held]]``, ``np.delete(X, held, 0)``.
Where what is left out turns with a loop, each pass of it holds out another part, whatever the names are.
"""

from __future__ import annotations

import ast

from cvlint.analysis.domain.axis import Axis
from cvlint.analysis.domain.environment import Function
from cvlint.analysis.domain.value import Data
from cvlint.analysis.inference.loop_axes import prove_fold_loop
from cvlint.analysis.inference.loop_dependence import (
    calls_in,
    draws,
    names_counted_on,
    names_of_data,
    sources_of,
    turns_with,
    unseen,
)
from cvlint.analysis.state import AnalysisState
from cvlint.analysis.syntax import called_name, is_same_code, names_in, nodes_in, root_name, row_keys, words_of
from cvlint.source.parsing import walk

MOST_DEFINITIONS = 4  # names that stand for names
LOOPS = ("loop", "batch")  # which a held-out part may turn into loops over folds


def prove_by_rest(state: AnalysisState, key: ast.expr) -> Axis | None:
    """``X[rest]``: the loop over folds of which a pass leaves rows out; None where a key leaves none out by a loop."""
    if not any(axis.kind in LOOPS for axis in state.active_loops):
        return None
    held = rows_left_out(state, key)
    return None if held is None else prove_held_out(state, held)


def prove_held_out(state: AnalysisState, held: ast.expr) -> Axis | None:
    """The innermost loop that decides which rows are left out, which is one over folds then."""
    for axis in reversed(state.active_loops):
        if turns_with(state, axis, held, names_counted_on(axis)):
            if not is_reckoned(state, axis, held):
                return None
            prove_fold_loop(state, Data(frozenset((axis,))), by_element=True)
            return axis if axis.kind == "fold" else None
    return None


def is_reckoned(state: AnalysisState, axis: Axis, held: ast.expr) -> bool:
    """Whether each pass reckons which rows it leaves out, and neither draws them nor asks other code of the project.

    A loop over sizes draws a training part of each size; it is none over folds.
    """
    places = dict.fromkeys((len(state.frames) - 1, name) for name in names_of_data(state, held))
    sources, left = [held], list(places)
    for level, name in left:
        at, found = sources_of(state, level, name, axis)
        sources += found
        left += unseen(state, places, at, found)
    calls = (call for source in sources for call in calls_in(source))
    return not any(draws(state, source) for source in sources) and not any(is_of_project(state, c) for c in calls)


def is_of_project(state: AnalysisState, call: ast.Call) -> bool:
    """Whether a call is of a function or a method of the project."""
    match call.func:
        case ast.Name(id=name):
            return isinstance(state.environment.lookup(name), Function)
        case ast.Attribute(value=ast.Name(id="self")):
            return True
        case _:
            return False


def is_kept_anew(state: AnalysisState, data: ast.expr) -> bool:
    """Whether what is left replaces the data, so that each pass takes more away: ``pool = np.delete(pool, drawn)``."""
    return any(root_name(data) in names_in(target) for target in state.assigned_targets)


def rows_left_out(state: AnalysisState, key: ast.expr, depth: int = MOST_DEFINITIONS) -> ast.expr | None:
    """What a key of rows leaves out: ``held`` for ``np.setdiff1d(rows, held)``; None for other keys."""
    groups = state.knowledge.groups
    match key:
        case ast.Name(id=name) if depth and (definition := state.environment.definitions.get(name)) is not None:
            return rows_marked(state, name, False) or rows_left_out(state, definition, depth - 1)
        case ast.UnaryOp(op=ast.Invert(), operand=ast.Name(id=mask)):
            return rows_marked(state, mask, True)
        case ast.UnaryOp(op=ast.Invert(), operand=ast.Call(func=func, args=[*_, held])):
            return held if called_name(func) in groups["tests-membership"] else None
        case ast.Call(func=func, args=[*_, inner]) if called_name(func) in groups["lists-rows"]:
            return rows_left_out(state, inner, depth)
        case ast.Call(func=func, args=[*_, held]) if called_name(func) in groups["leaves-rows-out"]:
            return None if "columns" in names_in(key) else held
        case ast.Subscript(value=ast.Call() as inner, slice=ast.Constant(value=0)):
            return rows_left_out(state, inner, depth)
        case ast.BinOp(op=ast.Sub(), left=whole, right=held):
            return held if is_set(state, whole) and numbers_rows(state, whole) else None
        case ast.ListComp(generators=[ast.comprehension(iter=whole, ifs=[ast.Compare(ops=[ast.NotIn()]) as test])]):
            return test.comparators[0] if numbers_rows(state, whole) else None
        case _:
            return None


def rows_between(node: ast.AST) -> ast.expr | None:
    """Where the rows begin that a concatenation leaves out: ``a`` of ``np.concatenate([X[:a], X[b:]])``."""
    match node:
        case ast.Call(args=[ast.Tuple(elts=parts) | ast.List(elts=parts), *_]) | ast.Call(args=[*parts]):
            pass
        case ast.Subscript(slice=ast.Tuple(elts=parts)):  # ``np.r_[X[:a], X[b:]]``
            pass
        case _:
            return None
    ends = [
        (part.value, key.lower, key.upper)
        for part in parts
        if isinstance(part, ast.Subscript) and (key := only_slice(part)) is not None
    ]
    match ends:
        case [(ast.expr() as whole, None, ast.expr() as stop), (ast.expr() as same, ast.expr(), None)]:
            return stop if is_same_code(whole, same) else None
        case _:
            return None


def only_slice(node: ast.expr) -> ast.Slice | None:
    """The slice of rows by which an expression takes a part of data: ``:a`` of ``X[:a]`` and ``X[:a, :]``."""
    keys = row_keys(node)[:1]
    return keys[0] if keys and isinstance(keys[0], ast.Slice) else None


def rows_marked(state: AnalysisState, mask: str, value: bool) -> ast.expr | None:
    """The rows of a mask that code gives another value: ``rows`` of ``mask = np.ones(n, bool); mask[rows] = False``."""
    definition = state.environment.definitions.get(mask)
    if definition is None or not is_mask_of(state, definition, not value):
        return None
    for statement in nodes_in(state.frame.node, ast.Assign):
        match statement:
            case ast.Assign(
                targets=[ast.Subscript(value=ast.Name(id=name), slice=rows)], value=ast.Constant() as given
            ):
                if name == mask and given.value == value:
                    return rows
    return None


def is_mask_of(state: AnalysisState, definition: ast.expr, value: bool) -> bool:
    """Whether a mask begins with one value: ``np.ones(n, dtype=bool)``, ``np.full(n, True)``."""
    match definition:
        case ast.Call(func=func) if (name := called_name(func)) in state.knowledge.groups["makes-arrays"]:
            is_told = any(isinstance(a, ast.Constant) and a.value is value for a in definition.args)
            return is_told or (name.startswith("ones" if value else "zeros") and "bool" in words_of(definition))
        case _:
            return False


def is_set(state: AnalysisState, node: ast.expr) -> bool:
    """Whether an expression is a set: ``set(range(n))``, or the name of one."""
    definition = state.environment.definitions.get(node.id) if isinstance(node, ast.Name) else node
    return isinstance(definition, ast.Set | ast.SetComp) or (
        isinstance(definition, ast.Call) and called_name(definition.func) in ("set", "frozenset")
    )


def numbers_rows(state: AnalysisState, node: ast.expr, depth: int = MOST_DEFINITIONS) -> bool:
    """Whether an expression numbers all rows: ``range(len(X))``, ``set(np.arange(n))``, or a name of one."""
    if isinstance(node, ast.Name):
        definition = state.environment.definitions.get(node.id) if depth else None
        return definition is not None and numbers_rows(state, definition, depth - 1)
    called = {called_name(call.func) for call in walk(node) if isinstance(call, ast.Call)}
    return bool(called & state.knowledge.groups["numbers-rows"]) and "columns" not in names_in(node)


def part_left_out(node: ast.expr) -> str | None:
    """The part whose rows are left out: ``~data.index.isin(train.index)``, ``data.index.difference(train.index)``."""
    match node:
        case ast.UnaryOp(op=ast.Invert(), operand=ast.Call(func=ast.Attribute(attr="isin"), args=[rows])):
            return part_of_rows(rows)
        case ast.Call(func=ast.Attribute(attr="difference" | "drop"), args=[rows]):
            return part_of_rows(rows)
        case _:
            return None


def part_of_rows(node: ast.expr) -> str | None:
    """The name of ``train`` in ``train.index``."""
    match node:
        case ast.Attribute(value=ast.Name(id=part), attr="index"):
            return part
        case ast.Call(func=ast.Name(id="list"), args=[rows]):
            return part_of_rows(rows)
        case _:
            return None
