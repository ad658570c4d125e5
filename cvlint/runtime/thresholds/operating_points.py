"""Operating points: the rates that a ranking gives at each threshold, their convex hull, and precision."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cvlint.runtime.data.arrays import array_of
from cvlint.runtime.errors import FoldDataError
from cvlint.runtime.measures.counts import Floats, quotient
from cvlint.runtime.measures.ranking import Ranking, running


@dataclass(frozen=True, slots=True, eq=False)
class OperatingPoints:
    """Points of ROC space, by falling threshold; a sample is predicted positive where its score >= the threshold.

    Attributes
    ----------
    thresholds, tpr, fpr
        Those of each point, (m,). For a ranking the first point is (0, 0) at the threshold infinity and the last one
        (1, 1) at the lowest score. Rates are from 0 to 1; all NaN where the class is absent.
    positives, negatives
        The number of samples of each class; sums of weights where samples have weights; NaN where unknown.
    """

    thresholds: Floats
    tpr: Floats
    fpr: Floats
    positives: float
    negatives: float

    def __len__(self) -> int:
        """The number of points."""
        return len(self.thresholds)

    @property
    def prevalence(self) -> float:
        """P(+) of the samples, from 0 to 1."""
        return self.positives / (self.positives + self.negatives)

    @property
    def has_probabilities(self) -> bool:
        """Whether there are scores, and all are from 0 to 1."""
        return len(self) > 1 and are_probabilities(self.thresholds[1:])

    @property
    def defined(self) -> bool:
        """Whether both classes are present, so that both rates are defined."""
        return self.positives > 0 and self.negatives > 0

    def taken(self, index: ArrayLike) -> OperatingPoints:
        """Some of the points, by their index, (k,)."""
        at = np.asarray(index, dtype=np.intp)
        return OperatingPoints(self.thresholds[at], self.tpr[at], self.fpr[at], self.positives, self.negatives)

    def precision(self, prevalence: float | None = None, undefined: float = np.nan) -> Floats:
        """The precision of each point, (m,), where ``prevalence`` of the samples are positive.

        Parameters
        ----------
        prevalence
            P(+) from 0 to 1; by default that of the samples.
        undefined
            The value where nothing is predicted positive. scikit-learn's ``precision_recall_curve`` uses 1.

        Returns
        -------
        ndarray
            P(+) tpr / (P(+) tpr + (1 - P(+)) fpr); over `tpr`, the recall, it is the precision-recall curve.

        Raises
        ------
        FoldDataError
            For a prevalence outside 0 to 1.

        References
        ----------
        Soleymani et al., equation 2.
        """
        p = self.prevalence if prevalence is None else checked_prevalence(prevalence)
        right = p * self.tpr if p > 0 else np.zeros(len(self))  # an undefined rate does not matter there
        wrong = (1 - p) * self.fpr if p < 1 else np.zeros(len(self))
        return quotient(right, right + wrong, undefined)


def are_probabilities(y_score: Floats) -> bool:
    """Whether all scores are from 0 to 1, so that they can be probabilities."""
    return bool(((y_score >= 0) & (y_score <= 1)).all())


def operating_points(y_true: ArrayLike, y_score: ArrayLike, weight: ArrayLike | None = None) -> OperatingPoints:
    """All operating points of scores: one for every distinct score, and the one without positive predictions.

    Parameters
    ----------
    y_true
        Whether each sample is positive, (n,): booleans, or 0 and 1.
    y_score
        Scores, (n,): finite numbers; a higher score means that positive is likelier.
    weight
        Weights of the samples, (n,), finite and above 0; None when all weigh 1.

    Returns
    -------
    OperatingPoints
        By falling threshold; rates are NaN where the class is absent.

    Raises
    ------
    FoldDataError
        When lengths differ, there are no samples, or values are not as above.
    """
    truth, score = array_of(y_true, "y_true"), array_of(y_score, "y_score")
    weights = None if weight is None else array_of(weight, "weight")
    for name, values in (("y_true", truth), ("y_score", score), ("weight", weights)):
        if values is not None and values.shape != (len(truth),):
            raise FoldDataError(
                f"{name} has the shape {values.shape}, and y_true {truth.shape}: one value a sample is needed."
            )
    if not len(truth):
        raise FoldDataError("there are no samples: y_true is empty.")
    if not np.isin(truth, (0, 1)).all():
        raise FoldDataError("y_true holds other values than 0 and 1: whether each sample is positive is needed.")
    if score.dtype.kind not in "biuf" or not np.isfinite(score).all():
        raise FoldDataError("y_score holds something that is no finite number: such a score has no place in a ranking.")
    if weights is not None and not (weights.dtype.kind in "biuf" and ((weights > 0) & np.isfinite(weights)).all()):
        raise FoldDataError("weight holds something that is not above 0 and finite: leave out what does not count.")
    ranking = Ranking.of(
        truth.astype(np.bool_),
        score.astype(np.float64),
        None if weights is None else weights.astype(np.float64),
    )
    return points_of(ranking)


def points_of(ranking: Ranking) -> OperatingPoints:
    """All operating points of a ranking, as in `operating_points`."""
    scores = np.unique(np.concatenate((ranking.positives, ranking.negatives)))
    thresholds = np.concatenate(([np.inf], scores[::-1]))
    tp, positives = mass_above(thresholds, ranking.positives, ranking.positive_weights)
    fp, negatives = mass_above(thresholds, ranking.negatives, ranking.negative_weights)
    undefined = np.full(len(thresholds), np.nan)
    tpr = tp / positives if positives else undefined
    return OperatingPoints(thresholds, tpr, fp / negatives if negatives else undefined, positives, negatives)


def mass_above(thresholds: Floats, ascending: Floats, weights: Floats | None) -> tuple[Floats, float]:
    """The number (or weight) of samples of one class at or above each threshold, and in all."""
    place = np.searchsorted(ascending, thresholds, "left")
    if weights is None:
        return (len(ascending) - place).astype(np.float64), float(len(ascending))
    mass = running(weights)
    return np.asarray(mass[-1] - mass[place]), float(mass[-1])


def crisp_point(tp: float, fp: float, fn: float, tn: float) -> OperatingPoints:
    """The single operating point of decisions without scores, from their counts; its threshold is NaN.

    A rate is NaN where its class is absent.
    """
    rates = quotient(np.array([tp, fp], dtype=np.float64), np.array([tp + fn, fp + tn], dtype=np.float64), np.nan)
    return OperatingPoints(np.array([np.nan]), rates[:1], rates[1:], float(tp + fn), float(fp + tn))


def hull(points: OperatingPoints) -> OperatingPoints:
    """The ROC convex hull: the points that are best for some costs and prevalence.

    It keeps the first and the last point, and leaves out others on an edge between two vertices. Where a class is
    absent there is no hull: only the first and the last point are returned, with rates of NaN.

    References
    ----------
    Provost & Fawcett 2001; Drummond & Holte 2006, section 2: a vertex of the hull is a line of the lower envelope
    in cost space, and an edge is a vertex of the envelope.
    """
    inner = hull_index(points.fpr, points.tpr)
    return points.taken(np.unique(np.concatenate(([0], inner, [len(points) - 1]))))


def hull_index(x: ArrayLike, y: ArrayLike) -> NDArray[np.intp]:
    """Which of some points maximise ``a y - b x`` for some a, b > 0: the rising part of their upper convex hull.

    Parameters
    ----------
    x, y
        The coordinates of each point, (m,), in any order: in ROC space fpr and tpr, of any classifiers. Points that
        are not finite are ignored.

    Returns
    -------
    ndarray
        Indices, (k,), by rising x and y, from the highest of the leftmost points to the leftmost of the highest; among
        equal points the first. Three points that are on a line except for rounding may all be kept.
    """
    x, y = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    finite = np.flatnonzero(np.isfinite(x) & np.isfinite(y))
    order = finite[np.lexsort((finite, -y[finite], x[finite]))]
    rising = y[order] > np.concatenate(([-np.inf], np.maximum.accumulate(y[order])))[: len(order)]
    kept: list[int] = []
    for i in order[rising].tolist():
        while len(kept) > 1 and not turns_right(x, y, kept[-2], kept[-1], i):
            kept.pop()
        kept.append(i)
    return np.array(kept, dtype=np.intp)


def turns_right(x: Floats, y: Floats, a: int, b: int, c: int) -> bool:
    """Whether the path from point ``a`` through ``b`` to ``c`` turns to the right."""
    return bool((y[b] - y[a]) * (x[c] - x[b]) > (y[c] - y[b]) * (x[b] - x[a]))


def checked_prevalence(prevalence: float) -> float:
    """A prevalence; raises unless it is from 0 to 1."""
    if not 0 <= prevalence <= 1:
        raise FoldDataError(f"the prevalence cannot be {prevalence:g}: P(+) is from 0 to 1.")
    return prevalence
