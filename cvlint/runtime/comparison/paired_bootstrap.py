"""The paired bootstrap: both experiments are measured on each set of samples that is drawn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from cvlint.runtime.aggregates.registry import COUNT_AGGREGATES, CountAggregate
from cvlint.runtime.comparison.pairing import Pair
from cvlint.runtime.data.foldset import FoldSet
from cvlint.runtime.intervals.bootstrap import Bootstrap
from cvlint.runtime.intervals.unit_draws import Units, counts_of_cells, drawn_cells, units_of
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
        How to draw: over all folds for an aggregate of summed counts, within each fold for a mean over folds.
    """
    found: Drawn = {}
    chosen = [row for row in COUNT_AGGREGATES if row.key in keys]
    kind: Kind = "multiclass" if pair.first.kind == "binary" and average != "binary" else pair.first.kind
    for within in (False, True):
        rows = [row for row in chosen if (row.of_summed is None) == within]
        if not rows:
            continue
        blocks = drawn_pairs(pair, within, average in ("binary", "macro"), bootstrap)
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
    pair: Pair, within: bool, each_class: bool, bootstrap: Bootstrap
) -> Iterator[list[tuple[FoldSet, Floats]]] | str:
    """The counts that are drawn: each repetition of the first experiment, then of the second, with its cells."""
    units = pair_units(pair, within, each_class)
    if isinstance(units, str):
        return units
    several = repetitions(pair)
    parts = [one for one, _, _ in several] + [other for _, other, _ in several]
    if not within:  # what is summed over the folds anyway needs no counts of each
        parts = [replace(part, fold=np.zeros_like(part.fold), fold_names=("",)) for part in parts]
    blocks = drawn_cells(parts, [units.unit[rows] for _, _, rows in several] * 2, units, bootstrap)
    return blocks if isinstance(blocks, str) else (list(zip(parts, cells, strict=True)) for cells in blocks)


def value_in_draws(
    row: CountAggregate, cells: Floats, part: FoldSet, kind: Kind, beta: float, average: Average
) -> Floats:
    """An aggregate in each replicate."""
    if row.of_summed is not None:
        return row.of_summed(counts_of_cells(cells, part, kind, summed=True), beta, average)
    return np.asarray(row.function(counts_of_cells(cells, part, kind, summed=False), beta, average), dtype=np.float64)
