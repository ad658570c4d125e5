"""Tests that only the first pass of a loop passes, or fails: what is made there is made once, as if before the loop.

``if key not in results``, ``if scores is None``, ``if not scores``, ``if len(scores.keys()) == 0``, ``if first``,
``if i == 0``. In goes a test; out come the loops whose first pass alone reaches its body, or its other arm.
"""

from __future__ import annotations

import ast

from cvlint.analysis.domain.axis import NO_AXES, Axes
from cvlint.analysis.domain.heap_object import HeapObject
from cvlint.analysis.domain.lattice import options
from cvlint.analysis.domain.value import AnyValue, Const, axes_of
from cvlint.analysis.heap.writes import passing_number
from cvlint.analysis.inference.loop_axes import is_loop_index, loops_binding
from cvlint.analysis.state import AnalysisState

Arms = tuple[Axes, Axes]
"""The loops whose first pass alone reaches the body of a test, and those of the other arm."""
NEITHER: Arms = (NO_AXES, NO_AXES)
SAME_SIZE = ("len", "list", "tuple", "sorted", "bool", "any", "keys", "values", "items")
"""Functions and methods whose result is empty, zero or false if, and only if, what they get is empty."""


def first_pass_arms(state: AnalysisState, test: ast.expr) -> Arms:
    """The loops whose first pass alone reaches the body, and those whose first pass alone reaches the other arm."""
    match test:
        case _ if not state.active_axes:
            return NEITHER
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            body, orelse = first_pass_arms(state, operand)
            return orelse, body
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            axes, is_of_body = compared_in_first_pass(state, left, op, right)
            return (axes, NO_AXES) if is_of_body else (NO_AXES, axes)
        case ast.Call(func=ast.Name(id="hasattr"), args=[holder, _]):
            return NO_AXES, loops_since_allocation(state, state.evaluate(state, holder))
        case ast.Call(func=ast.Attribute(value=base, attr="get"), args=[key, *_]):
            return NO_AXES, loops_without(state, base, key)
        case ast.Name() if isinstance(flag := state.evaluate(state, test), Const):
            axes = loops_since_allocation(state, flag)
            return (axes, NO_AXES) if flag.value else (NO_AXES, axes)
        case ast.Name() | ast.Attribute() | ast.Subscript() | ast.Call():
            return NO_AXES, loops_of_size(state, test)
        case _:
            return NEITHER


def compared_in_first_pass(state: AnalysisState, left: ast.expr, op: ast.cmpop, right: ast.expr) -> tuple[Axes, bool]:
    """The loops in whose first pass a comparison holds, or fails, and whether it holds there."""
    match op, left, right:
        case ((ast.NotIn() | ast.In()), _, _):
            return loops_without(state, right, left), isinstance(op, ast.NotIn)
        case ((ast.Is() | ast.IsNot() | ast.Eq() | ast.NotEq()), _, ast.Constant(value=None)):
            is_none = isinstance(op, (ast.Is, ast.Eq))
            if isinstance(left, ast.Call):
                return first_pass_arms(state, left)[1], is_none
            return loops_since_allocation(state, state.evaluate(state, left)), is_none
        case ((ast.Eq() | ast.LtE()), _, _) if is_nothing(right):
            return loops_of_size(state, left), True
        case ((ast.NotEq() | ast.Gt()), _, _) if is_nothing(right):
            return loops_of_size(state, left), False
        case ast.Lt() | ast.GtE(), _, ast.Constant(value=1):
            return loops_of_size(state, left), isinstance(op, ast.Lt)
        case ((ast.Eq() | ast.NotEq() | ast.Gt()), _, ast.Constant(value=1)):
            return loops_numbered(state, left), isinstance(op, ast.Eq)
        case _:
            return NO_AXES, False


def is_nothing(node: ast.expr) -> bool:
    """Whether an expression is zero or an empty container."""
    match node:
        case ast.Constant(value=0) | ast.List(elts=[]) | ast.Tuple(elts=[]) | ast.Dict(keys=[]):
            return True
        case ast.Call(func=ast.Name(id="list" | "dict" | "tuple" | "set"), args=[], keywords=[]):
            return True
        case _:
            return False


def loops_of_size(state: AnalysisState, node: ast.expr) -> Axes:
    """The loops in whose first pass alone a container is empty, or a number that counts their passes is zero."""
    held = counted(node)
    if isinstance(held, ast.Call):  # it is not made twice
        return NO_AXES
    return loops_since_allocation(state, state.evaluate(state, held)) or loops_numbered(state, held)


def loops_without(state: AnalysisState, container: ast.expr, key: ast.expr) -> Axes:
    """The loops in whose first pass alone a container lacks a key, which does not turn with them."""
    held = counted(container)
    return loops_since_allocation(state, state.evaluate(state, held)) - loops_binding(state, key)


def counted(node: ast.expr) -> ast.expr:
    """The container whose size an expression is, or whose entries it lists: ``scores`` of ``len(scores.keys())``."""
    match node:
        case (
            ast.Call(func=ast.Name(id=name), args=[inner])
            | ast.Call(func=ast.Attribute(value=inner, attr=name), args=[])
        ) if name in SAME_SIZE:
            return counted(inner)
        case _:
            return node


def loops_numbered(state: AnalysisState, node: ast.expr) -> Axes:
    """The loops whose passes a number counts."""
    index = passing_number(state, node)
    return axes_of(index) if is_loop_index(index) else NO_AXES


def loops_since_allocation(state: AnalysisState, value: AnyValue) -> Axes:
    """The active loops that began after ``value`` was allocated."""
    allocation_loops = [
        v.allocation_loops
        for v in options(value)
        if isinstance(v, HeapObject) or (isinstance(v, Const) and (v.value is None or isinstance(v.value, bool)))
    ]
    return state.active_axes - allocation_loops[0] if allocation_loops else NO_AXES
