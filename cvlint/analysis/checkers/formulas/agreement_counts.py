"""Agreements."""

from __future__ import annotations

import ast

from cvlint.analysis.state import AnalysisState
from cvlint.analysis.syntax import called_name, nodes_in


def counts_agreements(state: AnalysisState, node: ast.expr) -> bool:
    """``tp = K.sum(K.equal(y_true, y_pred))`` beside counts of 1: true negatives agree as well."""
    found = equality_pairs(node)
    narrowing = ast.Subscript | ast.BitAnd | ast.Mult | ast.And
    restricted = any(
        isinstance(n, narrowing) or (isinstance(n, ast.Call) and "and" in called_name(n.func)) for n in ast.walk(node)
    )
    if len(found) != 1 or restricted or not are_truth_and_prediction(state, *found[0]):
        return False
    function = [n for kind in (ast.Compare, ast.Call) for n in nodes_in(state.frame.node, kind)]
    pairs = [pair for n in function for pair in equality_pairs(n)]
    return any(isinstance(b, ast.Constant) and b.value == 1 and label_kinds(state, a) for a, b in pairs)


def equality_pairs(node: ast.AST) -> list[tuple[ast.expr, ast.expr]]:
    """The pairs that are compared for equality in an expression."""
    found = []
    for child in ast.walk(node):
        match child:
            case ast.Compare(left=left, ops=[ast.Eq()], comparators=[right]):
                found.append((left, right))
            case ast.Call(func=ast.Name(id="equal") | ast.Attribute(attr="equal"), args=[left, right]):
                found.append((left, right))
    return found


def are_truth_and_prediction(state: AnalysisState, one: ast.expr, other: ast.expr) -> bool:
    """Whether two expressions name true labels and predictions, in either order."""
    return any(
        "truth" in label_kinds(state, a) and "prediction" in label_kinds(state, b)
        for a, b in ((one, other), (other, one))
    )


def label_kinds(state: AnalysisState, node: ast.expr) -> set[str]:
    """Whether an expression names true labels, predictions or, by its name, either."""
    kinds = ("truth", "prediction")
    if not isinstance(node, ast.Name) or isinstance(state.environment.definitions.get(node.id), ast.Subscript):
        return set()  # some rows of them, of one class perhaps
    return {kind for kind in kinds if state.knowledge.conforms(kind, node.id)}
