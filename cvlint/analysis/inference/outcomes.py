"""Outcomes of comparisons that the code decides: ``mode == "test"``, ``logger is None``."""

from __future__ import annotations

import ast

from cvlint.analysis.domain.environment import ClassValue, Function
from cvlint.analysis.domain.heap_object import HeapObject, Instance
from cvlint.analysis.domain.value import AnyValue, Const, Data


def known_outcome(left: AnyValue, op: ast.cmpop, right: AnyValue) -> bool | None:
    """The outcome of a comparison of strings, or of an object with None; None if it is not known."""
    match (left, op, right):
        case (Const(value=str() as a), ast.Eq(), Const(value=str() as b)):
            return a == b
        case (Const(value=str() as a), ast.NotEq(), Const(value=str() as b)):
            return a != b
        case (Instance() | ClassValue() | Function(), ast.Is() | ast.IsNot(), Const(value=None)):
            return isinstance(op, ast.IsNot)
        case (Const(value=int() | float() | str()), ast.Is() | ast.IsNot(), Const(value=None)):
            return isinstance(op, ast.IsNot)
        case (Const(value=str() as a), ast.In(), Const(value=str() as b)):
            return a in b
        case (Data(index="key", pattern=others), ast.Eq(), Const(value=str() as b)) if b in others.split("\0"):
            return False  # the key of an entry that has no key of its own
        case (Const(value=str() as a), ast.In(), HeapObject(elements=None) as container) if container.kind != "dict":
            entries = [v.value for v in container.fields.values() if isinstance(v, Const)]
            return a in entries if len(entries) == len(container.fields) else None
        case _:
            return None
