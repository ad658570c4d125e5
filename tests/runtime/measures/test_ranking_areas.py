"""Partial AUC against scikit-learn, and precision-recall gain against its definition on counts."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from cvlint.runtime import FoldDataError, FoldSet, recompute
from cvlint.runtime.measures.ranking import Ranking
from cvlint.runtime.measures.ranking_areas import gain_area_of, gain_curve, partial_auc, rates_of


def drawn(seed: int, n: int = 120) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.3
    return y, np.round(rng.normal(size=n) + y, seed % 3), rng.random(n) + 0.1


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("limit", [0.03, 0.1, 0.5, 0.999])
def test_partial_auc(seed: int, limit: float) -> None:
    y, score, weight = drawn(seed)
    assert partial_auc(Ranking.of(y, score), limit) == pytest.approx(roc_auc_score(y, score, max_fpr=limit), rel=1e-12)
    expected = roc_auc_score(y, score, max_fpr=limit, sample_weight=weight)
    assert partial_auc(Ranking.of(y, score, weight), limit) == pytest.approx(expected, rel=1e-9)


def test_the_whole_partial_auc_is_auc() -> None:
    y, score, _ = drawn(1)
    assert partial_auc(Ranking.of(y, score), 1.0) == pytest.approx(roc_auc_score(y, score), rel=1e-12)


def gain_area_by_counts(y: np.ndarray, score: np.ndarray) -> float:
    """Precision gain over recall gain, on straight lines of counts cut into a thousand pieces each."""
    pi = y.mean()
    bars = [np.inf, *np.unique(score)[::-1]]
    counts = np.array([[(score[y] >= bar).sum(), (score[~y] >= bar).sum()] for bar in bars], dtype=float)
    steps = np.linspace(0, 1, 1_000, endpoint=False)[:, None]
    fine = np.concatenate([a + steps * (b - a) for a, b in pairwise(counts)] + [counts[-1:]])
    tp, fp = fine[fine[:, 0] > 0].T
    precision, recall = tp / (tp + fp), tp / y.sum()
    x = (recall - pi) / ((1 - pi) * recall)
    gain = (precision - pi) / ((1 - pi) * precision)
    kept = x >= -1e-12
    return float(np.trapezoid(gain[kept], x[kept]) if hasattr(np, "trapezoid") else np.trapz(gain[kept], x[kept]))


@pytest.mark.parametrize("seed", range(12))
def test_the_area_under_precision_recall_gain(seed: int) -> None:
    y, score, _ = drawn(seed)
    assert gain_area_of(Ranking.of(y, score)) == pytest.approx(gain_area_by_counts(y, score), abs=2e-3)


def test_known_areas() -> None:
    y = np.array([True] * 3 + [False] * 7)
    assert gain_area_of(Ranking.of(y, y * 1.0)) == pytest.approx(1)
    assert gain_area_of(Ranking.of(y, y * 0.0)) == pytest.approx(0)  # nothing is known
    assert gain_area_of(Ranking.of(y, y * -1.0)) < 0
    for measure in (gain_area_of, lambda ranking: partial_auc(ranking, 0.1)):
        assert np.isnan(measure(Ranking.of(y[:3], y[:3] * 1.0)))
    recall, precision = gain_curve(*rates_of(Ranking.of(y, np.arange(10)[::-1] * 1.0)), 0.3)
    assert (recall[0], recall[-1], precision[-1]) == (pytest.approx(0), 1, 0)


def test_equal_weights_are_no_weights() -> None:
    y, score, _ = drawn(4)
    assert gain_area_of(Ranking.of(y, score, np.full(120, 3.0))) == pytest.approx(gain_area_of(Ranking.of(y, score)))


def test_aggregates() -> None:
    y, score, _ = drawn(0)
    fold = np.arange(120) % 3
    folds = FoldSet.from_arrays(fold, y, y_score=score)
    (found,) = recompute(folds, max_fpr=0.2, gain=True)
    each = [roc_auc_score(y[fold == f], score[fold == f], max_fpr=0.2) for f in range(3)]
    assert found.value("pauc_avg") == pytest.approx(np.mean(each))
    assert found.value("pauc_merge") == pytest.approx(roc_auc_score(y, score, max_fpr=0.2))
    gains = [gain_area_of(ranking) for ranking in folds.fold_rankings(0)]
    assert found.value("auprg_avg") == pytest.approx(np.mean(gains))
    assert "pauc_avg" not in {a.name for a in recompute(folds)[0].aggregates}


@pytest.mark.parametrize("limit", [0.0, -0.1, 1.1, float("nan")])
def test_a_limit_that_is_no_rate(limit: float) -> None:
    with pytest.raises(FoldDataError, match="above 0, and at most 1"):
        recompute(FoldSet.from_arrays([1, 1], [0, 1], y_score=[0.1, 0.2]), max_fpr=limit)
