"""Test the drawings by the data of their lines."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from cvlint.report.drawing import plots
from cvlint.runtime import FoldSet
from cvlint.runtime.spaces.costspace import expected_cost
from cvlint.runtime.spaces.curves import Curves, curves_of
from cvlint.runtime.spaces.fspace import f_at
from cvlint.runtime.thresholds.operating_points import OperatingPoints, crisp_point


@pytest.fixture
def axes() -> Axes:
    return Figure().subplots()


def experiment(name: str, seed: int = 0) -> Curves:
    rng = np.random.default_rng(seed)
    truth = rng.random(120) < 0.3
    score = np.round(rng.normal(size=120) + truth, 1)
    (found,) = curves_of(FoldSet.from_arrays(np.arange(120) % 3, truth, y_score=score), name)
    return found


def line(axes: Axes, label: str) -> Line2D:
    (found,) = (each for each in axes.get_lines() if each.get_label() == label)
    return found


def test_roc(axes: Axes) -> None:
    one = experiment("A")
    plots.draw_roc(axes, [one])
    np.testing.assert_array_equal(line(axes, "A").get_xydata(), np.stack([one.points.fpr, one.points.tpr], axis=1))
    drawn = [each.get_xydata().tolist() for each in axes.get_lines()]
    for _, points in one.folds:
        assert np.stack([points.fpr, points.tpr], axis=1).tolist() in drawn
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("FPR", "TPR")


def test_precision_and_recall_at_a_prevalence(axes: Axes) -> None:
    one = experiment("A")
    plots.draw_precision_recall(axes, [one], prevalence=0.05)
    tpr, fpr = one.points.tpr[1:], one.points.fpr[1:]
    expected = np.stack([tpr, 0.05 * tpr / (0.05 * tpr + 0.95 * fpr)], axis=1)
    np.testing.assert_allclose(np.asarray(line(axes, "A").get_xydata())[1:], expected)
    assert line(axes, "A").get_drawstyle() == "steps-pre"
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("recall", "precision")


def test_cost_and_f_are_envelopes_of_the_lines_behind(axes: Axes) -> None:
    one = experiment("A")
    tpr, fpr = one.points.tpr[:, None], one.points.fpr[:, None]
    plots.draw_cost(axes, [one])
    x, y = np.asarray(line(axes, "A").get_xydata()).T
    np.testing.assert_allclose(y, expected_cost(tpr, fpr, x).min(axis=0), atol=1e-12)
    assert len(axes.get_lines()) > 3
    other = Figure().subplots()
    plots.draw_f(other, [one], alpha=0.3)
    x, y = np.asarray(line(other, "A").get_xydata()).T
    np.testing.assert_allclose(y, f_at(tpr, fpr, x, 0.3).max(axis=0), atol=1e-12)
    assert r"$\alpha$ = 0.3" in other.get_title()


def test_experiments_differ_in_colour_and_line(axes: Axes) -> None:
    curves = [experiment(str(i), i) for i in range(10)]
    plots.draw_f(axes, curves)
    names = {one.name for one in curves}
    looks = {(each.get_color(), each._unscaled_dash_pattern) for each in axes.get_lines() if each.get_label() in names}
    assert len(looks) == len(curves)


def seen_by_deuteranopes(colour: str) -> np.ndarray:
    """Linear RGB as Viénot, Brettel and Mollon (1999) simulate deuteranopia."""
    linear = np.array(to_rgb(colour)) ** 2.2
    matrix = np.array([[0.29275, 0.70725, 0], [0.29275, 0.70725, 0], [-0.02234, 0.02234, 1]])
    return np.asarray((matrix @ linear).clip(0, 1) ** (1 / 2.2))


def test_deuteranopes_can_distinguish_the_colours() -> None:
    """This holds for each pair of colours with the same line style."""
    curves = range(len(plots.COLOURS))
    for i, j in itertools.combinations(curves, 2):
        gap = np.linalg.norm(seen_by_deuteranopes(plots.COLOURS[i]) - seen_by_deuteranopes(plots.COLOURS[j]))
        assert gap > 0.15 or i % len(plots.DASHES) != j % len(plots.DASHES), (i, j, gap)


def test_side_by_side_with_a_legend() -> None:
    figure = plots.drawn([experiment("A"), experiment("_$B", 1), lacking()], prevalence=0.2)
    assert [axes.get_xlabel() for axes in figure.axes] == ["FPR", "recall", "PC(+)", "P(+)"]
    (legend,) = figure.legends
    assert [text.get_text() for text in legend.get_texts()] == ["A", r" _\$B"]


@pytest.mark.parametrize("draw", [plots.draw_roc, plots.draw_precision_recall, plots.draw_cost, plots.draw_f])
def test_undefined_curves_are_not_drawn(draw: Callable[..., None], axes: Axes) -> None:
    draw(axes, [lacking(), experiment("A")])
    assert [each.get_label() for each in axes.get_lines() if not each.get_label().startswith("_")] == ["A"]


def lacking() -> Curves:
    nan = np.full(2, np.nan)
    return Curves(OperatingPoints(np.array([np.inf, 0.5]), nan, np.array([0.0, 1.0]), 0, 4), experiment="C")


def test_decisions_without_scores_are_points_and_lines() -> None:
    figure = plots.drawn([Curves(crisp_point(8, 3, 2, 17), experiment="A")])
    roc, _, cost, f = figure.axes
    assert line(roc, "A").get_marker() == "o"
    np.testing.assert_allclose(line(roc, "A").get_xydata(), [[0.15, 0.8]])
    np.testing.assert_allclose(line(cost, "A").get_xydata(), [[0, 0.15], [1, 0.2]])
    assert np.asarray(line(f, "A").get_xydata())[-1] == pytest.approx([1, 0.8 / 0.9])
    assert figure.get_suptitle() == "A"
