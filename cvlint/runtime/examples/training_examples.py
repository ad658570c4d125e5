"""Counter-examples of training rows in the test, and of transforms that learn from the test part."""

from __future__ import annotations

from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from cvlint.runtime.examples.example_table import CounterExample, mean_over_data_sets, shown, shown_rows
from cvlint.runtime.measures.counts import Floats, f_from_counts

PREVALENCES = (0.05, 0.1, 0.25, 0.5, 0.75)
DISTANCE = 2.0  # between the means of the classes, in standard deviations
SAMPLES, TEST_SAMPLES = 200, 60
MARKERS = 5
NEIGHBOURS = (1, 3, 7, 15)
COLUMNS = (2, 20, 50, 80, 95)  # features of noise
TRAINING_SAMPLES = 100
REPETITIONS = 20  # data sets


def refit_on_test() -> CounterExample:
    """F of a fixed decision if the test part is put on the scale of the training part, or on one of its own."""
    right = [f_of_cut(share, DISTANCE / 2) for share in PREVALENCES]
    refitted = [f_of_cut(share, DISTANCE * share) for share in PREVALENCES]
    single = f_of_cut(PREVALENCES[1], DISTANCE / 2), f_of_cut(PREVALENCES[1], DISTANCE * PREVALENCES[1])
    return CounterExample(
        f"A marker is 0 on average in negatives and {DISTANCE:.0f} in positives (both with standard deviation 1). Half "
        "of the training rows are positive. The model calls those samples positive whose scaled marker is above 0. "
        "Many test rows, of which another share is positive, are scaled by the scaler of the training part or by one "
        "that is fitted to them.",
        ("positive test rows", "cut at, transform", "cut at, fitted again", "F, transform", "F, fitted again"),
        tuple(
            (f"{share:.0%}", *shown(DISTANCE / 2, DISTANCE * share, one, other))
            for share, one, other in zip(PREVALENCES, right, refitted, strict=True)
        ),
        f"Scaled anew, each test part moves the cut to its own mean. With {PREVALENCES[1]:.0%} positives F is "
        f"{single[1]:.2f}, and that of the model is {single[0]:.2f}. A single new sample would always be 0 on its own "
        "scale, whatever its marker is.",
    )


def f_of_cut(share: float, cut: float) -> float:
    """F of all samples above a cut, if a share of them is positive."""
    negatives, positives = NormalDist(), NormalDist(DISTANCE)
    tp, fp = share * (1 - positives.cdf(cut)), (1 - share) * (1 - negatives.cdf(cut))
    return float(f_from_counts(tp, fp, share - tp))


def test_in_training() -> CounterExample:
    """F of nearest neighbours on noise, measured on rows that they have learned or on others."""
    measured = mean_over_data_sets(neighbour_measures, REPETITIONS)
    seen, unseen = measured[0]
    return CounterExample(
        f"{SAMPLES} samples with {MARKERS} markers of pure noise, half of them positive at random; {TEST_SAMPLES} of "
        f"them are the test part. A classifier by nearest neighbours is fitted to all rows or to the training part, "
        f"and measured on the test part (means of {REPETITIONS} data sets).",
        ("neighbours", "F, fitted to all rows", "F, fitted to the training part"),
        shown_rows(NEIGHBOURS, measured),
        f"There is nothing to learn. One neighbour remembers each row that it was fitted to, and has F {seen:.2f}; on "
        f"rows that it was not fitted to, it has {unseen:.2f}.",
    )


def neighbour_measures(seed: int) -> Floats:
    """F by numbers of neighbours, (NEIGHBOURS, 2): fitted to all rows, and to the training part."""
    rng = np.random.default_rng(seed)
    markers, y_true = rng.normal(size=(SAMPLES, MARKERS)), rng.permutation(SAMPLES) < SAMPLES // 2
    test, train = np.arange(TEST_SAMPLES), np.arange(TEST_SAMPLES, SAMPLES)
    columns = [
        [f_of(y_true[test], nearest(markers, y_true, rows, test, k)) for k in NEIGHBOURS]
        for rows in (np.arange(SAMPLES), train)
    ]
    return np.array(columns).T


def nearest(
    markers: Floats, y_true: NDArray[np.bool_], rows: NDArray[np.intp], test: NDArray[np.intp], k: int
) -> NDArray[np.bool_]:
    """What most of the ``k`` nearest of the fitted rows are."""
    apart = ((markers[test][:, None] - markers[rows][None]) ** 2).sum(axis=2)
    order = np.argsort(apart, axis=1, kind="stable")[:, :k]
    return np.asarray(y_true[rows][order].mean(axis=1) > 0.5)


def f_of(y_true: NDArray[np.bool_], y_pred: NDArray[np.bool_]) -> float:
    """F of labels."""
    tp = (y_true & y_pred).sum()
    return float(f_from_counts(tp, (~y_true & y_pred).sum(), (y_true & ~y_pred).sum()))


def training_score_only() -> CounterExample:
    """F of linear classifiers on noise, on their training rows and on new rows, by the number of features."""
    measured = mean_over_data_sets(linear_measures, REPETITIONS)
    trained, new = measured[-1]
    return CounterExample(
        f"{TRAINING_SAMPLES} samples, half of them positive at random, with features of pure noise. A linear "
        "classifier is fitted to them by least squares, and measured on them and on as many new samples (means of "
        f"{REPETITIONS} data sets).",
        ("features", "F on the training rows", "F on new rows"),
        shown_rows(COLUMNS, measured),
        f"There is nothing to learn. With {COLUMNS[-1]} features the training score is {trained:.2f}, and the model is "
        f"worth {new:.2f}: the training score tells how many features there are.",
    )


def linear_measures(seed: int) -> Floats:
    """F by numbers of features, (COLUMNS, 2): on the training rows and on new ones."""
    rng = np.random.default_rng(seed)
    features, fresh = rng.normal(size=(2, TRAINING_SAMPLES, COLUMNS[-1]))
    y_true, y_fresh = (rng.permutation(TRAINING_SAMPLES) < TRAINING_SAMPLES // 2 for _ in range(2))
    found = []
    for count in COLUMNS:
        weights, *_ = np.linalg.lstsq(features[:, :count], np.where(y_true, 1.0, -1.0), rcond=None)
        on_training = f_of(y_true, features[:, :count] @ weights > 0)
        found.append((on_training, f_of(y_fresh, fresh[:, :count] @ weights > 0)))
    return np.array(found)
