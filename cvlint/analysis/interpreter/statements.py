"""Execute statements: assignments, branches, exception handlers; keep the guards of the present place."""

from __future__ import annotations

import ast
from typing import cast

from cvlint.analysis.branched import NOTHING
from cvlint.analysis.checkers.best_shown import check_best_shown
from cvlint.analysis.checkers.formulas.f_definition import check_definition
from cvlint.analysis.checkers.formulas.terms import last_name
from cvlint.analysis.checkers.formulas.unnamed_formulas import check_name
from cvlint.analysis.checkers.leakage.chosen_columns import check_title_removed
from cvlint.analysis.checkers.left_out import mark_arms, note_element_deleted
from cvlint.analysis.checkers.rows.statements import add_to_rows, assign_rows, return_rows, rows_in
from cvlint.analysis.checkers.search_scores import is_result, report_scores
from cvlint.analysis.checkers.selection_bias import conclude
from cvlint.analysis.checkers.selections import find_selection, otherwise
from cvlint.analysis.checkers.sweeps import mark_decisions
from cvlint.analysis.checkers.undefined_folds.exception_handlers import (
    DIVISION_ERRORS,
    catches_division,
    check_try,
    nan_names,
)
from cvlint.analysis.checkers.undefined_folds.filters import check_if, corrects_tested_name, skips_fold
from cvlint.analysis.checkers.undefined_folds.without_scores import expect_no_scores, means_no_scores
from cvlint.analysis.domain.axis import NO_AXES, Axes
from cvlint.analysis.domain.codomain import TOP
from cvlint.analysis.domain.environment import Function
from cvlint.analysis.domain.frozen import replace
from cvlint.analysis.domain.heap_object import Instance
from cvlint.analysis.domain.lattice import UNKNOWN, join, leave_loop, options
from cvlint.analysis.domain.taint_label import NO_TAINT, choices_in, merge_labels
from cvlint.analysis.domain.value import AnyValue, Const, Data, LibraryName
from cvlint.analysis.domain.work import work
from cvlint.analysis.heap.branches import (
    ArmUnderWay,
    NameChanges,
    join_arms,
    join_bindings,
    join_body,
    join_cases,
    join_names,
    join_taint,
    keep_from_first_pass,
    leave_arm,
    left_of,
)
from cvlint.analysis.heap.first_passes import first_pass_arms, loops_since_allocation
from cvlint.analysis.heap.writes import delete_entry
from cvlint.analysis.inference.switches import is_switch
from cvlint.analysis.interpreter.assignments import assign, assign_augmented
from cvlint.analysis.interpreter.imports import bind_imports
from cvlint.analysis.interpreter.loops import execute_for, execute_while
from cvlint.analysis.interpreter.objects import call_special_method, define_class, define_function
from cvlint.analysis.interpreter.patterns import bind_pattern, can_match
from cvlint.analysis.state import AnalysisState
from cvlint.analysis.syntax import names_bound_anew, names_in, nodes_in
from cvlint.analysis.taint import constant_columns, instances_named, remove_columns, taint_at


def execute(state: AnalysisState, body: list[ast.stmt]) -> bool:
    """Execute a block; True if it always leaves (return, raise, continue, break)."""
    frame, outer = state.frame, state.selecting
    depth, selections = len(frame.guards), len(frame.selections)
    try:
        for statement in body:
            if state.budget < 0:
                return False
            if execute_one(state, statement):
                return True
        return False
    finally:
        del frame.guards[depth:]
        if len(frame.selections) > selections:
            for selection in frame.selections[selections:]:
                conclude(state, selection)
            del frame.selections[selections:]
        state.selecting = outer


def execute_one(state: AnalysisState, node: ast.stmt) -> bool:
    """Execute a statement; True if control leaves the block here."""
    state.taint = NO_TAINT
    match node:
        case ast.Expr():
            value = state.evaluate(state, node.value)
            source = state.environment.module.source
            if not isinstance(node.value, ast.Call):
                report_scores(state, value, node.value)
                if source.cells:
                    check_best_shown(state, node.value, [value])
            elif source.cells and is_result(value) and len(state.frames) == 1 and source.ends_cell(node.value):
                state.taint = NO_TAINT  # what the arguments were chosen by is not shown
                report_scores(state, value, node.value)
                check_best_shown(state, node.value, [value])
        case ast.Assign():
            state.assigned_targets = node.targets
            value = state.evaluate(state, node.value)
            state.assigned_targets = []
            rows = rows_in(state, node.value)
            for target in node.targets:
                for name, part in named_parts(target, node.value):
                    check_definition(state, name, part)
                assign(state, target, value, node.value)
                assign_rows(state, target, rows)
        case ast.AugAssign():
            assign_augmented(state, node)
            add_to_rows(state, node)
        case ast.AnnAssign():
            if node.value is not None:
                check_definition(state, last_name(node.target), node.value)
                assign(state, node.target, state.evaluate(state, node.value), node.value)
                assign_rows(state, node.target, rows_in(state, node.value))
        case ast.For() | ast.AsyncFor():
            execute_for(state, node)
        case ast.While():
            execute_while(state, node)
        case ast.If():
            return execute_if(state, node)
        case ast.With() | ast.AsyncWith():
            return execute_with(state, node)
        case ast.Try():
            return execute_try(state, node)
        case ast.Return():
            value = state.evaluate_optional(node.value) or Const()
            if node.value is not None:
                check_definition(state, getattr(state.frame.node, "name", ""), node.value)
            if state.misformed:
                check_name(state, getattr(state.frame.node, "name", ""), value)
            return_rows(state, node.value)
            state.frame.returned.append(leave_loop(value, state.active_axes - state.frame.call_loops))
            state.frame.taint = merge_labels(state.frame.taint | taint_at(state, node.value))
            return True
        case ast.Raise():
            state.raised.append(state.evaluate_optional(node.exc) or UNKNOWN)
            return True
        case ast.Continue() | ast.Break():
            return True
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            if isinstance(before := state.environment.bindings.get(node.name), Function) and len(state.frames) == 1:
                state.rebound_functions.append(before)
            state.environment.bind(node.name, define_function(state, node))
        case ast.ClassDef():
            state.environment.bind(node.name, define_class(state, node))
        case ast.Import() | ast.ImportFrom():
            bind_imports(state, node)
        case ast.Global() | ast.Nonlocal():
            state.environment.declared_outer.update(node.names)
        case ast.Assert():
            state.evaluate(state, node.test)
            state.frame.guards.append(node.test)
        case ast.Delete():
            for target in node.targets:
                match target:
                    case ast.Name(id=name):
                        state.environment.bindings.pop(name, None)
                    case ast.Subscript():
                        check_title_removed(state, target, target.value, target.slice)
                        remove_columns(state, target.value, constant_columns(state, target.slice))
                        note_element_deleted(state, target)
                        delete_entry(state, state.evaluate(state, target.value), state.evaluate(state, target.slice))
        case _ if type(node).__name__ == "TryStar":  # Python 3.11 and later; it has the fields of a Try
            return execute_try(state, cast(ast.Try, node))
        case ast.Match():
            return execute_match(state, node)
    return False


def execute_if(state: AnalysisState, node: ast.If) -> bool:
    """An if statement: execute both arms under the test as a guard, and join what they leave."""
    test = state.evaluate(state, node.test)
    undecided = isinstance(node.test, ast.Constant) or is_turned(state, node.test) or is_switch(state, node.test)
    if isinstance(test, Const) and not undecided:
        leaves = state.execute(state, node.body if test.value else node.orelse)
        mark_arms(state, node, leaves)
        return leaves
    check_if(state, node, test)
    decided_by = taint_at(state, node.test)
    environment, guards = state.environment, state.frame.guards
    work(1)
    guards.append(node.test)
    first, first_else = first_pass_arms(state, node.test)
    selection = find_selection(state, node.test)
    outer = state.selecting
    if selection is not None:
        state.selecting |= selection.labels
    in_body = NameChanges(state)
    with ArmUnderWay(state.arms) as body, state.first_pass(first):
        body_leaves = state.execute(state, node.body)
    in_body.end()
    state.selecting = outer
    if selection is not None and body_leaves and not node.orelse:  # the rest of the block depends on the test
        state.selecting |= selection.labels
        state.frame.selections.append(otherwise(selection))
    elif selection is not None:
        conclude(state, selection)
    in_body.undo()
    in_else = NameChanges(state)
    keep_from_first_pass(state, in_body, first)
    if not node.orelse:
        expect_no_scores(state, node.test, in_body.names.after[0])
    with ArmUnderWay(state.arms) as orelse, state.first_pass(first_else):
        else_leaves = state.execute(state, node.orelse) if node.orelse else False
    in_else.end()
    guards.pop()
    join_arms([body, orelse], exhaustive=True)
    if body_leaves or corrects_tested_name(node):
        # The rest of the block runs only where the test fails, or after the body has corrected the value.
        guards.append(ast.If(node.test, [], []) if skips_fold(state, node) else node.test)
    if else_leaves:
        guards.append(node.test)
        in_else.undo()
        in_body.redo()
    elif not body_leaves:
        join_body(state, in_body, in_else)
        if not node.orelse:
            forget_none(state, node)
    elif isinstance(node.body[-1], (ast.Break, ast.Continue)):  # what was chosen there is still so after the loop
        values, tainted = left_of(in_body.names, in_else.names)
        if state.frame.left_early:
            state.frame.left_early[-1].append(values)
        taint = tainted.items()
        join_taint(environment.taint, {name: choices_in(found) for name, found in taint if found is not NOTHING})
    mark_decisions(state, node, decided_by)
    mark_arms(state, node, body_leaves)
    return body_leaves and else_leaves


def forget_none(state: AnalysisState, node: ast.If) -> None:
    """After ``if self.mean is None: self.mean = …`` the attribute of the object is not None, whatever it was before."""
    match node.test:
        case ast.Compare(left=ast.Attribute() as place, ops=[ast.Is()], comparators=[ast.Constant(value=None)]):
            bound = {ast.unparse(n) for n in nodes_in(node, ast.Attribute) if isinstance(n.ctx, ast.Store)}
            holders = instances_named(state, place.value) if ast.unparse(place) in bound else []
        case _:
            return
    for holder in holders:
        known = [
            v for v in options(holder.attributes.get(place.attr)) if not (isinstance(v, Const) and v.value is None)
        ]
        if known:
            holder.attributes[place.attr] = join(known)


def is_turned(state: AnalysisState, test: ast.expr) -> bool:
    """Whether a loop under way binds a name of a test anew, which was bound before it: ``if first: …; first = False``.

    What holds in the first pass need not hold in the next one.
    """
    if not state.active_loops:
        return False
    found = {name: state.environment.lookup(name) for name in names_in(test)}
    older = {n for n, v in found.items() if isinstance(v, Const) and state.active_axes - v.allocation_loops}
    return bool(older) and not older.isdisjoint(names_bound_anew(state.frame.node))


def named_parts(target: ast.expr, value: ast.expr) -> list[tuple[str, ast.expr]]:
    """The names that an assignment binds, with their expressions: ``precision, f1 = p, 2 * p * r / (p + r)``."""
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
        return [(last_name(t), v) for t, v in zip(target.elts, value.elts, strict=True)]
    return [(last_name(target), value)]


def execute_with(state: AnalysisState, node: ast.With | ast.AsyncWith) -> bool:
    """A with statement; ``np.errstate`` and ``suppress`` show that the author expects undefined values."""
    guards, depth = state.frame.guards, len(state.frame.guards)
    left: list[tuple[Instance, ast.expr]] = []
    for entry in node.items:
        manager = state.evaluate(state, entry.context_expr)
        left += [(option, entry.context_expr) for option in options(manager) if isinstance(option, Instance)]
        value = entered(state, manager, entry.context_expr)
        if state.taint:
            state.taint_at[entry.context_expr] = state.taint
        if entry.optional_vars is not None:
            assign(state, entry.optional_vars, UNKNOWN if isinstance(value, LibraryName) else value, entry.context_expr)
            assign_rows(state, entry.optional_vars, None)
        if names_in(entry.context_expr) & {"errstate", *DIVISION_ERRORS}:
            guards.append(node)
    leaves = state.execute(state, node.body)
    for instance, place in reversed(left):
        call_special_method(state, instance, "__exit__", [Const()] * 3, place)
    del guards[depth:]
    return leaves


def entered(state: AnalysisState, manager: AnyValue, node: ast.expr) -> AnyValue:
    """What ``as`` binds: an object of the project returns it from its ``__enter__``, others are taken to be it."""
    found = []
    for option in options(manager):
        names = ("__enter__", "__aenter__") if isinstance(option, Instance) else ()
        results = [call_special_method(state, option, name, [], node) for name in names]  # type: ignore[arg-type]
        found.append(next((result for result in results if result is not None), option))
    return join(found)


def execute_try(state: AnalysisState, node: ast.Try) -> bool:
    """A try statement: the body, then each handler with the bindings that the body left."""
    guards, bindings = state.frame.guards, state.environment.bindings
    catches = catches_division(node)
    if catches:
        guards.append(node)
    made, unset, raised = len(state.computed_measures), nan_names(state), len(state.raised)
    leaves = state.execute(state, node.body)
    caught = [error for error in state.raised[raised:] if isinstance(error, Instance)]
    if node.handlers:
        del state.raised[raised:]
    if catches:
        guards.pop()
    check_try(state, node, state.computed_measures[made:], unset)
    depth, measured = len(guards), len(state.computed_measures) > made
    if not leaves:
        leaves = state.execute(state, node.orelse)
    arms = []
    for handler in node.handlers:
        failed = {name: before for name, before in unset.items() if bindings[name] is not before}
        changes = NameChanges(state)
        if handler.name is not None and caught:
            state.environment.bind(handler.name, join(caught))
        with ArmUnderWay(state.arms) as arm, state.first_pass(first_pass_handler(state, handler)):
            expect_scores(state, handler)
            guards += [handler] if means_no_scores(state, node, handler, measured) else []
            handler_leaves = state.execute(state, handler.body)
            del guards[depth:]
        arms.append(arm)
        leave_arm(state, changes, handler_leaves)
        if not handler_leaves:
            bound = changes.names.after
            join_names(state, bound)
            join_bindings(bindings, {name: before for name, before in failed.items() if name not in bound[0]})
            leaves = False
    join_arms(arms, exhaustive=False)
    return state.execute(state, node.finalbody) or leaves


def expect_scores(state: AnalysisState, handler: ast.ExceptHandler) -> None:
    """In ``except ValueError: y_pred = y_pred > cut`` the predictions are scores: what raised it takes labels."""
    for assignment in nodes_in(handler, ast.Assign):
        for comparison in nodes_in(assignment.value, ast.Compare):
            match assignment.targets, comparison.left:
                case [ast.Name(id=target)], ast.Name(id=name) if target == name:
                    value = state.environment.lookup(name)
                    if isinstance(value, Data) and value.codomain.is_hard:
                        state.environment.bind(name, replace(value, codomain=TOP))
                case _:
                    pass


def first_pass_handler(state: AnalysisState, handler: ast.ExceptHandler) -> Axes:
    """The loops whose first pass alone reaches a handler: ``except KeyError: results[key] = [f1]``."""
    for statement in handler.body:
        if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Subscript):
            return loops_since_allocation(state, state.evaluate(state, statement.targets[0].value))
    return NO_AXES


def execute_match(state: AnalysisState, node: ast.Match) -> bool:
    """A match statement: execute every case that the subject can reach, and join what they leave."""
    subject = state.evaluate(state, node.subject)
    after: list[NameChanges] = []
    arms = []
    for case in node.cases:
        if not can_match(state, case.pattern, subject):
            continue
        changes = NameChanges(state)
        with ArmUnderWay(state.arms) as arm:
            bind_pattern(state, case.pattern, node.subject)
            leaves = state.execute(state, case.body)
        arms.append(arm)
        leave_arm(state, changes, leaves)
        if not leaves:
            after.append(changes)
    whole = any(isinstance(c.pattern, ast.MatchAs) and not (c.pattern.pattern or c.guard) for c in node.cases)
    join_arms(arms, exhaustive=whole)
    if not whole:
        after.append(NameChanges(state))  # no case may match
        after[-1].end()
    join_cases(state, after)
    return False
