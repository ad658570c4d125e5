"""The bias that each aggregate of F is expected to have on given folds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cvlint.runtime.measures.counts import Counts
from cvlint.runtime.simulation.monte_carlo import simulate
from cvlint.runtime.simulation.simulated_cv import Setting

REPETITIONS = 50_000
MOST_DRAWS = 2_000_000  # folds in all; with many folds there are fewer repetitions
MOST_FOLDS = 1_000
ENOUGH = 0.0001  # standard error of a relative bias: a tenth of a per cent is sure then, which is all that is shown


@dataclass(frozen=True, slots=True)
class Bias:
    """A bias relative to the true F (0.01 is 1 %), and its standard error, 0 for an exact sum."""

    value: float
    error: float


def expected_biases(counts: Counts, beta: float, weighted: bool = False) -> dict[str, Bias] | str:
    """The expected biases of the aggregates of F, by their keys, or why there are none, as a half sentence.

    Parameters
    ----------
    counts
        Counts of shape (folds, 1) of a binary task.
    beta
        The weight of recall in F.
    weighted
        Whether the counts are sums of weights.

    Returns
    -------
    dict or str
        The biases if the pooled precision and recall were the true ones, in folds with the same numbers of positives
        and negatives. Repetitions in which an aggregate is undefined do not count for its bias.

    References
    ----------
    Forman & Scholz 2010, section 4.
    """
    why = why_unknown(counts, weighted)
    if why:
        return why
    total = counts.summed()
    folds = np.stack((counts.positives[:, 0], (counts.fp + counts.tn)[:, 0]), axis=1).astype(int)
    setting = Setting(
        int(folds.sum()),
        int(folds[:, 0].sum()),
        len(folds),
        float(total.precision()[0, 0]),
        float(total.recall()[0, 0]),
        beta=beta,
        each=tuple((int(p), int(n)) for p, n in folds),
    )
    outcomes = simulate(setting, min(REPETITIONS, MOST_DRAWS // len(folds)), enough=ENOUGH)
    return {o.name: Bias(o.bias, o.error) for o in outcomes if not np.isnan(o.bias)}


def why_unknown(counts: Counts, weighted: bool) -> str:
    """Why no bias can be computed; empty where it can."""
    if counts.kind != "binary" or counts.tp.shape[1] != 1:
        return "it is computed for binary tasks only"
    if weighted or not np.array_equal(counts.cells, np.round(counts.cells)):
        return "the counts are sums of weights"
    if not 2 <= len(counts.tp) <= MOST_FOLDS:
        return f"it is computed for 2 to {MOST_FOLDS:,} folds"
    if not counts.tp.any():
        return "there is no true positive, so that the true F would be 0"
    if not counts.tn.any():
        return "there are no true negatives, or they are not known"
    return ""
