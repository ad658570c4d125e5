"""Does a loop feed a value? Backwards through what its names were bound to and filled with.

Values that come out of code that cannot be followed are taken to vary over every loop around. That is wrong of a
test set which was made before the loop over folds and is only loaded, converted and batched inside of it. Here the
expressions are followed from the metric back to names that were bound outside of the loop.
"""

from __future__ import annotations

import ast
import builtins
from dataclasses import dataclass, field

from cvlint.analysis.domain.axis import Axis
from cvlint.analysis.domain.environment import Environment
from cvlint.analysis.domain.heap_object import Instance
from cvlint.analysis.domain.value import ClassValue, Const, Function, LibraryName
from cvlint.analysis.state import AnalysisState, Frame
from cvlint.analysis.syntax import names_in

CONVERSIONS = frozenset(
    {"same", "pool", "stack", "array", "container", "frame", "iterate", "loader", "dataset", "length", "threshold"}
)
SETTINGS = frozenset({"collate_fn", "worker_init_fn", "generator", "desc"})  # arguments of loaders that hold no data
READINGS = frozenset({"same", "items", "values", "keys", "rows", "get", "select", "mask"})


def is_loop_invariant(state: AnalysisState, node: ast.expr, axis: Axis) -> bool:
    """Whether an expression is the same in each pass of a loop under way, as far as its way can be followed."""
    if axis not in state.active_loops:
        return False
    walk = DependenceWalk(state, axis)
    walk.expression(node, len(state.frames) - 1)
    if walk.reaches_outside and not walk.depends:
        return True
    walk = DependenceWalk(state, axis, lenient=True)
    walk.expression(node, len(state.frames) - 1)
    return walk.reaches_test_set and not walk.depends


@dataclass(slots=True)
class DependenceWalk:
    """The way back from a value: whether it leads into the loop, or to its outside, or is lost.

    A lenient way goes on through code that is not known: it is of use where it comes to a test set, by its name, that
    was made before the loop (``predict(test_loader, model)``), and nowhere to the loop's variable.
    """

    state: AnalysisState
    axis: Axis
    depends: bool = False  # by the loop's variable, or perhaps: the way is lost
    reaches_outside: bool = False
    lenient: bool = False
    reaches_test_set: bool = False  # it came to a test set that was made outside
    seen: set[tuple[int, str]] = field(default_factory=set)

    def expression(self, node: ast.AST, level: int) -> None:
        """Follow an expression of the function at ``level`` of the calls under way."""
        if self.depends:
            return
        match node:
            case ast.Constant() | ast.JoinedStr():
                pass
            case ast.Slice(lower=lower, upper=upper):
                self.each([bound for bound in (lower, upper) if bound is not None], level)
            case ast.Name():
                self.name(node.id, level)
            case ast.Attribute(value=ast.Name(id=holder), attr=name) if isinstance(
                instance := self.frame(level).environment.lookup(holder), Instance
            ):
                self.attribute(instance, name)
            case ast.Attribute(value=ast.Name(id="self")) | ast.Lambda():
                self.depends = True
            case ast.Call():
                self.call(node, level)
            case ast.Attribute(value=inner) | ast.Starred(value=inner) | ast.UnaryOp(operand=inner):
                self.expression(inner, level)
            case ast.Subscript(value=inner, slice=key) if self.lenient:  # columns, that a fold chose, take no rows
                self.depends |= bool(names_in(key) & self.axis.loop_variables)
                self.expression(inner, level)
            case ast.Subscript(value=inner, slice=key):
                self.expression(inner, level)
                self.expression(key, level)
            case ast.Tuple(elts=several) | ast.List(elts=several) | ast.BoolOp(values=several):
                self.each(several, level)
            case ast.BinOp(left=left, right=right):
                self.each([left, right], level)
            case ast.Compare(left=left, comparators=others):
                self.each([left, *others], level)
            case ast.IfExp(body=body, orelse=other):
                self.each([body, other], level)
            case ast.ListComp(elt=elt, generators=generators) | ast.GeneratorExp(elt=elt, generators=generators):
                self.depends |= bool(names_in(elt) & self.axis.loop_variables)
                self.each([generator.iter for generator in generators], level)
            case _:
                self.depends |= not self.lenient

    def each(self, nodes: list[ast.expr], level: int) -> None:
        """Follow several expressions."""
        for node in nodes:
            self.expression(node, level)

    def call(self, node: ast.Call, level: int) -> None:
        """Follow a call that only converts, loads or batches what it is given, or has a model predict."""
        given = [*node.args, *(k.value for k in node.keywords if k.arg not in SETTINGS)]
        known, environment = self.state.knowledge, self.frame(level).environment
        match node.func:
            case ast.Attribute(value=base, attr=name) if not self.is_library(base, environment):
                entry = known.methods.get(name)
                if entry is not None and entry.effect in READINGS:
                    self.each([base, *given], level)
                    return
            case ast.Name(id=name) | ast.Attribute(attr=name):
                target = environment.lookup(name) if isinstance(node.func, ast.Name) else None
                passes = self.converts(node.func, environment)
                if passes is None:
                    loads = known.conforms("batch", name) or known.conforms("evaluation", name)
                    passes = loads or isinstance(target, ClassValue)
                if passes:
                    self.each(given, level)
                    return
        if self.lenient:
            self.unknown_call(node, given, level)
        else:
            self.depends = True

    def unknown_call(self, node: ast.Call, given: list[ast.expr], level: int) -> None:
        """Go on through a call of unknown code; a text beside a test set is a title, and no path."""
        named = any(isinstance(g, ast.Name) and self.state.knowledge.conforms("test-only", g.id) for g in given)
        if isinstance(node.func, ast.Attribute):
            self.expression(node.func.value, level)
        for argument in given:
            if isinstance(argument, ast.JoinedStr):
                self.depends |= not named
            else:
                self.expression(argument, level)

    def is_library(self, node: ast.expr, environment: Environment) -> bool:
        """Whether an expression is a module or class of a library."""
        while isinstance(node, ast.Attribute):
            node = node.value
        return isinstance(node, ast.Name) and isinstance(environment.lookup(node.id), LibraryName)

    def converts(self, node: ast.expr, environment: Environment) -> bool | None:
        """Whether a library's function gives what it is given in another form; None for what is not of a library."""
        outer, self.state.environment = self.state.environment, environment
        target = self.state.evaluate(self.state, node)
        self.state.environment = outer
        if not isinstance(target, LibraryName):
            return None
        entry = self.state.knowledge.entry(target.name)
        return entry is not None and entry.effect in CONVERSIONS

    def name(self, name: str, level: int) -> None:
        """Follow a name to what it was bound to and filled with."""
        frame = self.frame(level)
        if (level, name) in self.seen:
            return
        self.seen.add((level, name))
        known, holder = self.state.knowledge, frame.environment.defining_environment(name)
        if holder is None and hasattr(builtins, name):
            return
        if holder is None and known.conforms("test-only", name) and name not in self.axis.loop_variables:
            self.reaches_outside = True  # a test set that another file or notebook made
            return
        number = known.conforms("fold-number", name) and not known.conforms("test-only", name)  # test_fold is data
        if name in self.axis.loop_variables or number or holder is None:
            self.depends |= holder is not None or not self.lenient
            return
        value = holder.bindings[name]
        if isinstance(value, LibraryName | Function | ClassValue) or known.conforms("setting", name):
            return
        if holder is not frame.environment:
            level = next((i for i, f in enumerate(self.state.frames) if f.environment is holder), -1)
        sources = holder.dependences.get(name)
        if sources is not None and level >= 0:
            if all(is_empty_list(source) or name in names_in(source) for source, _ in sources):
                self.depends |= not self.lenient  # a list that is filled where we did not look
            for source, loops in sources:
                if self.axis in loops:
                    self.expression(source, level)
                elif not isinstance(value, Const):
                    self.reaches_outside = True
                    self.reaches_test_set |= known.conforms("test-only", name)
        elif sources is not None:
            self.reaches_outside = True  # of a module that was imported
        else:
            self.parameter(name, level)

    def attribute(self, instance: Instance, name: str) -> None:
        """Follow an attribute of an object to where it was set: before the loop or in it."""
        value = instance.attributes.get(name)
        if (
            value is None
            or isinstance(value, Const)
            or self.axis in instance.write_loops.get(name, instance.allocation_loops) | instance.allocation_loops
        ):
            self.depends = True
        else:
            self.reaches_outside = True

    def parameter(self, name: str, level: int) -> None:
        """Follow a parameter to the argument of the call under way."""
        frame = self.frame(level)
        if self.axis not in frame.call_loops:
            self.reaches_outside = True
            self.reaches_test_set |= self.state.knowledge.conforms("test-only", name)
            return
        argument = argument_of(frame, name)
        if argument is None:
            self.depends = True
        else:
            self.expression(argument, level - 1)

    def frame(self, level: int) -> Frame:
        """A call under way."""
        return self.state.frames[level]


def is_empty_list(node: ast.expr) -> bool:
    """Whether an expression makes an empty list."""
    match node:
        case ast.List(elts=elements):
            return not elements
        case ast.Call(func=ast.Name(id="list"), args=given):
            return not given
        case _:
            return False


def argument_of(frame: Frame, name: str) -> ast.expr | None:
    """The expression that a parameter was given; its default where it was given none."""
    code, call = frame.node, frame.call
    if not isinstance(code, ast.FunctionDef | ast.AsyncFunctionDef) or not isinstance(call, ast.Call):
        return None
    if any(isinstance(a, ast.Starred) for a in call.args) or any(k.arg is None for k in call.keywords):
        return None
    for keyword in call.keywords:
        if keyword.arg == name:
            return keyword.value
    names = [a.arg for a in (*code.args.posonlyargs, *code.args.args)]
    defaults = dict(zip(reversed(names), reversed(code.args.defaults), strict=False))
    if names[:1] == ["self"]:
        names = names[1:]
    if name in names and names.index(name) < len(call.args):
        return call.args[names.index(name)]
    return defaults.get(name)
