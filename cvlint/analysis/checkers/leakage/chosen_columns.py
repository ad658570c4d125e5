"""Columns that a statistic of all the data chooses: ``X[:, order[:20]]``, ``X[names]``, ``X.drop(columns=names)``.

A statistic decides which titles a list holds, a helper returns or a table lists first; where they select columns, the
data have learned from all rows (see `cvlint.analysis.checkers.leakage.own_statistics`).
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from cvlint.analysis.checkers.leakage.learned import check_part
from cvlint.analysis.checkers.leakage.own_statistics import CUT_TO_COLUMNS, check_own_statistic
from cvlint.analysis.domain.codomain import BOOL
from cvlint.analysis.domain.environment import Function
from cvlint.analysis.domain.frozen import replace
from cvlint.analysis.domain.heap_object import HeapObject
from cvlint.analysis.domain.lattice import codomain_of
from cvlint.analysis.domain.taint_label import NO_COLUMNS, NO_TAINT, Taint, sorted_labels
from cvlint.analysis.domain.value import AnyValue, Const
from cvlint.analysis.state import AnalysisState
from cvlint.analysis.syntax import called_name, names_in, nodes_in
from cvlint.analysis.taint import TITLES, add_taint, constant_columns, taint_at
from cvlint.source.parsing import walk

ORDERING = ("sort_values", "nlargest", "nsmallest")


def check_columns(state: AnalysisState, node: ast.Subscript) -> None:
    """``X[:, order[:20]]``, ``X[scores.index[:20]]``: the columns are chosen by a statistic of all the data."""
    key = node.slice
    if isinstance(key, ast.Tuple) and key.elts:
        key = key.elts[-1] if len(key.elts) > 1 else key.elts[0]
    elif tests_rows(state, key):  # the rows that are left keep their values
        state.taint -= {m for m in taint_at(state, key) - taint_at(state, node.value) if m.kind == "learned"}
        return
    elif not are_titles(state, key) or isinstance(node.value, ast.Attribute):
        return
    own = taint_at(state, key) - taint_at(state, node.value)
    for learned in sorted_labels(m for m in own if m.kind == "learned" and m.subject):
        check_part(state, node.value, learned)
    check_own_statistic(state, node, node.value, key, CUT_TO_COLUMNS)


def are_of_columns(state: AnalysisState, node: ast.expr) -> bool:
    """Whether each entry of an expression says something of a column: ``X.corr()["y"].abs().sort_values()``.

    It is made of a statistic; ``X[X.age > X.age.mean()]`` is made of ``X``.
    """
    statistics = {m.step.node for m in taint_at(state, node) if m.kind == "statistic"}
    seen = set[ast.AST]()
    while statistics and node not in statistics and node not in seen:
        seen.add(node)
        match node:
            case ast.Call(func=ast.Attribute(value=inner)) | ast.Attribute(value=inner) | ast.Subscript(value=inner):
                node = inner
            case ast.Name(id=name):
                bound = state.environment.definitions.get(name)
                node = bound if isinstance(bound, ast.expr) else node
            case _:
                return False
    return node in statistics


def tests_rows(state: AnalysisState, key: ast.expr) -> bool:
    """Whether a key is a test of each row: ``X[X.age > 3]``, ``X[X.city.isin(few) & known]``, ``X[is_usual(X)]``."""
    value = state.environment.lookup(key.id) if isinstance(key, ast.Name) else None
    if value is not None and codomain_of(value) == BOOL:
        return True
    tests = state.knowledge.groups["tests-rows"] | state.knowledge.groups["tests-missing"]
    match state.environment.definitions.get(key.id) if isinstance(key, ast.Name) else key:
        case ast.Call(func=ast.Attribute(attr=attr)) if attr in tests:
            return True
        case ast.Call(func=func):
            return any(map(is_test, returned_by(state, func)))
        case made_by:
            return is_test(made_by)


def is_test(node: ast.AST | None) -> bool:
    """Whether an expression compares, or joins tests of each row: ``~known & (ages > 3)``."""
    match node:
        case ast.Compare() | ast.UnaryOp(op=ast.Invert()) | ast.BinOp(op=ast.BitAnd() | ast.BitOr()):
            return True
        case _:
            return False


def are_titles(state: AnalysisState, key: ast.expr) -> bool:
    """Whether a key holds titles of columns: it is made of ``X.columns``, or a list. Else it may be a test of rows."""
    first = first_entries(key)  # ``order`` of ``X[order[:30]]``
    definition = state.environment.definitions.get(first.id) if isinstance(first, ast.Name) else None
    made_of = names_in(key) if definition is None else names_in(key) | names_in(definition)
    if made_of & TITLES or (isinstance(first, ast.Name) and is_list(state.environment.lookup(first.id))):
        return True
    made_by = key if definition is None else definition
    match first_entries(made_by):
        case ast.Call(func=func) if returned := returned_by(state, func):
            return any(names_in(node) & TITLES or lists_entries(node) for node in returned)
        case _:
            return lists_entries(made_by)


def lists_entries(node: ast.expr) -> bool:
    """Whether an expression lists entries of a column or of another iterable: ``ranking["title"].head(20)``."""
    match first_entries(node):
        case ast.Subscript(slice=ast.Constant(value=str())) as column:
            return not (column is node or column is getattr(node, "value", None))
        case ast.ListComp() | ast.Call(func=ast.Name(id="list" | "sorted") | ast.Attribute(attr="tolist" | "to_list")):
            return True
        case _:
            return False


def returned_by(state: AnalysisState, func: ast.expr) -> list[ast.expr]:
    """What a function of the project returns, and what it assigns to the names that it returns."""
    function = state.environment.lookup(func.id) if isinstance(func, ast.Name) else None
    if not isinstance(function, Function) or function.node is None:
        return []
    returned = [node.value for node in nodes_in(function.node, ast.Return) if node.value is not None]
    names = {node.id for node in returned if isinstance(node, ast.Name)}
    for assignment in nodes_in(function.node, ast.Assign) if names else ():
        if any(isinstance(target, ast.Name) and target.id in names for target in assignment.targets):
            returned.append(assignment.value)
    return returned


def first_entries(node: ast.AST) -> ast.AST:
    """What ``node.head(20)``, ``node[:20].values`` or ``node.iloc[:20]`` takes entries of."""
    match node:
        case ast.Attribute(value=base, attr="values") | ast.Call(func=ast.Attribute(value=base, attr="to_numpy")):
            return first_entries(base)
        case ast.Call(func=ast.Attribute(value=base, attr="head")):
            return base
        case ast.Subscript(value=ast.Attribute(value=base, attr="iloc"), slice=ast.Slice()):
            return base
        case ast.Subscript(value=base, slice=ast.Slice()):
            return base
        case _:
            return node


def forget_constancy(state: AnalysisState, node: ast.Compare) -> None:
    """``X.nunique() > 1``, ``X.std() == 0``: a column with one value for all rows says nothing, so none is learned."""
    match node:
        case ast.Compare(left=spread, comparators=[ast.Constant(value=0 | 1)]):
            named = {called_name(call.func) for call in walk(spread) if isinstance(call, ast.Call)}
            if named & state.knowledge.groups["tells-spread"] and not named & state.knowledge.groups["tests-missing"]:
                state.taint -= {m for m in state.taint if m.kind == "statistic"}


def is_list(value: AnyValue | None) -> bool:
    """Whether a value is a list or a set."""
    return isinstance(value, HeapObject) and value.kind in ("list", "set")


def check_chosen_titles(state: AnalysisState, node: ast.Call) -> None:
    """``titles.append(title)`` or ``X.drop(title, axis=1)``, where a statistic of all the data decides which title."""
    func = node.func
    if not isinstance(func, ast.Attribute) or func.attr not in ("append", "add", "remove", "drop", "pop", *ORDERING):
        return
    if func.attr in ORDERING:  # what stands first in the other columns is chosen by the statistic
        by = {key for k in (*node.args, *(k.value for k in node.keywords)) for key in constant_columns(state, k)}
        state.taint = frozenset(
            replace(m, columns=NO_COLUMNS) if m.kind == "statistic" or (m.kind == "learned" and m.columns & by) else m
            for m in state.taint
        )
        if any(k.arg == "inplace" for k in node.keywords):
            add_taint(state, func.value, state.taint)
        return
    if func.attr == "pop":
        if node.args:
            check_title_removed(state, node, func.value, node.args[0])
        return
    decided_by = statistics_decided_by(state, state.frame.guard_tests)
    if func.attr != "drop":
        add_taint(state, func.value, decided_by)
        return
    keys = [k.value for k in node.keywords if k.arg == "columns"]
    along = [k.value for k in node.keywords if k.arg == "axis"] + node.args[1:2]
    if any(isinstance(v, Const) and v.value in (1, "columns") for v in map(state.evaluate_optional, along)):
        keys += [*node.args[:1], *(k.value for k in node.keywords if k.arg == "labels")]
    for key in keys:
        learned = check_own_statistic(state, node, func.value, key, CUT_TO_COLUMNS, decided_by=decided_by)
        if any(k.arg == "inplace" for k in node.keywords):
            add_taint(state, func.value, learned)


def check_title_removed(state: AnalysisState, node: ast.AST, data: ast.expr, title: ast.expr) -> None:
    """``del X[title]``, ``X.pop(title)``, where a statistic of all the data decides which title."""
    decided_by = statistics_decided_by(state, state.frame.guard_tests)
    if decided_by:
        learned = check_own_statistic(state, node, data, title, CUT_TO_COLUMNS, decided_by=decided_by)
        add_taint(state, data, learned)


def statistics_decided_by(state: AnalysisState, tests: Iterable[ast.AST]) -> Taint:
    """The statistics in tests: ``if df[title].corr(y) > 0.1: titles.append(title)`` chooses by one.

    ``if title in chosen`` chooses by what a selector has learned, and ``if means is not None`` by no value.
    """
    found = NO_TAINT
    for test in tests:
        match test:
            case ast.Compare(ops=[ast.Is() | ast.IsNot()]):
                kinds: tuple[str, ...] = ()
            case ast.Compare(ops=[ast.In() | ast.NotIn(), *_]):
                kinds = ("statistic", "learned")
            case _:
                kinds = ("statistic",)
        found |= {m for m in taint_at(state, test) if m.kind in kinds}
    return found
