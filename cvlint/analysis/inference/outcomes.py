"""The outcomes of tests that the code itself decides: ``if fill == "mean"`` where the call gives ``fill=-1``."""

from __future__ import annotations

import ast
import operator
from collections import Counter
from collections.abc import Callable

from cvlint.analysis.domain.environment import ClassValue, Function
from cvlint.analysis.domain.heap_object import HeapObject, Instance
from cvlint.analysis.domain.value import AnyValue, Const, Data, LibraryObject
from cvlint.analysis.state import AnalysisState, Frame
from cvlint.analysis.syntax import kept_in_node, names_bound_anew, nodes_in
from cvlint.analysis.taint import instances_named

EQUALITY: dict[type[ast.cmpop], Callable[[object, object], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
}
ORDER: dict[type[ast.cmpop], Callable[[float, float], bool]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}


def known_outcome(state: AnalysisState, node: ast.Compare, left: AnyValue, right: AnyValue) -> bool | None:
    """The outcome of a comparison of two values; None if it is not known.

    Texts are what they are; a number or None may be a counter or a first value, unless nothing binds it anew.
    """
    match (left, node.ops[0], right):
        case (Const(value=str() as a), ast.Eq() | ast.Is(), Const(value=str() as b)):
            return a == b
        case (Const(value=str() as a), ast.NotEq() | ast.IsNot(), Const(value=str() as b)):
            return a != b
        case (
            Instance() | ClassValue() | Function() | LibraryObject(),
            ast.Is() | ast.IsNot() as op,
            Const(value=None),
        ):
            return isinstance(op, ast.IsNot)
        case (Const(value=int() | float() | str()), ast.Is() | ast.IsNot() as op, Const(value=None)):
            return isinstance(op, ast.IsNot)
        case (Data(opaque=False) | HeapObject(), ast.Is() | ast.IsNot() as op, Const(value=None)) if is_given(
            state, node.left
        ):
            return isinstance(op, ast.IsNot)
        case (Const(value=str() as a), ast.In(), Const(value=str() as b)):
            return a in b
        case (Data(index="key", pattern=others), ast.Eq(), Const(value=str() as b)) if b in others.split("\0"):
            return False  # the key of an entry that has no key of its own
        case (Const(value=str() as a), ast.In(), HeapObject(elements=None) as container) if container.kind != "dict":
            entries = [v.value for v in container.fields.values() if isinstance(v, Const)]
            may_grow = not entries and bool(state.active_axes - container.allocation_loops)  # in each pass of a loop
            return a in entries if len(entries) == len(container.fields) and not may_grow else None
        case (Const(value=a), op, Const(value=b)):
            outcome = compared(a, op, b)
            sides = ((node.left, a), (node.comparators[0], b))
            settled = outcome is not None and all(is_settled(state, side, value) for side, value in sides)
            return outcome if settled else None
        case _:
            return None


def is_given(state: AnalysisState, node: ast.expr) -> bool:
    """Whether a name is a parameter that the call gives a value, ``scale(X_test, mean=mu)``, in place of None.

    An attribute of an object of the project that holds data is not None either.
    """
    frame = state.frame
    if isinstance(node, ast.Attribute):
        return any(node.attr in holder.attributes for holder in instances_named(state, node.value))
    return isinstance(node, ast.Name) and node.id in parameters_of(frame.node) and isinstance(frame.call, ast.Call)


def compared(one: object, op: ast.cmpop, other: object) -> bool | None:
    """How two constants compare; None where that depends on more than their values."""
    if isinstance(one, (int, float)) and isinstance(other, (int, float)) and type(op) in ORDER:
        return ORDER[type(op)](one, other)
    if not all(isinstance(value, (int, float, str, type(None))) for value in (one, other)):
        return None
    if isinstance(op, (ast.Is, ast.IsNot)) and one is not None and other is not None:
        return None
    return EQUALITY[type(op)](one, other) if type(op) in EQUALITY else None


def is_settled(state: AnalysisState, node: ast.expr, value: object, level: int = -1) -> bool:
    """Whether an expression has one ``value`` in all that an evaluation stands for.

    A literal has, and a name that is bound once, to a constant; a parameter has the value of its argument, and a
    function that nothing calls may get any. So may a class, whose attributes hold the numbers that are its defaults.
    """
    match node:
        case ast.Constant() | ast.UnaryOp(operand=ast.Constant()):
            return True
        case ast.Attribute(attr=attribute):
            once = attributes_bound_once(state.frames[level].module.source.tree)
            return attribute in once and isinstance(value, (str, type(None)))
        case ast.Name(id=name):
            frame = state.frames[level]
            if name not in parameters_of(frame.node):
                return is_bound_once(frame, name)
            turns = name in names_bound(frame.node) and runs_in_own_loop(state, level)
            if turns or not isinstance(frame.call, ast.Call):
                return False
            given = frame.argument(name)
            if given is None or is_default_of_decorated(frame.node, given):
                return False
            return -level < len(state.frames) and is_settled(state, given, value, level - 1)
        case _:
            return False


def runs_in_own_loop(state: AnalysisState, level: int) -> bool:
    """Whether a function at a level of the call stack is in a loop of its own."""
    around = state.active_axes if level == -1 else state.frames[level + 1].call_loops
    return bool(around - state.frames[level].call_loops)


def is_default_of_decorated(code: ast.AST, given: ast.expr) -> bool:
    """Whether a parameter's value is its default and a decorator may give it another one: ``@click.command()``."""
    if not isinstance(code, (ast.FunctionDef, ast.AsyncFunctionDef)) or not code.decorator_list:
        return False
    return any(given is default for default in (*code.args.defaults, *code.args.kw_defaults))


def is_bound_once(frame: Frame, name: str) -> bool:
    """Whether a name of a function, or of the module around it, is bound at one place, by an assignment."""
    code = frame.node if name in names_bound(frame.node) else frame.module.source.tree
    return name in names_assigned(code) and name not in names_bound_anew(code)


@kept_in_node
def parameters_of(code: ast.AST) -> frozenset[str]:
    """The names of a function's parameters."""
    if not isinstance(code, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
        return frozenset()
    return frozenset(a.arg for a in (*code.args.posonlyargs, *code.args.args, *code.args.kwonlyargs))


@kept_in_node
def names_bound(code: ast.AST) -> frozenset[str]:
    """The names that a function or module binds."""
    return frozenset(n.id for n in nodes_in(code, ast.Name) if isinstance(n.ctx, ast.Store))


@kept_in_node
def names_assigned(code: ast.AST) -> frozenset[str]:
    """The names that an assignment of a function or module binds by themselves: ``k = 5``, ``k: int = 5``."""
    targets = [t for a in nodes_in(code, ast.Assign) for t in a.targets]
    targets += [a.target for a in nodes_in(code, ast.AnnAssign) if a.value is not None]
    return frozenset(t.id for t in targets if isinstance(t, ast.Name))


@kept_in_node
def attributes_bound_once(tree: ast.AST) -> frozenset[str]:
    """The attributes that a module binds at one place."""
    times = Counter(n.attr for n in nodes_in(tree, ast.Attribute) if isinstance(n.ctx, ast.Store))
    return frozenset(name for name, count in times.items() if count == 1)
