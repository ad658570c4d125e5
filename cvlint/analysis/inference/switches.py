"""Settings that people change in the text between two runs: ``USE_SMOTE = False``, ``if USE_SMOTE: …``.

What the other arm says was run on another day, so both are followed. What a call or a number decides is decided.
"""

from __future__ import annotations

import ast

from cvlint.analysis.domain.environment import ClassValue
from cvlint.analysis.domain.heap_object import Instance
from cvlint.analysis.domain.value import LibraryName
from cvlint.analysis.inference.outcomes import is_bound_once, parameters_of
from cvlint.analysis.state import AnalysisState, Frame
from cvlint.analysis.syntax import kept_in_node, nodes_in

CHOOSING = (ast.Eq, ast.NotEq, ast.In, ast.NotIn)


def is_switch(state: AnalysisState, test: ast.expr) -> bool:
    """Whether settings alone decide a test; ``if n_classes > 2`` asks for a number, which may say what the data are."""
    match test:
        case ast.BoolOp(values=sides):
            return all(is_switch(state, side) for side in sides)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return is_switch(state, operand)
        case ast.Compare(left=left, ops=[op], comparators=[right]) if isinstance(op, CHOOSING):
            sides = [side for side in (left, right) if not is_literal(side)]
            return bool(sides) and all(is_setting(state, side) for side in sides)
        case _:
            return is_setting(state, test)


def is_literal(node: ast.expr) -> bool:
    """Whether an expression is a literal, or several: ``("svm", "knn")``."""
    listed = node.elts if isinstance(node, (ast.Tuple, ast.List, ast.Set)) else [node]
    return all(isinstance(one, ast.Constant) for one in listed)


def is_setting(state: AnalysisState, node: ast.expr, level: int = -1) -> bool:
    """Whether the code binds what it reads here once, to a literal: True, False, 0, 1 or a text.

    It may be a name, an entry of a dict or an attribute of a class, and a parameter that gets such a thing. A parameter
    that gets a literal is what the call asks for.
    """
    frame = state.frames[level]
    match node:
        case ast.Name(id=name) if name in parameters_of(frame.node):
            given = frame.argument(name)
            return given is not None and -level < len(state.frames) and is_setting(state, given, level - 1)
        case ast.Name(id=name):
            return is_choice(definition_of(frame, name))
        case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=key)):
            table = definition_of(frame, name)
            entries = zip(table.keys, table.values, strict=True) if isinstance(table, ast.Dict) else ()
            return any(isinstance(k, ast.Constant) and k.value == key and is_choice(value) for k, value in entries)
        case ast.Attribute(value=ast.Name(id=name), attr=attribute):
            holder = frame.environment.lookup(name)
            cls = holder.cls if isinstance(holder, Instance) else holder
            return (
                isinstance(cls, ClassValue) and not is_enumeration(state, cls) and is_setting_of_class(cls, attribute)
            )
        case _:
            return False


def is_enumeration(state: AnalysisState, cls: ClassValue) -> bool:
    """Whether the attributes of a class are the members of an enumeration, which nobody changes in the text."""
    entries = [state.knowledge.entry(base.name) for base in cls.bases if isinstance(base, LibraryName)]
    return any(entry is not None and entry.facts.get("kind") == "enumeration" for entry in entries)


def is_choice(node: ast.expr | None) -> bool:
    """Whether a setting may be so or otherwise; a larger number says how much."""
    return isinstance(node, ast.Constant) and (isinstance(node.value, str) or node.value in (0, 1))


def definition_of(frame: Frame, name: str) -> ast.expr | None:
    """What a name is bound to that a function or module binds once."""
    binder = frame.environment.defining_environment(name)
    return binder.definitions.get(name) if binder is not None and is_bound_once(frame, name) else None


def is_setting_of_class(cls: ClassValue, attribute: str) -> bool:
    """Whether the body of a class binds an attribute to such a literal, and nothing else in its module binds it."""
    if cls.node is None or cls.environment is None:
        return False
    if attribute in attributes_written(cls.environment.module.source.tree):
        return False
    return is_choice(literals_of_class(cls.node).get(attribute))


@kept_in_node
def attributes_written(tree: ast.AST) -> frozenset[str]:
    """The attributes that a module binds."""
    return frozenset(n.attr for n in nodes_in(tree, ast.Attribute) if isinstance(n.ctx, ast.Store))


def literals_of_class(node: ast.ClassDef) -> dict[str, ast.expr]:
    """What the body of a class binds its attributes to."""
    found: dict[str, ast.expr] = {}
    for statement in node.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                found[name] = value
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                found[name] = value
    return found
