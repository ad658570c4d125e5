"""Areas under the curve of a ranking that reviewers ask for: the partial AUC, and that of precision-recall gain."""

from __future__ import annotations

import numpy as np

from cvlint.runtime.errors import FoldDataError
from cvlint.runtime.measures.counts import Floats
from cvlint.runtime.measures.ranking import Ranking, running


def rates_of(ranking: Ranking) -> tuple[Floats, Floats]:
    """TPR and FPR by falling threshold, from (0, 0) to (1, 1); the ranking has both classes."""
    bars = np.unique(np.concatenate((ranking.positives, ranking.negatives)))[::-1]
    sides = []
    for own, weights in ((ranking.positives, ranking.positive_weights), (ranking.negatives, ranking.negative_weights)):
        mass = running(np.ones(len(own)) if weights is None else weights)
        sides.append(np.append(0.0, (mass[-1] - mass[np.searchsorted(own, bars, "left")]) / mass[-1]))
    return sides[0], sides[1]


def partial_auc(ranking: Ranking, max_fpr: float) -> float:
    """The partial AUC of a ranking, as `partial_area`; NaN without both classes."""
    if not (len(ranking.positives) and len(ranking.negatives)):
        return float("nan")
    return partial_area(*rates_of(ranking), max_fpr)


def partial_area(tpr: Floats, fpr: Floats, max_fpr: float) -> float:
    """The area under the ROC curve up to ``max_fpr``, scaled so that chance is 0.5 and the best is 1.

    Parameters
    ----------
    tpr, fpr
        Points by falling threshold, from (0, 0) to (1, 1), joined by straight lines.
    max_fpr
        Above 0, up to 1.

    References
    ----------
    McClish 1989, Analyzing a portion of the ROC curve; ``roc_auc_score(…, max_fpr=…)`` of scikit-learn.
    """
    checked_max_fpr(max_fpr)
    stop = int(np.searchsorted(fpr, max_fpr, "right"))
    x, y = fpr[:stop], tpr[:stop]
    if x[-1] < max_fpr:
        y = np.append(y, np.interp(max_fpr, fpr[stop - 1 : stop + 1], tpr[stop - 1 : stop + 1]))
        x = np.append(x, max_fpr)
    area, chance = trapezoids(x, y), max_fpr**2 / 2
    return (1 + (area - chance) / (max_fpr - chance)) / 2


def checked_max_fpr(max_fpr: float) -> float:
    """A highest false positive rate; raises unless it is above 0 and at most 1."""
    if not 0 < max_fpr <= 1:
        raise FoldDataError(f"the highest false positive rate cannot be {max_fpr:g}: it is above 0, and at most 1.")
    return max_fpr


def gain_area_of(ranking: Ranking) -> float:
    """The area under the precision-recall-gain curve of a ranking, as `gain_area`; NaN without both classes."""
    if not (len(ranking.positives) and len(ranking.negatives)):
        return float("nan")
    sides = (
        (ranking.positives, ranking.positive_weights),
        (ranking.negatives, ranking.negative_weights),
    )
    positives, negatives = (len(own) if weights is None else float(weights.sum()) for own, weights in sides)
    return gain_area(*rates_of(ranking), positives / (positives + negatives))


def gain_curve(tpr: Floats, fpr: Floats, prevalence: float) -> tuple[Floats, Floats]:
    """Recall gain and precision gain of the points of a ROC curve, from recall gain 0 on.

    Parameters
    ----------
    tpr, fpr
        Points by falling threshold, from (0, 0) to (1, 1).
    prevalence
        P(+) of the samples, above 0 and below 1.

    Returns
    -------
    tuple of ndarray
        1 - P(+) FN / (P(-) TP), rising from 0 to 1, and 1 - P(+) FP / (P(-) TP), at most 1; it is below 0 where
        precision is lower than P(+). The first point lies on the straight line of ROC space at the recall P(+).

    References
    ----------
    Flach & Kull 2015, Precision-recall-gain curves: PR analysis done right, equations 3 and theorem 1.
    """
    after = int(np.searchsorted(tpr, prevalence, "right"))  # the first point with a recall above P(+)
    part = (prevalence - tpr[after - 1]) / (tpr[after] - tpr[after - 1])
    start = fpr[after - 1] + part * (fpr[after] - fpr[after - 1])
    t, f = np.append(prevalence, tpr[after:]), np.append(start, fpr[after:])
    return 1 - prevalence / (1 - prevalence) * (1 - t) / t, 1 - f / t


def gain_area(tpr: Floats, fpr: Floats, prevalence: float) -> float:
    """The area under the precision-recall-gain curve: at most 1, 0 for scores that know nothing, below 0 for worse."""
    return trapezoids(*gain_curve(tpr, fpr, prevalence))


def trapezoids(x: Floats, y: Floats) -> float:
    """The area under points that are joined by straight lines."""
    return float(np.sum(np.diff(x) * (y[1:] + y[:-1])) / 2)
