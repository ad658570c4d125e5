"""Student's t and the binomial distribution, against scipy."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from scipy.special import betainc

from cvlint.runtime.comparison.mcnemar import binomial_cdf
from cvlint.runtime.intervals.student_t import incomplete_beta, t_cdf, t_quantile


@settings(deadline=None, max_examples=300)
@given(st.floats(0.05, 3_000), st.floats(0.05, 3_000), st.floats(0, 1))
def test_the_incomplete_beta_function(a: float, b: float, x: float) -> None:
    assert incomplete_beta(a, b, x) == pytest.approx(float(betainc(a, b, x)), rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("freedom", [1, 2, 3, 9, 29, 99, 1_000])
@pytest.mark.parametrize("t", [-40.0, -3.0, -0.1, 0.0, 0.2, 2.5, 12.0])
def test_the_distribution_of_t(t: float, freedom: int) -> None:
    assert t_cdf(t, freedom) == pytest.approx(stats.t.cdf(t, freedom), rel=1e-9, abs=1e-13)


@pytest.mark.parametrize("freedom", [1, 2, 9, 99])
@pytest.mark.parametrize("p", [0.005, 0.025, 0.5, 0.9, 0.975, 0.999])
def test_quantiles_of_t(p: float, freedom: int) -> None:
    assert t_quantile(p, freedom) == pytest.approx(stats.t.ppf(p, freedom), rel=1e-8, abs=1e-9)


@pytest.mark.parametrize(("k", "n"), [(0, 1), (0, 7), (3, 7), (6, 7), (7, 7), (480, 1_000), (0, 0)])
def test_the_binomial_distribution(k: int, n: int) -> None:
    assert binomial_cdf(k, n) == pytest.approx(stats.binom.cdf(k, n, 0.5), rel=1e-9)
