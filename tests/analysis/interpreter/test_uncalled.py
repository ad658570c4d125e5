"""Functions that nothing called are evaluated with unknown arguments: those that call the others come first."""

from __future__ import annotations

import ast

from cvlint.analysis.domain.environment import Function
from cvlint.analysis.domain.heap_object import Instance
from cvlint.analysis.interpreter.uncalled import callers_first

CODE = """
def measured(y, p): return f1_score(y, p)
def fold(train, test): return measured(y[test], train)
def unused(): return unused()
def run(): return fold(train, measured)
"""


def test_callers_come_before_what_they_call() -> None:
    functions = [(Function(node=node), node) for node in ast.parse(CODE).body if isinstance(node, ast.FunctionDef)]
    ordered = [(node.name, again) for _, node, again in callers_first(functions)]
    assert ordered == [("unused", False), ("run", False), ("measured", True), ("fold", True)]


def test_methods_keep_their_order_behind_functions() -> None:
    first, second, third, _ = (node for node in ast.parse(CODE).body if isinstance(node, ast.FunctionDef))
    methods = [(Function(node=node, bound=Instance("object")), node) for node in (second, first)]
    ordered = callers_first([*methods, (Function(node=third), third)])
    assert [getattr(node, "name", "") for _, node, _ in ordered] == ["unused", "fold", "measured"]
