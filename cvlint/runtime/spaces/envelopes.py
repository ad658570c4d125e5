"""Lower envelopes of straight lines, on which cost space and F-measure space both rest.

In cost space an operating point is the line NEC over PC(+). In F-measure space it is a curve, but there P(+) / F is a
line over P(+). In both spaces the point with the lowest line is the best, two lines cross at most once, and by the
duality of points and lines the lines that are lowest somewhere are the vertices of a convex hull.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cvlint.runtime.measures.counts import Floats, quotient
from cvlint.runtime.thresholds.operating_points import hull_index

EQUAL = 1e-12  # heights (relative to the larger one) and places that differ by less differ only by rounding


@dataclass(frozen=True, slots=True, eq=False)
class Envelope:
    """The lowest line in each interval from 0 to 1."""

    index: NDArray[np.intp]
    """The number of the lowest line in each interval, (k,); empty without lines."""
    bounds: Floats
    """Where the intervals begin and end, (k + 1,), rising from 0 to 1; the inner ones are crossings."""
    left: Floats
    right: Floats
    """The heights of those lines at 0 and at 1, (k,)."""

    def piece(self, x: ArrayLike) -> NDArray[np.intp]:
        """The number of the interval that ``x`` lies in, from 0; at a crossing the left one; -1 without lines."""
        inner = self.bounds[1:-1]
        return np.asarray(np.searchsorted(inner, x, "left") - (not len(self.index)), dtype=np.intp)

    def pieces(self) -> list[tuple[int, float, float]]:
        """The index of the lowest line in each interval, and where the interval begins and ends."""
        ends = self.bounds.tolist()
        return list(zip(self.index.tolist(), ends[:-1], ends[1:], strict=True)) if len(self.index) else []

    def best(self, x: ArrayLike) -> NDArray[np.intp]:
        """The index of the lowest line at ``x``; -1 without lines."""
        return np.append(self.index, -1)[self.piece(x)]


def lower_envelope(left: ArrayLike, right: ArrayLike) -> Envelope:
    """The lower envelope of lines from 0 to 1, exactly: from their crossings, not on a grid.

    Parameters
    ----------
    left, right
        The heights of each line at 0 and at 1, (m,). A line with an infinite height is never lowest, except the first
        one where all lines are infinite. A line with a height of NaN is ignored.

    References
    ----------
    Drummond & Holte 2006, section 2, for the duality.
    """
    left, right = np.asarray(left, dtype=np.float64), np.asarray(right, dtype=np.float64)
    index = hull_index(left, -right)
    if not len(index):
        index = np.flatnonzero(~np.isnan(left) & ~np.isnan(right))[:1]
    i, j = index[:-1], index[1:]
    bounds = np.concatenate(([0.0], crossing_of_lines(left[i], right[i], left[j], right[j]), [1.0]))
    bounds = np.maximum.accumulate(np.clip(bounds, 0.0, 1.0))  # rounding may disorder bounds that are nearly equal
    wide = (np.diff(bounds) > EQUAL)[: len(index)]
    kept, starts = index[wide], bounds[: len(index)][wide]
    starts[:1] = 0.0
    return Envelope(kept, np.append(starts, 1.0), left[kept], right[kept])


def crossing_of_lines(left_i: ArrayLike, right_i: ArrayLike, left_j: ArrayLike, right_j: ArrayLike) -> Floats:
    """Where two lines cross, from their heights at 0 and at 1.

    The result can be any number; it is 0 or 1 where they meet at an end, and NaN for parallel and equal lines.
    """
    with np.errstate(invalid="ignore"):  # of infinite lines
        gap = np.asarray(left_i, dtype=np.float64) - np.asarray(left_j)
        return quotient(gap, gap + (np.asarray(right_j, dtype=np.float64) - np.asarray(right_i)), np.nan)


def crossing_within(left_i: ArrayLike, right_i: ArrayLike, left_j: ArrayLike, right_j: ArrayLike) -> Floats:
    """Where two lines cross from 0 to 1, ends included; NaN where they do not. As `crossing_of_lines` otherwise."""
    crossing = crossing_of_lines(left_i, right_i, left_j, right_j)
    return np.where((crossing > -EQUAL) & (crossing < 1 + EQUAL), np.clip(crossing, 0.0, 1.0), np.nan)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Which of two envelopes is lower in which interval from 0 to 1."""

    bounds: tuple[float, ...]
    """Where the intervals begin and end, rising from 0 to 1; empty when one of the two has no lines."""
    better: tuple[int, ...]
    """For each interval -1 where the first is lower, 1 where the second is lower, 0 where they are equal. An interval
    does not end where they only touch.
    """


def compare(first: Envelope, second: Envelope) -> Comparison:
    """Compare two envelopes, exactly."""
    if not (len(first.index) and len(second.index)):
        return Comparison((), ())
    grid = np.union1d(first.bounds, second.bounds)
    cuts = [0.0]
    signs: list[int] = []
    for low, high in zip(grid[:-1].tolist(), grid[1:].tolist(), strict=True):
        i, j = (int(envelope.piece((low + high) / 2)) for envelope in (first, second))
        lines = first.left[i], first.right[i], second.left[j], second.right[j]
        start, end = difference_at(low, *lines), difference_at(high, *lines)
        pieces = [(high, start or end)]
        if start * end < 0:
            pieces = [(float(crossing_of_lines(*lines)), start), (high, end)]
        for upto, sign in pieces:
            if signs and signs[-1] == sign:
                cuts[-1] = upto
            else:
                signs.append(sign)
                cuts.append(upto)
    return Comparison(tuple(cuts), tuple(signs))


def difference_at(x: float, left_i: float, right_i: float, left_j: float, right_j: float) -> int:
    """The sign of the difference of two lines' heights; 0 where it is only rounding."""
    own, other = (
        left if math.isinf(left) else (1 - x) * left + x * right
        for left, right in ((left_i, right_i), (left_j, right_j))
    )
    if own == other or abs(own - other) <= EQUAL * max(abs(own), abs(other)) < math.inf:
        return 0
    return -1 if own < other else 1
