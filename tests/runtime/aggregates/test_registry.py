"""The table of aggregates is consistent, and a new row is all that a new aggregate needs."""

from __future__ import annotations

import json
from collections import Counter

import numpy as np
import pytest

from cvlint.output.evaluation.mlflow_runs import mlflow_run
from cvlint.output.evaluation.recomputed import pieces, render_json
from cvlint.output.shared.styled_text import plain
from cvlint.runtime import Bootstrap, Counts, FAggregates, FoldSet, recompute
from cvlint.runtime.aggregates import count_aggregates
from cvlint.runtime.aggregates.registry import (
    ALWAYS,
    COUNT_AGGREGATES,
    FAMILIES,
    LABELS,
    RANKING_MEASURES,
    CountAggregate,
    Family,
    asked_measures,
)
from cvlint.runtime.aggregates.reported_match import REPORTED_AS, match_reported, parse_reported
from cvlint.runtime.measures.counts import Average, Floats, quotient
from cvlint.runtime.simulation.monte_carlo import SIMULATED


def test_every_family_has_one_aggregate_to_report() -> None:
    rankings = (*RANKING_MEASURES, *asked_measures(0.1, True))
    right = [row.family for row in COUNT_AGGREGATES if row.right] + [row.family for row in rankings]
    assert Counter(right) == dict.fromkeys(FAMILIES, 1)
    assert {row.family for row in COUNT_AGGREGATES} <= set(FAMILIES)


def test_keys_and_labels_are_unique() -> None:
    rankings = (*RANKING_MEASURES, *asked_measures(0.1, True))
    keys = [row.key for row in COUNT_AGGREGATES] + [key for row in rankings for key, _ in row.aggregates]
    assert len(set(keys)) == len(keys)
    assert list(ALWAYS) == list(LABELS)
    assert len(set(LABELS.values())) == len(LABELS)
    assert {family.usual for family in FAMILIES.values()} <= {*keys, ""}


def test_the_simulation_knows_the_aggregates_that_have_an_expected_bias() -> None:
    assert {row.key for row in COUNT_AGGREGATES if row.family == "f"} == set(SIMULATED) == set(FAggregates.__slots__)


def specificity_of_each_fold(counts: Counts, beta: float, average: Average) -> Floats:
    """Specificity of each fold of a binary task."""
    return quotient(counts.tn[:, 0], (counts.tn + counts.fp)[:, 0], np.nan)


def test_a_new_row_is_computed_written_logged_and_matched(monkeypatch: pytest.MonkeyPatch) -> None:
    row = CountAggregate(
        key="specificity_tpfp",
        label="specificity_tp,fp",
        meaning="specificity of the summed counts",
        family="specificity",
        function=lambda counts, beta, average: float(specificity_of_each_fold(counts.summed(), beta, average)[0]),
        of_summed=specificity_of_each_fold,
        right=True,
    )
    monkeypatch.setattr(count_aggregates, "COUNT_AGGREGATES", (*COUNT_AGGREGATES, row))
    monkeypatch.setitem(FAMILIES, "specificity", Family(("specificity",), "", "there are no counts"))
    monkeypatch.setitem(ALWAYS, row.key, row.family)
    monkeypatch.setitem(REPORTED_AS, "specificity", "specificity")
    rng = np.random.default_rng(0)
    true, fold = rng.random(200) < 0.3, np.arange(200) % 4
    pred = true ^ (rng.random(200) < 0.2)
    (found,) = recompute(FoldSet.from_arrays(fold, true, pred), bootstrap=Bootstrap(100))
    expected = float((~pred & ~true).sum() / (~true).sum())
    assert found.value("specificity_tpfp") == pytest.approx(expected)
    match = match_reported(found, parse_reported(f"specificity={expected:.3f}"))
    assert [a.name for a in match.aggregates] == ["specificity_tpfp"]
    entry = json.loads(render_json([(found, [match])]))["aggregates"]["specificity_tpfp"]
    assert entry["value"] == pytest.approx(expected)
    assert entry["ci"][0] < expected < entry["ci"][1]
    assert "specificity_tp,fp" in plain(pieces([(found, [])]))
    assert {"specificity_tpfp", "specificity_tpfp_ci_low"} <= {m.name for m in mlflow_run(found, (), "f.csv").metrics}
    (scores,) = recompute(FoldSet.from_arrays(fold, true, y_score=rng.random(200)))
    assert json.loads(render_json([(scores, [])]))["aggregates"]["specificity_tpfp"]["why"] == "there are no counts"


def test_a_reported_number_matches_what_rounds_to_it() -> None:
    """F and AUC of perfect predictions are both 1: only the measure that was reported matches."""
    fold, true = [0, 0, 1, 1], [0, 1, 0, 1]
    (found,) = recompute(FoldSet.from_arrays(fold, true, true, y_score=[0.1, 0.9, 0.2, 0.8]))

    def matching(text: str) -> set[str]:
        return {a.family for a in match_reported(found, parse_reported(text)).aggregates}

    assert (matching("f1=1.00"), matching("auc=100 %"), matching("f1=0.99")) == ({"f"}, {"auc"}, set())


def test_the_places_of_a_reported_number() -> None:
    """Those of a percentage are two more than it shows."""
    for text, places in (("f1=0.69", 2), ("f1=.6900", 4), ("auc=91.2%", 3), ("auc=91.2", 3), ("f1=69%", 2)):
        assert parse_reported(text).digits == places, text
    assert (parse_reported("f1=0.69", digits=3).digits, parse_reported("f1=69%", digits=1).digits) == (3, 3)
