"""Counts are drawn in two ways, which have the same distribution, and take no longer than the samples make them."""

from __future__ import annotations

import math
import time

import numpy as np
import pytest

from cvlint.runtime import Bootstrap, FoldSet, recompute
from cvlint.runtime.data.arrays import rows_of_each
from cvlint.runtime.errors import FoldDataError
from cvlint.runtime.intervals.bootstrap import LONE_IN_FOLD, TOO_LONG, ClassSizes
from cvlint.runtime.intervals.drawn_counts import LabelledSamples, drawn_counts, drawn_label_sets, drawn_tables
from cvlint.runtime.measures.counts import Kind, counts_of


def labelled(classes: int, samples: int) -> FoldSet:
    rng = np.random.default_rng(0)
    true = rng.integers(0, classes, samples)
    pred = np.where(rng.random(samples) < 0.6, true, rng.integers(0, classes, samples))
    return FoldSet.from_arrays(np.arange(samples) % 10, true, pred, labels=list(range(classes)))


@pytest.mark.parametrize("class_sizes", ["fixed", "random"])
@pytest.mark.parametrize(("classes", "kind"), [(2, "binary"), (4, "multiclass")])
def test_samples_and_tables_are_drawn_alike(classes: int, kind: Kind, class_sizes: ClassSizes) -> None:
    folds = labelled(classes, 200)
    tables = folds.tables()
    assert tables is not None
    own = Bootstrap(4_000, class_sizes=class_sizes)
    as_numbers = np.concatenate([counts_of(block, kind).cells for block in drawn_tables(tables, own)], axis=1)
    for samples in (LabelledSamples.of_tables(tables), LabelledSamples.of_set(folds)):
        one_by_one = np.concatenate([counts.cells for counts in samples.drawn(kind, own)], axis=1)
        assert one_by_one.shape == as_numbers.shape
        np.testing.assert_allclose(one_by_one.mean(axis=1), as_numbers.mean(axis=1), atol=0.25)
        np.testing.assert_allclose(one_by_one.std(axis=1), as_numbers.std(axis=1), atol=0.15)
        if class_sizes == "fixed":
            np.testing.assert_array_equal(one_by_one.sum(axis=0), 20)


def test_samples_of_several_labels_are_drawn_whole() -> None:
    rng = np.random.default_rng(0)
    true = rng.random((120, 3)) < 0.3
    true[:, 1] = true[:, 0]  # labels that always come together
    pred = true ^ (rng.random((120, 3)) < 0.2)
    weight = rng.uniform(0.5, 2, 120)
    folds = FoldSet.from_arrays(np.arange(120) % 4, true, pred, weight=weight)
    (drawn,) = drawn_counts(folds, "multilabel", Bootstrap(3_000))
    np.testing.assert_allclose(drawn.positives[..., 0], drawn.positives[..., 1])
    own = folds.counts()
    assert own is not None
    expected = own.cells.sum(axis=1) / 4
    np.testing.assert_allclose(drawn.cells.mean(axis=(1, 2)), expected, rtol=0.1)
    np.testing.assert_allclose(drawn.cells.sum(axis=0)[..., 0], drawn.cells.sum(axis=0)[..., 2])


def test_patterns_of_labels_are_drawn_as_samples_are(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    true = rng.random((600, 3)) < 0.3
    pred = true ^ (rng.random((600, 3)) < 0.2)
    true[:, 1], pred[:, 1] = true[:, 0], pred[:, 0]
    folds = FoldSet.from_arrays(np.arange(600) % 5, true, pred)
    drawn = []
    for cost in (0.0, math.inf):
        monkeypatch.setattr("cvlint.runtime.intervals.drawn_counts.PATTERN_COST", cost)
        drawn.append(np.concatenate([c.cells for c in drawn_label_sets(folds, Bootstrap(4_000))], axis=1))
    for cells in drawn:
        assert (cells.sum(axis=0) == 120).all()  # each fold keeps its number of samples
    patterns, rows = (cells.reshape(4, 4_000, -1) for cells in drawn)
    error = rows.std(axis=1) / 4_000**0.5
    assert (np.abs(patterns.mean(axis=1) - rows.mean(axis=1)) < 6 * error).all()
    assert patterns.std(axis=1) == pytest.approx(rows.std(axis=1), rel=0.1)
    assert (patterns[:, :, 1::3] == patterns[:, :, 0::3]).all()  # labels of a sample are drawn together


def test_the_time_of_intervals_does_not_grow_with_the_square_of_the_classes() -> None:
    def seconds(classes: int) -> float:
        start = time.process_time()
        recompute(labelled(classes, 2_000), bootstrap=Bootstrap(100))
        return time.process_time() - start

    seconds(10)
    assert seconds(160) < 6 * seconds(40)  # the square is 16


def test_what_would_take_minutes_to_draw_has_no_interval_and_says_so() -> None:
    folds = labelled(2, 40_000)
    many = FoldSet.from_arrays(np.arange(40_000) // 2, folds.y_true, folds.y_pred)
    (found,) = recompute(many, bootstrap=Bootstrap(20_000))
    whys = {a.name: a.why.get("interval") for a in found.aggregates}
    assert whys["f_avg"] == TOO_LONG
    assert whys["f_tpfp"] is None


@pytest.mark.parametrize("count", [3, 1_000])
def test_the_rows_of_each_code_are_in_their_order(count: int) -> None:
    codes = np.random.default_rng(0).integers(0, count - 1, 5_000)
    found = list(rows_of_each(codes, count))
    assert len(found) == count and not len(found[-1])
    for code, rows in enumerate(found):
        np.testing.assert_array_equal(rows, np.flatnonzero(codes == code))


def test_many_experiments_have_no_expected_biases() -> None:
    name = np.repeat(np.arange(201), 8)
    true, pred = np.arange(len(name)) // 2 % 2, np.arange(len(name)) // 3 % 2
    folds = FoldSet.from_arrays(np.arange(len(name)) % 2, true, pred, experiment=name)
    every = recompute(folds)
    assert len(every) == 201
    assert {a.why["expected_bias"] for one in every for a in one.aggregates if a.name == "f_tpfp"} == {
        "it is not simulated for so many experiments"
    }


@pytest.mark.parametrize("weighted", [False, True])
def test_means_over_folds_with_a_lone_positive_have_no_interval_about_other_class_sizes(weighted: bool) -> None:
    true = np.arange(500) < 12
    pred = true ^ (np.arange(500) % 30 == 0)
    weight = np.random.default_rng(0).uniform(1, 2, 500) if weighted else None
    folds = FoldSet.from_arrays(np.arange(500) % 10, true, pred, weight=weight)
    for class_sizes, why in (("fixed", None), ("random", LONE_IN_FOLD)):
        (found,) = recompute(folds, bootstrap=Bootstrap(100, class_sizes=class_sizes))  # type: ignore[arg-type]
        whys = {a.name: a.why.get("interval") for a in found.aggregates}
        assert (whys["f_avg"], whys["f_prre"], whys["f_tpfp"]) == (why, why, None)


def test_weights_whose_sums_have_no_number_are_refused() -> None:
    with pytest.raises(FoldDataError, match="divide all weights"):
        FoldSet.from_arrays([0, 1, 0, 1], [0, 1, 1, 0], [0, 1, 0, 1], weight=[1, 1e308, 1, 1])
