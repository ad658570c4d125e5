"""The paired bootstrap: both experiments are measured on each set of samples that is drawn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from cvlint.runtime.aggregates.registry import COUNT_AGGREGATES, CountAggregate
from cvlint.runtime.comparison.pairing import Pair
from cvlint.runtime.data.foldset import FoldSet
from cvlint.runtime.intervals.bootstrap import MOST_DRAWN, MOST_SAMPLES, TOO_LONG, Bootstrap, replicate_blocks
from cvlint.runtime.intervals.cluster_bootstrap import why_no_groups
from cvlint.runtime.intervals.count_bootstrap import EACH_CLASS, too_few, too_few_labels
from cvlint.runtime.intervals.unit_draws import (
    MOST_ALIKE,
    MOST_CELLS,
    Units,
    cells_of,
    counts_of_cells,
    drawn_cells,
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
    if not within:  # what is summed over the folds anyway needs no counts of each
        parts = [replace(part, fold=np.zeros_like(part.fold), fold_names=("",)) for part in parts]
    blocks = drawn_cells(parts, [units.unit[rows] for _, _, rows in several] * 2, units, bootstrap)
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
    m, size = len(pooled.stratum), sum(own for _, own in found)
    if m * size > MOST_CELLS or m > MOST_SAMPLES:
        return TOO_LONG
    matrix = np.zeros((m, size))
    start = 0
    for part, (cells, own) in zip(parts, found, strict=True):
        weight = 1.0 if part.weight is None else part.weight[:, None]
        np.add.at(matrix, (units.unit[:, None], cells + start), weight)
        start += own
    fold = np.zeros(m, dtype=np.intp)
    fold[units.unit] = pair.first.fold
    strata = []
    for members in pooled.strata:
        rows, numbers = matrix[members], np.ones(len(members), dtype=np.int64)
        if pair.first.weight is None and rows.size <= MOST_ALIKE:
            rows, numbers = np.unique(rows, axis=0, return_counts=True)
        strata.append((rows, numbers, np.bincount(fold[members], minlength=pair.first.folds)))
    if sum(len(numbers) for _, numbers, _ in strata) * pair.first.folds * bootstrap.replicates > MOST_DRAWN:
        return TOO_LONG
    return fold_blocks(strata, parts, [own for _, own in found], bootstrap)


def fold_blocks(
    strata: Sequence[tuple[Floats, NDArray[np.int64], NDArray[np.intp]]],
    parts: Sequence[FoldSet],
    sizes: Sequence[int],
    bootstrap: Bootstrap,
) -> Iterator[list[Floats]]:
    """The blocks of `drawn_for_folds`: of each stratum the patterns, their numbers, and how many units a fold has."""
    rng = np.random.default_rng(bootstrap.seed)
    k = parts[0].folds
    for replicates in replicate_blocks(bootstrap, max(k, *(len(numbers) for _, numbers, _ in strata)) * sum(sizes)):
        total = np.zeros((replicates, k, sum(sizes)))
        for rows, numbers, units in strata:
            if len(numbers) < numbers.sum():
                total += rng.multinomial(units, numbers / numbers.sum(), size=(replicates, k)) @ rows
                continue
            some = units > 0  # each pattern is that of one unit: these are sooner drawn one by one
            taken = rows[rng.integers(0, len(rows), (replicates, len(rows)))]
            total[:, some] += np.add.reduceat(taken, (np.cumsum(units) - units)[some], axis=1)
        blocks = []
        for part, cells in zip(parts, np.split(total, np.cumsum(sizes)[:-1], axis=2), strict=True):
            own = cells.reshape(replicates, k, 4, -1).swapaxes(1, 2) if part.kind == "multilabel" else cells
            blocks.append(own.reshape(replicates, -1))
        yield blocks


def value_in_draws(
    row: CountAggregate, cells: Floats, part: FoldSet, kind: Kind, beta: float, average: Average
) -> Floats:
    """An aggregate in each replicate."""
    if row.of_summed is not None:
        return row.of_summed(counts_of_cells(cells, part, kind, summed=True), beta, average)
    return np.asarray(row.function(counts_of_cells(cells, part, kind, summed=False), beta, average), dtype=np.float64)
