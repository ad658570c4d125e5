"""Transformers that no knowledge names: classes with ``fit`` and ``transform``, of the project or of unknown libraries.

``X = QuantileGuard().fit_transform(X)``: such a class learns from the data, unless its code or its name says otherwise.
That rests on the names of its methods, so a finding is less certain than one of a known transformer. Where the body of
a project's class could be followed to a statistic of the data (see `cvlint.analysis.checkers.own_statistics`), nothing
is added here.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from cvlint.analysis.checkers.leakage import check_fit
from cvlint.analysis.checkers.own_statistics import check_own_statistic, label_fit
from cvlint.analysis.domain.environment import ClassValue
from cvlint.analysis.state import AnalysisState
from cvlint.analysis.syntax import called_name, nodes_in
from cvlint.analysis.taint import add_taint, root_name, taint_at

METADATA = frozenset(
    ("shape", "columns", "index", "dtype", "dtypes", "ndim", "size", "nrow", "feature_names_in_", "name")
)
CATEGORIES = frozenset(("set", "unique", "nunique", "len", "isinstance", "type", "list_categories", "keys", "hasattr"))
FITTING = ("fit", "fit_transform", "transform")


def check_unknown_transformer(state: AnalysisState, node: ast.Call) -> None:
    """``guard.fit_transform(X)``, ``guard.fit(X).transform(X)`` of an object that could not be followed."""
    if not isinstance(node.func, ast.Attribute) or not node.args or node.func.attr not in FITTING:
        return
    by = class_name(state, node.func.value)
    if state.knowledge.conforms("stateless", by) or state.knowledge.conforms("truth", root_name(node.args[0])):
        return
    match node.func.attr:
        case "fit_transform":
            check_fit(state, node, by or "this transformer", heuristic=True)
        case "transform":
            by = by or "this transformer"
            check_own_statistic(state, node, node.args[0], node.func.value, by, heuristic=True)


def check_transformer_of_project(state: AnalysisState, classes: list[ClassValue], node: ast.Call) -> None:
    """The same of an object of the project, whose class says what it learns."""
    if not isinstance(node.func, ast.Attribute) or not any(m.kind == "learned" for m in state.taint):
        if not learns(classes):
            return
        if isinstance(node.func, ast.Attribute) and node.func.attr == "fit":
            fitted = label_fit(state, node)
            state.taint |= fitted
            add_taint(state, node.func.value, fitted)
        else:
            if isinstance(node.func, ast.Attribute):
                state.taint |= taint_at(state, *node.args)
            check_unknown_transformer(state, node)


def class_name(state: AnalysisState, node: ast.expr) -> str:
    """The name of the class that an expression is an object of, as far as the code around shows it."""
    for _ in range(2):
        match node:
            case ast.Call(func=ast.Attribute(value=made, attr="fit")):
                node = made
            case ast.Call(func=called):
                return called_name(called)
            case ast.Name(id=name) if (definition := state.environment.definitions.get(name)) is not None:
                node = definition
            case _:
                break
    return called_name(node.func) if isinstance(node, ast.Call) else ""


def learns(classes: list[ClassValue]) -> bool:
    """Whether ``fit`` keeps what it computes from the values of the data, and another method reads it."""
    methods = {
        s.name: s for cls in reversed(classes) if cls.node for s in cls.node.body if isinstance(s, ast.FunctionDef)
    }
    if not {"fit", "transform"} & methods.keys() or "predict" in methods:
        return False
    kept = set(kept_values(methods.get("fit") or methods["transform"]))
    readers = (method for name, method in methods.items() if name not in ("fit", "__init__"))
    return any(a.attr in kept and isinstance(a.ctx, ast.Load) for m in readers for a in nodes_in(m, ast.Attribute))


def kept_values(fit: ast.FunctionDef) -> Iterator[str]:
    """The attributes that ``fit`` sets to something that it computes from its data, and not from their titles."""
    known = {a.arg for a in fit.args.args[1:2]}
    for statement in nodes_in(fit, ast.Assign):
        if not reads_values(statement.value, known):
            continue
        for target in statement.targets:
            for part in target.elts if isinstance(target, ast.Tuple | ast.List) else [target]:
                match part:
                    case ast.Name(id=name):
                        known.add(name)
                    case ast.Attribute(value=ast.Name(id="self"), attr=name):
                        yield name
                    case ast.Subscript(value=ast.Attribute(value=ast.Name(id="self"), attr=name)):
                        yield name


def reads_values(node: ast.expr, known: set[str]) -> bool:
    """Whether an expression reads the values of the data that go by the ``known`` names."""
    match node:
        case ast.Name(id=name):
            return name in known
        case ast.Attribute(attr=attr) if attr in METADATA:
            return False
        case ast.Call(func=called) if called_name(called) in CATEGORIES:
            return False
    return any(
        reads_values(child, known) for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr)
    ) or any(
        reads_values(inner, known)
        for child in ast.iter_child_nodes(node)
        if isinstance(child, ast.comprehension | ast.keyword)
        for inner in ast.iter_child_nodes(child)
        if isinstance(inner, ast.expr)
    )
