"""What is drawn: samples or groups, among those of the same class, or of the same class and fold."""

from __future__ import annotations

import numpy as np
import pytest

from cvlint.runtime import Bootstrap, FoldSet, recompute
from cvlint.runtime.intervals.bootstrap import TOO_LONG
from cvlint.runtime.intervals.unit_draws import Units, units_of


@pytest.mark.parametrize("within", [False, True])
def test_samples_are_drawn_among_those_of_their_class_and_fold(within: bool) -> None:
    fold, true = np.repeat([0, 1, 2], 8), np.arange(24) % 4 // 2
    units = units_of(FoldSet.from_arrays(fold, true, true), within_folds=within)
    assert isinstance(units, Units)
    stratum = units.stratum[units.unit]
    alike = (true[:, None] == true) & ((fold[:, None] == fold) if within else True)
    np.testing.assert_array_equal(stratum[:, None] == stratum, alike)


def test_groups_with_more_counts_than_fit_into_memory_have_no_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    """60 groups of two classes, which make four counts each."""
    monkeypatch.setattr("cvlint.runtime.intervals.cluster_bootstrap.MOST_CELLS", 60 * 4 - 1)
    true = np.arange(120) % 2
    folds = FoldSet.from_arrays(np.arange(120) // 60, true, true ^ (np.arange(120) % 7 == 0), group=np.arange(120) // 2)
    (found,) = recompute(folds, bootstrap=Bootstrap(20))
    assert next(a for a in found.aggregates if a.name == "f_tpfp").why["interval"] == TOO_LONG
    monkeypatch.setattr("cvlint.runtime.intervals.cluster_bootstrap.MOST_CELLS", 60 * 4)
    (found,) = recompute(folds, bootstrap=Bootstrap(20))
    assert next(a for a in found.aggregates if a.name == "f_tpfp").interval is not None
