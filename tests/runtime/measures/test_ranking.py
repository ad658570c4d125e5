"""AUC and average precision as scikit-learn computes them; precision at k by its definition."""

from __future__ import annotations

from itertools import pairwise, permutations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score, roc_auc_score

from cvlint.runtime import Bootstrap, FoldSet, recompute
from cvlint.runtime.measures import ranking as ranking_module
from cvlint.runtime.measures.ranking import Ranking


@st.composite
def scored(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
    """True classes, scores with ties, and weights."""
    n = draw(st.integers(1, 60))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    truth = rng.random(n) < rng.random()
    score = rng.integers(0, draw(st.integers(1, 50)), n) / 7
    return truth, score, rng.uniform(0.1, 3, n) if draw(st.booleans()) else None


@given(scored())
def test_as_scikit_learn(data: tuple[np.ndarray, np.ndarray, np.ndarray | None]) -> None:
    truth, score, weight = data
    ranking = Ranking.of(truth, score, weight)
    if truth.any():
        expected = average_precision_score(truth, score, sample_weight=weight)
        assert ranking.average_precision() == pytest.approx(expected, abs=1e-12)
    else:
        assert np.isnan(ranking.average_precision())
    if truth.any() and not truth.all():
        expected = roc_auc_score(truth, score, sample_weight=weight)
        assert ranking.roc_auc() == pytest.approx(expected, abs=1e-12)
    else:
        assert np.isnan(ranking.roc_auc())


def test_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    truth, score = rng.random(100) < 0.3, rng.integers(0, 9, 100).astype(float)
    monkeypatch.setattr(ranking_module, "BLOCK", 7)
    assert Ranking.of(truth, score).roc_auc() == pytest.approx(roc_auc_score(truth, score), abs=1e-12)


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 2)), min_size=1, max_size=6), st.integers(1, 6))
def test_precision_at_k_over_all_orders_of_ties(samples: list[tuple[bool, int]], k: int) -> None:
    assume(k <= len(samples))
    truth, score = (np.array(column) for column in zip(*samples, strict=True))
    orders = [o for o in permutations(range(len(samples))) if all(score[a] >= score[b] for a, b in pairwise(o))]
    expected = np.mean([truth[list(order[:k])].mean() for order in orders])
    assert Ranking.of(truth, score.astype(float)).precision_at(k) == pytest.approx(expected, abs=1e-12)
    assert np.isnan(Ranking.of(truth, score.astype(float)).precision_at(len(samples) + 1))


def folds_with_scores(seed: int, weights: bool = False) -> tuple[np.ndarray, np.ndarray, np.ndarray, FoldSet]:
    rng = np.random.default_rng(seed)
    fold, true = np.arange(200) % 5, rng.random(200) < 0.2
    score = rng.normal(size=200) + 1.5 * true + fold
    weight = rng.uniform(0.5, 2, 200) if weights else None
    return fold, true, score, FoldSet.from_arrays(fold, true, y_score=score, weight=weight)


@pytest.mark.parametrize("weights", [False, True])
def test_mean_and_merged(weights: bool) -> None:
    fold, true, score, folds = folds_with_scores(1, weights)
    (found,) = recompute(folds)
    each = [roc_auc_score(true[fold == i], score[fold == i], sample_weight=part_of(folds, fold == i)) for i in range(5)]
    assert found.value("auc_avg") == pytest.approx(np.mean(each), abs=1e-12)
    assert found.value("auc_merge") == pytest.approx(roc_auc_score(true, score, sample_weight=folds.weight), abs=1e-12)
    expected = average_precision_score(true, score, sample_weight=folds.weight)
    assert found.value("ap_merge") == pytest.approx(expected, abs=1e-12)
    assert [row.auc for row in found.rows] == pytest.approx(each, abs=1e-12)


def part_of(folds: FoldSet, rows: np.ndarray) -> np.ndarray | None:
    return None if folds.weight is None else folds.weight[rows]


def test_one_against_the_rest() -> None:
    rng = np.random.default_rng(2)
    true = rng.integers(0, 3, 150)
    score = rng.dirichlet(np.ones(3), 150) + 0.5 * np.eye(3)[true]
    (found,) = recompute(FoldSet.from_arrays(np.zeros(150), true, y_score=score))
    shares = score / score.sum(axis=1, keepdims=True)
    (normalised,) = recompute(FoldSet.from_arrays(np.zeros(150), true, y_score=shares))
    expected = roc_auc_score(true, shares, multi_class="ovr", average="macro")
    assert normalised.value("auc_merge") == pytest.approx(expected, abs=1e-12)
    each = [roc_auc_score(true == j, score[:, j]) for j in range(3)]
    assert found.value("auc_avg") == pytest.approx(np.mean(each), abs=1e-12)


def test_a_fold_without_positives_is_told() -> None:
    (found,) = recompute(FoldSet.from_arrays([0, 0, 0, 1, 1], [0, 1, 0, 0, 0], y_score=[0.1, 0.9, 0.2, 0.3, 0.4]))
    (mean,) = (a for a in found.aggregates if a.name == "auc_avg")
    assert mean.value == 1
    assert mean.note == "undefined in 1 of 2 folds, which are left out"
    assert [(a.kind, a.fold) for a in found.anomalies] == [("one-class", 1)]


def test_intervals_hold_the_value_and_narrow_with_more_data() -> None:
    widths = []
    for n in (200, 3200):
        rng = np.random.default_rng(3)
        true = rng.random(n) < 0.3
        score = rng.normal(size=n) + true
        folds = FoldSet.from_arrays(np.arange(n) % 4, true, score > 0.5, score)
        (found,) = recompute(folds, bootstrap=Bootstrap(400))
        chosen = {a.name: a for a in found.aggregates if a.name in ("f_tpfp", "auc_avg", "auc_merge")}
        for aggregate in chosen.values():
            assert aggregate.interval is not None
            assert aggregate.interval.low < aggregate.value < aggregate.interval.high
        widths.append([a.interval.high - a.interval.low for a in chosen.values() if a.interval])
    ratio = np.divide(*widths)
    assert ((ratio > 2.5) & (ratio < 6)).all()  # 16 times the data: a quarter of the width
