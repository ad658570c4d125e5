"""Splits by code that cannot be followed, which the names of the parts tell of.

``X_train, y_train, X_val, y_val = tools.cut(X, y, 0.3)``, ``for fold in tools.make_group_folds(X, y): …``. Whoever gets
all the data, and returns a training and a test part, has split them, whatever it is called.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from cvlint.analysis.checkers.leakage.cut_keys import cut_at
from cvlint.analysis.checkers.leakage.learned import LEAKING_KINDS, check_split
from cvlint.analysis.checkers.leakage.row_cuts import check_part
from cvlint.analysis.checkers.leakage.unevaluated_splits import are_unread
from cvlint.analysis.domain.axis import Axes, Axis, sorted_axes
from cvlint.analysis.domain.heap_object import HeapObject
from cvlint.analysis.domain.lattice import options
from cvlint.analysis.domain.taint_label import Taint, TaintLabel
from cvlint.analysis.domain.value import Data
from cvlint.analysis.state import AnalysisState
from cvlint.analysis.syntax import called_name, names_in, root_name
from cvlint.analysis.taint import taint_at, taint_of_objects

UNCHANGED = frozenset(("enumerate", "list", "tuple", "tqdm", "iter"))  # whose results hold what they get
MOST_DEFINITIONS = 4  # names that stand for names
NAMED_SPLIT = "the data are split here, by the names of the parts"


def check_named_parts(state: AnalysisState, node: ast.Call) -> None:
    """An unknown function gets data, and the names of its results say that they are a training and a test part."""
    target = state.assigned_targets[0] if state.assigned_targets else None
    if not isinstance(target, (ast.Tuple, ast.List)):
        return
    names = [names_in(part) for part in target.elts]
    test_part = frozenset(n for one in names for n in one if state.knowledge.conforms("test-part", n))
    if not test_part or not any(is_of_training(state, one) for one in names) or are_unread(state, test_part):
        return
    data = data_given(state, node)
    if not data:
        return
    taint, step = taint_at(state, *data), state.step(node, NAMED_SPLIT, heuristic=True)
    if any(m.kind in LEAKING_KINDS for m in taint):
        check_split(state, taint, step, "hold-out")
    whole = root_name(data[0])
    if any(m.kind == "learned" and m.subject == whole for found in state.environment.taint.values() for m in found):
        state.taint |= {TaintLabel("part", step, axes=state.active_axes, subject=whole)}  # a scaler knows the whole


def data_given(state: AnalysisState, node: ast.Call) -> list[ast.expr]:
    """The data that a call gets; none if it gets a part of them, or first of all something else."""
    given = [*node.args, *(k.value for k in node.keywords)]
    if any(names_parts(state, argument) or is_text(argument) for argument in given):
        return []
    first = given[0] if given else None
    if not isinstance(first, (ast.Name, ast.Attribute, ast.Subscript)):
        return []
    held = options(state.evaluate(state, first))
    is_data = all(isinstance(v, Data) or (isinstance(v, HeapObject) and v.kind != "dict") for v in held)
    if state.knowledge.conforms("setting", root_name(first)) or not is_data:
        return []
    return [argument for argument in given if isinstance(argument, (ast.Name, ast.Attribute, ast.Subscript))]


def is_of_training(state: AnalysisState, names: frozenset[str]) -> bool:
    """Whether one of some names is that of a training part."""
    return any(state.knowledge.conforms("training", name) for name in names)


def names_parts(state: AnalysisState, node: ast.expr) -> bool:
    """Whether an expression names a part of a split: ``scale(X_train, X_test)`` returns parts that it got."""
    names = names_in(node)
    return is_of_training(state, names) or any(state.knowledge.conforms("test-part", name) for name in names)


def is_text(node: ast.expr) -> bool:
    """Whether an argument is written as text: ``load(folder, "mnist")`` reads a file."""
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def check_named_folds(state: AnalysisState, axes: Axes, node: ast.expr) -> None:
    """A loop runs over folds by its names alone: a call made what it runs over of data that have learned.

    A list that is written out may hold the names of parts, and a dict their data: ``for part, rows in sets.items()``.
    """
    taint = taint_at(state, node)
    if is_made_of_arguments(state, node) and any(m.kind in LEAKING_KINDS for m in taint):
        check_folds(state, (a for a in axes if a.step.heuristic and a.splitter is None), taint)


def is_made_of_arguments(state: AnalysisState, node: ast.AST | None) -> bool:
    """Whether a call made what an expression is of its arguments: ``enumerate(folds)`` of ``folds = cut(X, y)``."""
    for _ in range(MOST_DEFINITIONS):
        match node:
            case ast.Name(id=name):
                node = state.environment.definitions.get(name)
            case ast.Call(func=func, args=[inner, *_]) if called_name(func) in UNCHANGED:
                node = inner
            case _:
                break
    return isinstance(node, ast.Call) and bool(node.args)


def check_folds(state: AnalysisState, axes: Iterable[Axis], taint: Taint) -> None:
    """Data are split along the folds among some axes."""
    for axis in sorted_axes(axes):
        if axis.kind == "fold":
            check_split(state, taint, axis.step, "folds")


def check_samples_taken(state: AnalysisState, node: ast.Call) -> None:
    """``Subset(dataset, train_rows)``, ``DataLoader(dataset, sampler=SubsetRandomSampler(order[:800]))``."""
    match samples_taken(state, node):
        case ast.expr() as data, ast.expr() as key:
            taint = taint_at(state, data) | taint_of_objects(state, [data])
        case _:
            return
    if not any(m.kind in LEAKING_KINDS for m in taint):
        return
    rows = state.evaluate(state, key)
    if isinstance(rows, Data) and rows.index in ("train-indices", "test-indices"):
        check_folds(state, rows.axes, taint)
    else:
        check_part(state, node, data, key, cut_at(state, key))


def samples_taken(state: AnalysisState, node: ast.Call) -> tuple[ast.expr, ast.expr] | None:
    """The data set that a call takes samples of, and the row numbers by which it does."""
    groups = state.knowledge.groups
    match node:
        case ast.Call(func=func, args=[data, key, *_]) if called_name(func) in groups["takes-samples"]:
            return data, key
        case ast.Call(args=[data, *_], keywords=[_, *_]):
            given = next((k.value for k in node.keywords if k.arg == "sampler"), None)
        case _:
            return None
    sampler = state.environment.definitions.get(given.id) if isinstance(given, ast.Name) else given
    match sampler:
        case ast.Call(func=func, args=[key, *_]) if called_name(func) in groups["samples-rows"]:
            return data, key
        case _:
            return None
