"""Where the curves of two experiments differ by more than chance: a band around their difference over P(+).

In F-measure space and in cost space each experiment has the best of its operating points at each P(+). The bootstrap
draws the samples (paired where both experiments have the same ones, whole groups where they have groups) and gives the
difference of the best points at each P(+) of a grid. A band of 95 % holds the whole curve of the true difference: its
half width is a multiple of the standard error at each P(+), and the multiple is that of the largest deviation in a
replicate.

How far the value of the best point moves in a replicate is its derivative with half a step: from the experiment halfway
to the replicate, with the best point there, times 2. If the best point of the experiment is kept in all replicates,
standard errors are a tenth too large with few samples. If it is chosen anew in each, the choice takes advantage of the
chance in the experiment beside that in the replicate, and bands of 95 % held the whole difference in 90 to 93 %.

References
----------
Hong & Li 2018, The numerical delta method; Fang & Santos 2019, for maxima, which have derivatives by direction only.
Montiel Olea & Plagborg-Møller 2019, Simultaneous confidence bands, for the band by the largest deviation ("sup-t").
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from cvlint.runtime.comparison.pairing import paired
from cvlint.runtime.data.foldset import FoldSet
from cvlint.runtime.errors import FoldDataError
from cvlint.runtime.intervals.bootstrap import Bootstrap
from cvlint.runtime.intervals.unit_draws import Units, drawn_sums, drawn_totals, units_of
from cvlint.runtime.measures.counts import Floats
from cvlint.runtime.spaces.costspace import expected_cost
from cvlint.runtime.spaces.curves import Curves
from cvlint.runtime.spaces.fspace import f_at

GRID = np.unique(np.concatenate(([0.001, 0.002, 0.005, 0.01, 0.02, 0.05], np.linspace(0.1, 0.9, 17), [0.95, 0.99])))
"""The values of P(+) and of PC(+) at which curves are compared."""

MOST_POINTS = 100  # operating points of each experiment that are tried at each P(+)
CERTAIN = 1e-9  # a standard error that is only rounding
NOT_WHOLE = "the counts are no whole numbers"

LEAST_ERRORS = 5  # of each kind: with fewer at the best points, bands of 95 % held the whole difference in 84 to 87 %
FEW_ERRORS = f"everywhere fewer than {LEAST_ERRORS} missed positives, or false alarms, decide"

Values: TypeAlias = Callable[[Floats, Floats, float], Floats]
"""The value of each operating point at a place of the grid, the better the larger, from tpr and fpr."""


@dataclass(frozen=True, eq=False, slots=True)
class Shown:
    """Where a difference is shown."""

    better: NDArray[np.intp]
    """For each place of `GRID` -1 where the first experiment is better, 1 where the second is, 0 where the band holds
    0.
    """
    paired: bool
    """Whether both were measured on the same samples."""
    few: NDArray[np.bool_] | None = None
    """The places at which too few errors decide, so that nothing is shown; None for no such place."""
    notes: tuple[str, ...] = ()
    """Sentences about groups that only one of them has."""

    def ranges(self, sign: int) -> list[tuple[float, float]]:
        """The ranges in which one of them is better, from the first to the last place of the grid that shows it."""
        return runs(self.better == sign)


def runs(chosen: NDArray[np.bool_]) -> list[tuple[float, float]]:
    """The ranges of places of the grid, each from its first to its last one."""
    places = np.flatnonzero(chosen)
    if not len(places):
        return []
    breaks = np.flatnonzero(np.diff(places) > 1) + 1
    return [(float(GRID[run[0]]), float(GRID[run[-1]])) for run in np.split(places, breaks)]


@dataclass(frozen=True, eq=False, slots=True)
class Band:
    """The difference of two curves, the second less the first, and a band around it."""

    gap: Floats
    """The difference at each place of `GRID`."""
    reach: Floats
    """Half the width of the band there; NaN where too few errors decide, and where there is no standard error."""
    few: NDArray[np.bool_]
    """Where too few errors decide."""

    def signs(self) -> NDArray[np.intp]:
        """The sign of the difference at each place where the band leaves out 0."""
        return np.where(np.abs(self.gap) > self.reach, np.sign(self.gap), 0).astype(np.intp)


def shown_differences(
    one: Curves, other: Curves, alpha: float, bootstrap: Bootstrap
) -> tuple[Shown | str, Shown | str]:
    """Where the curves differ in F-measure space and in cost space, or why that is not known.

    Parameters
    ----------
    one, other
        Experiments of the same class.
    alpha
        The weight of precision in F.
    bootstrap
        How to draw.
    """
    same = same_samples(one, other)
    first, second, notes = same or (one, other, groups_of_one(one, other))
    bands = difference_bands(first, second, alpha, bootstrap, together=same is not None)
    if isinstance(bands, str):
        return bands, bands
    f, cost = (
        FEW_ERRORS if band.few.all() else Shown(band.signs(), same is not None, band.few, notes) for band in bands
    )
    return f, cost


def difference_bands(
    one: Curves, other: Curves, alpha: float, bootstrap: Bootstrap, together: bool
) -> tuple[Band, Band] | str:
    """The bands around the differences of F and of expected cost, or why there are none.

    Where samples are drawn ``together``, both have the same ones in the same rows.
    """
    draws = drawn_rates(one, other, bootstrap, together)
    if isinstance(draws, str):
        return draws
    spaces: tuple[Values, ...] = (lambda t, f, p: f_at(t, f, p, alpha), lambda t, f, p: -expected_cost(t, f, p))
    here = [rates(count_cells(side) if side.source is None else bins_of(side)[1]) for side in (one, other)]
    blocks = list(draws)
    found = []
    for values in spaces:
        points = [best_points(values, *side) for side in here]
        gap = np.array([values(*here[1], p).max() - values(*here[0], p).max() for p in GRID])
        few = few_errors(one, *here[0], points[0]) | few_errors(other, *here[1], points[1])
        reach = np.full(len(GRID), np.nan)
        if not few.all():
            way = partial(moves, values, places=GRID[~few])
            each = np.concatenate([way(here[1], second) - way(here[0], first) for first, second in blocks])
            reach[~few] = band_reach(each, bootstrap.level)
        found.append(Band(gap, reach, few))
    return found[0], found[1]


def few_errors(one: Curves, tpr: Floats, fpr: Floats, chosen: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Where the ``chosen`` point of an experiment misses, or wrongly calls, fewer than `LEAST_ERRORS` samples."""
    positives, negatives = one.points.positives, one.points.negatives
    if one.source is not None:
        truth = one.source[0].is_class(one.source[1])  # the points count weights
        positives, negatives = float(truth.sum()), float((~truth).sum())
    missed, called = positives * (1 - tpr[0, chosen]), negatives * fpr[0, chosen]
    return np.asarray(np.minimum(missed, called) < LEAST_ERRORS - 1e-9)


def band_reach(drawn: Floats, level: float) -> Floats:
    """Half the width of the band around a difference at each place, from the draws, (replicates, grid)."""
    error = drawn.std(axis=0)
    known = error > CERTAIN
    if not known.any():
        return np.full(drawn.shape[1], np.nan)
    apart = np.abs(drawn - drawn.mean(axis=0))[:, known] / error[known]
    multiple = float(np.quantile(apart.max(axis=1), level))
    return np.where(known, multiple * error, np.nan)


def best_points(values: Values, tpr: Floats, fpr: Floats) -> NDArray[np.intp]:
    """The best of the points (1, points) at each place of the grid."""
    return np.array([int(np.argmax(values(tpr, fpr, p)[0])) for p in GRID])


def moves(values: Values, here: tuple[Floats, Floats], drawn: tuple[Floats, Floats], places: Floats) -> Floats:
    """How far the highest value moves from the experiment ``here`` to each replicate, (replicates, places).

    It is twice the way to the mean of both: see the top of this module.
    """
    each = [(values(*drawn, p) + values(*here, p)).max(axis=1) - 2 * values(*here, p).max() for p in places]
    return np.stack(each, axis=1)


def same_samples(one: Curves, other: Curves) -> tuple[Curves, Curves, tuple[str, ...]] | None:
    """The experiments with their rows matched, and notes on that; None where they do not hold the same samples."""
    if one.source is None or other.source is None:
        return None
    try:
        pair = paired(one.source[0], other.source[0], (one.name, other.name))
    except FoldDataError:
        return None
    sides = replace(one, source=(pair.first, one.source[1])), replace(other, source=(pair.second, other.source[1]))
    return *sides, pair.notes


def groups_of_one(one: Curves, other: Curves) -> tuple[str, ...]:
    """A sentence where only one of two experiments on different samples has groups."""
    known = [(side.name, side.source[0].group is not None) for side in (one, other) if side.source is not None]
    having, lacking = ([name for name, grouped in known if grouped == has] for has in (True, False))
    if not (having and lacking):
        return ()
    drawn = f"the samples of {lacking[0]} are drawn one by one, as if they were independent"
    return (f"{lacking[0]} has no column group, and {having[0]} has one: {drawn}.",)


def bins_of(one: Curves) -> tuple[tuple[NDArray[np.intp], int], Floats]:
    """The cell that each sample adds to, how many there are, and the sums of all samples, (1, cells).

    A cell is a class and the first operating point that predicts the sample positive; there is one more for samples
    that no point predicts positive.
    """
    if one.source is None:
        raise ValueError("the samples are not known")
    folds, column = one.source
    truth = folds.is_class(column)
    if folds.y_score is not None:
        bars = thinned(one.points.thresholds, folds.scores(column))
        place = np.searchsorted(-bars, -folds.scores(column), "left")  # the first bar that is not above the score
    else:
        bars, place = np.zeros(1), np.where(decided(folds, column), 0, 1)
    width = len(bars) + 1
    cell = np.where(truth, place, place + width).astype(np.intp)
    return (cell[:, None], 2 * width), np.bincount(cell, folds.weight, 2 * width)[None].astype(np.float64)


def decided(folds: FoldSet, column: int) -> NDArray[np.bool_]:
    """Which samples are predicted to be of the class of a column."""
    if folds.y_pred is None:
        raise ValueError("the set holds neither scores nor predicted labels")
    if folds.kind == "multilabel":
        return np.asarray(folds.y_pred[:, column])
    return np.asarray(folds.y_pred == (len(folds.classes) - 1 if folds.kind == "binary" else column))


def thinned(thresholds: Floats, scores: Floats) -> Floats:
    """Falling thresholds, evenly over the samples; with infinity, and with the lowest one."""
    if len(thresholds) <= MOST_POINTS:
        return thresholds
    ordered = np.sort(scores)[::-1]
    places = np.linspace(0, len(ordered) - 1, MOST_POINTS - 1).astype(np.intp)
    return np.concatenate(([np.inf], np.unique(ordered[places])[::-1]))


def rates(cells: Floats) -> tuple[Floats, Floats]:
    """TPR and FPR of each operating point, (replicates, points), from sums of cells."""
    width = cells.shape[1] // 2
    sides = []
    for part in (cells[:, :width], cells[:, width:]):
        total = part.sum(axis=1, keepdims=True)
        sides.append(np.cumsum(part, axis=1)[:, :-1] / np.where(total > 0, total, np.nan))
    return sides[0], sides[1]


def drawn_rates(
    one: Curves, other: Curves, bootstrap: Bootstrap, together: bool
) -> Iterator[tuple[tuple[Floats, Floats], tuple[Floats, Floats]]] | str:
    """The rates of both in each draw: of the same samples together, or each for itself."""
    if together and one.source is not None and other.source is not None:
        units = units_of(one.source[0], within_folds=False)
        if isinstance(units, str):
            return units
        weights = [one.source[0].weight, other.source[0].weight]
        both = drawn_totals([bins_of(one)[0], bins_of(other)[0]], weights, [units.unit] * 2, units, bootstrap)
        return both if isinstance(both, str) else ((rates(a), rates(b)) for a, b in both)
    first, second = drawn_alone(one, bootstrap, 0), drawn_alone(other, bootstrap, 1)
    if isinstance(first, str) or isinstance(second, str):
        return first if isinstance(first, str) else str(second)
    every = [np.concatenate([cells for (cells,) in side]) for side in (first, second)]
    return iter([(rates(every[0]), rates(every[1]))])


def drawn_alone(one: Curves, bootstrap: Bootstrap, stream: int) -> Iterator[list[Floats]] | str:
    """The sums of the cells of one experiment in each draw."""
    own = Bootstrap(bootstrap.replicates, bootstrap.level, 2 * bootstrap.seed + stream)
    if one.source is None:
        cells = count_cells(one)
        if not np.array_equal(cells, np.round(cells)):
            return NOT_WHOLE
        chosen = np.flatnonzero(cells[0] > 0)
        stratum = np.unique(chosen // 2, return_inverse=True)[1].reshape(-1)
        return drawn_sums(np.eye(4)[chosen], stratum, cells[0, chosen].astype(np.int64), own, [])
    folds = one.source[0]
    units = units_of(folds, within_folds=False)
    if not isinstance(units, Units):
        return units
    return drawn_totals([bins_of(one)[0]], [folds.weight], [units.unit], units, own)


def count_cells(one: Curves) -> Floats:
    """TP, FN, FP and TN of decisions that are known by their counts, (1, 4)."""
    points = one.points
    tp, fp = points.positives * points.tpr[0], points.negatives * points.fpr[0]
    found = np.array([[tp, points.positives - tp, fp, points.negatives - fp]])
    return np.asarray(np.where(np.abs(found - np.round(found)) < 1e-6, np.round(found), found))
