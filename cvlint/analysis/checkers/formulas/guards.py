"""Guards: what keeps the divisor of a formula from zero.

``if tp + fp: p = tp / (tp + fp)``, ``try: ... except ZeroDivisionError: ...``; and counts that are never zero together.
"""

from __future__ import annotations

import ast

from cvlint.analysis.domain.environment import Function
from cvlint.analysis.domain.lattice import options
from cvlint.analysis.domain.value import AnyValue, Const, LibraryName
from cvlint.analysis.state import AnalysisState
from cvlint.analysis.syntax import called_name, is_same_code, names_in, nodes_in
from cvlint.source.parsing import walk

DIAGONALS = ("diag", "diagonal")
OPPOSITES: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.GtE: ast.Lt,
    ast.Lt: ast.GtE,
    ast.Gt: ast.LtE,
    ast.LtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
}


def is_guarded(state: AnalysisState, node: ast.expr) -> bool:
    """Whether a test around the formula, or an early exit before it, mentions what it divides by."""
    if any(is_corrected(state, name) for name in names_in(node)):
        return True
    guards = state.frame.guards
    if not guards:
        return False
    if any(isinstance(guard, (ast.Try, ast.With)) for guard in guards):
        return True
    names = names_behind(state, node, 3)
    return any(names & names_in(guard) for guard in guards if not tells_size(guard))


def tells_size(guard: ast.AST) -> bool:
    """Whether a guard only asks for a size: ``if len(matrix) == 2`` says nothing of the counts in the matrix."""
    match guard:
        case ast.Compare(left=size, ops=[ast.Eq()], comparators=[ast.Constant(value=int() as number)]) if number > 1:
            return bool(names_in(size) & {"len", "shape", "ndim"})
        case _:
            return False


def is_corrected(state: AnalysisState, name: str) -> bool:
    """Whether a count gets a value that is not zero where a test finds a zero: ``fn = 1 if tp + fn == 0 else fn``."""
    match state.environment.definitions.get(name):
        case ast.IfExp(
            test=ast.Compare(left=tested, ops=[ast.Eq()], comparators=[ast.Constant(value=0)]),
            body=ast.Constant(value=int() | float() as corrected),
        ):
            return corrected != 0 and name in names_in(tested)
        case _:
            return False


def names_behind(state: AnalysisState, node: ast.AST, depth: int) -> set[str]:
    """The names in an expression, and in the expressions that these names are bound to, ``depth`` times."""
    found = {n for n in names_in(node) if not isinstance(state.environment.lookup(n), LibraryName)}
    if depth:
        entries = {ast.unparse(n) for n in walk(node) if isinstance(n, (ast.Attribute, ast.Subscript))}
        for name in (*found, *entries):
            definition = state.environment.definitions.get(name)
            arms = [definition.body, definition.orelse] if isinstance(definition, ast.IfExp) else [definition]
            for arm in arms:  # the test of a conditional expression is no part of its value
                if arm is not None and arm is not node:
                    found |= names_behind(state, arm, depth - 1)
    return {n for n in found if not isinstance(state.environment.lookup(n), LibraryName)}


def is_cumulative_count(state: AnalysisState, node: ast.expr) -> bool:
    """Whether a count is a sum up to each rank, ``np.cumsum(y == 1)``: such counts are never zero together."""
    counted = node.value if isinstance(node, ast.Subscript) else node
    definition = state.environment.definitions.get(counted.id) if isinstance(counted, ast.Name) else counted
    return isinstance(definition, ast.Call) and "cumsum" in names_in(definition.func)


def is_rest_of(state: AnalysisState, count: ast.expr, part: ast.expr) -> bool:
    """Whether a count is what another one leaves of a total, ``fn = y.sum() - tp``: both add up to the total."""
    difference = state.environment.definitions.get(count.id) if isinstance(count, ast.Name) else count
    match difference:
        case ast.BinOp(op=ast.Sub(), right=taken):
            return is_same_code(taken, part)
        case _:
            return False


def are_complementary(state: AnalysisState, one: ast.expr, other: ast.expr) -> bool:
    """Whether two counts add up to all entries: ``np.sum(top >= 0.5)`` and ``np.sum(top < 0.5)``."""
    comparisons = [counted_comparison(state, count) for count in (one, other)]
    match comparisons:
        case [ast.Compare(left=a, ops=[first], comparators=[b]), ast.Compare(left=c, ops=[second], comparators=[d])]:
            return OPPOSITES.get(type(first)) is type(second) and is_same_code(a, c) and is_same_code(b, d)
        case _:
            return False


def are_of_all_classes(state: AnalysisState, true_positives: ast.expr, errors: list[ast.expr]) -> bool:
    """Whether counts are sums over all classes of a confusion matrix: each sample is a hit or an error of some class.

    ``tp = sum(np.diag(matrix))`` and ``fp = sum(matrix.sum(axis=0) - np.diag(matrix))``, in functions perhaps.
    """
    return all(takes_diagonal(state, summed_classes(state, count)) for count in (true_positives, *errors))


def summed_classes(state: AnalysisState, node: ast.expr) -> ast.expr | None:
    """What is summed: ``np.diag(matrix)`` of ``sum(np.diag(matrix))``; names are followed to what is bound to them."""
    count = state.environment.definitions.get(node.id) if isinstance(node, ast.Name) else node
    match count:
        case ast.Call(func=ast.Name(id="sum") | ast.Attribute(value=ast.Name(), attr="sum"), args=[summed]):
            return state.environment.definitions.get(summed.id) if isinstance(summed, ast.Name) else summed
        case ast.Call(func=ast.Attribute(value=summed, attr="sum"), args=[], keywords=[]):
            return summed
        case _:
            return None


def takes_diagonal(state: AnalysisState, node: ast.AST | None) -> bool:
    """Whether an expression, or the function of the project that it calls, takes the diagonal of a matrix."""
    if isinstance(node, ast.Call):
        taint = state.taint
        functions = options(state.evaluate(state, node.func))
        state.taint = taint
        if any(isinstance(f, Function) and takes_diagonal(state, f.node) for f in functions):
            return True
    return node is not None and any(called_name(call.func) in DIAGONALS for call in nodes_in(node, ast.Call))


def counted_comparison(state: AnalysisState, node: ast.expr) -> ast.Compare | None:
    """The comparison whose hits are counted: ``y == 1`` of ``np.sum(y == 1)``."""
    count = state.environment.definitions.get(node.id) if isinstance(node, ast.Name) else node
    match count:
        case ast.Call(func=ast.Attribute(attr="sum" | "count_nonzero"), args=[ast.Compare() as comparison, *_]):
            return comparison
        case ast.Call(func=ast.Attribute(value=ast.Compare() as comparison, attr="sum")):
            return comparison
        case _:
            return None


def is_nonzero_literal(value: AnyValue) -> bool:
    """Whether a value is a literal number other than 0."""
    return all(isinstance(v, Const) and isinstance(v.value, (int, float)) and v.value != 0 for v in options(value))
