"""Which expression or statement takes the value of an expression, and where the value of a target is read."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import TypeAlias

from cvlint.analysis.taint import DATA_ATTRIBUTES
from cvlint.records import dataclass, field
from cvlint.source.parsing import walk

Key: TypeAlias = tuple[str, str]
"""A variable, ``("name", "scores")``, or an attribute of any object, ``("attribute", "scores")``."""

INNER = (ast.keyword, ast.withitem, ast.comprehension, ast.Slice)
SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.Module)


@dataclass(frozen=True, slots=True)
class Taker:
    """The expression or statement that takes the value of an expression, and in which role."""

    node: ast.AST
    role: str


@dataclass(slots=True)
class SyntaxMap:
    """The parents of all nodes of the files that an analysis read, and the places that read a variable or attribute."""

    parents: dict[ast.AST, ast.AST] = field(default_factory=dict)
    loads: dict[Key, list[ast.expr]] = field(default_factory=lambda: defaultdict(list))
    stores: dict[str, list[ast.expr]] = field(default_factory=lambda: defaultdict(list))

    def add(self, tree: ast.AST) -> None:
        """Add the nodes of a file."""
        for parent in walk(tree):
            for child in ast.iter_child_nodes(parent):
                self.parents[child] = parent
            match parent:
                case ast.Name(id=name, ctx=ast.Load()):
                    self.loads["name", name].append(parent)
                case ast.Name(id=name, ctx=ast.Store()):
                    self.stores[name].append(parent)
                case ast.Attribute(attr=name, ctx=ast.Load()):
                    self.loads["attribute", name].append(parent)

    def taker(self, node: ast.AST) -> Taker | None:
        """What takes the value of an expression; None for an expression that the analysis made itself."""
        role, parent = "part", self.parents.get(node)
        while parent is not None and (isinstance(parent, INNER) or is_method(parent, self)):
            if isinstance(parent, ast.comprehension):
                role = "iterated" if node is parent.iter else "tested"
            elif isinstance(parent, ast.Attribute):
                role = "object"
            node, parent = parent, self.parents.get(parent)
        match parent:
            case None:
                return None
            case _ if isinstance(getattr(parent, "ctx", None), (ast.Store, ast.Del)) or is_target(node):
                return None  # it is read only to change a part of it
            case ast.Subscript(slice=key) if node is key:
                role = "tested"
            case ast.IfExp(test=test) if node is test:
                role = "tested"
        return Taker(parent, role)

    def next_reads(self, statement: ast.AST, name: str, reads: Iterable[ast.expr]) -> list[ast.expr]:
        """The places that read a variable behind the statement that binds it, before another one binds it again."""
        end, scope = getattr(statement, "end_lineno", 0), self.scope(statement)
        later = (n.lineno for n in self.stores.get(name, ()) if n.lineno > end and self.scope(n) is scope)
        limit = min(later, default=None)
        return [n for n in reads if n.lineno > end and (limit is None or n.lineno <= limit)]

    def scope(self, node: ast.AST) -> ast.AST:
        """The function or module around a node."""
        parent = self.parents.get(node)
        while parent is not None and not isinstance(parent, SCOPES):
            parent = self.parents.get(parent)
        return parent if parent is not None else node

    def is_inside(self, node: ast.AST, outer: Iterable[ast.AST]) -> bool:
        """Whether a node is a part of one of several others."""
        wanted = set(outer)
        current: ast.AST | None = node
        while current is not None and current not in wanted:
            current = self.parents.get(current)
        return current is not None

    def reads(self, key: Key, at: ast.AST) -> list[ast.expr]:
        """The places that read what a statement ``at`` binds; a name is read in its own function, or in a module."""
        scope = self.scope(at)
        if key[0] == "attribute" or isinstance(scope, ast.Module):
            return self.loads.get(key, [])
        return [node for node in self.loads.get(key, []) if self.is_inside(node, [scope])]


def is_target(node: ast.AST) -> bool:
    """Whether an expression is bound, and not read."""
    return isinstance(getattr(node, "ctx", None), (ast.Store, ast.Del))


def is_method(node: ast.AST, syntax: SyntaxMap) -> bool:
    """Whether an attribute is the method that a call calls; it is not evaluated itself."""
    call = syntax.parents.get(node) if isinstance(node, ast.Attribute) else None
    return isinstance(call, ast.Call) and call.func is node


def keys_of(target: ast.expr) -> Iterator[Key]:
    """The variables and attributes that an assignment target binds or fills."""
    match target:
        case ast.Tuple(elts=elts) | ast.List(elts=elts):
            for entry in elts:
                yield from keys_of(entry)
        case ast.Subscript(value=ast.Attribute(value=value, attr=attr)) if attr in DATA_ATTRIBUTES:
            yield from (*keys_of(value), ("attribute", attr))  # ``frame.loc[i] = …``, ``self.data[i] = …``
        case ast.Starred(value=value) | ast.Subscript(value=value):
            yield from keys_of(value)
        case ast.Attribute(attr=attr):
            yield ("attribute", attr)
        case ast.Call(func=ast.Attribute(value=value)):  # ``globals()["x"] = …``, ``box.get().x = …``
            yield from keys_of(value)
        case ast.Name(id=name):
            yield ("name", name)


def targets_of(statement: ast.AST) -> tuple[list[ast.expr], list[ast.AST]]:
    """The targets that a statement binds, and the expressions that it binds them to."""
    match statement:
        case ast.Assign(targets=targets, value=value):
            return targets, [value]
        case ast.AugAssign(target=target, value=value):
            return [target], [value, target]
        case ast.AnnAssign(target=target, value=ast.expr() as value):
            return [target], [value]
        case ast.For(target=target, iter=value) | ast.AsyncFor(target=target, iter=value):
            return [target], [value]
        case ast.With(items=items) | ast.AsyncWith(items=items):
            named = [item.optional_vars for item in items if item.optional_vars is not None]
            return named, [item.context_expr for item in items]
        case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
            return [g.target for g in statement.generators], [g.iter for g in statement.generators]
        case _:
            return [], []


def describe_target(statement: ast.AST) -> str:
    """What a statement binds, in words."""
    target = next(iter(targets_of(statement)[0]), None)
    match target:
        case ast.Tuple() | ast.List():
            return "unpacking"
        case ast.Subscript():
            return "assignment to an entry"
        case ast.Attribute():
            return "assignment to an attribute"
        case _ if isinstance(statement, ast.AugAssign):
            return "assignment with an operator"
        case _ if isinstance(statement, (ast.Assign, ast.AnnAssign)):
            return "assignment to a variable"
        case _ if isinstance(statement, (ast.With, ast.AsyncWith)):
            return "with statement"
        case _:
            return "loop"
