"""F-measure space against counts, brute force on a grid, and the paper's numbers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from cvlint.runtime import FoldDataError
from cvlint.runtime.measures.fmeasure import f_alpha, f_alpha_from_counts
from cvlint.runtime.spaces.costspace import expected_cost
from cvlint.runtime.spaces.envelopes import compare
from cvlint.runtime.spaces.fspace import (
    balanced_prevalence,
    best_f,
    dominates,
    f_at,
    f_crossing,
    f_envelope,
    f_max,
    fpr_of,
    neyman_pearson,
    transferred_f,
)
from cvlint.runtime.thresholds.operating_points import operating_points

GRID = np.linspace(0, 1, 301)
RATES = st.integers(0, 20).map(lambda n: n / 20)
POINT = st.tuples(RATES.filter(bool), RATES)
ALPHAS = st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0])
INNER = st.sampled_from([0.1, 0.25, 0.5, 0.75, 0.9])

# Soleymani et al., figures 2 and 4: six thresholds of each of two classifiers.
TPR_1, FPR_1 = [1e-6, 0.55, 0.75, 0.88, 0.98, 1], [1e-6, 0.08, 0.15, 0.28, 0.5, 1]
TPR_2, FPR_2 = [1e-6, 0.5, 0.73, 0.88, 0.93, 1], [1e-6, 0.03, 0.09, 0.28, 0.6, 1]


@given(st.tuples(*[st.integers(0, 9)] * 4), ALPHAS)
def test_f_is_that_of_counts(cells: tuple[int, int, int, int], alpha: float) -> None:
    tp, fp, fn, tn = cells
    assume(tp + fn and fp + tn)
    prevalence = (tp + fn) / sum(cells)
    found = f_at(tp / (tp + fn), fp / (fp + tn), prevalence, alpha)
    assert found == pytest.approx(f_alpha_from_counts(tp, fp, fn, alpha))


@given(POINT, st.floats(0.01, 0.99), INNER)
def test_equations_9_and_10(point: tuple[float, float], p: float, alpha: float) -> None:
    tpr, fpr = point
    rest = (1 - p) / p
    assert f_at(tpr, fpr, p, alpha) == pytest.approx(tpr / (alpha * (tpr + rest * fpr) + 1 - alpha))
    assert f_at(tpr, fpr, p, alpha) == pytest.approx((tpr / alpha) / (1 / alpha + fpr / p + tpr - fpr - 1))


@given(POINT, INNER)
def test_the_curve_rises_and_is_concave(point: tuple[float, float], alpha: float) -> None:
    curve = f_at(*point, GRID[1:], alpha)
    assert (np.diff(curve) >= -1e-12).all()
    tpr, fpr = point
    if abs(fpr - tpr - (1 - alpha) / alpha) > 1e-9:  # also below the diagonal, which the paper does not claim
        assert (np.diff(curve, 2) <= 1e-12).all() == (fpr - tpr < (1 - alpha) / alpha or fpr == 0)
    assert f_at(*point, 0, alpha) == 0
    assert f_at(*point, 1, alpha) == pytest.approx(point[0] / (alpha * (point[0] - 1) + 1))


@given(POINT)
def test_curves_of_all_alpha_cross_in_one_point(point: tuple[float, float]) -> None:
    p = balanced_prevalence(*point)
    assume(np.isfinite(p) and p > 0)
    values = [float(f_at(*point, p, alpha)) for alpha in (0, 0.1, 0.5, 0.8, 1)]
    assert values == pytest.approx([point[0]] * 5)


def test_figure_1() -> None:
    """TPR = 0.8, FPR = 0.15."""
    assert balanced_prevalence(0.8, 0.15) == pytest.approx(0.15 / 0.35)
    below, above = f_at(0.8, 0.15, [0.3, 0.6], 0.25), f_at(0.8, 0.15, [0.3, 0.6], 0.75)
    assert below[0] > above[0] and below[1] < above[1]


def test_the_example_of_section_2() -> None:
    """Precision and cost as printed; 0.78 is cut off, not rounded. Table 1 prints none of these F."""
    tpr, fpr = np.array([0.88, 0.88]), np.array([0.04, 0.06])
    for p, costs, precisions in ((0.25, [0.06, 0.075], [0.88, 0.83]), (0.2, [0.056, 0.072], [0.846, 0.786])):
        np.testing.assert_allclose(expected_cost(tpr, fpr, p), costs, atol=1e-9)
        np.testing.assert_allclose(f_at(tpr, fpr, p, alpha=1), precisions, atol=5e-3)
    np.testing.assert_allclose([float(f_at(0.88, 0.04, 0.25, alpha)) for alpha in (0.25, 0.5, 0.75)], 0.88)
    found = [float(f_at(0.88, 0.06, 0.25, alpha)) for alpha in (0.25, 0.5, 0.75)]
    assert found == pytest.approx([0.8670, 0.8544, 0.8421], abs=5e-5)


@given(st.lists(st.tuples(RATES, RATES), min_size=1, max_size=12), ALPHAS)
def test_the_envelope_is_the_highest_curve_on_a_grid(points: list[tuple[float, float]], alpha: float) -> None:
    tpr, fpr = np.array(points).T
    envelope = f_envelope(tpr, fpr, alpha)
    every = f_at(tpr[:, None], fpr[:, None], GRID, alpha)
    found = every[envelope.best(GRID), np.arange(len(GRID))]
    np.testing.assert_allclose(found, every.max(axis=0), atol=1e-12)


@given(st.lists(st.tuples(RATES, RATES), min_size=2, max_size=12), INNER)
def test_the_envelope_changes_at_crossings(points: list[tuple[float, float]], alpha: float) -> None:
    tpr, fpr = np.array(points).T
    envelope = f_envelope(tpr, fpr, alpha)
    i, j = envelope.index[:-1], envelope.index[1:]
    np.testing.assert_allclose(envelope.bounds[1:-1], f_crossing(tpr[i], fpr[i], tpr[j], fpr[j], alpha), atol=1e-12)
    assert (tpr[i] < tpr[j]).all()


@given(POINT, POINT, INNER)
def test_the_crossing_is_equation_11(one: tuple[float, float], other: tuple[float, float], alpha: float) -> None:
    (ti, fi), (tj, fj) = one, other
    found = f_crossing(ti, fi, tj, fj, alpha)
    gap = fi * tj - fj * ti
    below = (alpha - 1) / alpha * (tj - ti) + gap
    if abs(below) > 1e-9 and -1e-9 < gap / below < 1 + 1e-9:
        assert found == pytest.approx(gap / below, abs=1e-9)
        if 1e-6 < found < 1:
            assert f_at(ti, fi, found, alpha) == pytest.approx(f_at(tj, fj, found, alpha))
            higher = (ti, fi) if ti > tj else (tj, fj)
            lower = (tj, fj) if ti > tj else (ti, fi)
            p = (found + 1) / 2
            assert f_at(*higher, p, alpha) > f_at(*lower, p, alpha)
    else:
        assert np.isnan(found)


@given(POINT, POINT)
def test_dominance_on_a_grid(one: tuple[float, float], other: tuple[float, float]) -> None:
    near = np.geomspace(1e-6, 0.01)  # curves may cross close to an end
    inner = np.concatenate((near, GRID[1:-1], 1 - near))
    for alpha in (0.2, 0.5, 0.9):
        gap = f_at(*one, inner, alpha) - f_at(*other, inner, alpha)
        assert bool(dominates(*one, *other)) == bool((gap >= -1e-12).all() and (gap > 1e-12).any())


def test_dominance_where_the_shares_are_equal_but_for_rounding() -> None:
    """tpr / fpr is 3 for all of them, and curves meet at P(+) = 0 only: the higher tpr is better."""
    tpr = np.arange(1, 31) / 30
    np.testing.assert_array_equal(dominates(tpr[:, None], tpr[:, None] / 3, tpr, tpr / 3), tpr[:, None] > tpr)


def test_higher_rates_need_not_cross() -> None:
    """The paper has curves cross whenever both rates of one are higher."""
    assert dominates(0.8, 0.2, 0.1, 0.05)
    assert np.isnan(f_crossing(0.8, 0.2, 0.1, 0.05))


def test_figure_4() -> None:
    found = compare(f_envelope(TPR_1, FPR_1), f_envelope(TPR_2, FPR_2))
    assert found.better == (1, 0, -1, 0)  # C2 for P(+) < 0.4 or so; equal; C1 for P(+) > 0.6
    assert found.bounds == pytest.approx((0, 0.4549, 0.6235, 0.96, 1), abs=5e-5)


def test_and_is_better_below_the_crossing() -> None:
    """Equation A.7 prints the contrary; A.8's denominator leads nowhere."""
    (ti, fi), (tj, fj) = (0.8, 0.2), (0.7, 0.15)
    both, either = (ti * tj, fi * fj), (ti + tj - ti * tj, fi + fj - fi * fj)
    p = float(f_crossing(*both, ti, fi))
    assert f_at(*both, p / 2) > f_at(ti, fi, p / 2) and f_at(*both, (1 + p) / 2) < f_at(ti, fi, (1 + p) / 2)
    p = float(f_crossing(ti, fi, *either))
    assert f_at(*either, p / 2) < f_at(ti, fi, p / 2) and f_at(*either, (1 + p) / 2) > f_at(ti, fi, (1 + p) / 2)


def test_the_best_threshold() -> None:
    rng = np.random.default_rng(1)
    truth = rng.random(300) < 0.3
    points = operating_points(truth, np.round(rng.normal(size=300) + truth, 1))
    index, value = best_f(points, GRID, 0.3)
    every = f_at(points.tpr[:, None], points.fpr[:, None], GRID, 0.3)
    np.testing.assert_allclose(value, every.max(axis=0), atol=1e-12)
    np.testing.assert_allclose(every[index, np.arange(len(GRID))], value)
    index, value = best_f(operating_points([1, 1], [0.2, 0.3]), [0.5, 0.6])
    assert index.tolist() == [-1, -1] and np.isnan(value).all()


@given(POINT, st.floats(0.01, 1), INNER)
def test_the_bound_of_a_neyman_pearson_limit(point: tuple[float, float], p: float, alpha: float) -> None:
    tpr, fpr = point
    assert f_max(fpr, p, alpha) == pytest.approx(1 / (1 + alpha * (1 / p - 1) * fpr))
    assert f_max(fpr, p, alpha) >= f_at(tpr, fpr, p, alpha) - 1e-12


def test_the_highest_tpr_within_a_limit() -> None:
    points = operating_points([1, 0, 1, 0, 0], [5, 4, 3, 2, 1])
    assert points.thresholds[neyman_pearson(points, 0.5)] == 3
    assert points.thresholds[neyman_pearson(points, 1.0)] == 3
    assert points.thresholds[neyman_pearson(points, 0.2)] == 5
    assert neyman_pearson(points, -0.1) == -1
    assert neyman_pearson(operating_points([0, 0], [1, 2]), 0.5) == -1


@given(POINT, st.floats(0.05, 0.95), st.floats(0, 1), ALPHAS)
def test_transfer_to_another_prevalence(point: tuple[float, float], p: float, deployed: float, alpha: float) -> None:
    tpr, fpr = point
    precision = p * tpr / (p * tpr + (1 - p) * fpr)
    assert fpr_of(precision, tpr, p) == pytest.approx(fpr, abs=1e-9)
    found = transferred_f(precision, tpr, p, deployed, alpha)
    assert found == pytest.approx(f_at(tpr, fpr, deployed, alpha), abs=1e-6) or deployed < 1e-6
    assert transferred_f(precision, tpr, p, p, alpha) == pytest.approx(f_alpha(precision, tpr, alpha))


def test_what_cannot_be_transferred() -> None:
    assert np.isnan(transferred_f(0.0, 0.0, 0.1, 0.2))
    assert np.isnan(fpr_of(1.0, 0.5, 1.0))
    with pytest.raises(FoldDataError, match="prevalence cannot be 2"):
        transferred_f(0.5, 0.5, 0.1, 2)


@pytest.mark.parametrize("p", [1e-6, 0.5, 1.0])
@pytest.mark.parametrize("tpr", [1e-17, 1e-6, 0.3])
def test_precision_alone_does_not_lose_small_rates(tpr: float, p: float) -> None:
    """For alpha = 1 nothing of 1 - alpha may stay in the divisor."""
    assert f_at(tpr, 0, p, 1.0) == 1


def test_equal_curves_do_not_cross() -> None:
    assert np.isnan(f_crossing(0.3, 0.9, 0.1, 0.3, 1.0))  # but for rounding FPR / TPR is 3 of both
    assert f_crossing(0.3, 0.9, 0.1, 0.2, 1.0) == 1
