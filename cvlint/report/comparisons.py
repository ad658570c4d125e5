"""Compare the experiments of a report in pairs, where they hold the same samples and folds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

from cvlint.report.experiments import EvaluatedExperiment
from cvlint.runtime.comparison.compare import compare
from cvlint.runtime.comparison.pairing import paired
from cvlint.runtime.comparison.results import Compared
from cvlint.runtime.data.foldset import FoldSet
from cvlint.runtime.errors import FoldDataError
from cvlint.runtime.intervals.bootstrap import Bootstrap

MOST_COMPARED = 4
"""The number of experiments that are compared with each other."""

MOST_SAMPLES = 100_000
"""The limit for samples."""


def comparisons(experiments: Sequence[EvaluatedExperiment], bootstrap: Bootstrap | None) -> list[Compared]:
    """Compare the first experiments in pairs.

    Parameters
    ----------
    experiments
        All experiments of the page. Those with several repetitions, and those without samples, are left out.
    bootstrap
        How to draw; None for no comparisons.
    """
    if bootstrap is None:
        return []
    times = Counter(one.found.experiment for one in experiments)
    usable = [
        (str(one.found.experiment), one)
        for one in experiments
        if times[one.found.experiment] == 1 and isinstance(one.data, FoldSet) and len(one.data) <= MOST_SAMPLES
    ]
    found = []
    for (first, one), (second, other) in combinations(usable[:MOST_COMPARED], 2):
        if not (isinstance(one.data, FoldSet) and isinstance(other.data, FoldSet)):
            continue
        try:
            pair = paired(one.data, other.data, (first, second))
        except FoldDataError:
            continue
        options = one.found
        found.append(compare(pair, beta=options.beta, average=options.average, bootstrap=bootstrap))
    return found
