"""The corrected t-test, its Bayesian sister and McNemar's test, against their formulas in scipy."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from cvlint.runtime import FoldSet
from cvlint.runtime.comparison.compare import ONE_FOLD, compare
from cvlint.runtime.comparison.fold_tests import bayesian_t, corrected_t
from cvlint.runtime.comparison.mcnemar import exact_p, mcnemar
from cvlint.runtime.comparison.pairing import paired
from cvlint.runtime.intervals.bootstrap import Bootstrap

DIFFERENCES = [0.01, -0.02, 0.05, 0.03, 0.04, 0.0, 0.02, 0.06, -0.01, 0.03]


def test_the_corrected_resampled_t_test() -> None:
    found = corrected_t(DIFFERENCES, 1 / 9, "F").values
    mean, variance = np.mean(DIFFERENCES), np.var(DIFFERENCES, ddof=1)
    t = mean / np.sqrt((1 / 10 + 1 / 9) * variance)  # Nadeau & Bengio 2003
    assert found["t"] == pytest.approx(t, rel=1e-12)
    assert found["p"] == pytest.approx(2 * stats.t.sf(abs(t), 9), rel=1e-9)
    assert found.keys() == {"difference", "t", "df", "p"}  # an interval would hold the mean in 96 to 100 %


def test_without_correction_it_is_the_paired_t_test() -> None:
    plain = stats.ttest_1samp(DIFFERENCES, 0)
    found = corrected_t(DIFFERENCES, 0.0, "F").values
    assert (found["t"], found["p"]) == (pytest.approx(plain.statistic), pytest.approx(plain.pvalue, rel=1e-9))


def test_the_bayesian_correlated_t_test() -> None:
    found = bayesian_t(DIFFERENCES, 1 / 9, "F", 0.01, ("A", "B")).values
    rho = 0.1  # n_test / (n_test + n_train)
    scale = np.sqrt((1 / 10 + rho / (1 - rho)) * np.var(DIFFERENCES, ddof=1))  # Corani & Benavoli 2015
    posterior = stats.t(9, np.mean(DIFFERENCES), scale)
    assert found["p_first"] == pytest.approx(posterior.cdf(-0.01), rel=1e-9)
    assert found["p_second"] == pytest.approx(posterior.sf(0.01), rel=1e-9)
    assert found["p_equal"] == pytest.approx(posterior.cdf(0.01) - posterior.cdf(-0.01), rel=1e-9)


def test_what_cannot_be_tested_has_a_reason() -> None:
    assert corrected_t([0.1], 0.1, "F").why.startswith("it needs two folds")
    assert corrected_t([0.1, 0.1], 0.1, "F").why == "the difference is the same in all folds"
    y = np.arange(40) % 2
    sides = [FoldSet.from_arrays(np.zeros(40), y, np.roll(y, s) | (np.arange(40) > 30)) for s in (0, 1)]
    found = compare(paired(*sides), bootstrap=Bootstrap(100))
    assert {test.why for test in found.tests if test.name in ("corrected-t", "bayesian-t")} == {ONE_FOLD}


@pytest.mark.parametrize(("b", "c"), [(0, 0), (0, 5), (5, 0), (3, 9), (6, 6), (210, 180)])
def test_mcnemar(b: int, c: int) -> None:
    expected = stats.binomtest(b, b + c).pvalue if b + c else 1.0
    assert exact_p(b, c) == pytest.approx(expected, rel=1e-9)


def test_mcnemar_counts_what_one_alone_gets_right() -> None:
    y = [1, 1, 1, 0, 0, 0]
    first, second = [1, 1, 0, 1, 0, 0], [1, 0, 1, 0, 0, 0]
    pair = paired(*(FoldSet.from_arrays([1, 1, 1, 2, 2, 2], y, p) for p in (first, second)))
    found = mcnemar(pair.first, pair.second, pair.names)
    assert (found.values["only_first_right"], found.values["only_second_right"]) == (1, 2)


@pytest.mark.parametrize("columns", [{"group": [1, 1, 2, 2, 3, 3]}, {"weight": [1, 2, 1, 2, 1, 2]}])
def test_mcnemar_says_why_it_does_not_apply(columns: dict[str, list[int]]) -> None:
    sides = [FoldSet.from_arrays([1] * 6, [0, 1] * 3, p, **columns) for p in ([0, 1] * 3, [1] * 6)]
    found = mcnemar(sides[0], sides[1], ("A", "B"))
    assert found.why
    assert not found.values
