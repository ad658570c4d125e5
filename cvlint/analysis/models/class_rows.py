"""Expressions that hold the rows of one class: ``frame[frame.y == 0]``, ``np.where(y == 1)``, a group of a column."""

from __future__ import annotations

import ast

from cvlint.analysis.domain.lattice import options
from cvlint.analysis.domain.value import Const, LibraryName
from cvlint.analysis.inference.true_labels import is_title_of_labels
from cvlint.analysis.state import AnalysisState
from cvlint.analysis.syntax import called_name, names_in, nodes_in, root_name


def whole_of_class(state: AnalysisState, node: ast.expr, depth: int) -> str:
    """The name of ``frame`` in ``frame[frame.y == 0]``, the rows of one class; empty for other expressions.

    Names are followed to what they are bound to, ``depth`` times.
    """
    while True:
        match node:
            case ast.Subscript(value=whole, slice=ast.Compare(ops=[ast.Eq() | ast.NotEq()]) as condition):
                return "" if tests_rows(state, condition) else root_name(whole) or "data"
            case ast.Call(func=ast.Attribute(value=whole, attr=name), args=[ast.List(elts=[column]) | column]) if (
                name in state.knowledge.groups["groups-rows"]
            ):
                return (root_name(whole) or "data") if is_title_of_truth(state, column) else ""
            case ast.Subscript(value=whole, slice=ast.Name(id=key)) if is_class_test(
                state.environment.definitions.get(key)
            ):
                return root_name(whole) or "data"
            case ast.Call(
                func=ast.Attribute(attr="where" | "flatnonzero" | "nonzero"), args=[ast.Compare() as condition]
            ):
                return root_name(condition.left) or "data"
            case ast.ListComp(
                generators=[
                    ast.comprehension(
                        target=one, iter=whole, ifs=[ast.Compare(left=left, ops=[ast.Eq() | ast.NotEq()])]
                    )
                ]
            ):
                is_value = isinstance(left, ast.Name) and names_in(left) == names_in(one)
                return "" if is_value else root_name(whole) or "data"  # ``[name for name in names if name != own]``
            case ast.IfExp(body=body, orelse=orelse):  # ``small, big = (pos, neg) if len(pos) < len(neg) else …``
                return whole_of_class(state, body, depth) or whole_of_class(state, orelse, depth)
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                return next((found for part in parts if (found := whole_of_class(state, part, depth))), "")
            case ast.Call(
                func=ast.Name(), args=[ast.Tuple() | ast.List() as parts, *_]
            ):  # ``sorted([pos, neg], key=len)``
                node = parts
            case ast.Call(func=ast.Attribute(value=whole, attr=attr), args=[condition]) if (
                attr in state.knowledge.groups["selects-by-condition"]
            ):
                return root_name(whole) or "data" if selects_class(condition) else ""
            case ast.Call(func=func, args=[ast.List(elts=[_, _, *_]) | ast.Tuple(elts=[_, _, *_]), *_]) if (
                called_name(func) in state.knowledge.groups["stacks-rows"]
            ):
                return ""  # ``pd.concat([pos, neg])``: rows of several classes, or of several files
            case ast.Call(func=func, args=[first, *_]) if is_library_call(state, func):
                node = first  # ``np.random.permutation(rows)``, ``shuffle(rows)``, ``list(rows)``
            case ast.Attribute(value=inner) | ast.Subscript(value=inner) | ast.Call(func=ast.Attribute(value=inner)):
                node = inner
            case ast.BinOp(op=ast.Add() | ast.Mult(), left=left):  # copies with noise
                node = left
            case ast.Name(id=name):
                definition = bound_rows(state, name) if depth else None
                return whole_of_class(state, definition, depth - 1) if definition is not None else ""
            case _:
                return ""


def tests_rows(state: AnalysisState, condition: ast.Compare) -> bool:
    """Whether a condition asks for a property of rows that is no label: ``frame.duplicated() == False``."""
    match condition:
        case ast.Compare(left=ast.Call(func=ast.Attribute(attr=name)), comparators=[ast.Constant(value=bool())]):
            return name not in state.knowledge.groups["converts"]
        case _:
            return False


def bound_rows(state: AnalysisState, name: str) -> ast.expr | None:
    """What a name for rows is bound to: in ``frame.groupby("y").apply(lambda rows: rows.sample(n))`` a group.

    After ``rows = frame[frame.y == 0]`` and ``rows = rows.dropna()`` they still are the rows of a class.
    """
    home = state.environment.defining_environment(name) or state.environment
    definition = home.definitions.get(name)
    earlier = [source for source, _ in home.dependences.get(name, ())]
    while earlier and is_cleaned(state, definition, name):
        definition = earlier.pop()
    if definition is None and state.frame.per_group and isinstance(state.frame.call, ast.Call):
        return state.frame.call.func
    return definition


def is_cleaned(state: AnalysisState, definition: ast.expr | None, name: str) -> bool:
    """Whether a name is bound to its own rows without gaps, or in another form: ``rows = rows.dropna()``."""
    match definition:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=own), attr=method)) if own == name:
            return method in state.knowledge.groups["cleans-rows"]
        case _:
            return False


def selects_class(condition: ast.expr) -> bool:
    """Whether the condition of a method selects the rows of a class: ``col("y") == 0``, ``"y == 0"``."""
    match condition:
        case ast.Constant(value=str() as text):
            return "==" in text or " = " in text
        case ast.Compare(ops=[op]):
            return isinstance(op, (ast.Eq, ast.NotEq))
        case _:
            return False


def is_title_of_truth(state: AnalysisState, node: ast.expr) -> bool:
    """Whether an expression is the title of a column of true labels, by its text, its use or its name: ``TARGET``."""
    held = [option.value for option in options(state.evaluate(state, node)) if isinstance(option, Const)]
    titles = [called_name(node), *(title for title in held if isinstance(title, str))]
    return any(is_title_of_labels(state, title) for title in titles)


def is_library_call(state: AnalysisState, func: ast.expr) -> bool:
    """Whether a call is of a function of a library, or a builtin one, and of no method."""
    root = func
    while isinstance(root, ast.Attribute):
        root = root.value
    return isinstance(root, ast.Name) and isinstance(state.evaluate(state, root), LibraryName)


def tells_class(state: AnalysisState, rows: ast.expr, depth: int = 3) -> bool:
    """Whether rows are those of a class by the name of the column or of the labels: ``data[data["Class"] == 0]``."""
    titles = {n.value for n in nodes_in(rows, ast.Constant) if isinstance(n.value, str)} | names_in(rows)
    if any(is_title_of_labels(state, title) or state.knowledge.conforms("label-name", title) for title in titles):
        return True
    definition = bound_rows(state, root_name(rows)) if depth else None
    return isinstance(definition, ast.expr) and tells_class(state, definition, depth - 1)


def is_class_test(node: ast.expr | None) -> bool:
    """Whether an expression finds the rows of a class: ``y == 1``, ``np.where(y == 1)[0]``."""
    return isinstance(node, ast.expr) and any(
        isinstance(comparison.ops[0], (ast.Eq, ast.NotEq)) for comparison in nodes_in(node, ast.Compare)
    )
