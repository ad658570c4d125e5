"""Every aggregate of an experiment side by side, with what is odd about its folds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from cvlint.runtime.aggregates.expected_bias import Bias, expected_biases
from cvlint.runtime.aggregates.fold_warnings import Anomaly, fold_anomalies, set_anomalies
from cvlint.runtime.data.foldset import FoldSet
from cvlint.runtime.data.labels import Label
from cvlint.runtime.errors import FoldDataError
from cvlint.runtime.intervals.f_bootstrap import (
    MOST_SAMPLES,
    NOT_ASKED,
    Bootstrap,
    Interval,
    Intervals,
    f_intervals,
    sample_f_intervals,
)
from cvlint.runtime.intervals.ranking_bootstrap import ranking_intervals
from cvlint.runtime.measures.counts import Average, Counts, Floats, Kind, counts_of, f_aggregates, quotient
from cvlint.runtime.measures.ranking import Ranking

F_LABELS = {
    "f_tpfp": "F_tp,fp",
    "f_avg": "F_avg",
    "f_prre": "F_pr,re",
    "f_avg_valid": "F~avg",
    "f_prre_valid": "F~pr,re",
}
RANKING_LABELS = {"auc_avg": "AUC_avg", "auc_merge": "AUC_merge", "ap_avg": "AP_avg", "ap_merge": "AP_merge"}
LABELS = {**F_LABELS, **RANKING_LABELS}
MANY = 1e9  # negatives, of which so few are false positives that their number is Poisson's
SEVERAL = "the samples are ranked by several columns of scores"
F_MEANINGS = {
    "f_tpfp": "F of the counts summed over the folds",
    "f_avg": "mean of the folds' F",
    "f_prre": "F of the folds' mean precision and mean recall",
    "f_avg_valid": "mean of F over the valid folds only",
    "f_prre_valid": "F of mean precision and recall over the valid folds only",
}


@dataclass(frozen=True, slots=True)
class Aggregate:
    """One number made of all folds.

    Attributes
    ----------
    name, label, meaning
        What it is called in code ("f_tpfp"), in the paper ("F_tp,fp"), and what it is.
    family
        The measure: "f", "auc", "ap" or "p_at_k"; aggregates of one family compete.
    value
        From 0 to 1, or NaN where it is undefined.
    right
        Whether it is the one to report of its family, if it is defined.
    interval
        A confidence interval, or None.
    note
        What a reader must know, such as folds that had to be left out; may be empty.
    expected_bias, expected_bias_error
        Relative to the true F (0.01 is 1 %), and its standard error (0 for an exact one); None where it is not known.
    why
        Why the value, the interval or the expected bias is not known, by that name.
    """

    name: str
    label: str
    meaning: str
    family: str
    value: float
    right: bool
    interval: Interval | None = None
    note: str = ""
    expected_bias: float | None = None
    expected_bias_error: float | None = None
    why: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, eq=False, slots=True)
class FoldRow:
    """What one fold holds, and its measures; NaN where one is undefined, None where nothing is known of it.

    F is that of the counts, 0 where only precision or only recall is undefined (Forman & Scholz 2010, equation 2).
    """

    fold: Label
    samples: float | None
    positives: float | None
    tp: float | None = None
    fp: float | None = None
    fn: float | None = None
    tn: float | None = None
    precision: float | None = None
    recall: float | None = None
    f: float | None = None
    auc: float | None = None

    @property
    def valid(self) -> bool:
        """Whether precision, recall and F are defined, as far as they are known."""
        return not any(value != value for value in (self.precision, self.recall, self.f))


@dataclass(frozen=True, eq=False, slots=True)
class Recomputed:
    """All that is computed of one experiment (in one repetition); ``classes`` as `FoldSet.unclear_classes`."""

    aggregates: tuple[Aggregate, ...]
    rows: tuple[FoldRow, ...]
    anomalies: tuple[Anomaly, ...]
    experiment: Label = ""
    repeat: Label = ""
    average: Average = "binary"
    beta: float = 1.0
    classes: tuple[Label, Label] | None = None

    def value(self, name: str) -> float:
        """The value of an aggregate by its name.

        Raises
        ------
        KeyError
            When there is none of that name.
        """
        return {a.name: a.value for a in self.aggregates}[name]


def recompute(
    folds: FoldSet,
    *,
    beta: float = 1.0,
    average: Average | None = None,
    k: int | None = None,
    bootstrap: Bootstrap | None = None,
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

    Raises
    ------
    FoldDataError
        For the average "binary" of more than two classes.

    Returns
    -------
    tuple of Recomputed
        One for each experiment and repetition, in the order of their names.

    References
    ----------
    Forman & Scholz 2010, sections 2 to 4.
    """
    found = []
    for experiment, ours in folds.parts("experiment"):
        for repeat, part in ours.parts("repeat"):
            chosen: Average = average or ("binary" if part.kind == "binary" else "macro")
            found.append(recompute_part(part, chosen, beta, k, bootstrap, experiment, repeat))
    return tuple(found)


def recompute_part(
    part: FoldSet,
    average: Average,
    beta: float,
    k: int | None,
    bootstrap: Bootstrap | None,
    experiment: Label,
    repeat: Label,
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
    ranking = ranked(part, k, bootstrap)
    aggregates: list[Aggregate] = []
    odd = set_anomalies(part)
    if counts is not None:
        weighted = part.weight is not None
        if bootstrap is None:
            intervals: Intervals = {}
        elif tables is not None and not weighted:
            intervals = f_intervals(tables, kind, beta, average, bootstrap)
        else:
            intervals = sample_f_intervals(part, kind, beta, average, bootstrap)
        aggregates += f_family(counts, beta, average, intervals, weighted=weighted)
        odd = fold_anomalies(counts, part.fold_names, part.classes[-counts.tp.shape[1] :]) + odd
    if ranking is not None:
        aggregates += ranking_family(ranking, k)
    rows = fold_rows(part, counts, ranking, beta, average)
    unclear = part.unclear_classes if average == "binary" or ranking is not None else None
    return Recomputed(tuple(aggregates), rows, tuple(odd), experiment, repeat, average, beta, unclear)


def recompute_counts(
    counts: Counts, names: tuple[Label, ...], *, beta: float = 1.0, bootstrap: Bootstrap | None = None
) -> Recomputed:
    """All that the counts of a binary task allow, where no samples are at hand.

    Parameters
    ----------
    counts
        Counts of shape (folds, 1); where no fold has true negatives, they are taken as not known, and as many: false
        positives are then drawn as Poisson's.
    names
        The folds' names.
    beta
        The weight of recall against precision in F.
    bootstrap
        For intervals; None for none.
    """
    known = bool(counts.tn.any())
    tn = counts.tn if known else np.full(counts.tn.shape, MANY)
    tables = np.stack((tn, counts.fp, counts.fn, counts.tp), axis=-1).reshape(-1, 2, 2)
    whole = np.array_equal(tables, np.round(tables))
    intervals: Intervals = {}
    if bootstrap is not None:
        none = dict.fromkeys(F_LABELS, "the counts are sums of weights, and the samples are not at hand")
        intervals = f_intervals(tables, "binary", beta, "binary", bootstrap) if whole else {**none}
    rows = tuple(count_row(name, counts, i, beta) for i, name in enumerate(names))
    if not known:
        rows = tuple(replace(row, samples=None, tn=None) for row in rows)
    odd = fold_anomalies(counts, names, ("",))
    return Recomputed(tuple(f_family(counts, beta, "binary", intervals)), rows, tuple(odd), beta=beta)


def f_family(
    counts: Counts, beta: float, average: Average, intervals: Intervals, *, weighted: bool = False
) -> list[Aggregate]:
    """The five aggregates of F."""
    values = f_aggregates(counts, beta, average)
    whole = counts.micro() if average == "micro" else counts
    invalid = int((~whole.valid).any(axis=1).sum())
    left_out = f"{invalid} of {len(counts.tp)} folds left out" if invalid and whole.tp.shape[1] == 1 else ""
    something = bool((whole.positives + whole.predicted).any())  # else F is 0 / 0
    biases = expected_biases(counts, beta, weighted)
    found = []
    for name, label in F_LABELS.items():
        note = left_out if name.endswith("valid") else ""
        bias = biases if isinstance(biases, str) else biases.get(name, "it is undefined in every repetition")
        value = getattr(values, name) if something else float("nan")
        plain = Aggregate(name, label, F_MEANINGS[name], "f", value, name == "f_tpfp", note=note)
        found.append(completed(plain, intervals.get(name, NOT_ASKED), bias))
    return found


def completed(aggregate: Aggregate, interval: Interval | str, bias: Bias | str) -> Aggregate:
    """An aggregate with its interval and expected bias, or why there are none."""
    undefined = bool(np.isnan(aggregate.value))
    why = {"value": "no fold defines it"} if undefined else {}
    why |= {"interval": interval} if isinstance(interval, str) else {}
    why |= {"expected_bias": bias} if isinstance(bias, str) else {}
    aggregate = replace(aggregate, why=why, interval=None if undefined or isinstance(interval, str) else interval)
    if isinstance(bias, str):
        return aggregate
    return replace(aggregate, expected_bias=bias.value, expected_bias_error=bias.error)


@dataclass(frozen=True, eq=False, slots=True)
class Ranked:
    """The measures of the rankings by each column of scores.

    Attributes
    ----------
    each
        By family, the measure of each column in each fold: (columns, folds).
    merged
        By family, the measure of all folds' scores together, of each column.
    intervals
        By the aggregates' names, or why there are none.
    """

    each: dict[str, Floats]
    merged: dict[str, list[float]]
    intervals: Intervals


def ranked(part: FoldSet, k: int | None, bootstrap: Bootstrap | None) -> Ranked | None:
    """Rank by one column of scores after the other, each forgotten before the next; None without scores."""
    if part.y_score is None:
        return None
    measures: dict[str, Callable[[Ranking], float]] = {"auc": Ranking.roc_auc, "ap": average_precision}
    if k is not None:
        measures["p_at_k"] = lambda ranking: ranking.precision_at(k)
    each: dict[str, list[list[float]]] = {family: [] for family in measures}
    together: dict[str, list[float]] = {family: [] for family in measures}
    columns = part.y_score.shape[1]
    intervals: Intervals = {}
    for column in range(columns):
        for family in measures:
            each[family].append([])
        parts: list[Ranking] = []
        for ranking in part.fold_rankings(column):
            for family, measure in measures.items():
                each[family][-1].append(measure(ranking))
            if len(part) <= MOST_SAMPLES:
                parts.append(ranking)  # of more samples they are not needed again, and large
        whole = part.whole_ranking(column)
        for family, measure in measures.items():
            together[family].append(measure(whole))
        if bootstrap is not None and columns == 1:
            intervals = ranking_intervals(parts, whole, k, bootstrap)
        elif bootstrap is not None:
            intervals = {f"{family}_{how}": SEVERAL for family in measures for how in ("avg", "merge")}
    return Ranked({family: np.array(values) for family, values in each.items()}, together, intervals)


def average_precision(ranking: Ranking) -> float:
    """Average precision; NaN without both classes, for without negatives every ranking has 1."""
    return ranking.average_precision() if len(ranking.negatives) else float("nan")


def ranking_family(found: Ranked, k: int | None) -> list[Aggregate]:
    """The mean over folds, and the merged value, of AUC, average precision and precision at k.

    With several columns of scores (one against the rest each) the mean over the columns is taken.
    """
    aggregates = []
    for family, label in (("auc", "AUC"), ("ap", "AP"), ("p_at_k", f"P@{k}")):
        if family not in found.each:
            continue
        each = found.each[family]
        missing = int(np.isnan(each).any(axis=0).sum())
        note = f"undefined in {missing} of {each.shape[1]} folds, which are left out" if missing else ""
        defined = quotient(np.nansum(each, axis=1), (~np.isnan(each)).sum(axis=1).astype(np.float64), np.nan)
        mean, merged = float(defined.mean()), float(np.mean(found.merged[family]))
        for name, value, meaning in (
            ("avg", mean, f"mean of the folds' {label}"),
            ("merge", merged, f"{label} of all folds' scores together"),
        ):
            own = note if name == "avg" else ""
            plain = Aggregate(f"{family}_{name}", f"{label}_{name}", meaning, family, value, name == "avg", note=own)
            interval = found.intervals.get(plain.name, NOT_ASKED)
            aggregates.append(completed(plain, interval, "it is computed for F only"))
    return aggregates


def fold_rows(
    part: FoldSet, counts: Counts | None, found: Ranked | None, beta: float, average: Average
) -> tuple[FoldRow, ...]:
    """The table of folds; of several classes the averages."""
    sizes = part.summed(part.weight)
    several = (len(part.targets) if counts is None else counts.tp.shape[1]) > 1
    positives = None if several else part.summed(part.is_class(0))
    rows = []
    for i, name in enumerate(part.fold_names):
        auc = float(found.each["auc"][:, i].mean()) if found is not None else None
        if counts is None:
            row = FoldRow(name, float(sizes[i]), None if positives is None else float(positives[i]))
        elif several:
            row = FoldRow(name, float(sizes[i]), None, f=f_aggregates(counts.one(i), beta, average).f_avg)
        else:
            row = count_row(name, counts, i, beta)
        rows.append(replace(row, auc=auc))
    return tuple(rows)


def count_row(name: Label, counts: Counts, i: int, beta: float) -> FoldRow:
    """A fold of a binary task with its counts."""
    tp, fp, fn, tn = (float(cell) for cell in counts.cells[:, i, 0])
    precision, recall = float(counts.precision()[i, 0]), float(counts.recall()[i, 0])
    f = float(counts.f(beta)[i, 0]) if tp + fp + fn else float("nan")
    return FoldRow(name, tp + fp + fn + tn, tp + fn, tp, fp, fn, tn, precision, recall, f)
