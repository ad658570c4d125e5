"""Modules and environments, and the functions and classes that they define.

An environment binds names to values, as a frame of Python does. A function is a closure: code with the environment of
its definition.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from pathlib import Path

from cvlint import records
from cvlint.analysis.branched import Branched
from cvlint.analysis.domain.axis import Axes
from cvlint.analysis.domain.frozen import dataclass
from cvlint.analysis.domain.taint_label import Taint
from cvlint.analysis.domain.value import AnyValue, LibraryName, Value
from cvlint.records import field
from cvlint.source.module import Source


@records.dataclass(eq=False, slots=True)
class Module:
    """A file under analysis: its source, its global environment and its star imports.

    ``stars`` are the libraries and ``star_files`` the files of the project from which it imports ``*``.
    """

    source: Source
    environment: Environment = field(init=False)
    stars: list[str] = field(default_factory=list)
    star_files: list[Path] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.environment = Environment(self, None)


@records.dataclass(eq=False, slots=True)
class Environment:
    """The bindings of a module, or of one call of a function. It is mutable, like the frame that it stands for.

    Parameters
    ----------
    parent
        The enclosing environment; None for a module.
    owner
        The function whose call this is.
    bindings
        The values of the names.
    definitions
        The expression that was bound last to a name, or to an entry by its spelling (``"scores[fold]"``). Checkers
        find through it what a guard tests.
    dependences
        Every expression that may have gone into the value of a name, with the loops around it.
    taint
        The taint of the names.
    declared_outer
        The names that are declared global or nonlocal.
    closure
        The environment that functions defined here close over, if it is another one: the names of a class body are
        not in sight of its methods.
    """

    module: Module
    parent: Environment | None
    owner: ast.AST | None = None
    bindings: Branched[str, AnyValue] = field(default_factory=Branched)
    definitions: dict[str, ast.expr] = field(default_factory=dict)
    dependences: dict[str, dict[tuple[ast.expr, Axes], None]] = field(default_factory=dict)
    taint: Branched[str, Taint] = field(default_factory=Branched)
    declared_outer: set[str] = field(default_factory=set)
    closure: Environment | None = None

    def lookup(self, name: str) -> AnyValue | None:
        """The value bound to ``name`` here or in an enclosing environment."""
        environment: Environment | None = self
        while environment is not None:
            found = environment.bindings.get(name)
            if found is not None:
                return found
            environment = environment.parent
        return None

    def defining_environment(self, name: str) -> Environment | None:
        """The environment that binds ``name``: this one or an enclosing one."""
        environment: Environment | None = self
        while environment is not None and name not in environment.bindings:
            environment = environment.parent
        return environment

    def assigned_environment(self, name: str) -> Environment:
        """The environment that an assignment to ``name`` changes."""
        if name not in self.declared_outer:
            return self
        environment = self.parent
        while environment is not None and environment.parent is not None and name not in environment.bindings:
            environment = environment.parent
        return environment or self

    def bind(self, name: str, value: AnyValue) -> None:
        """Bind ``name`` to ``value``."""
        self.assigned_environment(name).bindings[name] = value

    def add_dependences(self, name: str, sources: Sequence[ast.expr], loops: Axes) -> None:
        """Note that ``sources`` go into the value of ``name``."""
        binder = self.defining_environment(name) if sources else None
        if binder is None:
            return
        held = binder.dependences.get(name)
        if held is None:
            held = binder.dependences[name] = {}
        for source in sources:
            held[source, loops] = None


@dataclass(frozen=True, slots=True, eq=False)
class Function(Value):
    """A function of the project with the environment of its definition: a closure.

    ``bound`` is a method's object, and ``wraps`` the function that a decorator put this one in the place of.
    """

    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | None = None
    environment: Environment | None = None
    bound: AnyValue | None = None
    owner: ast.AST | None = None
    wraps: Function | None = None


@dataclass(frozen=True, slots=True, eq=False)
class ClassValue(Value):
    """A class: what its body bound, and what an ``__init__`` does that the code does not spell out.

    Parameters
    ----------
    node, environment
        The code, and the environment around it; None for a class that a call makes (``namedtuple("Box", "a b")``).
    bases
        The values of the base classes; they are found when they are first asked for.
    attributes, taint, write_loops
        As those of an `Instance`.
    kind
        What its objects are: ``object``, or the container that they are at the same time (``tuple``, ``list``, …).
    parameters
        The attributes that a generated ``__init__`` sets, in the order of its parameters.
    """

    node: ast.ClassDef | None = None
    environment: Environment | None = None
    bases: list[AnyValue] = field(default_factory=list)
    attributes: dict[str, AnyValue] = field(default_factory=dict)
    taint: dict[str, Taint] = field(default_factory=dict)
    write_loops: dict[str, Axes] = field(default_factory=dict)
    kind: str = "object"
    parameters: tuple[str, ...] = ()


def own_name(value: AnyValue) -> str:
    """The name that a function or a class was defined under, its ``__name__``; empty for what has none."""
    match value:
        case LibraryName(name=name):
            return name.rpartition(".")[2]
        case Function(node=ast.FunctionDef(name=name)) | ClassValue(node=ast.ClassDef(name=name)):
            return name
        case _:
            return ""
