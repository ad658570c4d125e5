"""Thin out curves so that they look the same with fewer points."""

from __future__ import annotations

import numpy as np

from cvlint.runtime.thresholds.operating_points import OperatingPoints, hull

STEP = 1 / 600
"""The distance of a thinned curve from the original, in FPR plus TPR: half a unit of an axis with 300 units."""


def thinned(points: OperatingPoints, step: float = STEP) -> OperatingPoints:
    """Leave out the points of a ROC curve that a drawing cannot show.

    Parameters
    ----------
    points
        The points, by falling threshold.
    step
        The largest rise of FPR plus TPR between two kept points, unless they are neighbours in the original curve.

    Returns
    -------
    OperatingPoints
        The first and the last point, both ends of every longer step, and the vertices of the convex hull. Both rates
        only rise, so the other points lie within ``step`` of the lines between these points, and every point that is
        best at some prevalence or cost is kept. There are at most 4 / step points besides those of the hull.
    """
    if not points.defined or len(points) < 3:
        return points
    distance = points.fpr + points.tpr
    cell = np.floor(distance / step).astype(np.int64)
    changes = np.flatnonzero(np.diff(cell))  # the last point of a cell, and the first of the next
    kept = np.unique(np.concatenate(([0, len(points) - 1], changes, changes + 1)))
    vertices = np.searchsorted(-points.thresholds, -hull(points).thresholds)
    return points.taken(np.unique(np.concatenate((kept, vertices))))
