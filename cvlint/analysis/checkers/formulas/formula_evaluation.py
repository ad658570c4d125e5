"""Formulas of precision, recall, beta and counts, evaluated for given counts.

``(1 + beta**2) * p * r / (beta**2 * p + r)`` for TP = 31, FP = 7, FN = 19, TN = 101 and beta = 1.7: names are read by
their roles, and other names by what they are bound to.
"""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Mapping

from cvlint.analysis.checkers.formulas.terms import count_of, last_name, unwrap
from cvlint.analysis.domain.lattice import options
from cvlint.analysis.domain.value import MeasureValue
from cvlint.analysis.state import AnalysisState
from cvlint.analysis.syntax import called_name, kept_in_node, nodes_in
from cvlint.records import dataclass

MOST_NAMES = 6
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
ROLES = (
    "beta-squared",
    "beta",
    "true-positives",
    "false-positives",
    "false-negatives",
    "true-negatives",
    "precision",
    "recall",
)
ROLES_OF_ONE_LETTER = ("bare-precision", "bare-recall")


class NotAFormula(Exception):
    """An expression is no formula of precision, recall, beta and counts."""


@dataclass(frozen=True, slots=True)
class EvaluationPoint:
    """Counts and a beta for which formulas are evaluated."""

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
    def accuracy(self) -> float:
        """(TP + TN) / (TP + FP + FN + TN)."""
        return (self.tp + self.tn) / (self.tp + self.fp + self.fn + self.tn)

    @property
    def fpr(self) -> float:
        """FP / (FP + TN)."""
        return self.fp / (self.fp + self.tn)


class FormulaEvaluator:
    """Evaluates formulas; ``roles`` are those of the names that it has read.

    ``may_be_squared``: beta is an attribute or a parameter, so that what is called beta may be its square.
    """

    def __init__(self, state: AnalysisState) -> None:
        self.state = state
        self.roles: set[str] = set()
        self.may_be_squared = False
        self.definition: ast.expr | None = None

    def evaluate(self, node: ast.expr, point: EvaluationPoint, depth: int = MOST_NAMES) -> float:
        """The value of an expression at a point; names are followed ``depth`` times."""
        if (least := least_value(node)) is not None:
            return max(least, self.evaluate(unwrap(node)[0], point, depth))
        match unwrap(node)[0]:
            case ast.Constant(value=int() | float() as number):
                return float(number)
            case ast.BinOp(left=left, op=op, right=right) if type(op) in OPERATORS:
                return OPERATORS[type(op)](self.evaluate(left, point, depth), self.evaluate(right, point, depth))
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return -self.evaluate(operand, point, depth)
            case (
                ast.Call(
                    func=ast.Name(id="mean" | "average") | ast.Attribute(attr="mean" | "average"),
                    args=[ast.List(elts=parts) | ast.Tuple(elts=parts)],
                )
                | ast.Call(func=ast.Attribute(value=ast.Call(args=[ast.List(elts=parts)]), attr="mean"), args=[])
            ):
                return sum(self.evaluate(part, point, depth) for part in parts) / len(parts)
            case ast.Call(func=ast.Attribute(attr="mean"), args=[ast.BinOp() as inner]):
                return self.evaluate(inner, point, depth)
            case ast.Call(func=ast.Name(id="len"), args=[_]):
                return point.tp + point.fp + point.fn + point.tn
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=args) if name in FUNCTIONS:
                return FUNCTIONS[name](*(self.evaluate(argument, point, depth) for argument in args))
            case ast.Name() | ast.Attribute() | ast.Subscript() | ast.Call() as leaf:
                return self.evaluate_name(leaf, point, depth)
            case _:
                raise NotAFormula

    def evaluate_name(self, node: ast.expr, point: EvaluationPoint, depth: int) -> float:
        """The value of a name: by its role, else of what it is bound to."""
        role = self.role(node)
        definition = self.bound_to(node)
        match definition:
            case ast.Constant(value=int() | float() as number) if role == "beta" and (number == 1 or number < 0.5):
                return float(number)  # for 1 every form is right, and 0.3 is the square of a beta
            case ast.BinOp() if role in ("", "beta") and depth and definition is not self.definition:
                outer, self.definition = self.definition, definition  # ``beta = beta**2`` follows the first beta
                try:
                    return self.evaluate(definition, point, depth - 1)
                finally:
                    self.definition = outer
        if role:
            self.roles.add(role)
            self.may_be_squared |= role == "beta" and (
                isinstance(node, ast.Attribute) or self.is_small_by_default(node)
            )
            return quantity_at(role, point)
        if definition is None or not depth:
            raise NotAFormula
        return self.evaluate(definition, point, depth - 1)

    def bound_to(self, node: ast.expr) -> ast.expr | None:
        """What a name is bound to, or an attribute that the function binds once: ``self.accuracy = …``."""
        match node:
            case ast.Name(id=name):
                return self.state.environment.definitions.get(name)
            case ast.Attribute(value=ast.Name(), attr=attribute):
                bound = attributes_bound(self.state.frame.node).get(attribute, [])
                return bound[0] if len(bound) == 1 and not isinstance(bound[0], ast.Constant) else None
            case _:
                return None

    def is_small_by_default(self, node: ast.expr) -> bool:
        """Whether the default of a parameter is below a half: only the square of a usual beta is so small."""
        code = self.state.frame.node
        if not isinstance(code, ast.FunctionDef) or not isinstance(node, ast.Name):
            return False
        given = dict(zip(reversed([a.arg for a in code.args.args]), reversed(code.args.defaults), strict=False))
        default = given.get(node.id)
        return isinstance(default, ast.Constant) and isinstance(default.value, float) and default.value < 0.5

    def role(self, node: ast.expr) -> str:
        """The quantity that an expression names; empty where it names none."""
        known, name = self.state.knowledge, last_name(node)
        if isinstance(node, ast.Call):
            return (
                "small" if known.conforms("small", called_name(node.func)) else self.state.kinds_computed.get(node, "")
            )
        for value in options(self.state.environment.lookup(node.id)) if isinstance(node, ast.Name) else ():
            if isinstance(value, MeasureValue) and value.measure.kind in ("precision", "recall", "fpr"):
                return value.measure.kind
        if known.conforms("small", name):
            return "small"
        if name.lower() in ("fpr", "fprs"):
            return "fpr"
        found = next((role for role in (*ROLES, *ROLES_OF_ONE_LETTER) if known.conforms(role, name)), "")
        return found.removeprefix("bare-") or count_of(self.state, node)


@kept_in_node
def attributes_bound(code: ast.AST) -> dict[str, list[ast.expr]]:
    """What a function binds attributes to, by their names."""
    found: dict[str, list[ast.expr]] = {}
    for assignment in nodes_in(code, ast.Assign):
        for target in assignment.targets:
            if isinstance(target, ast.Attribute):
                found.setdefault(target.attr, []).append(assignment.value)
    return found


def least_value(node: ast.expr) -> float | None:
    """The 1 of ``max(p + r, 1)``: no epsilon, but it changes no number of samples; None for other expressions."""
    match node:
        case ast.Call(func=ast.Name(id="max") | ast.Attribute(attr="maximum"), args=[_, ast.Constant(value=least)]):
            return float(least) if isinstance(least, (int, float)) and least >= 1 else None
        case _:
            return None


def quantity_at(role: str, point: EvaluationPoint) -> float:
    """The value of a quantity at a point."""
    match role:
        case "precision":
            return point.precision
        case "recall":
            return point.recall
        case "fpr":
            return point.fpr
        case "accuracy":
            return point.accuracy
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
        case "true-negatives":
            return point.tn
        case _:
            return 0.0
