"""What a loop over a value runs along, and what its elements are.

A loop over ``splitter.split(X, y)`` runs along folds, and so does one over a list that was filled along folds. Where
the iterable says nothing, names do (a heuristic, so at most medium confidence).
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

from cvlint.analysis.domain.lattice import element, extent_of, join, options, varying
from cvlint.analysis.domain.value import (
    NO_AXES,
    AnyValue,
    Axes,
    Axis,
    Cell,
    Const,
    Data,
    Either,
    Function,
    Instance,
    Library,
    Measured,
    Thing,
)
from cvlint.analysis.heap.reads import groups_of
from cvlint.analysis.inference.identifier_inference import speaks_of_folds
from cvlint.analysis.inference.loop_axes import SPLIT, by_names, either_splitter
from cvlint.analysis.state import Run

MOST_UNROLLED = 8


MOST_KEYS = 16  # of a dict: rows of measures are longer than lists of models


@dataclass(frozen=True, slots=True)
class Iteration:
    """How a loop runs: the axes it runs along, and its elements (several when it is unrolled)."""

    axes: Axes
    elements: tuple[AnyValue, ...]


def iteration(run: Run, source: AnyValue, iter_node: ast.expr, target: ast.expr | None) -> Iteration:
    """How a loop over ``source`` runs."""
    plans = [iteration_over(run, option, iter_node, target) for option in options(source)]
    if len(plans) == 1:
        return plans[0]
    folds = [p for p in plans if any(a.kind == "fold" for a in p.axes)]
    splitters = {id(a.splitter): (a.splitter, p) for p in folds for a in p.axes if a.splitter is not None}
    if splitters:
        return splitters[id(either_splitter([splitter for splitter, _ in splitters.values()]))][1]
    return folds[0] if folds else Iteration(plans[0].axes, (join(e for p in plans for e in p.elements),))


def iteration_over(run: Run, source: AnyValue, iter_node: ast.expr, target: ast.expr | None) -> Iteration:
    """How a loop over one possible value runs."""
    match source:
        case Thing(role="folds"):
            return over_folds(run, source, iter_node, target)
        case Thing(role="splitter"):
            axis = Axis("fold", run.step(iter_node, SPLIT), source)
            return Iteration(frozenset((axis,)), (fold_parts(axis),))
        case Thing(role="iterator"):
            return over_iterator(run, source, iter_node, target)
        case Thing(role="range"):
            axis = by_names(run, source.facts["node"], target, iter_node)
            return Iteration(frozenset((axis,)), (Data(frozenset((axis,)), what="loop-index"),))
        case Thing(role="loader"):
            kind = "loop" if draws_single(source) else "batch"
            axis = Axis(kind, run.step(iter_node, "batches are drawn here"))
            return Iteration(frozenset((axis,)), (Data(source.axes | {axis}, opaque=True),))
        case Cell(kind="frame" | "table") if groups := groups_of(run, source, iter_node):
            axes, rows = groups
            return Iteration(axes, (Cell("tuple", {0: Data(axes, what="key"), 1: rows}),))
        case Cell(kind="frame" | "table") | Data() if is_grouped(run, iter_node):
            axis = by_names(run, iter_node, target, iter_node)
            return Iteration(frozenset((axis,)), (Cell("tuple", {0: Data(what="key"), 1: source}),))
        case Data(what="fold-pieces"):
            return Iteration(source.axes, (Data(source.axes, opaque=True),))
        case Cell(kind="list" | "tuple" | "dict") if unrollable(source):
            axis = (
                Axis("loop", run.step(iter_node, "a loop"))
                if has_titles(run, source)
                else by_names(run, iter_node, target, iter_node)
            )
            values = source.keyed if source.kind == "dict" else source.keyed.values()
            if source.kind == "dict":
                return Iteration(frozenset((axis,)), tuple(Const(value=key, drawn=True) for key in values))
            return Iteration(frozenset((axis,)), tuple(source.keyed.values()))
        case Cell(kind="dict"):
            axes = source.extent or frozenset((by_names(run, iter_node, target, iter_node),))
            return Iteration(axes, (Data(axes, what="key"),))
        case _:
            axes = named_axes(run, extent_of(source), iter_node, target)
            return Iteration(axes, (varying(element(source), axes),))


def draws_single(loader: Thing) -> bool:
    """Whether a loader's batches hold one sample each, ``batch_size=1``: its loop is one over samples."""
    made = loader.facts.get("node")
    sizes = [k.value for k in made.keywords if k.arg == "batch_size"] if isinstance(made, ast.Call) else []
    return any(isinstance(size, ast.Constant) and size.value == 1 for size in sizes)


def named_axes(run: Run, extent: Axes, iter_node: ast.expr, target: ast.expr | None) -> Axes:
    """The axes of a loop: those along which a list was filled, which may learn from its name that they are folds."""
    named = by_names(run, iter_node, target, iter_node)
    if not extent:
        return frozenset((named,))
    if named.kind == "fold" and all(axis.kind == "loop" for axis in extent):
        for axis in extent:
            axis.kind, axis.step = named.kind, named.step
    return extent


def is_grouped(run: Run, node: ast.expr) -> bool:
    """Whether a loop runs over groups of rows, other than the folds: ``for name, rows in frame.groupby("model")``."""
    match node:
        case ast.Call(func=ast.Attribute(attr="groupby"), args=[key, *_]):
            return not speaks_of_folds(run, key)
        case _:
            return False


def has_titles(run: Run, value: AnyValue) -> bool:
    """Whether the keys of a literal dict are words, of data sets or ways to split them, and no numbers of folds."""
    if not (isinstance(value, Cell) and value.kind == "dict" and value.rest is None and value.keyed):
        return False
    texts = [key for key in value.keyed if isinstance(key, str) and not any(c.isdigit() for c in key)]
    return len(texts) == len(value.keyed) and not any(run.knowledge.conforms("fold", key) for key in texts)


def unrollable(cell: Cell) -> bool:
    """Whether a container is a short literal whose entries are better told apart than joined."""
    if cell.rest is not None or not 0 < len(cell.keyed) <= (MOST_KEYS if cell.kind == "dict" else MOST_UNROLLED):
        return False
    if cell.kind == "dict":
        return True
    return any(
        isinstance(v, Const | Library | Function | Measured | Cell | Thing | Either | Instance) for v in cell.entries()
    )


def over_folds(run: Run, source: Thing, iter_node: ast.expr, target: ast.expr | None) -> Iteration:
    """A loop over the splits of a splitter; of an unknown object only when pairs are unpacked."""
    axis: Axis = source.facts["axis"]
    if source.facts.get("maybe") and not (isinstance(target, ast.Tuple) and 2 <= len(target.elts) <= 3):
        axis = by_names(run, iter_node, target, iter_node)
        return Iteration(frozenset((axis,)), (Data(frozenset((axis,)), opaque=True),))
    return Iteration(frozenset((axis,)), (fold_parts(axis),))


def fold_parts(axis: Axis) -> Cell:
    """The pair of training and test indices of one fold."""
    axes = frozenset((axis,))
    return Cell("tuple", {0: Data(axes, what="train-indices"), 1: Data(axes, what="test-indices")}, born=axes)


def over_iterator(run: Run, source: Thing, iter_node: ast.expr, target: ast.expr | None) -> Iteration:
    """A loop over ``enumerate``, ``zip`` or ``items``: the axes of what they wrap."""
    wrapped: tuple[AnyValue, ...] = source.facts["parts"]
    targets = target.elts if isinstance(target, ast.Tuple) else []
    if source.facts["form"] == "enumerate":
        pair = isinstance(targets[1], ast.Tuple) if len(targets) == 2 else False
        inner = (
            iteration(run, wrapped[0], iter_node, targets[1] if pair else target) if wrapped else Iteration(NO_AXES, ())
        )
        index = Data(inner.axes, what="loop-index")
        return Iteration(inner.axes, tuple(Cell("tuple", {0: index, 1: value}) for value in inner.elements))
    if source.facts["form"] == "items":
        return over_items(run, wrapped[0], iter_node, target)
    plans = [
        iteration(run, value, iter_node, targets[i] if len(targets) == len(wrapped) else None)
        for i, value in enumerate(wrapped)
    ]
    if not plans:
        return Iteration(NO_AXES, ())
    count = max(len(p.elements) for p in plans)
    known = frozenset(a for p in plans for a in p.axes if a.kind != "loop") or plans[0].axes
    columns = [entries_in_order(v, count) or p.elements for v, p in zip(wrapped, plans, strict=True)]
    rows = tuple(
        Cell("tuple", {i: c[row if row < len(c) else 0] for i, c in enumerate(columns) if c}) for row in range(count)
    )
    return Iteration(known, rows)


def entries_in_order(value: AnyValue, count: int) -> tuple[AnyValue, ...]:
    """The entries of a literal list beside one that is unrolled: ``zip([y_train, y_test], ["train", "test"])``."""
    match value:
        case Cell(kind="list" | "tuple", rest=None) if 1 < count == len(value.keyed):
            return tuple(value.keyed.values())
        case _:
            return ()


def over_items(run: Run, source: AnyValue, iter_node: ast.expr, target: ast.expr | None) -> Iteration:
    """A loop over the items of a dict or the columns of a frame."""
    rows: list[AnyValue] = []
    axes: Axes = NO_AXES
    for option in options(source):
        match option:
            case Cell() if option.keyed and len(option.keyed) <= MOST_KEYS:
                rows += [Cell("tuple", {0: Const(value=key), 1: value}) for key, value in option.keyed.items()]
                if option.rest is not None:
                    others = "\0".join(key for key in option.keyed if isinstance(key, str))
                    rows.append(Cell("tuple", {0: Data(what="key", pattern=others), 1: option.rest}))
                axes |= option.extent
            case Cell():
                axes |= option.extent
                rows.append(Cell("tuple", {0: Data(option.extent, what="key"), 1: element(option)}))
            case _:
                rows.append(Cell("tuple", {0: Data(what="key"), 1: element(option)}))
    if not axes and has_titles(run, source):
        axes = frozenset((Axis("loop", run.step(iter_node, "a loop")),))
    axes = axes or frozenset((by_names(run, iter_node, target, iter_node),))
    return Iteration(axes, tuple(rows))
