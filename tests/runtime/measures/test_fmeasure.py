"""The F-measure against scikit-learn, its limits and derivatives."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import fbeta_score

from cvlint.runtime import FoldDataError
from cvlint.runtime.measures.counts import f_from_rates
from cvlint.runtime.measures.fmeasure import (
    alpha_of,
    beta_of,
    effectiveness,
    effectiveness_gradient,
    f_alpha,
    f_alpha_from_counts,
    f_beta,
)

RATES = st.floats(0.01, 1)
COUNTS = st.tuples(*[st.integers(0, 8)] * 3)


@given(COUNTS, st.sampled_from([0.0, 0.25, 0.5, 1.0, 2.0, 7.0, math.inf]))
def test_counts_against_scikit_learn(counts: tuple[int, int, int], beta: float) -> None:
    tp, fp, fn = counts
    truth, guess = np.repeat([1, 0, 1, 0], [tp, fp, fn, 3]), np.repeat([1, 1, 0, 0], [tp, fp, fn, 3])
    expected = fbeta_score(truth, guess, beta=beta, zero_division=0.0)
    assert f_alpha_from_counts(tp, fp, fn, alpha_of(beta)) == pytest.approx(expected)


@given(RATES, RATES, st.floats(0, 50))
def test_both_parameters_mean_the_same(precision: float, recall: float, beta: float) -> None:
    """F_beta as Sasaki prints it; and as the harmonic mean with the weight alpha of the precision."""
    alpha = alpha_of(beta)
    expected = (beta**2 + 1) * precision * recall / (beta**2 * precision + recall)
    assert f_beta(precision, recall, beta) == pytest.approx(expected)
    assert f_from_rates(precision, recall, beta) == pytest.approx(expected)
    assert 1 / f_alpha(precision, recall, alpha) == pytest.approx(alpha / precision + (1 - alpha) / recall)
    assert effectiveness(precision, recall, alpha) == pytest.approx(1 - expected)
    assert beta_of(alpha) == pytest.approx(beta, rel=1e-6, abs=1e-6)


def test_sasakis_numbers() -> None:
    assert f_alpha(1.0, 0.2) == pytest.approx(1 / 3)  # section 1, the finger prints
    assert (alpha_of(1), beta_of(0.5)) == (0.5, 1)
    assert f_alpha(0.9, 0.3, alpha=1) == 0.9 != f_beta(0.9, 0.3, beta=1)  # F_1 speaks of beta


def test_edges() -> None:
    assert (alpha_of(0), beta_of(1)) == (1, 0)
    assert (alpha_of(math.inf), alpha_of(1e200), beta_of(0)) == (0, 0, math.inf)
    assert (f_beta(0.9, 0.3, 0), f_beta(0.9, 0.3, math.inf)) == (0.9, 0.3)
    assert f_beta(0.9, 0.3, 1e9) == pytest.approx(0.3)
    np.testing.assert_array_equal(f_alpha([0, 0, 0.5], [0, 0.5, 0], 0.3), [0, 0, 0])
    np.testing.assert_array_equal(f_alpha([np.nan, 0.5], [0.4, np.nan], 0), [0.4, np.nan])
    assert np.isnan(f_alpha(np.nan, 0.4))
    assert f_alpha_from_counts(0, 0, 0) == 0


@given(RATES, RATES, st.floats(0.05, 0.95))
def test_gradient_against_differences(precision: float, recall: float, alpha: float) -> None:
    step = 1e-6 * min(precision, recall)
    by_p, by_r = effectiveness_gradient(precision, recall, alpha)
    lower, upper = (effectiveness(precision + s, recall, alpha) for s in (-step, step))
    assert by_p == pytest.approx((upper - lower) / (2 * step), rel=1e-3, abs=1e-5)
    lower, upper = (effectiveness(precision, recall + s, alpha) for s in (-step, step))
    assert by_r == pytest.approx((upper - lower) / (2 * step), rel=1e-3, abs=1e-5)


@given(RATES, st.floats(0.05, 0.95))
def test_beta_is_the_ratio_at_which_both_gain_as_much(precision: float, alpha: float) -> None:
    """Sasaki, section 3: R / P = beta there; with P / R = beta, as van Rijsbergen prints, only for beta = 1."""
    by_p, by_r = effectiveness_gradient(precision, beta_of(alpha) * precision, alpha)
    assert by_p == pytest.approx(by_r)
    by_p, by_r = effectiveness_gradient(precision, precision / beta_of(alpha), alpha)
    assert (by_p == pytest.approx(by_r)) == (alpha == pytest.approx(0.5))


@pytest.mark.parametrize("alpha", [-0.1, 1.1, math.nan])
def test_a_weight_outside_0_to_1_is_refused(alpha: float) -> None:
    for function in (f_alpha, effectiveness, effectiveness_gradient):
        with pytest.raises(FoldDataError, match="alpha cannot be"):
            function(0.5, 0.5, alpha)
    with pytest.raises(FoldDataError, match="alpha cannot be"):
        beta_of(alpha)
    with pytest.raises(FoldDataError, match="beta cannot be"):
        alpha_of(-1)


def test_without_a_weight_everything_is_about_f1() -> None:
    """With P = 0.6 and R = 0.3 it is 2 · 0.18 / 0.9 = 0.4; these rates are those of 3 TP, 2 FP and 7 FN."""
    for found in (f_alpha(0.6, 0.3), f_beta(0.6, 0.3), f_from_rates(0.6, 0.3), f_alpha_from_counts(3, 2, 7)):
        assert found == pytest.approx(0.4)
    assert effectiveness(0.6, 0.3) == pytest.approx(0.6)
    by_precision, by_recall = effectiveness_gradient(0.6, 0.3)  # -R² / 2 g² and -P² / 2 g² with g = 0.45
    assert (by_precision, by_recall) == pytest.approx((-0.045 / 0.2025, -0.18 / 0.2025))
