"""Bind values to targets: names, unpackings, attributes, entries, and what ``+=`` adds up."""

from __future__ import annotations

import ast

from cvlint.analysis.checkers.formulas.terms import is_epsilon
from cvlint.analysis.checkers.leakage import check_augmented_scaling, check_masked_filling
from cvlint.analysis.checkers.selection_bias import label_threshold
from cvlint.analysis.domain.lattice import element, join, options, shape
from cvlint.analysis.domain.value import NO_AXES, NO_TAINT, AnyValue, Const, Data, HeapObject, Instance, MeasureValue
from cvlint.analysis.heap.reads import item
from cvlint.analysis.heap.writes import add_up, put
from cvlint.analysis.inference.identifier_inference import is_company, named
from cvlint.analysis.interpreter.arithmetic import divided, sum_up
from cvlint.analysis.state import AnalysisState
from cvlint.analysis.taint import add_taint, bind_taint, of_entry, root, taint_at


def is_accumulation(name: str, node: ast.BinOp) -> bool:
    """Whether ``name = node`` adds to ``name``."""
    if not isinstance(node.op, ast.Add):
        return False
    return any(isinstance(side, ast.Name) and side.id == name for side in (node.left, node.right))


def accumulated(state: AnalysisState, target: ast.Name, node: ast.BinOp, value: AnyValue) -> AnyValue:
    """``x = x + value``: the same as ``x += value``."""
    on_left = isinstance(node.left, ast.Name) and node.left.id == target.id
    current = state.evaluate(state, target)
    added = state.evaluate(state, node.right if on_left else node.left)
    return sum_up(state, current, added, node) or value


def augment(state: AnalysisState, node: ast.AugAssign) -> None:
    """``x += …``, ``x /= …`` and the like, for names, attributes and entries."""
    added = state.evaluate(state, node.value)
    check_augmented_scaling(state, node)
    add_taint(state, node.target, frozenset(m for m in taint_at(state, node.value) if m.kind != "statistic"))
    fill(state, node.target, node.value)
    match node.target:
        case ast.Name():
            current = state.scope.lookup(node.target.id) or Const(value=0)
        case ast.Attribute():
            current = state.evaluate(state, node.target)
        case ast.Subscript():
            current = entry_so_far(state, node.target)
        case _:
            return
    if isinstance(node.target, ast.Subscript) and isinstance(added, Data) and isinstance(node.op, ast.Add):
        add_up(state, node.target, added)
    match node.op:
        case ast.Add():
            result = sum_up(state, current, added, node)
        case ast.Div():
            as_binary = ast.copy_location(ast.BinOp(node.target, ast.Div(), node.value), node)
            result = divided(state, as_binary, current)
        case _:
            result = current
    if isinstance(node.target, ast.Name) and isinstance(node.op, ast.Add) and is_epsilon(state, node.value):
        state.scope.definitions[node.target.id] = ast.copy_location(ast.BinOp(node.target, ast.Add(), node.value), node)
    if result is None or shape(result) == shape(current):
        return
    if isinstance(node.target, ast.Subscript):
        put(state, node.target, result, adding=True)
    else:
        assign(state, node.target, result, node.value)


def entry_so_far(state: AnalysisState, target: ast.Subscript) -> AnyValue:
    """The entry that is added to; one that does not exist yet starts at 0, as old as its container."""
    base, key = state.evaluate(state, target.value), state.evaluate(state, target.slice)
    if (
        isinstance(base, HeapObject)
        and base.kind == "dict"
        and isinstance(key, Const)
        and base.rest is base.default is None
    ):
        return base.keyed.get(key.value) or Const(value=0, born=base.born)
    return item(state, base, target)


def assign(
    state: AnalysisState,
    target: ast.expr,
    value: AnyValue,
    source: ast.expr,
    company: bool = False,
    fed: ast.expr | None = None,
) -> None:
    """Bind ``value`` to a target: a name, an unpacking, an attribute, an entry; ``fed`` is what goes into it."""
    if isinstance(target, ast.Attribute | ast.Subscript) and isinstance(source, ast.BinOp):
        added = added_to(target, source)
        if added is not None:
            augment(state, ast.copy_location(ast.AugAssign(target, ast.Add(), added), source))
            return
    if isinstance(target, ast.Attribute | ast.Subscript) and isinstance(source, ast.BinOp | ast.IfExp):
        state.scope.definitions[ast.unparse(target)] = source
    if found := state.taint_at.get(source):
        if isinstance(target, ast.Subscript):
            check_masked_filling(state, target, source)
        if not isinstance(target, ast.Tuple | ast.List | ast.Starred):
            bind_taint(state, target, label_threshold(state, target, found))
    elif state.taint_at and isinstance(target, ast.Name | ast.Attribute):
        bind_taint(state, target, NO_TAINT)
    match target:
        case ast.Name():
            value = named(state, as_loss(state, value, target.id), target.id, source, company)
            if isinstance(source, ast.BinOp) and is_accumulation(target.id, source):
                value = accumulated(state, target, source, value)
            scope = state.scope
            scope.definitions[target.id] = source
            scope.bind(target.id, value)
            scope.feed(target.id, fed or source, state.active_axes)
        case ast.Tuple() | ast.List():
            unpack(state, target.elts, value, source)
        case ast.Starred():
            assign(state, target.value, HeapObject("list", rest=element(value), born=state.active_axes), source)
        case ast.Attribute():
            value = named(state, value, target.attr, source)
            set_attribute(state, target, value)
            fill(state, target, source)
        case ast.Subscript():
            put(state, target, value)
            fill(state, target, target.slice, source)


def as_loss(state: AnalysisState, value: AnyValue, name: str) -> AnyValue:
    """A measure that a name calls a loss is there to be minimised, and not to be reported."""
    return Data(value.axes) if isinstance(value, MeasureValue) and state.knowledge.conforms("loss", name) else value


def fill(state: AnalysisState, target: ast.expr, *sources: ast.expr) -> None:
    """Remember that ``sources`` go into the object that ``target`` is a part of, as in ``x[i].a = source``."""
    attribute = ""
    while isinstance(target, ast.Attribute | ast.Subscript):
        attribute = target.attr if isinstance(target, ast.Attribute) else attribute
        target = target.value
    if isinstance(target, ast.Name):
        for option in options(state.scope.lookup(target.id)) if attribute else ():
            if isinstance(option, Instance):
                option.fed[attribute] = option.fed.get(attribute, NO_AXES) | state.active_axes
        for source in (*sources, *state.frame.asked):
            state.scope.feed(target.id, source, state.active_axes)


def added_to(target: ast.expr, source: ast.BinOp) -> ast.expr | None:
    """What ``target = target + added`` adds; None for other assignments."""
    if not isinstance(source.op, ast.Add):
        return None
    spelled = {ast.unparse(target)}
    if isinstance(target, ast.Subscript):
        base, key = ast.unparse(target.value), ast.unparse(target.slice)
        spelled |= {f"{base}.get({key}, {zero})" for zero in ("0", "0.0")}
    if ast.unparse(source.left) in spelled:
        return source.right
    return source.left if ast.unparse(source.right) in spelled else None


def unpack(state: AnalysisState, targets: list[ast.expr], value: AnyValue, source: ast.expr) -> None:
    """Bind the parts of ``value``; parts that nothing is known of are typed by their names."""
    names = [t.id for t in targets if isinstance(t, ast.Name)]
    company = is_company(state, names)
    literal = source.elts if isinstance(source, ast.Tuple) and len(source.elts) == len(targets) else None
    taint = state.taint_at.get(source)
    for index, target in enumerate(targets):
        parts = [part(state, option, index) for option in options(value)]
        if taint and literal is None:
            state.taint_at[source] = of_entry(taint, index)
        part_of = literal[index] if literal else source
        assign(state, target, join(parts), part_of, company, fed_by(state, target, part_of))
    if taint and literal is None:
        state.taint_at[source] = taint


def fed_by(state: AnalysisState, target: ast.expr, source: ast.expr) -> ast.expr:
    """What goes into a test part: ``train, test = prepare(train, test_set)`` keeps the parts apart, by their names."""
    if not (isinstance(source, ast.Call) and is_test(state, target)):
        return source
    tests = [argument for argument in source.args if is_test(state, argument)]
    return tests[0] if len(tests) == 1 < len(source.args) else source


def is_test(state: AnalysisState, node: ast.expr) -> bool:
    """Whether an expression names a test part, and no training or validation part."""
    return state.knowledge.conforms("test-only", root(node))


def part(state: AnalysisState, value: AnyValue, index: int) -> AnyValue:
    """Part ``index`` of a value that is unpacked."""
    match value:
        case HeapObject() if index in value.keyed:
            return value.keyed[index]
        case HeapObject() if value.kind in ("list", "tuple") and value.rest is not None:
            return element(value)
        case Data(codomain="counts"):
            return Data(value.axes, (), value.trace, "count", value.pooled)
        case Data(codomain="fold-pieces"):  # ``train, test = random_split(…)`` holds out once
            return Data(value.axes & state.active_axes, codomain="data")
        case Data(codomain="parts"):
            return Data(value.axes, (), (), "data", opaque=False)
        case MeasureValue(along=along) if along:
            return element(value)
        case Data():
            return Data(value.axes, (), value.trace, "unknown", value.pooled, value.opaque)
        case _:
            return Data(opaque=True)


def set_attribute(state: AnalysisState, target: ast.Attribute, value: AnyValue) -> None:
    """Set an attribute of an object of the project, or a column of a frame."""
    base = state.evaluate(state, target.value)
    for option in options(base):
        match option:
            case Instance():
                old = option.attributes.get(target.attr)
                keep = state.branches and old is not None
                option.attributes[target.attr] = join([old, value]) if keep and old is not None else value
            case HeapObject(kind="frame"):
                option.keyed[target.attr] = value
            case _:
                pass
