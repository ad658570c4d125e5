"""Is what is called F the F-measure? A formula is computed for some results, and compared with F and its mistakes.

An expression is read as a formula of precision, recall, beta and counts. What agrees with a well-known mistake at every
point, and with F at none, is no F, however it is written (Sasaki 2007, sections 2 and 3).
"""

from __future__ import annotations

import ast
import math
import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from cvlint.analysis.checkers.agreement_counts import counts_agreements
from cvlint.analysis.checkers.formulas import last_name, unwrap
from cvlint.analysis.domain.lattice import options
from cvlint.analysis.domain.value import Measure, MeasureValue
from cvlint.analysis.events import Event
from cvlint.analysis.state import AnalysisState
from cvlint.analysis.syntax import called_name, nodes_in

MOST_NAMES = 6
BETA_NOT_SQUARED = "F with a beta that is not squared"
HALF_OF_F = "half of F"
JACCARD_INDEX = "the Jaccard index"
OPERATORS: Mapping[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}
FUNCTIONS: Mapping[str, Callable[..., float]] = {
    "square": lambda x: x * x,
    "sqrt": math.sqrt,
    "pow": pow,
    "power": pow,
    "divide": operator.truediv,
    "multiply": operator.mul,
    "add": operator.add,
    "round": lambda x, *_: x,
    "nan_to_num": lambda x, *_: x,
}
ROLES = ("beta-squared", "beta", "true-positives", "false-positives", "false-negatives", "precision", "recall")
ROLES_OF_ONE_LETTER = ("bare-precision", "bare-recall")


class NotAFormula(Exception):
    """An expression is no formula of what is known at a point."""


@dataclass(frozen=True, slots=True)
class EvaluationPoint:
    """The result of a classifier: counts, and the beta that is asked for."""

    tp: float
    fp: float
    fn: float
    tn: float
    beta: float

    @property
    def precision(self) -> float:
        """TP / (TP + FP)."""
        return self.tp / (self.tp + self.fp)

    @property
    def recall(self) -> float:
        """TP / (TP + FN)."""
        return self.tp / (self.tp + self.fn)

    @property
    def fpr(self) -> float:
        """FP / (FP + TN)."""
        return self.fp / (self.fp + self.tn)


def weighted_quotient(point: EvaluationPoint, top: float, at_precision: float, at_recall: float) -> float:
    """``top * P * R / (at_precision * P + at_recall * R)``, the form that F and its mistakes share."""
    p, r = point.precision, point.recall
    return top * p * r / (at_precision * p + at_recall * r)


def f_beta(point: EvaluationPoint) -> float:
    """F_beta = (1 + beta^2) P R / (beta^2 P + R) (Sasaki 2007, section 3)."""
    squared = point.beta**2
    return weighted_quotient(point, 1 + squared, squared, 1)


MISTAKES: Mapping[str, tuple[Callable[[EvaluationPoint], float], ...]] = {
    "the arithmetic mean of precision and recall": (lambda q: (q.precision + q.recall) / 2,),
    "the geometric mean of precision and recall": (lambda q: math.sqrt(q.precision * q.recall),),
    "a sum that lacks the brackets around its divisor": (lambda q: 3 * q.recall, lambda q: 3 * q.precision),
    HALF_OF_F: (lambda q: f_beta(q) / 2,),
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
    """Something is given a name: what is called F is compared with F, what is called precision with precision."""
    kind = state.knowledge.measure_named(name)
    if kind == "f-measure" or (kind == "precision" and "balanced" not in name.lower()):
        for arm in branches_of(node):
            what = alpha_given_as_beta(name, arm) if kind == "f-measure" else ""
            if what := what or known_mistake(state, kind, name, arm):
                record_wrong_formula(state, Measure(kind, None, name), what, quotient_in(arm))
    elif (
        state.knowledge.conforms("true-positives", name) and "tn" not in name.lower() and counts_agreements(state, node)
    ):
        record_wrong_formula(state, Measure("counts", None, name), "the number of all agreements", node)


def record_wrong_formula(state: AnalysisState, measure: Measure, what: str, node: ast.expr) -> None:
    """Record that what is called a measure is something else."""
    facts = {"shape": "wrong", "what": what, "guarded": "yes", "chain": ()}
    note = f"{measure} is written out by hand here"
    state.record(
        Event("formula", state.environment.module, node, measure, trace=state.call_trace(), note=note, facts=facts)
    )


def branches_of(node: ast.expr) -> list[ast.expr]:
    """What an expression may be: both arms of a conditional one, the body of a lambda."""
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
    if not isinstance(unwrap(node)[0], ast.BinOp | ast.Call):
        return ""
    beta = beta_in_name(name)
    points = [
        EvaluationPoint(31, 7, 19, 101, beta or 1.7),
        EvaluationPoint(5, 11, 2, 83, beta or 0.6),
        EvaluationPoint(13, 29, 41, 17, beta or 2.3),
    ]
    try:
        reader = FormulaEvaluator(state)
        found = [reader.worth(node, point) for point in points]
    except (NotAFormula, ArithmeticError, ValueError, TypeError):
        return ""
    if not beta and not reader.seen & {"beta", "beta-squared"}:
        points = [EvaluationPoint(q.tp, q.fp, q.fn, q.tn, 1.0) for q in points]
    if kind == "precision":
        rates = [q.recall / (q.recall + q.fpr) for q in points]
        return "TPR / (TPR + FPR)" if agree(found, rates) else ""
    if not reader.seen & {"precision", "recall", "true-positives"} or agree(found, [f_beta(q) for q in points]):
        return ""
    for what, forms in MISTAKES.items():
        if any(agree(found, [form(q) for q in points]) for form in forms):
            excused = (what in (HALF_OF_F, JACCARD_INDEX) and is_calculated_with(state, name)) or (
                what == BETA_NOT_SQUARED and reader.held
            )
            return "" if excused else what
    return ""


def is_calculated_with(state: AnalysisState, name: str) -> bool:
    """Whether the function around goes on to calculate with what was called F."""
    sums = (side for n in nodes_in(state.frame.node, ast.BinOp) for side in (n.left, n.right))
    products = (a for n in nodes_in(state.frame.node, ast.Call) if called_name(n.func) == "multiply" for a in n.args)
    return any(last_name(side) == name for side in (*sums, *products))


def agree(one: list[float], other: list[float]) -> bool:
    """Whether two formulas agree at all points, but for an epsilon."""
    return all(math.isclose(a, b, rel_tol=1e-4) for a, b in zip(one, other, strict=True))


def beta_in_name(name: str) -> float:
    """The beta that a name speaks of, ``f2_score`` or ``f0_5``; 0 where it does not."""
    found = re.search(r"(?:^|_)f(?:beta)?_?(0_?\d|[12])(?=_|$|s)", name.lower().replace(".", "_"))
    if found is None:
        return 0.0
    digits = found.group(1).replace("_", "")
    return float(digits) if len(digits) == 1 else float(f"0.{digits[1:]}")


def alpha_given_as_beta(name: str, node: ast.expr) -> str:
    """``f1 = fbeta_score(y, p, beta=0.5)``: a half is the alpha of F1, whose beta is 1."""
    match node:
        case ast.Call(func=ast.Name(id=called) | ast.Attribute(attr=called)) if "fbeta" in called.lower():
            given = [k.value for k in node.keywords if k.arg == "beta"]
        case _:
            return ""
    half = any(isinstance(g, ast.Constant) and g.value == 0.5 for g in given)
    named_one = beta_in_name(name) == 1 and "beta" not in name.lower()
    return "F with alpha, 0.5, given as beta" if half and named_one else ""


class FormulaEvaluator:
    """Reads formulas; ``seen`` are the roles of what was read."""

    def __init__(self, state: AnalysisState) -> None:
        self.state = state
        self.seen: set[str] = set()
        self.held = False  # by an attribute, or a parameter: what is called beta may be its square
        self.within: ast.expr | None = None

    def worth(self, node: ast.expr, point: EvaluationPoint, depth: int = MOST_NAMES) -> float:
        """The worth of an expression at a point."""
        match unwrap(node)[0]:
            case ast.Constant(value=int() | float() as number):
                return float(number)
            case ast.BinOp(left=left, op=op, right=right) if type(op) in OPERATORS:
                return OPERATORS[type(op)](self.worth(left, point, depth), self.worth(right, point, depth))
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return -self.worth(operand, point, depth)
            case (
                ast.Call(
                    func=ast.Name(id="mean" | "average") | ast.Attribute(attr="mean" | "average"),
                    args=[ast.List(elts=parts) | ast.Tuple(elts=parts)],
                )
                | ast.Call(func=ast.Attribute(value=ast.Call(args=[ast.List(elts=parts)]), attr="mean"), args=[])
            ):
                return sum(self.worth(part, point, depth) for part in parts) / len(parts)
            case ast.Call(func=ast.Attribute(attr="mean"), args=[ast.BinOp() as inner]):
                return self.worth(inner, point, depth)
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=args) if name in FUNCTIONS:
                return FUNCTIONS[name](*(self.worth(argument, point, depth) for argument in args))
            case ast.Name() | ast.Attribute() | ast.Subscript() | ast.Call() as leaf:
                return self.leaf(leaf, point, depth)
            case _:
                raise NotAFormula

    def leaf(self, node: ast.expr, point: EvaluationPoint, depth: int) -> float:
        """The worth of a name: by its role, or of what it was bound to."""
        role = self.role(node)
        definition = self.state.environment.definitions.get(node.id) if isinstance(node, ast.Name) else None
        match definition:
            case ast.Constant(value=int() | float() as number) if role == "beta" and (number == 1 or number < 0.5):
                return float(number)  # of 1 every form is right, and of 0.3 one writes the square
            case ast.BinOp() if role in ("", "beta") and depth and definition is not self.within:
                outer, self.within = self.within, definition  # ``beta = beta**2`` is told by the first beta
                try:
                    return self.worth(definition, point, depth - 1)
                finally:
                    self.within = outer
        if role:
            self.seen.add(role)
            self.held |= role == "beta" and (isinstance(node, ast.Attribute) or self.is_small_by_default(node))
            return quantity_at(role, point)
        if definition is None or not depth:
            raise NotAFormula
        return self.worth(definition, point, depth - 1)

    def is_small_by_default(self, node: ast.expr) -> bool:
        """Whether a parameter stands at a number below a half, which can only be the square of a beta that one uses."""
        code = self.state.frame.node
        if not isinstance(code, ast.FunctionDef) or not isinstance(node, ast.Name):
            return False
        given = dict(zip(reversed([a.arg for a in code.args.args]), reversed(code.args.defaults), strict=False))
        default = given.get(node.id)
        return isinstance(default, ast.Constant) and isinstance(default.value, float) and default.value < 0.5

    def role(self, node: ast.expr) -> str:
        """Which quantity an expression names; empty where it is none."""
        known, name = self.state.knowledge, last_name(node)
        if isinstance(node, ast.Call):
            made = (v.measure.kind for v in self.state.computed_measures if v.trace and v.trace[-1].node is node)
            return "small" if known.conforms("small", called_name(node.func)) else next(made, "")
        for value in options(self.state.environment.lookup(node.id)) if isinstance(node, ast.Name) else ():
            if isinstance(value, MeasureValue) and value.measure.kind in ("precision", "recall", "fpr"):
                return value.measure.kind
        if known.conforms("small", name):
            return "small"
        if name.lower() in ("fpr", "fprs"):
            return "fpr"
        found = next((role for role in (*ROLES, *ROLES_OF_ONE_LETTER) if known.conforms(role, name)), "")
        return found.removeprefix("bare-")


def quantity_at(role: str, point: EvaluationPoint) -> float:
    """The worth of a quantity at a point."""
    match role:
        case "precision":
            return point.precision
        case "recall":
            return point.recall
        case "fpr":
            return point.fpr
        case "beta":
            return point.beta
        case "beta-squared":
            return point.beta**2
        case "true-positives":
            return point.tp
        case "false-positives":
            return point.fp
        case "false-negatives":
            return point.fn
        case _:
            return 0.0
