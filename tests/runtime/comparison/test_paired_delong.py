"""The standard error of a difference of AUCs, against the kernel over all pairs of a positive and a negative."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from cvlint.runtime import FoldSet
from cvlint.runtime.aggregates.ranking_aggregates import ranking_values
from cvlint.runtime.comparison.compare import compare, ranked, ranking_error, score_differences
from cvlint.runtime.comparison.paired_bootstrap import repetitions
from cvlint.runtime.comparison.paired_delong import FEW_AMONG_FIRST, auc_parts
from cvlint.runtime.comparison.pairing import Pair, paired
from cvlint.runtime.comparison.results import Difference
from cvlint.runtime.intervals.bootstrap import EQUAL, LONE, LONE_GROUP, Bootstrap
from cvlint.runtime.intervals.ranking_influence import placements
from cvlint.runtime.intervals.ranking_intervals import FEW_OF_CLASS
from cvlint.runtime.intervals.student_t import half_width, p_value
from cvlint.runtime.intervals.unit_draws import FEW_GROUPS, NO_IDENTITY


def kernel(y: NDArray[Any], s: NDArray[Any]) -> NDArray[np.float64]:
    """1, 1/2 or 0 for each positive and each negative."""
    gap = s[y == 1][:, None] - s[y == 0][None, :]
    return (gap > 0) + 0.5 * (gap == 0)


def brute_variance(y: NDArray[Any], first: NDArray[Any], second: NDArray[Any]) -> float:
    """DeLong's variance of the difference: S10 / m + S01 / n."""
    psi = kernel(y, second) - kernel(y, first)
    m, n = psi.shape
    return float(np.var(psi.mean(axis=1), ddof=1) / m + np.var(psi.mean(axis=0), ddof=1) / n)


def drawn(n: int = 60, folds: int = 3, seed: int = 0) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 3 == 0
    return {
        "fold": np.arange(n) // 3 % folds,
        "y": y.astype(int),
        "a": np.round(rng.normal(size=n) + y, 1),  # with ties
        "b": np.round(rng.normal(size=n) + 1.5 * y, 1),
    }


def error_of(pair: Pair, merged: bool) -> float:
    found = ranking_error(pair, repetitions(pair), merged, "auc")
    assert not isinstance(found, str)
    return found.error


def test_the_mean_over_folds_and_merged() -> None:
    d = drawn()
    pair = paired(*(FoldSet.from_arrays(d["fold"], d["y"], y_score=d[s]) for s in "ab"))
    each = [brute_variance(d["y"][rows], d["a"][rows], d["b"][rows]) for rows in (d["fold"] == f for f in range(3))]
    assert error_of(pair, False) == pytest.approx(np.sqrt(sum(each)) / 3, rel=1e-12)
    merged = np.sqrt(brute_variance(d["y"], d["a"], d["b"]))
    assert error_of(pair, True) == pytest.approx(merged, rel=1e-12)


def test_the_parts_of_one_auc() -> None:
    d = drawn()
    psi = kernel(d["y"], d["a"])
    parts = auc_parts(d["y"] == 1, d["a"])
    m, n = psi.shape
    expected = np.var(psi.mean(axis=1), ddof=1) / m + np.var(psi.mean(axis=0), ddof=1) / n
    assert parts @ parts == pytest.approx(expected, rel=1e-12)
    above = placements(d["a"][d["y"] == 1], np.sort(d["a"][d["y"] == 0]), None)
    assert above.mean() == pytest.approx(psi.mean(), rel=1e-12)


def test_equal_weights_are_no_weights() -> None:
    d = drawn()
    assert auc_parts(d["y"] == 1, d["a"], np.full(60, 2.5)) == pytest.approx(auc_parts(d["y"] == 1, d["a"]), abs=1e-15)


def test_a_repetition_that_is_a_copy_changes_nothing() -> None:
    d = drawn()
    twice = {key: np.concatenate((value, value)) for key, value in d.items()}
    more = {"repeat": np.repeat([1, 2], 60), "sample_id": np.tile(np.arange(60), 2)}
    once = paired(*(FoldSet.from_arrays(d["fold"], d["y"], y_score=d[s]) for s in "ab"))
    both = paired(*(FoldSet.from_arrays(twice["fold"], twice["y"], y_score=twice[s], **more) for s in "ab"))
    assert error_of(both, False) == pytest.approx(error_of(once, False), rel=1e-12)


def test_groups_add_up() -> None:
    """Each sample twice, in one group, tells no more than each sample once."""
    d = drawn(n=300)
    twice = {key: np.repeat(value, 2) for key, value in d.items()}
    once = paired(*(FoldSet.from_arrays(d["fold"], d["y"], y_score=d[s]) for s in "ab"))
    group = np.repeat(np.arange(300), 2)
    both = paired(*(FoldSet.from_arrays(twice["fold"], twice["y"], y_score=twice[s], group=group) for s in "ab"))
    single, grouped = (error_of(each, True) for each in (once, both))
    assert grouped == pytest.approx(single, rel=0.01)  # the factors m / (m - 1) differ


def test_the_groups_of_each_fold_vary_around_its_own_mean() -> None:
    """Obuchowski's factor g / (g - 1) is that of the groups in the ranking: 8 in each fold, not 24 in all."""
    d = drawn(n=96)
    group = np.arange(96) // 12 * 3 + d["fold"]
    pair = paired(*(FoldSet.from_arrays(d["fold"], d["y"], y_score=d[s], group=group) for s in "ab"))
    expected = 0.0
    for rows in (np.flatnonzero(d["fold"] == f) for f in range(3)):
        parts = auc_parts(d["y"][rows] == 1, d["b"][rows]) - auc_parts(d["y"][rows] == 1, d["a"][rows])
        sums = [parts[group[rows] == g].sum() for g in np.unique(group[rows])]
        assert len(sums) == 8
        expected += float(np.square(sums).sum()) * 8 / 7 / 9
    assert error_of(pair, False) == pytest.approx(np.sqrt(expected), rel=1e-9)


def test_a_group_with_all_positives_of_a_fold_gives_no_interval() -> None:
    fold, y = np.arange(400) % 2, np.arange(400) // 2 % 4 == 0
    group = np.where(y & (fold == 0), 0, np.arange(400) + 1)
    rng = np.random.default_rng(0)
    pair = paired(*(FoldSet.from_arrays(fold, y, y_score=rng.normal(size=400), group=group) for _ in "ab"))
    assert ranking_error(pair, repetitions(pair), False, "auc") == LONE_GROUP


def test_reasons_without_an_interval() -> None:
    d = drawn()
    y = np.zeros(60, dtype=int)
    y[:3] = 1  # one positive a fold
    fold = np.arange(60) % 3
    lone = paired(*(FoldSet.from_arrays(fold, y, y_score=d[s]) for s in "ab"))
    assert ranking_error(lone, repetitions(lone), False, "auc") == LONE
    same = paired(*(FoldSet.from_arrays(fold, d["y"], y_score=d["a"] * f) for f in (1, 2)))
    assert ranking_error(same, repetitions(same), True, "auc") == EQUAL
    few = paired(*(FoldSet.from_arrays(fold, d["y"], y_score=d[s], group=np.arange(60) % 4) for s in "ab"))
    assert ranking_error(few, repetitions(few), True, "auc") == FEW_GROUPS
    y = np.arange(200) < 19
    wide = [
        FoldSet.from_arrays(np.arange(200) % 2, y, y_score=np.sin(np.arange(200) * f), group=np.arange(200))
        for f in (1, 2)
    ]
    assert ranking_error(paired(*wide), repetitions(paired(*wide)), True, "auc") == FEW_OF_CLASS
    repeat = np.repeat([1, 2], 30)
    unknown = paired(*(FoldSet.from_arrays(fold, d["y"], y_score=d[s], repeat=repeat) for s in "ab"))
    assert ranking_error(unknown, repetitions(unknown), False, "auc") == NO_IDENTITY


def test_delong_decides_where_there_are_scores_only() -> None:
    rng = np.random.default_rng(3)
    y = np.arange(400) % 2
    sides = [FoldSet.from_arrays(np.arange(400) // 2 % 4, y, y_score=rng.normal(size=400) + s * y) for s in (0.3, 1.5)]
    found = compare(paired(*sides), bootstrap=Bootstrap(200))
    assert found.measure == "auc_avg"
    assert found.verdict == "better"
    assert compare(paired(*sides[::-1]), bootstrap=Bootstrap(200)).verdict == "worse"
    test = next(one for one in found.tests if one.name == "delong")
    assert test.values["t"] == pytest.approx(found.chosen.value / found.chosen.error)
    assert test.values["df"] == found.chosen.freedom


@given(st.integers(0, 10**6), st.integers(12, 40), st.floats(0.0, 1.2), st.booleans())
@settings(max_examples=60, deadline=None)
def test_the_interval_and_the_test_never_contradict(seed: int, positives: int, gap: float, grouped: bool) -> None:
    """An interval of 1 - p ends at 0, so that one of 95 % holds 0 just where p is at least .05."""
    rng = np.random.default_rng(seed)
    y = np.arange(6 * positives) % 6 == 0
    fold = np.arange(len(y)) // 6 % 3
    columns = {"group": np.arange(len(y)) // 2} if grouped else {}
    shared = rng.normal(size=len(y))
    sides = [
        FoldSet.from_arrays(fold, y, y_score=shared + rng.normal(size=len(y)) + s * y, **columns) for s in (1, 1 + gap)
    ]
    pair = paired(*sides)
    found = compare(pair, bootstrap=Bootstrap(0))
    for test in found.tests:
        if test.name == "delong" and test.values and test.values["p"] > 1e-6:
            one = next(d for d in found.differences if d.label == test.measure)
            assert one.shown == (test.values["p"] < 0.05)
            touching = compare(pair, bootstrap=Bootstrap(0, level=1 - test.values["p"]))
            again = next(d for d in touching.differences if d.label == test.measure).interval
            assert again is not None
            assert min(abs(again.low), abs(again.high)) == pytest.approx(0, abs=1e-6)


def test_the_quantile_and_p_are_inverse() -> None:
    for freedom in (1.0, 2.7, 9.0, 300.0, 10_001.0, float("inf")):
        assert p_value(half_width(0.95, freedom), freedom) == pytest.approx(0.05, abs=1e-9)


def test_the_error_of_ap_is_that_of_other_samples() -> None:
    """By its values without each sample alone it was a tenth too large, by its derivatives as much too small."""
    rng, n = np.random.default_rng(1), 100
    y, fold = np.arange(n) % 10 < 2, np.arange(n) // 20 % 5 // 2  # folds of 8, 8 and 4 positives
    values, variances = [], []
    for _ in range(1_500):
        common = rng.normal(size=n)
        pair = paired(*(FoldSet.from_arrays(fold, y, y_score=s * y + common + rng.normal(size=n)) for s in (2.0, 3.0)))
        error = ranking_error(pair, repetitions(pair), False, "ap")
        assert not isinstance(error, str)
        first, second = (ranking_values(side, None, None, "binary") for side in (pair.first, pair.second))
        assert first is not None and second is not None
        values.append(float(np.mean(second.of_folds("ap") - first.of_folds("ap"))))
        variances.append(error.error**2)
    assert np.sqrt(np.mean(variances)) / np.std(values) == pytest.approx(1, abs=0.05)


def top_differences(experiments: int, separations: tuple[float, float], k: int) -> list[Difference]:
    """The differences of P@k of so many experiments with two models, ten folds and 400 samples."""
    rng, y, fold = np.random.default_rng(3), np.arange(400) % 2, np.arange(400) // 2 % 10
    found = []
    for _ in range(experiments):
        both = rng.normal(size=400)
        scores = [(both + rng.normal(size=400)) / 2**0.5 + s * y for s in separations]
        pair = paired(*(FoldSet.from_arrays(fold, y, y_score=score) for score in scores))
        several = repetitions(pair)
        sides = [ranked(several, side, k, "binary") for side in (0, 1)]
        every = score_differences(pair, several, sides, k, "binary", Bootstrap(2))
        found.append(next(one for one in every if one.name == "p_at_k_avg"))
    return found


def test_differences_among_the_first_that_have_an_interval_are_no_lucky_ones() -> None:
    """With limits on the hits of each model, few experiments had an interval: those where the better one had bad luck.

    Of intervals of 95 % of the mean over repetitions, 92 % held the mean of all experiments.
    """
    every = top_differences(400, (1.2, 1.6), 10)
    known = [one for one in every if one.interval is not None]
    values = np.array([one.value for one in every])
    assert len(known) > 200
    error = values.std() / len(known) ** 0.5
    assert np.mean([one.value for one in known]) == pytest.approx(values.mean(), abs=3 * error)
    held = np.mean([one.interval.low <= values.mean() <= one.interval.high for one in known if one.interval])
    assert 0.92 < held < 0.98


def test_nearly_all_positives_among_the_first_give_no_interval() -> None:
    """Among the first 36 of 40 samples of a fold are all positives of both models: the difference is 0."""
    assert {one.why for one in top_differences(5, (1.2, 1.6), 36)} == {FEW_AMONG_FIRST}


def test_few_negatives_among_the_first_give_no_interval() -> None:
    """Some seven of the 100 first samples are negatives: where at least five are enough, 98 % of the intervals hold."""
    every = top_differences(60, (1.7, 1.9), 10)
    negatives = [100 * (1 - (one.first + one.second) / 2) for one in every]
    assert 5 < np.mean(negatives) < 9
    for number, one in zip(negatives, every, strict=True):
        assert (one.why == FEW_AMONG_FIRST) == (number < 10 - 1e-9)
