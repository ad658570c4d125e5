"""Heap objects: containers and instances, which the program changes in place.

They are the only values that are mutable. `cvlint.analysis.heap` reads and writes them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import count
from typing import Any

from cvlint.analysis.domain.axis import NO_AXES, Axes
from cvlint.analysis.domain.environment import ClassValue, Environment
from cvlint.analysis.domain.taint_label import NO_TAINT, Taint
from cvlint.analysis.domain.trace import Trace
from cvlint.analysis.domain.value import AnyValue, MutableValue, axes_of
from cvlint.analysis.domain.work import work
from cvlint.records import dataclass, field

BIRTHS: Iterator[int] = count()


@dataclass(eq=False, slots=True)
class HeapObject(MutableValue):
    """A container, field-sensitive: one entry for each known key, and the join of all other entries.

    Parameters
    ----------
    kind
        ``list``, ``dict``, ``tuple``, ``array``, ``table`` (an array of rows and columns) or ``frame`` (pandas).
    fields
        The entries under known keys, the columns of a frame among them.
    elements
        The join of the entries under unknown keys; None as long as there are none.
    extent
        The loops that fill ``elements``: the axes that the container extends along.
    allocation_loops
        The loops around the allocation site.
    default
        The factory of a ``defaultdict``; of an empty frame its column titles; of an array its first value.
    patterns
        The entries under keys such as ``f"{name}_f1"`` a second time, separate for each pattern.
    keys
        The join of the keys that are no plain texts or numbers, as the futures in ``{pool.submit(f, x): x}`` are.
    sources
        The containers that were merged into this one when it was made.
    labels
        The taint of a container that lies in a file, as a whole; elsewhere, it is that of its entries and its name.
    birth
        Grows from object to object: an arm of a branch knows by it which objects it made itself.
    """

    kind: str
    fields: dict[Any, AnyValue] = field(default_factory=dict)
    elements: AnyValue | None = None
    extent: Axes = NO_AXES
    allocation_loops: Axes = NO_AXES
    default: AnyValue | None = None
    trace: Trace = ()
    patterns: dict[str, HeapObject] = field(default_factory=dict)
    keys: AnyValue | None = None
    sources: tuple[HeapObject, ...] = ()
    labels: Taint = NO_TAINT
    birth: int = field(default_factory=BIRTHS.__next__)

    def axes_within(self, depth: int) -> Axes:
        """The axes over which the container varies, by its entries to a ``depth``."""
        work(1 + len(self.fields))
        inner = [axes_of(v, depth - 1) for v in self.entries()] if depth else []
        return NO_AXES.union(*inner) - self.extent | self.allocation_loops

    def initialised_entries(self) -> list[AnyValue]:
        """All entries, and what an array is filled with when it is made."""
        return [*self.entries(), self.default] if self.kind == "array" and self.default is not None else self.entries()

    def entries(self) -> list[AnyValue]:
        """All entries, those under known keys first."""
        found = list(self.fields.values())
        if self.elements is not None:
            found.append(self.elements)
        return found


@dataclass(eq=False, slots=True)
class Instance(HeapObject):
    """An object of a class, with the attributes that were seen; its ``kind`` is ``object`` unless it is a container.

    An object of a subclass of ``list`` or ``dict`` is a container beside its attributes. The attributes of a
    namedtuple are its entries. ``write_loops`` are, by attribute, the loops around the places that set or fill it;
    ``given`` is what a method was given for it, as the caller spells it, with the names that hold there.
    """

    cls: ClassValue = field(default_factory=ClassValue)
    attributes: dict[str, AnyValue] = field(default_factory=dict)
    write_loops: dict[str, Axes] = field(default_factory=dict)
    taint: dict[str, Taint] = field(default_factory=dict)
    given: dict[str, tuple[Environment, ast.expr]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.kind == "tuple":
            self.attributes = self.fields

    def axes_within(self, depth: int) -> Axes:
        """None for a plain object: the attributes are followed one by one, and it varies over no loop itself."""
        return NO_AXES if self.kind == "object" else HeapObject.axes_within(self, depth)
