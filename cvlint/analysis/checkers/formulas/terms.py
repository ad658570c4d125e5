"""Terms."""

from __future__ import annotations

import ast

from cvlint.analysis.state import AnalysisState
from cvlint.analysis.syntax import names_in

WRAPPERS = frozenset(("float", "int", "max", "maximum", "float32", "float64", "abs", "sum", "Fraction"))


def resolve_name(state: AnalysisState, node: ast.expr) -> ast.expr:
    """An expression, or what a name that stands for a sum or a product was bound to; not ``tp = tp + more``."""
    if isinstance(node, ast.Name) and not holds_epsilon(state, node):
        found = state.environment.definitions.get(node.id)
        if isinstance(found, ast.BinOp) and isinstance(found.op, ast.Add | ast.Mult) and node.id not in names_in(found):
            return found
    return node


def unwrap(node: ast.expr) -> tuple[ast.expr, bool]:
    """An expression without ``float(…)``; ``max(…, eps)`` and ``… or 1`` guard it."""
    match node:
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=[inner, *more]) if name in WRAPPERS:
            if isinstance(node.func, ast.Attribute) and name == "sum":
                return node, False
            bare, guarded = unwrap(inner)
            return bare, guarded or (bool(more) and name in ("max", "maximum"))
        case ast.Call(func=ast.Attribute(value=inner, attr="astype" | "float")):
            return inner, False
        case ast.Call(func=ast.Attribute(value=inner, attr="clamp" | "clamp_" | "clip" | "replace")):
            return inner, True
        case ast.BoolOp(op=ast.Or(), values=[first, *_]):
            return unwrap(first)[0], True
        case _:
            return node, False


def operands(node: ast.expr, op: type[ast.operator]) -> list[ast.expr]:
    """The operands of a chain of one operator."""
    found: list[ast.expr] = []
    waiting = [node]
    while waiting:
        child = waiting.pop()
        if isinstance(child, ast.BinOp) and isinstance(child.op, op):
            waiting += [child.right, child.left]
        else:
            found.append(child)
    return found


def reciprocal_terms(terms: list[ast.expr]) -> tuple[ast.expr, ...] | None:
    """The parts of ``1/p + 1/r``."""
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
    """The name that says what an expression is: the last of an attribute, the key of an entry."""
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


def holds_epsilon(state: AnalysisState, node: ast.expr, share: bool = False) -> bool:
    """Whether a name was bound to something with a small number added, which keeps it from zero.

    With ``share`` it may also be bound to a quotient, or a sum or mean of some, with such a number at its top.
    """
    found = state.environment.definitions.get(node.id) if isinstance(node, ast.Name) else None
    if share and found is not None:
        quotients = [n for n in ast.walk(found) if isinstance(n, ast.BinOp) and isinstance(n.op, ast.Div)]
        return any(holds_epsilon(state, summand_of(unwrap(quotient.left)[0])) for quotient in quotients)
    if not (isinstance(found, ast.BinOp) and isinstance(found.op, ast.Add)):
        return False
    return any(is_epsilon(state, part) for part in operands(found, ast.Add))


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
