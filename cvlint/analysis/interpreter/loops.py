"""Loops and comprehensions: execute the body along the axes of the loop.

The body may prove what the head leaves open: ``df[df.kfold == i]`` and ``X[:a] + X[b:]`` hold out a part of the data.
"""

from __future__ import annotations

import ast

from cvlint.analysis.branched import Branched, Changes
from cvlint.analysis.checkers.leakage.chosen_columns import statistics_decided_by
from cvlint.analysis.checkers.rows.statements import assign_rows, enter_loop
from cvlint.analysis.checkers.undefined_folds.filters import check_comprehension_filter
from cvlint.analysis.domain.axis import NO_AXES, Axes, Axis
from cvlint.analysis.domain.environment import Environment
from cvlint.analysis.domain.heap_object import HeapObject, Instance
from cvlint.analysis.domain.lattice import element_of, leave_loop, options
from cvlint.analysis.domain.value import AnyValue, LibraryObject, MeasureValue
from cvlint.analysis.domain.work import COPIES_PER_UNIT, work
from cvlint.analysis.heap.branches import join_bindings
from cvlint.analysis.heap.entries import add_element
from cvlint.analysis.heap.writes import write_container
from cvlint.analysis.inference.loop_axes import axis_by_names, name_folds_by_counter
from cvlint.analysis.interpreter.assignments import assign
from cvlint.analysis.interpreter.objects import entries_given
from cvlint.analysis.models.containers.iteration import iterate
from cvlint.analysis.state import AnalysisState
from cvlint.analysis.syntax import names_in, nodes_in
from cvlint.analysis.taint import stored, taint_at


def execute_for(state: AnalysisState, node: ast.For | ast.AsyncFor) -> None:
    """A for statement: execute the body once, or once for each element of a short literal sequence."""
    source = entries_given(state, state.evaluate(state, node.iter), node.iter)
    plan = iterate(state, source, node.iter, node.target)
    names = Changes(state.environment.bindings)
    objects = snapshot_objects(state)
    for axis in plan.axes:
        axis.loop_variables |= names_in(node.target)
        axis.loops.add(node)
    name_folds_by_counter(state, node, plan.axes)
    state.frame.left_early.append([])
    outer, state.passes = state.passes, state.passes * len(plan.elements)
    with state.inside_loops(plan.axes):
        for value in plan.elements:
            assign(state, node.target, value, node.iter)
            enter_loop(state, node)
            assign_rows(state, node.target, None)
            state.execute(state, node.body)
    join_early_ends(state)
    state.passes = outer
    leave_loop_bindings(names, objects, plan.axes)
    state.execute(state, node.orelse)


def join_early_ends(state: AnalysisState) -> None:
    """After a loop, what its ``break`` and ``continue`` statements left of names joins what its end left."""
    for left in state.frame.left_early.pop():
        join_bindings(state.environment.bindings, left)


def execute_while(state: AnalysisState, node: ast.While) -> None:
    """A while statement; the names in its test say which loop it is."""
    state.evaluate(state, node.test)
    named_so = axis_by_names(state, node.test, None, node)
    axis = Axis("loop", named_so.step) if named_so.kind == "batch" else named_so  # ``while tasks.has_next()``
    axes = frozenset((axis,))
    name_folds_by_counter(state, node, axes)
    names = Changes(state.environment.bindings)
    objects = snapshot_objects(state)
    guards = state.frame.guards
    guards.append(node.test)
    added_to = {a.target.id for a in nodes_in(node, ast.AugAssign) if isinstance(a.target, ast.Name)}
    axis.loop_variables |= added_to if isinstance(node.test, ast.Constant) else added_to & names_in(node.test)
    state.frame.left_early.append([])
    with state.inside_loops(axes):
        enter_loop(state, node)
        state.execute(state, node.body)
    join_early_ends(state)
    guards.pop()
    leave_loop_bindings(names, objects, axes)
    state.execute(state, node.orelse)


Attributes = dict[str, AnyValue]


def snapshot_objects(state: AnalysisState) -> list[tuple[Attributes, Attributes]]:
    """The attributes of the objects that names are bound to, each mapping beside its present content."""
    names = state.environment.bindings
    work(1 + len(names) // COPIES_PER_UNIT)
    return [(held.attributes, dict(held.attributes)) for held in names.values() if isinstance(held, Instance)]


def leave_loop_bindings(names: Changes, objects: list[tuple[Attributes, Attributes]], axes: Axes) -> None:
    """After a loop, the variables that it bound hold the last pass and no longer vary over its axes."""
    names.end()
    for held, earlier in [*zip(names.tables, names.before, strict=True), *objects]:
        for name in list(earlier) if isinstance(held, Branched) else held:
            value = held.get(name)
            if value is not None and earlier.get(name) is not value:
                held[name] = leave_loop(value, axes)


def evaluate_comprehension(
    state: AnalysisState, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp
) -> AnyValue:
    """A comprehension: a container that is filled along its loops."""
    outer = state.environment
    state.environment = Environment(outer.module, outer, outer.owner)
    state.environment.definitions = outer.definitions
    container = HeapObject("dict" if isinstance(node, ast.DictComp) else "list", allocation_loops=state.active_axes)
    try:
        passes = run_generators(state, node, node.generators, container)
    finally:
        state.environment = outer
    if passes > 1 and container.kind == "list":
        tell_measures_apart(container, passes)
    if state.taint:
        state.taint = taint_at(state, node.value if isinstance(node, ast.DictComp) else node.elt)
        state.taint |= statistics_decided_by(state, (test for part in node.generators for test in part.ifs))
    return container


def run_generators(
    state: AnalysisState,
    node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp,
    generators: list[ast.comprehension],
    container: HeapObject,
) -> int:
    """Run the generators of a comprehension, outermost first; return how many entries they certainly give."""
    if not generators:
        add_comprehension_entry(state, node, container)
        return 1
    first = generators[0]
    source = entries_given(state, state.evaluate(state, first.iter), first.iter)
    plan = iterate(state, source, first.iter, first.target)
    for axis in plan.axes:
        axis.loop_variables |= names_in(first.target)
    guards = state.frame.guards
    depth = len(guards)
    outer, state.passes = state.passes, state.passes * len(plan.elements)
    with state.inside_loops(plan.axes):
        for value in plan.elements:
            assign(state, first.target, value, first.iter)
            for test in first.ifs:
                state.evaluate(state, test)
                check_comprehension_filter(state, test, plan.axes)
                guards.append(test)
            run_generators(state, node, generators[1:], container)
    del guards[depth:]
    state.passes = outer
    return 0 if first.ifs or len(generators) > 1 else len(plan.elements)


def tell_measures_apart(container: HeapObject, count: int) -> None:
    """``P, R = (np.mean(column) for column in (precisions, recalls))``: each entry is another measure, and has a place.

    Entries of one measure stay together, along the loop.
    """
    found = options(container.elements)
    kinds = {v.measure for v in found if isinstance(v, MeasureValue)}
    if len(found) == count == len(kinds):
        container.fields = {i: leave_loop(v, container.extent) for i, v in enumerate(found)}
        container.elements, container.extent = None, NO_AXES


def add_comprehension_entry(
    state: AnalysisState, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp, container: HeapObject
) -> None:
    """Add an element of a comprehension to its container."""
    if isinstance(node, ast.DictComp):
        key, value = state.evaluate(state, node.key), state.evaluate(state, node.value)
        write_container(state, container, key, stored(value, taint_at(state, node.value)), node)
    else:
        value = state.evaluate(state, node.elt)
        add_element(state, container, stored(value, taint_at(state, node.elt)))


def yielded_values(state: AnalysisState, node: ast.Yield | ast.YieldFrom, value: AnyValue) -> list[AnyValue]:
    """What a generator gives: a value, or one after another what ``yield from`` goes through."""
    match node:
        case ast.YieldFrom() if isinstance(value, LibraryObject):
            return list(iterate(state, value, node.value, None).elements)
        case ast.YieldFrom():
            return [element_of(value)]
        case _:
            return [value]
