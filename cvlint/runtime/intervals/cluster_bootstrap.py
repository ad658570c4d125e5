"""Intervals of aggregates of counts of grouped samples: whole groups are drawn, because their samples are alike.

The groups are drawn among those of all folds, for a mean over folds as many for each fold as it has: a fold with two
groups that hold a positive does not show how far such folds differ. The replicates are then moved so that their mean is
the aggregate. The numbers of positives are random, as the number of samples is where groups differ in size.

References
----------
Field & Welsh 2007, Bootstrapping clustered data.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cvlint.runtime.data.arrays import rows_of_each
from cvlint.runtime.data.foldset import FoldSet
from cvlint.runtime.intervals.bootstrap import (
    EACH_FOLD,
    FEW_HOLDING,
    FEW_IN_FOLDS,
    LEAST,
    LONE_GROUP,
    MOST_DRAWN,
    TOO_LONG,
    Bootstrap,
    Intervals,
    replicate_blocks,
    shifted_interval,
)
from cvlint.runtime.intervals.count_bootstrap import CountStatistics
from cvlint.runtime.intervals.unit_draws import MOST_ALIKE, MOST_CELLS, cells_of, compressed, counts_of_cells, units_of
from cvlint.runtime.measures.counts import Average, Floats, Kind


def grouped_count_intervals(
    folds: FoldSet, kind: Kind, statistics: CountStatistics, values: Mapping[str, float], bootstrap: Bootstrap
) -> Intervals:
    """Intervals of aggregates of counts.

    Parameters
    ----------
    folds
        One repetition, with groups and predicted labels.
    kind
        As for `cvlint.runtime.intervals.count_bootstrap.table_intervals`, or "multilabel".
    statistics
        The aggregates.
    values
        The aggregates by their keys.
    bootstrap
        How to draw.
    """
    found: Intervals = {}
    for within, measures in ((False, statistics.of_summed), (True, statistics.over_folds)):
        why = why_no_groups(folds, statistics.average, within)
        drawn = why or drawn_folds(folds, within, bootstrap)
        if isinstance(drawn, str):
            found |= dict.fromkeys(measures, drawn)
            continue
        units = len(np.unique(folds.group[0])) if folds.group is not None else 1
        blocks = [counts_of_cells(cells, folds, kind, summed=not within) for cells in drawn]
        for key, measure in measures.items():
            each = np.concatenate([np.asarray(measure(counts)).reshape(-1) for counts in blocks])
            scale = (units / (units - 1)) ** 0.5  # a bootstrap of g units draws (g - 1) / g of the variance
            found[key] = shifted_interval(values.get(key, np.nan), each, bootstrap.level, scale=scale)
    return found


def why_no_groups(folds: FoldSet, average: Average, within: bool) -> str:
    """Why groups say too little of an aggregate; empty where they say enough."""
    units = units_of(folds, within)
    if isinstance(units, str):
        return units
    fewest = fewest_groups(folds, average)
    if fewest < LEAST:
        return FEW_HOLDING
    if within and fewest < EACH_FOLD * folds.folds:
        return FEW_IN_FOLDS
    lone = (
        within
        and average == "binary"
        and any(fewest_groups(folds.rows(rows), average) == 1 for rows in rows_of_each(folds.fold, folds.folds))
    )
    return LONE_GROUP if lone else ""


def drawn_folds(folds: FoldSet, within: bool, bootstrap: Bootstrap) -> Iterator[Floats] | str:
    """The counts in blocks of replicates, (replicates, counts), or why there are none.

    Groups without weights that add the same to the counts are drawn as one: their number decides how often.
    """
    if folds.group is None:
        raise ValueError("the set holds no groups")
    unit = compressed(folds.group[0])
    one = replace(folds, fold=np.zeros_like(folds.fold), fold_names=("",))
    own, size = cells_of(one)
    m = int(unit.max()) + 1
    k = folds.folds if within else 1
    if m * size > MOST_CELLS:
        return TOO_LONG
    matrix = np.zeros((m, size))
    np.add.at(matrix, (unit[:, None], own), 1.0 if folds.weight is None else folds.weight[:, None])
    numbers = np.ones(m, dtype=np.int64)
    if folds.weight is None and matrix.size <= MOST_ALIKE:
        matrix, numbers = np.unique(matrix, axis=0, return_counts=True)
    if (len(numbers) + size) * k * bootstrap.replicates > MOST_DRAWN:
        return TOO_LONG
    fold = np.zeros(m, dtype=np.intp)
    fold[unit] = folds.fold if within else 0
    return drawn_blocks(matrix, numbers, np.bincount(fold, minlength=k), folds, bootstrap)


def drawn_blocks(
    matrix: Floats, numbers: NDArray[np.int64], groups: NDArray[np.intp], folds: FoldSet, bootstrap: Bootstrap
) -> Iterator[Floats]:
    """The blocks of `drawn_folds`, for folds with so many ``groups`` each; empty folds where one holds all of them."""
    rng = np.random.default_rng(bootstrap.seed)
    k, size = folds.folds, matrix.shape[1]
    for replicates in replicate_blocks(bootstrap, max(len(numbers), size) * k):
        drawn = rng.multinomial(groups, numbers / numbers.sum(), size=(replicates, len(groups)))
        cells = np.zeros((replicates, k, size))
        cells[:, : len(groups)] = drawn @ matrix
        if folds.kind == "multilabel":
            yield cells.reshape(replicates, k, 4, -1).swapaxes(1, 2).reshape(replicates, -1)
        else:
            yield cells.reshape(replicates, -1)


def fewest_groups(folds: FoldSet, average: Average) -> int:
    """How many groups hold a sample of a class: the fewest over the classes that an average hangs on.

    Where every class counts the same it is that of any class (of a label, also the groups with a sample that lacks it),
    else that of all classes but the largest together.
    """
    if folds.group is None:
        raise ValueError("the set holds no groups")
    group = folds.group[0]
    each: list[NDArray[Any]]
    if folds.kind == "multilabel":
        sides = (folds.y_true, ~folds.y_true)
        if average == "macro":
            each = [np.asarray(side[:, label]) for side in sides for label in range(side.shape[1])]
        else:
            each = [np.asarray(side.any(axis=1)) for side in sides]
    elif average in ("binary", "macro"):
        each = [np.asarray(folds.y_true == code) for code in range(len(folds.classes))]
    else:
        each = [np.asarray(folds.y_true != np.bincount(folds.y_true).argmax())]
    return min((len(np.unique(group[rows])) for rows in each if rows.any()), default=0)
