"""Loops over folds in which one model, which was fitted or loaded before, scores the test parts of all folds.

Its scores have one scale, so that samples of different folds can be ranked together.
"""

from __future__ import annotations

import ast

from cvlint.analysis.domain.axis import Axes, Axis
from cvlint.analysis.domain.environment import Environment, Function
from cvlint.analysis.domain.lattice import options
from cvlint.analysis.domain.value import LibraryName, LibraryObject
from cvlint.analysis.state import AnalysisState
from cvlint.analysis.syntax import called_name, names_in, nodes_in

MOST_FUNCTIONS = 20  # so many functions are looked into for what may train a model
UNKNOWN_MODEL = ""
MODULES = ("module", "later")  # roles of what an import binds


def scored_by_one_model(state: AnalysisState, pooled: Axes) -> Axes:
    """The loops over folds whose test parts were scored by models that the loop neither fits, nor loads, nor makes."""
    return frozenset(axis for axis in pooled if axis.kind == "fold" and has_one_model(state, axis))


def has_one_model(state: AnalysisState, axis: Axis) -> bool:
    """Whether the models that predict in the loops of the present function along an axis were there before."""
    loops = [loop for loop in nodes_in(state.frame.node, ast.For) if loop in axis.loops]
    models = {name for loop in loops for name in models_asked(state, loop)}
    return bool(models) and not any(changes_models(state, loop, models) for loop in loops)


def models_asked(state: AnalysisState, loop: ast.For) -> set[str]:
    """The names of the models that predict in a loop, or that a function gets: ``evaluate(model, X[test])``."""
    found = set[str]()
    for call in nodes_in(loop, ast.Call):
        if isinstance(call.func, ast.Attribute) and call.func.attr in state.knowledge.groups["predicts"]:
            found.add(name_of_object(state, call.func.value))
        found |= {n.id for n in arguments_of(call) if state.knowledge.conforms("model", n.id)}
    return found


def name_of_object(state: AnalysisState, node: ast.expr) -> str:
    """The name of an object that predicts; not of a module with a function ``predict``, or of one of several models."""
    held = options(state.environment.lookup(node.id)) if isinstance(node, ast.Name) else ()
    modules = (isinstance(v, LibraryName) or (isinstance(v, LibraryObject) and v.role in MODULES) for v in held)
    return node.id if isinstance(node, ast.Name) and not any(modules) else UNKNOWN_MODEL


def arguments_of(call: ast.Call) -> list[ast.Name]:
    """The names among the arguments of a call."""
    given = (*call.args, *(k.value for k in call.keywords))
    return [argument for argument in given if isinstance(argument, ast.Name)]


def changes_models(state: AnalysisState, loop: ast.For, models: set[str]) -> bool:
    """Whether a loop binds one of the models, or does with them what may train or load one."""
    made_here = {n.id for n in nodes_in(loop, ast.Name) if isinstance(n.ctx, ast.Store)}
    if UNKNOWN_MODEL in models or not models.isdisjoint(made_here):
        return True
    return any(may_change(state, call, models) for call in nodes_in(loop, ast.Call)) or may_train(state, loop)


def may_change(state: AnalysisState, call: ast.Call, models: set[str]) -> bool:
    """Whether a call may change a model that it gets, or whose method it is."""
    match call.func:
        case ast.Attribute(value=ast.Name(id=name), attr=method) if name in models:
            harmless = state.knowledge.groups["predicts"] | state.knowledge.groups["readies-models"]
            return method not in harmless
    if models.isdisjoint(n.id for n in arguments_of(call)):
        return False
    return not (
        functions_called(state, call, state.environment)
        or state.knowledge.conforms("leaves-models", called_name(call.func))
    )


def functions_called(state: AnalysisState, call: ast.Call, environment: Environment) -> list[Function]:
    """The functions of the project that a call in an environment may call."""
    if not isinstance(call.func, ast.Name):
        return []
    outer, taint, state.environment = state.environment, state.taint, environment
    held = options(state.evaluate(state, call.func))
    state.environment, state.taint = outer, taint
    return [value for value in held if isinstance(value, Function) and value.node is not None]


def may_train(state: AnalysisState, loop: ast.For) -> bool:
    """Whether a loop, or a function of the project that it calls, may fit, load or make a model."""
    training = state.knowledge.groups["fits"] | state.knowledge.groups["trains-by-gradient"]
    places: dict[ast.AST, Environment] = {loop: state.environment}
    for code in (waiting := list(places)):
        if names_in(code) & training or len(places) > MOST_FUNCTIONS:
            return True
        for call in nodes_in(code, ast.Call):
            if state.knowledge.conforms("makes-model", called_name(call.func)):
                return True
            for function in functions_called(state, call, places[code]):
                if function.node is not None and function.environment is not None and function.node not in places:
                    places[function.node] = function.environment
                    waiting.append(function.node)
    return False
