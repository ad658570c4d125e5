"""Whether scores are calibrated, and the F of the threshold that theory gives for calibrated scores, F*/2."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from cvlint.runtime.data.arrays import array_of
from cvlint.runtime.measures.counts import Floats
from cvlint.runtime.thresholds.best_threshold import BestThreshold, at_threshold, best_of, optimal_probability
from cvlint.runtime.thresholds.operating_points import are_probabilities, operating_points

LEVEL = 0.05  # of the test of calibration


@dataclass(frozen=True, slots=True)
class Calibration:
    """Scores from 0 to 1 as probabilities, compared with the true labels."""

    best: BestThreshold
    """The threshold with the highest F_beta, F*."""
    rule: BestThreshold
    """The threshold F* / (1 + beta²) and its F; F*/2 for F1."""
    mean_score: float
    prevalence: float
    """The means of the scores and of the labels; for calibrated scores they agree."""
    z: float
    z_mean: float
    """Spiegelhalter's statistic, which detects scores that are too far from 1/2 or too near, and the excess of
    positives over the sum of scores, in standard deviations, which detects scores that are too high or too low. For
    calibrated scores each is normal with deviation 1. It is infinite where a score of 0 or 1 is wrong, and NaN where no
    excess is possible (the first where all scores are 0, 1/2 or 1; both where all are 0 or 1).
    """
    p: float
    """An upper bound (Bonferroni) of the probability that one of the two is as far from 0 for calibrated scores; NaN
    where both are NaN.
    """

    @property
    def loss(self) -> float:
        """How much lower F is with the rule than at the best threshold, which is chosen on the same samples."""
        return self.best.f - self.rule.f

    @property
    def plausible(self) -> bool | None:
        """Whether the tests do not reject calibration at 5 %; None where they cannot decide."""
        return None if math.isnan(self.p) else self.p >= LEVEL


def check_calibration(
    y_true: ArrayLike, y_score: ArrayLike, beta: float = 1.0, weight: ArrayLike | None = None
) -> Calibration | None:
    """Compare the threshold by the rule with the best one, and test the calibration.

    Parameters
    ----------
    y_true, y_score, weight
        As for `cvlint.runtime.thresholds.operating_points.operating_points`, each (n,).
    beta
        The weight of recall against precision.

    Returns
    -------
    Calibration or None
        None where a score is not from 0 to 1, so that the scores are not probabilities.

    Raises
    ------
    FoldDataError
        For values that `operating_points` refuses.

    References
    ----------
    Lipton et al. 2014, corollary 1; Spiegelhalter 1986, for a test that needs no groups of scores; Cox 1958, for
    calibration in the large, without which scores near 1/2 always pass.
    """
    points = operating_points(y_true, y_score, weight)
    score, truth = array_of(y_score, "y_score").astype(np.float64), array_of(y_true, "y_true").astype(np.float64)
    if not are_probabilities(score):
        return None
    mass = np.ones(len(score)) if weight is None else array_of(weight, "weight").astype(np.float64)
    best = best_of(points, beta)
    rule = at_threshold(points, optimal_probability(best.f, beta), beta)
    z, z_mean = (excess(truth, score, mass * looking) for looking in (1 - 2 * score, 1.0))
    tails = [normal_tails(found) for found in (z, z_mean) if not math.isnan(found)]
    p = min(1.0, len(tails) * min(tails)) if tails else math.nan
    mean_score = float(np.average(score, weights=mass))
    return Calibration(best, rule, mean_score, points.prevalence, z, z_mean, p)


def excess(truth: Floats, score: Floats, mass: Floats) -> float:
    """The weighted excess of the labels over the scores, in standard deviations under calibration.

    Infinite where a score of 0 or 1 is wrong, which calibration excludes; NaN where the deviation is 0.
    """
    wrong = np.abs(truth - score) == 1
    if wrong.any():
        return math.copysign(math.inf, float((mass * (truth - score))[wrong].sum()))
    variance = float((mass**2 * score * (1 - score)).sum())
    return float((mass * (truth - score)).sum()) / math.sqrt(variance) if variance > 0 else math.nan


def normal_tails(z: float) -> float:
    """The probability that a standard normal number is at least as far from 0."""
    return math.erfc(abs(z) / math.sqrt(2))
