"""Axes: the loops over which values vary."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import Any, Protocol, TypeAlias

from cvlint.analysis.domain import frozen
from cvlint.analysis.domain.trace import Step
from cvlint.records import dataclass, field


@frozen.dataclass(frozen=True, slots=True)
class DataName:
    """The name of data in a program: a variable, or the spelling of a part, and the node that it was bound to.

    ``environment`` only tells equal names apart, by its identity.
    """

    environment: object
    name: str
    bound: ast.AST | None
    table: DataName | None = field(default=None, compare=False)


class Splitter(Protocol):
    """The part of a splitter (a `LibraryObject`) that an axis needs."""

    @property
    def role(self) -> str:
        """What the object is: ``splitter``."""

    @property
    def name(self) -> str:
        """The name of its class."""

    @property
    def facts(self) -> dict[str, Any]:
        """What the knowledge and the call say of it."""


@dataclass(eq=False, slots=True)
class Axis:
    """A loop of the program, or a loop inside a library, over which values vary.

    An axis is mutable, because the body of a loop may prove what its head leaves open: ``for i in range(k)`` becomes a
    loop over folds when the body holds out part ``i`` of the data.

    Parameters
    ----------
    kind
        ``fold``, ``batch``, ``epoch``, ``seed``, ``prior``, ``class`` or ``loop`` (of no known kind).
    step
        Where the loop is, and what says which kind it is.
    splitter
        The splitter that makes the folds.
    size
        The numbers of samples and of positives of the data that are split, if the code says them.
    loop_variables
        The names that the loop binds.
    stepped
        The names that each pass raises or lowers by the same step: ``threshold += 0.01``.
    compared_column
        The array that the loop's index is compared with: ``groups`` in ``groups == i``.
    is_class_axis
        Whether true labels and predictions are compared with the loop's index, so that it runs over classes.
    by_blocks
        Whether the loop's index jumps from block to block: ``range(0, n, size)``.
    drawn_from
        The data whose elements or batches the loop visits.
    splits_before
        The splits that made these data.
    loops
        The statements that run along it: the loop over a splitter, and those over lists of what that made.
    is_written_out
        Whether its body is executed once for each of a few entries that are known.
    has_pooled_f
        Whether F is computed once over the labels or counts of all its passes.
    """

    kind: str
    step: Step
    splitter: Splitter | None = None
    size: tuple[int, int] | None = None
    loop_variables: frozenset[str] = frozenset()
    stepped: frozenset[str] = frozenset()
    compared_column: str = ""
    is_class_axis: bool = False
    by_blocks: bool = False
    drawn_from: DataName | None = None
    splits_before: frozenset[ast.AST] = frozenset()
    loops: set[ast.AST] = field(default_factory=set)
    is_written_out: bool = False
    has_pooled_f: bool = False

    @property
    def heuristic(self) -> bool:
        """Whether only a name says what this axis is."""
        return self.step.heuristic

    @property
    def is_repetition(self) -> bool:
        """Whether each pass draws another test part of the same data at random: a repeated hold-out."""
        return self.splitter is not None and bool(self.splitter.facts.get("drawn_anew"))


Axes: TypeAlias = frozenset[Axis]


NO_AXES: Axes = frozenset()


def sorted_axes(axes: Iterable[Axis]) -> list[Axis]:
    """Axes in the order of their places in the code: a set has no order, and messages must not depend on chance."""
    found = list(axes)
    if len(found) > 1:
        found.sort(key=_axis_order)
    return found


def _axis_order(axis: Axis) -> tuple[object, ...]:
    node = axis.step.node
    where = (getattr(node, name, 0) for name in ("lineno", "col_offset", "end_lineno", "end_col_offset"))
    return (*where, axis.step.source.display, axis.step.note, axis.kind)
