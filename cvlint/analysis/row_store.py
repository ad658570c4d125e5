"""The store of rows: which rows the names of a program hold at the present place, and what was fitted to them."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import Any, TypeVar

from cvlint.analysis.branched import NOTHING, Branched
from cvlint.analysis.domain.axis import Axis, DataName
from cvlint.analysis.domain.rows import Holder, Learned, ModelFit, RowSet, RowsOf, unify
from cvlint.analysis.domain.trace import Step
from cvlint.records import dataclass, field

Same = TypeVar("Same")


@dataclass(frozen=True, slots=True)
class RowsLeft:
    """What an arm of a branch left of the entries that a `RowStore` holds; a missing entry holds ``NOTHING``."""

    held: dict[Holder, RowsOf]
    fits: dict[RowSet, ModelFit]
    learned: dict[RowSet, Learned]


@dataclass(slots=True)
class RowStore:
    """What the names of a program hold at the present place, and what the objects among them were fitted to.

    Objects (models, transformers) are known by a row set. ``by_hand``: expressions that scale data with their own
    statistics. ``asked``: what the data have learned that models got. ``applied_to``: what was learned from whole
    data, and then applied to these parts of them. ``of_joined``: what is learned by hand from parts put together.
    ``carried``: where models learned on, what they are called, and the loop. ``drawn``: the rows of the data that
    loops visit. ``one_by_one``: loops followed pass by pass. ``read``: the parts that were read.
    ``columns_of_models``: by a split, what was learned before it to make the columns that models get of its parts.
    ``is_followed``: the program fits models at all.
    """

    held: Branched[Holder, RowsOf] = field(default_factory=Branched)
    fits: Branched[RowSet, ModelFit] = field(default_factory=Branched)
    learned: Branched[RowSet, Learned] = field(default_factory=Branched)
    of_calls: dict[object, RowsOf] = field(default_factory=dict)
    of_files: dict[object, RowSet] = field(default_factory=dict)
    by_hand: dict[object, Learned] = field(default_factory=dict)
    all_fits: list[ModelFit] = field(default_factory=list)
    asked: set[Learned] = field(default_factory=set)
    applied_to: dict[Learned, list[RowSet]] = field(default_factory=dict)
    of_joined: dict[RowSet, Learned] = field(default_factory=dict)
    carried: list[tuple[Step, str, Axis]] = field(default_factory=list)
    drawn: dict[DataName, RowSet] = field(default_factory=dict)
    one_by_one: set[Axis] = field(default_factory=set)
    read: dict[tuple[RowSet, frozenset[Learned], ModelFit | None], RowsOf] = field(default_factory=dict)
    columns_of_models: dict[ast.AST, set[ast.AST]] = field(default_factory=dict)
    is_cross_validated: bool = False
    is_followed: bool = True

    def same_part(self, part: RowSet, whole: RowsOf) -> RowsOf:
        """A part of data, or of what they hold: the same object where it is read again."""
        key = part, whole.learned, whole.fit
        if key not in self.read:
            self.read[key] = RowsOf(part, whole.learned, whole.fit)
        return self.read[key]

    def join(self, left: RowsLeft) -> None:
        """Keep what both arms of a branch leave alike; ``left`` is what the other arm left of what either changed.

        Where both leave other data, those of the arm stay that has fitted more to make them: what is found on this way
        through the program is a fault of it.
        """
        mine_first = fits_behind(self.held.get(h, NOTHING) for h in left.held) >= fits_behind(left.held.values())
        for holder, theirs in left.held.items():
            mine = self.held.get(holder, NOTHING)
            if mine is theirs:
                continue
            if mine is NOTHING or theirs is NOTHING:
                kept = theirs if mine is NOTHING else mine
                if (kept.rows.found.is_assumed and not kept.rows.found.parent) or is_made(kept):
                    self.held[holder] = kept
                else:
                    self.held.pop(holder, None)
            elif mine.rows.found.is_assumed and theirs.rows.found.is_assumed:
                unify(mine.rows, theirs.rows)
            elif mine.rows.found is not theirs.rows.found or (mine.fit, mine.entries) != (theirs.fit, theirs.entries):
                of_arm = mine if mine_first else theirs
                if is_made(of_arm):
                    self.held[holder] = of_arm
                else:
                    del self.held[holder]
            elif mine.learned != theirs.learned:
                self.held[holder] = RowsOf(mine.rows, mine.learned | theirs.learned, mine.fit, mine.entries)
        keep_alike(self.fits, left.fits)
        keep_alike(self.learned, left.learned)


def fits_behind(held: Iterable[Any]) -> int:
    """How many fits made the data that an arm of a branch has left."""
    return len({learned for data in held if is_made(data) for learned in data.learned})


def is_made(held: Any) -> bool:
    """Whether something was fitted to make data, of which an arm of a branch has left anything."""
    return held is not NOTHING and bool(held.learned)


def keep_alike(table: Branched[RowSet, Same], left: dict[RowSet, Same]) -> None:
    """Keep the entries that are the same in what the other arm left."""
    for rows, theirs in left.items():
        if table.get(rows) is not theirs:
            table.pop(rows, None)
