"""Sums over folds of one vector each, in whole numbers: which sums lie in a box.

A vector holds the measures of one possible table of a fold, and a sum in the box is a choice of tables with the
printed means. Every value is rounded down to a whole number of cells of size 2^-30. So a sum of k values is off by less
than k cells, and every step that drops tables allows for that error.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import ceil, floor, prod

import numpy as np
from numpy.typing import NDArray

from cvlint.runtime.consistency.confusion_tables import CELL, FoldSizes, Integers, Quotient, Table, cells
from cvlint.runtime.measures.counts import Floats

MOST_SUMS = 1_000_000  # of half of the folds, before equal sums are merged
MOST_GROWTH = 40_000_000  # sums that are computed, including those that are then dropped
MOST_PAIRS = 50_000_000  # sums of two halves that are looked at
MOST_EFFORT = 250_000_000  # rows of tables and sums that the searches of one verdict look at
STEP = 2_000  # rows that take as long as one step of a search does without any
BLOCK = 500_000  # of sums at a time
WEIGHT = 2**20  # of the largest component of a direction; sums of products with cells fit into 64 bits


class Exhausted(Exception):
    """A search has used up its effort."""


@dataclass(slots=True)
class Effort:
    """How many rows of tables and sums all searches of one verdict may look at, so that each one ends in seconds."""

    left: int = MOST_EFFORT

    def spend(self, rows: int) -> None:
        """Count rows that are looked at; raises `Exhausted` when there were too many."""
        self.left -= rows
        if self.left < 0:
            raise Exhausted


@dataclass(frozen=True, slots=True)
class MeanRange:
    """The mean of a measure over the folds lies from ``low`` to ``high``."""

    measure: Quotient
    low: Fraction
    high: Fraction


@dataclass(frozen=True, eq=False, slots=True)
class SumProblem:
    """A choice of one vector of cells for each fold, whose sum must lie in a box."""

    tables: list[Integers]
    vectors: list[Integers]
    """For each fold its possible tables, (tables, 4), and their values, (tables, ranges)."""
    low: Integers
    high: Integers
    """The box, (ranges,): a sum outside has no means in the ranges."""
    error: Integers
    """How far a value may be above its cell: 1, or 0 where values are whole."""
    exact: tuple[tuple[Fraction, Fraction], ...]
    """The ranges of the exact sums, from low to high, in cells. Columns of directions follow and have none."""
    positives: int | None
    """The number in all folds together, where that of each fold is unknown."""
    effort: Effort = field(default_factory=Effort)
    """What the search of this problem, and of those made from it, may still look at."""

    @classmethod
    def of(cls, sizes: FoldSizes, ranges: Sequence[MeanRange], effort: Effort | None = None) -> SumProblem:
        """The problem of some folds and ranges; where class sizes are unknown, the positives must add up, too."""
        tables, k = sizes.tables(), len(sizes.choices)
        open_sizes = any(len(choice) > 1 for choice in sizes.choices)
        unit = CELL // max(
            int(t[:, 0].max()) + 1 for t in tables
        )  # the weight of a positive: its column is about as large as the others
        made: dict[int, Integers] = {}
        for table in tables:
            if id(table) not in made:
                columns = [cells(r.measure, table) for r in ranges] + ([unit * table[:, 0]] if open_sizes else [])
                made[id(table)] = np.stack(columns, axis=1)
        whole = [Fraction(unit * sizes.positives)] if open_sizes else []
        lows = [r.low * k * CELL for r in ranges] + whole
        highs = [r.high * k * CELL for r in ranges] + whole
        error = np.array([1] * len(ranges) + [0] * len(whole))
        low = np.array([floor(v - k) + 1 if e else int(v) for v, e in zip(lows, error, strict=True)])
        high = np.array([floor(v) for v in highs])
        together = sizes.positives if open_sizes else None
        vectors = [made[id(t)] for t in tables]
        effort = effort or Effort()
        effort.spend(5 * sum(map(len, made.values())))
        return cls(tables, vectors, low, high, error, tuple(zip(lows, highs, strict=True)), together, effort)

    def pruned(self) -> SumProblem:
        """The problem without the tables that no choice of the others completes; a fold may have none left."""
        tables, vectors = self.tables, self.vectors
        while all(len(v) for v in vectors):
            self.effort.spend(STEP + 5 * sum(len(v) for v in {id(v): v for v in vectors}.values()))
            least = {id(v): v.min(axis=0) for v in vectors}
            most = {id(v): v.max(axis=0) for v in vectors}
            all_least, all_most = (np.sum([d[id(v)] for v in vectors], axis=0) for d in (least, most))
            kept: dict[int, tuple[Integers, Integers]] = {}
            for table, vector in zip(tables, vectors, strict=True):
                if id(vector) not in kept:
                    rest_least, rest_most = all_least - least[id(vector)], all_most - most[id(vector)]
                    fits = ((vector + rest_least <= self.high) & (vector + rest_most >= self.low)).all(axis=1)
                    kept[id(vector)] = (table, vector) if fits.all() else (table[fits], vector[fits])
            new = [kept[id(v)] for v in vectors]
            if all(len(b) == len(a) for (_, a), b in zip(new, vectors, strict=True)):
                break
            tables, vectors = [t for t, _ in new], [v for _, v in new]
        return replace(self, tables=tables, vectors=vectors)

    @property
    def given(self) -> int:
        """The number of columns of ranges; the others are directions."""
        return len(self.exact)

    @property
    def empty(self) -> bool:
        """Whether some fold has no table left."""
        return not all(len(v) for v in self.vectors)

    @property
    def order(self) -> list[int]:
        """The folds by their number of tables; every second one belongs to the same half."""
        return sorted(range(len(self.vectors)), key=lambda i: len(self.vectors[i]))

    @property
    def halves(self) -> int:
        """The largest possible number of sums of a half."""
        return max(prod(len(self.vectors[i]) for i in half) for half in (self.order[::2], self.order[1::2]))

    @property
    def size(self) -> int:
        """The number of tables of all folds."""
        return sum(len(v) for v in self.vectors)

    def along(self, direction: Floats) -> SumProblem:
        """The problem with one more column: the component of each vector in a direction, with its bound for the box."""
        d, k = self.given, len(self.vectors)
        whole = np.round(direction / np.abs(direction).max() * WEIGHT).astype(np.int64)
        slack = int(np.minimum(whole, 0) @ self.error)  # because a value may be above its cell
        bounds = zip(whole.tolist(), self.exact, strict=True)
        most = sum(w * (ceil(high) if w > 0 else floor(low)) for w, (low, high) in bounds) - k * slack
        made = {id(v): np.column_stack((v, v[:, :d] @ whole)) for v in self.vectors}
        vectors = [made[id(v)] for v in self.vectors]
        return replace(self, vectors=vectors, low=np.append(self.low, -(2**62)), high=np.append(self.high, most))

    @property
    def fixed(self) -> bool:
        """Whether the number of positives of each fold is known."""
        return self.positives is None

    @property
    def width(self) -> NDArray[np.float64]:
        """The width of the box as a unit of distances, large enough for the precision of floats."""
        return np.asarray(np.maximum(self.high - self.low, 2**10)[: self.given], dtype=np.float64)

    def chosen(self, picks: Sequence[int]) -> tuple[Table, ...]:
        """The table of each fold."""
        return tuple(tuple(map(int, t[i])) for t, i in zip(self.tables, picks, strict=True))  # type: ignore[misc]


@dataclass(frozen=True, eq=False, slots=True)
class Sums:
    """The distinct sums of some folds, (sums, ranges), and one choice of tables for each, (sums, folds)."""

    vectors: Integers
    picks: NDArray[np.int32]


def sums_in_box(problem: SumProblem) -> Iterator[list[int] | None]:
    """A choice of tables for every sum in the box; a single None when there are too many sums."""
    order = problem.order
    one = sums_of(problem, order[::2])
    other = None if one is None else sums_of(problem, order[1::2])
    if one is None or other is None:
        yield None
        return
    if not (len(one.vectors) and len(other.vectors)):
        return
    spread = np.ptp(other.vectors[:, : problem.given], axis=0)
    by = int((problem.width / np.maximum(spread, 1)).argmin())  # the column in which the box is narrowest
    places = np.argsort(other.vectors[:, by], kind="stable")
    ranked = other.vectors[places]
    left = np.searchsorted(ranked[:, by], problem.low[by] - one.vectors[:, by], "left")
    count = np.searchsorted(ranked[:, by], problem.high[by] - one.vectors[:, by], "right") - left
    upto = np.concatenate(([0], np.cumsum(count)))
    for start in range(0, int(upto[-1]), BLOCK):
        if start >= MOST_PAIRS:
            yield None
            return
        problem.effort.spend(STEP + BLOCK)
        pair = np.arange(start, min(start + BLOCK, int(upto[-1])))
        i = np.searchsorted(upto, pair, "right") - 1
        j = left[i] + pair - upto[i]
        total = one.vectors[i] + ranked[j]
        for at in np.flatnonzero(((total >= problem.low) & (total <= problem.high)).all(axis=1)):
            picks = dict(zip(order[::2], one.picks[i[at]].tolist(), strict=True))
            picks |= dict(zip(order[1::2], other.picks[places[j[at]]].tolist(), strict=True))
            yield [picks[fold] for fold in range(len(order))]


def sums_of(problem: SumProblem, folds: Sequence[int]) -> Sums | None:
    """The distinct sums of some folds; None when there are too many."""
    rest = [v for i, v in enumerate(problem.vectors) if i not in folds]
    least, most = problem.low * 0, problem.high * 0
    for v in rest:
        least, most = least + v.min(axis=0), most + v.max(axis=0)
    found = Sums(np.zeros((1, len(problem.low)), dtype=np.int64), np.zeros((1, 0), dtype=np.int32))
    for at, fold in enumerate(folds):
        own = problem.vectors[fold]
        if len(found.vectors) * len(own) > MOST_GROWTH:
            return None
        later = [problem.vectors[i] for i in folds[at + 1 :]]
        low = problem.low - most - sum(v.max(axis=0) for v in later)
        high = problem.high - least - sum(v.min(axis=0) for v in later)
        totals, picks = [], []
        block = max(1, BLOCK // len(own))
        for start in range(0, len(found.vectors), block):
            problem.effort.spend(STEP + len(own) * min(block, len(found.vectors) - start))
            part = slice(start, start + block)
            total = (found.vectors[part, None, :] + own[None, :, :]).reshape(-1, len(low))
            kept = np.flatnonzero(((total >= low) & (total <= high)).all(axis=1))
            before, here = np.divmod(kept, len(own))
            totals.append(total[kept])
            picks.append(np.column_stack((found.picks[part][before], here.astype(np.int32))))
            if sum(map(len, totals)) > MOST_SUMS:
                return None
        found = distinct(Sums(np.concatenate(totals), np.concatenate(picks)))
        if not len(found.vectors):
            break
    return found


def distinct(sums: Sums) -> Sums:
    """Every sum once."""
    order = np.lexsort(sums.vectors.T)
    vectors = sums.vectors[order]
    first = np.concatenate(([True], (vectors[1:] != vectors[:-1]).any(axis=1)))[: len(vectors)]
    return Sums(vectors[first], sums.picks[order[first]])
