"""Over the repetitions of an experiment: the mean, the ends and the spread of what is reported of each."""

from __future__ import annotations

import statistics

import pytest

from cvlint.runtime.aggregates.repetitions import over_repetitions
from cvlint.runtime.aggregates.results import Aggregate, Recomputed


def found(experiment: str, f: float, auc: float | None = None, vacuous: bool = False) -> Recomputed:
    """One repetition: F_tp,fp and F_avg, and AUC where it is known."""
    made = [
        Aggregate("f_tpfp", "F_tp,fp", "", "f", f, right=True),
        Aggregate("f_avg", "F_avg", "", "f", f / 2, right=False),
    ]
    if auc is not None:
        made.append(Aggregate("auc_avg", "AUC_avg", "", "auc", auc, right=True, vacuous=vacuous))
    return Recomputed(tuple(made), (), (), experiment)


def test_what_is_reported_of_each_repetition_is_averaged() -> None:
    values = [0.5, 0.6, 0.8]
    (one,) = over_repetitions([found("a", f) for f in values])
    assert (one.experiment, one.number) == ("a", 3)
    (f,) = one.aggregates  # without F_avg, which is not to be reported
    assert (f.name, f.low, f.high) == ("f_tpfp", 0.5, 0.8)
    assert (f.mean, f.deviation) == pytest.approx((statistics.mean(values), statistics.stdev(values)))


def test_experiments_with_one_repetition_have_no_row() -> None:
    rows = over_repetitions([found("a", 0.5), found("b", 0.6), found("b", 0.7)])
    assert [row.experiment for row in rows] == ["b"]


def test_what_one_repetition_lacks_has_no_row() -> None:
    (one,) = over_repetitions([found("a", 0.5, 0.9), found("a", 0.6)])
    assert [f.name for f in one.aggregates] == ["f_tpfp"]


def test_what_any_scores_would_give_has_no_row() -> None:
    (one,) = over_repetitions([found("a", 0.5, 0.5, vacuous=True), found("a", 0.6, 0.9)])
    assert [f.name for f in one.aggregates] == ["f_tpfp"]
