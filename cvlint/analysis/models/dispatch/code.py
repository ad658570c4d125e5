"""Functions that the knowledge says in Python itself. Effect: ``code``; and bound methods.

``itemgetter("f1")`` is ``lambda key: lambda row: row[key]``: the interpreter evaluates that code, so the function needs
no model. Each call has a copy of the code of its own, at the place of the call.
"""

from __future__ import annotations

import ast

from cvlint.analysis.domain.environment import Environment, Function
from cvlint.analysis.domain.value import AnyValue
from cvlint.analysis.state import AnalysisState, Arguments
from cvlint.knowledge.loader import Entry


def code_call(state: AnalysisState, entry: Entry, arguments: Arguments, node: ast.AST) -> AnyValue:
    """A call of a function whose code the knowledge gives."""
    return state.call(state, function_of(state, entry.facts["code"], node), arguments, node)


def code_method(state: AnalysisState, base: AnyValue, entry: Entry, arguments: Arguments, node: ast.Call) -> AnyValue:
    """A call of a method whose code the knowledge gives; its first parameter is the object."""
    return state.call(state, function_of(state, entry.facts["code"], node, base), arguments, node)


def bound_method(state: AnalysisState, base: AnyValue, node: ast.Attribute) -> AnyValue:
    """``scores.append`` where it is not called: a function that calls the method."""
    return function_of(state, f"lambda self, *args, **kwargs: self.{node.attr}(*args, **kwargs)", node, base)


def function_of(state: AnalysisState, code: str, node: ast.AST, bound: AnyValue | None = None) -> Function:
    """The function with a code, at the place of ``node``."""
    made = state.codes.get((node, code))
    if made is None:
        parsed = ast.parse(code, mode="eval").body
        assert isinstance(parsed, ast.Lambda)
        for child in ast.walk(parsed):
            ast.copy_location(child, node)
        made = state.codes[node, code] = parsed
    environment = Environment(state.environment.module, None)
    return Function(node=made, environment=environment, bound=bound, owner=state.frame.owner)
