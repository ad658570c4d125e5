"""Bootstrap intervals of aggregates of counts, such as F_tp,fp and F_avg.

Samples of each fold and true class are drawn among those of that class in all folds, and one more with an unknown
prediction is added to them. A fold with a single positive leaves nothing else to draw, and one in which all positives
are found does not show that the next one is found, too: drawn within folds and as they are, samples of folds with two
positives differ half as much as they do in truth. Where folds differ in their models, what is drawn over all of them
differs more than samples of each fold do, not less. The replicates are then moved so that their mean is the aggregate.

In a trial with 1, 2, 3, 5 and 10 positives in each of 10 folds of 100 samples, and F 0.8, intervals of 95 % that were
drawn within folds held the mean of F_avg in 30, 86, 94, 94 and 92 % of 300 data sets. `tests/benchmarks/coverage.py`
prints how many hold it now.

References
----------
Agresti & Coull 1998 and Brown, Cai & DasGupta 2001, for what an added sample does to intervals of shares.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cvlint.runtime.data.foldset import FoldSet
from cvlint.runtime.intervals.bootstrap import (
    FEW,
    FEW_LABELS,
    FEW_OF_LABEL,
    FEW_OTHERS,
    LEAST,
    LONE_CLASS,
    LONE_IN_FOLD,
    MOST_DRAWN,
    MOST_SAMPLES,
    TOO_LONG,
    TOO_MANY,
    Bootstrap,
    Interval,
    Intervals,
    shifted_interval,
)
from cvlint.runtime.intervals.drawn_counts import counts_of_tables, draw_cost, drawn_counts
from cvlint.runtime.measures.counts import Average, Counts, Floats, Kind, counts_of
from cvlint.runtime.measures.f_over_folds import f_of_each_fold

EACH_CLASS: tuple[Average, ...] = ("binary", "macro")  # every class counts the same, however few its samples

OverFolds: TypeAlias = Callable[[Counts], Floats | float]
"""An aggregate of the counts of all folds, (folds, classes), or of many experiments at once."""
OfEachFold: TypeAlias = Callable[[Counts], Floats]
"""A measure of each fold by itself, (folds,); of an aggregate of summed counts, the measure of the sums."""


@dataclass(frozen=True, slots=True)
class CountStatistics:
    """The aggregates whose intervals are drawn, by their keys."""

    over_folds: Mapping[str, OverFolds]
    """Means over folds and the like: each fold gets as many samples as it has."""
    of_summed: Mapping[str, OfEachFold]
    """Measures of the counts summed over the folds."""
    average: Average
    """How the classes are averaged."""


def table_intervals(
    tables: NDArray[np.float64], kind: Kind, statistics: CountStatistics, bootstrap: Bootstrap
) -> Intervals:
    """Intervals for samples without weights that have one label each.

    Parameters
    ----------
    tables
        Confusion tables (folds, true, predicted) in whole numbers.
    kind
        "binary", where the last class is the positive one, or "multiclass".
    statistics
        The aggregates.
    bootstrap
        How to draw.
    """
    why = too_few(tables.sum(axis=(0, 2)), statistics.average)
    if why:
        return dict.fromkeys((*statistics.over_folds, *statistics.of_summed), why)
    means: Intervals = dict.fromkeys(statistics.over_folds, TOO_LONG)
    why = lone_in_fold(tables.sum(axis=2), statistics.average, bootstrap)
    if why:
        means = dict.fromkeys(statistics.over_folds, why)
    elif draw_cost(tables) * bootstrap.replicates <= MOST_DRAWN:
        drawn = counts_of_tables(tables, kind, bootstrap)
        means = over_folds_intervals(counts_of(tables, kind), drawn, statistics, bootstrap)
    sums = {
        key: summed_table_interval(tables, kind, measure, statistics.average, bootstrap)
        for key, measure in statistics.of_summed.items()
    }
    return {**means, **sums}


def sample_intervals(folds: FoldSet, kind: Kind, statistics: CountStatistics, bootstrap: Bootstrap) -> Intervals:
    """Intervals for samples with weights, or with several labels each.

    Parameters
    ----------
    folds
        With predicted labels.
    kind
        As for `table_intervals`, or "multilabel".
    statistics
        The aggregates.
    bootstrap
        How to draw. Samples with several labels are drawn whole, so that the numbers of positives are always random,
        and none is added to them. A sample counts with its weight each time it is drawn.
    """
    why = why_not_drawn(folds, statistics.average)
    if why:
        return dict.fromkeys((*statistics.over_folds, *statistics.of_summed), why)
    if folds.kind != "multilabel":
        sizes = np.stack([folds.summed(folds.y_true == code) for code in range(len(folds.classes))], axis=1)
        why = lone_in_fold(sizes, statistics.average, bootstrap)
    over_folds = {} if why else statistics.over_folds
    means: dict[str, list[Floats | float]] = {key: [] for key in over_folds}
    sums: dict[str, list[Floats | float]] = {key: [] for key in statistics.of_summed}
    for counts in drawn_counts(folds, kind, bootstrap):
        for key, aggregate in over_folds.items():
            means[key].append(aggregate(counts))
        summed = Counts(counts.cells.sum(axis=2), counts.kind)
        for key, measure in statistics.of_summed.items():
            sums[key].append(measure(summed))
    now = counts_in(folds, kind)
    values = {key: float(aggregate(now)) for key, aggregate in over_folds.items()}
    values |= {key: float(measure(now.summed())[0]) for key, measure in statistics.of_summed.items()}
    found = {
        key: shifted_interval(values[key], np.concatenate(each), bootstrap.level)
        for key, each in {**means, **sums}.items()
    }
    return {**dict.fromkeys(statistics.over_folds, why), **found}


def tpfp_interval(
    tables: NDArray[np.float64], kind: Kind, beta: float, average: Average, bootstrap: Bootstrap
) -> Interval | None:
    """The interval of F_tp,fp alone, the same as that of `table_intervals`, in a hundredth of the time."""
    measure = partial(f_of_each_fold, beta=beta, average=average)
    found = summed_table_interval(tables, kind, measure, average, bootstrap)
    return found if isinstance(found, Interval) else None


def sample_tpfp_interval(
    folds: FoldSet, kind: Kind, beta: float, average: Average, bootstrap: Bootstrap
) -> Interval | None:
    """The interval of F_tp,fp alone, the same as that of `sample_intervals`."""
    measure = partial(f_of_each_fold, beta=beta, average=average)
    found = summed_sample_interval(folds, kind, measure, average, bootstrap)
    return found if isinstance(found, Interval) else None


def over_folds_intervals(
    found: Counts, drawn: Iterable[Counts], statistics: CountStatistics, bootstrap: Bootstrap
) -> Intervals:
    """The intervals of means over folds, from the counts that were found and those of blocks of replicates."""
    values: dict[str, list[Floats | float]] = {key: [] for key in statistics.over_folds}
    for counts in drawn:
        for key, aggregate in statistics.over_folds.items():
            values[key].append(aggregate(counts))
    return {
        key: shifted_interval(float(aggregate(found)), np.concatenate(values[key]), bootstrap.level)
        for key, aggregate in statistics.over_folds.items()
    }


def summed_table_interval(
    tables: NDArray[np.float64], kind: Kind, measure: OfEachFold, average: Average, bootstrap: Bootstrap
) -> Interval | str:
    """The interval of a measure of the summed counts, or why there is none; a replicate takes the place of a fold."""
    why = too_few(tables.sum(axis=(0, 2)), average)
    if why:
        return why
    pooled = tables.sum(axis=0, keepdims=True)
    if draw_cost(pooled) * bootstrap.replicates > MOST_DRAWN:
        return TOO_LONG
    drawn = (Counts(block.cells[:, :, 0], kind) for block in counts_of_tables(pooled, kind, bootstrap))
    replicates = np.concatenate([measure(counts) for counts in drawn])
    return shifted_interval(float(measure(counts_of(pooled, kind))[0]), replicates, bootstrap.level)


def summed_sample_interval(
    folds: FoldSet, kind: Kind, measure: OfEachFold, average: Average, bootstrap: Bootstrap
) -> Interval | str:
    """As `summed_table_interval`, for samples that are drawn one by one."""
    why = why_not_drawn(folds, average)
    if why:
        return why
    cells = np.concatenate([block.cells.sum(axis=2) for block in drawn_counts(folds, kind, bootstrap)], axis=1)
    value = float(measure(counts_in(folds, kind).summed())[0])
    return shifted_interval(value, measure(Counts(cells, kind)), bootstrap.level)


def counts_in(folds: FoldSet, kind: Kind) -> Counts:
    """The counts of samples, with both classes of a binary task for the kind "multiclass"."""
    tables = folds.tables()
    counts = folds.counts() if tables is None else counts_of(tables, kind)
    if counts is None:
        raise ValueError("the set holds no predicted labels")
    return counts


def too_few(sizes: NDArray[Any], average: Average) -> str:
    """Why samples of classes with these sizes say too little of an average; empty where they say enough.

    Where every class counts the same, a class with a single sample does.
    """
    if average in EACH_CLASS and (sizes == 1).any():
        return LONE_CLASS
    some = sizes[sizes > 0]
    if average == "binary":
        return FEW if (some < LEAST).any() else ""
    return FEW_OTHERS if len(some) > 1 and some.sum() - some.max() < LEAST else ""


def lone_in_fold(sizes: NDArray[Any], average: Average, bootstrap: Bootstrap) -> str:
    """Why there is no interval of a mean over folds with so many samples, (folds, classes); empty where there is.

    Whether folds have one positive or none decides F_avg. Where the numbers of positives are random, experiments that
    have enough of them for an interval have more than others, and their intervals held the mean in 76 %.
    """
    lone = average == "binary" and bootstrap.class_sizes == "random" and (sizes == 1).any()
    return LONE_IN_FOLD if lone else ""


def why_not_drawn(folds: FoldSet, average: Average) -> str:
    """Why samples are not drawn one by one; empty where they are."""
    if len(folds) > MOST_SAMPLES:
        return TOO_MANY
    if folds.kind == "multilabel":
        return too_few_labels(folds.y_true.sum(axis=0), len(folds), average)
    return too_few(np.bincount(folds.y_true), average)


def too_few_labels(positives: NDArray[Any], samples: int, average: Average) -> str:
    """Why labels that so many samples have say too little of an average; empty where they say enough.

    Where every label counts the same, each must be found, and be missing, in enough samples, or in none.
    """
    both = np.stack((positives, samples - positives))
    if average in EACH_CLASS:
        return FEW_OF_LABEL if ((both > 0) & (both < LEAST)).any() else ""
    return FEW_LABELS if both.sum(axis=1).min() < LEAST else ""
