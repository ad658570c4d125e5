"""Data that code scales by hand, with statistics of their own.

``X -= X.mean(axis=0)``, ``(X - X.min()) / (X.max() - X.min())``. Another zero alone is no scale.
"""

from __future__ import annotations

import ast

from cvlint.analysis.checkers.leakage.own_statistics import SCALING, SHIFTED, SMALLEST, check_own_statistic
from cvlint.analysis.checkers.leakage.true_labels import are_true_labels
from cvlint.analysis.checkers.rows.learning import learn_by_hand, scale_further
from cvlint.analysis.domain.environment import ClassValue, Function
from cvlint.analysis.domain.frozen import replace
from cvlint.analysis.domain.heap_object import Instance
from cvlint.analysis.domain.taint_label import NO_TAINT, Taint, TaintLabel
from cvlint.analysis.domain.value import Data, axes_of
from cvlint.analysis.state import AnalysisState
from cvlint.analysis.syntax import kept_in_node, nodes_in, row_keys
from cvlint.analysis.taint import add_taint, taint_at

SAMPLES_SCALED = "each sample is scaled with statistics of"


def check_augmented_scaling(state: AnalysisState, node: ast.AugAssign) -> None:
    """``X -= X.mean(axis=0)``."""
    if isinstance(node.op, ast.Sub) and (shifted := labels_of_shift(state, node.target, node.value)):
        add_taint(state, node.target, shifted)
        return
    if isinstance(node.op, (ast.Sub, ast.Div)):
        learned = check_own_statistic(state, node, node.target, node.value, SCALING)
        add_taint(state, node.target, learned)
        if learned:
            learn_by_hand(state, node, node.target, "scaled", node.value)


def check_scaling(state: AnalysisState, node: ast.BinOp) -> bool:
    """Whether an expression scales data, as ``(x - x.mean()) / x.std()`` does; if so, they have learned.

    A group that is scaled by itself, as the rows of a subject are, learns nothing from other groups.
    """
    again = any(m.step.node is node.left and m.kind == "learned" for m in state.taint)  # (x - mean) / std learns once
    if again:
        state.taint = frozenset(m for m in state.taint if m.kind != "statistic")
        scale_further(state, node)
    if again or state.frame.per_group or not isinstance(node.op, (ast.Sub, ast.Div)):
        return again
    if are_true_labels(state, node.left):
        return False
    if isinstance(node.op, ast.Sub) and labels_of_shift(state, node.left, node.right):
        return False
    learned = check_own_statistic(state, node, node.left, node.right, SCALING)
    if learned:
        learn_by_hand(state, node, node.left, "scaled", node.right)
    return bool(learned)


def labels_of_shift(state: AnalysisState, data: ast.expr, taken: ast.expr) -> Taint:
    """The labels of data that only get another zero, ``year - year.min()``: a smallest value is ``taken`` from them.

    A statistic of which it is taken, as in ``X.max() - X.min()``, is no data. Shifted data that are divided by their
    largest value are scaled.
    """
    statistics = frozenset(m for m in taint_at(state, taken) if m.kind == "statistic")
    if any(m.choice != SMALLEST for m in statistics) or any(m.kind == "statistic" for m in taint_at(state, data)):
        return NO_TAINT
    shifted = frozenset(replace(m, kind=SHIFTED) for m in statistics)
    state.taint = (state.taint - statistics) | shifted
    return shifted


def end_statistics(state: AnalysisState, node: ast.BinOp) -> None:
    """``z * X.std() + X.mean()``: what is brought back to the scale of the data is no statistic of them."""
    if not isinstance(node.op, (ast.Add, ast.Mult)):
        return
    if isinstance(node.op, ast.Add) and labels_of_shift(state, node.left, node.right):
        return  # ``age + age.min()`` has another zero
    for side in (node.left, node.right):
        is_one = any(m.kind == "statistic" for m in taint_at(state, side))
        if isinstance(side, (ast.Name, ast.Subscript)) and not is_one:
            value = state.evaluate(state, side)
            if isinstance(value, Data) and (value.origin == "prediction" or axes_of(value)):
                state.taint = frozenset(m for m in state.taint if m.kind != "statistic")


def learn_for_samples(instance: Instance, cls: ClassValue) -> None:
    """A data set computes statistics when it is made, and scales each sample with them when it is asked for it.

    Statistics that it gets from outside may be those of other data.
    """
    getter = cls.attributes.get("__getitem__")
    if not isinstance(cls.node, ast.ClassDef) or not isinstance(getter, Function):
        return
    for attribute in attributes_scaled_with(cls.node):
        found = instance.taint.get(attribute, NO_TAINT)
        own = (m for m in found if m.kind == "statistic" and cls.node in m.step.owners and is_of_all_rows(m.step.node))
        instance.taint[attribute] = found | {
            TaintLabel("learned", m.step, SAMPLES_SCALED, subject=m.subject, way=m.way, choice="scaled") for m in own
        }


def is_of_all_rows(statistic: ast.AST) -> bool:
    """Whether no key takes some of the rows of which a statistic is: ``X[train].mean(axis=0)``."""
    keys = (key for read in nodes_in(statistic, ast.Subscript) for key in row_keys(read))
    return all(isinstance(key, ast.Constant) and isinstance(key.value, str) for key in keys)


@kept_in_node
def attributes_scaled_with(cls: ast.AST) -> frozenset[str]:
    """The attributes of an object that its methods take from data, or divide them by."""
    methods = (m for m in getattr(cls, "body", ()) if isinstance(m, ast.FunctionDef) and m.name != "__init__")
    scalings = (n.right for m in methods for n in nodes_in(m, ast.BinOp) if isinstance(n.op, (ast.Sub, ast.Div)))
    read = (a for right in scalings for a in nodes_in(right, ast.Attribute))
    return frozenset(a.attr for a in read if isinstance(a.value, ast.Name) and a.value.id == "self")
