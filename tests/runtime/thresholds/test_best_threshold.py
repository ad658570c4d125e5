"""Thresholds against scikit-learn at every score, the theory where scores are calibrated, and tests of calibration."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn.metrics import brier_score_loss, fbeta_score, jaccard_score

from cvlint.runtime import FoldDataError
from cvlint.runtime.thresholds.best_threshold import (
    at_prevalence,
    at_threshold,
    best_of,
    best_threshold,
    f_of_points,
    likelihood_rule,
    optimal_odds,
    optimal_probability,
)
from cvlint.runtime.thresholds.calibration import check_calibration
from cvlint.runtime.thresholds.operating_points import operating_points

BETAS = st.sampled_from([0.0, 0.5, 1.0, 1.7, 3.0])
patient = settings(max_examples=60)  # scikit-learn takes its time at every score


@st.composite
def scored(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
    """True classes, scores with ties, and weights."""
    n = draw(st.integers(1, 40))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    truth = rng.random(n) < rng.random()
    score = rng.integers(0, draw(st.integers(1, 30)), n) / 7 - 1
    return truth, score, rng.integers(1, 5, n) / 4 if draw(st.booleans()) else None


def f_at(truth: np.ndarray, positive: np.ndarray, beta: float, weight: np.ndarray | None = None) -> float:
    return float(fbeta_score(truth, positive, beta=beta, sample_weight=weight, zero_division=0))


@patient
@given(scored(), BETAS)
def test_the_best_threshold_is_the_best_of_all(
    data: tuple[np.ndarray, np.ndarray, np.ndarray | None], beta: float
) -> None:
    truth, score, weight = data
    candidates = [np.inf, *np.unique(score)[::-1]]
    values = [f_at(truth, score >= t, beta, weight) for t in candidates]
    best = best_threshold(truth, score, beta, weight=weight)
    assert best.f == pytest.approx(max(values), abs=1e-12)
    first = next(t for t, f in zip(candidates, values, strict=True) if f >= max(values) - 1e-12)
    assert best.threshold == first  # of equal ones the highest
    assert best.predicted == pytest.approx(np.average(score >= first, weights=weight))
    assert best.next_score == max((s for s in score if s < first), default=-np.inf)


@patient
@given(scored(), BETAS, st.floats(-1.5, 5))
def test_at_threshold_gives_the_f_of_any_threshold(
    data: tuple[np.ndarray, np.ndarray, np.ndarray | None], beta: float, threshold: float
) -> None:
    truth, score, weight = data
    found = at_threshold(operating_points(truth, score, weight), threshold, beta)
    assert found.f == pytest.approx(f_at(truth, score >= threshold, beta, weight), abs=1e-12)
    assert np.array_equal(score >= threshold, score >= found.threshold)


@patient
@given(scored(), BETAS, st.floats(0.001, 0.999))
def test_another_prevalence_is_that_of_samples_weighted_by_class(
    data: tuple[np.ndarray, np.ndarray, np.ndarray | None], beta: float, prevalence: float
) -> None:
    truth, score, _ = data
    assume(truth.any() and not truth.all())
    weight = np.where(truth, prevalence / truth.sum(), (1 - prevalence) / (~truth).sum())
    points = operating_points(truth, score)
    values = [f_at(truth, score >= t, beta, weight) for t in points.thresholds]
    assert f_of_points(points, beta, prevalence) == pytest.approx(values, abs=1e-9)
    assert best_of(points, beta, prevalence).f == pytest.approx(max(values), abs=1e-9)


def test_where_a_class_is_absent() -> None:
    assert best_threshold([0, 0], [0.2, 0.3]) == best_threshold([0, 0], [0.2, 0.3], weight=[1, 2])
    none = best_threshold([0, 0], [0.2, 0.3])
    assert (none.threshold, none.f, none.predicted, none.next_score) == (np.inf, 0.0, 0.0, 0.3)
    every = best_threshold([1, 1], [0.2, 0.3])
    assert (every.threshold, every.f, every.predicted, every.next_score) == (0.2, 1.0, 1.0, -np.inf)


@given(st.lists(st.tuples(st.integers(1, 12), st.integers(0, 12)), min_size=1, max_size=8), BETAS)
def test_half_of_the_best_f_is_best_where_scores_are_calibrated(groups: list[tuple[int, int]], beta: float) -> None:
    sizes = np.array([size for size, _ in groups])
    right = np.minimum(sizes, [positives for _, positives in groups])
    assume(right.sum() > 0)
    score = np.repeat(right / sizes, sizes)  # of each group that share is positive
    truth = np.concatenate([np.arange(n) < p for n, p in zip(sizes, right, strict=True)])
    found = check_calibration(truth, score, beta)
    assert found is not None
    threshold = optimal_probability(found.best.f, beta)
    assert f_at(truth, score >= threshold * (1 - 1e-9), beta) == pytest.approx(found.best.f)
    assert found.mean_score == pytest.approx(found.prevalence)
    assert found.plausible is not False  # undecided where all scores are 0 or 1


@patient
@given(scored(), st.sampled_from([0.5, 1.0, 2.0]), st.one_of(st.none(), st.floats(0.01, 0.99)))
def test_the_likelihood_rule_finds_the_best_threshold(
    data: tuple[np.ndarray, np.ndarray, np.ndarray | None], beta: float, prevalence: float | None
) -> None:
    points = operating_points(*data)
    best, rule = best_of(points, beta, prevalence), likelihood_rule(points, beta, prevalence)
    found = at_threshold(points, rule.threshold, beta, prevalence)
    assert found.f == pytest.approx(best.f, rel=1e-9)
    positive = rule.lowest >= rule.threshold
    assert (rule.odds[positive] >= rule.needed * (1 - 1e-9)).all()
    assert (rule.odds[~positive] <= rule.needed * (1 + 1e-9)).all()


@patient
@given(scored())
def test_the_odds_needed_are_the_jaccard_index(data: tuple[np.ndarray, np.ndarray, np.ndarray | None]) -> None:
    truth, score, weight = data
    assume(truth.any())
    best = best_threshold(truth, score, weight=weight)
    assert optimal_odds(best.f) == pytest.approx(
        jaccard_score(truth, score >= best.threshold, sample_weight=weight, zero_division=0)
    )


@given(st.integers(1, 50), st.integers(1, 50), st.floats(0.01, 0.99), st.integers(1, 40), st.integers(1, 40))
def test_probabilities_at_another_prevalence(a: int, b: int, other: float, positives: int, negatives: int) -> None:
    """Of a + b samples with one score a are positive; other samples of both classes stand beside them."""
    prevalence = (a + positives) / (a + b + positives + negatives)
    mass = a * other / (a + positives), b * (1 - other) / (b + negatives)  # the classes weigh other : 1 - other
    assert at_prevalence(a / (a + b), prevalence, other) == pytest.approx(mass[0] / sum(mass))


def test_calibration_by_spiegelhalter() -> None:
    rng = np.random.default_rng(0)
    refused, z = 0, []
    for _ in range(400):
        score = rng.beta(1, 5, 200)
        found = check_calibration(rng.random(200) < score, score)
        assert found is not None
        refused += not found.plausible
        z.append(found.z)
    assert 4 <= refused <= 40  # 20 are to be expected
    assert abs(np.mean(z)) < 0.2 and 0.85 < np.std(z) < 1.15
    score = rng.beta(1, 5, 2000)
    squared = check_calibration(rng.random(2000) < score, score**2)
    assert squared is not None and not squared.plausible


def test_the_statistic_is_the_excess_of_the_brier_score() -> None:
    score = np.array([0.1, 0.4, 0.7, 0.9])
    truth = np.array([0, 1, 1, 0])
    found = check_calibration(truth, score)
    expected = (score * (1 - score)).mean()
    deviation = np.sqrt(((1 - 2 * score) ** 2 * score * (1 - score)).sum()) / 4
    assert found is not None
    assert found.z == pytest.approx((brier_score_loss(truth, score) - expected) / deviation)


def test_calibration_at_the_ends() -> None:
    assert check_calibration([0, 1], [-0.1, 1]) is None
    assert check_calibration([0, 1], [0.1, 1.1]) is None
    right, wrong, silent = (check_calibration([0, 1], s) for s in ([0, 1], [1, 1], [0.5, 0.5]))
    assert right is not None and right.plausible is None and np.isnan([right.z, right.z_mean, right.p]).all()
    assert wrong is not None and wrong.plausible is False and wrong.p == 0
    assert silent is not None and silent.plausible and np.isnan(silent.z) and silent.z_mean == 0


@pytest.mark.parametrize("scores", [[0.5], [0.499, 0.501], [0.3, 0.7]])
def test_scores_whose_mean_is_wrong_are_not_calibrated(scores: list[float]) -> None:
    """Spiegelhalter's statistic is blind to it near 1/2, where its weight is 0."""
    score = np.resize(scores, 300)
    found = check_calibration(np.arange(300) % 20 < 3, score)
    assert found is not None and found.plausible is False
    assert found.z_mean == pytest.approx((45 - score.sum()) / np.sqrt((score * (1 - score)).sum()))


def test_one_impossible_score_is_enough() -> None:
    """However many others are right."""
    rng = np.random.default_rng(3)
    score = rng.random(2000)
    truth = rng.random(2000) < score
    right = check_calibration(truth, score)
    wrong = check_calibration([*truth, 1], [*score, 0])
    assert right is not None and right.plausible
    assert wrong is not None and (wrong.plausible, wrong.p, wrong.z, wrong.z_mean) == (False, 0, np.inf, np.inf)


def test_refusals() -> None:
    with pytest.raises(FoldDataError, match="P\\(\\+\\) is from 0 to 1"):
        best_threshold([0, 1], [0.1, 0.2], prevalence=1.5)
    with pytest.raises(FoldDataError, match="y_score"):
        best_threshold([0, 1], [0.1])
    for beta in (-1.0, np.nan, np.inf, 1e200):
        with pytest.raises(FoldDataError, match=r"beta cannot be .*: the weight of recall is a number from 0 to 1,000"):
            best_threshold([0, 1], [0.1, 0.2], beta)
        with pytest.raises(FoldDataError, match="beta cannot be"):
            optimal_probability(0.5, beta)


def test_the_odds_needed_for_precision_alone() -> None:
    assert optimal_odds(1.0, 0.0) == np.inf
    assert optimal_odds(1.0, 1e-6) == pytest.approx(1e12)
    points = operating_points([1, 1, 0, 1], [0.9, 0.8, 0.5, 0.1])
    rule = likelihood_rule(points, 0.0)
    assert (rule.threshold, rule.needed) == (0.9, np.inf)
    assert at_threshold(points, rule.threshold, 0.0).f == best_of(points, 0.0).f == 1


@pytest.mark.parametrize("prevalence", [0.0, 1.0])
def test_a_prevalence_without_a_class_leaves_no_stretches(prevalence: float) -> None:
    points = operating_points([1, 0, 0, 1], [0.9, 0.8, 0.5, 0.1])
    rule = likelihood_rule(points, 1.0, prevalence)
    assert not len(rule.odds) and rule.threshold == best_of(points, 1.0, prevalence).threshold
