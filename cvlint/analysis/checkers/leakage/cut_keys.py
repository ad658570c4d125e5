"""Keys that cut the rows of data: where, and which of the two parts they take."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from cvlint.analysis.inference.rows_left_out import part_of_rows
from cvlint.analysis.state import AnalysisState
from cvlint.analysis.syntax import row_keys
from cvlint.source.parsing import walk

SIDES: dict[type[ast.cmpop], tuple[str, bool]] = {
    ast.Eq: ("==", True),
    ast.NotEq: ("==", False),
    ast.Lt: ("<", True),
    ast.GtE: ("<", False),
    ast.LtE: ("<=", True),
    ast.Gt: ("<=", False),
}
"""The comparisons of which one holds where the other one does not."""


class Cut(NamedTuple):
    """Where a key cuts the rows, as text, and on which side it is; a slice takes neighbouring rows."""

    at: str
    is_first: bool
    is_slice: bool


def parts_taken(node: ast.expr) -> Iterator[ast.Subscript]:
    """The parts that an expression takes, one of another: ``df[m]`` of ``np.array(df[m][columns])``."""
    while True:
        match node:
            case ast.Subscript(value=whole):
                yield node
                node = whole
            case ast.Call(func=ast.Attribute(value=whole), args=[data, *_]) if isinstance(whole, ast.Name):
                node = data if isinstance(data, ast.Subscript) else whole  # ``np.array(df[m])``
            case ast.Attribute(value=whole) | ast.Call(func=ast.Attribute(value=whole)):
                node = whole
            case _:
                return


def cut_at(state: AnalysisState, key: ast.expr) -> Cut | None:
    """Where a key cuts the rows, and whether it takes the first of the two parts; None for other keys.

    ``X[order[:n]]``, a part of the row numbers, cuts the rows as ``X[:n]`` does.
    """
    match key:
        case ast.Slice(lower=None | ast.Constant(value=0), upper=ast.expr() as bound, step=None):
            return Cut(bound_of_slice(bound), True, True)
        case ast.Slice(lower=ast.expr() as bound, step=None):
            return Cut(bound_of_slice(bound), False, True)
        case ast.Subscript(value=ast.Name(id=order), slice=ast.Slice() as part):
            cut = cut_at(state, part)
            return None if cut is None else Cut(f"{order}[{cut.at}]", cut.is_first, False)
        case ast.Name(id=mask) if (given := state.frame.argument(mask)) is not None:
            return Cut(ast.unparse(given), True, False)
        case ast.Name(id=mask):
            definition = state.environment.definitions.get(mask)
            if definition is not None and lists_columns(definition):
                return None
            is_known = isinstance(definition, (ast.Subscript, ast.Compare, ast.UnaryOp))
            return (cut_at(state, definition) if definition is not None and is_known else None) or Cut(
                mask, True, False
            )
        case ast.Attribute():  # ``X.loc[young.index]``, ``self.X[self.test_rows]``
            taken = first_subscript(state.environment.definitions.get(part_of_rows(key) or ""))
            cut = cut_at(state, row_keys(taken)[0]) if taken is not None else None
            return cut or Cut(ast.unparse(key), True, False)
        case ast.UnaryOp(op=ast.Invert() | ast.Not(), operand=condition):
            cut = cut_at(state, condition)
            return None if cut is None or cut.is_slice else Cut(cut.at, not cut.is_first, False)
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in SIDES:
            sign, is_first = SIDES[type(op)]
            return Cut(f"{ast.unparse(left)} {sign} {ast.unparse(right)}", is_first, False)
        case ast.Call(func=ast.Attribute(attr=attr)) if attr in state.knowledge.groups["selects-by-value"]:
            return Cut(ast.unparse(key), True, False)
        case ast.BoolOp() | ast.BinOp(op=ast.BitAnd() | ast.BitOr()):
            return Cut(ast.unparse(key), True, False)
        case _:
            return None


def lists_columns(node: ast.AST) -> bool:
    """Whether an expression gives names of columns: ``["age", "sex"]``, ``[c for c in df.columns if c != "y"]``."""
    match node:
        case ast.List(elts=[_, *_] as entries) | ast.Tuple(elts=[_, *_] as entries):
            return all(isinstance(entry, ast.Constant) and isinstance(entry.value, str) for entry in entries)
        case _:
            return any(isinstance(part, ast.Attribute) and part.attr == "columns" for part in walk(node))


def first_subscript(node: ast.AST | None) -> ast.Subscript | None:
    """``frame[rows]`` of ``frame[rows].set_index("id")``: methods that keep the rows stand behind what takes them."""
    match node:
        case ast.Call(func=ast.Attribute(value=base)):
            return first_subscript(base)
        case ast.Subscript():
            return node
        case _:
            return None


def bound_of_slice(node: ast.expr) -> str:
    """The bound of a slice as text: the name in it, or its spelling."""
    names = [n.id for n in walk(node) if isinstance(n, ast.Name)]
    return names[0] if names else ast.unparse(node)
