"""Heap objects: containers and instances, which the program changes in place.

They are the only values that are mutable. `cvlint.analysis.heap` reads and writes them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from cvlint.analysis.domain.axis import NO_AXES, Axes
from cvlint.analysis.domain.environment import ClassValue
from cvlint.analysis.domain.taint_label import Taint
from cvlint.analysis.domain.trace import Trace
from cvlint.analysis.domain.value import AnyValue, MutableValue, axes_of

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
        The factory of a ``defaultdict``; of an empty frame its column titles.
    patterns
        The entries under keys such as ``f"{name}_f1"`` a second time, separate for each pattern.
    sources
        The containers that were merged into this one when it was made.
    cls
        The class of the project, if it is a subclass of ``list`` or ``dict``.
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
    sources: tuple[HeapObject, ...] = ()
    cls: ClassValue | None = None
    birth: int = field(default_factory=BIRTHS.__next__)

    def axes_within(self, depth: int) -> Axes:
        """The axes over which the container varies, by its entries to a ``depth``."""
        inner = [axes_of(v, depth - 1) for v in self.entries()] if depth else []
        return NO_AXES.union(*inner) - self.extent | self.allocation_loops

    def entries(self) -> list[AnyValue]:
        """All entries, those under known keys first."""
        found = list(self.fields.values())
        if self.elements is not None:
            found.append(self.elements)
        return found


@dataclass(eq=False, slots=True)
class Instance(MutableValue):
    """An object of a class of the project, with the attributes that were seen.

    ``allocation_loops`` are the loops around the allocation site. ``write_loops`` are, by attribute, the loops around
    the places that set or fill it.
    """

    cls: ClassValue
    attributes: dict[str, AnyValue] = field(default_factory=dict)
    allocation_loops: Axes = NO_AXES
    write_loops: dict[str, Axes] = field(default_factory=dict)
    taint: dict[str, Taint] = field(default_factory=dict)
    birth: int = field(default_factory=BIRTHS.__next__)

    def axes_within(self, depth: int) -> Axes:
        """None: the attributes are followed one by one, so the object itself varies over no loop."""
        return NO_AXES
