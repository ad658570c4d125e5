"""Compare two experiments on the same samples: every aggregate with its paired interval, tests, and a sentence."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from cvlint.runtime.aggregates.fold_warnings import split_groups
from cvlint.runtime.aggregates.ranking_aggregates import RankingValues, measures_for, ranking_aggregates, ranking_values
from cvlint.runtime.aggregates.registry import COUNT_AGGREGATES, CountAggregate
from cvlint.runtime.comparison.fold_tests import bayesian_t, corrected_t, shown_p
from cvlint.runtime.comparison.mcnemar import mcnemar
from cvlint.runtime.comparison.other_training import with_other_training
from cvlint.runtime.comparison.paired_bootstrap import (
    Drawn,
    Repetition,
    count_differences,
    pair_units,
    repetitions,
)
from cvlint.runtime.comparison.paired_delong import DifferenceError, difference_error
from cvlint.runtime.comparison.pairing import Pair
from cvlint.runtime.comparison.results import Compared, Difference, PairedTest
from cvlint.runtime.comparison.verdict import interval_of, judged, t_interval
from cvlint.runtime.data.foldset import FoldSet
from cvlint.runtime.errors import FoldDataError
from cvlint.runtime.intervals.bootstrap import Bootstrap
from cvlint.runtime.intervals.cluster_bootstrap import fewest_groups
from cvlint.runtime.intervals.count_bootstrap import EACH_CLASS
from cvlint.runtime.intervals.student_t import p_value
from cvlint.runtime.intervals.unit_draws import NO_IDENTITY
from cvlint.runtime.measures.counts import Average, Counts, counts_of
from cvlint.runtime.measures.f_over_folds import f_of_each_fold

MACRO_ONLY = "of rankings of several classes only the macro average has a paired interval"
EACH_FOLD = {"f": "F of each fold", "auc": "AUC of each fold"}  # by family, what the tests over folds compare
ONE_FOLD = "each repetition has one fold, so that the size of the training sets is not known"
MANY = 100  # samples of a class: Student's t would widen by 2 % at most, which costs power and shows in no coverage
METHODS = {"auc": "DeLong", "ap": "jackknife", "p_at_k": "jackknife"}  # by family, where the interval is from
DELONG = (
    "delong",
    "DeLong's paired test",
    "DeLong, DeLong & Clarke-Pearson 1988; within groups Obuchowski 1997",
    "The few samples that decide AUC make its standard error uncertain: hence Student's t, as in the interval. Samples "
    "(or groups) are independent, and the models are taken as they are: another training set may turn the result.",
)


def compare(
    pair: Pair,
    *,
    beta: float = 1.0,
    average: Average | None = None,
    k: int | None = None,
    bootstrap: Bootstrap | None = None,
    rope: float = 0.01,
    measure: str | None = None,
) -> Compared:
    """Compare two experiments: each difference is that of the second from the first.

    Parameters
    ----------
    pair
        The experiments, as `cvlint.runtime.comparison.pairing.paired` matches them.
    beta, average, k
        As for `cvlint.runtime.recompute`.
    bootstrap
        How the intervals are drawn.
    rope
        Half the width of the region of practical equivalence.
    measure
        The key of the aggregate that decides; by default F_tp,fp, and without predicted labels AUC_avg.

    Raises
    ------
    FoldDataError
        For the average "binary" of more than two classes, and for a measure that cannot be computed.

    Returns
    -------
    Compared
        The verdict is about the second experiment.
    """
    bootstrap = bootstrap or Bootstrap()
    first = pair.first
    average = average or ("binary" if first.kind == "binary" else "macro")
    if average == "binary" and first.kind != "binary":
        raise FoldDataError(
            f"there are {len(first.classes)} classes, so that no average is binary: name the positive label, or "
            "average them by micro, macro or weighted."
        )
    several = repetitions(pair)
    differences: list[Difference] = []
    tests: list[PairedTest] = []
    ratio = test_to_train(several)
    if first.y_pred is not None and pair.second.y_pred is not None:
        differences += f_differences(pair, several, beta, average, bootstrap)
        tests += [mcnemar(first, pair.second, pair.names)]
        each = f_of_folds(several, beta, average)
        differences = [with_other_training(d, each, first.folds, ratio, bootstrap.level) for d in differences]
        tests += [corrected_t(each, ratio, EACH_FOLD["f"])]
        tests += [bayesian_t(each, ratio, EACH_FOLD["f"], rope, pair.names)]
    if first.y_score is not None and pair.second.y_score is not None:
        sides = [ranked(several, side, k, average) for side in (0, 1)]
        ours = score_differences(pair, several, sides, k, average, bootstrap)
        for one in ours:
            of_folds = of_each_fold(sides, one.family)
            differences.append(with_other_training(one, of_folds, first.folds, ratio, bootstrap.level))
        tests += [delong(one) for one in ours if one.family == "auc"]
        each = of_each_fold(sides, "auc")
        tests += [corrected_t(each, ratio, EACH_FOLD["auc"])]
        tests += [bayesian_t(each, ratio, EACH_FOLD["auc"], rope, pair.names)]
    chosen = chosen_difference(differences, measure)
    samples = distinct_samples(pair, several)
    positives = int(first.is_class(0)[several[0][2]].sum()) if first.kind == "binary" else None
    verdict, sentence, needed = judged(chosen, pair, samples if positives is None else positives, bootstrap.level)
    groups = None if first.group is None else len(np.unique(first.group[0]))
    notes = (*pair.notes, *dict.fromkeys(a.message for one, _, _ in several for a in split_groups(one)))
    return Compared(
        names=pair.names,
        verdict=verdict,
        sentence=sentence,
        measure=chosen.name,
        differences=tuple(differences),
        tests=tuple(tests),
        needed=needed,
        samples=samples,
        positives=positives,
        folds=several[0][0].folds,
        repeats=len(several),
        groups=groups,
        matched_by=pair.matched_by,
        notes=notes,
    )


def chosen_difference(differences: list[Difference], measure: str | None) -> Difference:
    """The difference that decides."""
    if measure is None:
        return next(one for one in differences if one.right)
    found = next((one for one in differences if one.name == measure), None)
    if found is None:
        known = ", ".join(one.name for one in differences)
        raise FoldDataError(f"the measure {measure!r} cannot be compared here: choose one of {known}.")
    return found


def distinct_samples(pair: Pair, several: list[Repetition]) -> int:
    """The number of different samples."""
    return len(several[0][0]) if pair.sample is None else len(np.unique(pair.sample))


def test_to_train(several: list[Repetition]) -> float | str:
    """The size of a test part relative to the training part, where each model learns from the other folds."""
    if any(one.folds < 2 for one, _, _ in several):
        return ONE_FOLD
    share = float(np.mean([1 / one.folds for one, _, _ in several]))
    return share / (1 - share)


def part_counts(part: FoldSet, average: Average) -> Counts:
    """The counts of each fold, as `cvlint.runtime.recompute` takes them."""
    tables = part.tables()
    if tables is not None:
        return counts_of(tables, "multiclass" if part.kind == "binary" and average != "binary" else part.kind)
    counts = part.counts()
    if counts is None:
        raise ValueError("the set holds no predicted labels")
    return counts


def f_of_folds(several: list[Repetition], beta: float, average: Average) -> list[float]:
    """The difference of F in each fold of each repetition; 0 / 0 counts as 0, as in F_avg."""
    found: list[float] = []
    for one, other, _ in several:
        mine, theirs = (f_of_each_fold(part_counts(part, average), beta, average) for part in (one, other))
        found += [float(d) for d in theirs - mine if d == d]
    return found


def of_each_fold(sides: list[list[RankingValues]], family: str) -> list[float]:
    """The difference of a measure of rankings in each fold of each repetition that defines it."""
    found: list[float] = []
    for mine, theirs in zip(*sides, strict=True):
        found += [float(d) for d in theirs.of_folds(family) - mine.of_folds(family) if d == d]
    return found


def f_differences(
    pair: Pair,
    several: list[Repetition],
    beta: float,
    average: Average,
    bootstrap: Bootstrap,
    rows: Sequence[CountAggregate] = COUNT_AGGREGATES,
) -> list[Difference]:
    """The differences of aggregates of counts."""
    keys = [row.key for row in rows]
    drawn: Drawn = count_differences(pair, keys, beta, average, bootstrap) if bootstrap.replicates else {}
    grouped, fewest = pair.first.group is not None, fewest_units_of(several[0][0], average)
    few = fewest > 1 and (grouped or fewest < MANY)
    scale = math.sqrt(fewest / (fewest - 1)) if few else 1.0  # a bootstrap of g units draws (g - 1) / g
    freedom = fewest - 1 if few and not grouped else math.inf
    found = []
    for row in rows:
        values = []
        for side in (0, 1):
            counts = [part_counts((one, other)[side], average) for one, other, _ in several]
            of_counts = [
                float(row.function(c, beta, average)) if (c.positives + c.predicted).any() else float("nan")
                for c in counts
            ]
            values.append(float(np.mean(of_counts)))
        own = Difference(row.key, row.label, row.family, row.right, values[0], values[1])
        each = drawn.get(row.key)
        if isinstance(each, np.ndarray):
            mean = float(each.mean())
            centre = own.value if row.of_summed is None else mean  # folds differ from those drawn from all of them
            each = centre + scale * (each - mean)
        found.append(interval_of(own, each, pair, bootstrap, freedom))
    return found


def fewest_units_of(one: FoldSet, average: Average) -> int:
    """How many samples, or groups, of a repetition the difference hangs on: those of the smallest class that counts."""
    if one.group is not None:
        return fewest_groups(one, average)
    if one.kind == "multilabel":
        both = np.stack((one.y_true.sum(axis=0), (~one.y_true).sum(axis=0)))
        sizes = both.reshape(-1) if average == "macro" else both.sum(axis=1)
    else:
        each = np.bincount(one.y_true)
        sizes = each if average in EACH_CLASS else np.array([each.sum() - each.max()])
    return int(min(sizes[sizes > 0], default=0))


def ranked(several: list[Repetition], side: int, k: int | None, average: Average) -> list[RankingValues]:
    """The measures of the rankings of one experiment in each repetition."""
    each = [ranking_values((one, other)[side], k, None, average) for one, other, _ in several]
    return [one for one in each if one is not None]


def score_differences(
    pair: Pair,
    several: list[Repetition],
    sides: list[list[RankingValues]],
    k: int | None,
    average: Average,
    bootstrap: Bootstrap,
) -> list[Difference]:
    """The differences of the measures of rankings, with the intervals of their variance."""
    values_of = [[{a.name: a.value for a in ranking_aggregates(one, k)} for one in side] for side in sides]
    macro = average == "macro" or pair.first.y_score is None or pair.first.y_score.shape[1] == 1
    found = []
    for row in measures_for(k):
        for key, label in row.aggregates:
            label = label.format(k=k)
            values = [float(np.mean([one[key] for one in side])) for side in values_of]
            own = Difference(key, label, row.family, key.endswith("_avg"), values[0], values[1])
            if own.value != own.value:
                own = replace(own, why=row.why_undefined(not own.right, k, len(sides[0][0].merged[row.family])))
            elif not macro:
                own = replace(own, why=MACRO_ONLY)
            else:
                error = ranking_error(pair, several, key.endswith("_merge"), row.family, k or 0)
                own = t_interval(own, error, bootstrap.level, METHODS[row.family])
            found.append(own)
    return found


def ranking_error(
    pair: Pair, several: list[Repetition], merged: bool, family: str, k: int = 0
) -> DifferenceError | str:
    """The standard error of the difference of a mean over folds, or of a merged value, or why there is none."""
    grouped = pair.first.group is not None
    if grouped:
        units = pair_units(pair, within_folds=False)
        if isinstance(units, str):
            return units
        unit: np.ndarray[tuple[int], np.dtype[np.intp]] = units.unit
    elif len(several) > 1 and pair.sample is None:
        return NO_IDENTITY
    else:
        codes = np.arange(len(pair.first)) if pair.sample is None else pair.sample
        unit = np.unique(codes, return_inverse=True)[1].reshape(-1)
    pairs = [(one, other, unit[rows]) for one, other, rows in several]
    return difference_error(pairs, int(unit.max()) + 1, grouped, merged, family, k)


def delong(one: Difference) -> PairedTest:
    """DeLong's test of a difference of AUCs, by the same distribution as its interval: they never contradict."""
    name, title, reference, assumptions = DELONG
    if one.interval is None:
        return PairedTest(name, title, one.label, reference, assumptions, why=one.why)
    t = one.value / one.error
    p = p_value(t, one.freedom)
    values = {"difference": one.value, "error": one.error, "t": t, "df": one.freedom, "p": p}
    result = f"t = {t:.2f}, {one.freedom:.0f} degrees of freedom, {shown_p(p)}"
    return PairedTest(name, title, one.label, reference, assumptions, values, result)
