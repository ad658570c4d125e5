"""Infer the axis of a loop: from the names in its head, or from what its body proves.

Names are a convention, so they give medium confidence at most. ``df[df.kfold == i]`` and ``X[:a] + X[b:]`` hold out a
part of the data, whatever the names are.
"""

from __future__ import annotations

import ast
import re
from typing import TypeVar

from cvlint.analysis.domain.axis import NO_AXES, Axes, Axis, Splitter
from cvlint.analysis.domain.frozen import replace
from cvlint.analysis.domain.heap_object import HeapObject
from cvlint.analysis.domain.texts import VARYING
from cvlint.analysis.domain.value import AnyValue, Data, axes_of
from cvlint.analysis.state import AnalysisState
from cvlint.analysis.syntax import called_name, kept_in_node, names_in, nodes_in, row_keys
from cvlint.source.parsing import walk

MOST_DEFINITIONS = 4  # names that stand for names

AnySplitter = TypeVar("AnySplitter", bound=Splitter)


SPLIT = "the data are split into folds here"


HELD_OUT = "each pass of this loop holds out a part of the data"


FOLDS_BY_NAME = "this loop runs over folds, by its names"


FOLD_ENTRIES = "this loop reads a file or an entry for each fold, by their names"


PLURALS = {"batch": "batches"}


def axis_by_names(state: AnalysisState, iter_node: ast.expr, target: ast.expr | None, place: ast.AST) -> Axis:
    """A new axis, of the kind that the names in the head of the loop suggest."""
    knowledge = state.knowledge
    heads = names_in(iter_node)
    targets = names_in(target) if isinstance(target, ast.Name) else variables_in(target)
    of_heads, of_targets = knowledge.loop_conventions(heads), knowledge.loop_conventions(targets)
    is_fold = {"train-part", "test-part"} <= of_targets and (
        "splits" in of_heads or comes_from_splits(state, heads) or takes_row_numbers(state, target)
    )
    if "fold-number" in of_targets or is_fold or is_fold_count(state, iter_node):
        return Axis("fold", state.step(place, FOLDS_BY_NAME, heuristic=True))
    followed = of_heads | of_targets
    if "batch" in followed:
        followed = followed - {"batch"} | knowledge.loop_conventions(
            (heads | targets) - single_batch_names(state, iter_node)
        )
    for kind in ("epoch", "batch", "seed", "prior"):
        if kind in followed:
            return Axis(kind, state.step(place, f"a loop over {PLURALS.get(kind, kind + 's')}"))
    return Axis("loop", state.step(place, "a loop"))


def takes_row_numbers(state: AnalysisState, target: ast.expr | None) -> bool:
    """Whether a loop unpacks the row numbers of both parts of a split: ``for train_idx, test_idx in …``."""
    conforms = state.knowledge.conforms
    match target:
        case ast.Tuple(elts=[ast.Name(id=train), ast.Name(id=test)]):
            numbers = conforms("row-numbers", train) and conforms("row-numbers", test)
            return numbers and conforms("training", train) and conforms("test-part", test)
        case _:
            return False


def takes_keys(state: AnalysisState, target: ast.expr | None) -> bool:
    """Whether a loop unpacks two parts with which the code selects rows: ``for train, test in cv: fit(X[train])``."""
    match target:
        case ast.Tuple(elts=[ast.Name(id=train), ast.Name(id=test)]):
            conforms = state.knowledge.conforms
            are_parts = conforms("training", train) and conforms("test-part", test)
            return are_parts and {train, test} <= names_of_keys(state.frame.node)
        case _:
            return False


@kept_in_node
def names_of_keys(code: ast.AST) -> frozenset[str]:
    """The names that select something of data: ``X[train]``, ``X[train, :]``."""
    return frozenset(
        key.id for read in nodes_in(code, ast.Subscript) for key in row_keys(read) if isinstance(key, ast.Name)
    )


def comes_from_splits(state: AnalysisState, names: frozenset[str]) -> bool:
    """Whether a function whose name says that it splits gave one of the names its value."""
    calls = [state.environment.definitions.get(name) for name in names]
    called = frozenset(called_name(call.func) for call in calls if isinstance(call, ast.Call))
    return "splits" in state.knowledge.loop_conventions(called)


def variables_in(target: ast.expr | None) -> frozenset[str]:
    """The names in a target of a loop, without those of attributes."""
    return frozenset(n.id for n in walk(target) if isinstance(n, ast.Name)) if target is not None else frozenset()


def single_batch_names(state: AnalysisState, iter_node: ast.expr) -> frozenset[str]:
    """The name of a single batch whose entries a loop visits: ``for item in batch``, ``range(len(batch))``."""
    match iter_node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return frozenset((name,)) if state.knowledge.conforms("one-batch", name) else frozenset()
        case ast.Call(func=ast.Name(id="enumerate" | "range" | "len" | "zip" | "tqdm"), args=args):
            return frozenset[str]().union(*(single_batch_names(state, arg) for arg in args))
        case _:
            return frozenset()


def is_fold_count(state: AnalysisState, iter_node: ast.expr) -> bool:
    """Whether a loop counts up to a number of folds: ``range(n_folds)``, ``while fold < k``."""
    match iter_node:
        case (
            ast.Call(func=ast.Name(id="range" | "xrange" | "trange") | ast.Attribute(attr="arange"), args=args)
            | ast.Compare(comparators=args)
        ):
            return any(state.knowledge.conforms("fold", n) for a in args for n in container_names(state, a))
        case ast.Call(func=ast.Name(id="tqdm" | "enumerate" | "list"), args=[first, *_]):
            return is_fold_count(state, first)
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return state.knowledge.conforms("splits", name)
        case _:
            return False


def container_names(state: AnalysisState, node: ast.expr) -> frozenset[str]:
    """The names in an expression, and the containers that they are entries of (``results = fold_results[key]``).

    Names that only select an entry do not count: ``range(len(scores[fold]))`` does not count folds.
    """
    picked = frozenset[str]().union(*(names_in(n.slice) for n in walk(node) if isinstance(n, ast.Subscript)))
    found = names_in(node) - picked
    for name in list(found):
        definition = state.environment.definitions.get(name)
        if isinstance(definition, (ast.Subscript, ast.Attribute)):
            found |= names_in(definition)
    return found


def prove_fold_loop(state: AnalysisState, value: AnyValue, by_element: bool = False) -> None:
    """Turn the loops that ``value`` varies over into loops over folds: the body holds out a part of the data by it.

    ``by_element``: the body selects what equals the loop's element, and elsewhere the rest. That proves a fold loop
    only if the value varies over no other loop.
    """
    if by_element and (len(value.axes) != 1 or runs_over_classes(state, value)):
        return
    for axis in value.axes:
        if any(state.knowledge.conforms("classes", name) for name in names_in(axis.step.node) | axis.loop_variables):
            continue
        kinds = ("loop", "batch") if axis.by_blocks else ("loop",)
        if axis in state.active_loops and (axis.kind in kinds or (axis.kind == "fold" and axis.heuristic)):
            axis.kind = "fold"
            axis.step = replace(axis.step, note=HELD_OUT, heuristic=False)


def train_and_test_indices(axis: Axis) -> HeapObject:
    """The pair of training and test indices of one fold."""
    axes = frozenset((axis,))
    return HeapObject(
        "tuple",
        {0: Data(axes, index="train-indices"), 1: Data(axes, index="test-indices")},
        allocation_loops=axes,
    )


def prove_loop_over(state: AnalysisState, folds: Axis, loops: Axes) -> Axis | None:
    """Turn the innermost of some loops into the loop over folds that it takes one by one: ``splits[i]``."""
    for axis in reversed(state.active_loops):
        if axis in loops and (axis.kind == "loop" or (axis.kind == "fold" and axis.splitter is None)):
            axis.kind, axis.splitter, axis.size = "fold", folds.splitter, folds.size
            axis.step = replace(folds.step, node=axis.step.node, source=axis.step.source)
            return axis
    return None


def prove_batch_loop(axes: Axes) -> None:
    """Turn loops over blocks of rows into loops over batches: ``for i in range(0, n, 32)`` takes ``X[i : i + 32]``."""
    for axis in axes:
        if axis.by_blocks and axis.kind == "loop":
            axis.kind, axis.step = "batch", replace(axis.step, note="a loop over batches")


def name_fold_loops(state: AnalysisState, pattern: str, axes: Axes) -> None:
    """Turn the loops that a path or a key varies over into loops over folds, if it names folds: ``f"fold{i}.csv"``.

    So do ``f"train_{i}.csv"``, ``f"test_{i}.csv"`` and ``results[f"split{i}_scores"]``, where numbers count the parts.
    """
    before = [re.split(r"[^A-Za-z]+", text.rstrip("_- 0"))[-1] for text in pattern.split(VARYING)[:-1]]
    of_folds = any(state.knowledge.conforms("fold", word) for word in before)
    numbered = ("training", "test-only", "splits")
    of_parts = any(state.knowledge.conforms(part, word) for word in before for part in numbered)
    if of_folds or of_parts:
        for axis in axes:
            if axis.kind in ("loop", "seed") and (of_folds or counts_up(axis)):
                axis.kind, axis.step = "fold", replace(axis.step, note=FOLD_ENTRIES, heuristic=True)


def name_loops_of_result(state: AnalysisState, name: str, value: AnyValue) -> None:
    """Turn the loops that filled what a function returns into loops over folds, if its name says so.

    ``load_per_fold_predictions(folder)``.
    """
    if isinstance(value, HeapObject) and value.extent and state.knowledge.conforms("per-fold", name):
        for axis in value.extent:
            if axis.kind == "loop":
                axis.kind, axis.step = "fold", replace(axis.step, note=FOLDS_BY_NAME, heuristic=True)


def counts_up(axis: Axis) -> bool:
    """Whether a loop runs over numbers: ``for i in range(5)``, or ``while f"split{i}" in results``."""
    match axis.step.node:
        case ast.Call(func=ast.Name(id="range" | "xrange" | "trange")) | ast.While():
            return True
        case _:
            return False


def name_folds_by_counter(state: AnalysisState, loop: ast.For | ast.AsyncFor | ast.While, axes: Axes) -> None:
    """Turn a loop into one over folds if each pass counts them: ``for file in files: …; fold += 1``."""
    counters = [s.target for s in loop.body if isinstance(s, ast.AugAssign) and isinstance(s.op, ast.Add)]
    if any(isinstance(c, ast.Name) and state.knowledge.conforms("fold-number", c.id) for c in counters):
        for axis in axes:
            if axis.kind == "loop":
                axis.kind, axis.step = "fold", replace(axis.step, note=FOLDS_BY_NAME, heuristic=True)


def runs_over_classes(state: AnalysisState, value: AnyValue) -> bool:
    """Whether ``value`` varies over a loop over classes: ``y_true == c``, ``y_pred != c``."""
    return any(is_over_classes(state, axis) for axis in axes_of(value))


def is_over_classes(state: AnalysisState, axis: Axis) -> bool:
    """Whether a loop runs over classes, which true labels or predictions are compared with."""
    conforms, column = state.knowledge.conforms, axis.compared_column
    return axis.is_class_axis or axis.kind == "class" or conforms("truth", column) or conforms("prediction", column)


def mark_class_axes(left: Data, right: Data) -> None:
    """Mark the loops of ``(y_true == c) & (y_pred == c)`` as loops over classes."""
    for axis in left.axes & right.axes:
        axis.is_class_axis = True


def is_loop_index(value: AnyValue) -> bool:
    """Whether ``value`` is the index of a loop."""
    return isinstance(value, Data) and value.index == "loop-index"


def is_loop_variable(value: AnyValue, node: ast.expr) -> bool:
    """Whether ``node`` names the index of a loop, or its element (``for subject in subjects``)."""
    element = isinstance(node, ast.Name) and isinstance(value, Data) and value.opaque and len(value.axes) == 1
    return element or is_loop_index(value)


def new_axes(state: AnalysisState, kind: str, node: ast.AST) -> Axes:
    """A new axis, as a set, for a result that has one value for each fold, class, …."""
    return frozenset((Axis(kind, state.step(node, f"one value for each {kind}")),))


def loops_binding(state: AnalysisState, node: ast.expr) -> Axes:
    """The active loop that binds the name ``node``, here or where it is handed over; empty for other expressions."""
    for frame in reversed(state.frames):
        if not isinstance(node, ast.Name):
            break
        name = node.id
        if loops := frozenset(a for a in state.active_loops if name in a.loop_variables and a not in frame.call_loops):
            return loops
        node = frame.argument(name) or node
    return NO_AXES


def loops_of_element(state: AnalysisState, node: ast.expr, depth: int = MOST_DEFINITIONS) -> Axes:
    """The loops whose variable an expression is made of, and of no other data: ``s``, ``f"S{s}"``, ``subjects[i]``."""
    match node:
        case ast.Name(id=name):
            loops = loops_binding(state, node)
            bound = state.environment.definitions.get(name)
            return loops_of_element(state, bound, depth - 1) if not loops and depth and bound is not None else loops
        case (
            ast.List(elts=[inner])
            | ast.Tuple(elts=[inner])
            | ast.Set(elts=[inner])
            | ast.Call(func=ast.Name(), args=[inner], keywords=[])
            | ast.BinOp(left=ast.Constant(), right=inner)
            | ast.BinOp(left=inner, right=ast.Constant())
            | ast.Attribute(value=inner)
            | ast.Subscript(value=inner, slice=ast.Constant())
            | ast.Subscript(slice=inner)
        ) if not isinstance(inner, ast.Slice):
            return loops_of_element(state, inner, depth)
        case ast.Call(func=ast.Attribute(value=inner), args=args) if all(isinstance(a, ast.Constant) for a in args):
            return loops_of_element(state, inner, depth)
        case ast.JoinedStr(values=parts):
            varying = [part.value for part in parts if isinstance(part, ast.FormattedValue)]
            return loops_of_element(state, varying[0], depth) if len(varying) == 1 else NO_AXES
        case _:
            return NO_AXES


def join_splitters(chosen: list[AnySplitter]) -> AnySplitter:
    """The join of splitters from several branches: a stratified one if there is one, else the first with the others."""
    splitters = [one for one in chosen if one.role == "splitter"]
    stratified = [one for one in splitters if one.facts.get("stratified")]
    if stratified or not splitters:
        return (stratified or chosen)[0]
    first, *others = splitters
    first.facts["others"] = others
    return first


def goes_through_columns(axis: Axis) -> bool:
    """Whether a loop takes the columns of an array: ``for column in X.T``, ``for j, column in enumerate(X.T)``."""
    match axis.step.node:
        case ast.Attribute(attr="T") | ast.Call(func=ast.Name(id="enumerate"), args=[ast.Attribute(attr="T"), *_]):
            return True
        case _:
            return False


def counts_rows(axis: Axis) -> bool:
    """Whether a loop counts rows: ``for i in range(len(X))``."""
    match axis.step.node:
        case ast.Call(func=ast.Name(id="range" | "trange"), args=[ast.Call(func=ast.Name(id="len"))]):
            return True
        case ast.Call(func=ast.Name(id="range" | "trange"), args=[ast.Subscript(slice=ast.Constant(value=0))]):
            return True
        case _:
            return False
