"""True labels by their use, whatever they are called: what a measure is computed on beside predictions.

In ``f1_score(outcome[test], model.predict(X[test]))`` the true labels are ``outcome``, and in
``truth_of_fold = outcome[test]; roc_auc_score(truth_of_fold, scores)`` they are both. In ``y = frame["outcome"]`` they
are the column ``outcome``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from cvlint.analysis.kept import kept_for_file
from cvlint.analysis.state import AnalysisState
from cvlint.analysis.syntax import called_name, names_bound_by, nodes_in, root_name
from cvlint.analysis.taint import DATA_ATTRIBUTES

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


def is_title_of_labels(state: AnalysisState, title: str) -> bool:
    """Whether the title of a column says that it holds true labels, or the present file takes them from there."""
    if state.knowledge.conforms("truth", title):
        return True
    return any(
        found == title and state.knowledge.conforms("truth", name)
        for name, found in titles_taken(state.environment.module.source.tree)
    )


@kept_for_file(16)
def titles_taken(code: ast.AST) -> frozenset[tuple[str, str]]:
    """The names that get a column of a frame, each with its title: ``y = frame["outcome"].values``.

    In ``X_train, X_test, y_train, y_test = divided(frame[columns], frame["outcome"])`` each argument gives two names.
    """
    pairs = [pair for statement in nodes_in(code, ast.Assign) for pair in columns_bound(statement)]
    return frozenset((name, title) for name, value in pairs if (title := title_of_column(value)))


def columns_bound(statement: ast.Assign) -> Iterator[tuple[str, ast.expr]]:
    """The names that an assignment binds, each with the data that it gets or gets a part of."""
    for name, value in names_bound_by(statement):
        yield name.id, value
    match statement:
        case ast.Assign(targets=[ast.Tuple(elts=parts)], value=ast.Call(args=given)) if len(parts) == 2 * len(given):
            for place, part in enumerate(parts):
                if isinstance(part, ast.Name):
                    yield part.id, given[place // 2]


def title_of_column(node: ast.expr) -> str:
    """The title of the column that an expression takes from a frame, converted perhaps; empty for other data."""
    while True:
        match node:
            case ast.Subscript(slice=ast.Constant(value=str() as title)):
                return title
            case ast.Call(func=ast.Attribute(value=ast.Name() | ast.Call()), args=[inner, *_]):
                node = inner  # ``np.array(frame["outcome"])``, ``LabelEncoder().fit_transform(frame["outcome"])``
            case ast.Call(func=ast.Attribute(value=inner)) | ast.Attribute(value=ast.Subscript() | ast.Call() as inner):
                node = inner  # ``frame["outcome"].astype(int).values``
            case ast.Attribute(value=ast.Attribute() as inner, attr=attr) if attr in DATA_ATTRIBUTES:
                node = inner
            case ast.Attribute(value=ast.Name(), attr=title):
                return title
            case _:
                return ""


def parts_bound(statement: ast.Assign) -> Iterator[tuple[str, str]]:
    """The names that an assignment binds to parts of data, ``part = whole[test]``, each with the name of the whole."""
    for name, value in names_bound_by(statement):
        if isinstance(value, (ast.Subscript, ast.Attribute)):
            yield name.id, root_name(value)
