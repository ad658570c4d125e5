"""Curves with fewer points that look the same."""

from __future__ import annotations

import numpy as np

from cvlint.runtime.thresholds.operating_points import OperatingPoints, hull

STEP = 1 / 600
"""How far a thinned curve may be from the whole one, in FPR plus TPR: half a unit of a drawing whose axes have 300."""


def thinned(points: OperatingPoints, step: float = STEP) -> OperatingPoints:
    """Leave out the points of a curve in ROC space that are not seen in a drawing.

    Parameters
    ----------
    points
        By falling threshold.
    step
        Between two points that are kept FPR and TPR rise by no more than this in sum, unless they are neighbours in
        the whole curve, too.

    Returns
    -------
    OperatingPoints
        The first and the last point, both ends of every longer step, and the vertices of the convex hull are kept. As
        both rates only rise, what is left out lies within ``step`` of the line between what is kept; and whatever is
        best at some prevalence or cost is still there. There are no more than 4 / step points, and the hull's.
    """
    if not points.defined or len(points) < 3:
        return points
    way = points.fpr + points.tpr
    cell = np.floor(way / step).astype(np.int64)
    changes = np.flatnonzero(np.diff(cell))  # the last point of a cell, and the first of the next
    kept = np.unique(np.concatenate(([0, len(points) - 1], changes, changes + 1)))
    vertices = np.searchsorted(-points.thresholds, -hull(points).thresholds)
    return points.taken(np.unique(np.concatenate((kept, vertices))))
