"""Bind values to targets: names, unpackings, attributes, entries, and what ``+=`` adds up."""

from __future__ import annotations

import ast

from cvlint.analysis.checkers.formulas import is_padding
from cvlint.analysis.checkers.leakage import changed_by_hand, filled_by_hand
from cvlint.analysis.checkers.selection_bias import cut_off
from cvlint.analysis.domain.lattice import element, join, options, shape
from cvlint.analysis.domain.value import NO_AXES, NO_MARKS, AnyValue, Cell, Const, Data, Instance, Measured
from cvlint.analysis.heap.reads import item
from cvlint.analysis.heap.writes import add_up, put
from cvlint.analysis.inference.identifier_inference import is_company, named
from cvlint.analysis.interpreter.arithmetic import divided, sum_up
from cvlint.analysis.state import Run
from cvlint.analysis.taint import add_marks, bind_marks, marks_at, of_entry, root


def is_accumulation(name: str, node: ast.BinOp) -> bool:
    """Whether ``name = node`` adds to ``name``."""
    if not isinstance(node.op, ast.Add):
        return False
    return any(isinstance(side, ast.Name) and side.id == name for side in (node.left, node.right))


def accumulated(run: Run, target: ast.Name, node: ast.BinOp, value: AnyValue) -> AnyValue:
    """``x = x + value``: the same as ``x += value``."""
    on_left = isinstance(node.left, ast.Name) and node.left.id == target.id
    current = run.evaluate(run, target)
    added = run.evaluate(run, node.right if on_left else node.left)
    return sum_up(run, current, added, node) or value


def augment(run: Run, node: ast.AugAssign) -> None:
    """``x += …``, ``x /= …`` and the like, for names, attributes and entries."""
    added = run.evaluate(run, node.value)
    changed_by_hand(run, node)
    add_marks(run, node.target, frozenset(m for m in marks_at(run, node.value) if m.kind != "statistic"))
    fill(run, node.target, node.value)
    match node.target:
        case ast.Name():
            current = run.scope.lookup(node.target.id) or Const(value=0)
        case ast.Attribute():
            current = run.evaluate(run, node.target)
        case ast.Subscript():
            current = entry_so_far(run, node.target)
        case _:
            return
    if isinstance(node.target, ast.Subscript) and isinstance(added, Data) and isinstance(node.op, ast.Add):
        add_up(run, node.target, added)
    match node.op:
        case ast.Add():
            result = sum_up(run, current, added, node)
        case ast.Div():
            as_binary = ast.copy_location(ast.BinOp(node.target, ast.Div(), node.value), node)
            result = divided(run, as_binary, current)
        case _:
            result = current
    if isinstance(node.target, ast.Name) and isinstance(node.op, ast.Add) and is_padding(run, node.value):
        run.scope.definitions[node.target.id] = ast.copy_location(ast.BinOp(node.target, ast.Add(), node.value), node)
    if result is None or shape(result) == shape(current):
        return
    if isinstance(node.target, ast.Subscript):
        put(run, node.target, result, adding=True)
    else:
        assign(run, node.target, result, node.value)


def entry_so_far(run: Run, target: ast.Subscript) -> AnyValue:
    """The entry that is added to; one that does not exist yet starts at 0, as old as its container."""
    base, key = run.evaluate(run, target.value), run.evaluate(run, target.slice)
    if isinstance(base, Cell) and base.kind == "dict" and isinstance(key, Const) and base.rest is base.default is None:
        return base.keyed.get(key.value) or Const(value=0, born=base.born)
    return item(run, base, target)


def assign(
    run: Run,
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
            augment(run, ast.copy_location(ast.AugAssign(target, ast.Add(), added), source))
            return
    if isinstance(target, ast.Attribute | ast.Subscript) and isinstance(source, ast.BinOp | ast.IfExp):
        run.scope.definitions[ast.unparse(target)] = source
    if found := run.marks_at.get(source):
        if isinstance(target, ast.Subscript):
            filled_by_hand(run, target, source)
        if not isinstance(target, ast.Tuple | ast.List | ast.Starred):
            bind_marks(run, target, cut_off(run, target, found))
    elif run.marks_at and isinstance(target, ast.Name | ast.Attribute):
        bind_marks(run, target, NO_MARKS)
    match target:
        case ast.Name():
            value = named(run, as_loss(run, value, target.id), target.id, source, company)
            if isinstance(source, ast.BinOp) and is_accumulation(target.id, source):
                value = accumulated(run, target, source, value)
            scope = run.scope
            scope.definitions[target.id] = source
            scope.bind(target.id, value)
            scope.feed(target.id, fed or source, run.active_axes)
        case ast.Tuple() | ast.List():
            unpack(run, target.elts, value, source)
        case ast.Starred():
            assign(run, target.value, Cell("list", rest=element(value), born=run.active_axes), source)
        case ast.Attribute():
            value = named(run, value, target.attr, source)
            set_attribute(run, target, value)
            fill(run, target, source)
        case ast.Subscript():
            put(run, target, value)
            fill(run, target, target.slice, source)


def as_loss(run: Run, value: AnyValue, name: str) -> AnyValue:
    """A measure that a name calls a loss is there to be minimised, and not to be reported."""
    return Data(value.axes) if isinstance(value, Measured) and run.knowledge.conforms("loss", name) else value


def fill(run: Run, target: ast.expr, *sources: ast.expr) -> None:
    """Remember that ``sources`` go into the object that ``target`` is a part of, as in ``x[i].a = source``."""
    attribute = ""
    while isinstance(target, ast.Attribute | ast.Subscript):
        attribute = target.attr if isinstance(target, ast.Attribute) else attribute
        target = target.value
    if isinstance(target, ast.Name):
        for option in options(run.scope.lookup(target.id)) if attribute else ():
            if isinstance(option, Instance):
                option.fed[attribute] = option.fed.get(attribute, NO_AXES) | run.active_axes
        for source in (*sources, *run.frame.asked):
            run.scope.feed(target.id, source, run.active_axes)


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


def unpack(run: Run, targets: list[ast.expr], value: AnyValue, source: ast.expr) -> None:
    """Bind the parts of ``value``; parts that nothing is known of are typed by their names."""
    names = [t.id for t in targets if isinstance(t, ast.Name)]
    company = is_company(run, names)
    literal = source.elts if isinstance(source, ast.Tuple) and len(source.elts) == len(targets) else None
    marks = run.marks_at.get(source)
    for index, target in enumerate(targets):
        parts = [part(run, option, index) for option in options(value)]
        if marks and literal is None:
            run.marks_at[source] = of_entry(marks, index)
        part_of = literal[index] if literal else source
        assign(run, target, join(parts), part_of, company, fed_by(run, target, part_of))
    if marks and literal is None:
        run.marks_at[source] = marks


def fed_by(run: Run, target: ast.expr, source: ast.expr) -> ast.expr:
    """What goes into a test part: ``train, test = prepare(train, test_set)`` keeps the parts apart, by their names."""
    if not (isinstance(source, ast.Call) and is_test(run, target)):
        return source
    tests = [argument for argument in source.args if is_test(run, argument)]
    return tests[0] if len(tests) == 1 < len(source.args) else source


def is_test(run: Run, node: ast.expr) -> bool:
    """Whether an expression names a test part, and no training or validation part."""
    return run.knowledge.conforms("test-only", root(node))


def part(run: Run, value: AnyValue, index: int) -> AnyValue:
    """Part ``index`` of a value that is unpacked."""
    match value:
        case Cell() if index in value.keyed:
            return value.keyed[index]
        case Cell() if value.kind in ("list", "tuple") and value.rest is not None:
            return element(value)
        case Data(what="counts"):
            return Data(value.axes, (), value.trace, "count", value.pooled)
        case Data(what="fold-pieces"):  # ``train, test = random_split(…)`` holds out once
            return Data(value.axes & run.active_axes, what="data")
        case Data(what="parts"):
            return Data(value.axes, (), (), "data", opaque=False)
        case Measured(along=along) if along:
            return element(value)
        case Data():
            return Data(value.axes, (), value.trace, "unknown", value.pooled, value.opaque)
        case _:
            return Data(opaque=True)


def set_attribute(run: Run, target: ast.Attribute, value: AnyValue) -> None:
    """Set an attribute of an object of the project, or a column of a frame."""
    base = run.evaluate(run, target.value)
    for option in options(base):
        match option:
            case Instance():
                old = option.attributes.get(target.attr)
                keep = run.branches and old is not None
                option.attributes[target.attr] = join([old, value]) if keep and old is not None else value
            case Cell(kind="frame"):
                option.keyed[target.attr] = value
            case _:
                pass
