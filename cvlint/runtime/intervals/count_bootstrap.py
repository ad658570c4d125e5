"""Bootstrap intervals of aggregates of counts, such as F_tp,fp and F_avg."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from cvlint.runtime.data.foldset import FoldSet
from cvlint.runtime.intervals.bootstrap import (
    LONE,
    LONE_CLASS,
    MOST_SAMPLES,
    TOO_MANY,
    Bootstrap,
    Interval,
    Intervals,
    measure_interval,
    multiplicities,
    replicate_blocks,
)
from cvlint.runtime.measures.counts import Average, Counts, Floats, Kind, counts_of
from cvlint.runtime.measures.f_over_folds import f_of_each_fold

EACH_CLASS: tuple[Average, ...] = ("binary", "macro")  # every class counts the same, however few its samples

OverFolds: TypeAlias = Callable[[Counts], float]
"""An aggregate of the counts of all folds."""
OfEachFold: TypeAlias = Callable[[Counts], Floats]
"""A measure of each fold by itself, (folds,); of an aggregate of summed counts, the measure of the sums."""


@dataclass(frozen=True, slots=True)
class CountStatistics:
    """The aggregates whose intervals are drawn, by their keys."""

    over_folds: Mapping[str, OverFolds]
    """Means over folds and the like: samples are drawn within each fold."""
    of_summed: Mapping[str, OfEachFold]
    """Measures of the counts summed over the folds: samples are drawn over all folds together."""
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

    Returns
    -------
    dict
        By the aggregate's key an interval, or why there is none.
    """
    if (tables.sum(axis=2) == 1).any():
        means: Intervals = dict.fromkeys(statistics.over_folds, LONE)
    else:
        drawn = (counts_of(t, kind) for t in drawn_tables(tables, bootstrap))
        means = over_folds_intervals(drawn, statistics, bootstrap)
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
        How to draw. Samples with several labels are drawn whole, among all of a fold, or of all folds. A sample counts
        with its weight each time it is drawn.

    Returns
    -------
    dict
        As of `table_intervals`.
    """
    if len(folds) > MOST_SAMPLES:
        return dict.fromkeys((*statistics.over_folds, *statistics.of_summed), TOO_MANY)
    if has_lone_sample(folds):
        means: Intervals = dict.fromkeys(statistics.over_folds, LONE)
    else:
        means = over_folds_intervals(drawn_counts(folds, kind, bootstrap), statistics, bootstrap)
    sums = {
        key: summed_sample_interval(folds, kind, measure, statistics.average, bootstrap)
        for key, measure in statistics.of_summed.items()
    }
    return {**means, **sums}


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


def over_folds_intervals(drawn: Iterable[Counts], statistics: CountStatistics, bootstrap: Bootstrap) -> Intervals:
    """The intervals of means over folds, from the counts of each replicate."""
    values: dict[str, list[float]] = {key: [] for key in statistics.over_folds}
    for counts in drawn:
        for key, aggregate in statistics.over_folds.items():
            values[key].append(aggregate(counts))
    return {key: measure_interval(own, bootstrap.level) for key, own in values.items()}


def summed_table_interval(
    tables: NDArray[np.float64], kind: Kind, measure: OfEachFold, average: Average, bootstrap: Bootstrap
) -> Interval | str:
    """The interval of a measure of the summed counts, or why there is none; a replicate takes the place of a fold."""
    pooled = tables.sum(axis=0, keepdims=True)
    if average in EACH_CLASS and (pooled.sum(axis=2) == 1).any():
        return LONE_CLASS
    replicates = counts_of(drawn_tables(pooled, bootstrap)[:, 0], kind)
    return measure_interval(measure(replicates), bootstrap.level)


def summed_sample_interval(
    folds: FoldSet, kind: Kind, measure: OfEachFold, average: Average, bootstrap: Bootstrap
) -> Interval | str:
    """As `summed_table_interval`, for samples that are drawn one by one."""
    pooled = replace(folds, fold=np.zeros_like(folds.fold), fold_names=folds.fold_names[:1])
    if average in EACH_CLASS and has_lone_sample(pooled):
        return LONE_CLASS
    cells = np.concatenate([counts.cells for counts in drawn_counts(pooled, kind, bootstrap)], axis=1)
    return measure_interval(measure(Counts(cells, kind)), bootstrap.level)


def drawn_tables(tables: NDArray[np.float64], bootstrap: Bootstrap) -> NDArray[np.int64]:
    """Confusion tables drawn from those given, in each fold and true class: (replicates, folds, true, predicted)."""
    rng = np.random.default_rng(bootstrap.seed)
    k, c, _ = tables.shape
    sizes = tables.sum(axis=2)
    shares = np.divide(tables, sizes[:, :, None], out=np.full(tables.shape, 1 / c), where=sizes[:, :, None] > 0)
    return rng.multinomial(sizes.astype(np.int64), shares, size=(bootstrap.replicates, k, c))


def has_lone_sample(folds: FoldSet) -> bool:
    """Whether a sample has no other in its fold and class to be exchanged for."""
    return any(len(masses) == 1 for _, masses in strata_of(folds))


def drawn_counts(folds: FoldSet, kind: Kind, bootstrap: Bootstrap) -> Iterator[Counts]:
    """The counts of each replicate."""
    rng = np.random.default_rng(bootstrap.seed)
    strata = list(strata_of(folds))
    k, c = folds.folds, len(folds.classes)
    shape = (4, k, c) if kind == "multilabel" else (k, c, c)
    for size in replicate_blocks(bootstrap, len(folds)):
        total = np.zeros((size, *shape))
        for place, masses in strata:
            cell = (slice(None), *place)
            total[cell] = (multiplicities(rng, len(masses), size) @ masses).reshape(total[cell].shape)
        yield from (Counts(t, "multilabel") if kind == "multilabel" else counts_of(t, kind) for t in total)


def strata_of(folds: FoldSet) -> Iterator[tuple[tuple[int | slice, ...], Floats]]:
    """The strata that samples are drawn within: the place of their counts, and what each sample adds, (n, cells)."""
    if folds.y_pred is None:
        raise ValueError("the set holds no predicted labels")
    weight = np.ones(len(folds)) if folds.weight is None else folds.weight
    for fold in range(folds.folds):
        rows = np.flatnonzero(folds.fold == fold)
        true, pred = folds.y_true[rows], folds.y_pred[rows]
        if folds.kind == "multilabel":
            cells = np.concatenate((true & pred, ~true & pred, true & ~pred, ~true & ~pred), axis=1)
            yield (slice(None), fold), cells * weight[rows, None]
            continue
        for label in range(len(folds.classes)):
            chosen = true == label
            if chosen.any():
                yield (fold, label), np.eye(len(folds.classes))[pred[chosen]] * weight[rows[chosen], None]
