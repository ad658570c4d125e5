"""Calls: evaluate functions and classes of the project with their arguments, and pass other calls to the models.

A function is evaluated once for each set of arguments; its summary (`cvlint.analysis.function_summary`) keeps
the results, and a call with the same arguments uses them again.
"""

from __future__ import annotations

import ast

from cvlint.analysis.checkers.leakage.chosen_columns import check_chosen_titles
from cvlint.analysis.checkers.leakage.learned import LEAKING_KINDS, check_method_call
from cvlint.analysis.checkers.leakage.named_splits import check_named_parts, check_samples_taken
from cvlint.analysis.checkers.leakage.own_statistics import check_filling
from cvlint.analysis.checkers.leakage.row_cuts import check_part_taken, check_rest, check_rows_dropped
from cvlint.analysis.checkers.leakage.unknown_transformers import check_own_transformer
from cvlint.analysis.checkers.left_out import note_element_removed, note_evaluation, note_training
from cvlint.analysis.checkers.own_measures import label_returned
from cvlint.analysis.checkers.rankings import check_ranking_by_name
from cvlint.analysis.checkers.rows.calls import note_call
from cvlint.analysis.checkers.rows.functions import enter_function, forget_call, key_of_rows, leave_function
from cvlint.analysis.checkers.rows.statements import return_rows
from cvlint.analysis.checkers.search_scores import as_plotted
from cvlint.analysis.checkers.selection_bias import check_unknown_call
from cvlint.analysis.domain.environment import ClassValue, Environment, Function
from cvlint.analysis.domain.frozen import replace
from cvlint.analysis.domain.heap_object import HeapObject, Instance
from cvlint.analysis.domain.lattice import join, leave_loop, measures_in, options, vary_over, with_step
from cvlint.analysis.domain.taint_label import NO_TAINT
from cvlint.analysis.domain.value import (
    AnyValue,
    Const,
    Data,
    LibraryName,
    LibraryObject,
    Partial,
    Union,
    axes_of,
    library,
)
from cvlint.analysis.function_summary import FunctionSummary, called_again, keep_events
from cvlint.analysis.inference.identifier_inference import type_by_name
from cvlint.analysis.inference.loop_axes import name_loops_of_result
from cvlint.analysis.inference.recursion import frame_of, leave_calls, repeated, result_of_inner_call
from cvlint.analysis.inference.rows_left_out import is_kept_anew, part_left_out, prove_held_out
from cvlint.analysis.interpreter.assignments import assign, note_write
from cvlint.analysis.interpreter.imports import module_member
from cvlint.analysis.interpreter.objects import (
    ancestors,
    entries_of_arguments,
    fill_container,
    find_member,
    inherited_transformer,
    instantiate,
    member_of,
    named_attribute,
    new_instance,
)
from cvlint.analysis.interpreter.parameters import (
    argument_keys,
    bind_parameters,
    call_each,
    choices_of_receiver,
    loop_invariant_arguments,
    passed_through,
    takes_truth,
    test_arguments,
)
from cvlint.analysis.interpreter.uncalled import evaluate_uncalled, run_callbacks
from cvlint.analysis.models.arguments import evaluate_arguments, first_argument, unknown_result
from cvlint.analysis.models.dispatch.callables import call_parallel_object
from cvlint.analysis.models.dispatch.functions import call_library_function
from cvlint.analysis.models.dispatch.methods import call_library_method
from cvlint.analysis.models.experiment.metric_objects import call_metric_object
from cvlint.analysis.models.experiment.printing import show_values
from cvlint.analysis.models.experiment.scorers import call_scorer
from cvlint.analysis.state import AnalysisState, Arguments, Frame
from cvlint.analysis.syntax import called_name
from cvlint.analysis.taint import (
    ArgumentTaint,
    change_arguments,
    stored_arguments,
    taint_at,
    taint_key,
    taint_of_arguments,
    taint_of_attribute,
)

MAX_CALL_DEPTH = 12
MAX_FUNCTION_STEPS = 1_200  # a function that cost more is not evaluated for each of its calls
CALLS_BEFORE_REUSE = 3  # so many calls without arguments are evaluated: such code may read what has changed
MOST_LEAKS_FOLLOWED = 8  # data that have learned elsewhere are followed into such code all the same
MEASURES_OF_A_SELECTOR = 3  # a function that may return so many measures returns the one that a parameter names


def evaluate_call(state: AnalysisState, node: ast.Call) -> AnyValue:
    """The value of a call."""
    target: AnyValue | None = None
    state.rows.of_calls.pop(node, None)
    if isinstance(node.func, ast.Attribute):
        base = state.evaluate(state, node.func.value)
        if type(base) is Instance and node.func.attr in base.attributes:
            # a model, ``self.net(images)``: the result depends on what it is
            state.taint = taint_of_attribute(base, node.func, state.taint)
        arguments = stored_arguments(state, evaluate_arguments(state, node), node)
        if type(base) is not Instance:
            arguments = as_plotted(state, node, arguments)
        if state.active_loops and not isinstance(base, (LibraryName, Function, ClassValue)):
            note_write(state, node.func.value, *node.args)
        if type(base) is Union:
            func = node.func
            value = call_each(state, base, lambda option: call_method(state, option, func, arguments, node))
        else:
            value = call_method(state, base, node.func, arguments, node)
        note_call(state, node, base)
        part = part_left_out(node)
        if part is not None and state.active_loops and not is_kept_anew(state, node.func.value):
            prove_held_out(state, node.args[0])
        if state.active_loops:
            check_rows_dropped(state, node)
        if state.taint or state.rows.all_fits:
            check_filling(state, node)
        if state.taint:
            check_method_call(state, node)
            if part is not None:
                check_rest(state, node, node.func.value, part)
            check_part_taken(state, node)
        if state.taint or state.frame.guards:
            check_chosen_titles(state, node)
    else:
        target = state.evaluate(state, node.func)
        if isinstance(target, LibraryName) and (attribute := named_attribute(state, target, node)) is not None:
            return evaluate_attribute_call(state, attribute, node)
        arguments = stored_arguments(state, evaluate_arguments(state, node), node)
        if type(target) is Union:
            value = call_each(state, target, lambda option: call_value(state, option, arguments, node))
        else:
            value = call_value(state, target, arguments, node)
        note_call(state, node, target)
    check_samples_taken(state, node)
    if state.active_loops:
        note_element_removed(state, node)
        note_training(state, node)
        note_evaluation(state, node)
    if type(value) is not Data:
        return value
    name = called_name(node.func)
    if state.taint or state.knowledge.conforms("choice", name):
        check_unknown_call(state, name, node, value.origin == "counts")
    if value.opaque:
        if not isinstance(target, Function):
            check_named_parts(state, node)
        if isinstance(target, Data) and state.knowledge.conforms("shows", name):  # ``log_fn(f"F1: {f1}")``
            show_values(state, arguments, node)
        if not (isinstance(target, Function) and is_explained(state, target)):
            check_ranking_by_name(state, name, arguments, node)
        if name not in state.knowledge.methods:  # ``frame.map`` is not a mean average precision
            value = type_by_name(state, value, name, node)
    return value


def evaluate_attribute_call(state: AnalysisState, attribute: ast.Attribute, node: ast.Call) -> AnyValue:
    """``getattr(box, "a")`` is ``box.a``, and ``setattr(box, "a", value)`` is ``box.a = value``."""
    if called_name(node.func) == "getattr":
        return state.evaluate(state, attribute)
    assign(state, attribute, state.evaluate(state, node.args[2]), node.args[2])
    return Const()


def is_explained(state: AnalysisState, function: Function) -> bool:
    """Whether the result of a project's function needs no typing by its name.

    Its measure is computed inside it, or it takes no true labels that it could measure anything with.
    """
    function = function.wraps or function
    if function.node in state.measuring:
        return True
    return not isinstance(function.node, ast.FunctionDef) or not takes_truth(state, function.node)


def call_value(state: AnalysisState, target: AnyValue, arguments: Arguments, node: ast.AST) -> AnyValue:
    """Call a value."""
    match target:
        case LibraryName():
            return call_library_function(state, target, entries_of_arguments(state, target, arguments, node), node)
        case Function():
            return call_function(state, target, arguments, node)
        case ClassValue():
            return instantiate(state, target, arguments, node)
        case Instance():
            found = find_member(state, target, "__call__", node)
            if isinstance(found, Function):
                return call_function(state, found, arguments, node)
            return passed_through(state, find_member(state, target, "forward", node), arguments, node)
        case Partial():
            return call_partial(state, target, arguments, node)
        case LibraryObject(role="scorer"):
            return call_scorer(state, target, node)
        case LibraryObject(role="parallel" | "delayed"):
            return call_parallel_object(state, target, arguments, node)
        case LibraryObject(role="state"):
            return call_metric_object(state, target, node)
        case _:
            return unknown_result(state, arguments, target)


def call_partial(state: AnalysisState, target: Partial, arguments: Arguments, node: ast.AST) -> AnyValue:
    """Call a partial application: as if all its arguments stood in this call."""
    positional, keywords = arguments
    if target.target is None:
        return unknown_result(state, arguments)
    given = target.node
    if given is not None and isinstance(node, ast.Call):
        both = ast.Call(node.func, [*given.args[1:], *node.args], [*given.keywords, *node.keywords])
        node = ast.copy_location(both, node)
    stored = dict(target.keywords)
    return call_value(state, target.target, ([*target.arguments, *positional], {**stored, **keywords}), node)


def call_method(
    state: AnalysisState, base: AnyValue, func: ast.Attribute, arguments: Arguments, node: ast.Call
) -> AnyValue:
    """Call a method of a value."""
    match base:
        case LibraryName():
            return call_value(state, library_member(state, base, func), arguments, node)
        case Instance() | ClassValue():
            if isinstance(base, Instance) and base.kind != "object" and not member_of(state, base, func.attr, node):
                return call_library_method(state, base, func, arguments, node)
            found = find_member(state, base, func.attr, node)
            entry = state.knowledge.methods.get(func.attr)
            if isinstance(found, Data) and func.attr in state.knowledge.groups["readies-models"]:
                return base  # ``Net().to(device)``
            if isinstance(found, Data) and entry is not None and entry.facts.get("inherited"):
                return call_library_method(state, base, func, arguments, node)  # of a base class in a library
            if (transformer := inherited_transformer(state, base, func.attr, node)) is not None:
                return call_library_method(state, transformer, func, arguments, node)
            if isinstance(base, Instance) and func.attr == "fit_transform" and not isinstance(found, Function):
                return fit_and_transform(state, base, arguments, node)
            results = [call_value(state, option, arguments, node) for option in options(found)]
            check_own_transformer(state, base, node, found)
            return join(results)
        case LibraryObject(role="super", facts={"holder": holder, "after": after}):
            inherited = member_of(state, holder, func.attr, node, after)
            if inherited is None and func.attr == "__init__" and isinstance(holder, Instance):
                fill_container(state, holder, ancestors(state, holder.cls), arguments, node)
                return Const()
            if inherited is None and func.attr == "__new__" and isinstance(holder, ClassValue):
                return new_instance(state, holder)
            if inherited is None:
                return call_library_method(state, holder, func, arguments, node)
            return join(call_value(state, option, arguments, node) for option in options(inherited))
        case LibraryObject(role="property", facts=facts):  # ``@value.setter``
            return LibraryObject(role="property", facts={**facts, func.attr: first_argument(arguments)})
        case LibraryObject(role="module"):
            return join(
                call_value(state, option, arguments, node) for option in options(module_member(state, base, func.attr))
            )
        case HeapObject() if func.attr in base.fields and isinstance(base.fields[func.attr], (Function, LibraryName)):
            return call_value(state, base.fields[func.attr], arguments, node)
        case _:
            run_callbacks(state, base, func, arguments, node)
            return call_library_method(state, base, func, arguments, node)


def fit_and_transform(state: AnalysisState, base: Instance, arguments: Arguments, node: ast.Call) -> AnyValue:
    """``scaler.fit_transform(X)``: a base class in a library calls the ``fit`` and ``transform`` of the project."""
    value: AnyValue = unknown_result(state, arguments)
    taint = state.taint
    fit = member_of(state, base, "fit", node)
    for name, given in (("fit", arguments), ("transform", (arguments[0][:1], {}))):
        method = member_of(state, base, name, node)
        if isinstance(method, Function):
            value = call_function(state, method, given, node)
    state.taint |= taint
    check_own_transformer(state, base, node, fit)
    return value


def library_member(state: AnalysisState, base: LibraryName, func: ast.Attribute) -> AnyValue:
    """A function of a library's module or class."""
    return library(f"{base.name}.{func.attr}", heuristic=base.heuristic)


def call_function(state: AnalysisState, function: Function, arguments: Arguments, node: ast.AST) -> AnyValue:
    """Evaluate a function of the project with its arguments, or reuse its summary."""
    code = function.node
    if code is None or function.environment is None or state.budget < 0:
        return unknown_result(state, arguments)
    if (around := frame_of(state, function)) is not None:
        return result_of_inner_call(around, arguments, unknown_result(state, arguments))
    if len(state.frames) > MAX_CALL_DEPTH:
        return unknown_result(state, arguments)
    taint = taint_of_arguments(state, node)
    key = (
        code,
        id(function.bound),
        id(function.environment),
        argument_keys(arguments),
        state.active_axes,
        loop_invariant_arguments(state, node),
        taint_key(arguments, taint),
        frozenset((m.step.node, m.kind) for m in choices_of_receiver(state, function, node)),
        test_arguments(state, node),
        key_of_rows(state, code, node),
    )
    summary = state.summaries.get(code)
    if summary is None:
        summary = state.summaries[code] = FunctionSummary()
    if key in summary.results and (summary.calls > CALLS_BEFORE_REUSE or (function.bound is None and arguments[0])):
        state.taint = summary.taint.get(key, NO_TAINT)
        change_arguments(state, code, node, summary.changed.get(key, []))
        forget_call(state, node)
        if key in summary.events:
            for event in called_again(summary, key, state.call_trace_to(node)):
                state.record(event)
        return summary.results[key]  # the same arguments; without arguments it may read what changed
    learned = {m.step.node for given in (*taint[0], *taint[1].values()) for m in given if m.kind in LEAKING_KINDS}
    is_new = len(summary.learned) < MOST_LEAKS_FOLLOWED and not learned <= summary.learned
    summary.learned |= learned
    if summary.calls > CALLS_BEFORE_REUSE and summary.steps > MAX_FUNCTION_STEPS and not is_new:
        # long and often called: the next call is taken to be like the last one, unless it is in other loops
        forget_call(state, node)
        gone, new = summary.loops - state.active_axes, state.active_axes - summary.loops
        return unknown_result(state, arguments) if gone and new else vary_over(leave_loop(summary.last, gone), new)
    summary.calls += 1
    budget, told = state.budget, len(state.events)
    frame = frame_of_call(state, function, arguments, taint, node)
    result = execute_frame(state, frame)
    again = repeated(state, frame, arguments, lambda given: frame_of_call(state, function, given, taint, node), node)
    if again is not None:
        frame = again
        with state.inside_loops(frame.recursion):
            result = execute_frame(state, frame)
        result = leave_calls(result, frame.recursion)
    leave_function(state, node, frame)
    state.taint = frame.taint
    label_returned(state, code, result, node)
    name_loops_of_result(state, getattr(code, "name", ""), result)
    summary.taint[key] = state.taint
    summary.changed[key] = frame.changed
    change_arguments(state, code, node, frame.changed)
    if isinstance(result, Data) and (result.is_plain or result.origin == "quotient"):
        opaque_result = result.opaque or takes_truth(state, code)
        result = replace(result, axes=result.axes | state.active_axes, opaque=opaque_result, size=None)
    summary.results[key] = summary.last = result
    keep_events(summary, key, node, state.events[told:])
    summary.loops = state.active_axes
    summary.arguments.append((function.bound, function.environment, arguments))
    summary.steps += budget - state.budget
    return result


def frame_of_call(
    state: AnalysisState, function: Function, arguments: Arguments, taint: ArgumentTaint, node: ast.AST
) -> Frame:
    """The frame in which a function is evaluated with its arguments."""
    code, around = function.node, function.environment
    assert code is not None and around is not None
    environment = Environment(around.module, around, code)
    bind_parameters(state, function, environment, arguments, taint, node)
    enter_function(state, function, environment, node)
    frame = Frame(code, around.module, node, function.owner or code, environment, state.active_axes)
    frame.per_sample, frame.per_group = state.frame.per_sample, state.frame.per_group
    return frame


def execute_frame(state: AnalysisState, frame: Frame) -> AnyValue:
    """Execute the body of a function in its own environment; return its value, or the list that it yields."""
    outer, state.environment = state.environment, frame.environment
    state.frames.append(frame)
    try:
        if isinstance(frame.node, ast.Lambda):
            value = state.evaluate(state, frame.node.body)
            frame.taint = taint_at(state, frame.node.body)
            return_rows(state, frame.node.body)
            return value
        state.execute(state, frame.node.body)  # type: ignore[attr-defined]
        evaluate_uncalled(state, frame.environment)
    finally:
        state.frames.pop()
        state.environment = outer
    if frame.yielded:
        extent = frozenset().union(*(axes_of(v) for v in frame.yielded)) - state.active_axes
        return HeapObject("list", elements=join(frame.yielded), extent=extent, allocation_loops=state.active_axes)
    return joined_returns(state, frame) if frame.returned else Const()


def joined_returns(state: AnalysisState, frame: Frame) -> AnyValue:
    """The join of all values that a function returns.

    If a parameter chooses one of many measures, the result is marked as heuristic: it may be any of them.
    """
    result = join(frame.returned)
    kinds = {value.measure.kind for value in measures_in(result, depth=0)}
    if len(kinds) < MEASURES_OF_A_SELECTOR:
        return result
    return with_step(
        result, state.step(frame.node, "a parameter chooses which of several measures is returned", heuristic=True)
    )
