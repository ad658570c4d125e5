"""Formulas of precision and recall whose result gets the name of F later.

``score = p * r / (p + r)`` is half of F, and no fault as long as nobody calls it F. The value remembers the formula by
a step of its trace, and is compared with its name wherever it gets one: ``f1 = score``, ``row["f1"] = score``. What is
calculated with it is something else: ``f1 = 2 * score``.
"""

from __future__ import annotations

import ast

from cvlint.analysis.checkers.formulas.f_definition import (
    branches_of,
    known_mistake,
    quotient_in,
    record_wrong_formula,
)
from cvlint.analysis.domain.lattice import options, with_step
from cvlint.analysis.domain.trace import Step
from cvlint.analysis.domain.value import AnyValue, Const, Data, Measure, MeasureValue
from cvlint.analysis.state import AnalysisState
from cvlint.analysis.syntax import names_in

PARTS = ("precision", "recall")
CALCULATED = "it is calculated with here"


def note_formula(state: AnalysisState, node: ast.expr, value: AnyValue) -> AnyValue:
    """The value of an expression, which remembers it if it is a well-known mistake for F.

    A value that remembers another formula, and that this expression calculates with, forgets it.
    """
    if not isinstance(value, (Data, MeasureValue)) or not (is_measured_here(value, node) or reads_parts(state, node)):
        return calculated(state, node, value)
    for branch in branches_of(node):
        if mistake := known_mistake(state, "f-measure", state.target, branch):
            state.misformed[node] = mistake
            return with_step(value, state.step(node, "precision and recall are combined here"))
    return calculated(state, node, value)


def is_measured_here(value: Data | MeasureValue, node: ast.expr) -> bool:
    """Whether an expression is the formula that computes a measure."""
    return isinstance(value, MeasureValue) and bool(value.trace) and value.trace[-1].node is node


def reads_parts(state: AnalysisState, node: ast.expr) -> bool:
    """Whether an expression reads a precision or a recall."""
    held = (state.environment.lookup(name) for name in names_in(node))
    return any(isinstance(o, MeasureValue) and o.measure.kind in PARTS for value in held for o in options(value))


def calculated(state: AnalysisState, node: ast.AST, value: AnyValue) -> AnyValue:
    """What an expression makes of a value that remembers a formula: it is no longer the value of the formula."""
    if state.misformed and any(formula_of(state, option) is not None for option in options(value)):
        return with_step(value, state.step(node, CALCULATED))
    return value


def formula_of(state: AnalysisState, value: AnyValue) -> Step | None:
    """The step at the mistaken formula whose value this is, if it is one."""
    for step in reversed(value.trace) if isinstance(value, (Data, MeasureValue)) else ():
        if step.node in state.misformed:
            return step
        if step.note == CALCULATED:
            return None
    return None


def check_name(state: AnalysisState, name: str, value: AnyValue) -> None:
    """A value gets a name: the result of a mistaken formula must not be called F."""
    steps = [formula_of(state, option) for option in options(value) if not isinstance(option, Const)]
    if not steps or steps[0] is None or None in steps or state.knowledge.measure_named(name) != "f-measure":
        return
    node, source = steps[0].node, steps[0].source
    assert isinstance(node, ast.expr)
    record_wrong_formula(state, Measure("f-measure", None, name), state.misformed[node], quotient_in(node), source)
