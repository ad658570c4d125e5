"""Models that are made before the loop over folds, and go on learning from fold to fold.

``model.fit`` of Keras starts where the last one stopped, and so do ``optimiser.step()`` of PyTorch and ``partial_fit``:
from the second fold on, the model was fitted to the rows that test it. Event ``retest`` (CVL305, ``how="folds"``).
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from cvlint.analysis.checkers.rows.expressions import rows_of
from cvlint.analysis.checkers.rows.measuring import record_carried_model
from cvlint.analysis.domain.axis import Axis, sorted_axes
from cvlint.analysis.domain.rows import HoldOutPart, ModelFit, RowSet, learns_nothing_of
from cvlint.analysis.domain.trace import Step
from cvlint.analysis.domain.value import AnyValue, LibraryObject
from cvlint.analysis.state import AnalysisState
from cvlint.analysis.syntax import names_in

STYLES = ("k-fold", "groups", "leave-one-out")  # each row is in the training part of all folds but one


def note_carried_model(state: AnalysisState, node: ast.Call, fit: ModelFit, held: Iterable[AnyValue]) -> None:
    """A model is fitted: note the loop over folds in which it is not made anew."""
    going_on = [value for value in held if isinstance(value, LibraryObject) and value.facts.get("goes_on")]
    fit.folds = folds_passed(state, going_on) if is_training_part(fit.rows) else None
    fit.is_asked_of_rest = fit.folds is not None and any(
        learns_nothing_of(fit.rows, rows_of(state, given.value.elts[0]).rows)
        for given in node.keywords
        if isinstance(given.value, (ast.Tuple, ast.List)) and given.value.elts
    )


def note_step(state: AnalysisState, node: ast.Call, base: ast.expr, held: Iterable[AnyValue]) -> None:
    """``optimiser.step()``, ``model.partial_fit(X, y)``: a model learns from a batch, perhaps in a loop over folds."""
    known = [value for value in held if isinstance(value, LibraryObject)]
    given = [rows_of(state, argument).rows for argument in node.args[:1]]
    folds = folds_passed(state, known) if all(map(is_training_part, given)) else None
    if folds is not None and names_around(state, state.active_axes) & state.knowledge.groups["asks-models"]:
        name = known[0].facts.get("model") or ast.unparse(base)
        record_carried_model(state, state.step(node, "the model is fitted to these rows here"), name, folds)


def folds_passed(state: AnalysisState, going_on: list[LibraryObject]) -> Step | None:
    """The loop over folds that a model has learned in before, as it is older than the loop."""
    made = [value.facts["made_in"] for value in going_on if "made_in" in value.facts]
    axes = sorted_axes(axis for axis in state.active_axes.difference(*made) if axis.kind == "fold") if made else []
    axes = [axis for axis in axes if axis.splitter is None or axis.splitter.facts["style"] in STYLES]
    if not axes or any(state.knowledge.conforms("starts-anew", name) for name in names_around(state, axes)):
        return None
    return Step(axes[0].step.source, axes[0].step.node, "the model is made before this loop over folds", False)


def names_around(state: AnalysisState, axes: Iterable[Axis]) -> frozenset[str]:
    """The names in the files of the present code and of loops."""
    sources = {state.frame.module.source, *(axis.step.source for axis in axes)}
    return frozenset[str]().union(*(names_in(source.tree) for source in sources))


def is_training_part(rows: RowSet) -> bool:
    """Whether rows are the training part of a fold, and not of a hold-out."""
    return any(above.role == "train" and not isinstance(above.key, HoldOutPart) for above in rows.ancestors())


def note_asked(fit: ModelFit, rows: RowSet) -> None:
    """A fitted model predicts rows."""
    if fit.folds is not None and learns_nothing_of(fit.rows, rows):
        fit.is_asked_of_rest = True
