"""Cost space: the normalised expected cost of classifiers over PC(+), and Brier curves.

An operating point is the line NEC = (1 - PC(+)) FPR + PC(+) (1 - TPR): FPR at 0 and 1 - TPR at 1.

References
----------
Drummond & Holte 2006, Cost curves; Soleymani et al., sections 2.3 and 3.3. What is printed in the latter and differs
from its own derivation:

- Equation 15: by equations 13 and 14, P'(+) is (FPR_i - FPR_j) / ((1 / m - 1) (TPR_i - TPR_j) + FPR_i - FPR_j); the
  factor is printed as 1 / (m - 1), and at the other difference.
- Section 3.2, figure 4c: with the rates printed there C2 costs less than C1 below PC(+) = 0.559, they are equal up to
  0.688, and C1 costs less from there to 0.962; the text has C1 and C2 the other way round. (In figure 4d C2 has the
  higher F below P(+) = 0.455 and C1 from 0.623 to 0.96, about as the text says.)
- Equations A.5 and A.6: they bound PC(+), but the bound has the factor (1 - m) / m that it has for P(+), and
  the difference of the TPR stands in it with the other sign.
- Section 2.3: a sample is best called positive where its probability is at least C_FP / (C_FN + C_FP), which is
  1 - c; a threshold of c, as printed, is for scores of the other class.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from cvlint.runtime.errors import FoldDataError
from cvlint.runtime.measures.counts import Floats, quotient
from cvlint.runtime.spaces.envelopes import Envelope, crossing_within, lower_envelope
from cvlint.runtime.thresholds.operating_points import OperatingPoints, checked_prevalence


def probability_cost(prevalence: ArrayLike, m: float = 0.5) -> Floats:
    """PC(+), the share of the positives in the largest possible cost.

    Parameters
    ----------
    prevalence
        P(+), from 0 to 1; of any shape.
    m
        C_FP / (C_FP + C_FN), from 0 to 1; for 0.5 PC(+) is P(+).

    Returns
    -------
    ndarray
        (1 - m) P(+) / ((1 - m) P(+) + m (1 - P(+))), from 0 to 1; NaN where that is 0 / 0.

    Raises
    ------
    FoldDataError
        For an m outside 0 to 1.

    References
    ----------
    Soleymani et al., equations 6, 12 and 13.
    """
    p, m = np.asarray(prevalence, dtype=np.float64), checked_m(m)
    return quotient((1 - m) * p, (1 - m) * p + m * (1 - p), np.nan)


def prevalence_at(pc: ArrayLike, m: float = 0.5) -> Floats:
    """The P(+) of a PC(+): the inverse of `probability_cost`, which has the same form with 1 - m for m."""
    return probability_cost(pc, 1 - checked_m(m))


def expected_cost(tpr: ArrayLike, fpr: ArrayLike, pc: ArrayLike) -> Floats:
    """NEC, the normalised expected cost of operating points: (1 - TPR - FPR) PC(+) + FPR; arrays broadcast.

    It is from 0 to 1, where 1 is the cost of getting everything wrong.

    References
    ----------
    Soleymani et al., equation 7.
    """
    t, f, x = (np.asarray(values, dtype=np.float64) for values in (tpr, fpr, pc))
    return np.asarray(x * (1 - t) + (1 - x) * f)


def cost_envelope(tpr: ArrayLike, fpr: ArrayLike) -> Envelope:
    """The lower envelope of cost lines: which of some operating points, (m,), is best in which interval of PC(+).

    The trivial classifiers take part only if they are among the points; the points of a ranking include them.

    References
    ----------
    Drummond & Holte 2006: it is the ROC convex hull, by the duality of points and lines.
    """
    return lower_envelope(fpr, 1 - np.asarray(tpr, dtype=np.float64))


def cost_crossing(tpr_i: ArrayLike, fpr_i: ArrayLike, tpr_j: ArrayLike, fpr_j: ArrayLike) -> Floats:
    """The PC(+) at which two classifiers cost the same; `prevalence_at` gives its P(+).

    Returns
    -------
    ndarray
        (FPR_i - FPR_j) / ((TPR_i - TPR_j) + (FPR_i - FPR_j)), from 0 to 1; NaN where one costs less for all PC(+), or
        they are the same. Above it the one with the higher tpr costs less. Arrays broadcast.

    References
    ----------
    Soleymani et al., equation 14.
    """
    ti, tj = np.asarray(tpr_i, dtype=np.float64), np.asarray(tpr_j, dtype=np.float64)
    return crossing_within(fpr_i, 1 - ti, fpr_j, 1 - tj)


def operating_range(tpr: ArrayLike, fpr: ArrayLike) -> tuple[float, float]:
    """The range of PC(+) in which the best operating point, of (m,), costs less than calling all samples one class.

    Twice NaN when it never does. Calling all negative costs PC(+), and calling all positive costs 1 - PC(+).

    References
    ----------
    Drummond & Holte 2006, section 3; Soleymani et al., section 2.3.
    """
    t, f = np.asarray(tpr, dtype=np.float64), np.asarray(fpr, dtype=np.float64)
    useful = t > f  # a point on the diagonal of ROC space costs no less than either
    if not useful.any():
        return float("nan"), float("nan")
    t, f = t[useful], f[useful]
    return float((f / (f + t)).min()), float(((1 - f) / (2 - f - t)).max())


def at_threshold(points: OperatingPoints, threshold: ArrayLike) -> tuple[Floats, Floats]:
    """The tpr and fpr of a ranking where scores of at least ``threshold`` are called positive."""
    rising = points.thresholds[::-1]
    place = len(points) - 1 - np.searchsorted(rising[:-1], threshold, "left")  # the lowest threshold that is not below
    return points.tpr[place], points.fpr[place]


def brier_curve(points: OperatingPoints, c: ArrayLike) -> Floats:
    """Twice the cost of deciding by uncorrected probabilities, over the cost proportion c = C_FN / (C_FN + C_FP).

    Parameters
    ----------
    points
        Those of a ranking whose scores are probabilities of the positive class, from 0 to 1.
    c
        Cost proportions from 0 to 1, of any shape.

    Returns
    -------
    ndarray
        2 (c P(+) FNR + (1 - c) P(-) FPR) at the threshold 1 - c. The area below it is the Brier score.

    Raises
    ------
    FoldDataError
        When a score is not a probability.

    References
    ----------
    Hernández-Orallo, Flach & Ferri 2011, Brier curves; Soleymani et al., section 2.3, and above for its threshold.
    """
    c = np.asarray(c, dtype=np.float64)
    tpr, fpr = at_threshold(checked_probabilities(points), 1 - c)
    return np.asarray(2 * (c * points.prevalence * (1 - tpr) + (1 - c) * (1 - points.prevalence) * fpr))


def brier_cost(points: OperatingPoints, pc: ArrayLike, prevalence: float | None = None) -> Floats:
    """The Brier curve in cost space: NEC of deciding by uncorrected probabilities, over PC(+).

    Parameters
    ----------
    points
        Those of a ranking whose scores are probabilities of the positive class, from 0 to 1.
    pc
        PC(+) from 0 to 1, of any shape.
    prevalence
        The P(+) at which the probabilities are calibrated; by default that of the samples.

    Returns
    -------
    ndarray
        NEC at the threshold that is best for the costs behind PC(+) if the probabilities are calibrated. It is nowhere
        below the lower envelope; the gap is the loss from bad calibration.

    Raises
    ------
    FoldDataError
        When a score is not a probability, or for a prevalence outside 0 to 1.
    """
    p = points.prevalence if prevalence is None else checked_prevalence(prevalence)
    x = np.asarray(pc, dtype=np.float64)
    threshold = quotient(p * (1 - x), p * (1 - x) + (1 - p) * x, 0.5)
    return expected_cost(*at_threshold(checked_probabilities(points), threshold), x)


def checked_probabilities(points: OperatingPoints) -> OperatingPoints:
    """The points; raises unless all thresholds but the first are probabilities."""
    if not points.has_probabilities:
        raise FoldDataError("a Brier curve needs probabilities: there are scores outside 0 to 1.")
    return points


def checked_m(m: float) -> float:
    """A share of costs; raises unless it is from 0 to 1."""
    if not 0 <= m <= 1:
        raise FoldDataError(f"m cannot be {m:g}: C_FP / (C_FP + C_FN) is from 0 to 1.")
    return m
