"""Decide whether a value depends on a loop: a backward slice over data dependences.

A value from code that cannot be followed is taken to vary over all active loops. That is wrong for a test set that was
made before the loop over folds and is only loaded, converted and batched inside it. The slice follows the expressions
from the metric back to names that were bound outside of the loop.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Sequence

from cvlint.analysis.domain.axis import NO_AXES, Axes, Axis
from cvlint.analysis.domain.environment import ClassValue, Environment, Function
from cvlint.analysis.domain.heap_object import HeapObject, Instance
from cvlint.analysis.domain.value import Const, LibraryName, axes_of
from cvlint.analysis.kept import kept_for_file
from cvlint.analysis.state import AnalysisState, Frame
from cvlint.analysis.syntax import NO_NAMES, called_name, changes_in, kept_in_node, names_in
from cvlint.knowledge.schema import Entry
from cvlint.records import dataclass, field
from cvlint.source.parsing import walk

CONVERSIONS = frozenset(
    {"same", "pool", "stack", "array", "container", "frame", "iterate", "loader", "dataset", "length", "threshold"}
)
MOST_NAMES = 64
PARTS_NAMED = {"training": "train", "test-only": "test", "test-part": "other"}
PARTS = tuple(PARTS_NAMED)
READINGS = frozenset({"same", "items", "values", "keys", "rows", "get", "select", "mask", "transpose"})


def is_loop_invariant(state: AnalysisState, node: ast.expr, axis: Axis) -> bool:
    """Whether an expression has the same value in each pass of an active loop, as far as its dependences are known."""
    if axis not in state.active_loops:
        return False
    walk = DependenceWalk(state, axis)
    walk.expression(node, len(state.frames) - 1)
    if walk.reaches_outside and not walk.depends:
        return True
    walk = DependenceWalk(state, axis, lenient=True)
    walk.expression(node, len(state.frames) - 1)
    return walk.reaches_test_set and not walk.depends


def loops_turning(state: AnalysisState, node: ast.AST) -> Axes:
    """The loops under way whose variables go into an expression, through all names on the way.

    A seed draws other samples of the same data: nothing turns with it.
    """
    found = NO_AXES
    for axis in state.active_loops:
        if (axis.loop_variables or axis.stepped) and turns_with(state, axis, node):
            found |= {axis}
    return found


def turns_with(state: AnalysisState, axis: Axis, node: ast.AST, more: frozenset[str] = frozenset()) -> bool:
    """Whether the variables of a loop, ``more`` of its names, or a draw in each pass, go into an expression."""
    places = dict.fromkeys((len(state.frames) - 1, name) for name in names_of_data(state, node))
    left = list(places)
    variables = axis.loop_variables | axis.stepped | more
    if not variables.isdisjoint([name for _, name in left]):
        return True
    for level, name in left:
        at, sources = sources_of(state, level, name, axis)
        for source in sources:
            if draws(state, source):
                return True
        new = unseen(state, places, at, sources)
        if not variables.isdisjoint([other for _, other in new]):
            return True
        left += new
    return False


def names_counted_on(axis: Axis) -> frozenset[str]:
    """The numbers that the loops along an axis count on from pass to pass: ``first = last; last = first + n``."""
    return NO_NAMES.union(*(numbers_carried(loop) for loop in axis.loops))


@kept_in_node
def numbers_carried(loop: ast.AST) -> frozenset[str]:
    """The names to which a loop gives numbers that it makes of those that its last pass has left."""
    sources = dict[str, frozenset[str]]()
    for name, changes in changes_in(loop).items():
        if all(isinstance(c, ast.AugAssign) or is_arithmetic(c.value) for c in changes):
            own = {name} if any(isinstance(c, ast.AugAssign) for c in changes) else NO_NAMES
            sources[name] = NO_NAMES.union(own, *(names_in(c.value) for c in changes))
    return frozenset(name for name in sources if name in names_behind(name, sources))


def is_arithmetic(node: ast.expr) -> bool:
    """Whether an expression only reckons with names and numbers: ``first + n // k``, ``min(stop, n)``."""
    return all(not isinstance(n, ast.Call) or called_name(n.func) in ("int", "len", "max", "min") for n in walk(node))


def names_behind(name: str, sources: dict[str, frozenset[str]]) -> set[str]:
    """All names that go into the value of a name."""
    found, left = set[str](), [name]
    while left:
        new = sources.get(left.pop(), NO_NAMES) - found
        found |= new
        left += new
    return found


def parts_named_behind(state: AnalysisState, node: ast.AST) -> frozenset[str]:
    """The parts of a split that an expression comes from, by the nearest names on its way that say so."""
    places = dict.fromkeys((len(state.frames) - 1, name) for name in names_of_data(state, node))
    found = set[str]()
    for level, name in (left := list(places)):
        parts = parts_told(state, level, name)
        if parts:
            found |= parts
            continue
        at, sources = sources_of(state, level, name)
        left += unseen(state, places, at, sources)
    return frozenset(found)


def parts_told(state: AnalysisState, level: int, name: str) -> frozenset[str]:
    """The parts that a name says, or that of the argument that a parameter got: a helper may call each part a test."""
    followed = state.knowledge.those_followed(PARTS, name)
    argument = state.frames[level].argument(name) if followed and level else None
    given = [] if argument is None else names_of_data(state, argument)
    by_caller = NO_NAMES.union(*(parts_told(state, level - 1, one) for one in given))
    return by_caller or frozenset(PARTS_NAMED[convention] for convention in followed[:1])


def unseen(
    state: AnalysisState, places: dict[tuple[int, str], None], level: int, sources: Sequence[ast.expr]
) -> list[tuple[int, str]]:
    """The names in expressions that a walk has not met yet; it notes them in ``places``, and ends at some length."""
    if len(places) >= MOST_NAMES:
        return []
    new = {(level, name): None for source in sources for name in names_of_data(state, source)}
    left = [place for place in new if place not in places]
    places.update(new)
    return left


def sources_of(state: AnalysisState, level: int, name: str, axis: Axis | None = None) -> tuple[int, Sequence[ast.expr]]:
    """The expressions that go into a name, in a pass of ``axis`` if it is given, and the level of the call stack."""
    frame = state.frames[level]
    holder = frame.environment.defining_environment(name)
    if holder is None:
        return level, ()
    dependences = holder.dependences.get(name, ())
    guards = frame.guard_tests if dependences else ()  # they decide whether it is written, and not what
    given = [source for source, loops in dependences if (axis is None or axis in loops) and source not in guards]
    if given or not level or holder is not frame.environment:
        return level, given
    argument = frame.argument(name)
    return (level, ()) if argument is None else (level - 1, [argument])


def names_of_data(state: AnalysisState, node: ast.AST) -> list[str]:
    """The names in an expression, except those of functions and in arguments that are seeds."""
    found = state.names_of_data.get(node)
    if found is None:
        calls = calls_in(node)
        keywords = (k for call in calls for k in call.keywords)
        seeds = [k for k in keywords if k.arg and state.knowledge.conforms("seed", k.arg)]
        without = [called_name(call.func) for call in calls] + [name for k in seeds for name in names_in(k.value)]
        found = state.names_of_data[node] = sorted(names_in(node).difference(without))
    return found


def draws(state: AnalysisState, node: ast.AST) -> bool:
    """Whether an expression draws at random: ``rng.integers(0, n, n)``."""
    if not (calls := calls_in(node)):
        return False
    place = node, state.environment.module
    found = state.drawing.get(place)
    if found is None:
        entries = (entry_of(state, call) for call in calls)
        found = state.drawing[place] = any(entry is not None and entry.effect == "draw" for entry in entries)
    return found


def entry_of(state: AnalysisState, call: ast.Call) -> Entry | None:
    """What the knowledge says of the function or method that is called, by its spelling."""
    root, names = call.func, list[str]()
    while isinstance(root, ast.Attribute):
        names.insert(0, root.attr)
        root = root.value
    library = state.environment.lookup(root.id) if isinstance(root, ast.Name) else None
    if isinstance(library, LibraryName):
        return state.knowledge.entry(".".join((library.name, *names)))
    return state.knowledge.methods.get(names[-1]) if names else None


@kept_for_file(4096)
def calls_in(node: ast.AST) -> tuple[ast.Call, ...]:
    """All calls in an expression."""
    return tuple(child for child in walk(node) if isinstance(child, ast.Call))


@dataclass(slots=True)
class DependenceWalk:
    """A backward walk over the dependences of an expression: into the loop, to its outside, or to unknown code.

    A lenient walk goes on through unknown code. It counts if it reaches a test set, by its name, that was made before
    the loop (``predict(test_loader, model)``), and if nothing on its way uses the loop's variables.
    """

    state: AnalysisState
    axis: Axis
    depends: bool = False  # on the loop's variables, or perhaps: the code is unknown
    reaches_outside: bool = False
    lenient: bool = False
    reaches_test_set: bool = False  # it reached a test set that was made outside of the loop
    seen: set[tuple[int, str]] = field(default_factory=set)

    def expression(self, node: ast.AST, level: int) -> None:
        """Follow an expression in the function at ``level`` of the call stack."""
        if self.depends:
            return
        match node:
            case ast.Constant():
                pass
            case ast.JoinedStr(values=parts):
                self.each([part.value for part in parts if isinstance(part, ast.FormattedValue)], level)
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
            case ast.Subscript(value=inner, slice=key) if self.lenient:  # a key that selects columns selects no rows
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
                tests = (test for generator in generators for test in generator.ifs)
                own = names_in(elt).union(*map(names_in, tests))
                self.depends |= not own.isdisjoint(self.axis.loop_variables)
                self.each([generator.iter for generator in generators], level)
            case _:
                self.depends |= not self.lenient

    def each(self, nodes: list[ast.expr], level: int) -> None:
        """Follow several expressions."""
        for node in nodes:
            self.expression(node, level)

    def call(self, node: ast.Call, level: int) -> None:
        """Follow a call that only converts, loads or batches its arguments, or that predicts with a model."""
        settings = self.state.knowledge.groups["loader-settings"]
        given = [*node.args, *(k.value for k in node.keywords if k.arg not in settings)]
        knowledge, environment = self.state.knowledge, self.frame(level).environment
        match node.func:
            case ast.Attribute(value=base, attr=name) if not self.is_library(base, environment):
                entry = knowledge.methods.get(name)
                if entry is not None and entry.effect in READINGS:
                    self.each([base, *given], level)
                    return
            case ast.Name(id=name) | ast.Attribute(attr=name):
                target = environment.lookup(name) if isinstance(node.func, ast.Name) else None
                passes = self.converts(node.func, environment)
                if passes is None:
                    loads = knowledge.conforms("batch", name) or knowledge.conforms("evaluation", name)
                    passes = loads or isinstance(target, ClassValue)
                if passes:
                    self.each(given, level)
                    return
        if self.lenient:
            self.unknown_call(node, given, level)
        else:
            self.depends = True

    def unknown_call(self, node: ast.Call, given: list[ast.expr], level: int) -> None:
        """Go on through a call of unknown code; a text beside a test set is a title and not a path."""
        named = any(isinstance(g, ast.Name) and self.state.knowledge.conforms("test-only", g.id) for g in given)
        if isinstance(node.func, ast.Attribute):
            self.expression(node.func.value, level)
        for argument in given:
            if not (named and isinstance(argument, ast.JoinedStr)):
                self.expression(argument, level)

    def is_library(self, node: ast.expr, environment: Environment) -> bool:
        """Whether an expression is a module or class of a library."""
        while isinstance(node, ast.Attribute):
            node = node.value
        return isinstance(node, ast.Name) and isinstance(environment.lookup(node.id), LibraryName)

    def converts(self, node: ast.expr, environment: Environment) -> bool | None:
        """Whether a library function only converts its arguments; None if it is not a library function."""
        outer, self.state.environment = self.state.environment, environment
        target = self.state.evaluate(self.state, node)
        self.state.environment = outer
        if not isinstance(target, LibraryName):
            return None
        entry = self.state.knowledge.entry(target.name)
        return entry is not None and entry.effect in CONVERSIONS

    def name(self, name: str, level: int) -> None:
        """Follow a name to the expressions that were bound to it or written into it."""
        frame = self.frame(level)
        if (level, name) in self.seen:
            return
        self.seen.add((level, name))
        knowledge, holder = self.state.knowledge, frame.environment.defining_environment(name)
        if holder is None and hasattr(builtins, name):
            return
        if holder is None and knowledge.conforms("test-only", name) and name not in self.axis.loop_variables:
            self.reaches_outside = True  # a test set that another file or notebook made
            return
        # ``test_fold`` names data and not the number of a fold.
        number = knowledge.conforms("fold-number", name) and not knowledge.conforms("test-only", name)
        if name in self.axis.loop_variables or number or holder is None or name in names_counted_on(self.axis):
            self.depends |= holder is not None or not self.lenient
            return
        value = holder.bindings[name]
        if isinstance(value, (LibraryName, Function, ClassValue)):
            return
        if knowledge.conforms("setting", name) and not (isinstance(value, HeapObject) and self.axis in axes_of(value)):
            return
        if holder is not frame.environment:
            level = next((i for i, f in enumerate(self.state.frames) if f.environment is holder), -1)
        sources = holder.dependences.get(name)
        if sources is not None and level >= 0:
            if all(is_empty_list(source) or name in names_in(source) for source, _ in sources):
                self.depends |= not self.lenient  # a list that is filled by code that is not followed
            for source, loops in sources:
                if self.axis in loops:
                    self.expression(source, level)
                elif not isinstance(value, Const):
                    self.reaches_outside = True
                    self.reaches_test_set |= knowledge.conforms("test-only", name)
        elif sources is not None:
            self.reaches_outside = True  # of an imported module
        else:
            self.parameter(name, level)

    def attribute(self, instance: Instance, name: str) -> None:
        """Follow an attribute of an object to the places that set it: before the loop or in it."""
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
        """Follow a parameter to its argument at the call site."""
        frame = self.frame(level)
        if self.axis not in frame.call_loops:
            self.reaches_outside = True
            self.reaches_test_set |= self.state.knowledge.conforms("test-only", name)
            return
        argument = frame.argument(name)
        if argument is None:
            self.depends = True
        else:
            self.expression(argument, level - 1)

    def frame(self, level: int) -> Frame:
        """The frame at ``level`` of the call stack."""
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
