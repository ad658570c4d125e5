"""What to report of a repeated cross-validation: the mean of the right aggregate over the repetitions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from cvlint.runtime.aggregates.results import Recomputed
from cvlint.runtime.data.labels import Label

MEANING = (
    "The repetitions share their samples: how far they differ is due to splitting and training, and says nothing of "
    "other samples."
)


@dataclass(frozen=True, slots=True)
class Repeated:
    """An aggregate over the repetitions of an experiment."""

    name: str
    label: str
    """The key and the label of the aggregate: "f_tpfp", "F_tp,fp"."""
    mean: float
    low: float
    high: float
    """Its mean, and its lowest and highest value, from 0 to 1; NaN where it is undefined in a repetition."""
    deviation: float
    """The sample standard deviation of its values (with n - 1 as divisor)."""


@dataclass(frozen=True, slots=True)
class Repetitions:
    """The number of repetitions of an experiment, and its aggregates over them."""

    experiment: Label
    number: int
    aggregates: tuple[Repeated, ...]


def over_repetitions(results: Sequence[Recomputed]) -> tuple[Repetitions, ...]:
    """The aggregates to report of each experiment with several repetitions.

    Parameters
    ----------
    results
        One for each experiment and repetition, ordered by experiment.

    Returns
    -------
    tuple of Repetitions
        In the order of the experiments, without those that have a single repetition.
    """
    found = []
    for experiment, several in groupby(results, key=lambda result: result.experiment):
        each = [{a.name: a for a in result.aggregates if a.right and not a.vacuous} for result in several]
        if len(each) > 1:
            common = [a for name, a in each[0].items() if all(name in one for one in each)]
            aggregates = [repeated(a.name, a.label, [one[a.name].value for one in each]) for a in common]
            found.append(Repetitions(experiment, len(each), tuple(aggregates)))
    return tuple(found)


def repeated(name: str, label: str, values: Sequence[float]) -> Repeated:
    """An aggregate over the repetitions, from its values."""
    low, high = float(np.min(values)), float(np.max(values))
    return Repeated(name, label, float(np.mean(values)), low, high, float(np.std(values, ddof=1)))
