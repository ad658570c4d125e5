"""What is called F and is not F.

``f1 = (p + r) / 2``, ``f2 = 3 * p * r / (2 * p + r)``. An expression is read as a formula of precision, recall, beta
and counts, and computed for some counts. Where it agrees with a well-known mistake for all of them, and with F for
none, it is no F, however it is written (Sasaki 2007, sections 2 and 3). Event ``formula`` with ``shape="wrong"``:
CVL401.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Callable, Mapping, Sequence

from cvlint.analysis.checkers.formulas.agreement_counts import counts_agreements
from cvlint.analysis.checkers.formulas.formula_evaluation import EvaluationPoint, FormulaEvaluator, NotAFormula
from cvlint.analysis.checkers.formulas.terms import last_name, unwrap
from cvlint.analysis.domain.value import LibraryName, Measure
from cvlint.analysis.events import Event
from cvlint.analysis.state import AnalysisState
from cvlint.analysis.syntax import called_name, nodes_in
from cvlint.source.module import Source

BETA_NOT_SQUARED = "F with a beta that is not squared"
HALF_OF_F = "half of F"
JACCARD_INDEX = "the Jaccard index"
DEFINED = ("f-measure", "precision", "true-positives")
NO_FORMULAS = frozenset((ast.Constant, ast.Name, ast.Subscript))


def weighted_quotient(point: EvaluationPoint, top: float, at_precision: float, at_recall: float) -> float:
    """``top * P * R / (at_precision * P + at_recall * R)``, the form that F and its mistakes share."""
    p, r = point.precision, point.recall
    return top * p * r / (at_precision * p + at_recall * r)


def f_beta(point: EvaluationPoint) -> float:
    """F_beta = (1 + beta^2) P R / (beta^2 P + R) (Sasaki 2007, section 3)."""
    squared = point.beta**2
    return weighted_quotient(point, 1 + squared, squared, 1)


def harmonic_mean(one: float, other: float) -> float:
    """2 a b / (a + b)."""
    return 2 * one * other / (one + other)


MISTAKES: Mapping[str, tuple[Callable[[EvaluationPoint], float], ...]] = {
    "the arithmetic mean of precision and recall": (lambda q: (q.precision + q.recall) / 2,),
    "the geometric mean of precision and recall": (lambda q: math.sqrt(q.precision * q.recall),),
    "the harmonic mean of accuracy and recall": (lambda q: harmonic_mean(q.accuracy, q.recall),),
    "the harmonic mean of accuracy and precision": (lambda q: harmonic_mean(q.accuracy, q.precision),),
    "the harmonic mean of recall and specificity": (lambda q: harmonic_mean(q.recall, 1 - q.fpr),),
    "the harmonic mean of precision and specificity": (lambda q: harmonic_mean(q.precision, 1 - q.fpr),),
    "a sum that lacks the brackets around its divisor": (lambda q: 3 * q.recall, lambda q: 3 * q.precision),
    HALF_OF_F: (lambda q: f_beta(q) / 2,),
    "2 P R / max(P + R, 1), which is too small wherever P + R is below 1": (
        lambda q: 2 * q.precision * q.recall / max(q.precision + q.recall, 1),
    ),
    JACCARD_INDEX: (lambda q: q.tp / (q.tp + q.fp + q.fn),),
    BETA_NOT_SQUARED: (
        lambda q: weighted_quotient(q, 1 + q.beta, q.beta, 1),
        lambda q: weighted_quotient(q, 1 + q.beta**2, q.beta, 1),
        lambda q: weighted_quotient(q, 1 + q.beta, q.beta**2, 1),
    ),
    "F with beta at recall, where it belongs to precision": (
        lambda q: weighted_quotient(q, 1 + q.beta**2, 1, q.beta**2),
        lambda q: weighted_quotient(q, 1 + q.beta, 1, q.beta),
    ),
}


def check_definition(state: AnalysisState, name: str, node: ast.expr) -> None:
    """A name is bound: what is called F is compared with F, what is called precision with precision."""
    if type(node) in NO_FORMULAS or not state.knowledge.those_followed(DEFINED, name):
        return
    kind = state.knowledge.measure_named(name)
    if kind == "f-measure" or (kind == "precision" and "balanced" not in name.lower()):
        for branch in branches_of(node):
            mistake = alpha_given_as_beta(name, branch) if kind == "f-measure" else ""
            if mistake := mistake or known_mistake(state, kind, name, branch):
                record_wrong_formula(state, Measure(kind, None, name), mistake, quotient_in(branch))
    elif (
        state.knowledge.conforms("true-positives", name) and "tn" not in name.lower() and counts_agreements(state, node)
    ):
        record_wrong_formula(state, Measure("counts", None, name), "the number of all agreements", node)


def record_wrong_formula(
    state: AnalysisState, measure: Measure, mistake: str, node: ast.expr, source: Source | None = None
) -> None:
    """Record that what is called a measure is something else: once, whoever calls it so."""
    if node in state.called_wrong:
        return
    state.called_wrong.add(node)
    facts = {"shape": "wrong", "what": mistake, "guarded": "yes", "chain": ()}
    note = f"{measure} is written out by hand here"
    state.record(
        Event(
            "formula",
            source or state.environment.module.source,
            node,
            measure,
            trace=state.call_trace(),
            note=note,
            facts=facts,
        )
    )


def branches_of(node: ast.expr) -> list[ast.expr]:
    """What an expression may be: both branches of a conditional one, the body of a lambda."""
    match node:
        case ast.IfExp(body=body, orelse=orelse):
            return [*branches_of(body), *branches_of(orelse)]
        case ast.Lambda(body=body):
            return branches_of(body)
        case ast.Call(func=ast.Attribute(attr="where"), args=[_, one, other]):
            return [*branches_of(one), *branches_of(other)]
        case _:
            return [node]


def quotient_in(node: ast.expr) -> ast.expr:
    """The division in ``(1 + b2) * (p * r / (b2 * p + r))``, where other rules see the formula."""
    inner = unwrap(node)[0]
    while isinstance(inner, ast.BinOp) and isinstance(inner.op, ast.Mult):
        inner = inner.right if isinstance(unwrap(inner.right)[0], ast.BinOp) else inner.left
    return inner if isinstance(inner, ast.BinOp) and isinstance(inner.op, ast.Div) else node


def known_mistake(state: AnalysisState, kind: str, name: str, node: ast.expr) -> str:
    """The mistake that a formula makes; empty where it makes none that is known."""
    if not isinstance(unwrap(node)[0], (ast.BinOp, ast.Call)):
        return ""
    beta = beta_in_name(name)
    points = [
        EvaluationPoint(31, 7, 19, 101, beta or 1.7),
        EvaluationPoint(5, 11, 2, 83, beta or 0.6),
        EvaluationPoint(13, 29, 41, 17, beta or 2.3),
    ]
    try:
        evaluator = FormulaEvaluator(state)
        values = [evaluator.evaluate(node, point) for point in points]
    except (NotAFormula, ArithmeticError, ValueError, TypeError):
        return ""
    if not beta and not evaluator.roles & {"beta", "beta-squared"}:
        points = [EvaluationPoint(q.tp, q.fp, q.fn, q.tn, 1.0) for q in points]
    if kind == "precision":
        precision_of_rates = [q.recall / (q.recall + q.fpr) for q in points]
        is_mistake = agree(values, precision_of_rates) and not weighs_rates(state, evaluator, name, points)
        return "TPR / (TPR + FPR)" if is_mistake else ""
    if not evaluator.roles & {"precision", "recall", "true-positives"} or agree(values, [f_beta(q) for q in points]):
        return ""
    for mistake, forms in MISTAKES.items():
        if any(agree(values, [form(q) for q in points]) for form in forms):
            is_excused = (mistake in (HALF_OF_F, JACCARD_INDEX) and is_calculated_with(state, name)) or (
                mistake == BETA_NOT_SQUARED and evaluator.may_be_squared
            )
            return "" if is_excused else mistake
    return ""


def weighs_rates(
    state: AnalysisState, evaluator: FormulaEvaluator, name: str, points: Sequence[EvaluationPoint]
) -> bool:
    """Whether the function weighs the rates of what is called precision by a setting, such as a stated prevalence.

    One of several branches may leave it out: ``if prevalence != 0.5: …``, ``else: precision = tpr / (tpr + fpr)``.
    """
    for assignment in nodes_in(state.frame.node, ast.Assign):
        if any(last_name(target) == name for target in assignment.targets):
            names = [n for n in nodes_in(assignment.value, ast.Name) if is_quantity(state, evaluator, n)]
            try:
                values = [{evaluator.evaluate(n, point) for point in points} for n in names]
            except (NotAFormula, ArithmeticError, ValueError, TypeError):
                return True
            if any(len(found) == 1 for found in values):
                return True
    return False


def is_quantity(state: AnalysisState, evaluator: FormulaEvaluator, node: ast.Name) -> bool:
    """Whether a name in a formula is neither that of a function nor an epsilon; what is calculated is none."""
    is_function = isinstance(state.environment.lookup(node.id), (LibraryName, type(None)))
    is_calculated = isinstance(state.environment.definitions.get(node.id), ast.BinOp)
    return not is_function and (is_calculated or evaluator.role(node) != "small")


def is_calculated_with(state: AnalysisState, name: str) -> bool:
    """Whether the function under evaluation goes on to calculate with what is called F."""
    sums = (side for n in nodes_in(state.frame.node, ast.BinOp) for side in (n.left, n.right))
    products = (a for n in nodes_in(state.frame.node, ast.Call) if called_name(n.func) == "multiply" for a in n.args)
    return any(last_name(side) == name for side in (*sums, *products))


def agree(one: list[float], other: list[float]) -> bool:
    """Whether two formulas have the same values, but for an epsilon."""
    return all(math.isclose(a, b, rel_tol=1e-4) for a, b in zip(one, other, strict=True))


def beta_in_name(name: str) -> float:
    """The beta in a name, ``f2_score`` or ``f0_5``; 0 where there is none."""
    match = re.search(r"(?:^|_)f(?:beta)?_?(0_?\d|[12])(?=_|$|s)", name.lower().replace(".", "_"))
    if match is None:
        return 0.0
    digits = match.group(1).replace("_", "")
    return float(digits) if len(digits) == 1 else float(f"0.{digits[1:]}")


def alpha_given_as_beta(name: str, node: ast.expr) -> str:
    """``f1 = fbeta_score(y, p, beta=0.5)``: a half is the alpha of F1, whose beta is 1."""
    match node:
        case ast.Call(func=ast.Name(id=called) | ast.Attribute(attr=called)) if "fbeta" in called.lower():
            betas = [k.value for k in node.keywords if k.arg == "beta"]
        case _:
            return ""
    is_half = any(isinstance(g, ast.Constant) and g.value == 0.5 for g in betas)
    is_named_f1 = beta_in_name(name) == 1 and "beta" not in name.lower()
    return "F with alpha, 0.5, given as beta" if is_half and is_named_f1 else ""
