"""How far average precision of few samples is off, against drawing such samples."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import logit
from scipy.stats import norm

from cvlint.runtime.intervals.ranking_bias import BinormalCurve, LogitBias, RankedPositives


def mean_average_precision(mean: float, deviation: float, positives: int, negatives: int) -> float:
    """That of many samples, drawn by a binormal curve: the probits of FPR at the positives are normal."""
    rng = np.random.default_rng(0)
    own = mean + deviation * rng.normal(size=(20_000, positives))
    other = rng.normal(size=(20_000, negatives))
    hits = (own[:, None, :] <= own[:, :, None]).sum(axis=2)
    wrong = (other[:, None, :] <= own[:, :, None]).sum(axis=2)
    return float((hits / (hits + wrong)).mean())


def test_the_bias_and_the_factor_are_those_of_drawing_samples() -> None:
    """The mean moves less than the true value if the classes move apart, so that its interval must be wider."""
    positives, negatives = 3, 12
    above = np.array([0.0, 1.5, 5.0])
    found = LogitBias.of([RankedPositives(above, positives, negatives, 0.0)])
    curve = BinormalCurve.of(above, np.full(3, 12.0))
    quantiles = norm.ppf((np.arange(20_000) + 0.5) / 20_000)
    values, truths = [], []
    for mean in (curve.mean - 0.2, curve.mean, curve.mean + 0.2):
        values.append(logit(mean_average_precision(mean, curve.deviation, positives, negatives)))
        right = positives * norm.cdf(quantiles)
        truths.append(logit(np.mean(right / (right + negatives * norm.cdf(mean + curve.deviation * quantiles)))))
    assert found.shift == pytest.approx(values[1] - truths[1], abs=0.03)
    factor = (truths[2] - truths[0]) / (values[2] - values[0])
    assert factor > 1.05
    assert found.factor == pytest.approx(factor, rel=0.03)
