"""The rows of the arguments of calls: ``fit(*parts)``, ``f(x=X)``; of records, those of each attribute."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence

from cvlint.analysis.checkers.rows.expressions import key_of, rows_of
from cvlint.analysis.domain.environment import Function
from cvlint.analysis.domain.heap_object import Instance
from cvlint.analysis.domain.rows import RowSet, RowsOf
from cvlint.analysis.state import AnalysisState
from cvlint.analysis.syntax import called_name


def arguments_given(state: AnalysisState, node: ast.Call, *names: str) -> list[ast.expr]:
    """The positional arguments, and then those with these keywords; of ``*parts``, each of its entries."""
    by_name = {k.arg: k.value for k in node.keywords}
    return [*each_argument(state, node.args), *(by_name[n] for n in names if n in by_name)]


def each_argument(state: AnalysisState, nodes: Iterable[ast.expr]) -> list[ast.expr]:
    """Arguments one by one: ``parts[0]`` and ``parts[1]`` for ``*parts``; none behind it if these are unknown."""
    found: list[ast.expr] = []
    for node in nodes:
        if not isinstance(node, ast.Starred):
            found.append(node)
            continue
        entries = rows_of(state, node.value).entries
        if not entries:
            break
        for index in range(len(entries)):
            entry = ast.Subscript(node.value, ast.Constant(index), ast.Load())
            found.append(ast.fix_missing_locations(ast.copy_location(entry, node)))
    return found


def rows_by_name(state: AnalysisState, function: Function, node: ast.AST) -> dict[str, RowsOf]:
    """The rows of the arguments of a call by the names of the parameters; ``*rest`` gets a tuple."""
    spec = getattr(function.node, "args", None)
    if not isinstance(node, ast.Call) or spec is None:
        return {}
    names = [a.arg for a in (*spec.posonlyargs, *spec.args)]
    if function.bound is not None:
        names = names[1:]
    positional = [rows_of(state, argument) for argument in each_argument(state, node.args)]
    given = dict(zip(names, positional, strict=False))
    if spec.vararg is not None and len(positional) > len(names):
        given[spec.vararg.arg] = RowsOf(RowSet(), entries=tuple(positional[len(names) :]))
    known = {*names, *(a.arg for a in spec.kwonlyargs)}
    for unpacked in (k.value for k in node.keywords if k.arg is None):
        holder = rows_of(state, unpacked).rows.found
        held = {name: state.rows.held.get((holder, key_of(state, ast.Constant(name)))) for name in sorted(known)}
        given |= {name: one for name, one in held.items() if one is not None}
    by_keyword = {k.arg: rows_of(state, k.value) for k in node.keywords if k.arg is not None}
    if spec.kwarg is not None:
        given[spec.kwarg.arg] = held_under(state, {k: one for k, one in by_keyword.items() if k not in known})
    return given | {name: one for name, one in by_keyword.items() if name in known}


def held_by_name(state: AnalysisState, node: ast.Call) -> RowsOf:
    """``dict(x=X, y=y)``, ``SimpleNamespace(x=X, y=y)``: what each entry or attribute holds."""
    given = {k.arg: rows_of(state, k.value) for k in node.keywords if k.arg is not None}
    whole = held_under(state, given)
    return whole if called_name(node.func) == "dict" else RowsOf(whole.rows)


def held_under(state: AnalysisState, given: dict[str, RowsOf]) -> RowsOf:
    """What has these entries, or attributes: a dict, or ``settings`` of ``def score(**settings)``."""
    whole = RowsOf(RowSet(), entries=tuple(given.values()))
    for name, entry in given.items():
        state.rows.held[whole.rows.found, name] = entry
        state.rows.held[whole.rows.found, key_of(state, ast.Constant(name))] = entry
    return whole


def note_record(state: AnalysisState, made: Instance, names: Sequence[str], node: ast.AST) -> None:
    """An object of a dataclass or another record was made: what each of its attributes holds."""
    if not state.rows.is_followed or not isinstance(node, ast.Call):
        return
    given = dict(zip(names, each_argument(state, node.args), strict=False))
    given |= {k.arg: k.value for k in node.keywords if k.arg is not None and k.arg in names}
    for name, argument in given.items():
        state.rows.held[made, name] = rows_of(state, argument)
    if all(name in given for name in names):  # ``scores, labels = record``
        entries = tuple(state.rows.held[made, name] for name in names)
        state.rows.of_calls[node] = RowsOf(RowSet(), entries=entries)
