"""Functions and methods of libraries whose knowledge is Python code. Effects: ``python``, ``code``.

Of ``dataclasses.replace`` the knowledge gives the code, and the interpreter evaluates it like a function of the
project: no model repeats what loops, calls and containers do. The code counts as standing where it is called.
"""

from __future__ import annotations

import ast

from cvlint.analysis.domain.environment import Environment, Function
from cvlint.analysis.domain.frozen import replace
from cvlint.analysis.domain.heap_object import HeapObject
from cvlint.analysis.domain.lattice import UNKNOWN
from cvlint.analysis.domain.taint_label import NO_TAINT
from cvlint.analysis.domain.value import AnyValue, Const, LibraryObject
from cvlint.analysis.heap.entries import write_known_key
from cvlint.analysis.models.arguments import unknown_result
from cvlint.analysis.state import AnalysisState, Arguments
from cvlint.analysis.taint import stored, taint_at
from cvlint.knowledge.schema import Entry
from cvlint.source.parsing import walk

MOST_CODE = 1_000  # characters of code in a text
MODULE = "module"  # the name that the code of an import binds


def python_call(state: AnalysisState, entry: Entry, arguments: Arguments, node: ast.AST) -> AnyValue:
    """A call of a function whose code is known: ``itemgetter("f1")``."""
    return state.call(state, code_value(state, entry, node), arguments, node)


def python_method(state: AnalysisState, base: AnyValue, entry: Entry, arguments: Arguments, node: ast.Call) -> AnyValue:
    """A call of a method whose code is known: ``box._replace(a=1)``; perhaps only for models that give hard labels."""
    gives = entry.facts.get("gives")
    if gives is not None and not (isinstance(base, LibraryObject) and base.facts.get("gives") == gives):
        return unknown_result(state, arguments, base)
    function = code_value(state, entry, node)
    if not isinstance(node.func, ast.Attribute):
        return state.call(state, function, ([base, *arguments[0]], arguments[1]), node)
    held = stored(base, taint_at(state, node.func.value))
    call = receiver_first(node, node.func.value)
    return state.call(state, function, ([held, *arguments[0]], arguments[1]), call)


def receiver_first(node: ast.Call, receiver: ast.expr) -> ast.Call:
    """``f(frame, x)`` for ``frame.pipe(f, x)``: the receiver is the first argument of the code."""
    return ast.copy_location(ast.Call(node.func, [receiver, *node.args], node.keywords), node)


def bound_method(state: AnalysisState, base: AnyValue, node: ast.Attribute) -> AnyValue:
    """``add = scores.append``: a function that calls the method of the object, whatever the object holds by then."""
    function = unbound_method(state, node.attr, node)
    return replace(function, bound=base) if isinstance(function, Function) else function


def unbound_method(state: AnalysisState, name: str, node: ast.AST) -> AnyValue:
    """``list.append``: a function that calls the method of its first argument."""
    entry = Entry(f"self.{name}", "python", {"code": f"lambda self, *args, **kwargs: self.{name}(*args, **kwargs)"})
    return code_value(state, entry, node)


def code_value(state: AnalysisState, entry: Entry, node: ast.AST) -> AnyValue:
    """The function or class that the code of an entry defines, as if it were written at the place of the call."""
    tree = state.inlined.get((entry.name, node))
    if tree is None:
        tree = state.inlined[entry.name, node] = located(entry.facts["code"], node)
    outer, module = state.environment, state.environment.module
    state.environment = Environment(module, None)
    try:
        if isinstance(tree, ast.expr):
            return state.evaluate(state, tree)
        state.execute(state, [tree])
        return next(iter(state.environment.bindings.values()), UNKNOWN)  # nothing, if the budget is used up
    finally:
        state.environment = outer


def code_call(state: AnalysisState, entry: Entry, arguments: Arguments, node: ast.AST) -> AnyValue:
    """``eval("f1_score")``, ``exec("f1 = score(y)", {"score": f1_score}, names)``, ``import_module("metrics")``."""
    given, *tables = arguments[0] or [UNKNOWN]
    if not (isinstance(given, Const) and isinstance(given.value, str) and len(given.value) < MOST_CODE):
        return unknown_result(state, arguments)
    try:
        body = ast.parse(entry.facts["template"].replace("{}", given.value.strip())).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return unknown_result(state, arguments)
    for inner in (inner for statement in body for inner in walk(statement)):
        ast.copy_location(inner, node)
    outer = state.environment
    names = [table for table in tables if isinstance(table, HeapObject)]
    if names or "import" in entry.facts["template"]:
        state.environment = Environment(outer.module, None if names else outer)
        for table in names:
            state.environment.bindings.update({k: v for k, v in table.fields.items() if isinstance(k, str)})
    try:
        if len(body) == 1 and isinstance(body[0], ast.Expr):
            return state.evaluate(state, body[0].value)
        state.execute(state, body)
        taint = state.environment.taint
        bound = {k: stored(v, taint.get(k, NO_TAINT)) for k, v in state.environment.bindings.items()}
    finally:
        state.environment = outer
    for name, value in bound.items() if names else ():
        write_known_key(state, names[-1], name, value, node)
    return bound.get(MODULE, Const())


def located(code: str, node: ast.AST) -> ast.stmt | ast.expr:
    """The tree of an expression or a definition, with all its nodes at the place of ``node``."""
    first = ast.parse(code).body[0]
    tree = first.value if isinstance(first, ast.Expr) else first
    for inner in walk(tree):
        ast.copy_location(inner, node)
    return tree
