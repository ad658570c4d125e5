"""Draws of whole units: a sample with all its predictions, or a group with all its samples.

Two classifiers that are compared, and the repetitions of a cross-validation, share their samples: a drawn sample
brings its predictions by both, in every repetition. Samples of one group (a patient, an author) are alike: a drawn
group brings all its samples.

References
----------
Field & Welsh 2007, Bootstrapping clustered data: groups are drawn whole, and the samples within stay as they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cvlint.runtime.data.arrays import rows_of_each
from cvlint.runtime.data.foldset import FoldSet
from cvlint.runtime.intervals.bootstrap import (
    LONE,
    LONE_CLASS,
    MOST_DRAWN,
    MOST_SAMPLES,
    TOO_LONG,
    TOO_MANY,
    Bootstrap,
    replicate_blocks,
)
from cvlint.runtime.measures.counts import Counts, Floats, Kind, counts_of

FEWEST_GROUPS = 5  # a bootstrap of g units draws a variance that is (g - 1) / g of the true one
FEW_GROUPS = f"there are fewer than {FEWEST_GROUPS} groups to be drawn"
FEW_GROUPS_OF_FOLD = f"a fold holds fewer than {FEWEST_GROUPS} groups, so that the bootstrap cannot draw others"
SPLIT_GROUPS = "groups are in several folds, so that they cannot be drawn for each fold"
NO_IDENTITY = "the repetitions share their samples, and no sample_id says which"
MOST_CELLS = 50_000_000  # units × counts: bounds the memory
MOST_ALIKE = 1_000_000  # numbers in which equal rows are looked for
PATTERN_DRAWS = 5  # a pattern takes about as long to draw by its number as so many units
FULL = 100  # a matrix with more numbers for each that is not 0 takes longer than a list of these

Strata: TypeAlias = Sequence[NDArray[np.intp]]


@dataclass(frozen=True, eq=False, slots=True)
class Units:
    """What is drawn: samples, or whole groups."""

    unit: NDArray[np.intp]
    """The unit of each row, (n,), from 0."""
    stratum: NDArray[np.intp]
    """The stratum of each unit, (units,); as many units are drawn in each stratum as it has."""
    grouped: bool = False
    """Whether the units are groups."""

    @property
    def strata(self) -> Strata:
        """The units of each stratum."""
        return list(rows_of_each(self.stratum, int(self.stratum.max()) + 1))


def units_of(
    folds: FoldSet, within_folds: bool, sample: NDArray[np.integer[Any]] | None = None, each_class: bool = True
) -> Units | str:
    """The units of fold data, or why none can be drawn.

    Parameters
    ----------
    folds
        One or several repetitions.
    within_folds
        Whether units are drawn within each fold, as for a mean over folds. Several repetitions have different folds,
        and their samples are drawn over all folds.
    sample
        The identity of each row, (n,), where there are several repetitions.
    each_class
        Whether a class with a single sample forbids an interval.
    """
    repeated = folds.repeat is not None and len(np.unique(folds.repeat[0])) > 1
    if folds.group is not None:
        return groups_as_units(folds, within_folds, repeated)
    if repeated and sample is None:
        return NO_IDENTITY
    unit = compressed(sample) if repeated and sample is not None else np.arange(len(folds))
    within_folds = within_folds and not repeated
    true = np.zeros(len(folds), dtype=np.intp) if folds.kind == "multilabel" else folds.y_true.astype(np.intp)
    place = true + (int(true.max()) + 1) * folds.fold.astype(np.intp) if within_folds else true
    stratum = np.zeros(int(unit.max()) + 1, dtype=np.intp)
    stratum[unit] = compressed(place)
    if (each_class or within_folds) and (np.bincount(stratum) == 1).any():
        return LONE if within_folds else LONE_CLASS
    return Units(unit, stratum)


def groups_as_units(folds: FoldSet, within_folds: bool, repeated: bool) -> Units | str:
    """The groups as units; within folds each must be in one."""
    if folds.group is None:
        raise ValueError("the set holds no groups")
    unit = compressed(folds.group[0])
    stratum = np.zeros(int(unit.max()) + 1, dtype=np.intp)
    if within_folds and not repeated:
        stratum[unit] = folds.fold
        if (stratum[unit] != folds.fold).any():
            return SPLIT_GROUPS
        stratum = compressed(stratum)
    if np.bincount(stratum).min() < FEWEST_GROUPS:
        return FEW_GROUPS_OF_FOLD if stratum.any() else FEW_GROUPS
    return Units(unit, stratum, grouped=True)


def compressed(codes: NDArray[np.integer[Any]]) -> NDArray[np.intp]:
    """Codes without gaps, from 0."""
    return np.asarray(np.unique(codes, return_inverse=True)[1].reshape(-1), dtype=np.intp)


def times_drawn(rng: np.random.Generator, numbers: NDArray[np.int64], replicates: int) -> NDArray[np.int64]:
    """How often each pattern is drawn by as many draws as there are units, (replicates, patterns).

    Where a pattern is that of few units, it is quicker to draw the units one by one.
    """
    total, count = int(numbers.sum()), len(numbers)
    if total > PATTERN_DRAWS * count:
        return rng.multinomial(total, numbers / total, size=replicates)
    taken = rng.integers(0, total, (replicates, total))
    if total > count:
        taken = np.repeat(np.arange(count), numbers)[taken]
    return np.stack([np.bincount(one, minlength=count) for one in taken])  # one by one, the numbers stay in the cache


def sums_in_places(
    taken: NDArray[np.intp], cells: NDArray[np.intp], start: NDArray[np.intp], weight: Floats | None, size: int
) -> Floats:
    """The sums of the cells of samples that are taken into places, (replicates, size).

    Parameters
    ----------
    taken
        The sample in each place, (replicates, places).
    cells
        The cells that each sample adds to, (n, cells of a sample).
    start
        The cell of each place that is its first, (places,).
    weight
        Of each sample; or None.
    size
        The number of all cells.
    """
    total = np.zeros((len(taken), size))
    columns = np.ascontiguousarray(cells.T)
    for own, one in zip(total, taken, strict=True):  # one by one, the numbers stay in the cache
        mass = None if weight is None else weight[one]
        for column in columns:
            own += np.bincount(start + column[one], mass, size)
    return total


def cells_of(folds: FoldSet) -> tuple[NDArray[np.intp], int]:
    """Which counts each row adds to, (n, counts of a row), and how many there are.

    They are confusion tables (folds, true, predicted), or for multilabel tasks `Counts.cells`, (4, folds, classes).
    """
    if folds.y_pred is None:
        raise ValueError("the set holds no predicted labels")
    k, c = folds.folds, len(folds.classes)
    fold = folds.fold.astype(np.intp)
    if folds.kind != "multilabel":
        return ((fold * c + folds.y_true) * c + folds.y_pred)[:, None], k * c * c
    true, pred = folds.y_true, folds.y_pred
    which = np.where(true, np.where(pred, 0, 2), np.where(pred, 1, 3))
    return (which * k + fold[:, None]) * c + np.arange(c), 4 * k * c


def drawn_cells(
    parts: Sequence[FoldSet], rows: Sequence[NDArray[np.intp]], units: Units, bootstrap: Bootstrap
) -> Iterator[list[Floats]] | str:
    """The counts of several sets whose rows are of the same units: in blocks (replicates, counts) for each set.

    Parameters
    ----------
    parts, rows
        The sets, and the unit of each row of each set.
    units
        What is drawn. Units that add the same to the counts, and are in the same stratum, are drawn as one: their
        number decides how often.
    bootstrap
        How to draw.

    Returns
    -------
    iterator or str
        The blocks, or why there are none.
    """
    return drawn_totals([cells_of(part) for part in parts], [part.weight for part in parts], rows, units, bootstrap)


def drawn_totals(
    found: Sequence[tuple[NDArray[np.intp], int]],
    weights: Sequence[Floats | None],
    rows: Sequence[NDArray[np.intp]],
    units: Units,
    bootstrap: Bootstrap,
) -> Iterator[list[Floats]] | str:
    """As `drawn_cells`, from the cells that each row of each set adds to, the number of cells, and the weights."""
    ends = np.cumsum([size for _, size in found]).tolist()
    cells = [own + end - size for (own, size), end in zip(found, ends, strict=True)]
    stratum = units.stratum
    m, weighted = len(stratum), any(own is not None for own in weights)
    orders = [np.argsort(unit) for unit in rows]
    single = not units.grouped and all(len(own) == m for own in rows)  # each unit has a row in each set
    each = np.concatenate([own[order] for own, order in zip(cells, orders, strict=True)], axis=1) if single else None
    if each is not None and not weighted:
        patterns, numbers = np.unique(np.column_stack((stratum, each)), axis=0, return_counts=True)
        stratum, each, m = patterns[:, 0], patterns[:, 1:], len(patterns)
        cells, rows = [each], [np.arange(m)]
    elif m > MOST_SAMPLES:
        return TOO_MANY
    else:
        numbers = np.ones(m, dtype=np.int64)
    listed = sum(own.size for own in cells)
    if m * ends[-1] > FULL * listed:
        if (m + listed + ends[-1]) * bootstrap.replicates <= MOST_DRAWN:
            if each is not None:
                masses = [
                    None if weight is None else weight[order]
                    for weight, order, (own, _) in zip(weights, orders, found, strict=True)
                    for _ in range(own.shape[1])
                ]
                return pattern_sums(each, masses, stratum, numbers, bootstrap, ends)
            return listed_sums(entries_of(cells, rows, weights), stratum, numbers, bootstrap, ends)
        if m * ends[-1] > MOST_CELLS:
            return TOO_LONG
    matrix = np.zeros((m, ends[-1]))
    for weight, own, unit in zip(weights, cells, rows, strict=False):
        np.add.at(matrix, (unit[:, None], own), 1.0 if weight is None else weight[:, None])
    if units.grouped and not weighted and matrix.size <= MOST_ALIKE:  # groups that add the same are drawn as one
        alike, place = np.unique(np.column_stack((stratum, matrix)), axis=0, return_inverse=True)
        numbers = np.bincount(place.reshape(-1), numbers).astype(np.int64)
        stratum, matrix = alike[:, 0].astype(np.intp), alike[:, 1:]
    return drawn_sums(matrix, stratum, numbers, bootstrap, ends[:-1])


def pattern_sums(
    cells: NDArray[np.intp],
    masses: Sequence[Floats | None],
    stratum: NDArray[np.intp],
    numbers: NDArray[np.int64],
    bootstrap: Bootstrap,
    ends: Sequence[int],
) -> Iterator[list[Floats]]:
    """As `listed_sums`, for patterns that each add to as many cells, (patterns, cells of a pattern).

    ``masses`` has what the patterns add to each of them, (patterns,); None for 1.
    """
    rng = np.random.default_rng(bootstrap.seed)
    strata = list(rows_of_each(stratum, int(stratum.max()) + 1))
    for size in replicate_blocks(bootstrap, max(cells.size, ends[-1])):
        total = np.zeros((size, ends[-1]))
        for members in strata:
            own = [None if mass is None else mass[members] for mass in masses]
            add_draws(total, rng, list(zip(cells[members].T, own, strict=True)), numbers[members])
        yield np.split(total, ends[:-1], axis=1)


def add_draws(
    total: Floats,
    rng: np.random.Generator,
    columns: Sequence[tuple[NDArray[np.intp], Floats | None]],
    numbers: NDArray[np.int64],
) -> None:
    """Add patterns that are drawn as `times_drawn` draws them: of each column the cells, and what is added to them.

    Few draws are added one by one, without counting how often each pattern is drawn.
    """
    drawn = int(numbers.sum())
    if drawn > PATTERN_DRAWS * len(numbers):
        for own, times in zip(total, times_drawn(rng, numbers, len(total)), strict=True):
            for cells, mass in columns:
                own += np.bincount(cells, times if mass is None else times * mass, len(own))
        return
    of_units = [(np.repeat(c, numbers), None if mass is None else np.repeat(mass, numbers)) for c, mass in columns]
    for own, taken in zip(total, rng.integers(0, drawn, (len(total), drawn)), strict=True):
        for cells, mass in of_units:
            own += np.bincount(cells[taken], None if mass is None else mass[taken], len(own))


def entries_of(
    cells: Sequence[NDArray[np.intp]], rows: Sequence[NDArray[np.intp]], weights: Sequence[Floats | None]
) -> tuple[NDArray[np.intp], NDArray[np.intp], Floats]:
    """What rows add to cells: the unit, the cell and the weight of each."""
    found = []
    for own, unit, weight in zip(cells, rows, weights, strict=False):
        mass = np.ones(len(own)) if weight is None else weight
        found.append(
            [np.broadcast_to(side[:, None], own.shape).reshape(-1) for side in (unit, mass)] + [own.reshape(-1)]
        )
    unit, mass, cell = (np.concatenate(side) for side in zip(*found, strict=True))
    return unit, cell, mass


def listed_sums(
    entries: tuple[NDArray[np.intp], NDArray[np.intp], Floats],
    stratum: NDArray[np.intp],
    numbers: NDArray[np.int64],
    bootstrap: Bootstrap,
    ends: Sequence[int],
) -> Iterator[list[Floats]]:
    """As `drawn_sums`, for a large matrix whose few entries are listed: their rows, their columns and their values."""
    unit, cell, mass = entries
    rng = np.random.default_rng(bootstrap.seed)
    strata = list(rows_of_each(stratum, int(stratum.max()) + 1))
    for size in replicate_blocks(bootstrap, max(len(stratum), len(cell), ends[-1])):
        times = np.zeros((size, len(stratum)))
        for members in strata:
            times[:, members] = times_drawn(rng, numbers[members], size)
        total = np.stack([np.bincount(cell, one[unit] * mass, ends[-1]) for one in times])
        yield np.split(total, ends[:-1], axis=1)


def drawn_sums(
    matrix: Floats,
    stratum: NDArray[np.intp],
    numbers: NDArray[np.int64],
    bootstrap: Bootstrap,
    cuts: Sequence[int],
) -> Iterator[list[Floats]]:
    """Sums of the rows of a matrix, each drawn by its number within its stratum; its columns are cut into sets."""
    rng = np.random.default_rng(bootstrap.seed)
    strata = list(rows_of_each(stratum, int(stratum.max()) + 1))
    for size in replicate_blocks(bootstrap, max(matrix.shape)):
        total = np.zeros((size, matrix.shape[1]))
        for members in strata:
            total += times_drawn(rng, numbers[members], size) @ matrix[members]
        yield np.split(total, cuts, axis=1)


def counts_of_cells(cells: Floats, folds: FoldSet, kind: Kind, summed: bool) -> Counts:
    """The counts (replicates, folds, targets) of what is drawn, (replicates, counts).

    Counts that are ``summed`` over the folds are (replicates, targets): a replicate takes the place of a fold.
    """
    k, c = folds.folds, len(folds.classes)
    if kind == "multilabel":
        counts = Counts(cells.reshape(-1, 4, k, c).swapaxes(0, 1), "multilabel")
    else:
        counts = counts_of(cells.reshape(-1, k, c, c), kind)
    return Counts(counts.cells.sum(axis=2), counts.kind) if summed else counts
