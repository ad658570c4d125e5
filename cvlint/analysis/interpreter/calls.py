"""Calls: functions and classes of the project are evaluated with the values they are called with."""

from __future__ import annotations

import ast

from cvlint.analysis.checkers.leakage import check_method_call
from cvlint.analysis.checkers.selection_bias import check_unknown_call
from cvlint.analysis.domain.lattice import join, leave_loop, options, shape, varying, with_step
from cvlint.analysis.domain.value import (
    NO_TAINT,
    AnyValue,
    Axis,
    ClassValue,
    Const,
    Data,
    Function,
    HeapObject,
    Instance,
    LibraryName,
    LibraryObject,
    Measure,
    MeasureValue,
    Partial,
    Scope,
    axes_of,
    library,
)
from cvlint.analysis.inference.identifier_inference import LABELS, named
from cvlint.analysis.inference.loop_dependence import stays_same
from cvlint.analysis.interpreter.assignments import fill
from cvlint.analysis.interpreter.imports import module_member
from cvlint.analysis.models.arguments import evaluate_arguments, unknown_result
from cvlint.analysis.models.dispatch.callables import call_parallel_object
from cvlint.analysis.models.dispatch.functions import call_library_function
from cvlint.analysis.models.dispatch.methods import call_library_method
from cvlint.analysis.models.experiment.metric_objects import call_metric_object
from cvlint.analysis.models.experiment.metrics import entries_or_self
from cvlint.analysis.models.experiment.scorers import call_scorer
from cvlint.analysis.state import (
    FEW_CALLS,
    MANY_MEASURES,
    MOST_CALLS_DEEP,
    STEPS_A_FUNCTION,
    AnalysisState,
    Arguments,
    Frame,
    FunctionRecord,
)
from cvlint.analysis.syntax import called_name
from cvlint.analysis.taint import give_taint, given_taint, taint_at

RANKING = tuple((kind, f"ranks-{kind}") for kind in ("roc-auc", "average-precision", "precision-at-k"))


def call(state: AnalysisState, node: ast.Call) -> AnyValue:
    """The value of a call."""
    target: AnyValue | None = None
    if isinstance(node.func, ast.Attribute):
        base = state.evaluate(state, node.func.value)
        given = evaluate_arguments(state, node)
        if state.active and not isinstance(base, LibraryName | Function | ClassValue):
            fill(state, node.func.value, *node.args)
        found = [method_call(state, option, node.func, given, node) for option in options(base)]
        if state.taint:
            check_method_call(state, node)
    else:
        target = state.evaluate(state, node.func)
        given = evaluate_arguments(state, node)
        found = [call_value(state, option, given, node) for option in options(target)]
    value = found[0] if len(found) == 1 else join(found)
    if isinstance(value, Data) and (state.taint or state.knowledge.conforms("choice", called_name(node.func))):
        check_unknown_call(state, called_name(node.func), node)
    if isinstance(value, Data) and value.opaque:
        name = called_name(node.func)
        if not (isinstance(target, Function) and is_seen_through(state, target)):
            ranked(state, name, given, node)
        if name not in state.knowledge.methods:  # frame.map is no mean average precision
            value = named(state, value, name, node)
    return value


def ranked(state: AnalysisState, name: str, given: Arguments, node: ast.Call) -> None:
    """A function that could not be followed and that ranks, by its name, is given scores."""
    kinds = [kind for kind, convention in RANKING if state.knowledge.conforms(convention, name)]
    for value in (*given[0], *given[1].values()) if kinds else ():
        for option in options(value):
            # a list with an entry a fold may well be gone through fold by fold
            pooled = frozenset[Axis]().union(*(v.pooled for v in entries_or_self(option) if isinstance(v, Data)))
            if not pooled or (isinstance(option, Data) and option.codomain == "hard"):
                continue
            trace = (
                *(option.trace if isinstance(option, Data) else ()),
                state.step(node, f"{name} ranks, by its name", heuristic=True),
            )
            for kind in kinds:
                state.emit("measure", node, Measure(kind, None, LABELS[kind]), pooled, trace, scores="scores")
            return


def is_seen_through(state: AnalysisState, function: Function) -> bool:
    """Whether what a function of the project measures was said in it, or it is given no true labels to measure with."""
    if any(function.node in step.owners for value in state.computed for step in value.trace):
        return True
    return not isinstance(function.node, ast.FunctionDef) or not takes_truth(state, function.node)


def call_value(state: AnalysisState, target: AnyValue, given: Arguments, node: ast.AST) -> AnyValue:
    """Call a value."""
    match target:
        case LibraryName():
            return call_library_function(state, target, given, node)
        case Function():
            return call_function(state, target, given, node)
        case ClassValue():
            return instantiate(state, target, given, node)
        case Instance():
            found = find_member(state, target, "__call__", node)
            if not isinstance(found, Function):
                found = find_member(state, target, "forward", node)
            return (
                call_function(state, found, given, node)
                if isinstance(found, Function)
                else unknown_result(state, given)
            )
        case Partial():
            return call_partial(state, target, given, node)
        case LibraryObject(role="scorer"):
            return call_scorer(state, target, node)
        case LibraryObject(role="parallel" | "delayed"):
            return call_parallel_object(state, target, given, node)
        case LibraryObject(role="state"):
            return call_metric_object(state, target, node)
        case _:
            return unknown_result(state, given, target)


def call_partial(state: AnalysisState, target: Partial, given: Arguments, node: ast.AST) -> AnyValue:
    """Call a partial application, or a bound method of a library's object."""
    positional, keywords = given
    if target.target is None:
        return unknown_result(state, given)
    stored = dict(target.keywords)
    return call_value(state, target.target, ([*target.arguments, *positional], {**stored, **keywords}), node)


def method_call(
    state: AnalysisState, base: AnyValue, func: ast.Attribute, given: Arguments, node: ast.Call
) -> AnyValue:
    """Call a method of a value."""
    match base:
        case LibraryName():
            return call_value(state, library_member(state, base, func), given, node)
        case Instance() | ClassValue():
            found = find_member(state, base, func.attr, node)
            entry = state.knowledge.methods.get(func.attr)
            if isinstance(found, Data) and entry is not None and entry.facts.get("inherited"):
                return call_library_method(state, base, func, given, node)  # of a base class in a library
            results = [call_value(state, option, given, node) for option in options(found)]
            return join(results)
        case LibraryObject(role="module"):
            return join(
                call_value(state, option, given, node) for option in options(module_member(state, base, func.attr))
            )
        case HeapObject() if func.attr in base.keyed and isinstance(base.keyed[func.attr], Function | LibraryName):
            return call_value(state, base.keyed[func.attr], given, node)
        case _:
            return call_library_method(state, base, func, given, node)


def library_member(state: AnalysisState, base: LibraryName, func: ast.Attribute) -> AnyValue:
    """A function of a library's module or class."""
    return library(f"{base.name}.{func.attr}", heuristic=base.heuristic)


def call_method(
    state: AnalysisState, base: Instance, name: str, values: list[AnyValue], node: ast.AST
) -> AnyValue | None:
    """Call a special method of an object of the project, if its class has it."""
    found = find_member(state, base, name, node)
    return call_function(state, found, (values, {}), node) if isinstance(found, Function) else None


def call_function(state: AnalysisState, function: Function, given: Arguments, node: ast.AST) -> AnyValue:
    """Evaluate a function of the project with the values it is called with."""
    code = function.node
    if code is None or function.scope is None or state.budget < 0:
        return unknown_result(state, given)
    if len(state.frames) > MOST_CALLS_DEEP or any(frame.node is code for frame in state.frames):
        return unknown_result(state, given)
    taint = (*given_taint(state, node), *parts_given(state, node))
    key = (code, id(function.bound), shapes(given), state.active_axes, same_arguments(state, node), taint)
    record = state.called.setdefault(code, FunctionRecord())
    if key in record.results and (record.calls > FEW_CALLS or (function.bound is None and given[0])):
        state.taint = record.taint.get(key, NO_TAINT)
        return record.results[key]  # the same values again; a function without arguments may read what has changed
    if record.calls > FEW_CALLS and record.steps > STEPS_A_FUNCTION:
        # long, and called often: the next call is taken to be like the last, unless it is in other loops
        gone, new = record.around - state.active_axes, state.active_axes - record.around
        return unknown_result(state, given) if gone and new else varying(leave_loop(record.last, gone), new)
    record.calls += 1
    budget = state.budget
    scope = Scope(function.scope.module, function.scope, code)
    bind_parameters(state, function, scope, given, isinstance(node, ast.Call))
    give_taint(state, function, scope, node)
    frame = Frame(code, function.scope.module, node, function.owner or code, scope, state.active_axes)
    frame.apart = state.frame.apart
    result = in_frame(state, frame)
    state.taint = record.taint[key] = frame.taint
    if isinstance(result, Data) and result.codomain in ("unknown", "quotient"):
        opaque_result = result.opaque or takes_truth(state, code)
        axes = result.axes | state.active_axes
        result = Data(axes, result.along, result.trace, result.codomain, result.pooled, opaque_result)
    record.results[key] = record.last = result
    record.around = state.active_axes
    record.arguments.append((function.bound, given))
    record.steps += budget - state.budget
    return result


def parts_given(state: AnalysisState, node: ast.AST) -> tuple[bool, ...]:
    """Which arguments are called test parts: what is chosen on a part must be told from what is measured on another."""
    given = node.args if isinstance(node, ast.Call) else []
    return tuple(isinstance(a, ast.Name) and state.knowledge.conforms("test-only", a.id) for a in given)


def same_arguments(state: AnalysisState, node: ast.AST) -> frozenset[int]:
    """The arguments that are the same in each pass of the innermost loop over folds: of a test set, not of a fold."""
    axis = next((a for a in reversed(state.active) if a.kind == "fold"), None)
    if axis is None or not isinstance(node, ast.Call):
        return frozenset()
    given = [*node.args, *(k.value for k in node.keywords)]
    return frozenset(i for i, argument in enumerate(given) if stays_same(state, argument, axis))


def takes_truth(state: AnalysisState, code: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> bool:
    """Whether a parameter is called like true labels: what the function returns may then go by its name."""
    return any(state.knowledge.conforms("truth", arg.arg) for arg in code.args.args)


def shapes(given: Arguments) -> tuple[object, ...]:
    """What tells the arguments of two calls apart."""
    positional, keywords = given
    return (
        *(shape(v) for v in positional),
        *((k, shape(v)) for k, v in sorted(keywords.items(), key=lambda kv: kv[0])),
    )


def in_frame(state: AnalysisState, frame: Frame) -> AnyValue:
    """Execute the body of a function in its own scope; the value it returns or the list it yields."""
    outer, outer_branches = state.scope, state.branches
    state.scope, state.branches = frame.scope, 0
    state.frames.append(frame)
    try:
        if isinstance(frame.node, ast.Lambda):
            value = state.evaluate(state, frame.node.body)
            frame.taint = taint_at(state, frame.node.body)
            return value
        state.execute(state, frame.node.body)  # type: ignore[attr-defined]
        evaluate_uncalled(state, frame.scope)
    finally:
        state.frames.pop()
        state.scope, state.branches = outer, outer_branches
    if frame.yielded:
        extent = frozenset().union(*(axes_of(v) for v in frame.yielded)) - state.active_axes
        return HeapObject("list", rest=join(frame.yielded), extent=extent, born=state.active_axes)
    return chosen(state, frame) if frame.returned else Const()


def chosen(state: AnalysisState, frame: Frame) -> AnyValue:
    """What a function returns; one of many measures, chosen by a parameter, is not known to be any of them."""
    result = join(frame.returned)
    kinds = {v.measure.kind for v in options(result) if isinstance(v, MeasureValue)}
    if len(kinds) < MANY_MEASURES:
        return result
    return with_step(
        result, state.step(frame.node, "one of several measures, by a parameter, is returned", heuristic=True)
    )


def evaluate_uncalled(state: AnalysisState, scope: Scope) -> None:
    """Evaluate functions that were defined in a call and only handed on: objectives and callbacks."""
    for value in list(scope.names.values()):
        inner = value.node if isinstance(value, Function) and value.scope is scope else None
        if isinstance(value, Function) and isinstance(inner, ast.FunctionDef) and inner not in state.called:
            call_function(state, value, ([], {}), inner)


def bind_parameters(state: AnalysisState, function: Function, scope: Scope, given: Arguments, called: bool) -> None:
    """Bind the parameters of a function to arguments, defaults, or unknown values.

    A function that nothing called may be given True as well as False where its default is one of them.
    """
    assert function.node is not None
    spec, (positional, keywords) = function.node.args, given
    names = [arg.arg for arg in (*spec.posonlyargs, *spec.args)]
    if function.bound is not None and names:
        positional = [function.bound, *positional]
    if isinstance(function.bound, HeapObject):
        positional = positional[1:]
    defaults = dict(zip(reversed(names), reversed(spec.defaults), strict=False))
    defaults |= {arg.arg: d for arg, d in zip(spec.kwonlyargs, spec.kw_defaults, strict=True) if d is not None}
    for index, name in enumerate((*names, *(arg.arg for arg in spec.kwonlyargs))):
        if index < len(positional) and index < len(names):
            scope.names[name] = positional[index]
        elif name in keywords:
            scope.names[name] = keywords[name]
        elif name in defaults:
            value = default(state, function, defaults[name])
            flag = isinstance(value, Const) and isinstance(value.value, bool)
            scope.names[name] = Data(opaque=True) if flag and not called else value
        else:
            scope.names[name] = Data(opaque=True)
    if spec.vararg is not None:
        extra = positional[len(names) :]
        scope.names[spec.vararg.arg] = HeapObject("tuple", dict(enumerate(extra)), None, born=state.active_axes)
    if spec.kwarg is not None:
        rest = {k: v for k, v in keywords.items() if k not in scope.names}
        scope.names[spec.kwarg.arg] = HeapObject("dict", dict(rest), None, born=state.active_axes)


def default(state: AnalysisState, function: Function, node: ast.expr) -> AnyValue:
    """The value of a parameter's default; None says nothing of what is usually given."""
    assert function.scope is not None
    outer, state.scope = state.scope, function.scope
    value = state.evaluate(state, node)
    state.scope = outer
    return Data(opaque=True) if isinstance(value, Const) and value.value is None else value


def instantiate(state: AnalysisState, cls: ClassValue, given: Arguments, node: ast.AST) -> AnyValue:
    """An object of a class of the project."""
    instance = Instance(cls, born=state.active_axes)
    found = find_member(state, instance, "__init__", node)
    if isinstance(found, Function):
        call_function(state, found, given, node)
        state.taint = NO_TAINT  # an object is followed by its attributes
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


def find_member(state: AnalysisState, base: Instance | ClassValue, name: str, node: ast.AST) -> AnyValue:
    """An attribute or method of an object or a class, bases included."""
    if isinstance(base, Instance):
        if name in base.attributes:
            return base.attributes[name]
        found = class_member(state, base.cls, name, base, 0)
    else:
        found = class_member(state, base, name, None, 0)
    if found is not None:
        return found
    return named(state, Data(state.active_axes, opaque=True), name, node)


def class_member(
    state: AnalysisState, cls: ClassValue, name: str, bound: Instance | None, depth: int
) -> AnyValue | None:
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
                    return call_function(state, function, ([], {}), statement)
                return function
            case ast.Assign(targets=[ast.Name(id=defined)], value=value) if defined == name:
                return in_scope(state, cls.scope, value)
            case ast.AnnAssign(target=ast.Name(id=defined), value=ast.expr() as value) if defined == name:
                return in_scope(state, cls.scope, value)
    for base in cls.node.bases:
        for option in options(in_scope(state, cls.scope, base)):
            if isinstance(option, ClassValue) and option.node is not cls.node:
                found = class_member(state, option, name, bound, depth + 1)
                if found is not None:
                    return found
    return None


def in_scope(state: AnalysisState, scope: Scope, node: ast.expr) -> AnyValue:
    """Evaluate an expression in another scope."""
    outer, state.scope = state.scope, scope
    try:
        return state.evaluate(state, node)
    finally:
        state.scope = outer
