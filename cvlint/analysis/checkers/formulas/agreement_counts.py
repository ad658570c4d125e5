"""Recognise counts of "true positives" that also hold the true negatives, because they count every agreement.

``tp = K.sum(K.equal(y_true, y_pred))`` counts each sample whose label and prediction agree. `f_definition` emits the
event ``formula`` for an F of such counts; rule CVL401 reports it.
"""

from __future__ import annotations

import ast

from cvlint.analysis.state import AnalysisState
from cvlint.analysis.syntax import called_name, nodes_in
from cvlint.source.parsing import walk


def counts_agreements(state: AnalysisState, node: ast.expr) -> bool:
    """Whether ``K.sum(K.equal(y_true, y_pred))`` counts all agreements, and not those of class 1 alone."""
    pairs = equality_pairs(node)
    restriction = ast.Subscript | ast.BitAnd | ast.Mult | ast.And
    is_restricted = any(
        isinstance(n, restriction) or (isinstance(n, ast.Call) and "and" in called_name(n.func)) for n in walk(node)
    )
    if len(pairs) != 1 or is_restricted or not are_truth_and_prediction(state, *pairs[0]):
        return False
    comparisons = [n for kind in (ast.Compare, ast.Call) for n in nodes_in(state.frame.node, kind)]
    other_pairs = [pair for n in comparisons for pair in equality_pairs(n)]
    return any(isinstance(b, ast.Constant) and b.value == 1 and label_kinds(state, a) for a, b in other_pairs)


def equality_pairs(node: ast.AST) -> list[tuple[ast.expr, ast.expr]]:
    """The pairs of expressions that an expression compares for equality."""
    found = []
    for child in walk(node):
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
    """Whether a name is one of true labels, of predictions, or of either."""
    kinds = ("truth", "prediction")
    if not isinstance(node, ast.Name) or isinstance(state.environment.definitions.get(node.id), ast.Subscript):
        return set()  # a subscript takes some rows, of one class perhaps
    return {kind for kind in kinds if state.knowledge.conforms(kind, node.id)}
