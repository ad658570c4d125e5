"""Models that are made before the loop over folds, and go on learning from fold to fold.

``model.fit`` of Keras starts where the last one stopped, and so do ``optimiser.step()`` of PyTorch and ``partial_fit``:
from the second fold on, the model was fitted to the rows that test it. Event ``retest`` (CVL305, ``how="folds"``).
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable

from cvlint.analysis.checkers.rows.expressions import rows_of
from cvlint.analysis.domain.axis import NO_AXES, Axes, Axis, Splitter, sorted_axes
from cvlint.analysis.domain.rows import HoldOutPart, ModelFit, RowSet, learns_nothing_of
from cvlint.analysis.domain.taint_label import LEFT_OUT
from cvlint.analysis.domain.value import AnyValue, LibraryObject
from cvlint.analysis.state import AnalysisState
from cvlint.analysis.syntax import arguments_of, names_in, nodes_in
from cvlint.analysis.taint import taint_at

DISJOINT = ("k-fold", "groups", "leave-one-out")  # each row is in the training part of all folds but one
DRAWN = ("hold-out", "group-hold-out")  # each pass may draw other rows


def note_carried_model(
    state: AnalysisState, node: ast.Call, fit: ModelFit, held: Iterable[AnyValue], data: ast.expr
) -> None:
    """A model is fitted to data: note the loop over folds in which it is not made anew."""
    going_on = [value for value in held if isinstance(value, LibraryObject) and value.facts.get("goes_on")]
    axes = folds_passed(state, going_on, rest_of(state, data))
    if not axes or not (is_training_part(fit.rows) or is_part_of_fold(state, data, "train", axes)):
        return
    fit.folds = axes[0]
    for given in node.keywords:
        held_out = given.value.elts[:1] if isinstance(given.value, (ast.Tuple, ast.List)) else [given.value]
        for part in held_out if given.value is not data else ():
            note_asked(state, fit, part)


def note_step(state: AnalysisState, node: ast.Call, base: ast.expr, held: Iterable[AnyValue]) -> None:
    """``optimiser.step()``, ``model.partial_fit(X, y)``: a model learns from a batch, perhaps in a loop over folds."""
    known = [value for value in held if isinstance(value, LibraryObject)]
    given = arguments_of(node, "X", "x", "generator")[:1]
    axes = folds_passed(state, known, frozenset(state.trained_on_rest).union(*(rest_of(state, data) for data in given)))
    of_part = [
        is_training_part(rows_of(state, data).rows) or is_part_of_fold(state, data, "train", axes) for data in given
    ]
    if axes and all(of_part) and names_run_in(state, axes) & state.knowledge.groups["asks-models"]:
        name = known[0].facts.get("model") or ast.unparse(base)
        learning = state.step(node, "the model is fitted to these rows here")
        if state.suppress_events == 0:
            state.rows.carried.append((learning, name, axes[0]))


def rest_of(state: AnalysisState, data: ast.expr) -> Axes:
    """The loops of which data are the rest without one element: they may turn out to run over folds."""
    labels = (label for label in taint_at(state, data) if label.kind == LEFT_OUT and label.part == "train")
    return NO_AXES.union(*(label.axes for label in labels))


def folds_passed(state: AnalysisState, going_on: list[LibraryObject], loops: Axes) -> list[Axis]:
    """The loops over folds, or some others, that a model has learned in before, as it is older than they are."""
    made = [value.facts["made_in"] for value in going_on if "made_in" in value.facts]
    passed = state.active_axes.difference(*made) if made else NO_AXES
    axes = sorted_axes(axis for axis in passed if axis.kind == "fold" or axis in loops)
    axes = [axis for axis in axes if axis.splitter is None or trains_on_tested_rows(axis.splitter)]
    is_anew = axes and any(state.knowledge.conforms("starts-anew", name) for name in names_run_in(state, axes))
    return [] if is_anew else axes


def trains_on_tested_rows(splitter: Splitter) -> bool:
    """Whether the rows that test a model in one fold train it in others, which is not so in the order of time."""
    style, count = splitter.facts["style"], splitter.facts.get("count", 1)
    return style in DISJOINT or (style in DRAWN and (count != 1 or bool(splitter.facts.get("drawn_anew"))))


def names_run_in(state: AnalysisState, axes: Iterable[Axis]) -> frozenset[str]:
    """The names in the code that loops may run: in their statements, and in the functions and classes that these name.

    These are looked for in the files of the code that is under way.
    """
    trees = dict.fromkeys(frame.module.source.tree for frame in state.frames)
    defined = defaultdict[str, list[ast.AST]](list)
    for tree in trees:
        owners: list[ast.FunctionDef | ast.ClassDef] = [*nodes_in(tree, ast.FunctionDef), *nodes_in(tree, ast.ClassDef)]
        for code in owners:
            defined[code.name].append(code)
    found, left = set[str](), [loop for axis in axes for loop in axis.loops] or [*trees]
    while left:
        new = names_in(left.pop()) - found
        found |= new
        left += [code for name in new for code in defined.get(name, ())]
    return frozenset(found)


def is_training_part(rows: RowSet) -> bool:
    """Whether rows are the training part of a fold, and not of a hold-out."""
    return any(above.role == "train" and not isinstance(above.key, HoldOutPart) for above in rows.ancestors())


def is_part_of_fold(state: AnalysisState, data: ast.expr, part: str, folds: Iterable[Axis]) -> bool:
    """Whether data come from one part of the folds alone, whatever they were put into: ``Batches(files[train])``."""
    labels = [label for label in taint_at(state, data) if label.kind in ("rows", LEFT_OUT)]
    return {label.part for label in labels} == {part} and any(not label.axes.isdisjoint(folds) for label in labels)


def note_asked(state: AnalysisState, fit: ModelFit, data: ast.expr) -> None:
    """A fitted model is asked for predictions of data."""
    if fit.folds is not None and (
        learns_nothing_of(fit.rows, rows_of(state, data).rows) or is_part_of_fold(state, data, "test", (fit.folds,))
    ):
        fit.is_asked_of_rest = True
