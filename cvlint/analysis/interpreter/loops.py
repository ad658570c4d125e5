"""Loops and comprehensions: the body is executed along the axes of the loop.

The body may prove what the head leaves open: ``df[df.kfold == i]`` and ``X[:a] + X[b:]`` hold a part of the data out.
"""

from __future__ import annotations

import ast

from cvlint.analysis.checkers.undefined_folds import filtered
from cvlint.analysis.domain.lattice import join, options, settled
from cvlint.analysis.domain.value import (
    AnyValue,
    Axes,
    Axis,
    Cell,
    Const,
    Instance,
)
from cvlint.analysis.inference.identifier_inference import named
from cvlint.analysis.inference.loop_axes import by_names
from cvlint.analysis.interpreter.assignments import assign
from cvlint.analysis.models.iteration import iteration
from cvlint.analysis.state import Run
from cvlint.analysis.syntax import names_in
from cvlint.analysis.taint import marks_at


def for_loop(run: Run, node: ast.For | ast.AsyncFor) -> None:
    """A for statement: the body is read once, or once an element for short literal sequences."""
    plan = iteration(run, run.evaluate(run, node.iter), node.iter, node.target)
    before = bindings(run)
    for axis in plan.axes:
        axis.targets |= names_in(node.target)
    with run.along(plan.axes):
        for value in plan.elements:
            assign(run, node.target, value, node.iter)
            run.execute(run, node.body)
    settle(before, plan.axes)
    run.execute(run, node.orelse)


def while_loop(run: Run, node: ast.While) -> None:
    """A while statement; its test says by its names which loop it is."""
    run.evaluate(run, node.test)
    named_so = by_names(run, node.test, None, node)
    axis = Axis("loop", named_so.step) if named_so.kind == "batch" else named_so  # ``while tasks.has_next()``
    axes = frozenset((axis,))
    before = bindings(run)
    guards = run.frame.guards
    guards.append(node.test)
    with run.along(axes):
        run.execute(run, node.body)
    guards.pop()
    settle(before, axes)


def bindings(run: Run) -> list[tuple[dict[str, AnyValue], dict[str, AnyValue]]]:
    """The names in scope and the attributes of the objects among them: each mapping, and what it holds now."""
    names = run.scope.names
    objects = [value.attributes for value in names.values() if isinstance(value, Instance)]
    return [(held, dict(held)) for held in (names, *objects)]


def settle(before: list[tuple[dict[str, AnyValue], dict[str, AnyValue]]], axes: Axes) -> None:
    """After a loop its variables hold the last pass only and vary over its axes no more."""
    for held, earlier in before:
        for name, value in held.items():
            if earlier.get(name) is not value:
                held[name] = settled(value, axes)


def comprehension(run: Run, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp) -> AnyValue:
    """A comprehension: a container filled along its loops."""
    outer = run.scope
    run.scope = type(outer)(outer.module, outer, outer.owner)
    run.scope.definitions = outer.definitions
    cell = Cell("dict" if isinstance(node, ast.DictComp) else "list", born=run.active_axes)
    try:
        generate(run, node, node.generators, cell)
    finally:
        run.scope = outer
    if run.marks:
        run.marks = marks_at(run, node.value if isinstance(node, ast.DictComp) else node.elt)
    return cell


def generate(
    run: Run,
    node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp,
    generators: list[ast.comprehension],
    cell: Cell,
) -> None:
    """Run the generators of a comprehension from the outermost inwards."""
    if not generators:
        collect_one(run, node, cell)
        return
    first = generators[0]
    source = run.evaluate(run, first.iter)
    plan = iteration(run, source, first.iter, first.target)
    for axis in plan.axes:
        axis.targets |= names_in(first.target)
    guards = run.frame.guards
    depth = len(guards)
    with run.along(plan.axes):
        for value in plan.elements:
            assign(run, first.target, value, first.iter)
            for test in first.ifs:
                run.evaluate(run, test)
                filtered(run, test, plan.axes)
                guards.append(test)
            generate(run, node, generators[1:], cell)
    del guards[depth:]


def collect_one(run: Run, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp, cell: Cell) -> None:
    """Put one element of a comprehension into its container."""
    if isinstance(node, ast.DictComp):
        key = run.evaluate(run, node.key)
        value = run.evaluate(run, node.value)
        if isinstance(key, Const) and isinstance(key.value, str | int):
            cell.keyed[key.value] = named(run, value, str(key.value), node)
            return
    else:
        value = run.evaluate(run, node.elt)
    cell.rest = join([*options(cell.rest), value])
    cell.extent |= run.swept(value, cell.born)
