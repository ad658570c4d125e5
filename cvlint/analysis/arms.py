"""Arms: whether two places of a function stand in arms of a branch of which only one runs.

``if metric == "f1": return f1_score(y, p)``, then ``return roc_auc_score(y, p)``. All is read from the syntax.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from cvlint.analysis.domain.taint_label import place_of
from cvlint.source.parsing import walk

LEAVES = (ast.Return, ast.Raise, ast.Continue, ast.Break)


def are_apart(tree: ast.AST, one: ast.AST, other: ast.AST) -> bool:
    """Whether only one of two nodes within a function or module runs in a pass through it."""
    first, second = sorted((one, other), key=place_of)
    return are_apart_in(getattr(tree, "body", ()), first, second)


def are_apart_in(block: object, first: ast.AST, second: ast.AST) -> bool:
    """Whether only one of two nodes in a block runs; ``first`` stands before ``second``."""
    for statement in block if isinstance(block, list) else ():
        if not holds(statement, first):
            continue
        if not holds(statement, second):
            return leaves(statement, first)
        arms = list(arms_of(statement))
        homes = [[arm for arm in arms if any(holds(part, node) for part in arm)] for node in (first, second)]
        if all(homes) and homes[0][0] is homes[1][0]:
            return are_apart_in(homes[0][0], first, second)
        if isinstance(statement, (ast.If, ast.Match)):
            return all(homes)
        return any(
            holds(choice.body, one) and holds(choice.orelse, other)
            for choice in walk(statement)
            if isinstance(choice, ast.IfExp)
            for one, other in ((first, second), (second, first))
        )
    return False


def leaves(statement: ast.stmt, node: ast.AST) -> bool:
    """Whether nothing behind a statement runs once ``node`` in it has run."""
    if isinstance(statement, LEAVES):
        return True
    home = next((arm for arm in arms_of(statement) if any(holds(part, node) for part in arm)), None)
    if home is None or not isinstance(statement, (ast.If, ast.Match, ast.With)):
        return False
    inner = next(part for part in home if holds(part, node))
    return isinstance(home[-1], LEAVES) or leaves(inner, node)


def arms_of(statement: ast.stmt) -> Iterator[Sequence[ast.stmt]]:
    """The blocks within a statement."""
    match statement:
        case ast.Match(cases=cases):
            yield from (case.body for case in cases)
        case ast.Try(handlers=handlers):
            yield statement.body
            yield from (handler.body for handler in handlers)
            yield from (statement.orelse, statement.finalbody)
        case _:
            yield from (block for name in ("body", "orelse") if (block := getattr(statement, name, None)))


def holds(node: ast.AST, inner: ast.AST) -> bool:
    """Whether the code of a node holds that of another."""
    outside, inside = place_of(node), place_of(inner)
    return outside[:2] <= inside[:2] and inside[2:] <= outside[2:]
