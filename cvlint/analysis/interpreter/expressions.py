"""Evaluate expressions to abstract values, and collect their taint."""

from __future__ import annotations

import ast

from cvlint.analysis.checkers.formulas.unnamed_formulas import note_formula
from cvlint.analysis.checkers.leakage.chosen_columns import are_of_columns, check_columns, forget_constancy
from cvlint.analysis.checkers.leakage.learned import label_sum
from cvlint.analysis.checkers.leakage.row_cuts import check_cut
from cvlint.analysis.checkers.leakage.scalings import check_scaling, end_statistics
from cvlint.analysis.checkers.left_out import note_element_compared, with_other_side
from cvlint.analysis.checkers.rows.statements import yield_rows
from cvlint.analysis.checkers.search_scores import column_of_search, search_attribute
from cvlint.analysis.checkers.selection_bias import check_best_entry, check_threshold_comparison, label_threshold
from cvlint.analysis.checkers.selections import (
    as_loss,
    find_selection,
    is_kept_in_place,
    labelled,
    selected,
)
from cvlint.analysis.checkers.undefined_folds.patches import check_conditional_expression, defined_beside_zero
from cvlint.analysis.checkers.undefined_folds.without_scores import unless_without_scores
from cvlint.analysis.domain.axis import NO_AXES
from cvlint.analysis.domain.codomain import arithmetic, constant
from cvlint.analysis.domain.environment import ClassValue, Function, own_name
from cvlint.analysis.domain.frozen import replace
from cvlint.analysis.domain.heap_object import HeapObject, Instance
from cvlint.analysis.domain.lattice import UNKNOWN, join, measures_in, options
from cvlint.analysis.domain.taint_label import NO_TAINT
from cvlint.analysis.domain.value import (
    AnyValue,
    Const,
    Data,
    LibraryName,
    LibraryObject,
    MeasureValue,
    Union,
    axes_of,
    library,
)
from cvlint.analysis.heap.paths import counted_loops, counts_blocks
from cvlint.analysis.heap.reads import read_entry
from cvlint.analysis.heap.titles import titles_left_out, titles_of
from cvlint.analysis.inference.identifier_inference import type_by_name
from cvlint.analysis.inference.loop_axes import prove_batch_loop, prove_fold_loop
from cvlint.analysis.inference.switches import is_enumeration, is_switch
from cvlint.analysis.interpreter.arithmetic import evaluate_comparison, evaluate_operation
from cvlint.analysis.interpreter.assignments import assign
from cvlint.analysis.interpreter.calls import evaluate_call
from cvlint.analysis.interpreter.imports import evaluate_name, module_member
from cvlint.analysis.interpreter.loops import evaluate_comprehension, evaluate_dict, evaluate_sequence, yielded_values
from cvlint.analysis.interpreter.objects import bases_of, call_special_method, find_member, holder_key, member_of
from cvlint.analysis.label_columns import taint_of_columns, taint_of_entry, without_columns
from cvlint.analysis.models.containers.frames import transposed
from cvlint.analysis.models.dispatch.python_code import bound_method
from cvlint.analysis.models.enumerations import VALUE, member_named
from cvlint.analysis.models.experiment.estimators import rescaled
from cvlint.analysis.models.experiment.sampling import note_copies, note_thinned
from cvlint.analysis.models.texts import evaluate_fstring
from cvlint.analysis.state import AnalysisState
from cvlint.analysis.taint import DATA_ATTRIBUTES, entry_titles, stored, taint_at, taint_of_attribute, taken

KEYS_OF_ROWS = (
    ast.Slice,
    ast.Attribute,
    ast.Tuple,
    ast.Name,
    ast.UnaryOp,
    ast.Subscript,
    ast.Call,
    ast.Compare,
    ast.BoolOp,
    ast.BinOp,
)
"""What may select rows in brackets."""


def evaluate(state: AnalysisState, node: ast.expr) -> AnyValue:
    """The value of an expression, unknown if nothing is known of it; its taint is that of its parts."""
    state.budget -= 1
    if state.budget < 0:
        return UNKNOWN
    if type(node) is ast.Constant:
        literal = evaluate_constant(state, node)
        return unless_without_scores(state, literal) if node.value is None and state.frame.guards else literal
    outer, state.taint = state.taint, NO_TAINT
    value = evaluate_name(state, node) if type(node) is ast.Name else evaluate_by_form(state, node)
    kind = type(value)
    if kind is Const and value.value is not None and state.frame.guards:  # type: ignore[union-attr]
        value = unless_without_scores(state, value)  # type: ignore[arg-type]
    if kind is Union or ((kind is Data or kind is LibraryObject) and value.labels):  # type: ignore[union-attr]
        value, held = taken(value)
        state.taint |= held
    if state.selecting and type(node) is ast.Name:
        state.taint |= selected(state, node, value)
    if kind is MeasureValue or kind is Union:
        value = labelled(state, node, value)
    if state.witness is not None:
        state.witness.saw(state, node, value)
    if state.taint:
        state.taint_at[node] = state.taint
        state.taint |= outer
    else:
        if state.taint_at:
            state.taint_at.pop(node, None)
        state.taint = outer
    return value


def evaluate_constant(state: AnalysisState, node: ast.Constant) -> Const:
    """A constant; it is made once for all passes of the loops around it."""
    loops = state.allocation_loops if state.first_pass_loops else state.active_axes
    cached = state.constants.get(node)
    if cached is None or (cached.allocation_loops is not loops and cached.allocation_loops != loops):
        cached = state.constants[node] = Const(value=node.value, allocation_loops=loops)
    return cached


def evaluate_by_form(state: AnalysisState, node: ast.expr) -> AnyValue:
    """The value of an expression, by the form of its syntax."""
    match node:
        case ast.Call():
            return evaluate_call(state, node)
        case ast.Attribute():
            base = evaluate(state, node.value)
            value = evaluate_attribute(state, base, node)
            state.taint = taint_of_attribute(base, node, state.taint)
            return value
        case ast.Subscript():
            return evaluate_subscript(state, node)
        case ast.BinOp():
            value = note_formula(state, node, evaluate_operation(state, node))
            if isinstance(node.op, ast.Add):
                if isinstance(value, (HeapObject, Data)):
                    note_copies(state, node)
                if state.taint:
                    label_sum(state)
            if any([m.kind == "statistic" for m in state.taint]):
                end_statistics(state, node)
            return rescaled(value) if state.taint and check_scaling(state, node) else value
        case ast.Compare():
            value = evaluate_comparison(state, node)
            if state.taint:
                check_threshold_comparison(state, node)
                forget_constancy(state, node)
            if state.active_loops:
                note_element_compared(state, node)
            return value
        case ast.Tuple() | ast.List() | ast.Set():
            return evaluate_sequence(state, node)
        case ast.Dict():
            return evaluate_dict(state, node)
        case ast.JoinedStr():
            return evaluate_fstring(state, node)
        case ast.UnaryOp():
            return evaluate_unary(state, node)
        case ast.BoolOp():
            return evaluate_bool(state, node)
        case ast.IfExp():
            return evaluate_conditional(state, node)
        case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
            return evaluate_comprehension(state, node)
        case ast.Lambda():
            return Function(node=node, environment=state.environment, owner=state.frame.owner)
        case ast.Starred():
            value = evaluate(state, node.value)
            state.taint |= NO_TAINT.union(
                *(taken(v)[1] for o in options(value) if isinstance(o, HeapObject) for v in o.entries())
            )
            return value
        case ast.Await():
            return evaluate(state, node.value)
        case ast.NamedExpr():
            value = evaluate(state, node.value)
            assign(state, node.target, value, node.value)
            return value
        case ast.Slice():
            return evaluate_slice(state, node)
        case ast.FormattedValue():
            return evaluate(state, node.value)
        case ast.Yield() | ast.YieldFrom():
            value = state.evaluate_optional(node.value) or UNKNOWN
            value = stored(value, taint_at(state, node.value))
            state.frame.yielded += yielded_values(state, node, value)
            yield_rows(state, node)
            return UNKNOWN
        case _:
            return UNKNOWN


def evaluate_subscript(state: AnalysisState, node: ast.Subscript) -> AnyValue:
    """The value of ``base[key]``; an object of the project calls its own ``__getitem__``."""
    before = len(state.events)
    base = evaluate(state, node.value)
    if isinstance(base, Instance):
        found = call_special_method(state, base, "__getitem__", [evaluate(state, node.slice)], node)
        if found is not None or base.kind == "object":
            return found or UNKNOWN
        key = evaluate(state, node.slice)
        if not (isinstance(key, Const) and key.value in base.fields):
            with state.first_pass(state.active_axes - base.allocation_loops):  # once for each key
                missing = call_special_method(state, base, "__missing__", [key], node)
            if missing is not None:
                return join([read_entry(state, base, node), missing])
    if isinstance(base, ClassValue) and bases_of(state, base) and is_enumeration(state, base):
        return member_named(base, evaluate(state, node.slice))
    value = read_entry(state, base, node)
    if isinstance(node.slice, KEYS_OF_ROWS):
        check_cut(state, node)
        note_thinned(state, node)
    value = check_best_entry(state, node, base, value)
    if state.taint:
        check_columns(state, node)
        state.taint = label_threshold(state, node.value, state.taint)
        match node.slice:
            case ast.Constant(value=int() as index):
                state.taint = taint_of_entry(state.taint, index)
            case _ if keys := entry_titles(state, base, node.slice):
                state.taint = taint_of_columns(state.taint, keys)
            case _ if left_out := titles_left_out(state, node.slice):
                state.taint = without_columns(state.taint, left_out)
    if isinstance(node.slice, ast.Constant) and isinstance(base, HeapObject):
        forget_other_columns(state, before, node.value, value)
    return value


def forget_other_columns(state: AnalysisState, before: int, node: ast.expr, value: AnyValue) -> None:
    """Keep only the reduction of the column that ``np.mean(rows, axis=0)[6]`` selects."""
    taken = {found.measure for found in measures_in(value)}
    kept = [e for e in state.events[before:] if e.name != "reduce" or e.node is not node or e.measure in taken]
    state.events[before:] = kept


def evaluate_attribute(state: AnalysisState, base: AnyValue, node: ast.Attribute) -> AnyValue:
    """The value of ``base.attr`` where it is not called."""
    if isinstance(base, Union):
        return join([read_attribute(state, option, node) for option in base.options])
    return read_attribute(state, base, node)


def read_attribute(state: AnalysisState, base: AnyValue, node: ast.Attribute) -> AnyValue:
    """The attribute of a single value."""
    attr = node.attr
    match base:
        case LibraryName() | Function() if state.attributes and (holder_key(base), attr) in state.attributes:
            return state.attributes[holder_key(base), attr]
        case LibraryName() | Function() | ClassValue() if attr == "__name__" and (name := own_name(base)):
            return Const(value=name)
        case LibraryName():
            full = f"{base.name}.{attr}"
            entry = state.knowledge.entry(full)
            if entry is not None and entry.effect == "constant":
                return Const(value=entry.facts["value"], allocation_loops=state.active_axes)
            return library(full)
        case Instance() | ClassValue():
            return find_member(state, base, attr, node)
        case Const() if attr in VALUE:  # of a member of an enumeration
            return base
        case LibraryObject(role="search"):
            return search_attribute(state, base, node)
        case LibraryObject(role="module"):
            return module_member(state, base, attr)
        case LibraryObject(role="super", facts={"holder": holder, "after": after}):
            return member_of(state, holder, attr, node, after) or Data(state.active_axes, opaque=True)
        case LibraryObject(role=role) if role == "property" or attr in state.knowledge.groups["of-models"]:
            return bound_method(state, base, node)  # ``@value.setter``
        case LibraryObject(role="search-results") if attr not in state.knowledge.methods:
            return base if attr in DATA_ATTRIBUTES else column_of_search(state, base, attr, node)
        case LibraryObject() if attr not in state.knowledge.methods:
            return type_by_name(state, Data(state.active_axes, opaque=True), attr, node)
        case HeapObject() if attr in base.fields:
            return base.fields[attr]
        case HeapObject(kind="list" | "dict" | "tuple") | LibraryObject() if attr in state.knowledge.methods:
            return bound_method(state, base, node)
        case HeapObject() if attr == "columns" and (titles := titles_of(base)) is not None:
            return titles
        case HeapObject(kind="frame") if attr in state.knowledge.groups["turned-over"]:
            return transposed(base)
        case HeapObject() | MeasureValue() | Data() if attr in DATA_ATTRIBUTES:
            return base
        case Data() if (
            attr in state.knowledge.groups["row-labels"]
            and any(a.kind == "fold" for a in base.axes)
            and not are_of_columns(state, node.value)
        ):
            return Data(base.axes, index="train-indices" if base.origin == "train" else "test-indices")
        case HeapObject() | MeasureValue() if attr in state.knowledge.methods:
            return bound_method(state, base, node)
        case MeasureValue() | HeapObject():
            return Data(axes=axes_of(base))
        case _:
            value = Data(axes=axes_of(base) | state.active_axes, opaque=True)
            return type_by_name(state, value, attr, node)


def evaluate_unary(state: AnalysisState, node: ast.UnaryOp) -> AnyValue:
    """``-x``, ``not x``, ``~x``."""
    value = evaluate(state, node.operand)
    if state.taint and isinstance(node.op, (ast.Invert, ast.Not)):
        state.taint = with_other_side(state.taint)
    match value:
        case Const(value=int() | float() as number) if isinstance(node.op, ast.USub):
            return Const(value=-number, allocation_loops=state.active_axes)
        case Const() if isinstance(node.op, ast.Not):
            return Const(value=not value.value, allocation_loops=state.active_axes)
        case Data(index="part") if isinstance(node.op, ast.Invert):
            prove_fold_loop(state, value, by_element=True)
            return value
        case Data():
            return inverted(node.op, value)
        case MeasureValue() if isinstance(node.op, ast.USub):
            return as_loss(state, value)
        case _:
            return Data(axes=axes_of(value))


def inverted(operator: ast.unaryop, value: Data) -> Data:
    """``~mask`` selects the other side of a bound; ``-scores`` has other bounds."""
    match operator:
        case ast.Invert() | ast.Not():
            return replace(value, index={"above": "below", "below": "above"}.get(value.index, value.index))
        case ast.USub():
            return replace(value, codomain=arithmetic("Mult", value.codomain, constant(-1)))
        case _:
            return value


def evaluate_bool(state: AnalysisState, node: ast.BoolOp) -> AnyValue:
    """``a and b``, ``a or b``: an earlier operand guards the later ones; known ones decide, as Python does."""
    guards = state.frame.guards
    depth = len(guards)
    values: list[AnyValue] = []
    decides = isinstance(node.op, ast.Or)  # the truth value that ends the operation
    for child in node.values:
        value = evaluate(state, child)
        truth = known_truth(state, value)
        if truth is decides or truth is None or child is node.values[-1]:
            values.append(value)
        if truth is decides:
            break
        guards.append(child)
    del guards[depth:]
    return join(values)


def known_truth(state: AnalysisState, value: AnyValue) -> bool | None:
    """The truth value of a constant; None for others, and for what a loop under way may bind anew."""
    if not isinstance(value, Const) or state.active_axes - value.allocation_loops:
        return None
    return bool(value.value)


def evaluate_conditional(state: AnalysisState, node: ast.IfExp) -> AnyValue:
    """``a if test else b``."""
    taint = state.taint
    test = evaluate(state, node.test)
    if isinstance(test, Const) and not is_switch(state, node.test):
        return evaluate(state, node.body if test.value else node.orelse)
    if isinstance(test, HeapObject) and test.kind == "tuple" and test.elements is None:  # ``*args``, all of them known
        return evaluate(state, node.body if test.fields else node.orelse)
    if all(isinstance(arm, ast.Constant) and isinstance(arm.value, str) for arm in (node.body, node.orelse)):
        state.taint = taint  # a text marks the best row of a table that shows all the other rows too
    guards = state.frame.guards
    guards.append(node.test)
    selection, outer = find_selection(state, node.test), state.selecting
    if selection is not None and (is_kept_in_place(state, selection, node.body) or selection.test in state.confirmed):
        state.selecting |= selection.labels
    values = [evaluate(state, node.body), evaluate(state, node.orelse)]
    state.selecting = outer
    guards.pop()
    check_conditional_expression(state, node, *values)
    return join(defined_beside_zero(values))


def evaluate_slice(state: AnalysisState, node: ast.Slice) -> AnyValue:
    """A slice; a slice that is bounded by a loop's index selects a part of the data (see `prove_fold_loop`)."""
    lower, upper = state.evaluate_optional(node.lower), state.evaluate_optional(node.upper)
    state.evaluate_optional(node.step)
    if node.lower is not None and node.upper is not None and isinstance(lower, Const):
        counted = counted_loops(state, node.lower, lower) if counts_blocks(state, node.lower) else NO_AXES
        for axis in counted:  # ``X[start : start + 32]; start += 32``
            axis.by_blocks = True
        lower = Data(counted, index="loop-index") if counted else lower
    index = [v for v in (lower, upper) if isinstance(v, Data) and v.index in ("loop-index", "bound")]
    axes = frozenset().union(*(v.axes for v in index))
    if not index:
        return Data(index="slice", axes=frozenset().union(*(axes_of(v) for v in (lower, upper) if v is not None)))
    if node.lower is None:
        return Data(index="slice-before", axes=axes)
    if node.upper is None:
        return Data(index="slice-after", axes=axes)
    prove_batch_loop(axes)
    return Data(index="slice-part", axes=axes)
