"""Curves of two experiments are told apart only where they differ by more than chance."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from cvlint.output.evaluation.curves import render_text
from cvlint.runtime import Bootstrap, Counts, FoldCounts, FoldSet
from cvlint.runtime.comparison.curve_bands import (
    FEW_ERRORS,
    GRID,
    Shown,
    bins_of,
    difference_bands,
    drawn_rates,
    groups_of_one,
    moves,
    rates,
    shown_differences,
)
from cvlint.runtime.spaces.curves import Curves, curves_of
from cvlint.runtime.spaces.fspace import best_f, f_at
from cvlint.runtime.thresholds.operating_points import operating_points


def pair(signals: tuple[float, float], seed: int, n: int = 400, **columns: Any) -> list[Curves]:
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 4 == 0
    both = rng.normal(size=n)
    return [
        next(curves_of(FoldSet.from_arrays(np.arange(n) // 4 % 5, y, y_score=score, **columns), name))
        for name, score in (
            (name, s * y + (both + rng.normal(size=n)) / np.sqrt(2)) for name, s in zip("AB", signals, strict=True)
        )
    ]


def shown(curves: list[Curves], replicates: int = 300) -> tuple[Shown, Shown]:
    f, cost = shown_differences(curves[0], curves[1], 0.5, Bootstrap(replicates))
    assert isinstance(f, Shown) and isinstance(cost, Shown)
    return f, cost


def test_equally_good_classifiers_have_no_winner() -> None:
    """Before there were bands, one of two equally good classifiers was called better 30 times of 30."""
    told = [any(band.better.any() for band in shown(pair((1.5, 1.5), seed))) for seed in range(30)]
    assert sum(told) <= 5  # P(more) < 0.001 if 5 % are told apart


def test_a_difference_is_shown_and_named() -> None:
    curves = pair((0.5, 2.5), 1, n=1_000)
    f, cost = shown(curves)
    middle = (GRID >= 0.25) & (GRID <= 0.5)
    assert (f.better[middle] == 1).all() and (cost.better[middle] == 1).all()
    assert (shown(curves[::-1])[0].better[middle] == -1).all()
    text = render_text(curves, 0.5, None, Bootstrap(300))
    assert "In F with alpha 0.5, B is better than A " in text and "In expected cost, B costs less than A " in text
    assert "elsewhere the interval of the difference holds 0, or fewer than 5 missed positives or false alarms" in text
    assert "it is not known whether A and B differ" in render_text(curves, 0.5, None)


def test_the_value_here_is_that_of_every_threshold() -> None:
    curve = pair((1.0, 1.0), 2, n=80)[0]
    assert curve.source is not None
    tpr, fpr = rates(bins_of(curve)[1])
    points = operating_points(curve.source[0].y_true, curve.source[0].scores(0))
    assert sorted(zip(tpr[0], fpr[0], strict=True)) == pytest.approx(
        np.array(sorted(zip(points.tpr, points.fpr, strict=True)))
    )
    assert best_f(points, 0.25)[1] == pytest.approx(best_f(curve.points, 0.25)[1])


def test_many_thresholds_are_thinned_with_little_loss() -> None:
    curve = pair((1.0, 1.0), 2, n=4_000)[0]
    tpr, fpr = rates(bins_of(curve)[1])
    assert tpr.shape[1] <= 101
    assert (tpr[0, 0], fpr[0, 0], tpr[0, -1], fpr[0, -1]) == (0, 0, 1, 1)


def test_pairing_shows_smaller_differences() -> None:
    """Of nearly equal scores each pair of draws differs little; drawn alone they differ as strangers do."""
    curves = pair((1.0, 1.0), 3)
    folds = curves[0].source
    assert folds is not None
    better = folds[0].scores(0) + 0.5 * folds[0].is_class(0)
    other = next(curves_of(FoldSet.from_arrays(folds[0].fold, folds[0].y_true, y_score=better), "B"))
    alone = next(
        curves_of(FoldSet.from_arrays(folds[0].fold, folds[0].y_true, y_score=better, weight=np.ones(400)), "B")
    )
    together, apart = shown([curves[0], other])[0], shown([curves[0], alone])[0]
    assert (together.paired, apart.paired) == (True, False)
    assert np.count_nonzero(together.better) > np.count_nonzero(apart.better)


def test_counts_are_drawn_alone() -> None:
    tables = [np.array([[[40.0]], [[20.0]], [[10.0]], [[900.0]]]), np.array([[[30.0]], [[90.0]], [[20.0]], [[830.0]]])]
    curves = [next(curves_of(FoldCounts(Counts(t), (1,)), name)) for t, name in zip(tables, "AB", strict=True)]
    f = shown(curves)[0]
    assert not f.paired
    assert (f.better[(GRID > 0.04) & (GRID < 0.3)] == -1).all()
    same = shown([curves[0], curves[0]])[0]
    assert not same.better.any()


def test_groups_widen_the_band() -> None:
    n = 400
    reaches = []
    for columns in ({}, {"group": np.arange(n) // 40}):
        bands = difference_bands(*pair((0.8, 1.6), 4, n, **columns), 0.5, Bootstrap(300), together=True)
        assert not isinstance(bands, str)
        reaches.append(bands[0].reach)
    narrow, wide = reaches
    known = ~np.isnan(narrow)
    assert (np.isnan(wide) == np.isnan(narrow)).all() and known.any()
    assert wide[known].mean() != pytest.approx(narrow[known].mean(), rel=0.02)


def test_only_where_one_of_two_has_groups_it_is_said() -> None:
    plain, grouped = (pair((1.0, 1.0), 0, 40, **columns)[0] for columns in ({}, {"group": np.arange(40) // 2}))
    assert groups_of_one(plain, plain) == groups_of_one(grouped, grouped) == ()
    for one, other in ((plain, replace(grouped, experiment="G")), (replace(grouped, experiment="G"), plain)):
        (said,) = groups_of_one(one, other)
        assert said.startswith("A has no column group, and G has one: the samples of A are drawn one by one")


def test_few_errors_show_nothing() -> None:
    """Bands held the whole difference in 84 to 87 % where few missed positives, or false alarms, decide its ends."""
    f, cost = shown(pair((1.5, 1.5), 3))
    assert f.few is not None and cost.few is not None
    assert f.few[[0, -1]].all() and cost.few[[0, -1]].all() and not f.few.all() and not cost.few.all()
    found = shown_differences(*pair((8.0, 9.0), 3), 0.5, Bootstrap(100))
    assert found == (FEW_ERRORS, FEW_ERRORS)


def test_the_best_value_moves_as_in_other_samples() -> None:
    """With the best point of the experiment in all replicates errors were a tenth too large, with others too small."""
    place = np.array([0.25])
    values, variances = [], []
    for seed in range(600):
        one, other = pair((1.2, 1.8), seed, n=200)
        here = [rates(bins_of(side)[1]) for side in (one, other)]
        best = [float(f_at(*side, 0.25).max()) for side in here]
        values.append(best[1] - best[0])
        draws = drawn_rates(one, other, Bootstrap(100, seed=seed), together=True)
        assert not isinstance(draws, str)
        each = [moves(f_at, here[1], b, place) - moves(f_at, here[0], a, place) for a, b in draws]
        variances.append(float(np.concatenate(each).var()))
    assert np.sqrt(np.mean(variances)) / np.std(values) == pytest.approx(1, abs=0.04)


def test_ranges_of_the_grid() -> None:
    better = np.zeros(len(GRID), dtype=np.intp)
    better[3:6], better[10], better[-2:] = 1, 1, -1
    found = Shown(better, True)
    assert found.ranges(1) == [(GRID[3], GRID[5]), (GRID[10], GRID[10])]
    assert found.ranges(-1) == [(GRID[-2], GRID[-1])]
    assert Shown(np.zeros_like(better), True).ranges(1) == []


def test_the_name_of_curves_in_a_sentence() -> None:
    fold, y, score = [0, 0, 1, 1], [0, 1, 0, 1], [0.1, 0.9, 0.4, 0.3]
    (plain,) = curves_of(FoldSet.from_arrays(fold, y, y_score=score))
    assert plain.name == "the experiment"
    assert replace(plain, experiment="svm").name == "svm"
    assert replace(plain, experiment="svm", repeat=1, target=0).name == "svm, repeat 1, class 0"
