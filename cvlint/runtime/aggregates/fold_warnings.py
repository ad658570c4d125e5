"""Warnings about the folds of an experiment: empty classes, unequal folds, samples in several folds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cvlint.runtime.data.foldset import FoldSet
from cvlint.runtime.data.labels import Label
from cvlint.runtime.measures.counts import Counts

UNEQUAL = 1.5  # times the smallest fold: a warning from here on; splitters make folds that differ by one sample


@dataclass(frozen=True, slots=True)
class Anomaly:
    """A warning: its kind, the fold that it is about (None for the whole set), and a sentence."""

    kind: str
    fold: Label | None
    message: str


def fold_anomalies(counts: Counts, names: tuple[Label, ...], classes: tuple[Label, ...]) -> list[Anomaly]:
    """Folds in which a class has no positives, or no positive predictions."""
    found = []
    binary = len(classes) == 1
    positives, predicted = counts.positives, counts.predicted
    for i, name in enumerate(names):
        for kind, numbers, says, undefined in (
            ("no-positives", positives[i], "holds no positives", "recall"),
            ("none-predicted", predicted[i], "has nothing predicted positive", "precision"),
        ):
            empty = [classes[j] for j in np.flatnonzero(numbers == 0)]
            if empty:
                which = "" if binary else f" of {shown(empty)}"
                found.append(Anomaly(kind, name, f"Fold {name} {says}{which}: {undefined} is undefined there."))
    return found


def shown(labels: list[Label]) -> str:
    """The first five of some labels, in words."""
    first = ", ".join(f"class {label}" for label in labels[:5])
    return first if len(labels) <= 5 else f"{first} and {len(labels) - 5} more"


def set_anomalies(folds: FoldSet) -> list[Anomaly]:
    """Folds with one class, folds of unequal size, folds with one sample, and samples that occur more than once."""
    found = []
    sizes = folds.summed(None)
    if folds.kind == "binary":
        positives = folds.summed(folds.is_class(0))
        for i in np.flatnonzero((positives == 0) | (positives == sizes)):
            name, side = folds.fold_names[i], "positives" if positives[i] == 0 else "negatives"
            if folds.y_score is not None or side == "negatives":
                found.append(Anomaly("one-class", name, f"Fold {name} holds no {side}: AUC is undefined there."))
    for i in np.flatnonzero(sizes == 1):
        found.append(Anomaly("one-sample", folds.fold_names[i], f"Fold {folds.fold_names[i]} holds one sample only."))
    if sizes.max() - sizes.min() > 1 and sizes.max() >= UNEQUAL * sizes.min():
        small, large = folds.fold_names[sizes.argmin()], folds.fold_names[sizes.argmax()]
        message = (
            f"The folds differ in size, from {sizes.min():.0f} samples (fold {small}) to {sizes.max():.0f} "
            f"(fold {large}): a plain mean over folds gives the samples of small folds more weight."
        )
        found.append(Anomaly("unequal-folds", None, message))
    return found + never_true(folds) + repeated_samples(folds) + split_groups(folds) + equal_samples(folds)


def never_true(folds: FoldSet) -> list[Anomaly]:
    """Labels of a task of several classes that are predicted, and that no sample has."""
    if folds.kind != "multiclass" or folds.y_pred is None:
        return []
    only = np.setdiff1d(np.unique(folds.y_pred), np.unique(folds.y_true))
    if not len(only):
        return []
    rows = int(np.isin(folds.y_pred, only).sum())
    message = (
        f"{rows} predictions are {shown([folds.classes[code] for code in only])}, which no sample has: a macro average "
        "counts that as a class."
    )
    return [Anomaly("label-never-true", None, message)]


def equal_samples(folds: FoldSet) -> list[Anomaly]:
    """Equal rows of features in the test parts of two folds: the model of one fold was trained on the other row."""
    if folds.row_hash is None:
        return []
    order = np.argsort(folds.row_hash, kind="stable")
    hashes, fold = folds.row_hash[order], folds.fold[order]
    starts = np.flatnonzero(np.concatenate(([True], hashes[1:] != hashes[:-1])))
    first, last = np.minimum.reduceat(fold, starts), np.maximum.reduceat(fold, starts)
    several = first != last
    if not several.any():
        return []
    different = int(several.sum())
    rows = int(np.diff(np.append(starts, len(hashes)))[several].sum())
    message = (
        f"{rows} samples have the same features as a sample in another test fold ({different} different rows): "
        "in a cross-validation the models were trained on what they were tested with."
    )
    return [Anomaly("equal-samples", None, message)]


def split_groups(folds: FoldSet) -> list[Anomaly]:
    """Groups in the test parts of two folds of one repetition: a model was trained on samples of groups it tests."""
    if folds.group is None or folds.folds < 2:
        return []
    codes, names = folds.group
    pairs = np.unique(codes.astype(np.int64) * folds.folds + folds.fold)
    in_folds = np.bincount(pairs // folds.folds, minlength=len(names))
    several = np.flatnonzero(in_folds > 1)
    if not len(several):
        return []
    shown = ", ".join(str(names[code]) for code in several[:3]) + (" …" if len(several) > 3 else "")
    message = (
        f"{len(several)} of {int((in_folds > 0).sum())} groups are in more than one test fold ({shown}): in a "
        "cross-validation the models were trained on samples of the groups that they were tested with. Split with "
        "GroupKFold or a similar splitter."
    )
    return [Anomaly("group-in-two-folds", None, message)]


def repeated_samples(folds: FoldSet) -> list[Anomaly]:
    """Samples in two test folds, or twice in one."""
    if folds.sample_id is None:
        return []
    ids = folds.sample_id.astype(np.int64)
    pairs = np.sort(ids * folds.folds + folds.fold)
    distinct = pairs[np.concatenate(([True], pairs[1:] != pairs[:-1]))]
    own = distinct // folds.folds
    in_two = len(np.unique(own[1:][own[1:] == own[:-1]]))
    found = []
    if in_two:
        message = f"{in_two} samples are in more than one test fold: pooling the folds counts them more than once."
        found.append(Anomaly("sample-in-two-folds", None, message))
    if len(distinct) < len(pairs):
        message = f"{len(pairs) - len(distinct)} rows repeat a sample within its fold."
        found.append(Anomaly("repeated-sample", None, message))
    return found
