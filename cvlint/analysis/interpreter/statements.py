"""Execute statements: bind names, follow branches, know which tests guard a place."""

from __future__ import annotations

import ast
from typing import cast

from cvlint.analysis.checkers.f_definition import defined
from cvlint.analysis.checkers.formulas import last_name
from cvlint.analysis.checkers.reported_scores import reported
from cvlint.analysis.checkers.selection_bias import chosen_by_test, cut_off, targets_in
from cvlint.analysis.checkers.undefined_folds import (
    DIVISION_ERRORS,
    catches_division,
    if_statement,
    nan_names,
    passes_over,
    patches,
    try_statement,
)
from cvlint.analysis.domain.lattice import UNKNOWN, join, options, settled
from cvlint.analysis.domain.value import (
    NO_AXES,
    NO_MARKS,
    AnyValue,
    Axes,
    Cell,
    ClassOf,
    Const,
    Function,
    Library,
    Marks,
    axes_of,
)
from cvlint.analysis.inference.loop_axes import is_index, own_loop
from cvlint.analysis.interpreter.assignments import assign, augment
from cvlint.analysis.interpreter.imports import bind_imports
from cvlint.analysis.interpreter.loops import for_loop, while_loop
from cvlint.analysis.state import Run
from cvlint.analysis.syntax import names_in
from cvlint.analysis.taint import add_marks, marks_at, merge_marks, merged


def execute(run: Run, body: list[ast.stmt]) -> bool:
    """Execute a block; True when it always leaves (return, raise, continue, break)."""
    depth = len(run.frame.guards)
    try:
        for statement in body:
            if run.budget < 0:
                return False
            if execute_one(run, statement):
                return True
        return False
    finally:
        del run.frame.guards[depth:]


def execute_one(run: Run, node: ast.stmt) -> bool:
    """Execute one statement; True when control leaves the block here."""
    run.marks = NO_MARKS
    match node:
        case ast.Expr():
            value = run.evaluate(run, node.value)
            if not isinstance(node.value, ast.Call):
                reported(run, value)
        case ast.Assign():
            run.targets = node.targets
            value = run.evaluate(run, node.value)
            run.targets = []
            for target in node.targets:
                for name, part in each_named(target, node.value):
                    defined(run, name, part)
                assign(run, target, value, node.value)
        case ast.AugAssign():
            augment(run, node)
        case ast.AnnAssign():
            if node.value is not None:
                defined(run, last_name(node.target), node.value)
                assign(run, node.target, run.evaluate(run, node.value), node.value)
        case ast.For() | ast.AsyncFor():
            for_loop(run, node)
        case ast.While():
            while_loop(run, node)
        case ast.If():
            return branch(run, node)
        case ast.With() | ast.AsyncWith():
            return with_block(run, node)
        case ast.Try():
            return try_block(run, node)
        case ast.Return():
            value = run.value(node.value) or Const()
            if node.value is not None:
                defined(run, getattr(run.frame.node, "name", ""), node.value)
            run.frame.returned.append(settled(value, run.active_axes - run.frame.around))
            run.frame.marks = merged(run.frame.marks | marks_at(run, node.value))
            return True
        case ast.Raise() | ast.Continue() | ast.Break():
            return True
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            owner = run.frame.owner or node
            if isinstance(before := run.scope.names.get(node.name), Function) and len(run.frames) == 1:
                run.redefined.append(before)
            run.scope.bind(node.name, Function(node=node, scope=run.scope, owner=owner))
        case ast.ClassDef():
            run.scope.bind(node.name, ClassOf(node=node, scope=run.scope))
        case ast.Import() | ast.ImportFrom():
            bind_imports(run, node)
        case ast.Global() | ast.Nonlocal():
            run.scope.outer.update(node.names)
        case ast.Assert():
            run.evaluate(run, node.test)
            run.frame.guards.append(node.test)
        case ast.Delete():
            for target in node.targets:
                if isinstance(target, ast.Name):
                    run.scope.names.pop(target.id, None)
        case _ if type(node).__name__ == "TryStar":  # Python 3.11 and later, with the fields of a Try
            return try_block(run, cast(ast.Try, node))
        case ast.Match():
            return match_block(run, node)
    return False


def branch(run: Run, node: ast.If) -> bool:
    """An if statement: both arms, each guarded by the test, and what both leave behind."""
    test = run.evaluate(run, node.test)
    if isinstance(test, Const) and not isinstance(node.test, ast.Constant):
        return run.execute(run, node.body if test.value else node.orelse)
    if_statement(run, node, test)
    scope, guards = run.scope, run.frame.guards
    before, before_marks = dict(scope.names), dict(scope.marks)
    run.branches += 1
    guards.append(node.test)
    first, first_else = first_passes(run, node.test)
    best = chosen_by_test(run, node)
    with run.first_pass(first):
        body_leaves = run.execute(run, node.body)
    if best:
        mark_bound(run, node.body, best)
    after_body, scope.names = scope.names, before if not node.orelse else dict(before)
    marks, scope.marks = scope.marks, before_marks
    with run.first_pass(first_else):
        else_leaves = run.execute(run, node.orelse) if node.orelse else False
    guards.pop()
    run.branches -= 1
    if body_leaves or patches(node):  # the rest of the block runs only where the test fails, or after its patch
        guards.append(ast.If(node.test, [], []) if passes_over(run, node) else node.test)
    if else_leaves:
        guards.append(node.test)
        scope.names, scope.marks = after_body, marks
    elif not body_leaves:
        merge(after_body, scope.names)
        merge_marks(marks, scope.marks)
    return body_leaves and else_leaves


def mark_bound(run: Run, body: list[ast.stmt], marks: Marks) -> None:
    """Whatever a block binds bears the marks, too."""
    for target in targets_in(body):
        add_marks(run, target, cut_off(run, target, marks))


def first_passes(run: Run, test: ast.expr) -> tuple[Axes, Axes]:
    """The loops of which the body, and the else branch, of a test see the first pass only.

    ``if key not in results``, ``if scores is None``, ``if not scores`` and ``if i == 0``: what is made there is
    made once, as if before the loop.
    """
    match test:
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            match op:
                case ast.NotIn() | ast.In():
                    axes = missing(run, run.evaluate(run, right)) - own_loop(run, left)
                case ast.Is() | ast.IsNot() if isinstance(right, ast.Constant) and right.value is None:
                    axes = missing(run, run.evaluate(run, left))
                case ast.Eq() | ast.NotEq() | ast.Gt() if isinstance(right, ast.Constant) and right.value in (0, 1):
                    index = run.evaluate(run, left)
                    axes = axes_of(index) if is_index(index) else NO_AXES
                case _:
                    axes = NO_AXES
            return (axes, NO_AXES) if isinstance(op, ast.NotIn | ast.Is | ast.Eq) else (NO_AXES, axes)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return missing(run, run.evaluate(run, operand)), NO_AXES
        case _:
            return NO_AXES, NO_AXES


def missing(run: Run, value: AnyValue) -> Axes:
    """The loops inside of which something that was made before them is still missing."""
    born = [v.born for v in options(value) if isinstance(v, Cell) or (isinstance(v, Const) and v.value is None)]
    return run.active_axes - born[0] if born else NO_AXES


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


def with_block(run: Run, node: ast.With | ast.AsyncWith) -> bool:
    """A with statement; ``np.errstate`` and ``suppress`` say that the author knows of undefined values."""
    guards, depth = run.frame.guards, len(run.frame.guards)
    for entry in node.items:
        value = run.evaluate(run, entry.context_expr)
        if entry.optional_vars is not None:
            assign(run, entry.optional_vars, UNKNOWN if isinstance(value, Library) else value, entry.context_expr)
        if names_in(entry.context_expr) & {"errstate", *DIVISION_ERRORS}:
            guards.append(node)
    leaves = run.execute(run, node.body)
    del guards[depth:]
    return leaves


def try_block(run: Run, node: ast.Try) -> bool:
    """A try statement: the body, then each handler from what the body left."""
    scope, guards = run.scope, run.frame.guards
    catches = catches_division(node)
    if catches:
        guards.append(node)
    made, unset = len(run.computed), nan_names(run)
    leaves = run.execute(run, node.body)
    if catches:
        guards.pop()
    try_statement(run, node, run.computed[made:], unset)
    if not leaves:
        leaves = run.execute(run, node.orelse)
    after = scope.names
    run.branches += 1
    for handler in node.handlers:
        scope.names = dict(after)
        with run.first_pass(first_after_failure(run, handler)):
            handler_leaves = run.execute(run, handler.body)
        if not handler_leaves:
            merge(scope.names, after)
            leaves = False
    run.branches -= 1
    scope.names = after
    return run.execute(run, node.finalbody) or leaves


def first_after_failure(run: Run, handler: ast.ExceptHandler) -> Axes:
    """``except KeyError: results[key] = [f1]`` is the first pass of the loops since ``results`` was made."""
    for statement in handler.body:
        if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Subscript):
            return missing(run, run.evaluate(run, statement.targets[0].value))
    return NO_AXES


def match_block(run: Run, node: ast.Match) -> bool:
    """A match statement: every case may be the one."""
    run.evaluate(run, node.subject)
    before, after, leaves = run.scope.names, [], []
    run.branches += 1
    for case in node.cases:
        run.scope.names = dict(before)
        leaves.append(run.execute(run, case.body))
        if not leaves[-1]:
            after.append(run.scope.names)
    run.branches -= 1
    run.scope.names = before
    for names in after:
        merge(names, before)
    return False
