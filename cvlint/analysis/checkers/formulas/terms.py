"""The terms of a formula: operands, names, epsilons.

In ``float(2 * p * r) / max(p + r, eps)`` the terms are ``p`` and ``r``, whatever wraps them.
"""

from __future__ import annotations

import ast

from cvlint.analysis.domain.lattice import options
from cvlint.analysis.domain.value import CELLS, Data
from cvlint.analysis.state import AnalysisState
from cvlint.analysis.syntax import names_in
from cvlint.source.parsing import walk

COUNTS = ("true-positives", "false-positives", "false-negatives")
WRAPPERS = frozenset(("float", "int", "max", "maximum", "float32", "float64", "abs", "sum", "Fraction"))


def resolve_name(state: AnalysisState, node: ast.expr) -> ast.expr:
    """An expression, or the sum or product that a name stands for; not ``tp = tp + more``."""
    if isinstance(node, ast.Name) and not holds_epsilon(state, node):
        definition = state.environment.definitions.get(node.id)
        if (
            isinstance(definition, ast.BinOp)
            and isinstance(definition.op, (ast.Add, ast.Mult))
            and node.id not in names_in(definition)
        ):
            return definition
    return node


def unwrap(node: ast.expr) -> tuple[ast.expr, bool]:
    """An expression without ``float(…)``, and whether ``max(…, eps)`` or ``… or 1`` guards it."""
    match node:
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=[inner, *limits]) if name in WRAPPERS:
            if isinstance(node.func, ast.Attribute) and name == "sum":
                return node, False
            bare, guarded = unwrap(inner)
            return bare, guarded or (bool(limits) and name in ("max", "maximum"))
        case ast.Call(func=ast.Attribute(value=inner, attr="astype" | "float")):
            return inner, False
        case ast.Call(func=ast.Attribute(value=inner, attr="clamp" | "clamp_" | "clip" | "replace")):
            return inner, True
        case ast.BoolOp(op=ast.Or(), values=[first, *_]):
            return unwrap(first)[0], True
        case _:
            return node, False


def operands(node: ast.expr, op: type[ast.operator]) -> list[ast.expr]:
    """The operands of a chain of one operator: ``a``, ``b`` and ``c`` of ``a + b + c``."""
    found: list[ast.expr] = []
    stack = [node]
    while stack:
        child = stack.pop()
        if isinstance(child, ast.BinOp) and isinstance(child.op, op):
            stack += [child.right, child.left]
        else:
            found.append(child)
    return found


def reciprocal_terms(terms: list[ast.expr]) -> tuple[ast.expr, ...] | None:
    """``p`` and ``r`` of ``1/p + 1/r``; None for other sums."""
    parts = [
        t.right
        for t in terms
        if isinstance(t, ast.BinOp) and isinstance(t.op, ast.Div) and isinstance(t.left, ast.Constant)
    ]
    return tuple(parts) if len(parts) == 2 == len(terms) else None


def summand_of(node: ast.expr) -> ast.expr:
    """What is summed: ``tp`` of ``np.sum(tp)`` and of ``tp.sum()``."""
    match node:
        case ast.Call(func=ast.Attribute(attr="sum"), args=[ast.Name() as inner, *_]):
            return inner
        case ast.Call(func=ast.Attribute(attr="sum", value=inner)):
            return inner
        case _:
            return node


def last_name(node: ast.expr) -> str:
    """The name that says what an expression is: ``f1`` of ``self.f1``, of ``row["f1"]`` and of ``f1[fold]``."""
    match node:
        case ast.Name():
            return node.id
        case ast.Attribute(attr="values" | "T" | "float", value=value) | ast.Call(func=ast.Attribute(value=value)):
            return last_name(value)
        case ast.Attribute():
            return node.attr
        case ast.Subscript(value=value, slice=ast.Constant(value=str() as key)):
            return key
        case ast.Subscript(value=value) | ast.Call(args=[value, *_]):
            return last_name(value)
        case ast.BinOp(left=ast.Constant(), right=right):
            return last_name(right)
        case ast.BinOp(left=left):
            return last_name(left)
        case _:
            return ""


def count_of(state: AnalysisState, node: ast.expr) -> str:
    """Which count of a confusion matrix an expression is: by its name, or else by where it comes from; often none."""
    name = last_name(node)
    named = [role for role in COUNTS if state.knowledge.conforms(role, name)]
    if named or not isinstance(node, ast.Name):
        return named[0] if named else ""
    origins = {o.origin for o in options(state.environment.lookup(node.id)) if isinstance(o, Data)}
    cell = origins.pop() if len(origins) == 1 else ""
    return cell if cell in CELLS else ""


def holds_epsilon(state: AnalysisState, node: ast.expr, in_quotient: bool = False) -> bool:
    """Whether a name is bound to a sum with a small number in it, ``tp = hits + 1e-9``, and so is never zero.

    With ``in_quotient`` the sum may also be the numerator of a quotient, or of the quotients in a sum or a mean.
    """
    definition = state.environment.definitions.get(node.id) if isinstance(node, ast.Name) else None
    if in_quotient and definition is not None:
        quotients = [n for n in walk(definition) if isinstance(n, ast.BinOp) and isinstance(n.op, ast.Div)]
        return any(holds_epsilon(state, summand_of(unwrap(quotient.left)[0])) for quotient in quotients)
    if not (isinstance(definition, ast.BinOp) and isinstance(definition.op, ast.Add)):
        return False
    return any(is_epsilon(state, part) for part in operands(definition, ast.Add))


def is_epsilon(state: AnalysisState, node: ast.expr) -> bool:
    """Whether an expression is a number between 0 and 1, as a literal or by its name: no count, but an epsilon."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, float) and 0 < node.value < 1
    return is_small_term(state, node)


def is_small_term(state: AnalysisState, node: ast.expr) -> bool:
    """Whether a term only keeps the divisor from zero."""
    match node:
        case ast.Constant(value=int() | float()):
            return True
        case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name)):
            return state.knowledge.conforms("small", name)
        case _:
            return state.knowledge.conforms("small", last_name(node))
