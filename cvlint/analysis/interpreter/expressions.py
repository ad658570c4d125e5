"""Evaluate expressions to values."""

from __future__ import annotations

import ast
import math
from dataclasses import replace
from itertools import product

from cvlint.analysis.checkers.aggregation_mix import side_by_side
from cvlint.analysis.checkers.f_definition import defined
from cvlint.analysis.checkers.leakage import cut, transformed_by_hand
from cvlint.analysis.checkers.reported_scores import text_of
from cvlint.analysis.checkers.search_scores import search_attribute
from cvlint.analysis.checkers.selection_bias import best_taken, compared, cut_off
from cvlint.analysis.checkers.undefined_folds import patched_by_condition, zeroed
from cvlint.analysis.domain.lattice import MOST_OPTIONS, UNKNOWN, element, join, measures, options
from cvlint.analysis.domain.value import (
    NO_MARKS,
    AnyValue,
    Cell,
    ClassOf,
    Const,
    Data,
    Function,
    Instance,
    Library,
    Measured,
    Thing,
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
from cvlint.analysis.models.concatenation import rescaled
from cvlint.analysis.state import Run
from cvlint.analysis.taint import (
    SAME_ATTRIBUTES,
    columned,
    columns_in,
    in_columns,
    in_entries,
    marks_at,
    marks_of_attribute,
    of_entry,
)


def evaluate(run: Run, node: ast.expr) -> AnyValue:
    """The value of an expression; unknown where nothing is known of it. Its marks are those of all that is in it."""
    run.budget -= 1
    if run.budget < 0:
        return UNKNOWN
    if type(node) is ast.Constant:
        return constant(run, node)
    outer, run.marks = run.marks, NO_MARKS
    value = name(run, node) if type(node) is ast.Name else value_of(run, node)
    if run.marks:
        run.marks_at[node] = run.marks
        run.marks |= outer
    else:
        if run.marks_at:
            run.marks_at.pop(node, None)
        run.marks = outer
    return value


def constant(run: Run, node: ast.Constant) -> Const:
    """A constant, made once for all passes through the loops around it."""
    known = run.constants.get(node)
    if known is None or known.born is not run.active_axes:
        known = run.constants[node] = Const(value=node.value, born=run.active_axes)
    return known


def value_of(run: Run, node: ast.expr) -> AnyValue:
    """The value of an expression, by its form."""
    match node:
        case ast.Call():
            return call(run, node)
        case ast.Attribute():
            value = attribute(run, evaluate(run, node.value), node)
            run.marks = marks_of_attribute(run, node, run.marks)
            return value
        case ast.Subscript():
            return subscript(run, node)
        case ast.BinOp():
            value = operation(run, node)
            return rescaled(value) if run.marks and transformed_by_hand(run, node) else value
        case ast.Compare():
            value = comparison(run, node)
            if run.marks:
                compared(run, node)
            return value
        case ast.Tuple() | ast.List() | ast.Set():
            return sequence(run, node)
        case ast.Dict():
            return mapping(run, node)
        case ast.JoinedStr():
            return shown(run, node)
        case ast.UnaryOp():
            return negated(run, node)
        case ast.BoolOp():
            return either_of(run, node)
        case ast.IfExp():
            return conditional(run, node)
        case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
            return comprehension(run, node)
        case ast.Lambda():
            return Function(node=node, scope=run.scope, owner=run.frame.owner)
        case ast.Starred() | ast.Await():
            return evaluate(run, node.value)
        case ast.NamedExpr():
            value = evaluate(run, node.value)
            run.scope.bind(node.target.id, value)
            return value
        case ast.Slice():
            return slice_of(run, node)
        case ast.FormattedValue():
            return evaluate(run, node.value)
        case ast.Yield() | ast.YieldFrom():
            value = run.value(node.value) or UNKNOWN
            run.frame.yielded.append(element(value) if isinstance(node, ast.YieldFrom) else value)
            return UNKNOWN
        case _:
            return UNKNOWN


def name(run: Run, node: ast.Name) -> AnyValue:
    """What a name is bound to, star imports, builtins and well-known names without an import included."""
    found, scope = None, run.scope.home(node.id)
    if scope is not None:
        found = scope.names[node.id]
        run.marks = scope.marks.get(node.id, NO_MARKS)
    if found is None:
        found = star_imported(run, run.scope.module, node.id)
    if found is not None:
        return imported(run, found)
    known = run.knowledge
    if known.entry(f"builtins.{node.id}") is not None:
        return library(f"builtins.{node.id}")
    if node.id in known.implied:
        return library(known.implied[node.id])
    if node.id in known.by_tail:
        return library(known.by_tail[node.id], soft=True)
    return named(run, Data(opaque=True, axes=run.active_axes), node.id, node)


def subscript(run: Run, node: ast.Subscript) -> AnyValue:
    """The value of ``base[key]``; an object of the project answers for itself."""
    before = len(run.events)
    base = evaluate(run, node.value)
    if isinstance(base, Instance):
        return call_method(run, base, "__getitem__", [evaluate(run, node.slice)], node) or UNKNOWN
    value = item(run, base, node)
    if isinstance(node.slice, ast.Slice | ast.Tuple):
        cut(run, node)
    if run.marks:
        best_taken(run, node, value)
        run.marks = cut_off(run, node.value, run.marks)
        match node.slice:
            case ast.Constant(value=int() as index):
                run.marks = of_entry(run.marks, index)
            case _ if keys := columns_in(run, node.slice):
                run.marks = in_columns(run.marks, keys)
    if isinstance(node.slice, ast.Constant) and isinstance(base, Cell):
        forget_others(run, before, node.value, value)
    return value


def forget_others(run: Run, before: int, node: ast.expr, value: AnyValue) -> None:
    """Of ``np.mean(rows, axis=0)[6]``, which reduces every column, only the one that is taken counts."""
    taken = {found.measure for found in measures(value)}
    kept = [e for e in run.events[before:] if e.name != "reduce" or e.node is not node or e.measure in taken]
    run.events[before:] = kept


def attribute(run: Run, base: AnyValue, node: ast.Attribute) -> AnyValue:
    """The value of ``base.attr`` where it is not called."""
    found = [member(run, option, node) for option in options(base)]
    return found[0] if len(found) == 1 else join(found)


def member(run: Run, base: AnyValue, node: ast.Attribute) -> AnyValue:
    """The attribute of one value."""
    attr = node.attr
    match base:
        case Library():
            full = f"{base.name}.{attr}"
            entry = run.knowledge.entry(full)
            if entry is not None and entry.effect == "constant":
                return Const(value=entry.facts["value"], born=run.active_axes)
            return library(full)
        case Instance() | ClassOf():
            return find_member(run, base, attr, node)
        case Thing(role="search"):
            return search_attribute(run, base, node)
        case Thing(role="module"):
            return module_member(run, base, attr)
        case Thing():
            return named(run, Data(run.active_axes, opaque=True), attr, node)
        case Cell() if attr in base.keyed:
            return base.keyed[attr]
        case Cell() | Measured() if attr in SAME_ATTRIBUTES:
            return base
        case Data() if attr in SAME_ATTRIBUTES:
            return base
        case Measured() | Cell():
            return Data(axes=axes_of(base))
        case _:
            value = Data(axes=axes_of(base) | run.active_axes, opaque=True)
            return named(run, value, attr, node)


def sequence(run: Run, node: ast.Tuple | ast.List | ast.Set) -> AnyValue:
    """A list, tuple or set that is written out."""
    cell = Cell("tuple" if isinstance(node, ast.Tuple) else "list", born=run.birth)
    for child in node.elts:
        value = evaluate(run, child)
        if not isinstance(child, ast.Starred):
            cell.keyed[len(cell.keyed)] = value
        elif isinstance(value, Cell) and value.kind in ("tuple", "list") and value.rest is None:
            cell.keyed.update(enumerate(value.keyed.values(), len(cell.keyed)))
        else:
            cell.rest = join([*options(cell.rest), element(value)])
    if run.marks and isinstance(node, ast.Tuple):
        run.marks = in_entries(run, node)
    if run.first and cell.kind == "list" and cell.keyed:
        cell.rest, cell.keyed = join(cell.entries()), {}
        cell.extent = run.swept(cell.rest, cell.born)
    return cell


def mapping(run: Run, node: ast.Dict) -> AnyValue:
    """A dict that is written out; measures under telling keys are named by them."""
    cell = Cell("dict", born=run.birth)
    marks = NO_MARKS
    for key_node, value_node in zip(node.keys, node.values, strict=True):
        value = evaluate(run, value_node)
        if key_node is None:
            cell.keyed.update(value.keyed if isinstance(value, Cell) else {})
            marks |= marks_at(run, value_node)
            continue
        match evaluate(run, key_node):
            case Const(value=str() | int() | bool() as key):
                cell.keyed[key] = named_by_key(run, value, key, value_node)
                if isinstance(key, str):
                    defined(run, key, value_node)
            case _:
                cell.rest = join([*options(cell.rest), value])
        marks |= columned(marks_at(run, value_node), columns_in(run, key_node))
    run.marks = marks
    return cell


def shown(run: Run, node: ast.JoinedStr) -> AnyValue:
    """An f-string: what it holds is shown to a person."""
    values = [evaluate(run, part) for part in node.values]
    parts = [[str(o.value) for o in options(v) if isinstance(o, Const)] for v in values]
    known = all(len(part) == len(options(v)) for part, v in zip(parts, values, strict=True))
    if known and math.prod(map(len, parts)) <= MOST_OPTIONS:
        return join(Const(value="".join(text)) for text in product(*parts))
    side_by_side(run, values, node)
    found = text_of(values)
    if not isinstance(found, Data):
        return found
    return replace(found, pattern="".join(str(v.value) if isinstance(v, Const) else "\0" for v in values))


def negated(run: Run, node: ast.UnaryOp) -> AnyValue:
    """``-x``, ``not x``, ``~x``."""
    value = evaluate(run, node.operand)
    match value:
        case Const(value=int() | float() as number) if isinstance(node.op, ast.USub):
            return Const(value=-number, born=run.active_axes)
        case Const() if isinstance(node.op, ast.Not):
            return Const(value=not value.value, born=run.active_axes)
        case Data(what="part") if isinstance(node.op, ast.Invert):
            held_out(run, value, by_element=True)
            return value
        case Data():
            return value
        case Measured() if isinstance(node.op, ast.USub):
            return value
        case _:
            return Data(axes=axes_of(value))


def either_of(run: Run, node: ast.BoolOp) -> AnyValue:
    """``a and b``, ``a or b``: an earlier operand guards the later ones."""
    guards = run.frame.guards
    depth = len(guards)
    values = []
    for child in node.values:
        values.append(evaluate(run, child))
        guards.append(child)
    del guards[depth:]
    return join(values)


def conditional(run: Run, node: ast.IfExp) -> AnyValue:
    """``a if test else b``."""
    marks = run.marks
    test = evaluate(run, node.test)
    if isinstance(test, Const):
        return evaluate(run, node.body if test.value else node.orelse)
    if all(isinstance(arm, ast.Constant) and isinstance(arm.value, str) for arm in (node.body, node.orelse)):
        run.marks = marks  # a text that marks the best row of a table: all the others are shown, too
    guards = run.frame.guards
    guards.append(node.test)
    values = [evaluate(run, node.body), evaluate(run, node.orelse)]
    guards.pop()
    patched_by_condition(run, node, *values)
    return join(zeroed(values))


def slice_of(run: Run, node: ast.Slice) -> AnyValue:
    """A slice; one bounded by a loop's index takes a part of the data (see `held_out`)."""
    lower, upper = run.value(node.lower), run.value(node.upper)
    run.value(node.step)
    index = [v for v in (lower, upper) if isinstance(v, Data) and v.what in ("loop-index", "bound")]
    axes = frozenset().union(*(v.axes for v in index))
    if not index:
        return Data(what="slice", axes=frozenset().union(*(axes_of(v) for v in (lower, upper) if v is not None)))
    if node.lower is None:
        return Data(what="slice-before", axes=axes)
    if node.upper is None:
        return Data(what="slice-after", axes=axes)
    return Data(what="slice-part", axes=axes)
