"""The names of data: what an expression is called where the data came from, without conversions on the way."""

from __future__ import annotations

import ast

from cvlint.analysis.domain.taint_label import DataName
from cvlint.analysis.domain.value import LibraryName
from cvlint.analysis.state import AnalysisState
from cvlint.analysis.syntax import with_names
from cvlint.analysis.taint import root_name
from cvlint.source.parsing import walk

MOST_NAMES = 8


def data_name(state: AnalysisState, node: ast.expr | None) -> DataName | None:
    """The data that an expression takes: their spelling, with names followed to what they were bound to."""
    level = len(state.frames) - 1
    for _ in range(MOST_NAMES):
        if node is None:
            return None
        frame, node = state.frames[level], without_conversions(state, node)
        if not isinstance(node, ast.Name):
            level, node = of_caller(state, level, node)
            environment = state.frames[level].environment.defining_environment(root_name(node))
            return DataName(environment or state.frames[0].environment, ast.unparse(node), None)
        environment = frame.environment.defining_environment(node.id)
        # a function that is defined in another reads the parameters of that one
        level = next((i for i in range(level, 0, -1) if state.frames[i].environment is environment), level)
        frame = state.frames[level]
        argument = frame.argument(node.id) if level and environment is frame.environment else None
        if argument is not None:
            node, level = argument, level - 1
            continue
        definition = environment.definitions.get(node.id) if environment is not None else None
        plain_definition = without_conversions(state, definition) if definition is not None else None
        if (
            plain_definition is definition
            or not isinstance(plain_definition, ast.Name | ast.Attribute | ast.Subscript)
            or plain_definition is node
        ):
            return DataName(environment or state.frames[0].environment, node.id, definition)
        node = plain_definition
    return None


def of_caller(state: AnalysisState, level: int, node: ast.expr) -> tuple[int, ast.expr]:
    """A part of data as the callers spell it: ``data.y[data.test]`` of a parameter is ``graph.y[graph.test]``."""
    while level:
        frame, names = state.frames[level], {n.id for n in walk(node) if isinstance(n, ast.Name)}
        given = {name: frame.argument(name) for name in names if name not in frame.environment.definitions}
        arguments = {name: argument for name, argument in given.items() if isinstance(argument, ast.Name)}
        if not names or len(arguments) < len(names):
            break
        level, node = level - 1, with_names(node, {name: argument.id for name, argument in arguments.items()})
    return level, node


def without_conversions(state: AnalysisState, node: ast.expr) -> ast.expr:
    """Data without their conversions: ``y`` of ``np.asarray(y.values).ravel()``."""
    while True:
        match node:
            case ast.Attribute(value=inner, attr="values" | "T" | "array"):
                node = inner
            case ast.Call(func=ast.Attribute(value=ast.Name(id=library), attr=attr), args=[first, *_]) if isinstance(
                state.environment.lookup(library), LibraryName
            ) and attr in ("array", "asarray", "ravel", "squeeze"):
                node = first
            case ast.Call(func=ast.Attribute(value=inner, attr=attr)) if attr in state.knowledge.groups["converts"]:
                node = inner
            case _:
                return node
