"""True labels by their use, whatever they are called: what a measure is computed on beside predictions.

In ``f1_score(outcome[test], model.predict(X[test]))`` the true labels are ``outcome``, and in
``truth_of_fold = outcome[test]; roc_auc_score(truth_of_fold, scores)`` they are both.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from cvlint.analysis.kept import kept_for_file
from cvlint.analysis.state import AnalysisState
from cvlint.analysis.syntax import called_name, names_bound_by, nodes_in, root_name

FOLLOWED = 3  # so many assignments lead from labels that are measured to the labels that they are a part of


def are_labels(state: AnalysisState, name: str) -> bool:
    """Whether a name says that it holds true labels, or the code of the present file uses it so."""
    if state.knowledge.conforms("truth", name):
        return True
    return name in measured_labels(state.environment.module.source.tree, state.knowledge.measures_of_labels)


@kept_for_file(16)
def measured_labels(code: ast.AST, measures: frozenset[str]) -> frozenset[str]:
    """The names of what measures get as true labels, and of what these are a part of."""
    found = {name for call in nodes_in(code, ast.Call) if called_name(call.func) in measures for name in truth_of(call)}
    parts = [pair for statement in nodes_in(code, ast.Assign) for pair in parts_bound(statement)]
    for _ in range(FOLLOWED):
        found |= {whole for part, whole in parts if part in found}
    return frozenset(found - {""})


def truth_of(call: ast.Call) -> Iterator[str]:
    """The name of what a call of a measure gets as true labels."""
    given = [k.value for k in call.keywords if k.arg == "y_true"] or call.args[:1]
    for node in given:
        yield root_name(node)


def parts_bound(statement: ast.Assign) -> Iterator[tuple[str, str]]:
    """The names that an assignment binds to parts of data, ``part = whole[test]``, each with the name of the whole."""
    for name, value in names_bound_by(statement):
        if isinstance(value, (ast.Subscript, ast.Attribute)):
            yield name.id, root_name(value)
