"""Calls: functions and classes of the project are evaluated with the values they are called with."""

from __future__ import annotations

import ast

from cvlint.analysis.checkers.leakage import method_called
from cvlint.analysis.checkers.reported_scores import unfollowed
from cvlint.analysis.checkers.selection_bias import handed_on
from cvlint.analysis.domain.lattice import join, options, settled, shape, varying, with_step
from cvlint.analysis.domain.value import (
    NO_MARKS,
    AnyValue,
    Axis,
    Cell,
    ClassOf,
    Const,
    Data,
    Function,
    Instance,
    Library,
    Measure,
    Measured,
    Partial,
    Scope,
    Thing,
    axes_of,
    library,
)
from cvlint.analysis.inference.identifier_inference import LABELS, named
from cvlint.analysis.inference.loop_dependence import stays_same
from cvlint.analysis.interpreter.assignments import fill
from cvlint.analysis.interpreter.imports import module_member
from cvlint.analysis.models.arguments import arguments
from cvlint.analysis.models.functions import library_call, parallel_call
from cvlint.analysis.models.methods import method_of_value
from cvlint.analysis.models.metrics import leaves, state_called
from cvlint.analysis.models.scorers import scored
from cvlint.analysis.state import (
    FEW_CALLS,
    MANY_MEASURES,
    MOST_CALLS_DEEP,
    STEPS_A_FUNCTION,
    Arguments,
    Frame,
    Record,
    Run,
)
from cvlint.analysis.syntax import called_name
from cvlint.analysis.taint import give_marks, given_marks, marks_at

RANKING = tuple((kind, f"ranks-{kind}") for kind in ("roc-auc", "average-precision", "precision-at-k"))


def call(run: Run, node: ast.Call) -> AnyValue:
    """The value of a call."""
    target: AnyValue | None = None
    if isinstance(node.func, ast.Attribute):
        base = run.evaluate(run, node.func.value)
        given = arguments(run, node)
        if run.active and not isinstance(base, Library | Function | ClassOf):
            fill(run, node.func.value, *node.args)
        found = [method_call(run, option, node.func, given, node) for option in options(base)]
        if run.marks:
            method_called(run, node)
    else:
        target = run.evaluate(run, node.func)
        given = arguments(run, node)
        found = [call_value(run, option, given, node) for option in options(target)]
    value = found[0] if len(found) == 1 else join(found)
    if isinstance(value, Data) and (run.marks or run.knowledge.conforms("choice", called_name(node.func))):
        handed_on(run, called_name(node.func), node)
    if isinstance(value, Data) and value.opaque:
        name = called_name(node.func)
        if not (isinstance(target, Function) and is_seen_through(run, target)):
            ranked(run, name, given, node)
        if name not in run.knowledge.methods:  # frame.map is no mean average precision
            value = named(run, value, name, node)
    return value


def ranked(run: Run, name: str, given: Arguments, node: ast.Call) -> None:
    """A function that could not be followed and that ranks, by its name, is given scores."""
    kinds = [kind for kind, convention in RANKING if run.knowledge.conforms(convention, name)]
    for value in (*given[0], *given[1].values()) if kinds else ():
        for option in options(value):
            # a list with an entry a fold may well be gone through fold by fold
            pooled = frozenset[Axis]().union(*(v.pooled for v in leaves(option) if isinstance(v, Data)))
            if not pooled or (isinstance(option, Data) and option.what == "hard"):
                continue
            trace = (
                *(option.trace if isinstance(option, Data) else ()),
                run.step(node, f"{name} ranks, by its name", soft=True),
            )
            for kind in kinds:
                run.emit("measure", node, Measure(kind, None, LABELS[kind]), pooled, trace, scores="scores")
            return


def is_seen_through(run: Run, function: Function) -> bool:
    """Whether what a function of the project measures was said in it, or it is given no true labels to measure with."""
    if any(function.node in step.owners for value in run.computed for step in value.trace):
        return True
    return not isinstance(function.node, ast.FunctionDef) or not takes_truth(run, function.node)


def call_value(run: Run, target: AnyValue, given: Arguments, node: ast.AST) -> AnyValue:
    """Call a value."""
    match target:
        case Library():
            return library_call(run, target, given, node)
        case Function():
            return call_function(run, target, given, node)
        case ClassOf():
            return instantiate(run, target, given, node)
        case Instance():
            found = find_member(run, target, "__call__", node)
            if not isinstance(found, Function):
                found = find_member(run, target, "forward", node)
            return call_function(run, found, given, node) if isinstance(found, Function) else unfollowed(run, given)
        case Partial():
            return call_partial(run, target, given, node)
        case Thing(role="scorer"):
            return scored(run, target, node)
        case Thing(role="parallel" | "delayed"):
            return parallel_call(run, target, given, node)
        case Thing(role="state"):
            return state_called(run, target, node)
        case _:
            return unfollowed(run, given, target)


def call_partial(run: Run, target: Partial, given: Arguments, node: ast.AST) -> AnyValue:
    """Call a partial application, or a bound method of a library's object."""
    positional, keywords = given
    if target.target is None:
        return unfollowed(run, given)
    stored = dict(target.keywords)
    return call_value(run, target.target, ([*target.arguments, *positional], {**stored, **keywords}), node)


def method_call(run: Run, base: AnyValue, func: ast.Attribute, given: Arguments, node: ast.Call) -> AnyValue:
    """Call a method of a value."""
    match base:
        case Library():
            return call_value(run, library_member(run, base, func), given, node)
        case Instance() | ClassOf():
            found = find_member(run, base, func.attr, node)
            entry = run.knowledge.methods.get(func.attr)
            if isinstance(found, Data) and entry is not None and entry.facts.get("inherited"):
                return method_of_value(run, base, func, given, node)  # of a base class in a library
            results = [call_value(run, option, given, node) for option in options(found)]
            return join(results)
        case Thing(role="module"):
            return join(call_value(run, option, given, node) for option in options(module_member(run, base, func.attr)))
        case Cell() if func.attr in base.keyed and isinstance(base.keyed[func.attr], Function | Library):
            return call_value(run, base.keyed[func.attr], given, node)
        case _:
            return method_of_value(run, base, func, given, node)


def library_member(run: Run, base: Library, func: ast.Attribute) -> AnyValue:
    """A function of a library's module or class."""
    return library(f"{base.name}.{func.attr}", soft=base.soft)


def call_method(run: Run, base: Instance, name: str, values: list[AnyValue], node: ast.AST) -> AnyValue | None:
    """Call a special method of an object of the project, if its class has it."""
    found = find_member(run, base, name, node)
    return call_function(run, found, (values, {}), node) if isinstance(found, Function) else None


def call_function(run: Run, function: Function, given: Arguments, node: ast.AST) -> AnyValue:
    """Evaluate a function of the project with the values it is called with."""
    code = function.node
    if code is None or function.scope is None or run.budget < 0:
        return unfollowed(run, given)
    if len(run.frames) > MOST_CALLS_DEEP or any(frame.node is code for frame in run.frames):
        return unfollowed(run, given)
    marks = (*given_marks(run, node), *parts_given(run, node))
    key = (code, id(function.bound), shapes(given), run.active_axes, same_arguments(run, node), marks)
    record = run.called.setdefault(code, Record())
    if key in record.results and (record.calls > FEW_CALLS or (function.bound is None and given[0])):
        run.marks = record.marks.get(key, NO_MARKS)
        return record.results[key]  # the same values again; a function without arguments may read what has changed
    if record.calls > FEW_CALLS and record.steps > STEPS_A_FUNCTION:
        # long, and called often: the next call is taken to be like the last, unless it is in other loops
        gone, new = record.around - run.active_axes, run.active_axes - record.around
        return unfollowed(run, given) if gone and new else varying(settled(record.last, gone), new)
    record.calls += 1
    budget = run.budget
    scope = Scope(function.scope.module, function.scope, code)
    bind_parameters(run, function, scope, given, isinstance(node, ast.Call))
    give_marks(run, function, scope, node)
    frame = Frame(code, function.scope.module, node, function.owner or code, scope, run.active_axes)
    frame.apart = run.frame.apart
    result = in_frame(run, frame)
    run.marks = record.marks[key] = frame.marks
    if isinstance(result, Data) and result.what in ("unknown", "quotient"):
        opaque_result = result.opaque or takes_truth(run, code)
        axes = result.axes | run.active_axes
        result = Data(axes, result.along, result.trace, result.what, result.pooled, opaque_result)
    record.results[key] = record.last = result
    record.around = run.active_axes
    record.arguments.append((function.bound, given))
    record.steps += budget - run.budget
    return result


def parts_given(run: Run, node: ast.AST) -> tuple[bool, ...]:
    """Which arguments are called test parts: what is chosen on a part must be told from what is measured on another."""
    given = node.args if isinstance(node, ast.Call) else []
    return tuple(isinstance(a, ast.Name) and run.knowledge.conforms("test-only", a.id) for a in given)


def same_arguments(run: Run, node: ast.AST) -> frozenset[int]:
    """The arguments that are the same in each pass of the innermost loop over folds: of a test set, not of a fold."""
    axis = next((a for a in reversed(run.active) if a.kind == "fold"), None)
    if axis is None or not isinstance(node, ast.Call):
        return frozenset()
    given = [*node.args, *(k.value for k in node.keywords)]
    return frozenset(i for i, argument in enumerate(given) if stays_same(run, argument, axis))


def takes_truth(run: Run, code: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> bool:
    """Whether a parameter is called like true labels: what the function returns may then go by its name."""
    return any(run.knowledge.conforms("truth", arg.arg) for arg in code.args.args)


def shapes(given: Arguments) -> tuple[object, ...]:
    """What tells the arguments of two calls apart."""
    positional, keywords = given
    return (
        *(shape(v) for v in positional),
        *((k, shape(v)) for k, v in sorted(keywords.items(), key=lambda kv: kv[0])),
    )


def in_frame(run: Run, frame: Frame) -> AnyValue:
    """Execute the body of a function in its own scope; the value it returns or the list it yields."""
    outer, outer_branches = run.scope, run.branches
    run.scope, run.branches = frame.scope, 0
    run.frames.append(frame)
    try:
        if isinstance(frame.node, ast.Lambda):
            value = run.evaluate(run, frame.node.body)
            frame.marks = marks_at(run, frame.node.body)
            return value
        run.execute(run, frame.node.body)  # type: ignore[attr-defined]
        evaluate_uncalled(run, frame.scope)
    finally:
        run.frames.pop()
        run.scope, run.branches = outer, outer_branches
    if frame.yielded:
        extent = frozenset().union(*(axes_of(v) for v in frame.yielded)) - run.active_axes
        return Cell("list", rest=join(frame.yielded), extent=extent, born=run.active_axes)
    return chosen(run, frame) if frame.returned else Const()


def chosen(run: Run, frame: Frame) -> AnyValue:
    """What a function returns; one of many measures, chosen by a parameter, is not known to be any of them."""
    result = join(frame.returned)
    kinds = {v.measure.kind for v in options(result) if isinstance(v, Measured)}
    if len(kinds) < MANY_MEASURES:
        return result
    return with_step(result, run.step(frame.node, "one of several measures, by a parameter, is returned", soft=True))


def evaluate_uncalled(run: Run, scope: Scope) -> None:
    """Evaluate functions that were defined in a call and only handed on: objectives and callbacks."""
    for value in list(scope.names.values()):
        inner = value.node if isinstance(value, Function) and value.scope is scope else None
        if isinstance(value, Function) and isinstance(inner, ast.FunctionDef) and inner not in run.called:
            call_function(run, value, ([], {}), inner)


def bind_parameters(run: Run, function: Function, scope: Scope, given: Arguments, called: bool) -> None:
    """Bind the parameters of a function to arguments, defaults, or unknown values.

    A function that nothing called may be given True as well as False where its default is one of them.
    """
    assert function.node is not None
    spec, (positional, keywords) = function.node.args, given
    names = [arg.arg for arg in (*spec.posonlyargs, *spec.args)]
    if function.bound is not None and names:
        positional = [function.bound, *positional]
    if isinstance(function.bound, Cell):
        positional = positional[1:]
    defaults = dict(zip(reversed(names), reversed(spec.defaults), strict=False))
    defaults |= {arg.arg: d for arg, d in zip(spec.kwonlyargs, spec.kw_defaults, strict=True) if d is not None}
    for index, name in enumerate((*names, *(arg.arg for arg in spec.kwonlyargs))):
        if index < len(positional) and index < len(names):
            scope.names[name] = positional[index]
        elif name in keywords:
            scope.names[name] = keywords[name]
        elif name in defaults:
            value = default(run, function, defaults[name])
            flag = isinstance(value, Const) and isinstance(value.value, bool)
            scope.names[name] = Data(opaque=True) if flag and not called else value
        else:
            scope.names[name] = Data(opaque=True)
    if spec.vararg is not None:
        extra = positional[len(names) :]
        scope.names[spec.vararg.arg] = Cell("tuple", dict(enumerate(extra)), None, born=run.active_axes)
    if spec.kwarg is not None:
        rest = {k: v for k, v in keywords.items() if k not in scope.names}
        scope.names[spec.kwarg.arg] = Cell("dict", dict(rest), None, born=run.active_axes)


def default(run: Run, function: Function, node: ast.expr) -> AnyValue:
    """The value of a parameter's default; None says nothing of what is usually given."""
    assert function.scope is not None
    outer, run.scope = run.scope, function.scope
    value = run.evaluate(run, node)
    run.scope = outer
    return Data(opaque=True) if isinstance(value, Const) and value.value is None else value


def instantiate(run: Run, cls: ClassOf, given: Arguments, node: ast.AST) -> AnyValue:
    """An object of a class of the project."""
    instance = Instance(cls, born=run.active_axes)
    found = find_member(run, instance, "__init__", node)
    if isinstance(found, Function):
        call_function(run, found, given, node)
        run.marks = NO_MARKS  # an object is followed by its attributes
        return instance
    positional, keywords = given
    fields = (
        [s.target.id for s in cls.node.body if isinstance(s, ast.AnnAssign) and isinstance(s.target, ast.Name)]
        if cls.node
        else []
    )
    instance.attributes.update(zip(fields, positional, strict=False))
    instance.attributes.update(keywords)
    return instance


def find_member(run: Run, base: Instance | ClassOf, name: str, node: ast.AST) -> AnyValue:
    """An attribute or method of an object or a class, bases included."""
    if isinstance(base, Instance):
        if name in base.attributes:
            return base.attributes[name]
        found = class_member(run, base.cls, name, base, 0)
    else:
        found = class_member(run, base, name, None, 0)
    if found is not None:
        return found
    return named(run, Data(run.active_axes, opaque=True), name, node)


def class_member(run: Run, cls: ClassOf, name: str, bound: Instance | None, depth: int) -> AnyValue | None:
    """A member that is defined in the body of a class or of one of its bases."""
    if cls.node is None or cls.scope is None or depth > 4:
        return None
    for statement in cls.node.body:
        match statement:
            case ast.FunctionDef(name=defined) | ast.AsyncFunctionDef(name=defined) if defined == name:
                kinds = {called_name(d) for d in statement.decorator_list}
                holder: AnyValue | None = None if "staticmethod" in kinds else bound or cls
                function = Function(node=statement, scope=cls.scope, bound=holder, owner=cls.node)  # type: ignore[arg-type]
                if kinds & {"property", "cached_property"}:
                    return call_function(run, function, ([], {}), statement)
                return function
            case ast.Assign(targets=[ast.Name(id=defined)], value=value) if defined == name:
                return in_scope(run, cls.scope, value)
            case ast.AnnAssign(target=ast.Name(id=defined), value=ast.expr() as value) if defined == name:
                return in_scope(run, cls.scope, value)
    for base in cls.node.bases:
        for option in options(in_scope(run, cls.scope, base)):
            if isinstance(option, ClassOf) and option.node is not cls.node:
                found = class_member(run, option, name, bound, depth + 1)
                if found is not None:
                    return found
    return None


def in_scope(run: Run, scope: Scope, node: ast.expr) -> AnyValue:
    """Evaluate an expression in another scope."""
    outer, run.scope = run.scope, scope
    try:
        return run.evaluate(run, node)
    finally:
        run.scope = outer
