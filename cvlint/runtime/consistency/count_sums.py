"""Sums of one vector of a set for each fold, in whole numbers: which of them can lie in a box.

Every value is rounded down to a cell, 2^30 to one; a sum of k of them is off by less than k cells, and whatever leaves
out tables allows for that.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, floor, prod

import numpy as np
from numpy.typing import NDArray

from cvlint.runtime.consistency.confusion_tables import CELL, FoldSizes, Integers, Quotient, Table, cells
from cvlint.runtime.measures.counts import Floats

MOST_SUMS = 1_000_000  # of half of the folds, before equal ones are united
MOST_GROWTH = 40_000_000  # sums that are made, of which those that lead nowhere are left out
MOST_PAIRS = 50_000_000  # sums of two halves that are looked at
BLOCK = 500_000  # of sums at a time
WEIGHT = 2**20  # of the largest part of a direction: sums of products with cells fit 64 bits


@dataclass(frozen=True, slots=True)
class Range:
    """The mean of a measure over the folds lies from ``low`` to ``high``."""

    measure: Quotient
    low: Fraction
    high: Fraction


@dataclass(frozen=True, eq=False, slots=True)
class Problem:
    """Vectors of cells, one of each fold, whose sum must lie in a box.

    Attributes
    ----------
    tables, vectors
        Of each fold the tables, (tables, 4), and their values, (tables, ranges).
    low, high
        The box, (ranges,): sums outside belong to no means in the ranges.
    error
        By how much a value may be above its cell: 1, or 0 where values are whole.
    exact_low, exact_high
        The ranges of the exact sums, in cells; of the ranges given, after which the columns of directions come.
    positives
        In all folds, where those of each are not known.
    """

    tables: list[Integers]
    vectors: list[Integers]
    low: Integers
    high: Integers
    error: Integers
    exact_low: tuple[Fraction, ...]
    exact_high: tuple[Fraction, ...]
    positives: int | None

    @classmethod
    def of(cls, sizes: FoldSizes, ranges: Sequence[Range]) -> Problem:
        """The problem of some folds and ranges; where class sizes are not known, the positives must add up, too."""
        tables, k = sizes.tables(), len(sizes.choices)
        open_sizes = any(len(choice) > 1 for choice in sizes.choices)
        unit = CELL // max(int(t[:, 0].max()) + 1 for t in tables)  # of a positive: about as large as the others
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
        return cls(tables, vectors, low, high, error, tuple(lows), tuple(highs), together)

    def pruned(self) -> Problem:
        """Without the tables that no others can complete; a fold may be left without any."""
        tables, vectors = self.tables, self.vectors
        while all(len(v) for v in vectors):
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
        """The number of columns that are not directions."""
        return len(self.exact_low)

    @property
    def empty(self) -> bool:
        """Whether some fold has no table left."""
        return not all(len(v) for v in self.vectors)

    @property
    def order(self) -> list[int]:
        """The folds by their number of tables; every other one makes one half."""
        return sorted(range(len(self.vectors)), key=lambda i: len(self.vectors[i]))

    @property
    def halves(self) -> int:
        """The number of sums of the larger half, at most."""
        return max(prod(len(self.vectors[i]) for i in half) for half in (self.order[::2], self.order[1::2]))

    @property
    def size(self) -> int:
        """The number of tables of all folds."""
        return sum(len(v) for v in self.vectors)

    def along(self, direction: Floats) -> Problem:
        """With a column more: how far each value lies in a direction, and how far a sum in the ranges can, at most."""
        d, k = self.given, len(self.vectors)
        whole = np.round(direction / np.abs(direction).max() * WEIGHT).astype(np.int64)
        slack = int(np.minimum(whole, 0) @ self.error)  # a value may be above its cell
        bounds = zip(whole.tolist(), self.exact_low, self.exact_high, strict=True)
        most = sum(w * (ceil(high) if w > 0 else floor(low)) for w, low, high in bounds) - k * slack
        made = {id(v): np.column_stack((v, v[:, :d] @ whole)) for v in self.vectors}
        vectors = [made[id(v)] for v in self.vectors]
        return replace(self, vectors=vectors, low=np.append(self.low, -(2**62)), high=np.append(self.high, most))

    @property
    def fixed(self) -> bool:
        """Whether the number of positives of each fold is known."""
        return self.positives is None

    @property
    def width(self) -> NDArray[np.float64]:
        """The width of the box, to measure distances by; not so small that floats could not tell."""
        return np.asarray(np.maximum(self.high - self.low, 2**10)[: self.given], dtype=np.float64)

    def chosen(self, picks: Sequence[int]) -> tuple[Table, ...]:
        """The table of each fold."""
        return tuple(tuple(map(int, t[i])) for t, i in zip(self.tables, picks, strict=True))  # type: ignore[misc]


@dataclass(frozen=True, eq=False, slots=True)
class Sums:
    """The different sums of some folds, and one choice that makes each: (sums, ranges), (sums, folds)."""

    vectors: Integers
    picks: NDArray[np.int32]


def everything(problem: Problem) -> Iterator[list[int] | None]:
    """One choice for every sum in the box; None once when there are too many sums to go through."""
    order = problem.order
    one = sums_of(problem, order[::2])
    other = None if one is None else sums_of(problem, order[1::2])
    if one is None or other is None:
        yield None
        return
    if not (len(one.vectors) and len(other.vectors)):
        return
    spread = np.ptp(other.vectors[:, : problem.given], axis=0)
    by = int((problem.width / np.maximum(spread, 1)).argmin())  # where the box is narrowest
    places = np.argsort(other.vectors[:, by], kind="stable")
    ranked = other.vectors[places]
    left = np.searchsorted(ranked[:, by], problem.low[by] - one.vectors[:, by], "left")
    count = np.searchsorted(ranked[:, by], problem.high[by] - one.vectors[:, by], "right") - left
    upto = np.concatenate(([0], np.cumsum(count)))
    for start in range(0, int(upto[-1]), BLOCK):
        if start >= MOST_PAIRS:
            yield None
            return
        pair = np.arange(start, min(start + BLOCK, int(upto[-1])))
        i = np.searchsorted(upto, pair, "right") - 1
        j = left[i] + pair - upto[i]
        total = one.vectors[i] + ranked[j]
        for at in np.flatnonzero(((total >= problem.low) & (total <= problem.high)).all(axis=1)):
            picks = dict(zip(order[::2], one.picks[i[at]].tolist(), strict=True))
            picks |= dict(zip(order[1::2], other.picks[places[j[at]]].tolist(), strict=True))
            yield [picks[fold] for fold in range(len(order))]


def sums_of(problem: Problem, folds: Sequence[int]) -> Sums | None:
    """The different sums of some folds; None when there are too many."""
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
            part = slice(start, start + block)
            total = (found.vectors[part, None, :] + own[None, :, :]).reshape(-1, len(low))
            kept = np.flatnonzero(((total >= low) & (total <= high)).all(axis=1))
            before, here = np.divmod(kept, len(own))
            totals.append(total[kept])
            picks.append(np.column_stack((found.picks[part][before], here.astype(np.int32))))
            if sum(map(len, totals)) > MOST_SUMS:
                return None
        found = united(Sums(np.concatenate(totals), np.concatenate(picks)))
        if not len(found.vectors):
            break
    return found


def united(sums: Sums) -> Sums:
    """Each different sum once."""
    order = np.lexsort(sums.vectors.T)
    vectors = sums.vectors[order]
    first = np.concatenate(([True], (vectors[1:] != vectors[:-1]).any(axis=1)))[: len(vectors)]
    return Sums(vectors[first], sums.picks[order[first]])
