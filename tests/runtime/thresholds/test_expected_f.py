"""Expected F against the sum over all outcomes, and the best decisions against all decisions."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom, hypergeom
from sklearn.metrics import fbeta_score

from cvlint.runtime import FoldDataError
from cvlint.runtime.thresholds.expected_f import best_decisions, expected_f, positives_distribution, uninformative_f

# Rounded, because the oracle takes values as equal that differ by less than 1e-14.
PROBABILITY = (st.one_of(st.sampled_from([0.0, 0.5, 1.0]), st.floats(0, 1))).map(lambda p: round(p, 9))
BATCH = st.lists(PROBABILITY, min_size=1, max_size=7)
BETAS = st.sampled_from([0.0, 0.5, 1.0, 2**0.5, 3.0])
EVERY = {n: np.array(list(product((0, 1), repeat=n)), dtype=float) for n in range(1, 8)}


def by_all_outcomes(p: np.ndarray, beta: float, undefined: float) -> np.ndarray:
    """The expected F of all 2^n decisions, each by the sum over all 2^n outcomes."""
    every = EVERY[len(p)]
    chance = np.prod(np.where(every == 1, p, 1 - p), axis=1)
    tp, predicted, positives = every @ every.T, every.sum(axis=1)[:, None], every.sum(axis=1)[None, :]
    bottom = beta**2 * positives + predicted
    f = np.divide((1 + beta**2) * tp, bottom, out=np.zeros_like(tp), where=bottom > 0)
    f[0, 0] = undefined
    return np.asarray(f @ chance)


@settings(max_examples=60)
@given(BATCH, BETAS, st.sampled_from([0.0, 1.0]))
def test_all_decisions(batch: list[float], beta: float, undefined: float) -> None:
    p = np.array(batch)
    values = by_all_outcomes(p, beta, undefined)
    for decisions, value in zip(EVERY[len(p)], values, strict=True):
        assert expected_f(p, decisions, beta, undefined) == pytest.approx(value, abs=1e-12)
    best = best_decisions(p, beta, undefined)
    assert best.expected_f == pytest.approx(values.max(), abs=1e-12)
    assert expected_f(p, best.positive, beta, undefined) == pytest.approx(values.max(), abs=1e-12)
    assert best.positive.sum() <= EVERY[len(p)][np.isclose(values, values.max(), rtol=0, atol=1e-14)].sum(axis=1).min()
    assert best.lowest == (p[best.positive].min() if best.positive.any() else np.inf)


def test_the_sum_over_outcomes_is_of_scikit_learns_f() -> None:
    p, decisions = np.array([0.3, 0.8, 0.1]), np.array([0, 1, 1])
    chances = [np.prod(np.where(y == 1, p, 1 - p)) for y in EVERY[3]]
    values = [fbeta_score(y, decisions, beta=2, zero_division=0) for y in EVERY[3]]
    assert expected_f(p, decisions, 2) == pytest.approx(np.dot(chances, values))


@settings(max_examples=20)
@given(st.integers(2, 80), st.integers(0, 2**32 - 1), BETAS)
def test_larger_batches_by_the_definition(n: int, seed: int, beta: float) -> None:
    """The double sum over positives among the first k and among the others."""
    rng = np.random.default_rng(seed)
    p = rng.beta(*rng.uniform(0.1, 5, 2), n)
    order = np.argsort(-p)
    values = [0.0]
    for k in range(1, n + 1):
        inside = positives_distribution(p[order[:k]])
        outside = positives_distribution(p[order[k:]]) if k < n else np.ones(1)
        tp, fn = np.arange(k + 1)[:, None], np.arange(len(outside))[None, :]
        f = (1 + beta**2) * tp / (k + beta**2 * (tp + fn))
        values.append(float(inside @ f @ outside))
    best = best_decisions(p, beta)
    assert best.expected_f == pytest.approx(max(values), rel=1e-10)
    assert expected_f(p, np.arange(n) % 2, beta) <= best.expected_f + 1e-12


@pytest.mark.parametrize("p", [0.5, 0.02, 0.97])
def test_rounding_does_not_add_up(p: float) -> None:
    n = 3000
    positives = np.arange(n + 1)
    expected = float((binom.pmf(positives, n, p) * 2 * positives / (positives + n)).sum())
    best = best_decisions(np.full(n, p))
    assert best.positive.all()
    assert best.expected_f == pytest.approx(expected, rel=1e-11)
    assert expected <= uninformative_f(p)  # F is concave in the number of positives


@given(st.integers(1, 60), st.data(), st.sampled_from([0.5, 1.0, 2.0]))
def test_scores_that_know_nothing(samples: int, data: st.DataObject, beta: float) -> None:
    """Of a ranking at random the expected F by the hypergeometric distribution is highest where all is positive."""
    positives = data.draw(st.integers(1, samples))
    values = []
    for predicted in range(1, samples + 1):
        tp = np.arange(predicted + 1)
        f = (1 + beta**2) * tp / (beta**2 * positives + predicted)
        values.append(float((hypergeom.pmf(tp, samples, positives, predicted) * f).sum()))
    assert values[-1] == pytest.approx(max(values))
    assert uninformative_f(positives / samples, beta) == pytest.approx(values[-1])


def test_the_batch_decides() -> None:
    """Lipton et al., section 5: 0.1 is positive where it is highest, and negative among many of 0.5."""
    assert best_decisions([0.1, *[0.05] * 9]).positive[0]
    found = best_decisions([*[0.5] * 500, 0.1])
    assert found.positive[:500].all() and not found.positive[500]
    assert found.lowest > found.expected_f / 2 > 0.1


def test_refusals() -> None:
    for values in ([], [0.5, 1.1], [0.5, float("nan")], ["a"]):
        with pytest.raises(FoldDataError):
            best_decisions(values)
    with pytest.raises(FoldDataError, match="2 probabilities and 1 decisions"):
        expected_f([0.5, 0.5], [1])
    for beta in (-1.0, np.nan, np.inf, 1e200):
        for refused in (
            lambda b: best_decisions([0.5], b),
            lambda b: expected_f([0.5], [1], b),
            lambda b: uninformative_f(0.5, b),
        ):
            with pytest.raises(FoldDataError, match="beta cannot be"):
                refused(beta)
