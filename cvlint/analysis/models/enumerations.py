"""Enumerations of the project: ``class Scoring(Enum): F1 = "f1"``.

A member is taken to be its value, which is what the code compares it with and hands on. Effect: ``member``.
"""

from __future__ import annotations

import ast

from cvlint.analysis.domain.environment import ClassValue, Function
from cvlint.analysis.domain.heap_object import HeapObject
from cvlint.analysis.domain.lattice import UNKNOWN, join
from cvlint.analysis.domain.value import AnyValue, Const, LibraryObject
from cvlint.analysis.state import AnalysisState, Arguments
from cvlint.knowledge.schema import Entry

VALUE = ("value", "_value_")
"""The attributes of a member that are its value."""


def member_call(state: AnalysisState, entry: Entry, arguments: Arguments, node: ast.AST) -> AnyValue:
    """``auto()``: a value that no other member has."""
    return Const(value=f"{state.frame.module.source.display}:{getattr(node, 'lineno', 0)}")


def members(cls: ClassValue) -> HeapObject:
    """The members of an enumeration, in the order of the code: ``list(Scoring)``."""
    found = [v for name, v in cls.attributes.items() if is_member(name, v)]
    return HeapObject("tuple", dict(enumerate(found)))


def is_member(name: str, value: AnyValue) -> bool:
    """Whether what the body of an enumeration binds is a member: no method, and nothing private."""
    return not name.startswith("_") and not isinstance(value, (Function, ClassValue, LibraryObject))


def member_with_value(cls: ClassValue, value: AnyValue | None) -> AnyValue:
    """``Scoring("f1")``: the member is its value; of an unknown one it may be any."""
    return value if isinstance(value, Const) else any_member(cls)


def member_named(cls: ClassValue, name: AnyValue) -> AnyValue:
    """``Scoring["F1"]``: the member with a name; under an unknown name it may be any."""
    if isinstance(name, Const) and name.value in cls.attributes:
        return cls.attributes[name.value]
    return any_member(cls)


def any_member(cls: ClassValue) -> AnyValue:
    """A member of an enumeration of which nothing more is known."""
    entries = members(cls).entries()
    return join(entries) if entries else UNKNOWN
