"""Decide whether an expression has the same value at two places of the code.

The analysis is conservative: a use that is not known to only read a value may change it.
"""

from __future__ import annotations

import libcst as cst
from libcst.metadata import ComprehensionScope, ExpressionContext, FunctionScope, Scope

from cvlint.fixes.editing.syntax import Code

BUILTINS = frozenset(
    {"abs", "float", "int", "isinstance", "len", "max", "min", "print", "range", "round", "str", "sum"}
)
LIBRARIES = frozenset({"matplotlib", "numpy", "pandas", "scipy", "seaborn", "sklearn"})
IN_PLACE = frozenset({"copyto", "fill_diagonal", "place", "put", "put_along_axis", "putmask", "setattr", "shuffle"})
"""Functions that change their arguments."""
ALIASES = frozenset({"asanyarray", "asarray", "atleast_1d", "atleast_2d", "check_array", "ravel", "reshape", "squeeze"})
"""Functions that may return their argument or a view of it; uses of that result are not followed."""
SHARING = frozenset({"copy", "out"})
"""Keyword arguments that let a function write into its input."""
VIEWS = frozenset({"numpy", "ravel", "reshape", "squeeze", "to_numpy", "view"})
"""Methods that may return a view of their object."""
READING_ARGUMENTS = frozenset(
    {"extend", "fit", "fit_predict", "fit_transform", "partial_fit", "score", "split", "transform"}
)
"""Methods that do not change their arguments, like all that begin with ``predict`` or ``decision_``."""
_READING = """
    all any argmax argmin argsort astype copy count describe get_params head index item items keys max mean min nunique
    score split std sum tail to_list tolist unique value_counts var
"""
READING_METHODS = frozenset(_READING.split())
"""Methods that do not change their object, like all that begin with ``predict`` or ``decision_``."""
PROPERTIES = frozenset({"dtype", "ndim", "shape", "size"})


def unchanged(code: Code, node: cst.CSTNode, start: int, end: int) -> bool:
    """Tell whether the names in a node hold the same values at two offsets.

    Returns
    -------
    bool
        False if the code between the offsets rebinds a name, changes its value in place, or passes it to something that
        may change or store it. False also if a function elsewhere does so, because it may be called in between. Aliases
        that existed before are not followed.
    """
    return all(_is_same(code, name, start, end, binding=True) for name in code.names(node))


def unshared(code: Code, node: cst.CSTNode, start: int, end: int) -> bool:
    """Tell whether the values of the names in a node are only read between two offsets; the names may be rebound."""
    return all(_is_same(code, name, start, end, binding=False) for name in code.names(node))


def sharing(code: Code, value: cst.BaseExpression) -> cst.Name | None:
    """Find the variable with which a value may share memory; None if the expression creates a new object."""
    match value:
        case cst.Name():
            return value
        case cst.Attribute(value=whole) | cst.Subscript(value=whole):
            return None if _is_apart(value) else sharing(code, whole)
        case cst.Call(func=cst.Attribute(value=whole, attr=cst.Name(value=method))) if method in VIEWS:
            if not code.meaning(value.func):
                return sharing(code, whole)
        case _:
            pass
    match value:
        case cst.Call(func=func, args=[cst.Arg(value=given), *_]) if code.meaning(func).rpartition(".")[2] in ALIASES:
            return sharing(code, given)
        case _:
            return None


def _is_same(code: Code, name: cst.Name, start: int, end: int, *, binding: bool) -> bool:
    scope = code.scope(name)
    for one in code.named(name.value):
        other = code.scope(one)
        between = start <= code.span(one)[0] < end
        elsewhere = isinstance(_function(other), FunctionScope) and _function(other) is not _function(scope)
        if not (between or elsewhere) or other[name.value] != scope[name.value]:
            continue
        if code.context(one) is not ExpressionContext.LOAD:
            if binding or isinstance(code.parent(one), cst.AugAssign):  # an array is changed in place
                return False
        elif not (_is_fixed(code, one) or _is_read(code, one)):
            return False
    return True


def _is_fixed(code: Code, name: cst.Name) -> bool:
    """Whether the value of a name cannot change in place: a number, a string, a built-in or a library's object."""
    assign = code.assigned(name)
    value = assign.value if assign is not None else None
    foreign = code.is_builtin(name) or code.meaning(name).split(".")[0] in LIBRARIES
    return foreign or isinstance(value, cst.BaseNumber | cst.BaseString)


def _function(scope: Scope) -> Scope:
    """The scope of the function, class or module that a comprehension is in."""
    while isinstance(scope, ComprehensionScope):
        scope = scope.parent
    return scope


def _is_read(code: Code, name: cst.Name) -> bool:
    """Whether the expression around a name only reads it and stores nothing of it."""
    whole: cst.CSTNode = name
    while True:
        parent = code.parent(whole)
        if not isinstance(parent, cst.Attribute | cst.Subscript) or parent.value is not whole:
            break
        whole = parent
        if code.context(whole) is not ExpressionContext.LOAD:
            return False
        if _is_apart(whole):
            return True
    match parent:
        case cst.Call(func=func) if func is whole:
            return whole is name or _method(whole) in READING_METHODS or _predicts(whole) or _is_library(code, whole)
        case cst.Arg():
            call = code.parent(parent)
            return isinstance(call, cst.Call) and _only_reads(code, call)
        case cst.AugAssign(value=value):
            return value is whole
        case cst.BinaryOperation() | cst.UnaryOperation() | cst.Comparison() | cst.ComparisonTarget():
            return True
        case cst.Index() | cst.Slice() | cst.FormattedStringExpression() | cst.Expr():
            return True
        case cst.If(test=test) | cst.IfExp(test=test) | cst.While(test=test) | cst.Assert(test=test):
            return test is whole
        case _:
            return False


def _is_apart(node: cst.Attribute | cst.Subscript) -> bool:
    """Whether a part of a value shares no memory with it: rows taken by an index array are copied."""
    if isinstance(node, cst.Attribute):
        return node.attr.value in PROPERTIES
    indices = [one.slice.value if isinstance(one.slice, cst.Index) else None for one in node.slice]
    return all(isinstance(index, cst.Name | cst.Comparison) for index in indices)


def _only_reads(code: Code, call: cst.Call) -> bool:
    """Whether a call does not change its arguments, and returns nothing that shares memory with them."""
    if any(arg.keyword is not None and arg.keyword.value in SHARING for arg in call.args):
        return False
    if isinstance(call.func, cst.Name) and call.func.value in BUILTINS and code.is_builtin(call.func):
        return True
    if _is_library(code, call.func):
        return True
    return not code.meaning(call.func) and (_method(call.func) in READING_ARGUMENTS or _predicts(call.func))


def _is_library(code: Code, node: cst.CSTNode) -> bool:
    """Whether a name is a library function that does not change its arguments."""
    meaning = code.meaning(node)
    return meaning.split(".")[0] in LIBRARIES and meaning.rpartition(".")[2] not in IN_PLACE | ALIASES


def _method(node: cst.CSTNode) -> str:
    return node.attr.value if isinstance(node, cst.Attribute) else ""


def _predicts(node: cst.CSTNode) -> bool:
    return _method(node).startswith(("predict", "decision_"))
