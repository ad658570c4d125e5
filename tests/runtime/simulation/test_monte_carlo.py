"""The expectation of each aggregate: exact sums against simulation and against the paper."""

from __future__ import annotations

from itertools import islice, product
from math import comb

import numpy as np
import pytest

from cvlint.runtime import FoldDataError
from cvlint.runtime.measures.ranking import Ranking
from cvlint.runtime.simulation import fold_draws, monte_carlo
from cvlint.runtime.simulation.exact_expectations import (
    expected_auc,
    expected_f_avg,
    expected_f_avg_valid,
    expected_f_tpfp,
)
from cvlint.runtime.simulation.monte_carlo import shares_of_scores, simulate
from cvlint.runtime.simulation.paper_figures import points
from cvlint.runtime.simulation.simulated_cv import Setting, binomial, hypergeometric


def percents(setting: Setting, repetitions: int = 200_000) -> dict[str, float]:
    return {fold.name: 100 * fold.bias for fold in simulate(setting, repetitions)}


def test_the_paper_at_one_percent() -> None:
    found = percents(Setting(1000, 10), 1_000_000)
    expected = {"f_avg": -6.3, "f_avg_valid": 12.0, "f_prre": -5.1, "f_prre_valid": 13.5, "f_tpfp": -0.15}
    for name, value in expected.items():
        assert found[name] == pytest.approx(value, abs=0.06)


def test_probabilities() -> None:
    assert binomial(7, 0.3) == pytest.approx([comb(7, k) * 0.3**k * 0.7 ** (7 - k) for k in range(8)], abs=1e-15)
    assert binomial(3, 0.0).tolist() == [1, 0, 0, 0]
    assert binomial(3, 1.0).tolist() == [0, 0, 0, 1]
    expected = [comb(4, k) * comb(6, 5 - k) / comb(10, 5) for k in range(6)]
    assert hypergeometric(10, 4, 5) == pytest.approx(expected, abs=1e-15)


def f(tp: int, fp: int, positives: int) -> float:
    return 2 * tp / (tp + fp + positives) if tp else 0.0


def every_outcome(setting: Setting) -> dict[str, float]:
    """The expectations by going through all outcomes of two stratified folds."""
    kinds = list(zip(setting.fold_positives, setting.fold_negatives, strict=True))
    table_cells = [list(product(range(p + 1), range(n + 1))) for p, n in kinds]
    sums = {"f_avg": 0.0, "f_tpfp": 0.0, "f_avg_valid": 0.0}
    some = 0.0
    for fold in product(*table_cells):
        chance = 1.0
        for (tp, fp), (p, n) in zip(fold, kinds, strict=True):
            chance *= binomial(p, setting.recall)[tp] * binomial(n, setting.false_alarm_rate)[fp]
        each = [f(tp, fp, p) for (tp, fp), (p, _) in zip(fold, kinds, strict=True)]
        valid = [v for v, (tp, fp), (p, _) in zip(each, fold, kinds, strict=True) if p and tp + fp]
        sums["f_avg"] += chance * np.mean(each)
        sums["f_tpfp"] += chance * f(*(sum(c) for c in zip(*fold, strict=True)), setting.positives)
        if valid:
            some += chance
            sums["f_avg_valid"] += chance * np.mean(valid)
    return {**sums, "f_avg_valid": sums["f_avg_valid"] / some}


@pytest.mark.parametrize(("samples", "positives"), [(9, 3), (8, 1), (10, 6)])
def test_exact_sums(samples: int, positives: int) -> None:
    setting = Setting(samples, positives, 2, 0.7, 0.6)
    expected = every_outcome(setting)
    assert expected_f_avg(setting) == pytest.approx(expected["f_avg"], abs=1e-13)
    assert expected_f_tpfp(setting) == pytest.approx(expected["f_tpfp"], abs=1e-13)
    assert expected_f_avg_valid(setting) == pytest.approx(expected["f_avg_valid"], abs=1e-13)


@pytest.mark.parametrize("stratified", [True, False])
@pytest.mark.parametrize(("samples", "positives", "folds"), [(203, 11, 5), (60, 2, 4), (500, 120, 10)])
def test_tables_and_numbers_agree(
    samples: int, positives: int, folds: int, stratified: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    setting = Setting(samples, positives, folds, 0.6, 0.75, stratified)
    tables = simulate(setting, 100_000, seed=1)
    monkeypatch.setattr(fold_draws, "MOST_CELLS", 0)
    numbers = simulate(setting, 100_000, seed=2)
    for one, other in zip(tables, numbers, strict=True):
        assert one.bias == pytest.approx(other.bias, abs=5 * (one.error + other.error) + 1e-12)
        assert one.spread == pytest.approx(other.spread, rel=0.05)
        assert one.undefined == pytest.approx(other.undefined, abs=0.01)


@pytest.mark.parametrize("stratified", [True, False])
def test_simulated_means_are_the_exact_ones(stratified: bool) -> None:
    setting = Setting(300, 12, 6, 0.7, 0.8, stratified)
    exact = percents(setting)
    blocks = list(monte_carlo.blocks(setting, 200_000, np.random.default_rng(0)))
    means = np.nanmean(np.concatenate(blocks, axis=1), axis=1)
    names = ["f_avg", "f_prre", "f_tpfp", "f_avg_valid", "f_prre_valid"]
    for name, mean in zip(names, means, strict=True):
        assert 100 * (mean / setting.f - 1) == pytest.approx(exact[name], abs=0.2)


def test_the_same_seed_gives_the_same() -> None:
    setting = Setting(100, 5, stratified=False)
    assert simulate(setting, 500, seed=3) == simulate(setting, 500, seed=3)
    assert simulate(setting, 500, seed=3) != simulate(setting, 500, seed=4)


def test_more_folds_than_positives_leave_undefined_runs() -> None:
    found = {o.name: o for o in simulate(Setting(20, 1, 2, 0.5, 0.3), 50_000)}
    assert found["f_avg_valid"].undefined > 0.1
    assert found["f_avg"].undefined == 0


def test_auc_of_shifted_scores() -> None:
    setting = Setting(400, 100, 4)
    rng = np.random.default_rng(0)
    merged, averaged = [], []
    for _ in range(400):
        shift = rng.normal(0, 1.5, 4)
        parts = [(rng.normal(1.2, 1, 25) + s, rng.normal(0, 1, 75) + s) for s in shift]
        averaged.append(np.mean([Ranking(np.sort(p), np.sort(n)).roc_auc() for p, n in parts]))
        positives, negatives = (np.sort(np.concatenate(c)) for c in zip(*parts, strict=True))
        merged.append(Ranking(positives, negatives).roc_auc())
    expected = expected_auc(setting, 0.80193, 1.5)  # a distance of 1.2 between the classes
    assert np.mean(averaged) == pytest.approx(expected[0], abs=4 * np.std(averaged) / 20)
    assert np.mean(merged) == pytest.approx(expected[1], abs=4 * np.std(merged) / 20)
    assert expected_auc(setting, 0.8, 0.0) == pytest.approx((0.8, 0.8))


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((10, 0), "10 samples, 0 positives and 10 folds cannot be a cross-validation"),
        ((10, 5, 11), "cannot be a cross-validation"),
        ((10, 5, 2, 0.0), "precision and recall must be above 0"),
        ((10, 9, 2, 0.1, 1.0), "it would need 81 false positives among 1 negatives"),
    ],
)
def test_impossible_settings(arguments: tuple[int, ...], says: str) -> None:
    with pytest.raises(FoldDataError, match=says):
        Setting(*arguments)
    with pytest.raises(FoldDataError, match="no closed sum"):
        expected_f_avg_valid(Setting(100, 5, stratified=False))


def test_the_points_of_figures() -> None:
    rows = list(points(6, 50))
    assert len(rows) == 3 * 8 * 5
    assert {setting.positives for _, setting, _ in rows} == {10, 50, 250}
    assert all(setting.stratified for _, setting, _ in rows)
    unstratified = islice(points(7, 2), 5)  # the sums of all of them take seconds
    assert not any(setting.stratified for _, setting, _ in unstratified)
    assert [setting.positives for _, setting, _ in points(5, 2)][::5] == list(range(10, 51))


def test_the_distribution_has_the_mean_that_is_expected() -> None:
    setting = Setting(1000, 10)
    shares = shares_of_scores(setting, 1000, 100_000)
    assert shares.sum(axis=1) == pytest.approx(np.ones(5), abs=1e-6)  # ten folds without any prediction hardly occur
    middles = (np.arange(1000) + 0.5) / 1000
    assert shares[2] @ middles == pytest.approx(expected_f_tpfp(setting), abs=2e-3)
    assert shares[0] @ middles == pytest.approx(expected_f_avg(setting), abs=2e-3)


def test_scores_on_the_edge_of_an_interval() -> None:
    """With perfect precision F of one fold with one positive is 0 or 1; the mean of two is 0, 0.5 or 1."""
    shares = shares_of_scores(Setting(4, 2, 2, 1.0, 0.5), 10, 40_000)
    assert np.flatnonzero(shares[0]).tolist() == [0, 5, 9]
    assert shares[0, [0, 5, 9]] == pytest.approx([0.25, 0.5, 0.25], abs=0.01)
    assert shares[3].sum() == pytest.approx(0.75, abs=0.01)  # undefined where neither fold is valid
