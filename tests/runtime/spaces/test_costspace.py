"""Cost space against costs, brute force on a grid, and the Brier score."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.metrics import brier_score_loss

from cvlint.runtime import FoldDataError
from cvlint.runtime.spaces.costspace import (
    at_threshold,
    brier_cost,
    brier_curve,
    cost_crossing,
    cost_envelope,
    expected_cost,
    operating_range,
    prevalence_at,
    probability_cost,
)
from cvlint.runtime.spaces.envelopes import Comparison, compare
from cvlint.runtime.thresholds.operating_points import operating_points

GRID = np.linspace(0, 1, 301)
RATES = st.integers(0, 20).map(lambda n: n / 20)
POINTS = st.lists(st.tuples(RATES, RATES), min_size=1, max_size=12)
SHARES = st.floats(0.01, 0.99)
JUDGED = st.lists(st.tuples(st.booleans(), st.integers(0, 16).map(lambda n: n / 16)), min_size=2, max_size=30).filter(
    lambda samples: len({truth for truth, _ in samples}) == 2
)


@given(RATES, RATES, SHARES, st.floats(0.1, 9), st.floats(0.1, 9))
def test_cost_is_that_of_equation_1(tpr: float, fpr: float, p: float, cost_fn: float, cost_fp: float) -> None:
    """EC over its largest value, which is the cost of getting everything wrong."""
    cost = (1 - tpr) * p * cost_fn + fpr * (1 - p) * cost_fp
    pc = probability_cost(p, cost_fp / (cost_fp + cost_fn))
    assert expected_cost(tpr, fpr, pc) == pytest.approx(cost / (p * cost_fn + (1 - p) * cost_fp))


@given(SHARES, SHARES)
def test_probability_cost_is_equation_13_and_turns_back(p: float, m: float) -> None:
    assert probability_cost(p, m) == pytest.approx((1 / m - 1) * p / ((1 / m - 2) * p + 1))
    assert prevalence_at(probability_cost(p, m), m) == pytest.approx(p)


def test_edges_of_probability_cost() -> None:
    np.testing.assert_array_equal(probability_cost([0, 0.5, 1], 0), [np.nan, 1, 1])
    np.testing.assert_array_equal(probability_cost([0, 0.5, 1], 1), [0, 0, np.nan])
    np.testing.assert_allclose(probability_cost([0, 0.3, 1]), [0, 0.3, 1])
    with pytest.raises(FoldDataError, match="m cannot be 2"):
        probability_cost(0.5, 2)


@given(POINTS)
def test_the_envelope_is_the_lowest_line_on_a_grid(points: list[tuple[float, float]]) -> None:
    tpr, fpr = np.array(points).T
    every = expected_cost(tpr[:, None], fpr[:, None], GRID)
    best = cost_envelope(tpr, fpr).best(GRID)
    np.testing.assert_allclose(every[best, np.arange(len(GRID))], every.min(axis=0), atol=1e-12)


@given(RATES, RATES, RATES, RATES, SHARES)
def test_the_crossing_is_equation_14(ti: float, fi: float, tj: float, fj: float, m: float) -> None:
    found = cost_crossing(ti, fi, tj, fj)
    gap = fi - fj
    below = (ti - tj) + gap
    if abs(below) > 1e-9 and -1e-9 < gap / below < 1 + 1e-9:
        assert found == pytest.approx(gap / below, abs=1e-9)
        assert expected_cost(ti, fi, found) == pytest.approx(expected_cost(tj, fj, found))
        # Equation 15, as its derivation has it.
        p = gap / ((1 / m - 1) * (ti - tj) + gap)
        assert prevalence_at(found, m) == pytest.approx(p, abs=1e-6)
    else:
        assert np.isnan(found)


@given(POINTS)
def test_the_operating_range_on_a_grid(points: list[tuple[float, float]]) -> None:
    tpr, fpr = np.array(points).T
    low, high = operating_range(tpr, fpr)
    x = GRID
    better = expected_cost(tpr[:, None], fpr[:, None], x).min(axis=0) < np.minimum(x, 1 - x) - 1e-12
    inside = (x > low + 1e-9) & (x < high - 1e-9)
    outside = (x < low - 1e-9) | (x > high + 1e-9) | np.isnan(low)
    assert not better[outside].any()
    if len(points) == 1:
        assert better[inside].all()


def test_figure_4() -> None:
    """By the rates printed there, C2 costs less for small PC(+), and C1 for large: the text has it turned round."""
    first = cost_envelope([1e-6, 0.55, 0.75, 0.88, 0.98, 1], [1e-6, 0.08, 0.15, 0.28, 0.5, 1])
    second = cost_envelope([1e-6, 0.5, 0.73, 0.88, 0.93, 1], [1e-6, 0.03, 0.09, 0.28, 0.6, 1])
    found = compare(first, second)
    assert found.better == (0, 1, 0, -1, 0)
    assert found.bounds == pytest.approx((0, 0.0566, 0.5588, 0.6875, 0.9615, 1), abs=5e-5)


@given(JUDGED, st.lists(st.floats(-0.5, 1.5), min_size=1, max_size=5))
def test_rates_at_a_threshold(samples: list[tuple[bool, float]], thresholds: list[float]) -> None:
    truth, score = (np.array(column) for column in zip(*samples, strict=True))
    tpr, fpr = at_threshold(operating_points(truth, score), thresholds)
    for i, threshold in enumerate(thresholds):
        assert tpr[i] == pytest.approx((score[truth] >= threshold).mean())
        assert fpr[i] == pytest.approx((score[~truth] >= threshold).mean())


@given(JUDGED)
def test_the_area_below_a_brier_curve_is_the_brier_score(samples: list[tuple[bool, float]]) -> None:
    """It is straight between the points where the threshold passes a score: the midpoint rule is exact there."""
    truth, score = (np.array(column) for column in zip(*samples, strict=True))
    cuts = np.linspace(0, 1, 17)  # every score is one of them
    percentile_interval, width = (cuts[1:] + cuts[:-1]) / 2, np.diff(cuts)
    area = (brier_curve(operating_points(truth, score), percentile_interval) * width).sum()
    assert area == pytest.approx(brier_score_loss(truth, score))


@given(JUDGED)
def test_brier_costs_lie_above_the_envelope(samples: list[tuple[bool, float]]) -> None:
    truth, score = (np.array(column) for column in zip(*samples, strict=True))
    points = operating_points(truth, score)
    best = cost_envelope(points.tpr, points.fpr).best(GRID)
    lowest = expected_cost(points.tpr[best], points.fpr[best], GRID)
    assert (brier_cost(points, GRID) >= lowest - 1e-12).all()


def test_calibrated_probabilities_lose_nothing() -> None:
    """Of 4, 8 and 4 samples that score 0.25, 0.5 and 0.75, as many are positive as the scores say."""
    score = np.repeat([0.25, 0.5, 0.75], [4, 8, 4])
    truth = np.concatenate([np.arange(n) < n * s for n, s in ((4, 0.25), (8, 0.5), (4, 0.75))])
    points = operating_points(truth, score)
    best = cost_envelope(points.tpr, points.fpr).best(GRID)
    lowest = expected_cost(points.tpr[best], points.fpr[best], GRID)
    np.testing.assert_allclose(brier_cost(points, GRID), lowest, atol=1e-12)
    assert (brier_cost(points, GRID, prevalence=0.9) > lowest + 0.01).any()


def test_a_brier_curve_needs_probabilities() -> None:
    with pytest.raises(FoldDataError, match="needs probabilities"):
        brier_curve(operating_points([0, 1], [-1.0, 0.5]), 0.5)


@given(JUDGED, SHARES)
def test_a_brier_cost_is_a_scaled_brier_curve(samples: list[tuple[bool, float]], c: float) -> None:
    """Both follow from the same costs: 2 (c P + (1 - c) N) NEC."""
    truth, score = (np.array(column) for column in zip(*samples, strict=True))
    points = operating_points(truth, score)
    p = points.prevalence
    most = c * p + (1 - c) * (1 - p)
    assume(not np.isclose(score, 1 - c, atol=1e-9).any())
    assert brier_curve(points, c) == pytest.approx(2 * most * brier_cost(points, c * p / most))


def test_nothing_is_compared_with_points_that_are_not_known() -> None:
    known, unknown = cost_envelope([0.8], [0.1]), cost_envelope([np.nan], [0.1])
    assert compare(known, known).better == (0,)
    for one, other in ((known, unknown), (unknown, known), (unknown, unknown)):
        assert compare(one, other) == Comparison((), ())
