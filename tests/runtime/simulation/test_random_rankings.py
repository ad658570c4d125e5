"""The best F of random rankings against the list of all rankings, and against drawing every label."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chisquare, ks_2samp

from cvlint.runtime import FoldDataError
from cvlint.runtime.simulation.random_rankings import best_prefixes, one_prediction_bound, winners_curse
from cvlint.runtime.thresholds.best_threshold import best_of
from cvlint.runtime.thresholds.operating_points import operating_points
from cvlint.runtime.thresholds.optimism import chance_of


def best_of_ranking(places: tuple[int, ...], samples: int, beta: float) -> tuple[int, float]:
    """How many are predicted at the best threshold where positives stand at these places, and F."""
    truth = np.isin(np.arange(samples), places)
    best = best_of(operating_points(truth, -np.arange(samples)), beta)
    return round(best.predicted * samples), best.f


@pytest.mark.parametrize(("samples", "positives", "beta"), [(9, 3, 1.0), (8, 5, 2.0), (7, 1, 0.5), (6, 5, 1.0)])
def test_the_best_prefix_is_that_of_all_rankings(samples: int, positives: int, beta: float) -> None:
    every = [best_of_ranking(places, samples, beta) for places in combinations(range(samples), positives)]
    expected = Counter((predicted, round(f, 9)) for predicted, f in every)
    runs = 20_000
    found = best_prefixes(np.full(runs, positives), samples, np.random.default_rng(0), beta)
    drawn = Counter(zip(found.predicted.tolist(), found.f.round(9).tolist(), strict=True))
    assert drawn.keys() == expected.keys()
    shares = np.array([expected[key] for key in expected]) / len(every)
    assert chisquare([drawn[key] for key in expected], shares * runs).pvalue > 0.001
    f = sorted({value for _, value in every})[-2:][0]
    exact = np.mean([value >= f for _, value in every])
    assert chance_of(f, samples, positives, beta, runs=5000, seed=1) == pytest.approx(exact, abs=0.03)


@pytest.mark.parametrize(("samples", "positives"), [(3, 3), (6, 4), (7, 2)])
def test_precision_alone_is_reached_by_the_fewest_predictions(samples: int, positives: int) -> None:
    every = {best_of_ranking(places, samples, 0.0) for places in combinations(range(samples), positives)}
    found = best_prefixes(np.full(2000, positives), samples, np.random.default_rng(0), 0.0)
    drawn = set(zip(found.predicted.tolist(), found.f.round(9).tolist(), strict=True))
    assert drawn == {(predicted, round(f, 9)) for predicted, f in every}


@settings(max_examples=25)
@given(st.integers(1, 400), st.floats(0.001, 0.9), st.sampled_from([0.5, 1.0, 2.0]), st.integers(0, 1000))
def test_what_is_found_is_possible(samples: int, prevalence: float, beta: float, seed: int) -> None:
    found = winners_curse(samples, prevalence, 50, beta, seed)
    some = found.positives > 0
    assert (found.predicted[some] >= 1).all() and (found.predicted <= samples).all()
    assert not found.predicted[~some].any() and not found.f[~some].any()
    tp = found.f * (beta**2 * found.positives + found.predicted) / (1 + beta**2)
    assert tp == pytest.approx(tp.round(), abs=1e-6)  # a whole number of true positives belongs to this F
    assert (tp <= np.minimum(found.positives, found.predicted) + 1e-6).all()
    all_positive = (1 + beta**2) * found.positives / (beta**2 * found.positives + samples)
    assert (found.f >= all_positive - 1e-12).all()


@pytest.mark.parametrize("prevalence", [0.002, 0.03, 0.2])
def test_the_winners_curse_equals_drawing_labels_one_by_one(prevalence: float) -> None:
    samples, runs = 2000, 1500
    rng = np.random.default_rng(5)
    tp = (rng.random((runs, samples)) < prevalence).cumsum(axis=1)
    f = 2 * tp / (tp[:, -1:] + np.arange(1, samples + 1))
    found = winners_curse(samples, prevalence, runs, seed=6)
    some, ours = tp[:, -1] > 0, found.positives > 0
    assert ks_2samp(f.argmax(axis=1)[some] + 1, found.predicted[ours]).pvalue > 0.001
    assert ks_2samp(f.max(axis=1)[some], found.f[ours]).pvalue > 0.001


def test_the_curse_of_a_million_samples() -> None:
    """Lipton et al., section 8: from almost all predicted positive to almost none as the base rate falls."""
    shares = {b: winners_curse(1_000_000, b, 300).predicted / 1e6 for b in (0.1, 0.01, 0.001)}
    assert np.quantile(shares[0.1], 0.05) > 0.95
    assert np.median(shares[0.01]) > 0.5
    assert np.median(shares[0.001]) < 0.05


def test_the_bound() -> None:
    for n in (100, 10_000):
        b = one_prediction_bound(n)
        for rate, better in ((b * 0.99, False), (b * 1.01, True)):
            assert (2 * rate / (1 + rate) > 2 / (1 + rate * n)) is better


def test_refusals() -> None:
    for arguments in ((0, 0.1, 1), (10, 1.5, 1), (10, 0.1, 0), (10**9, 0.1, 1), (10, float("nan"), 1)):
        with pytest.raises(FoldDataError, match="cannot be simulated"):
            winners_curse(*arguments)
    assert np.isnan(chance_of(0.5, 10, 0))
