"""Loops and comprehensions: execute the body along the axes of the loop. Displays: ``[f1, *others]``, ``{"f1": f1}``.

The body may prove what the head leaves open: ``df[df.kfold == i]`` and ``X[:a] + X[b:]`` hold out a part of the data.
"""

from __future__ import annotations

import ast
from collections.abc import Hashable, Iterable

from cvlint.analysis.branched import Changes
from cvlint.analysis.checkers.formulas.f_definition import check_definition
from cvlint.analysis.checkers.leakage.chosen_columns import statistics_decided_by
from cvlint.analysis.checkers.leakage.learned import label_sum
from cvlint.analysis.checkers.leakage.named_splits import check_named_folds
from cvlint.analysis.checkers.left_out import left_out_by
from cvlint.analysis.checkers.rows.expressions import rows_of
from cvlint.analysis.checkers.rows.statements import assign_rows, enter_loop, rows_of_each_pass, rows_of_elements
from cvlint.analysis.checkers.undefined_folds.filters import check_comprehension_filter
from cvlint.analysis.domain.axis import NO_AXES, Axes, Axis
from cvlint.analysis.domain.environment import ClassValue, Environment, Function
from cvlint.analysis.domain.frozen import replace
from cvlint.analysis.domain.heap_object import HeapObject, Instance
from cvlint.analysis.domain.lattice import element_of, join, leave_loop, value_key
from cvlint.analysis.domain.rows import RowSet, RowsOf
from cvlint.analysis.domain.taint_label import NO_TAINT, Taint
from cvlint.analysis.domain.value import AnyValue, Const, Data, LibraryName, LibraryObject, MeasureValue, Union
from cvlint.analysis.heap.branches import ArmUnderWay, join_bindings
from cvlint.analysis.heap.entries import add_element
from cvlint.analysis.heap.merge import merge, note_sources
from cvlint.analysis.heap.paths import added_to
from cvlint.analysis.heap.writes import passing_number, write_container
from cvlint.analysis.inference.loop_axes import axis_by_names, name_folds_by_counter
from cvlint.analysis.inference.written_entries import parts_asked_for
from cvlint.analysis.interpreter.assignments import assign
from cvlint.analysis.interpreter.objects import entries_given
from cvlint.analysis.label_columns import labels_for_columns
from cvlint.analysis.models.containers.iteration import iterate
from cvlint.analysis.state import AnalysisState, Arm
from cvlint.analysis.syntax import may_skip, names_in, names_stepped, nodes_in
from cvlint.analysis.taint import entry_titles, stored, taint_at, taint_of_tuple


def execute_for(state: AnalysisState, node: ast.For | ast.AsyncFor) -> None:
    """A for statement: execute the body once, or once for each element of a short literal sequence."""
    source = entries_given(state, state.evaluate(state, node.iter), node.iter)
    if parts := parts_asked_for(state, node.iter):
        pairs = (HeapObject("tuple", {0: Const(value=title), 1: Data(opaque=True)}) for title in parts)
        source = HeapObject("list", dict(enumerate(pairs)))
    plan = iterate(state, source, node.iter, node.target)
    names = Changes(state.environment.bindings)
    skips = may_skip(node)
    for axis in plan.axes:
        axis.loop_variables |= names_in(node.target)
        axis.loops.add(node)
        axis.stepped |= names_stepped(node)
        axis.is_written_out = len(plan.elements) > 1 and not skips
    name_folds_by_counter(state, node, plan.axes)
    check_named_folds(state, plan.axes, node.iter)
    state.frame.left_early.append([])
    outer, state.passes = state.passes, state.passes * len(plan.elements)
    rows = rows_of_elements(state, node.iter, len(plan.elements))
    alike = rows_of_each_pass(state, node.iter) if rows is None else None
    if rows is not None:
        state.rows.one_by_one |= plan.axes
    with state.inside_loops(plan.axes), ArmUnderWay(state.bodies) as body:
        for index, value in enumerate(plan.elements):
            assign(state, node.target, value, node.iter)
            of_pass = Changes(state.environment.bindings) if index and skips else None
            if rows is None:
                enter_loop(state, node)
            assign_rows(state, node.target, alike if rows is None else rows[index])
            leaves = state.execute(state, node.body)
            if of_pass is not None:  # a pass that is cut short leaves what the one before it has left
                of_pass.end()
                join_bindings(state.environment.bindings, of_pass.before[0])
            if leaves and not skips:
                break  # no later pass begins
    join_early_ends(state)
    state.passes = outer
    leave_loop_bindings(names, body, plan.axes)
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
    if axis.kind == "loop" and steps_by_batches(state, node):
        axis = Axis("batch", replace(axis.step, note="a loop over batches, by their size", heuristic=True))
    axes = frozenset((axis,))
    name_folds_by_counter(state, node, axes)
    names = Changes(state.environment.bindings)
    guards = state.frame.guards
    guards.append(node.test)
    changed = {a.target.id for a in nodes_in(node, ast.AugAssign) if isinstance(a.target, ast.Name)}
    tested = names_in(node.test)
    counted = {name for name in tested if added_to(node, name) is not None}
    axis.loop_variables |= changed if isinstance(node.test, ast.Constant) else (changed & tested) | counted
    state.frame.left_early.append([])
    with state.inside_loops(axes), ArmUnderWay(state.bodies) as body:
        enter_loop(state, node)
        state.execute(state, node.body)
    join_early_ends(state)
    guards.pop()
    leave_loop_bindings(names, body, axes)
    state.execute(state, node.orelse)


def steps_by_batches(state: AnalysisState, node: ast.While) -> bool:
    """Whether each pass goes on by the size of a batch: ``while start < n: …; start += batch_size``."""
    tested = names_in(node.test)
    steps = [a.value for a in nodes_in(node, ast.AugAssign) if isinstance(a.target, ast.Name) and a.target.id in tested]
    return any(state.knowledge.conforms("batch", name) for step in steps for name in names_in(step))


def leave_loop_bindings(names: Changes, body: Arm, axes: Axes) -> None:
    """After a loop, what it set of names and attributes holds the last pass and no longer varies over its axes."""
    names.end()
    for bindings, before in zip(names.tables, names.before, strict=True):
        leave_entries(bindings, before, before, axes)
    for held, earlier in body.before.values():
        if isinstance(held, Instance) and isinstance(earlier, Instance):
            leave_entries(held.attributes, held.attributes, earlier.attributes, axes)


def leave_entries(held: dict[str, AnyValue], changed: Iterable[str], before: dict[str, AnyValue], axes: Axes) -> None:
    """The entries of ``held`` among ``changed`` that are not as before leave a loop."""
    for name in list(changed):
        value = held.get(name)
        if value is not None and before.get(name) is not value:
            held[name] = leave_loop(value, axes)


def evaluate_comprehension(
    state: AnalysisState, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp
) -> AnyValue:
    """A comprehension: a container that is filled along its loops."""
    outer = state.environment
    state.environment = Environment(outer.module, outer, outer.owner)
    state.environment.definitions = outer.definitions
    container = HeapObject("dict" if isinstance(node, ast.DictComp) else "list", allocation_loops=state.active_axes)
    entries: list[AnyValue] = []
    try:
        passes = run_generators(state, node, node.generators, container, entries)
    finally:
        state.environment = outer
    if 1 < passes == len(entries):
        tell_entries_apart(container, entries)
    if state.taint or state.taint_at:
        state.taint = taint_at(state, node.value if isinstance(node, ast.DictComp) else node.elt)
        tests = [test for part in node.generators for test in part.ifs]
        state.taint |= statistics_decided_by(state, tests) | left_out_by(state, tests)
    return container


def run_generators(
    state: AnalysisState,
    node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp,
    generators: list[ast.comprehension],
    container: HeapObject,
    entries: list[AnyValue],
) -> int:
    """Run the generators of a comprehension, outermost first; return how many entries they certainly give.

    ``entries`` gets the entries of a list one by one.
    """
    if not generators:
        add_comprehension_entry(state, node, container, entries)
        return 1
    first = generators[0]
    source = entries_given(state, state.evaluate(state, first.iter), first.iter)
    plan = iterate(state, source, first.iter, first.target)
    for axis in plan.axes:
        axis.loop_variables |= names_in(first.target)
    guards = state.frame.guards
    depth = len(guards)
    outer, state.passes = state.passes, state.passes * len(plan.elements)
    rows, found = rows_of_elements(state, first.iter, len(plan.elements)), list[RowsOf]()
    alike = rows_of_each_pass(state, first.iter) if rows is None else None
    with state.inside_loops(plan.axes):
        for index, value in enumerate(plan.elements):
            assign(state, first.target, value, first.iter)
            if rows is not None:
                assign_rows(state, first.target, rows[index])
            elif alike is not None:
                assign_rows(state, first.target, alike)
            for test in first.ifs:
                state.evaluate(state, test)
                check_comprehension_filter(state, test, plan.axes)
                guards.append(test)
            run_generators(state, node, generators[1:], container, entries)
            if rows is not None and not isinstance(node, ast.DictComp):
                found.append(rows_of(state, node.elt))
    if found:
        state.rows.of_calls[node] = RowsOf(RowSet(), entries=tuple(found))
    elif (
        not isinstance(node, ast.DictComp)
        and isinstance(node.elt, (ast.Tuple, ast.List, ast.Dict))
        and state.rows.is_followed
    ):
        state.rows.of_calls[node] = RowsOf(RowSet(), each=rows_of(state, node.elt))  # ``[(X[a], X[b]) for a, b in …]``
    del guards[depth:]
    state.passes = outer
    return 0 if first.ifs or len(generators) > 1 else len(plan.elements)


def tell_entries_apart(container: HeapObject, entries: list[AnyValue]) -> None:
    """``P, R = (np.mean(column) for column in (precisions, recalls))``: each entry is another measure, and has a place.

    So have objects, functions and constants. Entries of one measure stay together, along the loop, and so do data, and
    entries of which one may be this or that.
    """
    are_known = not any(isinstance(entry, Union) for entry in entries)
    if are_known and len({what_it_is(entry) for entry in entries}) == len(entries):
        container.fields = {i: leave_loop(v, container.extent) for i, v in enumerate(entries)}
        container.elements, container.extent = None, NO_AXES


def what_it_is(value: AnyValue) -> Hashable:
    """What tells a value from others beside it: the measure that it is, the object itself, or its type."""
    match value:
        case MeasureValue(measure=measure):
            return measure
        case Const() | Function() | ClassValue() | LibraryName() | Instance():
            return value_key(value)  # type: ignore[no-any-return]
        case _:
            return type(value).__name__


def add_comprehension_entry(
    state: AnalysisState,
    node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp,
    container: HeapObject,
    entries: list[AnyValue],
) -> None:
    """Add an element of a comprehension to its container."""
    if isinstance(node, ast.DictComp):
        key, value = state.evaluate(state, node.key), state.evaluate(state, node.value)
        write_container(state, container, key, stored(value, taint_at(state, node.value)), node)
    else:
        value = stored(state.evaluate(state, node.elt), taint_at(state, node.elt))
        add_element(state, container, value)
        entries.append(value)


def yielded_values(state: AnalysisState, node: ast.Yield | ast.YieldFrom, value: AnyValue) -> list[AnyValue]:
    """What a generator gives: a value, or one after another what ``yield from`` goes through."""
    match node:
        case ast.YieldFrom() if isinstance(value, LibraryObject):
            return list(iterate(state, value, node.value, None).elements)
        case ast.YieldFrom():
            return [element_of(value)]
        case _:
            return [value]


def evaluate_sequence(state: AnalysisState, node: ast.Tuple | ast.List | ast.Set) -> AnyValue:
    """A list, tuple or set display."""
    container = HeapObject("tuple" if isinstance(node, ast.Tuple) else "list", allocation_loops=state.allocation_loops)
    for child in node.elts:
        value = passing_number(state, child)
        if isinstance(child, ast.Starred):
            note_sources(container, [value])
            merge(state, container, value, child)
        elif container.elements is None:
            found = state.taint_at.get(child)
            container.fields[len(container.fields)] = stored(value, found) if found else value
        else:
            add_element(state, container, stored(value, taint_at(state, child)))
    if state.taint and isinstance(node, ast.Tuple):
        state.taint = taint_of_tuple(state, node)
    if state.taint and len(node.elts) > 1 and any(isinstance(child, ast.Starred) for child in node.elts):
        label_sum(state)  # ``[*rows_of_one_class, *rows_of_another]``
    if state.first_pass_loops and container.kind == "list" and container.fields:
        container.elements, container.fields = join(container.entries()), {}
        container.extent = state.swept_axes(container.elements, container.allocation_loops)
    return container


def evaluate_dict(state: AnalysisState, node: ast.Dict) -> AnyValue:
    """A dict display; its keys may type the values (``{"f1": x}``)."""
    container = HeapObject("dict", allocation_loops=state.allocation_loops)
    found: list[Taint] = []
    for key_node, value_node in zip(node.keys, node.values, strict=True):
        state.taint = NO_TAINT
        value = passing_number(state, value_node)
        if key_node is None:
            note_sources(container, [value])
            merge(state, container, value, value_node)
            found.append(taint_at(state, value_node))
            continue
        key = passing_number(state, key_node)
        write_container(state, container, key, stored(value, taint_at(state, value_node)), value_node)
        if isinstance(key, Const) and isinstance(key.value, str):
            check_definition(state, key.value, value_node)
        found.append(labels_for_columns(taint_at(state, value_node), entry_titles(state, container, key_node)))
    state.taint = NO_TAINT.union(*found)
    return container
