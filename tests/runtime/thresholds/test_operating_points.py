"""Operating points against scikit-learn, hulls and envelopes against brute force."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import precision_recall_curve, roc_curve

from cvlint.runtime import FoldDataError, FoldSet
from cvlint.runtime.spaces.costspace import cost_envelope
from cvlint.runtime.spaces.curves import curves_of
from cvlint.runtime.spaces.envelopes import compare, crossing_of_lines, lower_envelope
from cvlint.runtime.thresholds.operating_points import crisp_point, hull, hull_index, operating_points

SAMPLES = st.lists(st.tuples(st.booleans(), st.integers(-4, 4), st.integers(1, 5)), min_size=1, max_size=40)
HEIGHTS = st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)), min_size=1, max_size=12)
GRID = np.linspace(0, 1, 401)


def arrays(samples: list[tuple[bool, int, int]]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    truth, score, weight = (np.array(column) for column in zip(*samples, strict=True))
    return truth, score / 4, weight


@given(SAMPLES, st.booleans())
@pytest.mark.filterwarnings("ignore:No (positive|negative) samples")
def test_points_are_those_of_roc_curve(samples: list[tuple[bool, int, int]], weighted: bool) -> None:
    truth, score, weight = arrays(samples)
    weight = weight if weighted else None
    points = operating_points(truth, score, weight)
    fpr, tpr, thresholds = roc_curve(truth, score, sample_weight=weight, drop_intermediate=False)
    np.testing.assert_array_equal(points.thresholds, thresholds)
    np.testing.assert_allclose(points.tpr, tpr, atol=1e-12)
    np.testing.assert_allclose(points.fpr, fpr, atol=1e-12)
    for rate, there in ((points.tpr, points.positives), (points.fpr, points.negatives)):
        assert (rate[0], rate[-1]) == (0, 1) if there else np.isnan(rate).all()
    assert points.prevalence == pytest.approx(np.average(truth, weights=weight))


@given(SAMPLES.filter(lambda samples: any(truth for truth, _, _ in samples)))
def test_precision_is_that_of_precision_recall_curve(samples: list[tuple[bool, int, int]]) -> None:
    truth, score, weight = arrays(samples)
    points = operating_points(truth, score, weight)
    precision, recall, thresholds = precision_recall_curve(truth, score, sample_weight=weight)
    np.testing.assert_allclose(points.precision(undefined=1.0)[::-1], precision, atol=1e-12)
    np.testing.assert_allclose(points.tpr[::-1], recall, atol=1e-12)
    np.testing.assert_array_equal(points.thresholds[:0:-1], thresholds)
    assert np.isnan(points.precision()[0])


@given(SAMPLES.filter(lambda samples: len({truth for truth, _, _ in samples}) == 2), st.integers(2, 5))
def test_precision_at_another_prevalence_is_that_of_copied_positives(
    samples: list[tuple[bool, int, int]], times: int
) -> None:
    truth, score, _ = arrays(samples)
    often = np.where(truth, times, 1)
    many = operating_points(np.repeat(truth, often), np.repeat(score, often))
    once = operating_points(truth, score)
    np.testing.assert_allclose(once.precision(many.prevalence), many.precision(), atol=1e-12)


def test_precision_where_all_or_none_are_positive() -> None:
    points = operating_points([0, 1, 0, 1], [0.1, 0.2, 0.3, 0.4])
    np.testing.assert_array_equal(points.precision(1.0)[1:], 1)
    np.testing.assert_array_equal(points.precision(0.0), [np.nan, np.nan, 0, 0, 0])  # the best score has no negative
    with pytest.raises(FoldDataError, match=r"prevalence cannot be 1\.5"):
        points.precision(1.5)


@pytest.mark.parametrize(
    ("given_arrays", "message"),
    [
        (([0, 1], [0.1]), "y_score has the shape"),
        (([], []), "there are no samples"),
        (([0, 2], [0.1, 0.2]), "other values than 0 and 1"),
        (([0, 1], [0.1, np.nan]), "no finite number"),
        (([0, 1], [0.1, np.inf]), "no finite number"),
        (([0, 1], ["a", "b"]), "no finite number"),
        (([0, 1], [0.1, 0.2], [1.0, 0.0]), "not above 0"),
        (([0, 1], [[0.1, 0.2]]), "y_score has the shape"),
    ],
)
def test_what_makes_no_points_is_refused(given_arrays: tuple[list[float], ...], message: str) -> None:
    with pytest.raises(FoldDataError, match=message):
        operating_points(*given_arrays)


@given(HEIGHTS, st.lists(st.floats(0.01, 100), min_size=1, max_size=5))
def test_hull_holds_the_best_point_for_every_slope(points: list[tuple[int, int]], slopes: list[float]) -> None:
    x, y = np.array(points, dtype=float).T
    index = hull_index(x, y)
    assert (np.diff(x[index]) > 0).all() and (np.diff(y[index]) > 0).all()
    steepness = np.diff(y[index]) / np.diff(x[index])
    assert (np.diff(steepness) < 0).all()  # no vertex lies on an edge
    for slope in slopes:
        assert (y[index] - slope * x[index]).max() == pytest.approx((y - slope * x).max())


def test_hull_passes_over_what_is_not_finite() -> None:
    assert hull_index([np.nan, 0, 0.5, np.inf], [1, 0, 0.5, 2]).tolist() == [1, 2]
    assert hull_index([], []).tolist() == []


def test_hull_of_a_ranking_reaches_from_corner_to_corner() -> None:
    outer = hull(operating_points([1, 1, 0, 1, 0, 0], [6, 5, 4, 3, 2, 1]))
    assert outer.thresholds.tolist() == [np.inf, 5, 3, 1]
    np.testing.assert_allclose(outer.tpr, [0, 2 / 3, 1, 1])
    np.testing.assert_allclose(outer.fpr, [0, 0, 1 / 3, 1])
    alone = hull(operating_points([1, 1], [2, 1]))
    assert alone.thresholds.tolist() == [np.inf, 1] and np.isnan(alone.fpr).all()


@given(HEIGHTS)
def test_envelope_is_the_lowest_line_on_a_grid(lines: list[tuple[int, int]]) -> None:
    left, right = np.array(lines, dtype=float).T
    envelope = lower_envelope(left, right)
    heights = left[:, None] * (1 - GRID) + right[:, None] * GRID
    np.testing.assert_allclose(heights[envelope.best(GRID), np.arange(len(GRID))], heights.min(axis=0), atol=1e-12)
    assert (envelope.bounds[0], envelope.bounds[-1]) == (0, 1)
    assert (np.diff(envelope.bounds) > 0).all() and len(envelope.bounds) == len(envelope.index) + 1


def test_envelope_of_no_lines() -> None:
    nothing = lower_envelope([np.nan], [1.0])
    assert nothing.best([0, 0.5, 1]).tolist() == [-1, -1, -1]
    assert compare(nothing, lower_envelope([1], [0])).better == ()
    assert lower_envelope([np.nan, np.inf], [0, np.inf]).best([0, 1]).tolist() == [1, 1]


@given(HEIGHTS, HEIGHTS)
def test_comparison_agrees_with_a_grid(first: list[tuple[int, int]], second: list[tuple[int, int]]) -> None:
    lowest = []
    for lines in (first, second):
        left, right = np.array(lines, dtype=float).T
        lowest.append((left[:, None] * (1 - GRID) + right[:, None] * GRID).min(axis=0))
    found = compare(*(lower_envelope(*np.array(lines, dtype=float).T) for lines in (first, second)))
    difference = lowest[0] - lowest[1]
    sign = np.where(np.abs(difference) < 1e-9, 0, np.sign(difference))
    assert (found.bounds[0], found.bounds[-1]) == (0, 1)
    assert all(a != b for a, b in zip(found.better[:-1], found.better[1:], strict=True))
    piece = np.searchsorted(found.bounds, GRID[1:-1], "left") - 1
    inside = np.abs(GRID[1:-1, None] - np.array(found.bounds)).min(axis=1) > 1e-9  # at a crossing they are equal
    touching = (sign[1:-1] == 0) & (sign[:-2] != 0) & (sign[2:] != 0)
    checked = inside & ~touching
    np.testing.assert_array_equal(np.array(found.better)[piece][checked], sign[1:-1][checked])


def test_a_touch_does_not_split_an_interval() -> None:
    found = compare(lower_envelope([0, 2], [8, 6]), lower_envelope([1], [7]))  # they are 4 at 0.5
    assert found.better == (-1,) and found.bounds == (0, 1)


def test_lines_that_do_not_cross() -> None:
    assert np.isnan(crossing_of_lines(0, 1, 1, 2))
    assert np.isnan(crossing_of_lines(0, 1, 0, 1))
    assert crossing_of_lines(0, 1, 0, 2) == 0
    assert crossing_of_lines(0, 1, 1, 0) == 0.5


@given(SAMPLES.filter(lambda samples: len({truth for truth, _, _ in samples}) == 2))
def test_the_roc_hull_is_the_lower_envelope_of_cost(samples: list[tuple[bool, int, int]]) -> None:
    """Drummond and Holte's duality: a vertex is a line, and the slope of an edge gives the crossing."""
    points = operating_points(*arrays(samples)[:2])
    outer = hull(points)
    envelope = cost_envelope(points.tpr, points.fpr)
    assert set(points.thresholds[envelope.index]) <= set(outer.thresholds)
    rise, run = np.diff(points.tpr[envelope.index]), np.diff(points.fpr[envelope.index])
    np.testing.assert_allclose(envelope.bounds[1:-1], run / (rise + run))


def test_decisions_make_one_point() -> None:
    point = crisp_point(tp=3, fp=1, fn=1, tn=3)
    assert (point.tpr.tolist(), point.fpr.tolist()) == ([0.75], [0.25])
    assert np.isnan(point.thresholds).all() and point.precision().item() == 0.75
    assert np.isnan(crisp_point(0, 1, 0, 3).tpr).all() and not crisp_point(0, 1, 0, 3).defined


@settings(max_examples=20)
@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2), st.integers(0, 9)), min_size=6, max_size=30))
def test_curves_of_folds(rows: list[tuple[int, int, int]]) -> None:
    """Each fold's points are those of its rows alone; of three classes, each is set against the rest."""
    rows += [(0, label, 0) for label in range(3)]
    fold, truth, score = (np.array(column) for column in zip(*rows, strict=True))
    scores = np.stack([score, 9 - score, score % 3], axis=1).astype(float)
    curves = list(curves_of(FoldSet.from_arrays(fold, truth, y_score=scores)))
    assert [one.target for one in curves] == [0, 1, 2]
    for column, one in enumerate(curves):
        np.testing.assert_array_equal(one.points.tpr, operating_points(truth == column, scores[:, column]).tpr)
        for name, points in one.folds:
            alone = operating_points(truth[fold == name] == column, scores[fold == name, column])
            np.testing.assert_array_equal(points.fpr, alone.fpr)
