"""Every aggregate of an experiment side by side, with the table of its folds and warnings about them.

`recompute` starts from predictions, `recompute_counts` from counts. The aggregates themselves stand in the table of
`cvlint.runtime.aggregates.registry`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from cvlint.runtime.aggregates.count_aggregates import (
    count_aggregates,
    intervals_of_groups,
    intervals_of_samples,
    intervals_of_tables,
)
from cvlint.runtime.aggregates.fold_warnings import fold_anomalies, set_anomalies
from cvlint.runtime.aggregates.ranking_aggregates import RankingValues, ranking_aggregates, ranking_values
from cvlint.runtime.aggregates.registry import COUNT_AGGREGATES, RankingMeasure, asked_measures
from cvlint.runtime.aggregates.results import Aggregate, FoldRow, Recomputed
from cvlint.runtime.data.foldset import FoldSet
from cvlint.runtime.data.labels import Label
from cvlint.runtime.errors import FoldDataError
from cvlint.runtime.intervals.bootstrap import Bootstrap, Intervals
from cvlint.runtime.measures.counts import Average, Counts, Kind, counts_of
from cvlint.runtime.measures.f_over_folds import f_avg
from cvlint.runtime.measures.recall_weight import checked_beta

MOST_SIMULATED = 200  # experiments and repetitions: more have no expected biases, which take longest
MANY = 1e9  # negatives, where their number is unknown: the number of false positives among so many is Poisson's
OF_POSITIVE = "a ranking of the positive label, which no average over classes changes"
WEIGHTS_ONLY = "the counts are sums of weights, and the samples are not at hand"


def recompute(
    folds: FoldSet,
    *,
    beta: float = 1.0,
    average: Average | None = None,
    k: int | None = None,
    bootstrap: Bootstrap | None = None,
    max_fpr: float | None = None,
    gain: bool = False,
    simulated: bool = True,
) -> tuple[Recomputed, ...]:
    """Compute every aggregate that the data allow, for each experiment and repetition in the set.

    Parameters
    ----------
    folds
        The data.
    beta
        The weight of recall against precision in F.
    average
        How classes are averaged; by default "binary" for a binary task, else "macro".
    k
        For precision among the ``k`` highest scores; None to leave it out.
    bootstrap
        For confidence intervals; None for none. Rankings by several columns of scores get none.
    max_fpr
        For the partial AUC up to this false positive rate; None to leave it out.
    gain
        Whether to compute the area under the precision-recall-gain curve.
    simulated
        Whether to simulate the expected biases, which takes up to a tenth of a second for each experiment.

    Raises
    ------
    FoldDataError
        For the average "binary" of more than two classes, and for a beta that is not from 0 to a million.

    Returns
    -------
    tuple of Recomputed
        One for each experiment and repetition, in the order of their names.

    References
    ----------
    Forman & Scholz 2010, sections 2 to 4.
    """
    beta, asked = checked_beta(beta), asked_measures(max_fpr, gain)
    found = []
    runs = [(experiment, *one) for experiment, ours in folds.parts("experiment") for one in ours.parts("repeat")]
    simulated = simulated and len(runs) <= MOST_SIMULATED
    for experiment, repeat, part in runs:
        chosen: Average = average or ("binary" if part.kind == "binary" else "macro")
        found.append(recompute_part(part, chosen, beta, k, bootstrap, experiment, repeat, asked, simulated))
    return tuple(found)


def recompute_part(
    part: FoldSet,
    average: Average,
    beta: float,
    k: int | None,
    bootstrap: Bootstrap | None,
    experiment: Label,
    repeat: Label,
    asked: tuple[RankingMeasure, ...] = (),
    simulated: bool = True,
) -> Recomputed:
    """Every aggregate of one repetition of one experiment."""
    if average == "binary" and part.kind != "binary":
        raise FoldDataError(
            f"there are {len(part.classes)} classes, so that no average is binary: name the positive label, or average "
            "them by micro, macro or weighted."
        )
    kind: Kind = "multiclass" if part.kind == "binary" and average != "binary" else part.kind  # both classes count
    tables = part.tables()
    counts = part.counts() if tables is None else counts_of(tables, kind)
    ranking = ranking_values(part, k, bootstrap, average, asked)
    aggregates: list[Aggregate] = []
    warnings = set_anomalies(part)
    if counts is not None:
        weighted = part.weight is not None
        if bootstrap is None or part.group is not None:
            intervals: Intervals = {}
        elif tables is not None and not weighted:
            intervals = intervals_of_tables(tables, kind, beta, average, bootstrap)
        else:
            intervals = intervals_of_samples(part, kind, beta, average, bootstrap)
        if bootstrap is not None and part.group is not None:
            intervals = intervals_of_groups(part, counts, kind, beta, average, bootstrap)
        aggregates += count_aggregates(counts, beta, average, intervals, weighted=weighted, simulated=simulated)
        warnings = fold_anomalies(counts, part.fold_names, part.classes[-counts.tp.shape[1] :]) + warnings
    if ranking is not None:
        binary = part.kind == "binary" and average != "binary"
        aggregates += ranking_aggregates(ranking, k, OF_POSITIVE if binary else "", asked)
    rows = fold_rows(part, counts, ranking, beta, average)
    unclear = part.unclear_classes if average == "binary" or ranking is not None else None
    return Recomputed(tuple(aggregates), rows, tuple(warnings), experiment, repeat, average, beta, unclear)


def recompute_counts(
    counts: Counts,
    names: tuple[Label, ...],
    *,
    beta: float = 1.0,
    bootstrap: Bootstrap | None = None,
    simulated: bool = True,
) -> Recomputed:
    """Compute every aggregate that the counts of a binary task allow, without its samples.

    Parameters
    ----------
    counts
        Counts of shape (folds, 1). Where no fold has true negatives, their number is taken as unknown and large: the
        bootstrap then draws false positives from a Poisson distribution.
    names
        The folds' names.
    beta
        The weight of recall against precision in F.
    bootstrap
        For intervals; None for none.
    simulated
        Whether to simulate the expected biases.

    Returns
    -------
    Recomputed
        The aggregates of F; rankings need scores.

    Raises
    ------
    FoldDataError
        For a beta that is not from 0 to a million.
    """
    beta = checked_beta(beta)
    known = bool(counts.tn.any())
    tn = counts.tn if known else np.full(counts.tn.shape, MANY)
    tables = np.stack((tn, counts.fp, counts.fn, counts.tp), axis=-1).reshape(-1, 2, 2)
    intervals: Intervals = {}
    if bootstrap is not None:
        intervals = dict.fromkeys((row.key for row in COUNT_AGGREGATES), WEIGHTS_ONLY)
        if np.array_equal(tables, np.round(tables)):
            intervals = intervals_of_tables(tables, "binary", beta, "binary", bootstrap)
    rows = count_rows(names, counts, beta)
    if not known:
        rows = tuple(replace(row, samples=None, tn=None) for row in rows)
    aggregates = count_aggregates(counts, beta, "binary", intervals, simulated=simulated)
    return Recomputed(tuple(aggregates), rows, tuple(fold_anomalies(counts, names, ("",))), beta=beta)


def fold_rows(
    part: FoldSet, counts: Counts | None, ranking: RankingValues | None, beta: float, average: Average
) -> tuple[FoldRow, ...]:
    """The table of folds; with several classes F is averaged over them."""
    sizes = part.summed(part.weight)
    several = (len(part.targets) if counts is None else counts.tp.shape[1]) > 1
    positives = None if several else part.summed(part.is_class(0))
    areas = None if ranking is None else ranking.of_folds("auc")
    if counts is None:
        known = positives if positives is not None else np.full(len(sizes), np.nan)
        shown = zip(part.fold_names, sizes.tolist(), known.tolist(), strict=True)
        rows = [FoldRow(name, size, None if several else own) for name, size, own in shown]
    elif several:
        each = [float(f_avg(counts.one(i), beta, average)) for i in range(len(sizes))]
        shown = zip(part.fold_names, sizes.tolist(), each, strict=True)
        rows = [FoldRow(name, size, None, f=f) for name, size, f in shown]
    else:
        rows = list(count_rows(part.fold_names, counts, beta))
    if areas is None:
        return tuple(rows)
    return tuple(replace(row, auc=auc) for row, auc in zip(rows, areas.tolist(), strict=True))


def count_rows(names: Sequence[Label], counts: Counts, beta: float) -> tuple[FoldRow, ...]:
    """The rows of the folds of a binary task, with their counts."""
    tp, fp, fn, tn = cells = counts.cells[:, :, 0]
    f = np.where(tp + fp + fn > 0, counts.f(beta)[:, 0], np.nan)
    precision, recall = counts.precision()[:, 0], counts.recall()[:, 0]
    values = (tp + fp + fn + tn, tp + fn, *cells, precision, recall, f)
    return tuple(FoldRow(*row) for row in zip(names, *(each.tolist() for each in values), strict=True))
