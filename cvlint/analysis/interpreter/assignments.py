"""Assignments: bind values to names, attributes, entries and unpacked targets; ``x += v`` and ``x = x + v``."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from cvlint.analysis.checkers.formulas.terms import is_epsilon, last_name
from cvlint.analysis.checkers.formulas.unnamed_formulas import calculated, check_name
from cvlint.analysis.checkers.leakage.learned import ONE_CLASS, sums_in
from cvlint.analysis.checkers.leakage.made_columns import check_predicted_gaps
from cvlint.analysis.checkers.leakage.own_statistics import check_masked_filling
from cvlint.analysis.checkers.leakage.scalings import check_augmented_scaling
from cvlint.analysis.checkers.own_measures import note_cell_counted
from cvlint.analysis.checkers.selection_bias import check_best_entry, label_threshold
from cvlint.analysis.domain.axis import NO_AXES, Axes
from cvlint.analysis.domain.codomain import COUNT, NUMBER, TEXT
from cvlint.analysis.domain.environment import ClassValue
from cvlint.analysis.domain.frozen import replace
from cvlint.analysis.domain.heap_object import HeapObject, Instance
from cvlint.analysis.domain.lattice import codomain_of, element_of, join, leave_loop, options, value_key
from cvlint.analysis.domain.taint_label import NO_TAINT, RESULTS, Taint, is_entry_label
from cvlint.analysis.domain.value import CELLS, AnyValue, Const, Data, MeasureValue, Union, axes_of
from cvlint.analysis.heap.entries import grown
from cvlint.analysis.heap.merge import copied, merge
from cvlint.analysis.heap.positions import entry_at, slice_of
from cvlint.analysis.heap.reads import read_container, read_entry
from cvlint.analysis.heap.writes import sum_ensemble, write_entry, written_key
from cvlint.analysis.inference.identifier_inference import has_measure_name, type_by_name
from cvlint.analysis.inference.loop_axes import counts_rows
from cvlint.analysis.inference.repeated_hold_outs import prove_split_by_name
from cvlint.analysis.inference.written_entries import given_from_outside
from cvlint.analysis.interpreter.arithmetic import divide_value
from cvlint.analysis.interpreter.objects import call_special_method, entries_given, set_attribute
from cvlint.analysis.label_columns import taint_of_entry
from cvlint.analysis.models.containers.iteration import listed
from cvlint.analysis.models.containers.sums import accumulate, start_of_sum, summed
from cvlint.analysis.models.experiment.sampling import note_copies
from cvlint.analysis.state import AnalysisState
from cvlint.analysis.syntax import kept_in_node, names_in, root_name
from cvlint.analysis.taint import add_taint, bind_taint, stored, taint_at, taken

UNPACKED = "unpacked"  # the entries that a name is unpacked into, as expressions


def assign_augmented(state: AnalysisState, node: ast.AugAssign) -> None:
    """``x += …``, ``x /= …`` and the like, for names, attributes and entries."""
    added = state.evaluate(state, node.value)
    check_augmented_scaling(state, node)
    if isinstance(added, (HeapObject, Data)) and isinstance(node.op, ast.Add):
        note_copies(state, node)
        drawn = frozenset(m for m in state.taint if m.subject == ONE_CLASS)
        add_taint(state, node.target, drawn | sums_in(state, drawn))
    add_taint(state, node.target, frozenset(m for m in taint_at(state, node.value) if m.kind != "statistic"))
    note_write(state, node.target, node.value)
    match node.target:
        case ast.Name():
            current = state.environment.lookup(node.target.id) or Const(value=0)
        case ast.Attribute():
            current = state.evaluate(state, node.target)
        case ast.Subscript():
            note_cell_counted(state, node.target)
            current = accumulated_entry(state, node.target)
        case _:
            return
    if isinstance(node.target, ast.Subscript) and isinstance(added, Data) and isinstance(node.op, ast.Add):
        sum_ensemble(state, node.target, added)
    if isinstance(current, Instance) and isinstance(node.op, ast.Add):
        made = call_special_method(state, current, "__iadd__", [added], node)
        if made is not None:
            assign(state, node.target, made, node.value)
            return
    result: AnyValue | None
    match node.op:
        case ast.Add() if counts_up(current, added):
            crossed = state.active_axes - (current.allocation_loops if isinstance(current, Const) else NO_AXES)
            result = Data(crossed, index="loop-index") if crossed else Data(codomain=NUMBER)
        case ast.Add():
            result = accumulate(state, current, added, node, start_of_sum(state, node.target, node.value))
        case ast.BitOr() if containers := [o for o in options(current) if isinstance(o, HeapObject)]:
            for container in containers:
                merge(state, container, added, node)
            result = current
        case ast.Div():
            as_binary = ast.copy_location(ast.BinOp(node.target, ast.Div(), node.value), node)
            result = divide_value(state, as_binary, current)
        case _:
            result = calculated(state, node, current)
    if isinstance(node.target, ast.Name) and isinstance(node.op, ast.Add) and is_epsilon(state, node.value):
        state.environment.definitions[node.target.id] = ast.copy_location(
            ast.BinOp(node.target, ast.Add(), node.value), node
        )
    forgets_formula = bool(state.misformed) and result is not current
    if result is None or (value_key(result) == value_key(current) and not forgets_formula):
        return
    if isinstance(node.target, ast.Subscript):
        write_entry(state, state.evaluate(state, node.target.value), node.target, result, adding=True)
    else:
        assign(state, node.target, result, node.value)


def counts_up(current: AnyValue, added: AnyValue) -> bool:
    """Whether ``n += 1`` counts: the passes of a loop, or the calls of a function."""
    return all(isinstance(v, Const) and isinstance(v.value, int) for v in (current, added))


def accumulated_entry(state: AnalysisState, target: ast.Subscript) -> AnyValue:
    """The entry that ``+=`` changes; a missing one starts at 0 and counts as allocated with its container."""
    base, key = state.evaluate(state, target.value), written_key(state, target.slice)
    match (base, key):
        case (HeapObject(kind="dict", elements=None, default=None), Const()) | (
            HeapObject(kind="array", elements=None),
            Const(value=int()),
        ):
            return base.fields.get(key.value) or Const(value=0, allocation_loops=base.allocation_loops)
        case (HeapObject(kind="array", elements=None), Data(index="loop-index")):
            # each pass has an entry of its own
            return Const(value=0, allocation_loops=base.allocation_loops | key.axes)
        case (HeapObject(), Data(index="loop-index")) if isinstance(target.slice, ast.Name):
            return read_container(state, base, key, target)
        case _:
            return read_entry(state, base, target)


def assign(
    state: AnalysisState,
    target: ast.expr,
    value: AnyValue,
    source: ast.expr,
    beside_measures: bool = False,
    dependence: ast.expr | None = None,
) -> None:
    """Bind ``value`` to a target: a name, an unpacking, an attribute or an entry.

    ``dependence`` is the expression that goes into the target, if that is not ``source``.
    """
    if state.rows.all_fits and isinstance(target, ast.Subscript):
        check_predicted_gaps(state, target, source)
    if isinstance(target, (ast.Attribute, ast.Subscript)):
        added = added_operand(target, source)
        if added is not None:
            assign_augmented(state, ast.copy_location(ast.AugAssign(target, ast.Add(), added), source))
            return
    if isinstance(source, (ast.BinOp, ast.IfExp)) and isinstance(target, (ast.Attribute, ast.Subscript)):
        state.environment.definitions[ast.unparse(target)] = source
    value, held = taken(value)
    if found := without_results(value, state.taint_at.get(source, NO_TAINT) | held):
        if isinstance(target, ast.Subscript):
            check_masked_filling(state, target, source)
            found = learned_from_all_rows(state, target, found)
        if not isinstance(target, (ast.Tuple, ast.List, ast.Starred)):
            bind_taint(state, target, label_threshold(state, target, found))
    elif state.taint_at and isinstance(target, (ast.Name, ast.Attribute)):
        bind_taint(state, target, NO_TAINT)
    if state.misformed and isinstance(target, (ast.Name, ast.Attribute)):
        check_name(state, last_name(target), value)
    match target:
        case ast.Name():
            environment = state.environment
            if type(value) is not Const:
                value = type_by_name(state, without_losses(state, value, target.id), target.id, source, beside_measures)
            value = summed(state, target, source, value)
            if type(value) is not Const and type(value) is not Data:
                value = grown(state, value, environment.lookup(target.id))
            environment.definitions[target.id] = source
            environment.bind(target.id, value)
            environment.add_dependences(target.id, (dependence or source,), state.active_axes)
        case ast.Tuple() | ast.List():
            given = listed(state, entries_given(state, value, source), source, len(target.elts))
            unpack(state, target.elts, given, source)
        case ast.Starred():
            assign(state, target.value, value, source)
        case ast.Attribute():
            value = type_by_name(state, value, target.attr, source)
            set_attribute(state, target, stored(value, found))
            note_given(state, target, source)
            note_write(state, target, source)
        case ast.Subscript():
            if isinstance(target.value, ast.Name) and isinstance(target.slice, ast.Constant):
                state.environment.definitions[f"{target.value.id}[{target.slice.value!r}]"] = source
            set_entry(state, target, stored(value, found))
            note_write(state, target, target.slice, source)
            add_taint(state, target, frozenset(m for m in taint_at(state, target.slice) if m.kind == "swept"))


def note_given(state: AnalysisState, target: ast.Attribute, source: ast.expr) -> None:
    """``self.data = data`` of a parameter: the object remembers what its caller calls the data."""
    if not isinstance(source, ast.Name) or len(state.frames) == 1:
        return
    found, holder = given_from_outside(state, source.id), state.evaluate(state, target.value)
    if isinstance(holder, Instance) and found is not None:
        maker, given = found
        if isinstance(given, (ast.Name, ast.Attribute, ast.Subscript, ast.Call)):
            holder.given[target.attr] = maker.environment, given


def without_results(value: AnyValue, found: Taint) -> Taint:
    """The labels of a value; a position among results is none itself: ``i`` of ``for i, f1 in enumerate(f1s)``."""
    is_position = isinstance(value, Data) and value.index == "loop-index"
    return frozenset(m for m in found if m.kind not in RESULTS) if found and is_position else found


def set_entry(state: AnalysisState, target: ast.Subscript, value: AnyValue) -> None:
    """``base[key] = value``; a class of the project may do so by its own ``__setitem__``."""
    target = with_both_keys(state, target)
    base = state.evaluate(state, target.value)
    if isinstance(base, Instance):
        given = [written_key(state, target.slice), value]
        if call_special_method(state, base, "__setitem__", given, target) is not None:
            return
    write_entry(state, base, target, value)


def with_both_keys(state: AnalysisState, target: ast.Subscript) -> ast.Subscript:
    """``table[row, column]`` for ``table[row][column]`` of an array; other targets as they are."""
    match target:
        case ast.Subscript(value=ast.Subscript(value=ast.Name(id=name) as table, slice=row), slice=column) if (
            isinstance(held := state.environment.lookup(name), HeapObject) and held.kind == "array"
        ):
            both = ast.copy_location(ast.Tuple([row, column], ast.Load()), column)
            return ast.copy_location(ast.Subscript(table, both, target.ctx), target)
        case _:
            return target


def learned_from_all_rows(state: AnalysisState, target: ast.Subscript, found: Taint) -> Taint:
    """Labels of a column, ``frame["z_" + name] = values``: it has all rows of the frame in each pass of a loop."""
    if not any(m.kind == "learned" and m.axes for m in found):
        return found
    frames = options(state.evaluate(state, target.value))
    if not all(isinstance(frame, Data) for frame in frames):
        return found
    over_columns = loops_over_columns(state, target.slice) - NO_AXES.union(*(axes_of(frame) for frame in frames))
    return frozenset(replace(m, axes=m.axes - over_columns) if m.kind == "learned" else m for m in found)


def loops_over_columns(state: AnalysisState, key: ast.expr) -> Axes:
    """The loops under way that write a column in each pass: its title is a text, or the variable of the loop."""
    if isinstance(key, ast.Tuple) and len(key.elts) == 2 and ast.unparse(key.elts[0]) == ":":
        key = key.elts[1]
    if all(
        (isinstance(k, Const) and isinstance(k.value, str)) or codomain_of(k) == TEXT
        for k in options(state.evaluate(state, key))
    ):
        return state.active_axes
    named = names_in(key) if isinstance(key, (ast.Name, ast.List)) else frozenset[str]()
    return frozenset(axis for axis in state.active_axes if axis.loop_variables & named and not counts_rows(axis))


def without_losses(state: AnalysisState, value: AnyValue, name: str) -> AnyValue:
    """Drop a measure whose name says that it is a loss: a loss is minimised and not reported."""
    return Data(value.axes) if isinstance(value, MeasureValue) and state.knowledge.conforms("loss", name) else value


def note_write(state: AnalysisState, target: ast.expr, *sources: ast.expr) -> None:
    """Note that ``sources`` go into the object whose part ``target`` is: ``x[i].a = source``."""
    attribute = ""
    while isinstance(target, (ast.Attribute, ast.Subscript)):
        attribute = target.attr if isinstance(target, ast.Attribute) else attribute
        target = target.value
    if isinstance(target, ast.Name):
        for option in options(state.environment.lookup(target.id)) if attribute else ():
            if isinstance(option, (Instance, ClassValue)):
                option.write_loops[attribute] = option.write_loops.get(attribute, NO_AXES) | state.active_axes
        state.environment.add_dependences(target.id, (*sources, *state.frame.guard_tests), state.active_axes)


def added_operand(target: ast.expr, source: ast.expr) -> ast.expr | None:
    """The operand that ``target = target + added`` adds, or ``np.add(target, added)``; None for other assignments."""
    match source:
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            pass
        case ast.Call(func=ast.Attribute(value=ast.Name(), attr="add"), args=[left, right]):
            pass
        case _:
            return None
    spelled = {ast.unparse(target)}
    if isinstance(target, ast.Subscript):
        base, key = ast.unparse(target.value), ast.unparse(target.slice)
        spelled |= {f"{base}.get({key}, {zero})" for zero in ("0", "0.0")}
    if ast.unparse(left) in spelled:
        return right
    return left if ast.unparse(right) in spelled else None


def unpack(state: AnalysisState, targets: list[ast.expr], value: AnyValue, source: ast.expr) -> None:
    """Bind the parts of ``value`` to several targets; unknown parts are typed by their names."""
    names = [t.id for t in targets if isinstance(t, ast.Name)]
    prove_split_by_name(state, frozenset(names), source)
    beside_measures = has_measure_name(state, names)
    literal = source.elts if isinstance(source, ast.Tuple) and len(source.elts) == len(targets) else None
    taint = state.taint_at.get(source)
    is_ordered = any(label.kind == "ordered" and not is_entry_label(label) for label in taint or ())
    for index, (target, part) in enumerate(zip(targets, unpacked_parts(state, targets, value), strict=True)):
        if taint and literal is None:
            state.taint_at[source] = taint_of_entry(taint, index)
        if is_ordered and not isinstance(target, ast.Starred):  # ``best, *others = sorted(scores)``
            part, state.taint_at[source] = best_part(state, source, index, value, part)
        part_of = literal[index] if literal else source
        split = split_alone(part_of) if isinstance(value, Data) and value.origin == "parts" else ()
        behind = split[index] if len(split) == len(targets) else source_of_part(state, target, part_of)
        assign(state, target, part, part_of, beside_measures, behind)
        if isinstance(source, ast.Name) and isinstance(target, ast.Name):  # as one would read it: ``pair[0]``
            entry = ast.copy_location(ast.Subscript(source, ast.Constant(index), ast.Load()), source)
            kept = state.inlined.setdefault((UNPACKED, target), entry)  # one expression, however often it runs
            assert isinstance(kept, ast.expr)
            state.environment.definitions[target.id] = kept
    if taint and literal is None:
        state.taint_at[source] = taint


def best_part(
    state: AnalysisState, source: ast.expr, index: int, value: AnyValue, part: AnyValue
) -> tuple[AnyValue, Taint]:
    """A part of what is ordered by a measure, and its taint: as if it were read under its position."""
    outer, state.taint = state.taint, state.taint_at[source]
    entry = ast.copy_location(ast.Subscript(source, ast.Constant(index), ast.Load()), source)
    found = check_best_entry(state, entry, value, part), state.taint
    state.taint = outer
    return found


def unpacked_parts(state: AnalysisState, targets: Sequence[ast.expr | ast.pattern], value: AnyValue) -> list[AnyValue]:
    """The part of ``value`` for each target; a starred one gets a list of all that the others leave."""
    starred = next((i for i, t in enumerate(targets) if isinstance(t, (ast.Starred, ast.MatchStar))), len(targets))
    parts: list[AnyValue] = []
    for index in range(len(targets)):
        position = index if index < starred else index - len(targets)
        if index == starred:
            parts.append(join(rest_of(state, o, slice(index, position + 1 or None)) for o in options(value)))
        else:
            parts.append(
                join([unpacked_part(state, option, position) for option in value.options])
                if isinstance(value, Union)
                else unpacked_part(state, value, position)
            )
    if len(parts) == len(CELLS) and isinstance(value, Data) and value.origin == "counts":  # of ``matrix.ravel()``
        return [replace(p, origin=cell) if isinstance(p, Data) else p for p, cell in zip(parts, CELLS, strict=True)]
    return parts


def rest_of(state: AnalysisState, value: AnyValue, bounds: slice) -> HeapObject:
    """The list that a starred target gets."""
    if isinstance(value, HeapObject) and value.kind in ("list", "tuple"):
        rest = slice_of(value, bounds)
        rest.kind = "list"
        return rest
    return HeapObject("list", elements=element_of(value), allocation_loops=state.active_axes)


@kept_in_node
def split_alone(node: ast.AST) -> tuple[ast.expr, ...]:
    """For each part of a split, a split of what goes into it alone: ``split(y)`` for the labels of ``split(X, y)``."""
    if not isinstance(node, ast.Call):
        return ()
    return tuple(ast.copy_location(ast.Call(node.func, [a], node.keywords), node) for a in node.args for _ in range(2))


def source_of_part(state: AnalysisState, target: ast.expr, source: ast.expr) -> ast.expr:
    """The argument that goes into a test part: ``train, test = prepare(train, test_set)`` keeps the parts apart."""
    if not (isinstance(source, ast.Call) and names_test_part(state, target)):
        return source
    tests = [argument for argument in source.args if names_test_part(state, argument)]
    return tests[0] if len(tests) == 1 < len(source.args) else source


def names_test_part(state: AnalysisState, node: ast.expr) -> bool:
    """Whether an expression names a test part, and not a training or validation part."""
    return state.knowledge.conforms("test-only", root_name(node))


def unpacked_part(state: AnalysisState, value: AnyValue, index: int) -> AnyValue:
    """Part ``index`` of an unpacked value."""
    match value:
        case HeapObject() if (found := entry_at(value, index)) is not None:
            return found
        case HeapObject() if value.kind in ("list", "tuple") and value.elements is not None:
            part = element_of(value)  # ``X, y = [t.cuda() for t in batch]``: each is one of the list
            if isinstance(part, HeapObject):
                return copied(state, part)  # ``f1s, aucs = ([] for _ in range(2))``: each is a list of its own
            return leave_loop(part, value.extent) if isinstance(part, Data) else part
        case Data(origin="counts"):
            return Data(value.axes, (), value.trace, COUNT, value.pooled)
        case Data(origin="fold-pieces"):  # ``train, test = random_split(…)`` holds out once
            return Data(value.axes & state.active_axes, origin="data")
        case Data(origin="parts"):
            return Data(value.axes, origin="data")
        case MeasureValue(along=along) if along:
            return element_of(value)
        case Data():
            return Data(value.axes, (), value.trace, pooled=value.pooled, opaque=value.opaque)
        case _:
            return Data(opaque=True)
