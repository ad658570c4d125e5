"""Whether scores are calibrated, and what the threshold that theory names for such scores, F*/2, gives."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from cvlint.runtime.arrays import array_of
from cvlint.runtime.counts import Floats
from cvlint.runtime.operating import are_probabilities, operating_points
from cvlint.runtime.thresholds import BestThreshold, at_threshold, best_of, optimal_probability

LEVEL = 0.05  # of the test of calibration


@dataclass(frozen=True, slots=True)
class Calibration:
    """Scores from 0 to 1, taken for probabilities, against what is true.

    Attributes
    ----------
    best
        The threshold with the highest F_beta, F*.
    rule
        What the threshold F* / (1 + beta²) gives, which is F*/2 for F1.
    mean_score, prevalence
        The means of the scores and of the labels, which agree where scores are calibrated.
    z, p
        Spiegelhalter's statistic, normal with deviation 1 for calibrated scores, and the probability of one as far
        from 0; infinite and 0 where a score of 0 or 1 is wrong, NaN where the scores say nothing (all 0.5).
    """

    best: BestThreshold
    rule: BestThreshold
    mean_score: float
    prevalence: float
    z: float
    p: float

    @property
    def loss(self) -> float:
        """How much lower F is by the rule than at the best threshold, chosen on the same samples."""
        return self.best.f - self.rule.f

    @property
    def plausible(self) -> bool:
        """Whether the scores can be calibrated: Spiegelhalter's test does not refuse it at 5 %."""
        return not self.p < LEVEL


def check_calibration(
    y_true: ArrayLike, y_score: ArrayLike, beta: float = 1.0, weight: ArrayLike | None = None
) -> Calibration | None:
    """Compare the threshold by the rule with the best one, and test the calibration.

    Parameters
    ----------
    y_true, y_score, weight
        As of `cvlint.runtime.operating.operating_points`, each (n,).
    beta
        The weight of recall against precision.

    Returns
    -------
    Calibration or None
        None where a score is not from 0 to 1, so that the scores are no probabilities.

    Raises
    ------
    FoldDataError
        For values that `operating_points` refuses.

    References
    ----------
    Lipton et al. 2014, corollary 1; Spiegelhalter 1986, for the test.
    """
    points = operating_points(y_true, y_score, weight)
    score, truth = array_of(y_score, "y_score").astype(np.float64), array_of(y_true, "y_true").astype(np.float64)
    if not are_probabilities(score):
        return None
    mass = np.ones(len(score)) if weight is None else array_of(weight, "weight").astype(np.float64)
    best = best_of(points, beta)
    rule = at_threshold(points, optimal_probability(best.f, beta), beta)
    z = spiegelhalter(truth, score, mass)
    p = math.erfc(abs(z) / math.sqrt(2)) if not math.isnan(z) else math.nan
    return Calibration(best, rule, float(np.average(score, weights=mass)), points.prevalence, z, p)


def spiegelhalter(truth: Floats, score: Floats, mass: Floats) -> float:
    """The statistic: the excess of the Brier score over what calibrated scores lead to expect, by its deviation."""
    excess = float((mass * (truth - score) * (1 - 2 * score)).sum())
    variance = float((mass**2 * (1 - 2 * score) ** 2 * score * (1 - score)).sum())
    if variance > 0:
        return excess / math.sqrt(variance)
    return math.copysign(math.inf, excess) if excess else math.nan
