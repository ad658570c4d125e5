"""Models that are made before the loop over folds, and go on learning from fold to fold.

``model.fit`` of Keras starts where the last one stopped: from the second fold on, the model was fitted to the rows that
test it. Event ``retest`` (CVL305, ``how="folds"``).
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from cvlint.analysis.checkers.rows.expressions import rows_of
from cvlint.analysis.domain.axis import sorted_axes
from cvlint.analysis.domain.rows import HoldOutPart, ModelFit, RowSet, learns_nothing_of
from cvlint.analysis.domain.trace import Step
from cvlint.analysis.domain.value import AnyValue, LibraryObject
from cvlint.analysis.state import AnalysisState
from cvlint.analysis.syntax import names_in

STYLES = ("k-fold", "groups", "leave-one-out")  # each row is in the training part of all folds but one


def note_carried_model(state: AnalysisState, node: ast.Call, fit: ModelFit, held: Iterable[AnyValue]) -> None:
    """A model is fitted: note the loop over folds in which it is not made anew."""
    made = [value.facts["made_in"] for value in held if isinstance(value, LibraryObject) and "made_in" in value.facts]
    if not made or not is_training_part(fit.rows):
        return
    axes = sorted_axes(axis for axis in state.active_axes.difference(*made) if axis.kind == "fold")
    axes = [axis for axis in axes if axis.splitter is None or axis.splitter.facts["style"] in STYLES]
    code = frozenset[str]().union(*(names_in(source.tree) for source in {axis.step.source for axis in axes}))
    if not axes or any(state.knowledge.conforms("starts-anew", name) for name in code):
        return
    fit.folds = Step(axes[0].step.source, axes[0].step.node, "the model is made before this loop over folds", False)
    fit.is_asked_of_rest = any(
        learns_nothing_of(fit.rows, rows_of(state, given.value.elts[0]).rows)
        for given in node.keywords
        if isinstance(given.value, (ast.Tuple, ast.List)) and given.value.elts
    )


def is_training_part(rows: RowSet) -> bool:
    """Whether rows are the training part of a fold, and not of a hold-out."""
    return any(above.role == "train" and not isinstance(above.key, HoldOutPart) for above in rows.ancestors())


def note_asked(fit: ModelFit, rows: RowSet) -> None:
    """A fitted model predicts rows."""
    if fit.folds is not None and learns_nothing_of(fit.rows, rows):
        fit.is_asked_of_rest = True
