"""Mean labels of groups: a column that is encoded with them has learned from the labels of all rows.

``X["city"].map(y.groupby(X["city"]).mean())``, ``frame.groupby("city")["y"].transform("mean")``.
"""

from __future__ import annotations

import ast

from cvlint.analysis.checkers.leakage.learned import label_learned
from cvlint.analysis.checkers.leakage.true_labels import are_true_labels
from cvlint.analysis.state import AnalysisState
from cvlint.analysis.syntax import called_name, names_in, root_name
from cvlint.analysis.taint import constant_columns


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
