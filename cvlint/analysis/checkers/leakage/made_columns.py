"""Columns that are made with other rows: gaps that a model fills, and mean labels of groups.

``frame.loc[gaps, "age"] = model.predict(frame.loc[gaps, others])``: the model was fitted to the rows without gaps. If
they are all rows of the data, the data have learned from themselves, as if
`cvlint.analysis.checkers.leakage.own_statistics` had found a mean of theirs.

``X["city"].map(y.groupby(X["city"]).mean())``, ``frame.groupby("city")["y"].transform("mean")``: a column that is
encoded with mean labels has learned from the labels of all rows.
"""

from __future__ import annotations

import ast

from cvlint.analysis.checkers.leakage.learned import label_learned
from cvlint.analysis.checkers.leakage.true_labels import are_true_labels
from cvlint.analysis.checkers.rows.expressions import rows_of
from cvlint.analysis.domain.rows import RowSet
from cvlint.analysis.domain.taint_label import NO_TAINT, Taint
from cvlint.analysis.state import AnalysisState
from cvlint.analysis.syntax import called_name, names_in, root_name, row_keys
from cvlint.analysis.taint import add_taint, constant_columns


def check_predicted_gaps(state: AnalysisState, target: ast.Subscript, source: ast.expr) -> None:
    """Rows that a test for gaps selects get predictions: ``frame.loc[frame.age.isna(), "age"] = …``.

    ``unknown["age"] = …`` fills a part of the rows of ``frame``, which ``unknown = frame[frame.age.isna()]`` selected.
    """
    if any(tests_for_gaps(state, place) for place in (*row_keys(target), target.value)):
        add_taint(state, target.value, label_filling(state, source, target.value, source))


def label_filling(state: AnalysisState, node: ast.expr, data: ast.expr, filling: ast.expr) -> Taint:
    """The label of data whose gaps are filled with predictions of a model that was fitted to other rows of theirs."""
    fit = rows_of(state, filling).fit
    if fit is None or not are_of_same_source(fit.rows, rows_of(state, data).rows):
        return NO_TAINT
    name = root_name(data)
    by = f"a model that fills the gaps of {name} is fitted to"
    return label_learned(state, node, by, of=name, way=(fit.step,), choice="filled")


def are_of_same_source(one: RowSet, other: RowSet) -> bool:
    """Whether two sets are of the same file, or of the same part of a split."""
    return source_of(one) is source_of(other)


def source_of(rows: RowSet) -> RowSet:
    """The part of a split that rows are of, or else the data that they were selected from."""
    above = list(rows.ancestors())
    return next((part for part in above if part.role in ("train", "test")), above[-1])


def tests_for_gaps(state: AnalysisState, node: ast.expr) -> bool:
    """Whether an expression, or what one of its names was bound to, asks which values are missing."""
    definitions, tests = state.environment.definitions, state.knowledge.groups["tests-missing"]
    bound = (definitions[name] for name in names_in(node) & definitions.keys())
    return any(not names_in(code).isdisjoint(tests) for code in (node, *bound))


def keys_of_groups(state: AnalysisState, node: ast.expr) -> ast.expr | None:
    """The column by which rows are grouped: ``X["city"]`` of ``y.groupby(X["city"])``."""
    while isinstance(node, (ast.Attribute, ast.Subscript, ast.Call)):
        if isinstance(node, ast.Call) and called_name(node.func) in state.knowledge.groups["groups-rows"]:
            return node.args[0] if node.args and root_name(node.args[0]) else None
        node = node.func if isinstance(node, ast.Call) else node.value
    return None


def check_group_encoding(state: AnalysisState, node: ast.Call, data: ast.expr) -> None:
    """``frame.groupby("city")["y"].transform("mean")``: each row gets the mean label of its group, with its own label.

    A label that all rows of a group share stays a label.
    """
    targets = state.assigned_targets
    titles = {key for target in targets for key in constant_columns(state, getattr(target, "slice", target))}
    made = titles or frozenset[str]().union(*map(names_in, targets))
    of_label = are_true_labels(state, data) or state.knowledge.conforms("truth", root_name(data))
    if of_label and not any(state.knowledge.conforms("truth", title) for title in made):
        subject = root_name(keys_of_groups(state, data) or data)
        label_learned(state, node, f"{subject} is encoded with statistics of", of=subject, choice="encoded")
