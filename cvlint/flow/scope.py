"""Where names are bound: modules of the scanned project and the scopes inside them."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cvlint.flow.values import AnyValue

if TYPE_CHECKING:
    from cvlint.source.module import Source


@dataclass(eq=False, slots=True)
class Module:
    """A file that is being read: its source, its top scope and what it star-imports."""

    source: Source
    scope: Scope = field(init=False)
    stars: list[str] = field(default_factory=list)
    done: bool = False

    def __post_init__(self) -> None:
        self.scope = Scope(self, None)


@dataclass(eq=False, slots=True)
class Scope:
    """Names bound in a module or in one call of a function.

    ``definitions`` keeps the expression last bound to a name: what a guard speaks of is found through it.
    """

    module: Module
    parent: Scope | None
    owner: ast.AST | None = None
    names: dict[str, AnyValue] = field(default_factory=dict)
    definitions: dict[str, ast.expr] = field(default_factory=dict)
    outer: set[str] = field(default_factory=set)  # declared global or nonlocal

    def lookup(self, name: str) -> AnyValue | None:
        """The value bound to ``name`` here or in an enclosing scope."""
        scope: Scope | None = self
        while scope is not None:
            found = scope.names.get(name)
            if found is not None:
                return found
            scope = scope.parent
        return None

    def holder(self, name: str) -> Scope:
        """The scope that an assignment to ``name`` changes."""
        if name not in self.outer:
            return self
        scope = self.parent
        while scope is not None and scope.parent is not None and name not in scope.names:
            scope = scope.parent
        return scope or self

    def bind(self, name: str, value: AnyValue) -> None:
        """Bind ``name`` to ``value``."""
        self.holder(name).names[name] = value
