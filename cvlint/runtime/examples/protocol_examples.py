"""Counter-examples of the protocol: folds without positives, and test samples that training has seen."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cvlint.runtime.aggregates.empty_folds import p_some_fold_without_positives
from cvlint.runtime.aggregates.recompute import recompute
from cvlint.runtime.data.foldset import FoldSet
from cvlint.runtime.examples.example_table import CounterExample, mean_over_data_sets, shown, shown_rows
from cvlint.runtime.measures.counts import Floats
from cvlint.runtime.simulation.simulated_cv import shared

POSITIVES = (3, 5, 10, 20, 40)
SIZES = (100, 200)
FOLDS = 10
COPIED_FOLDS = 5
SELECTED = (5, 20, 100)  # features that are chosen
NOISE_SAMPLES, NOISE_FEATURES = 100, 1_000
REPETITIONS = 10  # data sets


def unstratified_folds() -> CounterExample:
    """The probability that some fold has no positives, without and with stratification.

    See Forman & Scholz 2010, section 5 and figure 9.
    """
    chances = {(n, p): p_some_fold_without_positives(n, p, FOLDS) for n in SIZES for p in POSITIVES}
    # Stratified folds share the positives out; fewer of them than folds leave some fold empty all the same.
    stratified = {p: float(min(shared(p, FOLDS)) == 0) for p in POSITIVES}
    enough = [p for p in POSITIVES if not stratified[p]]
    n = SIZES[-1]
    return CounterExample(
        f"The probability that at least one of {FOLDS} folds has no positives, in which recall, F and AUC do not "
        "exist.",
        ("positives", *(f"random folds of {n} samples" for n in SIZES), "stratified folds"),
        tuple((str(p), *(f"{v:.4f}" for v in (*(chances[m, p] for m in SIZES), stratified[p]))) for p in POSITIVES),
        f"With {enough[1]} positives among {n} samples the probability is {chances[n, enough[1]]:.2f}, and with "
        f"{enough[-1]} still {chances[n, enough[-1]]:.3f}; stratified it is {stratified[enough[0]]:.0f} from "
        f"{enough[0]} positives on. With fewer positives than folds, such as {POSITIVES[0]}, stratifying cannot help "
        "either: take fewer folds.",
    )


def resampled_before_split() -> CounterExample:
    """F of a nearest-neighbour classifier on pure noise, the positives being copied before or after the split.

    See Forman & Scholz 2010, section 5; Soleymani et al. 2020, section 2.3, for the prevalence.
    """
    rng = np.random.default_rng(0)
    features, y_true = rng.normal(size=(300, 5)), np.arange(300) < 60
    rows, f = [], {}
    for name, before in (("before the split", True), ("after the split", False)):
        folds, twins = copied_and_classified(features, y_true, before)
        counts = folds.counts()
        assert counts is not None  # labels are given
        total = counts.summed()
        f[before] = float(total.f()[0, 0])
        measures = (twins, float(folds.y_true.mean()), float(total.precision()[0, 0]), float(total.recall()[0, 0]))
        rows.append((name, *shown(*measures, f[before])))
    return CounterExample(
        f"{len(features)} samples, {y_true.sum()} of them positive, with {features.shape[1]} features of pure noise; "
        "the positives are copied until the classes are equal, and a 1-nearest-neighbour classifier is tested in "
        f"{COPIED_FOLDS} folds; a twin is a copy in the training part.",
        ("copies made", "test positives with a twin", "test prevalence", "precision", "recall", "F_tp,fp"),
        tuple(rows),
        f"Copied before the split, noise has F {f[True]:.2f}: the neighbour of a positive is its own copy. Copied in "
        f"the training part only, it has F {f[False]:.2f}, at the prevalence that the data have.",
    )


def copied_and_classified(features: Floats, y_true: NDArray[np.bool_], before: bool) -> tuple[FoldSet, float]:
    """What a nearest neighbour predicts in each fold, and the share of test positives that training has a copy of."""
    rng = np.random.default_rng(1)
    rows = rng.permutation(balanced(np.arange(len(y_true)), y_true) if before else np.arange(len(y_true)))
    fold = np.arange(len(rows)) % COPIED_FOLDS
    y_pred, twin = np.zeros(len(rows), dtype=np.bool_), np.zeros(len(rows), dtype=np.bool_)
    for code in range(COPIED_FOLDS):
        test, train = rows[fold == code], rows[fold != code]
        train = train if before else balanced(train, y_true)
        apart = ((features[test][:, None] - features[train][None]) ** 2).sum(axis=2)
        y_pred[fold == code] = y_true[train[apart.argmin(axis=1)]]
        twin[fold == code] = np.isin(test, train)
    return FoldSet.from_arrays(fold, y_true[rows], y_pred), float(twin[y_true[rows]].mean())


def balanced(rows: NDArray[np.intp], y_true: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Rows with those of the positives repeated until there are as many as of negatives."""
    negatives = rows[~y_true[rows]]
    return np.concatenate((negatives, np.resize(rows[y_true[rows]], len(negatives))))


def preprocess_before_split() -> CounterExample:
    """A nearest-centroid classifier on pure noise, its features being chosen on all the data or in each fold.

    See Kapoor & Narayanan 2023, L1.3; Forman & Scholz 2010, section 5.
    """
    measured = mean_over_data_sets(centroid_measures, REPETITIONS)
    leaked, honest, *_ = measured[1]
    furthest = float(measured[:, 0].max())
    return CounterExample(
        f"{NOISE_FEATURES:,} features of pure noise and {NOISE_SAMPLES} samples with random labels; those that "
        f"correlate best with the labels are kept, chosen on all data or in each fold, and a nearest-centroid "
        f"classifier is tested in {FOLDS} folds (means of {REPETITIONS} data sets).",
        ("features kept", "AUC, all data", "AUC, in folds", "accuracy, all data", "accuracy, in folds"),
        shown_rows(SELECTED, measured),
        f"There is nothing to learn. With {SELECTED[1]} features chosen on all the data AUC_avg is {leaked:.2f} (at "
        f"most {furthest:.2f}); with as many chosen on the training part of each fold it is {honest:.2f}.",
    )


def centroid_measures(seed: int) -> Floats:
    """Measures of nearest-centroid classifiers on the best 5, 20, … of many features of noise, (SELECTED, 4).

    AUC_avg with features chosen on all the data and in each fold, then accuracy in the same order.
    """
    row = np.arange(NOISE_SAMPLES)
    features = np.random.default_rng(seed).normal(size=(NOISE_SAMPLES, NOISE_FEATURES))
    y_true, fold = row < NOISE_SAMPLES // 2, row % FOLDS  # half are positive, also in each fold
    leaked = by_correlation(features, y_true)
    score = np.zeros((len(SELECTED), 2, NOISE_SAMPLES))
    for code in range(FOLDS):
        train, test = fold != code, fold == code
        for place, order in enumerate((leaked, by_correlation(features[train], y_true[train]))):
            for i, count in enumerate(SELECTED):
                score[i, place, test] = nearer_to_positives(features[:, order[:count]], y_true, train)
    flat = score.reshape(-1, NOISE_SAMPLES)
    auc = [recompute(FoldSet.from_arrays(fold, y_true, y_score=s))[0].value("auc_avg") for s in flat]
    return np.concatenate((np.reshape(auc, score.shape[:2]), ((score > 0) == y_true).mean(axis=2)), axis=1)


def nearer_to_positives(features: Floats, y_true: NDArray[np.bool_], train: NDArray[np.bool_]) -> Floats:
    """How much nearer each test sample is to the centre of the training part's positives than of its negatives."""
    far, near = (
        ((features[~train] - features[train & side].mean(axis=0)) ** 2).sum(axis=1) for side in (~y_true, y_true)
    )
    return np.asarray(far - near)


def by_correlation(features: Floats, y_true: NDArray[np.bool_]) -> NDArray[np.intp]:
    """The columns, those first whose correlation with the labels is strongest."""
    centred = features - features.mean(axis=0)
    correlation = (y_true - y_true.mean()) @ centred / np.sqrt((centred**2).sum(axis=0))
    return np.argsort(-np.abs(correlation), kind="stable")
