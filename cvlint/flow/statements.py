"""Execute statements: bind names, follow branches, know which tests guard a place."""

from __future__ import annotations

import ast

from cvlint.flow import arithmetic, containers, conventions, effects, imports, loops, undefined
from cvlint.flow.run import Run
from cvlint.flow.values import (
    UNKNOWN,
    AnyValue,
    Cell,
    ClassOf,
    Const,
    Data,
    Function,
    Instance,
    Library,
    Measured,
    element,
    join,
    options,
    settled,
)


def execute(run: Run, body: list[ast.stmt]) -> bool:
    """Execute a block; True when it always leaves (return, raise, continue, break)."""
    depth = len(run.frame.guards)
    try:
        for statement in body:
            if run.budget < 0:
                return False
            if execute_one(run, statement):
                return True
        return False
    finally:
        del run.frame.guards[depth:]


def execute_one(run: Run, node: ast.stmt) -> bool:
    """Execute one statement; True when control leaves the block here."""
    match node:
        case ast.Expr():
            value = run.evaluate(run, node.value)
            if not isinstance(node.value, ast.Call):
                effects.reported(run, value)
        case ast.Assign():
            run.target = node.targets[0].id if isinstance(node.targets[0], ast.Name) else ""
            value = run.evaluate(run, node.value)
            run.target = ""
            for target in node.targets:
                assign(run, target, value, node.value)
        case ast.AugAssign():
            arithmetic.augment(run, node)
        case ast.AnnAssign():
            if node.value is not None:
                assign(run, node.target, run.evaluate(run, node.value), node.value)
        case ast.For() | ast.AsyncFor():
            loops.for_loop(run, node)
        case ast.While():
            loops.while_loop(run, node)
        case ast.If():
            return branch(run, node)
        case ast.With() | ast.AsyncWith():
            return with_block(run, node)
        case ast.Try():
            return try_block(run, node)
        case ast.Return():
            value = run.value(node.value) or Const()
            run.frame.returned.append(settled(value, run.active_axes - run.frame.around))
            return True
        case ast.Raise() | ast.Continue() | ast.Break():
            return True
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            owner = run.frame.owner or node
            run.scope.bind(node.name, Function(node=node, scope=run.scope, owner=owner))
        case ast.ClassDef():
            run.scope.bind(node.name, ClassOf(node=node, scope=run.scope))
        case ast.Import() | ast.ImportFrom():
            imports.bind_imports(run, node)
        case ast.Global() | ast.Nonlocal():
            run.scope.outer.update(node.names)
        case ast.Assert():
            run.evaluate(run, node.test)
            run.frame.guards.append(node.test)
        case ast.Delete():
            for target in node.targets:
                if isinstance(target, ast.Name):
                    run.scope.names.pop(target.id, None)
        case _ if isinstance(node, TRY_STAR):
            return try_block(run, node)
        case ast.Match():
            return match_block(run, node)
    return False


TRY_STAR: type = getattr(ast, "TryStar", ast.Try)


def assign(run: Run, target: ast.expr, value: AnyValue, source: ast.expr, company: bool = False) -> None:
    """Bind ``value`` to a target: a name, an unpacking, an attribute, an entry."""
    match target:
        case ast.Name():
            value = conventions.named(run, value, target.id, source, company)
            if isinstance(source, ast.BinOp) and arithmetic.is_accumulation(target.id, source):
                value = arithmetic.accumulated(run, target, source, value)
            scope = run.scope
            scope.definitions[target.id] = source
            scope.bind(target.id, value)
        case ast.Tuple() | ast.List():
            unpack(run, target.elts, value, source)
        case ast.Starred():
            assign(run, target.value, Cell("list", rest=element(value), born=run.active_axes), source)
        case ast.Attribute():
            value = conventions.named(run, value, target.attr, source)
            set_attribute(run, target, value)
        case ast.Subscript():
            containers.put(run, target, value)


def unpack(run: Run, targets: list[ast.expr], value: AnyValue, source: ast.expr) -> None:
    """Bind the parts of ``value``; parts that nothing is known of are typed by their names."""
    names = [t.id for t in targets if isinstance(t, ast.Name)]
    company = conventions.is_company(run, names)
    for index, target in enumerate(targets):
        parts = [part(option, index, len(targets)) for option in options(value)]
        literal = source.elts[index] if isinstance(source, ast.Tuple) and len(source.elts) == len(targets) else source
        assign(run, target, join(parts), literal, company)


def part(value: AnyValue, index: int, count: int) -> AnyValue:
    """Part ``index`` of ``count`` of a value that is unpacked."""
    match value:
        case Cell() if index in value.keyed:
            return value.keyed[index]
        case Cell() if value.kind in ("list", "tuple") and value.rest is not None:
            return element(value)
        case Data(what="counts"):
            return Data(value.axes, (), value.trace, "count", value.pooled)
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


def branch(run: Run, node: ast.If) -> bool:
    """An if statement: both arms, each guarded by the test, and what both leave behind."""
    test = run.evaluate(run, node.test)
    if isinstance(test, Const) and not isinstance(node.test, ast.Constant):
        return run.execute(run, node.body if test.value else node.orelse)
    undefined.if_statement(run, node, test)
    scope, guards = run.scope, run.frame.guards
    before = dict(scope.names)
    run.branches += 1
    guards.append(node.test)
    body_leaves = run.execute(run, node.body)
    after_body, scope.names = scope.names, before if not node.orelse else dict(before)
    else_leaves = run.execute(run, node.orelse) if node.orelse else False
    guards.pop()
    run.branches -= 1
    if body_leaves or undefined.patches(node):
        guards.append(node.test)  # the rest of the block runs only where the test fails, or after its patch
    if else_leaves:
        guards.append(node.test)
        scope.names = after_body
    elif not body_leaves:
        merge(after_body, scope.names)
    return body_leaves and else_leaves


def merge(one: dict[str, AnyValue], into: dict[str, AnyValue]) -> None:
    """Join the names bound on one arm of a branch into those of the other."""
    for name, value in one.items():
        other = into.get(name)
        if other is None:
            into[name] = value
        elif other is not value:
            into[name] = join([value, other])


def with_block(run: Run, node: ast.With | ast.AsyncWith) -> bool:
    """A with statement; ``np.errstate`` says that the author knows of undefined values."""
    for entry in node.items:
        value = run.evaluate(run, entry.context_expr)
        if entry.optional_vars is not None:
            assign(run, entry.optional_vars, UNKNOWN if isinstance(value, Library) else value, entry.context_expr)
        if "errstate" in conventions.names_in(entry.context_expr):
            run.frame.guards.append(node)
    return run.execute(run, node.body)


def try_block(run: Run, node: ast.Try) -> bool:
    """A try statement: the body, then each handler from what the body left."""
    scope, guards = run.scope, run.frame.guards
    catches = undefined.catches_division(node)
    if catches:
        guards.append(node)
    made = len(run.computed)
    leaves = run.execute(run, node.body)
    if catches:
        guards.pop()
    undefined.try_statement(run, node, run.computed[made:])
    if not leaves:
        leaves = run.execute(run, node.orelse)
    after = scope.names
    run.branches += 1
    for handler in node.handlers:
        scope.names = dict(after)
        if not run.execute(run, handler.body):
            merge(scope.names, after)
            leaves = False
    run.branches -= 1
    scope.names = after
    return run.execute(run, node.finalbody) or leaves


def match_block(run: Run, node: ast.Match) -> bool:
    """A match statement: every case may be the one."""
    run.evaluate(run, node.subject)
    before, after, leaves = run.scope.names, [], []
    run.branches += 1
    for case in node.cases:
        run.scope.names = dict(before)
        leaves.append(run.execute(run, case.body))
        if not leaves[-1]:
            after.append(run.scope.names)
    run.branches -= 1
    run.scope.names = before
    for names in after:
        merge(names, before)
    return False
