"""The paired bootstrap, against one that draws rows one by one and computes every aggregate anew."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.metrics import average_precision_score, f1_score

from cvlint.runtime import FoldSet, recompute
from cvlint.runtime.comparison.compare import compare
from cvlint.runtime.comparison.paired_bootstrap import count_differences, drawn_pairs, listed_fold_sums
from cvlint.runtime.comparison.paired_delong import FEW_FIRST
from cvlint.runtime.comparison.pairing import paired
from cvlint.runtime.intervals.bootstrap import Bootstrap
from cvlint.runtime.intervals.unit_draws import entries_of, listed_sums, pattern_sums

N, FOLDS, REPLICATES = 240, 4, 3_000
KEYS = ("f_tpfp", "f_avg", "f_prre", "f_avg_valid", "f_prre_valid")


def data(classes: int = 2, seed: int = 0) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(N) % classes) if classes > 2 else (np.arange(N) % 5 == 0).astype(int)
    fold = rng.permutation(N) % FOLDS
    sides = [np.where(rng.random(N) < right, y, rng.integers(0, classes, N)) for right in (0.5, 0.6)]
    scores = [np.round(rng.normal(size=N) + s * (y > 0), 1) for s in (1.0, 1.3)]
    return {"y": y, "fold": fold, "pred": sides, "score": scores}


def drawn_rows(strata: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Rows drawn with replacement within strata."""
    return np.concatenate([rng.choice(rows, len(rows)) for rows in (np.flatnonzero(strata == s) for s in set(strata))])


def plain_f(y: np.ndarray, pred: np.ndarray, classes: int) -> float:
    """F of the positive class, or its mean over the classes that occur."""
    chosen = [1] if classes == 2 else [c for c in range(classes) if ((y == c) | (pred == c)).any()]
    return float(np.mean([2 * ((y == c) & (pred == c)).sum() / ((y == c).sum() + (pred == c).sum()) for c in chosen]))


@pytest.mark.parametrize("classes", [2, 3])
def test_counts(classes: int) -> None:
    d = data(classes)
    pair = paired(*(FoldSet.from_arrays(d["fold"], d["y"], p) for p in d["pred"]))
    average: Any = "binary" if classes == 2 else "macro"
    ours = count_differences(pair, KEYS, 1.0, average, Bootstrap(REPLICATES))
    rng = np.random.default_rng(1)
    pooled, means = [], []
    for _ in range(1_000):
        rows = drawn_rows(d["y"], rng)
        pooled.append([plain_f(d["y"][rows], p[rows], classes) for p in d["pred"]])
        each = []
        for f in range(FOLDS):  # as many of each class as the fold has, among those of all folds
            inside = d["fold"] == f
            strata = [(np.flatnonzero(d["y"] == c), int((d["y"][inside] == c).sum())) for c in range(classes)]
            own = np.concatenate([rng.choice(rows, number) for rows, number in strata])
            each.append([plain_f(d["y"][own], p[own], classes) for p in d["pred"]])
        means.append(np.mean(each, axis=0))
    for key, theirs in (("f_tpfp", pooled), ("f_avg", means)):
        expected = np.diff(theirs, axis=1)[:, 0]
        found = ours[key]
        assert not isinstance(found, str)
        error = expected.std() * np.sqrt(1 / 1_000 + 1 / REPLICATES)
        assert found.mean() == pytest.approx(expected.mean(), abs=4 * error)
        assert found.std() == pytest.approx(expected.std(), rel=0.12)


@pytest.mark.parametrize(("key", "merged"), [("ap_merge", True), ("p_at_k_avg", False), ("p_at_k_merge", True)])
def test_errors_of_rankings_are_those_of_drawing_rows(key: str, merged: bool) -> None:
    d, k, repetitions = data(), 40 if merged else 15, 600
    pair = paired(*(FoldSet.from_arrays(d["fold"], d["y"], y_score=s) for s in d["score"]))
    ours = {one.name: one for one in compare(pair, k=k, bootstrap=Bootstrap(2)).differences}[key]
    rng = np.random.default_rng(2)
    drawn = []
    for _ in range(repetitions):
        rows = drawn_rows(d["y"] if merged else d["y"] * FOLDS + d["fold"], rng)
        each = [rows] if merged else [rows[d["fold"][rows] == f] for f in range(FOLDS)]
        drawn.append([np.mean([measured_in(key, d["y"][own], s[own], k) for own in each]) for s in d["score"]])
    expected = np.diff(drawn, axis=1)[:, 0]
    assert ours.interval is not None and ours.error == pytest.approx(expected.std(), rel=0.2)


def measured_in(key: str, y: np.ndarray, score: np.ndarray, k: int) -> float:
    """Average precision, or the precision of the k highest scores, of which ties share the last places."""
    if key.startswith("ap"):
        return float(average_precision_score(y, score))
    border = np.sort(score)[-k]
    tied = score == border
    return float((y[score > border].sum() + (k - (score > border).sum()) * y[tied].mean()) / k)


@pytest.mark.parametrize("k", [5, 20, 60])
def test_few_samples_among_the_first_give_no_interval(k: int) -> None:
    """Intervals of P@10 of all scores together held the mean difference in 52 to 100 % of experiments."""
    d = data()
    pair = paired(*(FoldSet.from_arrays(d["fold"], d["y"], y_score=s) for s in d["score"]))
    found = {one.name: one for one in compare(pair, k=k, bootstrap=Bootstrap(2)).differences}
    assert (found["p_at_k_merge"].interval is None) == (k < 60)
    assert k == 60 or found["p_at_k_merge"].why == FEW_FIRST


def test_values_are_those_of_recompute() -> None:
    d = data()
    sides = [FoldSet.from_arrays(d["fold"], d["y"], p, s) for p, s in zip(d["pred"], d["score"], strict=True)]
    found = compare(paired(*sides), bootstrap=Bootstrap(100), k=5)
    each = [recompute(side, k=5)[0] for side in sides]
    assert {one.name for one in found.differences} == {a.name for a in each[0].aggregates}
    for one in found.differences:
        assert (one.first, one.second) == (each[0].value(one.name), each[1].value(one.name))


def test_pairing_narrows_the_interval() -> None:
    """Two classifiers that decide nearly alike differ by little, however uncertain the F of each is."""
    d = data()
    second = d["pred"][0].copy()
    second[:6] = d["y"][:6]
    pair = paired(FoldSet.from_arrays(d["fold"], d["y"], d["pred"][0]), FoldSet.from_arrays(d["fold"], d["y"], second))
    difference = compare(pair, bootstrap=Bootstrap(1_000)).chosen
    alone = recompute(pair.first, bootstrap=Bootstrap(1_000))[0].aggregates[0].interval
    assert difference.interval is not None and alone is not None
    assert difference.interval.high - difference.interval.low < (alone.high - alone.low) / 3


def test_identical_repetitions_tell_no_more_than_one() -> None:
    d = data()
    more = {"repeat": np.repeat([1, 2, 3], N), "sample_id": np.tile(np.arange(N), 3)}
    fold, y = np.tile(d["fold"], 3), np.tile(d["y"], 3)
    thrice = paired(*(FoldSet.from_arrays(fold, y, np.tile(p, 3), **more) for p in d["pred"]))
    once = paired(*(FoldSet.from_arrays(d["fold"], d["y"], p) for p in d["pred"]))
    three = count_differences(thrice, ["f_tpfp"], 1.0, "binary", Bootstrap(REPLICATES))["f_tpfp"]
    one = count_differences(once, ["f_tpfp"], 1.0, "binary", Bootstrap(REPLICATES))["f_tpfp"]
    assert not isinstance(one, str) and not isinstance(three, str)
    assert three.std() == pytest.approx(one.std(), rel=0.08)


def test_copies_in_a_group_tell_no_more_than_one() -> None:
    """Every sample four times: as samples they look like four times the data, as groups they do not."""
    d = data()
    fold, y = np.repeat(d["fold"], 4), np.repeat(d["y"], 4)
    sides = [np.repeat(p, 4) for p in d["pred"]]

    def spread(**columns: Any) -> float:
        pair = paired(*(FoldSet.from_arrays(fold, y, p, **columns) for p in sides))
        found = count_differences(pair, ["f_tpfp", "f_avg"], 1.0, "binary", Bootstrap(1_000))["f_tpfp"]
        assert not isinstance(found, str)
        return float(found.std())

    once = paired(*(FoldSet.from_arrays(d["fold"], d["y"], p) for p in d["pred"]))
    single = count_differences(once, ["f_tpfp"], 1.0, "binary", Bootstrap(1_000))["f_tpfp"]
    assert not isinstance(single, str)
    assert spread() == pytest.approx(single.std() / 2, rel=0.12)
    assert spread(group=np.repeat(np.arange(N), 4)) == pytest.approx(single.std(), rel=0.12)


def test_weights_and_several_labels() -> None:
    rng = np.random.default_rng(5)
    y = rng.integers(0, 2, (90, 3))
    sides = [np.where(rng.random((90, 3)) < right, y, 1 - y) for right in (0.6, 0.9)]
    pair = paired(*(FoldSet.from_arrays(np.arange(90) % 3, y, p) for p in sides))
    found = compare(pair, bootstrap=Bootstrap(400))
    assert (found.verdict, found.positives, found.samples) == ("better", None, 90)
    rows = [rng.integers(0, 90, 90) for _ in range(300)]
    brute = [np.diff([f1_score(y[r], p[r], average="macro") for p in sides])[0] for r in rows]
    assert found.chosen.error == pytest.approx(np.std(brute), rel=0.2)
    weight = np.where(np.arange(90) < 45, 1.0, 3.0)
    heavy = paired(*(FoldSet.from_arrays(np.arange(90) % 3, y[:, 0], p[:, 0], weight=weight) for p in sides))
    one = compare(heavy, bootstrap=Bootstrap(400)).chosen
    assert one.second == pytest.approx(f1_score(y[:, 0], sides[1][:, 0], sample_weight=weight))
    assert one.shown


@pytest.mark.parametrize("several", [False, True])
def test_listed_counts_are_those_of_the_full_matrix(several: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    d = data(3)
    fold, weight = d["fold"], 1 + np.arange(N) % 3 if several else None
    y, pred = d["y"], d["pred"]
    if several:
        y, pred = np.eye(3, dtype=int)[y], [np.eye(3, dtype=int)[p] for p in pred]
    pair = paired(*(FoldSet.from_arrays(fold, y, p, weight=weight) for p in pred))
    found = []
    for full in (0, 10**9):
        monkeypatch.setattr("cvlint.runtime.intervals.unit_draws.FULL", full)
        found.append(count_differences(pair, KEYS, 1.0, "macro", Bootstrap(40)))
    assert set(found[0]) == set(KEYS)
    for key, values in found[0].items():
        assert not isinstance(values, str)
        np.testing.assert_allclose(values, found[1][key], atol=1e-12)


def test_many_classes_have_an_interval_of_the_difference() -> None:
    """A matrix of all samples and all cells of two confusion tables had 10^8 numbers, and there was none."""
    rng, n, classes = np.random.default_rng(0), 3_000, 150
    y = rng.integers(0, classes, n)
    sides = [np.where(rng.random(n) < 0.6, y, rng.integers(0, classes, n)) for _ in range(2)]
    pair = paired(*(FoldSet.from_arrays(np.arange(n) % 3, y, p) for p in sides))
    found = count_differences(pair, ("f_tpfp",), 1.0, "macro", Bootstrap(100))["f_tpfp"]
    assert not isinstance(found, str)
    assert len(found) == 100 and 0.001 < found.std() < 0.05


@pytest.mark.parametrize("mass", [None, 1.0, 3.0])
def test_samples_that_are_drawn_one_by_one_add_up(mass: float | None) -> None:
    """Each sample adds its weight to its two cells, and each fold draws as many of a stratum as it has."""
    cells = np.array([[0, 2], [0, 3], [1, 2]])
    strata = [(np.array([0, 1]), np.array([1, 1])), (np.array([2]), np.array([0, 1]))]
    weight = None if mass is None else np.full(3, mass)
    blocks = listed_fold_sums(cells, 4, strata, weight, Bootstrap(replicates=50))
    sums = np.concatenate(list(blocks)) / (mass or 1.0)
    assert sums.shape == (50, 2, 4)
    assert (sums[:, :, 0] == 1).all() and (sums[:, :, 1] == [0, 1]).all()
    assert (sums[:, :, 2] + sums[:, :, 3] == [1, 2]).all()
    assert 0 < sums[:, 0, 2].mean() < 1


def repeated_pair(positives: int, folds: int = 10, repeats: int = 3) -> list[FoldSet]:
    """Two experiments whose folds have so many positives in each of several repetitions."""
    rng = np.random.default_rng(4)
    n = 20 * folds * positives
    y, every = np.arange(n) < folds * positives, np.arange(n)
    columns = {
        "fold": np.concatenate([np.roll(every % folds, 7 * i) for i in range(repeats)]),
        "y_true": np.tile(y, repeats),
        "repeat": np.repeat(np.arange(repeats), n),
        "sample_id": np.tile(every, repeats),
    }
    score = [np.tile(rng.normal(size=n) + 2 * y, repeats) + 0.3 * rng.normal(size=n * repeats) for _ in range(2)]
    return [FoldSet.from_arrays(**columns, y_pred=one > 1.3) for one in score]


def test_folds_of_repetitions_keep_their_positives() -> None:
    """With one positive a fold, a fold in which a replicate has none would say nothing of the difference."""
    pair = paired(*repeated_pair(1))
    (block,) = drawn_pairs(pair, True, "binary", Bootstrap(50))
    for part, cells in block:
        tables = cells.reshape(50, part.folds, 2, 2)
        assert (tables.sum(axis=3) == part.tables().sum(axis=2)).all()


def test_repetitions_share_what_is_drawn() -> None:
    """Three copies of one repetition have the same interval of a mean over folds as one."""
    first, second = repeated_pair(3, repeats=1)
    copies = [
        FoldSet.from_arrays(
            np.tile(one.fold, 3),
            np.tile(one.y_true, 3),
            np.tile(one.y_pred, 3),
            repeat=np.repeat([1, 2, 3], len(one)),
            sample_id=np.tile(np.arange(len(one)), 3),
        )
        for one in (first, second)
    ]
    own, thrice = (
        count_differences(paired(*pair), ["f_avg"], 1.0, "binary", Bootstrap(4_000))["f_avg"]
        for pair in ((first, second), copies)
    )
    assert np.std(thrice) == pytest.approx(np.std(own), rel=0.06)
    assert np.mean(thrice) == pytest.approx(np.mean(own), abs=0.01)


def test_few_positives_widen_the_interval() -> None:
    """It is as much wider than that of the replicates as Student's t is wider, with as many positives less one."""
    sides = repeated_pair(2, folds=6, repeats=1)
    found = {one.name: one for one in compare(paired(*sides), bootstrap=Bootstrap(2_000)).differences}["f_tpfp"]
    drawn = count_differences(paired(*sides), ["f_tpfp"], 1.0, "binary", Bootstrap(2_000))["f_tpfp"]
    low, high = np.quantile(drawn, [0.025, 0.975])
    assert found.interval is not None
    wide = (12 / 11) ** 0.5 * 2.200985 / 1.959964
    assert found.interval.high - found.interval.low == pytest.approx(wide * (high - low), rel=1e-6)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("alike", [1, 9])  # few draws are added one by one
def test_patterns_that_are_listed_are_drawn_as_others(weighted: bool, alike: int) -> None:
    rng = np.random.default_rng(0)
    stratum, cells = np.repeat([0, 1], [7, 5]), np.stack((rng.integers(0, 4, 12), rng.integers(4, 9, 12)), axis=1)
    numbers, ends = np.full(12, alike), [4, 9]
    mass = rng.uniform(0.5, 2, 12) if weighted else None
    one = pattern_sums(cells, [mass, mass], stratum, numbers, Bootstrap(50), ends)
    entries = entries_of([cells], [np.arange(12)], [mass])
    other = listed_sums(entries, stratum, numbers, Bootstrap(50), ends)
    for mine, theirs in zip(one, other, strict=True):
        for own, same in zip(mine, theirs, strict=True):
            np.testing.assert_allclose(own, same, rtol=1e-12)
            assert own.sum() > 0
