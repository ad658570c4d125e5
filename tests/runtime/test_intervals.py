"""Every replicate is the aggregate of the samples that were drawn; the intervals are those of drawing them by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score, f1_score, roc_auc_score

from cvlint.runtime import Bootstrap, FoldSet, recompute
from cvlint.runtime.intervals import Interval, drawn_counts, middle
from cvlint.runtime.ranking import Ranking
from cvlint.runtime.ranking_intervals import Places


def by_hand(folds: FoldSet, names: list[str], replicates: int, *, classes: bool = True, k: int | None = None) -> dict:
    """Intervals of sets that are drawn sample by sample, within each fold and true class, and computed anew."""
    rng = np.random.default_rng(99)
    strata = [np.flatnonzero(folds.fold == i) for i in range(folds.folds)]
    if classes:
        strata = [rows[folds.y_true[rows] == c] for rows in strata for c in range(len(folds.classes))]
    found: dict[str, list[float]] = {name: [] for name in names}
    for _ in range(replicates):
        rows = np.concatenate([rng.choice(rows, len(rows)) for rows in strata if len(rows)])
        (result,) = recompute(folds.rows(rows), k=k)
        for name in names:
            found[name].append(result.value(name))
    return {name: middle(values, 0.95) for name, values in found.items()}


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
    return FoldSet.from_arrays(fold, true, score > 0.5, score, weight=weight if kind == "weighted" else None)


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        ("weighted", ["f_tpfp", "f_avg", "f_prre", "auc_avg", "auc_merge", "ap_avg", "ap_merge"]),
        ("plain", ["ap_avg", "ap_merge", "p_at_k_avg", "p_at_k_merge"]),
        ("multilabel", ["f_tpfp", "f_avg", "f_prre"]),
    ],
)
def test_intervals_are_those_of_drawing_by_hand(kind: str, names: list[str]) -> None:
    folds, k = example(kind), 20 if kind == "plain" else None
    (found,) = recompute(folds, k=k, bootstrap=Bootstrap(2000))
    theirs = by_hand(folds, names, 300, classes=kind != "multilabel", k=k)
    ours = {a.name: a.interval for a in found.aggregates}
    assert all(close(ours[name], theirs[name]) for name in names)
    assert not any("interval" in a.why for a in found.aggregates)


@given(st.data(), st.integers(1, 6), st.integers(1, 6), st.booleans())
def test_a_replicate_of_a_ranking(data: st.DataObject, p: int, n: int, weighted: bool) -> None:
    score = np.array(data.draw(st.lists(st.integers(0, 4), min_size=p + n, max_size=p + n)), dtype=float)
    times = np.array(data.draw(st.lists(st.integers(0, 3), min_size=p + n, max_size=p + n)), dtype=float)
    times[0], times[p] = max(times[0], 1), max(times[p], 1)
    truth = np.arange(p + n) < p
    weight = np.array(data.draw(st.lists(st.integers(1, 3), min_size=p + n, max_size=p + n)), dtype=float)
    weight = weight if weighted else np.ones(p + n)
    places = Places.of(Ranking.of(truth, score, weight if weighted else None))
    order = [np.argsort(score[side], kind="stable") for side in (truth, ~truth)]
    positive, negative = times[:p][order[0]][None], times[p:][order[1]][None]
    mass = times * weight
    assert places.auc(positive, negative)[0] == pytest.approx(roc_auc_score(truth, score, sample_weight=mass))
    expected = average_precision_score(truth, score, sample_weight=mass)
    assert places.average_precision(positive, negative)[0] == pytest.approx(expected)
    k = data.draw(st.integers(1, int(times.sum())))
    again = np.repeat(np.arange(p + n), times.astype(int))
    theirs = Ranking.of(truth[again], score[again]).precision_at(k)
    assert places.precision_at(positive, negative, k)[0] == pytest.approx(theirs)


def test_replicates_keep_the_samples_of_each_fold_and_class() -> None:
    folds = example("weighted")
    (value,) = recompute(folds)
    drawn = list(drawn_counts(folds, "binary", Bootstrap(50)))
    assert len(drawn) == 50
    rows = folds.fold == 0
    expected = f1_score(folds.y_true[rows], folds.y_pred[rows], sample_weight=folds.weight[rows])
    assert value.rows[0].f == pytest.approx(expected)
    assert len({float(c.positives[0, 0]) for c in drawn}) > 1  # the weights of the positives differ
    plain = FoldSet.from_arrays(folds.fold, folds.y_true, folds.y_pred)
    counts = plain.counts()
    assert counts is not None
    for drawing in drawn_counts(plain, "binary", Bootstrap(50)):
        np.testing.assert_array_equal(drawing.positives, counts.positives)


def test_why_there_is_no_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    folds = example("weighted")
    (found,) = recompute(folds)
    assert {a.why["interval"] for a in found.aggregates} == {"no bootstrap was asked for"}
    monkeypatch.setattr("cvlint.runtime.intervals.MOST_SAMPLES", 100)
    monkeypatch.setattr("cvlint.runtime.ranking_intervals.MOST_SAMPLES", 100)
    (found,) = recompute(folds, bootstrap=Bootstrap(20))
    assert {a.why["interval"] for a in found.aggregates} == {"there are more than 100,000 samples to be drawn"}
    score = np.random.default_rng(0).random((9, 3))
    three = FoldSet.from_arrays([0] * 9, [0, 1, 2] * 3, y_score=score)
    (found,) = recompute(three, bootstrap=Bootstrap(20))
    assert {a.why["interval"] for a in found.aggregates} == {"the samples are ranked by several columns of scores"}
    lone = FoldSet.from_arrays([0, 0, 1, 1], [0, 0, 0, 1], [0, 0, 0, 1])
    (found,) = recompute(lone, bootstrap=Bootstrap(20))
    assert not any(a.why.get("interval") for a in found.aggregates)
    (found,) = recompute(FoldSet.from_arrays([0, 0, 1], [1, 1, 1], [1, 0, 0]), bootstrap=Bootstrap(50))
    whys = {a.name: a.why.get("interval") for a in found.aggregates}
    assert whys["f_avg_valid"] == "it is undefined in some of the samples drawn"
