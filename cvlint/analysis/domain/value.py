"""What the engine knows of a value: what it is, over which loops it varies, where it comes from.

The analysis is dimensional: a `MeasureValue` value made inside a fold loop *varies over* that `Axis` (``axes``);
collected in a list it becomes an array *along* the axis (``along``, a tuple of dimensions, each a set of axes);
a mean takes the dimension away again. `Data` is everything that is not a measure, unknown values included.
Containers (`HeapObject`), objects (`Instance`) and scopes are mutable, as they are in the program that is read.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

from cvlint.source.module import Source


@dataclass(eq=False, slots=True)
class Module:
    """A file that is being read: its source, its top scope and what it star-imports of libraries and the project."""

    source: Source
    environment: Environment = field(init=False)
    stars: list[str] = field(default_factory=list)
    star_files: list[Path] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.environment = Environment(self, None)


@dataclass(eq=False, slots=True)
class Environment:
    """Names bound in a module or in one call of a function.

    ``definitions`` keeps the expression last bound to a name, or to an entry as it is spelled: what a guard speaks of
    is found through it.
    ``sources`` keeps every expression that may have gone into what a name holds, with the loops around.
    """

    module: Module
    parent: Environment | None
    owner: ast.AST | None = None
    bindings: dict[str, AnyValue] = field(default_factory=dict)
    definitions: dict[str, ast.expr] = field(default_factory=dict)
    dependences: dict[str, dict[tuple[ast.expr, Axes], None]] = field(default_factory=dict)
    taint: dict[str, Taint] = field(default_factory=dict)
    declared_outer: set[str] = field(default_factory=set)  # declared global or nonlocal

    def lookup(self, name: str) -> AnyValue | None:
        """The value bound to ``name`` here or in an enclosing scope."""
        environment: Environment | None = self
        while environment is not None:
            found = environment.bindings.get(name)
            if found is not None:
                return found
            environment = environment.parent
        return None

    def defining_environment(self, name: str) -> Environment | None:
        """The scope that ``name`` is bound in, here or around."""
        environment: Environment | None = self
        while environment is not None and name not in environment.bindings:
            environment = environment.parent
        return environment

    def add_dependence(self, name: str, source: ast.expr, around: Axes) -> None:
        """Remember that ``source`` goes into what ``name`` holds, at some time."""
        home = self.defining_environment(name)
        if home is not None:
            home.dependences.setdefault(name, {})[source, around] = None

    def assigned_environment(self, name: str) -> Environment:
        """The scope that an assignment to ``name`` changes."""
        if name not in self.declared_outer:
            return self
        environment = self.parent
        while environment is not None and environment.parent is not None and name not in environment.bindings:
            environment = environment.parent
        return environment or self

    def bind(self, name: str, value: AnyValue) -> None:
        """Bind ``name`` to ``value``."""
        self.assigned_environment(name).bindings[name] = value


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a trace: what happens at a node. ``heuristic`` steps rest on a name or a convention."""

    module: Module
    node: ast.AST
    note: str
    heuristic: bool = False
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
    splitter: LibraryObject | None = None
    size: tuple[int, int] | None = None  # samples and positives of what is split, where they are known
    loop_variables: frozenset[str] = frozenset()  # the loop's variables
    compared_column: str = ""  # what its index is compared with: ``groups`` in ``groups == i``
    is_class_axis: bool = False  # it runs over classes: true labels and predictions are compared with its index

    @property
    def heuristic(self) -> bool:
        """Whether only a name says what this axis is."""
        return self.step.heuristic


Axes: TypeAlias = frozenset[Axis]


NO_AXES: Axes = frozenset()


@dataclass(frozen=True, slots=True)
class DataName:
    """Data as a program speaks of them: a name, or how a part of something is spelled, and what it was bound to."""

    environment: Environment
    name: str
    bound: ast.AST | None


@dataclass(frozen=True, slots=True, eq=False)
class TaintLabel:
    """What happened to data on their way: something *learned* from all of them, they were *resampled*.

    ``by`` is what did it, ``axes`` are the loops around; ``columns`` those that it happened to (none: all).
    ``of`` is what the data are called that it learned from, ``data`` those that it was measured on. ``fewer``: rows
    were left out, and none doubled.
    """

    kind: str
    step: Step
    cause: str = ""
    axes: Axes = NO_AXES
    columns: frozenset[str] = frozenset()
    subject: str = ""
    choice: str = ""
    measured_on: DataName | None = None
    undersampling: bool = False


Taint: TypeAlias = frozenset[TaintLabel]


NO_TAINT: Taint = frozenset()


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
    ``size``: numbers of samples and of positives, where the code says them.
    ``pattern``: of a text, what is known of it, with a NUL for each part that is not.
    """

    codomain: str = "unknown"
    pooled: Axes = NO_AXES
    opaque: bool = False
    size: tuple[int, int] | None = None
    pattern: str = ""


@dataclass(frozen=True, slots=True)
class Const(Value):
    """A literal; ``born`` are the loops around the place where it was bound to a name.

    ``drawn``: a key that a loop drew from the dict itself, so that the code around need not know it.
    """

    value: Any = None
    allocation_loops: Axes = NO_AXES
    drawn: bool = False


@dataclass(frozen=True, slots=True)
class MeasureValue(Value):
    """The value of a performance measure.

    ``total``: axes over which it has been summed, with the division still to come.
    ``reduced``: axes over which it has been averaged. ``scaled``: already divided by a count.
    ``fixed``: fold axes along which only the model varies, and not the data that it is measured on.
    ``defined``: a test, or zero_division, gives it 0 where it would be undefined.
    """

    measure: Measure = Measure("unknown")
    summed_over: Axes = NO_AXES
    averaged_over: Axes = NO_AXES
    scaled: bool = False
    pooled: Axes = NO_AXES
    parts: tuple[str, ...] = ()
    defined: bool = False
    fixed: Axes = NO_AXES


@dataclass(frozen=True, slots=True)
class LibraryName(Value):
    """A name of a library: ``sklearn.metrics.f1_score``, a module or a class."""

    name: str = ""
    heuristic: bool = False


@cache
def library(name: str, heuristic: bool = False) -> LibraryName:
    """A name of a library, made once: most of what is called is one."""
    return LibraryName(name=name, heuristic=heuristic)


@dataclass(frozen=True, slots=True, eq=False)
class Function(Value):
    """A function of the project, with the scope it was defined in and, for methods, its object."""

    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | None = None
    environment: Environment | None = None
    bound: Value | None = None
    owner: ast.AST | None = None


@dataclass(frozen=True, slots=True, eq=False)
class ClassValue(Value):
    """A class of the project."""

    node: ast.ClassDef | None = None
    environment: Environment | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Partial(Value):
    """A callable with some arguments given: ``functools.partial``, a bound method of a library object."""

    target: AnyValue | None = None
    arguments: tuple[AnyValue, ...] = ()
    keywords: tuple[tuple[str, AnyValue], ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class LibraryObject(Value):
    """An object of a library that matters: a splitter, a search, an estimator, a scorer, folds.

    ``role`` says which, ``facts`` what the knowledge and the call say of it (scoring, stratified, …).
    """

    role: str = ""
    name: str = ""
    facts: dict[str, Any] = field(default_factory=dict)


@dataclass(eq=False, slots=True)
class HeapObject:
    """A container: entries under known keys, and the join of all others.

    ``extent`` are the loops over which entries under unknown keys were put in; ``born`` the loops
    around its creation. ``kind`` is list, dict, tuple, array or table (rows and columns). ``patterns`` hold the
    entries under keys like ``f"{name}_f1"`` once more, apart from each other.
    """

    kind: str
    fields: dict[Any, AnyValue] = field(default_factory=dict)
    elements: AnyValue | None = None
    extent: Axes = NO_AXES
    allocation_loops: Axes = NO_AXES
    default: AnyValue | None = None
    trace: Trace = ()
    patterns: dict[str, HeapObject] = field(default_factory=dict)

    @property
    def axes(self) -> Axes:
        """Axes over which the container as a whole varies."""
        return axes_of(self)

    def entries(self) -> list[AnyValue]:
        """All entries, known keys first."""
        found = list(self.fields.values())
        if self.elements is not None:
            found.append(self.elements)
        return found


@dataclass(eq=False, slots=True)
class Instance:
    """An object of a class of the project: its attributes, as far as they were seen.

    ``born`` are the loops around the place where it was made; ``fed``, by attribute, those around the places where it
    was set or filled.
    """

    cls: ClassValue
    attributes: dict[str, AnyValue] = field(default_factory=dict)
    allocation_loops: Axes = NO_AXES
    fed: dict[str, Axes] = field(default_factory=dict)
    taint: dict[str, Taint] = field(default_factory=dict)

    @property
    def axes(self) -> Axes:
        """An object is followed by its attributes, so it varies over nothing itself."""
        return NO_AXES


@dataclass(frozen=True, slots=True, eq=False)
class Union:
    """One of several values, after a branch or under an unknown key."""

    options: tuple[AnyValue, ...]

    @property
    def axes(self) -> Axes:
        """Axes over which any option varies."""
        return axes_of(self)


AnyValue: TypeAlias = Value | HeapObject | Instance | Union


def axes_of(value: AnyValue, depth: int = 6) -> Axes:
    """Axes over which ``value`` varies; containers are searched ``depth`` levels deep, as one may hold itself."""
    match value:
        case HeapObject():
            inner = [axes_of(v, depth - 1) for v in value.entries()] if depth else []
            return NO_AXES.union(*inner) - value.extent | value.allocation_loops
        case Union():
            return NO_AXES.union(*(axes_of(v, depth - 1) for v in value.options)) if depth else NO_AXES
        case _:
            return value.axes
