"""The paired bootstrap: both experiments are measured on each set of samples that is drawn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from cvlint.runtime.aggregates.ranking_aggregates import replicate_measures
from cvlint.runtime.aggregates.registry import COUNT_AGGREGATES, CountAggregate
from cvlint.runtime.comparison.pairing import Pair
from cvlint.runtime.data.foldset import FoldSet
from cvlint.runtime.intervals.bootstrap import MOST_SAMPLES, TOO_MANY, Bootstrap
from cvlint.runtime.intervals.ranking_bootstrap import WAYS, ReplicateMeasure
from cvlint.runtime.intervals.unit_draws import Units, counts_of_cells, drawn_cells, multiplicity_blocks, units_of
from cvlint.runtime.intervals.unit_rankings import mean_measures, unit_rankings
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


def ranking_differences(pair: Pair, k: int | None, bootstrap: Bootstrap, leave_out: Sequence[str] = ()) -> Drawn:
    """The differences of the measures of rankings, over the drawn samples: of the mean over folds and merged.

    Parameters
    ----------
    pair
        Both with scores. With several columns of scores the measure is the mean over the columns.
    k
        For precision at ``k``; None to leave it out.
    bootstrap
        How to draw: within each fold, and over all folds for merged scores.
    leave_out
        Families that are not drawn.
    """
    measures = {family: each for family, each in replicate_measures(k).items() if family not in leave_out}
    found: Drawn = {}
    for way in WAYS if measures else ():
        units = pair_units(pair, within_folds=way == "avg")
        if isinstance(units, Units) and len(units.stratum) > MOST_SAMPLES:
            units = TOO_MANY
        drawn = units if isinstance(units, str) else ranking_draws(pair, units, measures, way == "merge", bootstrap)
        found |= {f"{family}_{way}": drawn if isinstance(drawn, str) else drawn[family] for family in measures}
    return found


def ranking_draws(
    pair: Pair, units: Units, measures: Mapping[str, ReplicateMeasure], merged: bool, bootstrap: Bootstrap
) -> dict[str, Floats]:
    """The differences of some measures over the draws of units."""
    columns = range(1 if pair.first.y_score is None else pair.first.y_score.shape[1])
    several = [(parts, column) for parts in repetitions(pair) for column in columns]
    sides = [
        [unit_rankings(one, units.unit[rows], column, merged) for (one, _, rows), column in several],
        [unit_rankings(other, units.unit[rows], column, merged) for (_, other, rows), column in several],
    ]
    found: dict[str, list[Floats]] = {family: [] for family in measures}
    for drawn in multiplicity_blocks(units, bootstrap):
        first, second = ([mean_measures(rankings, measures, drawn) for rankings in side] for side in sides)
        for family in measures:
            left, right = (np.mean([one[family] for one in side], axis=0) for side in (first, second))
            found[family].append(right - left)
    return {family: np.concatenate(values) for family, values in found.items()}
