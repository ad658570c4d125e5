"""Loops and comprehensions: the body is executed along the axes of the loop.

The body may prove what the head leaves open: ``df[df.kfold == i]`` and ``X[:a] + X[b:]`` hold a part of the data out.
"""

from __future__ import annotations

import ast

from cvlint.analysis.checkers.undefined_folds.filters import check_comprehension_filter
from cvlint.analysis.domain.lattice import join, leave_loop, options
from cvlint.analysis.domain.value import (
    AnyValue,
    Axes,
    Axis,
    Const,
    HeapObject,
    Instance,
)
from cvlint.analysis.inference.identifier_inference import named
from cvlint.analysis.inference.loop_axes import by_names
from cvlint.analysis.interpreter.assignments import assign
from cvlint.analysis.models.containers.iteration import iterate
from cvlint.analysis.state import AnalysisState
from cvlint.analysis.syntax import names_in
from cvlint.analysis.taint import taint_at


def for_loop(state: AnalysisState, node: ast.For | ast.AsyncFor) -> None:
    """A for statement: the body is read once, or once an element for short literal sequences."""
    plan = iterate(state, state.evaluate(state, node.iter), node.iter, node.target)
    before = bindings(state)
    for axis in plan.axes:
        axis.targets |= names_in(node.target)
    with state.along(plan.axes):
        for value in plan.elements:
            assign(state, node.target, value, node.iter)
            state.execute(state, node.body)
    settle(before, plan.axes)
    state.execute(state, node.orelse)


def while_loop(state: AnalysisState, node: ast.While) -> None:
    """A while statement; its test says by its names which loop it is."""
    state.evaluate(state, node.test)
    named_so = by_names(state, node.test, None, node)
    axis = Axis("loop", named_so.step) if named_so.kind == "batch" else named_so  # ``while tasks.has_next()``
    axes = frozenset((axis,))
    before = bindings(state)
    guards = state.frame.guards
    guards.append(node.test)
    with state.along(axes):
        state.execute(state, node.body)
    guards.pop()
    settle(before, axes)


def bindings(state: AnalysisState) -> list[tuple[dict[str, AnyValue], dict[str, AnyValue]]]:
    """The names in scope and the attributes of the objects among them: each mapping, and what it holds now."""
    names = state.scope.names
    objects = [value.attributes for value in names.values() if isinstance(value, Instance)]
    return [(held, dict(held)) for held in (names, *objects)]


def settle(before: list[tuple[dict[str, AnyValue], dict[str, AnyValue]]], axes: Axes) -> None:
    """After a loop its variables hold the last pass only and vary over its axes no more."""
    for held, earlier in before:
        for name, value in held.items():
            if earlier.get(name) is not value:
                held[name] = leave_loop(value, axes)


def comprehension(state: AnalysisState, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp) -> AnyValue:
    """A comprehension: a container filled along its loops."""
    outer = state.scope
    state.scope = type(outer)(outer.module, outer, outer.owner)
    state.scope.definitions = outer.definitions
    cell = HeapObject("dict" if isinstance(node, ast.DictComp) else "list", born=state.active_axes)
    try:
        generate(state, node, node.generators, cell)
    finally:
        state.scope = outer
    if state.taint:
        state.taint = taint_at(state, node.value if isinstance(node, ast.DictComp) else node.elt)
    return cell


def generate(
    state: AnalysisState,
    node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp,
    generators: list[ast.comprehension],
    cell: HeapObject,
) -> None:
    """Run the generators of a comprehension from the outermost inwards."""
    if not generators:
        collect_one(state, node, cell)
        return
    first = generators[0]
    source = state.evaluate(state, first.iter)
    plan = iterate(state, source, first.iter, first.target)
    for axis in plan.axes:
        axis.targets |= names_in(first.target)
    guards = state.frame.guards
    depth = len(guards)
    with state.along(plan.axes):
        for value in plan.elements:
            assign(state, first.target, value, first.iter)
            for test in first.ifs:
                state.evaluate(state, test)
                check_comprehension_filter(state, test, plan.axes)
                guards.append(test)
            generate(state, node, generators[1:], cell)
    del guards[depth:]


def collect_one(
    state: AnalysisState, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp, cell: HeapObject
) -> None:
    """Put one element of a comprehension into its container."""
    if isinstance(node, ast.DictComp):
        key = state.evaluate(state, node.key)
        value = state.evaluate(state, node.value)
        if isinstance(key, Const) and isinstance(key.value, str | int):
            cell.keyed[key.value] = named(state, value, str(key.value), node)
            return
    else:
        value = state.evaluate(state, node.elt)
    cell.rest = join([*options(cell.rest), value])
    cell.extent |= state.swept(value, cell.born)
