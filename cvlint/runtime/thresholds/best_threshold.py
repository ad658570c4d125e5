"""The threshold with the best F-measure on given scores, and what theory says about it.

References
----------
Lipton, Elkan & Naryanaswamy 2014, Optimal thresholding of classifiers to maximize F1 measure. What is printed there and
differs from its own derivation:

- Section 2: the tp of micro-F1 has a factor 2 that stands in equation 1 already.
- Section 5, theorem 2: E(F1) = 2b / (1 + b) is exact for b n positives. Where their number varies, E(F1) is a little
  less, as F1 is concave in it.
- Figure 7: half of the F1 printed for "Phosphinic Acids" is 7.72e-5, not 7.71e-5.
- Section 8, equation 4 counts a score that equals the threshold as positive and as negative.
- Section 8: the F1 of a single right prediction is 2 / (1 + b n), not 2 / (2 + b n). The bound on b that follows
  fits neither, and scores do not all reach "a threshold of 0": see
  `cvlint.runtime.simulation.random_rankings.winners_curse`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from cvlint.runtime.measures.counts import Floats, f_from_counts
from cvlint.runtime.measures.recall_weight import checked_beta
from cvlint.runtime.thresholds.operating_points import OperatingPoints, checked_prevalence, hull, operating_points

EQUAL = 1e-12  # values of F that differ by less, relatively, differ only by rounding


@dataclass(frozen=True, slots=True)
class BestThreshold:
    """A threshold and its F-measure; a sample is predicted positive where its score >= the threshold."""

    threshold: float
    """A score; infinity where it is best to predict nothing positive."""
    f: float
    """F_beta at it, from 0 to 1."""
    predicted: float
    """The share of samples that it predicts positive."""
    next_score: float
    """The next lower score, minus infinity if there is none: all thresholds above it, up to ``threshold``, decide
    alike.
    """


def best_threshold(
    y_true: ArrayLike,
    y_score: ArrayLike,
    beta: float = 1.0,
    *,
    weight: ArrayLike | None = None,
    prevalence: float | None = None,
) -> BestThreshold:
    """The threshold with the highest F_beta over all distinct scores.

    Parameters
    ----------
    y_true, y_score, weight
        As for `operating_points`, each (n,).
    beta
        The weight of recall against precision, from 0 to 1,000,000 (as everywhere in this module).
    prevalence
        P(+) where the threshold is to be used, if it differs from that of the samples; TPR and FPR stay the same.

    Returns
    -------
    BestThreshold
        Among thresholds with equal F the highest, which predicts the fewest positives. Without positives, F is 0
        everywhere and the threshold is infinity.

    Raises
    ------
    FoldDataError
        For values that `operating_points` refuses, and a prevalence or beta outside their ranges.

    References
    ----------
    Lipton et al. 2014, sections 4 and 8. The threshold is chosen on the samples that it is measured on; on other
    samples its F is lower (`cvlint.runtime.thresholds.optimism`).
    """
    return best_of(operating_points(y_true, y_score, weight), beta, prevalence)


def best_of(points: OperatingPoints, beta: float = 1.0, prevalence: float | None = None) -> BestThreshold:
    """The operating point with the highest F_beta, as `best_threshold` gives it."""
    f = f_of_points(points, beta, prevalence)
    best = int(np.flatnonzero(f >= f.max() * (1 - EQUAL))[0])
    return threshold_at(points, best, float(f[best]), prevalence)


def at_threshold(
    points: OperatingPoints, threshold: float, beta: float = 1.0, prevalence: float | None = None
) -> BestThreshold:
    """The operating point of a given threshold."""
    place = int(np.searchsorted(-points.thresholds, -threshold, "right")) - 1
    return threshold_at(points, place, float(f_of_points(points, beta, prevalence)[place]), prevalence)


def next_score(points: OperatingPoints, threshold: float) -> float:
    """The highest score below a threshold, minus infinity if there is none; thresholds between them decide alike."""
    place = int(np.searchsorted(-points.thresholds, -threshold, "right"))
    return float(points.thresholds[place]) if place < len(points) else -math.inf


def threshold_at(points: OperatingPoints, place: int, f: float, prevalence: float | None) -> BestThreshold:
    """The operating point with a given number among those of a ranking."""
    tp, fp, positives, negatives = masses(points, prevalence)
    after = float(points.thresholds[place + 1]) if place + 1 < len(points) else -np.inf
    predicted = (tp[place] + fp[place]) / (positives + negatives)
    return BestThreshold(float(points.thresholds[place]), f, float(predicted), after)


def f_of_points(points: OperatingPoints, beta: float = 1.0, prevalence: float | None = None) -> Floats:
    """F_beta of each operating point, (m,), from 0 to 1; 0 where nothing is positive or predicted positive.

    Parameters
    ----------
    points
        Of a ranking.
    beta
        The weight of recall against precision.
    prevalence
        P(+) from 0 to 1; by default that of the samples.
    """
    tp, fp, positives, _ = masses(points, prevalence)
    return f_from_counts(tp, fp, positives - tp, checked_beta(beta))


def masses(points: OperatingPoints, prevalence: float | None) -> tuple[Floats, Floats, float, float]:
    """The true and false positives of each point, and all positives and negatives: counts, or shares at P(+)."""
    positives, negatives = points.positives, points.negatives
    if prevalence is not None:
        positives, negatives = checked_prevalence(prevalence), 1 - prevalence
    absent = np.zeros(len(points))  # a class that is absent has undefined rates and counts of 0
    tp = points.tpr * positives if points.positives else absent
    return tp, points.fpr * negatives if points.negatives else absent, positives, negatives


def optimal_probability(f: float, beta: float = 1.0) -> float:
    """The threshold of calibrated probabilities that belongs to the highest F_beta, F*: F* / (1 + beta²), F*/2 for F1.

    Notes
    -----
    Let decisions have tp, fp and fn (shares or counts), so that F = (1 + beta²) tp / B with B = beta² (tp + fn) +
    tp + fp. To call one more region positive, with a positives and c negatives, adds a to tp and a + c to B. That does
    not lower F exactly where a / (a + c) >= tp / B = F / (1 + beta²). The left side is the probability of a
    positive in the region. With alpha = 1 / (1 + beta²) the threshold is alpha F*; it cannot exceed alpha.

    References
    ----------
    Lipton et al. 2014, corollary 1, for beta = 1.
    """
    return f / (1 + checked_beta(beta) ** 2)


def optimal_odds(f: float, beta: float = 1.0) -> float:
    """The least odds b p(s|1) / ((1 - b) p(s|0)) at which the highest F_beta calls a score s positive.

    Infinite where F is 1 and beta is 0, because every negative lowers precision.

    Notes
    -----
    In `optimal_probability` a / c >= tp / (B - tp) = tp / (beta² (tp + fn) + fp) = F / (1 + beta² - F). For F1 it is
    tp / (tp + fn + fp), the Jaccard index of the best decisions.

    References
    ----------
    Lipton et al. 2014, theorem 1, for beta = 1.
    """
    below = checked_beta(beta) ** 2 + (1 - f)
    return f / below if below else math.inf


@dataclass(frozen=True, eq=False, slots=True)
class LikelihoodRule:
    """The likelihood-ratio rule on given scores."""

    odds: Floats
    """The estimated odds of a positive, b p(s|1) / ((1 - b) p(s|0)), in each stretch of scores, falling, (k,); infinite
    where a stretch has positives only.
    """
    lowest: Floats
    """The lowest score of each stretch, (k,)."""
    needed: float
    """The odds that a stretch needs to be called positive; J for F1."""
    threshold: float
    """The lowest score of the last stretch with such odds; infinity without positives."""


def likelihood_rule(points: OperatingPoints, beta: float = 1.0, prevalence: float | None = None) -> LikelihoodRule:
    """The threshold by the likelihood-ratio rule, for scores that are not calibrated probabilities.

    Parameters
    ----------
    points
        Of a ranking in which both classes occur.
    beta
        The weight of recall against precision.
    prevalence
        The base rate b; by default that of the samples. At 0 and at 1 a class is absent.

    Returns
    -------
    LikelihoodRule
        Its threshold has the highest F_beta. Where a class is absent there are no stretches, and the threshold is that
        of `best_of`.

    Notes
    -----
    The ratio p(s|1) / p(s|0) is estimated as the slope of the ROC convex hull at s, the maximum-likelihood estimate
    that is monotone in s (isotonic regression). The points with equal F are on a straight line in ROC space, so the
    best point is a vertex of the hull. The rule finds it by the edges: those before it have odds of at least J, those
    after it of at most J.

    References
    ----------
    Lipton et al. 2014, theorem 1; Fawcett & Niculescu-Mizil 2007, on the hull and isotonic regression.
    """
    best = best_of(points, beta, prevalence)
    needed = optimal_odds(best.f, beta)
    if not points.defined or prevalence in (0, 1):
        return LikelihoodRule(np.zeros(0), np.zeros(0), needed, best.threshold)
    vertices = hull(points)
    tp, fp, _, _ = masses(vertices, prevalence)
    lowest = vertices.thresholds
    if fp[0] > 0 or tp[0] > 0:  # the hull has no vertex (0, 0) where a higher one is above it
        tp, fp = np.concatenate(([0.0], tp)), np.concatenate(([0.0], fp))
    else:
        lowest = lowest[1:]
    with np.errstate(divide="ignore"):
        odds = np.diff(tp) / np.diff(fp)
    enough = np.flatnonzero(odds > needed * (1 + EQUAL))
    return LikelihoodRule(odds, lowest, needed, float(lowest[enough[-1]]) if len(enough) else best.threshold)


def at_prevalence(probability: ArrayLike, prevalence: float, other: float) -> Floats:
    """Correct probabilities that are calibrated at one prevalence for another; p(s|1) and p(s|0) stay the same.

    Parameters
    ----------
    probability
        From 0 to 1, any shape.
    prevalence, other
        P(+) of the data, and P(+) where the probabilities are needed; each above 0 and below 1.

    References
    ----------
    Elkan 2001, theorem 2: the odds are multiplied by the ratio of both prior odds.
    """
    p = np.asarray(probability, dtype=np.float64)
    positive, negative = p * other * (1 - prevalence), (1 - p) * prevalence * (1 - other)
    return np.asarray(positive / (positive + negative))
