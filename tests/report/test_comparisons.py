"""The page compares experiments that share their samples and folds, and no others."""

from __future__ import annotations

import numpy as np
import pytest

from cvlint.runtime import FoldSet
from tests.report.report_data import BOOTSTRAP, binary, experiments, table_1

pytest.importorskip("jinja2")

from cvlint.report import comparisons as module
from cvlint.report.comparisons import comparisons
from cvlint.report.page import ReportSource, render


def better(than: FoldSet, by: float) -> FoldSet:
    """The same samples with scores that know more."""
    truth, score = than.is_class(0), than.scores(0)
    raised = score + by * truth
    return FoldSet.from_arrays(than.fold, truth.astype(int), (raised > 2).astype(int), raised)


def test_experiments_on_the_same_samples_are_compared(undrawn: None) -> None:
    first = binary()
    each = experiments(weak=first, strong=better(first, 2.0))
    (found,) = comparisons(each, BOOTSTRAP)
    assert (found.names, found.verdict) == (("weak", "strong"), "trained models better")
    page = render(ReportSource("a.csv", bootstrap=BOOTSTRAP), each)
    assert "<h3>On the same samples</h3>" in page
    assert "The trained models of strong are better than those of weak: F<sub>tp,fp</sub> is 0." in page
    assert "AUC<sub>avg</sub></th>" in page


def test_others_are_not(undrawn: None) -> None:
    first = binary()
    other = FoldSet.from_arrays(np.sort(first.fold), first.y_true, first.y_pred, first.scores(0))
    for each in (experiments(a=first, b=other), experiments(a=first), experiments(a=first, b=table_1())):
        assert not comparisons(each, BOOTSTRAP)
        assert "On the same samples" not in render(ReportSource("a.csv", bootstrap=BOOTSTRAP), each)
    assert not comparisons(experiments(a=first, b=first), None)


def test_there_are_few_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    each = experiments(**{f"e{i}": better(binary(), 0.2 * i) for i in range(6)})
    assert len(comparisons(each, BOOTSTRAP)) == 6
    monkeypatch.setattr(module, "MOST_SAMPLES", 599)
    assert not comparisons(each, BOOTSTRAP)


def test_hostile_names_are_only_shown(undrawn: None) -> None:
    first = binary()
    each = experiments(**{"<b>x": first, "y</td>": better(first, 1.0)})
    page = render(ReportSource("a.csv", bootstrap=BOOTSTRAP), each)
    assert "<b>x" not in page and "y</td> " not in page
