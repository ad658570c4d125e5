"""Areas under curves that are written out by hand, of points that were counted by hand; distances of their points.

``np.sum((fpr[1:] - fpr[:-1]) * (tpr[1:] + tpr[:-1])) / 2``: a step along one coordinate times the height of the other.
What the coordinates are, their taint labels say, through whatever sorts, stacks and slices them. Event ``measure``:
CVL201, CVL202.
"""

from __future__ import annotations

import ast

from cvlint.analysis.checkers.formulas.terms import operands
from cvlint.analysis.domain.axis import NO_AXES, Axes
from cvlint.analysis.domain.frozen import replace
from cvlint.analysis.domain.lattice import measures_in
from cvlint.analysis.domain.taint_label import Taint, TaintLabel
from cvlint.analysis.domain.value import AnyValue, Measure, MeasureValue
from cvlint.analysis.state import AnalysisState
from cvlint.analysis.syntax import called_name, is_same_code, names_in, nodes_in
from cvlint.analysis.taint import taint_at

ROC_AUC = Measure("roc-auc", None, "ROC AUC")
AREA_UNDER_PR = Measure("average-precision", None, "the area under the PR curve")
DIFFERENCES = ("diff", "ediff1d")
SQUARES = ("square", "hypot", "norm", "pow", "power", "euclidean")


def relabelled(labels: Taint, made: MeasureValue, under_way: Axes) -> Taint:
    """The labels of what a formula makes a measure of: of counts, or of a precision and a recall.

    Of counts at many thresholds it makes a curve. Counts that a loop added up, and that is not ``under_way`` any more,
    give one measure of all that the loop went through.
    """
    kept = under_way.union(made.axes, *made.along)
    found = []
    for label in labels:
        if label.choice in ("counts", ""):
            kind, axes = kind_of_measured(label), label.axes & (kept | label.swept)
            label = replace(label, cause=str(made.measure), choice=kind, axes=axes, turning=label.turning & axes)
        found.append(label)
    return frozenset(found)


def kind_of_measured(label: TaintLabel) -> str:
    """What a formula makes of counts: the points of a curve, at many thresholds; at none, a plain measure."""
    if is_along_thresholds(label.swept):
        return "curve"
    return label.choice if label.swept else ""


def is_along_thresholds(swept: frozenset[object]) -> bool:
    """Whether an array holds the thresholds, and no loop."""
    return any(getattr(axis, "kind", "") == "threshold" for axis in swept)


def area_of_product(state: AnalysisState, node: ast.BinOp, *sides: AnyValue) -> MeasureValue | None:
    """The area that the product of a step and a height gives, if both come from counts at many thresholds."""
    if not state.computed_measures:
        return None
    factors = [without_transposition(f) for f in (*operands(node, ast.Mult), *operands(node, ast.MatMult))]
    steps = [factor for factor in factors if is_step(factor)]
    heights = [
        factor for factor in factors if factor not in steps and not isinstance(factor, (ast.Constant, ast.BinOp))
    ]
    heights += [factor for factor in factors if isinstance(factor, ast.BinOp) and is_height(factor)]
    if len(steps) != 1 or not heights:
        return None
    labels = (found.labels for side in sides for found in measures_in(side))
    return area_of_points(state, node, taint_at(state, *steps, *heights).union(*labels))


def area_of_points(state: AnalysisState, node: ast.AST, taint: Taint) -> MeasureValue | None:
    """The area under points with these labels: over recall, if precision is among them, and else over the FPR."""
    labels = [m for m in taint if m.kind == "measured" and m.swept and m.cause in ("precision", "recall")]
    causes = {label.cause for label in labels}
    if "recall" not in causes:
        return None
    measure = AREA_UNDER_PR if "precision" in causes else ROC_AUC
    pooled = NO_AXES.union(*(label.pooled for label in labels))
    step = state.step(node, f"{measure} is computed here")
    state.emit("measure", node, measure, pooled, (step,), scores="scores")
    own = {replace(m, step=step, cause=str(measure), choice="area", swept=NO_AXES) for m in labels}
    state.taint = frozenset(m for m in state.taint if m.kind != "measured") | own
    value = MeasureValue(state.ongoing_axes(NO_AXES), (), (step,), measure, pooled=pooled, labels=frozenset(own))
    state.note_measure(value)
    return value


def without_transposition(node: ast.expr) -> ast.expr:
    """``x`` of ``x.T``; of ``(a + b) / 2``, the sum."""
    match node:
        case ast.Attribute(value=inner, attr="T"):
            return without_transposition(inner)
        case ast.BinOp(left=inner, op=ast.Div(), right=ast.Constant()):
            return without_transposition(inner)
        case _:
            return node


def is_step(node: ast.expr) -> bool:
    """Whether an expression is the way from each point to the next: ``x[1:] - x[:-1]``, ``x[i] - x[i - 1]``."""
    match node:
        case ast.BinOp(left=left, op=ast.Sub(), right=right):
            return are_shifted(left, right)
        case ast.Call(func=function):
            return called_name(function) in DIFFERENCES
        case _:
            return False


def is_height(node: ast.BinOp) -> bool:
    """Whether an expression is the sum of the heights of each point and the next."""
    return isinstance(node.op, ast.Add) and are_shifted(node.left, node.right)


def are_shifted(one: ast.expr, other: ast.expr) -> bool:
    """Whether two expressions take neighbouring entries of the same array."""
    match (one, other):
        case (ast.Subscript(value=first, slice=key), ast.Subscript(value=second, slice=next_key)):
            return is_same_code(first, second) and not is_same_code(key, next_key)
        case _:
            return False


def is_difference(state: AnalysisState, node: ast.expr) -> bool:
    """Whether an expression says how far two values are apart: ``max(upper - auc, auc - lower)`` chooses no result."""
    definition = state.environment.definitions.get(node.id) if isinstance(node, ast.Name) else node
    return isinstance(definition, ast.BinOp) and isinstance(definition.op, ast.Sub)


def is_distance(state: AnalysisState, node: ast.AST) -> bool:
    """Whether the least of squared distances is taken: ``np.argmin((1 - tpr) ** 2 + fpr ** 2)``, the nearest corner.

    The least difference of two rates is where they are equal, and no optimum.
    """
    compared = node.args[0] if isinstance(node, ast.Call) and node.args else None
    if isinstance(compared, ast.Name):
        compared = state.environment.definitions.get(compared.id)
    if compared is None:
        return False
    is_squared = any(isinstance(power.op, ast.Pow) for power in nodes_in(compared, ast.BinOp))
    return is_squared or not names_in(compared).isdisjoint(SQUARES)
