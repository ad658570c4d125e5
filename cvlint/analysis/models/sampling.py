"""Rows that are drawn anew: over- and undersampling by a library or by hand."""

from __future__ import annotations

import ast

from cvlint.analysis.checkers.formulas import last_name
from cvlint.analysis.checkers.leakage import UNJOINED, held_out_parts, leak, learn
from cvlint.analysis.domain.value import Const, TaintLabel
from cvlint.analysis.state import AnalysisState
from cvlint.analysis.syntax import names_in
from cvlint.analysis.taint import root
from cvlint.knowledge.schema import Entry


def resampled(state: AnalysisState, node: ast.Call, by: str, fewer: bool) -> None:
    """``SMOTE().fit_resample(X, y)``; of a training part nothing else gets to know, and a test part is one no more."""
    name = root(node.args[0]) if node.args else ""
    made = learn(state, node, by, "resampled", fewer=fewer)
    if state.knowledge.conforms("training", name):
        held_out_parts(state, node)
    elif state.knowledge.conforms("test-only", name):
        for taint_label in made:
            leak(state, taint_label, taint_label.step, "test part")


def balanced(state: AnalysisState, entry: Entry, node: ast.AST) -> None:
    """Rows of one class are drawn, ``frame[frame.y == 0].sample(n)``: one class is brought to another's size."""
    if not isinstance(node, ast.Call) or is_shuffle(node):
        return
    sources = node.args[:1] + ([node.func.value] if isinstance(node.func, ast.Attribute) else [])
    wholes = [whole for each in sources if (whole := whole_of_class(state, each, 2))]
    fewer = not is_drawn_again(state, entry, node)
    if any(state.knowledge.conforms("balancing", name) for name in names_in(node) | {state.target}):
        learn(state, node, "the sampling of rows", "resampled", fewer=fewer)
    elif wholes:
        learn(state, node, "the sampling of rows", "resampled", of=UNJOINED, fewer=fewer)
    if any(state.knowledge.conforms("training", whole) for whole in wholes):
        state.taint |= {TaintLabel("training", state.step(node, "a training part, by its name", heuristic=True))}


def is_drawn_again(state: AnalysisState, entry: Entry, node: ast.Call) -> bool:
    """Whether a row may be drawn more than once: as the call says, or else as the function does by itself."""
    said = [state.value(k.value) for k in node.keywords if k.arg == "replace"]
    known = [bool(v.value) for v in said if isinstance(v, Const)]
    return known[0] if known else bool(said or entry.facts.get("again") or is_generator(state, node))


def is_generator(state: AnalysisState, node: ast.Call) -> bool:
    """Whether what gives rows is an object that makes them up, ``CTGAN().sample(100)``, and no data."""
    receiver = node.func.value if isinstance(node.func, ast.Attribute) else None
    made = state.scope.definitions.get(receiver.id) if isinstance(receiver, ast.Name) else receiver
    return isinstance(made, ast.Call) and last_name(made.func)[:1].isupper()


def is_shuffle(node: ast.Call) -> bool:
    """Whether all rows are drawn, in another order: ``frame.sample(frac=1)``."""
    return any(k.arg == "frac" and isinstance(k.value, ast.Constant) and k.value.value == 1 for k in node.keywords)


def whole_of_class(state: AnalysisState, node: ast.expr, depth: int) -> str:
    """The name of the data of which an expression, or what a name was bound to, picks the rows of one class."""
    while True:
        match node:
            case ast.Subscript(value=whole, slice=ast.Compare(ops=[ast.Eq() | ast.NotEq()])):
                return root(whole) or "data"
            case ast.Call(func=ast.Attribute(attr="where" | "flatnonzero" | "nonzero"), args=[ast.Compare() as asked]):
                return root(asked.left) or "data"
            case ast.Call(func=ast.Attribute(value=whole, attr="query"), args=[ast.Constant(value=str() as said)]):
                return root(whole) or "data" if "==" in said else ""
            case ast.Attribute(value=inner) | ast.Subscript(value=inner) | ast.Call(func=ast.Attribute(value=inner)):
                node = inner
            case ast.Name(id=name):
                definition = state.scope.definitions.get(name) if depth else None
                return whole_of_class(state, definition, depth - 1) if definition is not None else ""
            case _:
                return ""
