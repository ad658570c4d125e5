"""What code puts where an expression reads: entries of tuples, dicts and records, attributes of objects, parts by name.

In goes ``loaders[1]``, ``self.data`` or ``outcome.labels``; out comes the expression that was written there, and the
level of the call stack of the code that wrote it.
"""

from __future__ import annotations

import ast

from cvlint.analysis.domain.axis import Axes, Axis
from cvlint.analysis.domain.environment import ClassValue, Environment, Function
from cvlint.analysis.domain.heap_object import Instance
from cvlint.analysis.domain.rows import title_of
from cvlint.analysis.domain.value import Const, Data
from cvlint.analysis.state import AnalysisState, Frame
from cvlint.analysis.syntax import nodes_in, root_name

MOST_NAMES = 8
MOST_CALLS = 4


def handed_over(frame: Frame, node: ast.expr) -> ast.expr | None:
    """What a library has set ``self.validation_data[1]`` to, in a method that a fit calls back, or a name for it."""
    match frame.environment.definitions.get(node.id) if isinstance(node, ast.Name) else node:
        case ast.Subscript(
            value=ast.Attribute(value=ast.Name(id="self"), attr=name), slice=ast.Constant(value=int(at))
        ):
            given = frame.argument(name)
            return given.elts[at] if isinstance(given, (ast.Tuple, ast.List)) and at < len(given.elts) else None
        case _:
            return None


def given_to_object(state: AnalysisState, frame: Frame, node: ast.expr) -> tuple[int, ast.expr] | None:
    """What the maker of an object calls an attribute of it, and the level where it does: ``test`` for ``self.data``.

    A name that says itself what part of the data it is stays, unless the maker calls the data the same; so does one
    whose maker has returned.
    """
    match node:
        case ast.Attribute(value=ast.Name(id="self"), attr=name):
            holder = frame.environment.lookup("self")
            maker, given = holder.given.get(name, (None, node)) if isinstance(holder, Instance) else (None, node)
            if says_part(state, name) and not (isinstance(given, ast.Name) and given.id == name):
                return None
            return next(((i, given) for i, f in enumerate(state.frames) if f.environment is maker), None)
        case _:
            return None


def given_from_outside(state: AnalysisState, name: str) -> tuple[Frame, ast.expr] | None:
    """What a parameter was given at the call of the outermost function that only hands it on, and who calls that.

    ``super().__init__(data)`` and ``super().__init__(**settings)`` hand on what the maker of the object gave.
    """
    found = None
    for outer, frame in zip(state.frames[-2::-1], state.frames[:0:-1], strict=True):
        given = frame.argument(name)
        if given is None and not hands_on(outer, frame.call):
            break
        if given is not None:
            found = outer, given
            if (
                not isinstance(given, ast.Name)
                or outer.environment.defining_environment(given.id) is not outer.environment
            ):
                break
            name = given.id
    return found


def hands_on(frame: Frame, call: ast.AST | None) -> bool:
    """Whether a call gives all keywords that the function around it got itself: ``super().__init__(**settings)``."""
    match frame.node, call:
        case ast.FunctionDef(args=ast.arguments(kwarg=ast.arg(arg=rest))), ast.Call(keywords=keywords):
            return any(k.arg is None and isinstance(k.value, ast.Name) and k.value.id == rest for k in keywords)
        case _:
            return False


def field_given(caller: Environment, frame: Frame, node: ast.expr) -> ast.expr | None:
    """What the call gives for a field of a parameter: ``y`` for ``outcome.label_ids``, or a name for it.

    The call writes the record out: ``judge(Outcome(scores, label_ids=y))``.
    """
    match frame.environment.definitions.get(node.id) if isinstance(node, ast.Name) else node:
        case ast.Attribute(value=ast.Name(id=name), attr=title):
            given = frame.argument(name)
            keywords = given.keywords if isinstance(given, ast.Call) and entries_made(caller, given) else {}
            return next((k.value for k in keywords if k.arg == title), None)
        case _:
            return None


def entry_behind(state: AnalysisState, level: int, node: ast.expr) -> tuple[int, ast.expr] | None:
    """What code that writes out a tuple or a dict puts where an expression reads, and the level of that code.

    ``test_loader`` for ``loaders[1]`` and for ``b`` of ``a, b = load()``, where ``load`` returns ``train_loader,
    test_loader``; a name that says itself what part of the data it is stays.
    """
    frame, read = state.frames[level], node
    if isinstance(node, ast.Name) and not says_part(state, node.id):
        read = read_by_name(frame, node) or node
    if not (isinstance(read, ast.Subscript) and isinstance(read.slice, ast.Constant)):
        return None
    whole: ast.expr | None = read.value
    key = read.slice.value
    for _ in range(MOST_NAMES):
        frame = state.frames[level]
        entries = entries_made(frame.environment, whole)
        if entries:
            entry = entries.get(key)
            if entry is None or (is_returned(frame, whole) and not tells_here(state, frame, entry, node)):
                return None  # a name of another function, which says nothing here
            return level, entry
        match whole:
            case ast.Name(id=name) if level and (given := frame.argument(name)) is not None:
                level, whole = level - 1, given
            case ast.Name(id=name):
                whole = frame.environment.definitions.get(name)
            case ast.Attribute() if (made := given_to_object(state, frame, whole)) is not None:
                level, whole = made
            case _:
                return None
    return None


def tells_here(state: AnalysisState, frame: Frame, entry: ast.expr, read: ast.expr) -> bool:
    """Whether a name that another function returns says what part of the data it is, and means nothing else here."""
    if not (isinstance(entry, ast.Name) and says_part(state, entry.id)):
        return False
    return frame.environment.defining_environment(entry.id) is None or root_name(read) == entry.id


def is_returned(frame: Frame, made: ast.expr | None) -> bool:
    """Whether a function of the project makes something."""
    called = made.func if isinstance(made, ast.Call) else None
    return isinstance(called, ast.Name) and isinstance(frame.environment.lookup(called.id), Function)


def says_part(state: AnalysisState, name: str) -> bool:
    """Whether a name says what part of a split it is."""
    return state.knowledge.conforms("test-part", name) or state.knowledge.conforms("training", name)


def read_by_name(frame: Frame, node: ast.Name) -> ast.expr | None:
    """What a name was bound to, as one would read it: ``load()[1]`` for ``b`` of ``a, b = load()``."""
    bound = frame.environment.definitions.get(node.id)
    for statement in nodes_in(frame.node, ast.Assign) if isinstance(bound, ast.Call) else ():
        match statement:
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=value) if value is bound:
                places = (i for i, t in enumerate(targets) if isinstance(t, ast.Name) and t.id == node.id)
                return next((ast.Subscript(value, ast.Constant(i), ast.Load()) for i in places), None)
    return bound


def entries_made(environment: Environment, made: ast.expr | None, depth: int = MOST_CALLS) -> dict[object, ast.expr]:
    """The entries of a tuple or dict that an expression writes out, or a function or a record of the project gives.

    ``depth``: so many functions may return each other's results; one may call itself.
    """
    match made:
        case ast.Tuple(elts=entries) | ast.List(elts=entries):
            return dict(enumerate(entries))
        case ast.Dict(keys=keys, values=values):
            return {k.value: v for k, v in zip(keys, values, strict=True) if isinstance(k, ast.Constant)}
        case ast.Call(func=ast.Name(id="dict"), args=[], keywords=given):
            return {k.arg: k.value for k in given if k.arg is not None}
        case ast.Call(func=ast.Name(id=name)) if depth:
            called = environment.lookup(name)
            if isinstance(called, ClassValue):
                return dict(enumerate([*made.args, *(k.value for k in made.keywords)]))
            code = called.node if isinstance(called, Function) else None
            returned = nodes_in(code, ast.Return) if code is not None else ()
            return entries_made(environment, returned[0].value, depth - 1) if len(returned) == 1 else {}
        case _:
            return {}


def with_known_key(state: AnalysisState, node: ast.expr) -> ast.expr:
    """``loaders["test"]`` for ``loaders[phase]`` in the pass of a loop in which ``phase`` is ``"test"``."""
    match node:
        case ast.Subscript(value=whole, slice=ast.Name() as key) if (
            isinstance(known := state.environment.lookup(key.id), Const)
            and isinstance(known.value, str)
            and says_part(state, known.value)
        ):
            return ast.copy_location(ast.Subscript(whole, ast.Constant(known.value), node.ctx), node)
        case _:
            return node


def parts_asked_for(state: AnalysisState, node: ast.expr) -> tuple[str, ...]:
    """The parts of its data that a graph gives in pairs: ``for _, mask in data("train_mask", "test_mask")``."""
    match node:
        case ast.Call(func=ast.Name(id=name), args=[_, _, *_] as asked, keywords=[]) if isinstance(
            state.environment.lookup(name), Data
        ):
            texts = tuple(a.value for a in asked if isinstance(a, ast.Constant) and isinstance(a.value, str))
            return texts if len(texts) == len(asked) and all(says_part(state, text) for text in texts) else ()
        case _:
            return ()


def loops_over_parts(state: AnalysisState) -> Axes:
    """The loops under way of which each pass is for one part of the data: ``for phase in ("train", "test")``."""
    found = set[Axis]()
    for axis in state.active_loops:
        values = (state.environment.lookup(name) for name in axis.loop_variables)
        texts = [v.value for v in values if isinstance(v, Const) and isinstance(v.value, str)]
        if axis.is_written_out and axis.kind == "loop":
            texts += [text for name in axis.loop_variables for text in parts_held(state, name)]
        if any(says_part(state, text) for text in texts):
            found.add(axis)
    return frozenset(found)


def written_parts(state: AnalysisState) -> Axes:
    """Those loops over parts whose body is executed once for each part."""
    return frozenset(axis for axis in loops_over_parts(state) if axis.is_written_out and axis.kind == "loop")


def parts_held(state: AnalysisState, name: str) -> tuple[str, ...]:
    """What the data under a name are called where they come from: ``for mask in (data.val_mask, data.test_mask)``."""
    held = state.rows.held.get((state.environment.defining_environment(name), name))
    return () if held is None else (held.rows.found.named, title_of(held.rows))
