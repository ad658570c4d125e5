"""Evaluate expressions to values."""

from __future__ import annotations

import ast
import math
from dataclasses import replace
from itertools import product

from cvlint.analysis.checkers.comparisons import check_side_by_side
from cvlint.analysis.checkers.formulas.f_definition import check_definition
from cvlint.analysis.checkers.leakage import check_scaling, check_slice
from cvlint.analysis.checkers.search_scores import search_attribute, text_value
from cvlint.analysis.checkers.selection_bias import check_best_entry, check_threshold_comparison, label_threshold
from cvlint.analysis.checkers.undefined_folds.patches import check_conditional_expression, defined_beside_zero
from cvlint.analysis.domain.lattice import MOST_OPTIONS, UNKNOWN, element, join, measures, options
from cvlint.analysis.domain.value import (
    NO_TAINT,
    AnyValue,
    ClassValue,
    Const,
    Data,
    Function,
    HeapObject,
    Instance,
    LibraryName,
    LibraryObject,
    MeasureValue,
    axes_of,
    library,
)
from cvlint.analysis.heap.reads import item
from cvlint.analysis.inference.identifier_inference import named, named_by_key
from cvlint.analysis.inference.loop_axes import held_out
from cvlint.analysis.interpreter.arithmetic import comparison, operation
from cvlint.analysis.interpreter.calls import call, call_method, find_member
from cvlint.analysis.interpreter.imports import imported, module_member, star_imported
from cvlint.analysis.interpreter.loops import comprehension
from cvlint.analysis.models.experiment.estimators import rescaled
from cvlint.analysis.state import AnalysisState
from cvlint.analysis.taint import (
    SAME_ATTRIBUTES,
    columned,
    columns_in,
    in_columns,
    in_entries,
    of_entry,
    taint_at,
    taint_of_attribute,
)


def evaluate(state: AnalysisState, node: ast.expr) -> AnyValue:
    """The value of an expression; unknown where nothing is known of it. Its marks are those of all that is in it."""
    state.budget -= 1
    if state.budget < 0:
        return UNKNOWN
    if type(node) is ast.Constant:
        return constant(state, node)
    outer, state.taint = state.taint, NO_TAINT
    value = name(state, node) if type(node) is ast.Name else value_of(state, node)
    if state.taint:
        state.taint_at[node] = state.taint
        state.taint |= outer
    else:
        if state.taint_at:
            state.taint_at.pop(node, None)
        state.taint = outer
    return value


def constant(state: AnalysisState, node: ast.Constant) -> Const:
    """A constant, made once for all passes through the loops around it."""
    known = state.constants.get(node)
    if known is None or known.born is not state.active_axes:
        known = state.constants[node] = Const(value=node.value, born=state.active_axes)
    return known


def value_of(state: AnalysisState, node: ast.expr) -> AnyValue:
    """The value of an expression, by its form."""
    match node:
        case ast.Call():
            return call(state, node)
        case ast.Attribute():
            value = attribute(state, evaluate(state, node.value), node)
            state.taint = taint_of_attribute(state, node, state.taint)
            return value
        case ast.Subscript():
            return subscript(state, node)
        case ast.BinOp():
            value = operation(state, node)
            return rescaled(value) if state.taint and check_scaling(state, node) else value
        case ast.Compare():
            value = comparison(state, node)
            if state.taint:
                check_threshold_comparison(state, node)
            return value
        case ast.Tuple() | ast.List() | ast.Set():
            return sequence(state, node)
        case ast.Dict():
            return mapping(state, node)
        case ast.JoinedStr():
            return shown(state, node)
        case ast.UnaryOp():
            return negated(state, node)
        case ast.BoolOp():
            return either_of(state, node)
        case ast.IfExp():
            return conditional(state, node)
        case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
            return comprehension(state, node)
        case ast.Lambda():
            return Function(node=node, scope=state.scope, owner=state.frame.owner)
        case ast.Starred() | ast.Await():
            return evaluate(state, node.value)
        case ast.NamedExpr():
            value = evaluate(state, node.value)
            state.scope.bind(node.target.id, value)
            return value
        case ast.Slice():
            return slice_of(state, node)
        case ast.FormattedValue():
            return evaluate(state, node.value)
        case ast.Yield() | ast.YieldFrom():
            value = state.value(node.value) or UNKNOWN
            state.frame.yielded.append(element(value) if isinstance(node, ast.YieldFrom) else value)
            return UNKNOWN
        case _:
            return UNKNOWN


def name(state: AnalysisState, node: ast.Name) -> AnyValue:
    """What a name is bound to, star imports, builtins and well-known names without an import included."""
    found, scope = None, state.scope.home(node.id)
    if scope is not None:
        found = scope.names[node.id]
        state.taint = scope.taint.get(node.id, NO_TAINT)
    if found is None:
        found = star_imported(state, state.scope.module, node.id)
    if found is not None:
        return imported(state, found)
    known = state.knowledge
    if known.entry(f"builtins.{node.id}") is not None:
        return library(f"builtins.{node.id}")
    if node.id in known.implied:
        return library(known.implied[node.id])
    if node.id in known.by_tail:
        return library(known.by_tail[node.id], heuristic=True)
    return named(state, Data(opaque=True, axes=state.active_axes), node.id, node)


def subscript(state: AnalysisState, node: ast.Subscript) -> AnyValue:
    """The value of ``base[key]``; an object of the project answers for itself."""
    before = len(state.events)
    base = evaluate(state, node.value)
    if isinstance(base, Instance):
        return call_method(state, base, "__getitem__", [evaluate(state, node.slice)], node) or UNKNOWN
    value = item(state, base, node)
    if isinstance(node.slice, ast.Slice | ast.Tuple):
        check_slice(state, node)
    if state.taint:
        check_best_entry(state, node, value)
        state.taint = label_threshold(state, node.value, state.taint)
        match node.slice:
            case ast.Constant(value=int() as index):
                state.taint = of_entry(state.taint, index)
            case _ if keys := columns_in(state, node.slice):
                state.taint = in_columns(state.taint, keys)
    if isinstance(node.slice, ast.Constant) and isinstance(base, HeapObject):
        forget_others(state, before, node.value, value)
    return value


def forget_others(state: AnalysisState, before: int, node: ast.expr, value: AnyValue) -> None:
    """Of ``np.mean(rows, axis=0)[6]``, which reduces every column, only the one that is taken counts."""
    taken = {found.measure for found in measures(value)}
    kept = [e for e in state.events[before:] if e.name != "reduce" or e.node is not node or e.measure in taken]
    state.events[before:] = kept


def attribute(state: AnalysisState, base: AnyValue, node: ast.Attribute) -> AnyValue:
    """The value of ``base.attr`` where it is not called."""
    found = [member(state, option, node) for option in options(base)]
    return found[0] if len(found) == 1 else join(found)


def member(state: AnalysisState, base: AnyValue, node: ast.Attribute) -> AnyValue:
    """The attribute of one value."""
    attr = node.attr
    match base:
        case LibraryName():
            full = f"{base.name}.{attr}"
            entry = state.knowledge.entry(full)
            if entry is not None and entry.effect == "constant":
                return Const(value=entry.facts["value"], born=state.active_axes)
            return library(full)
        case Instance() | ClassValue():
            return find_member(state, base, attr, node)
        case LibraryObject(role="search"):
            return search_attribute(state, base, node)
        case LibraryObject(role="module"):
            return module_member(state, base, attr)
        case LibraryObject():
            return named(state, Data(state.active_axes, opaque=True), attr, node)
        case HeapObject() if attr in base.keyed:
            return base.keyed[attr]
        case HeapObject() | MeasureValue() if attr in SAME_ATTRIBUTES:
            return base
        case Data() if attr in SAME_ATTRIBUTES:
            return base
        case MeasureValue() | HeapObject():
            return Data(axes=axes_of(base))
        case _:
            value = Data(axes=axes_of(base) | state.active_axes, opaque=True)
            return named(state, value, attr, node)


def sequence(state: AnalysisState, node: ast.Tuple | ast.List | ast.Set) -> AnyValue:
    """A list, tuple or set that is written out."""
    cell = HeapObject("tuple" if isinstance(node, ast.Tuple) else "list", born=state.birth)
    for child in node.elts:
        value = evaluate(state, child)
        if not isinstance(child, ast.Starred):
            cell.keyed[len(cell.keyed)] = value
        elif isinstance(value, HeapObject) and value.kind in ("tuple", "list") and value.rest is None:
            cell.keyed.update(enumerate(value.keyed.values(), len(cell.keyed)))
        else:
            cell.rest = join([*options(cell.rest), element(value)])
    if state.taint and isinstance(node, ast.Tuple):
        state.taint = in_entries(state, node)
    if state.first and cell.kind == "list" and cell.keyed:
        cell.rest, cell.keyed = join(cell.entries()), {}
        cell.extent = state.swept(cell.rest, cell.born)
    return cell


def mapping(state: AnalysisState, node: ast.Dict) -> AnyValue:
    """A dict that is written out; measures under telling keys are named by them."""
    cell = HeapObject("dict", born=state.birth)
    taint = NO_TAINT
    for key_node, value_node in zip(node.keys, node.values, strict=True):
        value = evaluate(state, value_node)
        if key_node is None:
            cell.keyed.update(value.keyed if isinstance(value, HeapObject) else {})
            taint |= taint_at(state, value_node)
            continue
        match evaluate(state, key_node):
            case Const(value=str() | int() | bool() as key):
                cell.keyed[key] = named_by_key(state, value, key, value_node)
                if isinstance(key, str):
                    check_definition(state, key, value_node)
            case _:
                cell.rest = join([*options(cell.rest), value])
        taint |= columned(taint_at(state, value_node), columns_in(state, key_node))
    state.taint = taint
    return cell


def shown(state: AnalysisState, node: ast.JoinedStr) -> AnyValue:
    """An f-string: what it holds is shown to a person."""
    values = [evaluate(state, part) for part in node.values]
    parts = [[str(o.value) for o in options(v) if isinstance(o, Const)] for v in values]
    known = all(len(part) == len(options(v)) for part, v in zip(parts, values, strict=True))
    if known and math.prod(map(len, parts)) <= MOST_OPTIONS:
        return join(Const(value="".join(text)) for text in product(*parts))
    check_side_by_side(state, values, node)
    found = text_value(values)
    if not isinstance(found, Data):
        return found
    return replace(found, pattern="".join(str(v.value) if isinstance(v, Const) else "\0" for v in values))


def negated(state: AnalysisState, node: ast.UnaryOp) -> AnyValue:
    """``-x``, ``not x``, ``~x``."""
    value = evaluate(state, node.operand)
    match value:
        case Const(value=int() | float() as number) if isinstance(node.op, ast.USub):
            return Const(value=-number, born=state.active_axes)
        case Const() if isinstance(node.op, ast.Not):
            return Const(value=not value.value, born=state.active_axes)
        case Data(codomain="part") if isinstance(node.op, ast.Invert):
            held_out(state, value, by_element=True)
            return value
        case Data():
            return value
        case MeasureValue() if isinstance(node.op, ast.USub):
            return value
        case _:
            return Data(axes=axes_of(value))


def either_of(state: AnalysisState, node: ast.BoolOp) -> AnyValue:
    """``a and b``, ``a or b``: an earlier operand guards the later ones."""
    guards = state.frame.guards
    depth = len(guards)
    values = []
    for child in node.values:
        values.append(evaluate(state, child))
        guards.append(child)
    del guards[depth:]
    return join(values)


def conditional(state: AnalysisState, node: ast.IfExp) -> AnyValue:
    """``a if test else b``."""
    taint = state.taint
    test = evaluate(state, node.test)
    if isinstance(test, Const):
        return evaluate(state, node.body if test.value else node.orelse)
    if all(isinstance(arm, ast.Constant) and isinstance(arm.value, str) for arm in (node.body, node.orelse)):
        state.taint = taint  # a text that marks the best row of a table: all the others are shown, too
    guards = state.frame.guards
    guards.append(node.test)
    values = [evaluate(state, node.body), evaluate(state, node.orelse)]
    guards.pop()
    check_conditional_expression(state, node, *values)
    return join(defined_beside_zero(values))


def slice_of(state: AnalysisState, node: ast.Slice) -> AnyValue:
    """A slice; one bounded by a loop's index takes a part of the data (see `held_out`)."""
    lower, upper = state.value(node.lower), state.value(node.upper)
    state.value(node.step)
    index = [v for v in (lower, upper) if isinstance(v, Data) and v.codomain in ("loop-index", "bound")]
    axes = frozenset().union(*(v.axes for v in index))
    if not index:
        return Data(codomain="slice", axes=frozenset().union(*(axes_of(v) for v in (lower, upper) if v is not None)))
    if node.lower is None:
        return Data(codomain="slice-before", axes=axes)
    if node.upper is None:
        return Data(codomain="slice-after", axes=axes)
    return Data(codomain="slice-part", axes=axes)
