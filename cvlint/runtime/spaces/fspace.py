"""The F-measure space: F_alpha of classifiers over the prevalence P(+) of the data that they are used on.

The curve of an operating point is F = TPR / (alpha (TPR + lambda FPR) + 1 - alpha), lambda = P(-) / P(+), so that
P(+) / F is a line in P(+): alpha FPR / TPR at 0, alpha + (1 - alpha) / TPR at 1. Envelopes, crossings and dominance
follow from that, exactly (`cvlint.runtime.spaces.envelopes`).

Every function raises `FoldDataError` for an alpha, the weight of precision, outside 0 to 1.

References
----------
Soleymani, Granger & Fumera, F-measure curves: a tool to visualize classifier performance under imbalance. What is
printed there and differs from its own derivation:

- Table 1 fits no formula of the paper: for (TPR, FPR) = (0.88, 0.04), lambda = 3 precision and recall are both 0.88, as
  the text says, so F is 0.88 for any alpha, not 1; the other entries differ in the same way.
- Section 2.1: 22 and 24 of 25 positives, 3 and 5 of 75 negatives differ by 0.08 in TPR and by 0.027 in FPR, not by
  0.12 and 0.02.
- Section 3.1: a curve ends at TPR / (alpha (TPR - 1) + 1) for P(+) = 1, as its first paragraph says, not at the
  precision, which is 1 there. It is concave where FPR - TPR <= (1 - alpha) / alpha, not only where TPR > FPR.
- Section 3.2: of two classifiers with FPR_j > FPR_i and TPR_j > TPR_i the curves cross between 0 and 1 only if also
  FPR_j / TPR_j > FPR_i / TPR_i; else j is better for all P(+), and equation 11 gives nothing between them.
- Section 3.2, after equation 11: the opposite happens for P(+) < P*(+); what is printed is P*(+) < P(+).
- Section 3.3: "alpha > 0.5" and "alpha < 0.5" are interchanged: a small alpha favours the positive class.
  The derivatives of F are -alpha lambda F² / TPR by FPR and (F - alpha F²) / TPR by TPR, printed without alpha and
  with a plus.
- Equation A.7: the combination by AND, whose FPR is lower, is better below P*(+), not above; the opposite holds for
  OR in A.8, whose denominator must end in FPR_i TPR_or - FPR_or TPR_i, as equation 11 has it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cvlint.runtime.measures.counts import Floats, quotient
from cvlint.runtime.measures.fmeasure import checked_alpha
from cvlint.runtime.spaces.envelopes import EQUAL, Envelope, crossing_within, lower_envelope
from cvlint.runtime.thresholds.operating_points import OperatingPoints, checked_prevalence


def f_at(tpr: ArrayLike, fpr: ArrayLike, prevalence: ArrayLike, alpha: float = 0.5) -> Floats:
    """F_alpha of operating points where ``prevalence`` of the samples are positive.

    Parameters
    ----------
    tpr, fpr, prevalence
        From 0 to 1; arrays of any shapes that broadcast. The curve of one point is `f_at` of many prevalences.
    alpha
        The weight of precision, from 0 to 1.

    Returns
    -------
    ndarray
        From 0 to 1; 0 at P(+) = 0 and where it is 0 / 0, as for counts; NaN where a rate is NaN.

    Raises
    ------
    FoldDataError
        For an alpha outside 0 to 1.

    References
    ----------
    Soleymani et al., equation 9.
    """
    checked_alpha(alpha)
    t, f, p = (np.asarray(values, dtype=np.float64) for values in (tpr, fpr, prevalence))
    return quotient(p * t, p * (alpha * t + (1 - alpha)) + alpha * (1 - p) * f, 0.0)


def f_lines(tpr: ArrayLike, fpr: ArrayLike, alpha: float = 0.5) -> tuple[Floats, Floats]:
    """The heights of the lines P(+) / F at P(+) = 0 and 1; infinite where tpr is 0, NaN where a rate is NaN."""
    checked_alpha(alpha)
    t, f = np.asarray(tpr, dtype=np.float64), np.asarray(fpr, dtype=np.float64)
    left = np.where(np.isnan(f), np.nan, quotient(alpha * f, t, np.inf))
    return left, quotient(alpha * t + (1 - alpha), t, np.inf)


def f_envelope(tpr: ArrayLike, fpr: ArrayLike, alpha: float = 0.5) -> Envelope:
    """The upper envelope of F curves: which of some operating points is best in which interval of P(+).

    Parameters
    ----------
    tpr, fpr
        The rates of each point, (m,), of one soft classifier or of several.
    alpha
        The weight of precision, from 0 to 1; for 0 the points with the highest tpr are best everywhere.

    Returns
    -------
    Envelope
        Over P(+): exact, by the crossings; its lines are P(+) / F. The best points are vertices of the ROC convex hull.

    References
    ----------
    Soleymani et al., section 3.2, by way of the lines of this module.
    """
    return lower_envelope(*f_lines(tpr, fpr, alpha))


def best_f(points: OperatingPoints, prevalence: ArrayLike, alpha: float = 0.5) -> tuple[NDArray[np.intp], Floats]:
    """The best operating points of a classifier where ``prevalence`` of the samples are positive, and their F_alpha.

    Returns
    -------
    tuple of ndarray
        Indices of the points and their F, each of the shape of ``prevalence``; -1 and NaN where a class is absent.

    References
    ----------
    Soleymani et al., section 3.4.1.
    """
    index = f_envelope(points.tpr, points.fpr, alpha).best(prevalence)
    tpr, fpr = np.append(points.tpr, np.nan)[index], np.append(points.fpr, np.nan)[index]
    return index, f_at(tpr, fpr, prevalence, alpha)


def f_crossing(tpr_i: ArrayLike, fpr_i: ArrayLike, tpr_j: ArrayLike, fpr_j: ArrayLike, alpha: float = 0.5) -> Floats:
    """P*(+), where the F curves of two classifiers cross.

    Parameters
    ----------
    tpr_i, fpr_i, tpr_j, fpr_j
        The rates of the two; arrays broadcast.
    alpha
        The weight of precision, from 0 to 1.

    Returns
    -------
    ndarray
        From 0 to 1; NaN where one is better for all P(+) or both are the same; 0 where they meet only at P(+) = 0, 1
        where they meet only at P(+) = 1. Above P*(+) the one with the higher tpr is better.

    References
    ----------
    Soleymani et al., equation 11: (FPR_i TPR_j - FPR_j TPR_i) / ((alpha - 1) / alpha (TPR_j - TPR_i) + FPR_i TPR_j -
    FPR_j TPR_i). It is where two lines P(+) / F cross.
    """
    i, j = f_lines(tpr_i, fpr_i, alpha), f_lines(tpr_j, fpr_j, alpha)
    return np.where(nowhere_above(i, j) & nowhere_above(j, i), np.nan, crossing_within(*i, *j))


def dominates(tpr_i: ArrayLike, fpr_i: ArrayLike, tpr_j: ArrayLike, fpr_j: ArrayLike) -> NDArray[np.bool_]:
    """Whether classifier i has at least the F of j for every P(+) and 0 < alpha < 1, and more for some.

    This holds where tpr_i >= tpr_j and fpr_i / tpr_i <= fpr_j / tpr_j and not both are equal; arrays broadcast.

    References
    ----------
    Soleymani et al., section 3.2, whose three conditions are sufficient and not necessary: see this module.
    """
    i, j = f_lines(tpr_i, fpr_i), f_lines(tpr_j, fpr_j)
    return nowhere_above(i, j) & ~nowhere_above(j, i)


def nowhere_above(one: tuple[Floats, Floats], other: tuple[Floats, Floats]) -> NDArray[np.bool_]:
    """Whether the lines of one are nowhere above those of another, except for rounding."""
    left, right = (own <= its * (1 + EQUAL) for own, its in zip(one, other, strict=True))
    return np.asarray(left & right, dtype=np.bool_)


def balanced_prevalence(tpr: ArrayLike, fpr: ArrayLike) -> Floats:
    """The P(+) at which the curves of all alpha cross: FPR / (FPR - TPR + 1), where precision and recall are equal.

    NaN for fpr = 0 and tpr = 1, where they are equal for every P(+).

    References
    ----------
    Soleymani et al., section 3.1.
    """
    f = np.asarray(fpr, dtype=np.float64)
    return quotient(f, f + 1 - np.asarray(tpr, dtype=np.float64), np.nan)


def f_max(fpr_max: ArrayLike, prevalence: ArrayLike, alpha: float = 0.5) -> Floats:
    """The highest F_alpha that is possible at a false positive rate of ``fpr_max``: tpr is 1.

    It is 1 / (1 + alpha (1 / P(+) - 1) FPR_max), and 0 at P(+) = 0. A Neyman-Pearson limit also allows any lower fpr,
    and so any F up to 1.

    References
    ----------
    Soleymani et al., section 3.4.1.
    """
    return f_at(1.0, fpr_max, prevalence, alpha)


def neyman_pearson(points: OperatingPoints, fpr_max: float) -> int:
    """The index of the point with the highest tpr among those whose fpr is at most ``fpr_max``; -1 when none is.

    Among points with equal tpr it is the one with the lowest fpr.
    """
    allowed = np.flatnonzero((points.fpr <= fpr_max) & ~np.isnan(points.tpr))
    if not len(allowed):
        return -1
    return int(allowed[np.lexsort((points.fpr[allowed], -points.tpr[allowed]))[0]])


def fpr_of(precision: ArrayLike, recall: ArrayLike, prevalence: ArrayLike) -> Floats:
    """The false positive rate behind published numbers: R (1 / Pr - 1) P(+) / (1 - P(+)).

    NaN where the precision is 0 or the prevalence is 1, which leave it open; above 1 when the numbers contradict each
    other.
    """
    pr, r, p = (np.asarray(values, dtype=np.float64) for values in (precision, recall, prevalence))
    return quotient(r * (1 - pr) * p, pr * (1 - p), np.nan)


def transferred_f(
    precision: ArrayLike, recall: ArrayLike, prevalence: ArrayLike, deployed: float, alpha: float = 0.5
) -> Floats:
    """F_alpha where ``deployed`` of the samples are positive, from precision and recall on the test data.

    Parameters
    ----------
    precision, recall
        Those on the test data, from 0 to 1; arrays broadcast.
    prevalence
        P(+) of the test data, below 1.
    deployed
        P(+) where the classifier will be used, from 0 to 1.
    alpha
        The weight of precision, from 0 to 1.

    Returns
    -------
    ndarray
        From 0 to 1, if tpr and fpr stay as they are: only the share of the classes may differ. NaN as in `fpr_of`.

    Raises
    ------
    FoldDataError
        For ``deployed`` outside 0 to 1.

    References
    ----------
    Soleymani et al., section 2.3.
    """
    return f_at(recall, fpr_of(precision, recall, prevalence), checked_prevalence(deployed), alpha)
