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
from cvlint.runtime.intervals.bootstrap import Bootstrap, Intervals, shifted_interval
from cvlint.runtime.intervals.count_bootstrap import CountStatistics
from cvlint.runtime.intervals.unit_draws import Units, counts_of_cells, drawn_cells, units_of
from cvlint.runtime.measures.counts import Kind


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
    found: Intervals = {}
    for within, measures in ((False, statistics.of_summed), (True, statistics.over_folds)):
        units = units_of(folds, within)
        drawn = units if isinstance(units, str) else drawn_cells([folds], [units.unit], units, bootstrap)
        if isinstance(drawn, str):
            found |= dict.fromkeys(measures, drawn)
            continue
        scale = units.scale if isinstance(units, Units) else 1.0
        blocks = [counts_of_cells(cells, folds, kind, summed=not within) for (cells,) in drawn]
        for key, measure in measures.items():
            each = np.concatenate([np.asarray(measure(counts)).reshape(-1) for counts in blocks])
            found[key] = shifted_interval(values.get(key, np.nan), each, bootstrap.level, scale=scale)
    return found
