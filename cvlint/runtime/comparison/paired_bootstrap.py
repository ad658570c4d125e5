"""The paired bootstrap: both experiments are measured on each set of samples that is drawn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cvlint.runtime.aggregates.registry import COUNT_AGGREGATES, CountAggregate
from cvlint.runtime.comparison.pairing import Pair
from cvlint.runtime.comparison.repeated_draws import are_places, drawn_in_places
from cvlint.runtime.data.foldset import FoldSet
from cvlint.runtime.intervals.bootstrap import MOST_DRAWN, TOO_LONG, Bootstrap, replicate_blocks
from cvlint.runtime.intervals.cluster_bootstrap import why_no_groups
from cvlint.runtime.intervals.count_bootstrap import EACH_CLASS, too_few, too_few_labels
from cvlint.runtime.intervals.unit_draws import (
    FULL,
    MOST_ALIKE,
    MOST_CELLS,
    Units,
    cells_of,
    counts_of_cells,
    drawn_cells,
    sums_in_places,
    units_of,
)
from cvlint.runtime.measures.counts import Average, Floats, Kind

Drawn = dict[str, Floats | str]
"""By the aggregate's key its difference in each replicate, or why there is none."""

Repetition = tuple[FoldSet, FoldSet, NDArray[np.intp]]
"""Both experiments in one repetition, and the row of the pair that each of their rows is."""


def repetitions(pair: Pair) -> list[Repetition]:
    """The repetitions of both experiments."""
    if pair.first.repeat is None:
        return [(pair.first, pair.second, np.arange(len(pair.first)))]
    codes = pair.first.repeat[0]
    each = [np.flatnonzero(codes == code) for code in np.unique(codes)]
    return [(pair.first.rows(rows), pair.second.rows(rows), rows) for rows in each]


def pair_units(pair: Pair, within_folds: bool, each_class: bool = True) -> Units | str:
    """What is drawn: samples, or groups."""
    return units_of(pair.first, within_folds, pair.sample, each_class)


def count_differences(
    pair: Pair,
    keys: Sequence[str],
    beta: float,
    average: Average,
    bootstrap: Bootstrap,
) -> Drawn:
    """The differences of aggregates of counts, over the drawn samples.

    Parameters
    ----------
    pair
        Both with predicted labels.
    keys
        Of the aggregates in the registry.
    beta, average
        Of F.
    bootstrap
        How to draw: samples of all folds, for a mean over folds as many for each fold as it has.
    """
    found: Drawn = {}
    chosen = [row for row in COUNT_AGGREGATES if row.key in keys]
    kind: Kind = "multiclass" if pair.first.kind == "binary" and average != "binary" else pair.first.kind
    for within in (False, True):
        rows = [row for row in chosen if (row.of_summed is None) == within]
        if not rows:
            continue
        blocks = drawn_pairs(pair, within, average, bootstrap)
        if isinstance(blocks, str):
            found |= dict.fromkeys((row.key for row in rows), blocks)
            continue
        parts: dict[str, list[Floats]] = {row.key: [] for row in rows}
        for sides in blocks:
            for row in rows:
                each = [value_in_draws(row, cells, one, kind, beta, average) for one, cells in sides]
                half = len(each) // 2
                parts[row.key].append(np.mean(each[half:], axis=0) - np.mean(each[:half], axis=0))
        found |= {key: np.concatenate(values) for key, values in parts.items()}
    return found


def drawn_pairs(
    pair: Pair, within: bool, average: Average, bootstrap: Bootstrap
) -> Iterator[list[tuple[FoldSet, Floats]]] | str:
    """The counts that are drawn: each repetition of the first experiment, then of the second, with its cells."""
    units = pair_units(pair, within, average in EACH_CLASS)
    if isinstance(units, str):
        return units
    several = repetitions(pair)
    why = why_too_few(several[0][0], within and len(several) == 1, average)
    if why:
        return why
    parts = [one for one, _, _ in several] + [other for _, other, _ in several]
    if within and len(several) == 1:
        drawn = drawn_for_folds(pair, parts, units, bootstrap)
        return drawn if isinstance(drawn, str) else (list(zip(parts, cells, strict=True)) for cells in drawn)
    rows = [units.unit[own] for _, _, own in several] * 2
    if within and are_places(parts, rows, units, bootstrap):
        places = drawn_in_places(parts, rows, units, bootstrap)
        return (
            [(part, by_part(own, [part], [own.shape[2]])[0]) for part, own in zip(parts, sums, strict=True)]
            for sums in places
        )
    if not within:  # what is summed over the folds anyway needs no counts of each
        parts = [replace(part, fold=np.zeros_like(part.fold), fold_names=("",)) for part in parts]
    blocks = drawn_cells(parts, rows, units, bootstrap)
    return blocks if isinstance(blocks, str) else (list(zip(parts, cells, strict=True)) for cells in blocks)


def why_too_few(one: FoldSet, within: bool, average: Average) -> str:
    """Why the samples of a repetition say too little of a difference, as of an aggregate; empty where they do not."""
    if one.group is not None:
        return why_no_groups(one, average, within)
    if one.kind == "multilabel":
        return too_few_labels(one.y_true.sum(axis=0), len(one), average)
    return too_few(np.bincount(one.y_true, minlength=len(one.classes)), average)


def drawn_for_folds(
    pair: Pair, parts: Sequence[FoldSet], units: Units, bootstrap: Bootstrap
) -> Iterator[list[Floats]] | str:
    """The counts of each fold, whose units are drawn among those of their class in all folds: blocks for each part.

    Those of a fold with few positives alone would differ too little: a bootstrap of m units has (m - 1) / m of the
    variance.
    """
    pooled = pair_units(pair, within_folds=False, each_class=False)
    if isinstance(pooled, str):
        return pooled
    single = [replace(part, fold=np.zeros_like(part.fold), fold_names=("",)) for part in parts]
    found = [cells_of(part) for part in single]
    m, k, sizes = len(pooled.stratum), pair.first.folds, [own for _, own in found]
    fold = np.zeros(m, dtype=np.intp)
    fold[units.unit] = pair.first.fold
    strata = [(members, np.bincount(fold[members], minlength=k)) for members in pooled.strata]
    each = np.concatenate(
        [cells + end - own for (cells, own), end in zip(found, np.cumsum(sizes), strict=True)], axis=1
    )
    if units.grouped and m * sum(sizes) > MOST_CELLS:
        return TOO_LONG
    strata_of: list[tuple[NDArray[Any], NDArray[np.int64], NDArray[np.intp]]] = []
    if units.grouped:
        matrix = np.zeros((m, sum(sizes)))
        np.add.at(matrix, (units.unit[:, None], each), 1.0 if pair.first.weight is None else pair.first.weight[:, None])
        strata_of = [(*alike(matrix[members], pair.first.weight is None), own) for members, own in strata]
    else:
        strata_of = [(*np.unique(each[members], axis=0, return_counts=True), own) for members, own in strata]
    number = sum(len(own) for _, own, _ in strata_of)
    one_by_one = pair.first.weight is not None or number * sum(sizes) > MOST_ALIKE
    in_time = (each.size + k * sum(sizes)) * bootstrap.replicates <= MOST_DRAWN
    sooner = in_time and number * k * sum(sizes) > FULL * each.size  # most cells of each pattern are 0
    if not units.grouped and (one_by_one or sooner):
        if not in_time:
            return TOO_LONG
        sums = listed_fold_sums(each, sum(sizes), strata, pair.first.weight, bootstrap)
    elif number * k * bootstrap.replicates > MOST_DRAWN:
        return TOO_LONG
    else:
        if not units.grouped:
            strata_of = [(rows_of_cells(rows, sum(sizes)), numbers, own) for rows, numbers, own in strata_of]
        sums = fold_sums(strata_of, bootstrap)
    return (by_part(total, parts, sizes) for total in sums)


def rows_of_cells(cells: NDArray[np.intp], size: int) -> Floats:
    """What each pattern adds to every cell, (patterns, cells), from the cells that it adds 1 to."""
    found = np.zeros((len(cells), size))
    np.add.at(found, (np.arange(len(cells))[:, None], cells), 1.0)
    return found


def alike(rows: Floats, equal_weights: bool) -> tuple[Floats, NDArray[np.int64]]:
    """The different rows of a matrix, and their numbers; all of them where samples have weights, or are too many."""
    if equal_weights and rows.size <= MOST_ALIKE:
        found, numbers = np.unique(rows, axis=0, return_counts=True)
        return found, numbers.astype(np.int64)
    return rows, np.ones(len(rows), dtype=np.int64)


def fold_sums(
    strata: Sequence[tuple[Floats, NDArray[np.int64], NDArray[np.intp]]], bootstrap: Bootstrap
) -> Iterator[Floats]:
    """The counts of each fold in blocks, (replicates, folds, counts).

    Of each stratum the patterns, their numbers, and how many units a fold has, are given.
    """
    rng = np.random.default_rng(bootstrap.seed)
    k, size = len(strata[0][2]), strata[0][0].shape[1]
    for replicates in replicate_blocks(bootstrap, k * max(size, *(len(numbers) for _, numbers, _ in strata))):
        total = np.zeros((replicates, k, size))
        for rows, numbers, units in strata:
            total += rng.multinomial(units, numbers / numbers.sum(), size=(replicates, k)) @ rows
        yield total


def listed_fold_sums(
    cells: NDArray[np.intp],
    size: int,
    strata: Sequence[tuple[NDArray[np.intp], NDArray[np.intp]]],
    weight: Floats | None,
    bootstrap: Bootstrap,
) -> Iterator[Floats]:
    """As `fold_sums`, for samples that are drawn one by one, from the cells that each adds to, (n, cells of a sample).

    Of each stratum its samples, and how many of them a fold has, are given.
    """
    rng = np.random.default_rng(bootstrap.seed)
    k = len(strata[0][1])
    for replicates in replicate_blocks(bootstrap, max(k * size, cells.size)):
        drawn = [members[rng.integers(0, len(members), (replicates, len(members)))] for members, _ in strata]
        taken = np.concatenate(drawn, axis=1)
        fold = np.concatenate([np.repeat(np.arange(k), units) for _, units in strata])
        total = sums_in_places(taken, cells, fold * size, weight, k * size)
        yield total.reshape(replicates, k, size)


def by_part(total: Floats, parts: Sequence[FoldSet], sizes: Sequence[int]) -> list[Floats]:
    """The counts of each part, (replicates, counts), as `counts_of_cells` takes them."""
    replicates, k, _ = total.shape
    found = []
    for part, cells in zip(parts, np.split(total, np.cumsum(sizes)[:-1], axis=2), strict=True):
        own = cells.reshape(replicates, k, 4, -1).swapaxes(1, 2) if part.kind == "multilabel" else cells
        found.append(own.reshape(replicates, -1))
    return found


def value_in_draws(
    row: CountAggregate, cells: Floats, part: FoldSet, kind: Kind, beta: float, average: Average
) -> Floats:
    """An aggregate in each replicate."""
    if row.of_summed is not None:
        return row.of_summed(counts_of_cells(cells, part, kind, summed=True), beta, average)
    return np.asarray(row.function(counts_of_cells(cells, part, kind, summed=False), beta, average), dtype=np.float64)
