"""Execute statements: bind names, follow branches, know which tests guard a place."""

from __future__ import annotations

import ast
from typing import cast

from cvlint.analysis.checkers.formulas.f_definition import check_definition
from cvlint.analysis.checkers.formulas.terms import last_name
from cvlint.analysis.checkers.search_scores import report_scores
from cvlint.analysis.checkers.selection_bias import assigned_targets, choice_by_comparison, label_threshold
from cvlint.analysis.checkers.undefined_folds.exception_handlers import (
    DIVISION_ERRORS,
    catches_division,
    check_try,
    nan_names,
)
from cvlint.analysis.checkers.undefined_folds.filters import check_if, corrects_tested_name, skips_fold
from cvlint.analysis.domain.lattice import UNKNOWN, join, leave_loop, options
from cvlint.analysis.domain.value import (
    NO_AXES,
    NO_TAINT,
    AnyValue,
    Axes,
    ClassValue,
    Const,
    Function,
    HeapObject,
    LibraryName,
    Taint,
    axes_of,
)
from cvlint.analysis.inference.loop_axes import is_index, own_loop
from cvlint.analysis.interpreter.assignments import assign, augment
from cvlint.analysis.interpreter.imports import bind_imports
from cvlint.analysis.interpreter.loops import for_loop, while_loop
from cvlint.analysis.state import AnalysisState
from cvlint.analysis.syntax import names_in
from cvlint.analysis.taint import add_taint, merge_taint, merged, taint_at


def execute(state: AnalysisState, body: list[ast.stmt]) -> bool:
    """Execute a block; True when it always leaves (return, raise, continue, break)."""
    depth = len(state.frame.guards)
    try:
        for statement in body:
            if state.budget < 0:
                return False
            if execute_one(state, statement):
                return True
        return False
    finally:
        del state.frame.guards[depth:]


def execute_one(state: AnalysisState, node: ast.stmt) -> bool:
    """Execute one statement; True when control leaves the block here."""
    state.taint = NO_TAINT
    match node:
        case ast.Expr():
            value = state.evaluate(state, node.value)
            if not isinstance(node.value, ast.Call):
                report_scores(state, value)
        case ast.Assign():
            state.targets = node.targets
            value = state.evaluate(state, node.value)
            state.targets = []
            for target in node.targets:
                for name, part in each_named(target, node.value):
                    check_definition(state, name, part)
                assign(state, target, value, node.value)
        case ast.AugAssign():
            augment(state, node)
        case ast.AnnAssign():
            if node.value is not None:
                check_definition(state, last_name(node.target), node.value)
                assign(state, node.target, state.evaluate(state, node.value), node.value)
        case ast.For() | ast.AsyncFor():
            for_loop(state, node)
        case ast.While():
            while_loop(state, node)
        case ast.If():
            return branch(state, node)
        case ast.With() | ast.AsyncWith():
            return with_block(state, node)
        case ast.Try():
            return try_block(state, node)
        case ast.Return():
            value = state.value(node.value) or Const()
            if node.value is not None:
                check_definition(state, getattr(state.frame.node, "name", ""), node.value)
            state.frame.returned.append(leave_loop(value, state.active_axes - state.frame.around))
            state.frame.taint = merged(state.frame.taint | taint_at(state, node.value))
            return True
        case ast.Raise() | ast.Continue() | ast.Break():
            return True
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            owner = state.frame.owner or node
            if isinstance(before := state.scope.names.get(node.name), Function) and len(state.frames) == 1:
                state.redefined.append(before)
            state.scope.bind(node.name, Function(node=node, scope=state.scope, owner=owner))
        case ast.ClassDef():
            state.scope.bind(node.name, ClassValue(node=node, scope=state.scope))
        case ast.Import() | ast.ImportFrom():
            bind_imports(state, node)
        case ast.Global() | ast.Nonlocal():
            state.scope.outer.update(node.names)
        case ast.Assert():
            state.evaluate(state, node.test)
            state.frame.guards.append(node.test)
        case ast.Delete():
            for target in node.targets:
                if isinstance(target, ast.Name):
                    state.scope.names.pop(target.id, None)
        case _ if type(node).__name__ == "TryStar":  # Python 3.11 and later, with the fields of a Try
            return try_block(state, cast(ast.Try, node))
        case ast.Match():
            return match_block(state, node)
    return False


def branch(state: AnalysisState, node: ast.If) -> bool:
    """An if statement: both arms, each guarded by the test, and what both leave behind."""
    test = state.evaluate(state, node.test)
    if isinstance(test, Const) and not isinstance(node.test, ast.Constant):
        return state.execute(state, node.body if test.value else node.orelse)
    check_if(state, node, test)
    scope, guards = state.scope, state.frame.guards
    before, taint_before = dict(scope.names), dict(scope.taint)
    state.branches += 1
    guards.append(node.test)
    first, first_else = first_passes(state, node.test)
    best = choice_by_comparison(state, node)
    with state.first_pass(first):
        body_leaves = state.execute(state, node.body)
    if best:
        mark_bound(state, node.body, best)
    after_body, scope.names = scope.names, before if not node.orelse else dict(before)
    taint, scope.taint = scope.taint, taint_before
    with state.first_pass(first_else):
        else_leaves = state.execute(state, node.orelse) if node.orelse else False
    guards.pop()
    state.branches -= 1
    if body_leaves or corrects_tested_name(
        node
    ):  # the rest of the block runs only where the test fails, or after its patch
        guards.append(ast.If(node.test, [], []) if skips_fold(state, node) else node.test)
    if else_leaves:
        guards.append(node.test)
        scope.names, scope.taint = after_body, taint
    elif not body_leaves:
        merge(after_body, scope.names)
        merge_taint(taint, scope.taint)
    return body_leaves and else_leaves


def mark_bound(state: AnalysisState, body: list[ast.stmt], taint: Taint) -> None:
    """Whatever a block binds bears the marks, too."""
    for target in assigned_targets(body):
        add_taint(state, target, label_threshold(state, target, taint))


def first_passes(state: AnalysisState, test: ast.expr) -> tuple[Axes, Axes]:
    """The loops of which the body, and the else branch, of a test see the first pass only.

    ``if key not in results``, ``if scores is None``, ``if not scores`` and ``if i == 0``: what is made there is
    made once, as if before the loop.
    """
    match test:
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            match op:
                case ast.NotIn() | ast.In():
                    axes = missing(state, state.evaluate(state, right)) - own_loop(state, left)
                case ast.Is() | ast.IsNot() if isinstance(right, ast.Constant) and right.value is None:
                    axes = missing(state, state.evaluate(state, left))
                case ast.Eq() | ast.NotEq() | ast.Gt() if isinstance(right, ast.Constant) and right.value in (0, 1):
                    index = state.evaluate(state, left)
                    axes = axes_of(index) if is_index(index) else NO_AXES
                case _:
                    axes = NO_AXES
            return (axes, NO_AXES) if isinstance(op, ast.NotIn | ast.Is | ast.Eq) else (NO_AXES, axes)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return missing(state, state.evaluate(state, operand)), NO_AXES
        case _:
            return NO_AXES, NO_AXES


def missing(state: AnalysisState, value: AnyValue) -> Axes:
    """The loops inside of which something that was made before them is still missing."""
    born = [v.born for v in options(value) if isinstance(v, HeapObject) or (isinstance(v, Const) and v.value is None)]
    return state.active_axes - born[0] if born else NO_AXES


def merge(one: dict[str, AnyValue], into: dict[str, AnyValue]) -> None:
    """Join the names bound on one arm of a branch into those of the other."""
    for name, value in one.items():
        other = into.get(name)
        if other is None:
            into[name] = value
        elif other is not value:
            into[name] = join([value, other])


def each_named(target: ast.expr, value: ast.expr) -> list[tuple[str, ast.expr]]:
    """The names that an assignment gives, and to what: ``precision, f1 = p, 2 * p * r / (p + r)``."""
    match (target, value):
        case (ast.Tuple(elts=targets), ast.Tuple(elts=values)) if len(targets) == len(values):
            return [(last_name(t), v) for t, v in zip(targets, values, strict=True)]
        case _:
            return [(last_name(target), value)]


def with_block(state: AnalysisState, node: ast.With | ast.AsyncWith) -> bool:
    """A with statement; ``np.errstate`` and ``suppress`` say that the author knows of undefined values."""
    guards, depth = state.frame.guards, len(state.frame.guards)
    for entry in node.items:
        value = state.evaluate(state, entry.context_expr)
        if entry.optional_vars is not None:
            assign(state, entry.optional_vars, UNKNOWN if isinstance(value, LibraryName) else value, entry.context_expr)
        if names_in(entry.context_expr) & {"errstate", *DIVISION_ERRORS}:
            guards.append(node)
    leaves = state.execute(state, node.body)
    del guards[depth:]
    return leaves


def try_block(state: AnalysisState, node: ast.Try) -> bool:
    """A try statement: the body, then each handler from what the body left."""
    scope, guards = state.scope, state.frame.guards
    catches = catches_division(node)
    if catches:
        guards.append(node)
    made, unset = len(state.computed), nan_names(state)
    leaves = state.execute(state, node.body)
    if catches:
        guards.pop()
    check_try(state, node, state.computed[made:], unset)
    if not leaves:
        leaves = state.execute(state, node.orelse)
    after = scope.names
    state.branches += 1
    for handler in node.handlers:
        scope.names = dict(after)
        with state.first_pass(first_after_failure(state, handler)):
            handler_leaves = state.execute(state, handler.body)
        if not handler_leaves:
            merge(scope.names, after)
            leaves = False
    state.branches -= 1
    scope.names = after
    return state.execute(state, node.finalbody) or leaves


def first_after_failure(state: AnalysisState, handler: ast.ExceptHandler) -> Axes:
    """``except KeyError: results[key] = [f1]`` is the first pass of the loops since ``results`` was made."""
    for statement in handler.body:
        if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Subscript):
            return missing(state, state.evaluate(state, statement.targets[0].value))
    return NO_AXES


def match_block(state: AnalysisState, node: ast.Match) -> bool:
    """A match statement: every case may be the one."""
    state.evaluate(state, node.subject)
    before, after, leaves = state.scope.names, [], []
    state.branches += 1
    for case in node.cases:
        state.scope.names = dict(before)
        leaves.append(state.execute(state, case.body))
        if not leaves[-1]:
            after.append(state.scope.names)
    state.branches -= 1
    state.scope.names = before
    for names in after:
        merge(names, before)
    return False
