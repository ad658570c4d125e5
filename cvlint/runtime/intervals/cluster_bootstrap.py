"""Intervals of aggregates of counts of grouped samples: whole groups are drawn, because their samples are alike.

For an aggregate of all folds' samples the groups are drawn over all folds, for a mean over folds within each fold. The
numbers of positives are then random, as the number of samples is where groups differ in size.

References
----------
Field & Welsh 2007, Bootstrapping clustered data.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from cvlint.runtime.data.foldset import FoldSet
from cvlint.runtime.intervals.bootstrap import FEW_HOLDING, LEAST, Bootstrap, Intervals, shifted_interval
from cvlint.runtime.intervals.count_bootstrap import CountStatistics
from cvlint.runtime.intervals.unit_draws import Units, counts_of_cells, drawn_cells, units_of
from cvlint.runtime.measures.counts import Average, Kind


def grouped_count_intervals(
    folds: FoldSet, kind: Kind, statistics: CountStatistics, values: Mapping[str, float], bootstrap: Bootstrap
) -> Intervals:
    """Intervals of aggregates of counts.

    Parameters
    ----------
    folds
        One repetition, with groups and predicted labels.
    kind
        As for `cvlint.runtime.intervals.count_bootstrap.table_intervals`, or "multilabel".
    statistics
        The aggregates.
    values
        The aggregates by their keys.
    bootstrap
        How to draw.
    """
    few = FEW_HOLDING if fewest_groups(folds, statistics.average) < LEAST else ""
    found: Intervals = {}
    for within, measures in ((False, statistics.of_summed), (True, statistics.over_folds)):
        units = units_of(folds, within)
        drawn = units if isinstance(units, str) else few or drawn_cells([folds], [units.unit], units, bootstrap)
        if isinstance(drawn, str):
            found |= dict.fromkeys(measures, drawn)
            continue
        scale = units.scale if isinstance(units, Units) else 1.0
        blocks = [counts_of_cells(cells, folds, kind, summed=not within) for (cells,) in drawn]
        for key, measure in measures.items():
            each = np.concatenate([np.asarray(measure(counts)).reshape(-1) for counts in blocks])
            found[key] = shifted_interval(values.get(key, np.nan), each, bootstrap.level, scale=scale)
    return found


def fewest_groups(folds: FoldSet, average: Average) -> int:
    """How many groups hold a sample of a class: the fewest over the classes that an average hangs on.

    Where every class counts the same it is that of any class (of a label, also the groups with a sample that lacks it),
    else that of all classes but the largest together.
    """
    if folds.group is None:
        raise ValueError("the set holds no groups")
    group = folds.group[0]
    if folds.kind == "multilabel":
        sides = [folds.y_true, ~folds.y_true]
        if average == "macro":
            each = [side[:, label] for side in sides for label in range(side.shape[1])]
        else:
            each = [side.any(axis=1) for side in sides]
    elif average in ("binary", "macro"):
        each = [folds.y_true == code for code in range(len(folds.classes))]
    else:
        each = [folds.y_true != np.bincount(folds.y_true).argmax()]
    return min((len(np.unique(group[rows])) for rows in each if rows.any()), default=0)
