from __future__ import annotations

import numpy as np
import pytest

from cvlint.runtime.aggregates.count_aggregates import intervals_of_tables
from cvlint.runtime.intervals.bootstrap import Bootstrap
from cvlint.runtime.intervals.count_bootstrap import tpfp_interval
from cvlint.runtime.measures.counts import AVERAGES, Average


@pytest.mark.parametrize("average", AVERAGES)
@pytest.mark.parametrize("classes", [2, 3])
def test_the_interval_of_f_tpfp_alone_is_the_same(average: Average, classes: int) -> None:
    if average == "binary" and classes > 2:
        pytest.skip("several classes have no binary average")
    kind = "binary" if average == "binary" else "multiclass"
    tables = np.random.default_rng(classes).integers(1, 30, (4, classes, classes)).astype(np.float64)
    bootstrap = Bootstrap(300, seed=5)
    alone = tpfp_interval(tables, kind, 2.0, average, bootstrap)
    assert alone is not None
    expected = intervals_of_tables(tables, kind, 2.0, average, bootstrap)["f_tpfp"]
    assert np.allclose((alone.low, alone.high), (expected.low, expected.high), atol=1e-14)
