"""Every replicate is the aggregate of the drawn samples, and the intervals are those of drawing by hand."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import f1_score

from cvlint.runtime import Bootstrap, FoldSet, recompute
from cvlint.runtime.aggregates.recompute import recompute_counts
from cvlint.runtime.intervals.bootstrap import (
    CERTAIN,
    EQUAL,
    FEW,
    FEW_HOLDING,
    FEW_LABELS,
    FEW_OF_LABEL,
    FEW_OTHERS,
    LONE,
    LONE_CLASS,
    Interval,
    percentile_interval,
)
from cvlint.runtime.intervals.count_bootstrap import tpfp_interval
from cvlint.runtime.intervals.drawn_counts import drawn_counts, drawn_sizes
from cvlint.runtime.intervals.ranking_intervals import FEW_OF_CLASS
from cvlint.runtime.measures.counts import Counts


def by_hand(folds: FoldSet, names: list[str], replicates: int) -> dict:
    """Intervals of sets that are drawn sample by sample, and computed anew.

    Each fold gets as many samples of each class as it has, out of those of all folds and one that is called either way
    and has their mean weight. Samples with several labels are drawn as they are.
    """
    rng = np.random.default_rng(99)
    (now,) = recompute(folds)
    every = np.arange(len(folds))
    true, weight = folds.y_true, np.ones(len(folds)) if folds.weight is None else folds.weight
    classes = [every] if folds.kind == "multilabel" else [np.flatnonzero(true == c) for c in (0, 1)]
    found: dict[str, list[float]] = {name: [] for name in names}
    for _ in range(replicates):
        drawn = []
        for code in range(folds.folds):
            for rows in classes:
                size = int((folds.fold[rows] == code).sum())
                for row in rng.integers(0, len(rows) + (folds.kind == "binary"), size):
                    unknown = row == len(rows)
                    sample = rows[0] if unknown else rows[row]
                    called = rng.integers(0, 2) if unknown else folds.y_pred[sample]
                    drawn.append((code, true[sample], called, weight[rows].mean() if unknown else weight[sample]))
        fold, own, pred, mass = (np.array(column) for column in zip(*drawn, strict=True))
        (result,) = recompute(FoldSet.from_arrays(fold, own, pred, weight=mass))
        for name in names:
            found[name].append(result.value(name))
    moved = {name: np.array(values) - np.mean(values) + now.value(name) for name, values in found.items()}
    return {name: percentile_interval(values, 0.95) for name, values in moved.items()}


def close(ours: Interval | None, theirs: Interval | str) -> bool:
    assert ours is not None and isinstance(theirs, Interval)
    width = theirs.high - theirs.low
    return abs(ours.low - theirs.low) < 0.15 * width and abs(ours.high - theirs.high) < 0.15 * width


def example(kind: str) -> FoldSet:
    rng = np.random.default_rng(5)
    n = 240
    fold, weight = np.arange(n) % 3, rng.integers(1, 4, n) * 0.5
    if kind == "multilabel":
        true = rng.random((n, 3)) < (0.5, 0.3, 0.2)
        return FoldSet.from_arrays(fold, true, true ^ (rng.random((n, 3)) < 0.2))
    true = rng.random(n) < 0.3
    score = np.round(rng.normal(size=n) + true, 1)
    if kind == "weighted":
        return FoldSet.from_arrays(fold, true, score > 0.5, score, weight=weight)
    return FoldSet.from_arrays(fold, true, None, score)


@pytest.mark.parametrize("kind", ["weighted", "multilabel"])
def test_intervals_are_those_of_drawing_by_hand(kind: str) -> None:
    folds, names = example(kind), ["f_tpfp", "f_avg", "f_prre"]
    (found,) = recompute(folds, bootstrap=Bootstrap(2000))
    theirs = by_hand(folds, names, 300)
    ours = {a.name: a.interval for a in found.aggregates}
    assert all(close(ours[name], theirs[name]) for name in names)
    assert not any("interval" in a.why for a in found.aggregates)


def test_replicates_keep_the_samples_of_each_fold_and_class() -> None:
    folds = example("weighted")
    (value,) = recompute(folds)
    (drawn,) = drawn_counts(folds, "binary", Bootstrap(50))
    assert drawn.tp.shape == (50, 3, 1)
    rows = folds.fold == 0
    expected = f1_score(folds.y_true[rows], folds.y_pred[rows], sample_weight=folds.weight[rows])
    assert value.rows[0].f == pytest.approx(expected)
    assert len(set(drawn.positives[:, 0, 0].tolist())) > 1  # the weights of the positives differ
    plain = FoldSet.from_arrays(folds.fold, folds.y_true, folds.y_pred)
    counts = plain.counts()
    assert counts is not None
    (drawn,) = drawn_counts(plain, "binary", Bootstrap(50))
    np.testing.assert_array_equal(drawn.positives, np.broadcast_to(counts.positives, (50, 3, 1)))


def test_a_random_prevalence_draws_the_number_of_positives() -> None:
    rng, sizes = np.random.default_rng(0), np.array([[90, 3], [91, 2], [90, 3]])
    drawn = drawn_sizes(rng, sizes, 4_000, "random")
    np.testing.assert_array_equal(drawn.sum(axis=(1, 2)), 279)
    positives = drawn[:, :, 1].sum(axis=1)
    assert positives.mean() == pytest.approx(8, abs=0.2)
    assert positives.var() == pytest.approx(8 * (1 - 8 / 279), rel=0.1)
    shares = drawn[:, :, 1] - positives[:, None] * np.array([3, 2, 3]) / 8
    assert abs(shares).max() < 1  # the folds stay stratified
    fixed = drawn_sizes(rng, sizes, 5, "fixed")
    np.testing.assert_array_equal(fixed, np.broadcast_to(sizes, (5, 3, 2)))


@pytest.mark.parametrize("weighted", [False, True])
def test_a_random_prevalence_widens_the_interval_of_f_and_ap_but_not_of_auc(weighted: bool) -> None:
    rng = np.random.default_rng(1)
    fold, true = np.arange(2_000) % 10, np.arange(2_000) % 100 < 5
    score = rng.normal(size=2_000) + 2 * true
    weight = rng.uniform(0.5, 2, 2_000) if weighted else None
    folds = FoldSet.from_arrays(fold, true, score > 1.8, score, weight=weight)
    width = {}
    for class_sizes in ("fixed", "random"):
        (found,) = recompute(folds, bootstrap=Bootstrap(class_sizes=class_sizes))  # type: ignore[arg-type]
        width[class_sizes] = {a.name: a.interval.high - a.interval.low for a in found.aggregates if a.interval}
    ratio = {name: wide / width["fixed"][name] for name, wide in width["random"].items()}
    assert all(ratio[name] > 1.02 for name in ("f_tpfp", "f_avg", "ap_avg", "ap_merge"))
    assert ratio["auc_avg"] == ratio["auc_merge"] == 1


def test_why_there_is_no_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    folds = example("weighted")
    (found,) = recompute(folds)
    assert {a.why["interval"] for a in found.aggregates} == {"no bootstrap was asked for"}
    monkeypatch.setattr("cvlint.runtime.intervals.count_bootstrap.MOST_SAMPLES", 100)
    (found,) = recompute(folds, bootstrap=Bootstrap(20))
    whys = {a.why.get("interval") for a in found.aggregates if a.family == "f"}
    assert whys == {"there are more than 100,000 samples to be drawn"}
    score = np.random.default_rng(0).random((9, 3))
    three = FoldSet.from_arrays([0] * 9, [0, 1, 2] * 3, y_score=score)
    (found,) = recompute(three, bootstrap=Bootstrap(20))
    assert {a.why["interval"] for a in found.aggregates} == {"the samples are ranked by several columns of scores"}
    (found,) = recompute(three)
    assert {a.why["interval"] for a in found.aggregates} == {"no bootstrap was asked for"}
    true, pred = np.ones(24, dtype=int), np.arange(24) % 12 == 0
    (found,) = recompute(FoldSet.from_arrays(np.arange(24) // 12, true, pred), bootstrap=Bootstrap(50))
    whys = {a.name: a.why.get("interval") for a in found.aggregates}
    assert whys["f_avg_valid"] == "it is undefined in some of the samples drawn"
    (found,) = recompute(FoldSet.from_arrays([0, 0, 1, 1], [1, 1, 1, 1], [1, 0, 0, 1]), bootstrap=Bootstrap(50))
    assert {a.why.get("interval") for a in found.aggregates} == {FEW}


@pytest.mark.parametrize(("positives", "least"), [(1, 0.9), (2, 0.9), (5, 0.91)])
def test_intervals_hold_the_truth_with_few_positives_a_fold(positives: int, least: float) -> None:
    """Ten folds of 100 with F 0.8; drawn within each fold, intervals held it in 66 % of the data sets at one each."""
    rng, sets, k = np.random.default_rng(0), 200, 10
    negatives = 100 - positives
    held = 0
    for _ in range(sets):
        tp = rng.binomial(positives, 0.8, k)
        fp = rng.binomial(negatives, 0.2 * positives / negatives, k)
        tables = np.array([[negatives - fp, fp], [positives - tp, tp]], dtype=float).transpose(2, 0, 1)
        found = tpfp_interval(tables, "binary", 1.0, "binary", Bootstrap(200))
        held += found is not None and found.low <= 0.8 <= found.high
    assert held / sets >= least


def whys(folds: FoldSet) -> dict[str, str | None]:
    (found,) = recompute(folds, bootstrap=Bootstrap(100))
    return {a.name: a.why.get("interval") for a in found.aggregates}


@pytest.mark.parametrize("weighted", [False, True])
def test_with_a_lone_sample_in_a_fold_only_rankings_have_no_interval(weighted: bool) -> None:
    rng = np.random.default_rng(0)
    fold, true = np.repeat(np.arange(10), 20), np.arange(200) % 20 == 0
    pred = np.where(true, fold % 2 == 0, rng.random(200) < 0.05)
    weight = rng.integers(1, 3, 200) if weighted else None
    found = whys(FoldSet.from_arrays(fold, true, pred, rng.random(200) + true / 2, weight=weight))
    assert {name for name, why in found.items() if why == LONE} == {"auc_avg", "ap_avg"}
    assert {why for name, why in found.items() if name not in ("auc_avg", "ap_avg")} == {None}


@pytest.mark.parametrize("weighted", [False, True])
def test_no_interval_is_a_point(weighted: bool) -> None:
    """That all samples are classified rightly does not say that the next one is."""
    fold, true = np.arange(40) % 4, np.arange(40) % 3 == 0
    weight = np.arange(40) % 2 + 1.0 if weighted else None
    (found,) = recompute(FoldSet.from_arrays(fold, true, true, true * 1.0, weight=weight), bootstrap=Bootstrap(400))
    for a in found.aggregates:
        if a.family == "f":
            assert a.interval is not None
            assert 0.7 < a.interval.low < 0.99 < a.interval.high == 1
        else:
            assert a.why["interval"] == CERTAIN
    one = np.arange(40) == 7
    assert set(whys(FoldSet.from_arrays(fold, one, one)).values()) == {LONE_CLASS}
    several = np.ones((40, 2), dtype=bool)
    assert set(whys(FoldSet.from_arrays(fold, several, several)).values()) == {EQUAL}


def test_counts_without_true_negatives_are_drawn_as_among_many() -> None:
    """Table 1 of Forman & Scholz, with its true negatives and without."""
    cells = np.array([(3, 0, 0, 373), (4, 1, 0, 371), (4, 13, 0, 359), (3, 5, 1, 367)], dtype=float).T[:, :, None]
    unknown = cells.copy()
    unknown[3] = 0
    known, without = (
        recompute_counts(Counts(each), tuple("abcd"), bootstrap=Bootstrap(1_000)) for each in (cells, unknown)
    )
    for ours, theirs in zip(without.aggregates, known.aggregates, strict=True):
        assert close(ours.interval, theirs.interval or ""), (ours, theirs)
        assert ours.expected_bias is None
    assert {(row.samples, row.tn) for row in without.rows} == {(None, None)}
    assert known.rows[0].tn == 373


@pytest.mark.parametrize("average", ["macro", "weighted", "micro"])
def test_with_few_samples_beside_one_class_no_average_has_an_interval(average: str) -> None:
    fold, true = np.arange(200) % 10, np.repeat([0, 1, 2], [190, 5, 5])
    pred = np.where(np.arange(200) % 7 == 0, (true + 1) % 3, true)
    enough = FoldSet.from_arrays(fold, true, pred)
    few = FoldSet.from_arrays(fold[:199], true[:199], pred[:199])
    whys = []
    for folds in (enough, few):
        (found,) = recompute(folds, average=average, bootstrap=Bootstrap(50))  # type: ignore[arg-type]
        whys.append(next(a for a in found.aggregates if a.name == "f_tpfp").why.get("interval"))
    assert whys == [None, FEW_OTHERS]


@pytest.mark.parametrize(("holding", "expected"), [(19, FEW_OF_CLASS), (20, None)])
def test_with_few_groups_that_hold_a_positive_rankings_have_no_interval(holding: int, expected: str | None) -> None:
    group = np.arange(600) // 6
    true = (group % 100 < holding) & (np.arange(600) % 6 == 0)
    pred, score = true | (np.arange(600) % 11 == 0), np.random.default_rng(0).random(600) + true / 2
    found = whys(FoldSet.from_arrays(group % 2, true, pred, score, group=group))
    rankings = ("auc_avg", "auc_merge", "ap_avg", "ap_merge")
    assert {name: why for name, why in found.items() if why is not None} == dict.fromkeys(
        rankings if expected else (), expected
    )


@pytest.mark.parametrize("average", ["macro", "weighted", "micro"])
@pytest.mark.parametrize("side", [True, False])
def test_with_few_samples_of_a_label_no_average_has_an_interval(average: str, side: bool) -> None:
    """Of labels with five samples each, intervals of 95 % held the macro F in 88 %."""
    rng = np.random.default_rng(0)

    def why(first: int, second: int) -> str | None:
        true = np.zeros((120, 2), dtype=bool)
        true[:first, 0] = true[20 : 20 + second, 1] = True
        pred = true ^ (rng.random(true.shape) < 0.1)
        folds = FoldSet.from_arrays(np.arange(120) % 4, true == side, pred == side)
        (found,) = recompute(folds, average=average, bootstrap=Bootstrap(50))  # type: ignore[arg-type]
        return found.aggregates[0].why.get("interval")

    assert why(10, 10) is None
    assert why(9, 10) == (FEW_OF_LABEL if average == "macro" else None)
    assert why(5, 4) == (FEW_OF_LABEL if average == "macro" else FEW_LABELS)


@pytest.mark.parametrize(("holding", "expected"), [(9, FEW_HOLDING), (10, None)])
@pytest.mark.parametrize("labels", [1, 2])
def test_with_few_groups_that_hold_a_positive_f_has_no_interval(
    holding: int, expected: str | None, labels: int
) -> None:
    group = np.arange(600) // 6
    true = (group < holding) & (np.arange(600) % 6 < 3)
    pred = true ^ (np.arange(600) % 11 == 0)
    if labels == 2:
        true, pred = (np.stack((side, np.arange(600) % 2 == 0), axis=1) for side in (true, pred))
    found = whys(FoldSet.from_arrays(group % 2, true, pred, group=group))
    assert found["f_tpfp"] == found["f_avg"] == expected
    micro = recompute(FoldSet.from_arrays(group % 2, true, pred, group=group), average="micro", bootstrap=Bootstrap(9))
    assert (micro[0].aggregates[0].why.get("interval") == FEW_HOLDING) == (labels == 1 and expected is not None)
