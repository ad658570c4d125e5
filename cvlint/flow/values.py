"""What the engine knows of a value: what it is, over which loops it varies, where it comes from.

The analysis is dimensional: a `Measured` value made inside a fold loop *varies over* that `Axis` (``axes``);
collected in a list it becomes an array *along* the axis (``along``, a tuple of dimensions, each a set of axes);
a mean takes the dimension away again. `Data` is everything that is not a measure, unknown values included.
Containers (`Cell`) and objects (`Instance`) are mutable, as they are in the program that is read.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from cvlint.flow.scope import Module, Scope


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a trace: what happens at a node. ``soft`` steps rest on a name or a convention."""

    module: Module
    node: ast.AST
    note: str
    soft: bool = False
    owners: frozenset[ast.AST] = frozenset()  # the functions and classes under evaluation when it happens


Trace: TypeAlias = tuple[Step, ...]


@dataclass(eq=False, slots=True)
class Axis:
    """A loop, or a library's own loop, over which values vary.

    Mutable on purpose: a loop learns what it is from its body (``for i in range(k)`` becomes a fold
    loop when the body holds part ``i`` of the data out).
    """

    kind: str
    step: Step
    splitter: Thing | None = None
    names: frozenset[str] = frozenset()

    @property
    def soft(self) -> bool:
        """Whether only a name says what this axis is."""
        return self.step.soft


Axes: TypeAlias = frozenset[Axis]
NO_AXES: Axes = frozenset()


@dataclass(frozen=True, slots=True)
class Measure:
    """Which measure: ``kind`` as in the knowledge ("f-measure", "roc-auc", …) and its ``average``."""

    kind: str
    average: str | None = None
    label: str = ""

    def __str__(self) -> str:
        return self.label or self.kind


@dataclass(frozen=True, slots=True)
class Value:
    """Base of all values."""

    axes: Axes = NO_AXES
    along: tuple[Axes, ...] = ()
    trace: Trace = ()


@dataclass(frozen=True, slots=True)
class Data(Value):
    """Arrays, labels, scores, counts, indices, and all that is not known (``what`` is then "unknown").

    ``pooled``: axes whose parts were put together into one array (``oof[test] = scores``, ``extend``).
    ``opaque``: the result of code that could not be followed; only such a value may be typed by its name.
    """

    what: str = "unknown"
    pooled: Axes = NO_AXES
    opaque: bool = False


@dataclass(frozen=True, slots=True)
class Const(Value):
    """A literal; ``born`` are the loops around the place where it was bound to a name."""

    value: Any = None
    born: Axes = NO_AXES


@dataclass(frozen=True, slots=True)
class Measured(Value):
    """The value of a performance measure.

    ``total``: axes over which it has been summed, with the division still to come.
    ``reduced``: axes over which it has been averaged. ``scaled``: already divided by a count.
    """

    measure: Measure = Measure("unknown")
    total: Axes = NO_AXES
    reduced: Axes = NO_AXES
    scaled: bool = False
    pooled: Axes = NO_AXES
    parts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Library(Value):
    """A name of a library: ``sklearn.metrics.f1_score``, a module or a class."""

    name: str = ""
    soft: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Function(Value):
    """A function of the project, with the scope it was defined in and, for methods, its object."""

    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | None = None
    scope: Scope | None = None
    bound: Value | None = None
    owner: ast.AST | None = None


@dataclass(frozen=True, slots=True, eq=False)
class ClassOf(Value):
    """A class of the project."""

    node: ast.ClassDef | None = None
    scope: Scope | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Partial(Value):
    """A callable with some arguments given: ``functools.partial``, a bound method of a library object."""

    target: Value | None = None
    arguments: tuple[Value, ...] = ()
    keywords: tuple[tuple[str, Value], ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Thing(Value):
    """An object of a library that matters: a splitter, a search, an estimator, a scorer, folds.

    ``role`` says which, ``facts`` what the knowledge and the call say of it (scoring, stratified, …).
    """

    role: str = ""
    name: str = ""
    facts: dict[str, Any] = field(default_factory=dict)


@dataclass(eq=False, slots=True)
class Cell:
    """A container: entries under known keys, and the join of all others.

    ``extent`` are the loops over which entries under unknown keys were put in; ``born`` the loops
    around its creation. ``kind`` is list, dict, tuple, array or table (rows and columns).
    """

    kind: str
    keyed: dict[Any, AnyValue] = field(default_factory=dict)
    rest: AnyValue | None = None
    extent: Axes = NO_AXES
    born: Axes = NO_AXES
    default: AnyValue | None = None
    trace: Trace = ()

    @property
    def axes(self) -> Axes:
        """Axes over which the container as a whole varies."""
        return frozenset().union(*(axes_of(v) for v in self.entries())) - self.extent | self.born

    def entries(self) -> list[AnyValue]:
        """All entries, known keys first."""
        found = list(self.keyed.values())
        if self.rest is not None:
            found.append(self.rest)
        return found


@dataclass(eq=False, slots=True)
class Instance:
    """An object of a class of the project: its attributes, as far as they were seen."""

    cls: ClassOf
    attributes: dict[str, AnyValue] = field(default_factory=dict)
    born: Axes = NO_AXES

    @property
    def axes(self) -> Axes:
        """An object is followed by its attributes, so it varies over nothing itself."""
        return NO_AXES


@dataclass(frozen=True, slots=True, eq=False)
class Either:
    """One of several values, after a branch or under an unknown key."""

    options: tuple[AnyValue, ...]

    @property
    def axes(self) -> Axes:
        """Axes over which any option varies."""
        return frozenset().union(*(axes_of(v) for v in self.options))


AnyValue: TypeAlias = Value | Cell | Instance | Either

UNKNOWN = Data()
NONE = Const(value=None)
MOST_OPTIONS = 10


def axes_of(value: AnyValue) -> Axes:
    """Axes over which ``value`` varies."""
    return value.axes


def options(value: AnyValue | None) -> tuple[AnyValue, ...]:
    """The values that ``value`` may be."""
    match value:
        case None:
            return ()
        case Either():
            return value.options
        case _:
            return (value,)


def shape(value: AnyValue) -> Any:
    """What tells two values apart, their traces aside; mutable ones by identity."""
    match value:
        case Data():
            return ("data", value.what, value.pooled, value.axes, value.along, value.opaque)
        case Measured():
            return (value.measure, value.total, value.reduced, value.axes, value.along, value.scaled, value.pooled)
        case Const():
            try:
                hash(value.value)
            except TypeError:
                return id(value)
            return ("const", type(value.value), value.value, value.born)
        case Library():
            return ("library", value.name)
        case Function():
            return (id(value.node), id(value.bound) if value.bound is not None else 0)
        case ClassOf():
            return id(value.node)
        case Either():
            return tuple(shape(v) for v in value.options)
        case _:
            return id(value)


def join(values: Iterable[AnyValue]) -> AnyValue:
    """The value that may be any of ``values``; an unknown beside known ones is dropped."""
    distinct: dict[Any, AnyValue] = {}
    for value in values:
        for option in options(value):
            distinct.setdefault(shape(option), option)
    if len(distinct) > 1:
        known = {k: v for k, v in distinct.items() if not is_unknown(v)}
        distinct = known or distinct
    found = tuple(distinct.values())
    if not found:
        return UNKNOWN
    if len(found) == 1:
        return found[0]
    if len(found) > MOST_OPTIONS:
        found = tuple(sorted(found, key=lambda v: not isinstance(v, Measured)))[:MOST_OPTIONS]
    return Either(found)


def is_unknown(value: AnyValue) -> bool:
    """Whether nothing at all is known of ``value``."""
    return isinstance(value, Data) and value.what == "unknown" and not (value.pooled or value.along)


def varying(value: AnyValue, axes: Axes) -> AnyValue:
    """``value``, now varying over ``axes`` too; containers vary through what is in them."""
    if not axes:
        return value
    match value:
        case Data() | Measured():
            return replace(value, axes=value.axes | axes)
        case Either():
            return join(varying(v, axes) for v in value.options)
        case _:
            return value


def settled(value: AnyValue, axes: Axes) -> AnyValue:
    """``value`` after the loops over ``axes`` ended: the last one, varying over them no more."""
    match value:
        case Data() | Measured() if value.axes & axes:
            return replace(value, axes=value.axes - axes)
        case Either():
            return join(settled(v, axes) for v in value.options)
        case Cell(kind="tuple", rest=None) if value.axes & axes:
            return Cell("tuple", {k: settled(v, axes) for k, v in value.keyed.items()}, born=value.born - axes)
        case _:
            return value


def with_step(value: AnyValue, step: Step) -> AnyValue:
    """``value`` with one step more in its trace (for the values whose way matters)."""
    match value:
        case Measured() | Data():
            if len(value.trace) > 12 or (value.trace and value.trace[-1].node is step.node):
                return value
            return replace(value, trace=(*value.trace, step))
        case Either():
            return Either(tuple(with_step(v, step) for v in value.options))
        case _:
            return value


def stacked(value: AnyValue, extent: Axes) -> AnyValue:
    """The array that a container with this ``extent`` makes of its entry ``value``."""
    match value:
        case Data() | Measured():
            return replace(value, along=(extent, *value.along), axes=value.axes - extent)
        case Either():
            return join(stacked(v, extent) for v in value.options)
        case Cell():
            columns = {key: stacked(v, extent) for key, v in value.keyed.items()}
            if value.rest is not None and not value.keyed:
                return stacked(stacked(value.rest, value.extent), extent)
            rest = None if value.rest is None else stacked(value.rest, extent)
            return Cell("table", columns, rest, value.extent, value.born, trace=value.trace)
        case _:
            return value


def array(value: AnyValue) -> AnyValue:
    """``value`` as an array or table: a list of measures along its extent, a list of rows as columns."""
    match value:
        case Cell(kind="table"):
            return value
        case Cell() if value.rest is not None:
            filled = stacked(value.rest, value.extent)
            return join([filled, *value.keyed.values()]) if value.kind != "dict" or not value.keyed else value
        case Either():
            return join(array(v) for v in value.options)
        case _:
            return value


def element(value: AnyValue) -> AnyValue:
    """One entry of ``value`` under an unknown key, varying over its extent."""
    match value:
        case Data() | Measured() if value.along:
            return replace(value, along=value.along[1:], axes=value.axes | value.along[0])
        case Cell(kind="table"):
            columns = {key: element(v) for key, v in value.keyed.items()}
            return Cell("tuple", columns, None if value.rest is None else element(value.rest), value.extent, value.born)
        case Cell():
            return join(value.entries()) if value.keyed or value.rest is not None else UNKNOWN
        case Either():
            return join(element(v) for v in value.options)
        case Data():
            return replace(value, opaque=True)
        case _:
            return UNKNOWN


def extent_of(value: AnyValue) -> Axes:
    """The axes that a loop over ``value`` runs along, as far as they are known."""
    match value:
        case Data() | Measured() if value.along:
            return value.along[0]
        case Cell(kind="table"):
            return frozenset().union(*(extent_of(v) for v in value.entries()))
        case Cell():
            return value.extent
        case Either():
            return frozenset().union(*(extent_of(v) for v in value.options))
        case _:
            return NO_AXES


def measures(value: AnyValue, depth: int = 3) -> Iterator[Measured]:
    """All measured values in ``value``, containers searched ``depth`` levels deep."""
    match value:
        case Measured():
            yield value
        case Either():
            for option in value.options:
                yield from measures(option, depth)
        case Cell() if depth:
            for entry in value.entries():
                yield from measures(entry, depth - 1)
        case _:
            return
