"""Write recorded experiments to a file with fold data, and read them back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cvlint.recording.experiment_names import label_of, measurements_of, number_of
from cvlint.recording.experiments import Experiment, RecordedFold
from cvlint.runtime.data.columns import ABSENT, experiments_in
from cvlint.runtime.data.label_columns import with_labels
from cvlint.runtime.data.labels import Coded, Label, encode, joined
from cvlint.runtime.data.reading import columns_in
from cvlint.runtime.data.writing import write_columns
from cvlint.runtime.errors import FoldDataError


def write_experiments(experiments: Sequence[Experiment], path: Path, folder: str) -> list[str]:
    """Write experiments to one file, each under the name of its call sites.

    If one experiment lacks predicted labels or scores that another has, the file holds ``(none)`` and NaN. Labels
    become text if both numbers and texts occur; multilabel data get a column of 0 and 1 for each label.

    Parameters
    ----------
    experiments
        The recorded experiments.
    path
        A CSV, Parquet or NPZ file; it is replaced as a whole.
    folder
        The folder that the paths in the names start from.

    Returns
    -------
    list of str
        A sentence for each experiment that cannot be written.

    Raises
    ------
    FoldDataError
        If nothing can be written; an existing file stays unchanged.
    """
    kept, left = [], []
    for one in experiments:
        reason = why_unfit(one)
        if reason:
            left.append(f"{label_of(one, folder)} is not in {path}: {reason}.")
        else:
            kept.append(one)
    if not kept:
        raise FoldDataError(" ".join([*left, f"{path} is not written: no fold data were recorded."]))
    write_columns(columns_of(kept, folder), path)
    return left


def why_unfit(one: Experiment) -> str:
    """The reason why an experiment cannot be written; empty if it can."""
    first = one.folds[0]
    if first.y_pred is None and first.y_score is None:
        return "neither predicted labels nor scores were recorded"
    if any(part.y_pred is not None and part.y_pred.ndim != part.y_true.ndim for part in one.folds):
        return "its predictions are no labels: they have columns, and the true labels have none"
    tables = [v for part in one.folds for v in (part.y_true, part.y_pred) if v is not None and v.ndim > 1]
    if not all(np.isin(table, (0, 1)).all() for table in tables):
        return "its labels have columns that hold other values than 0 and 1"
    if len({table.shape[1:] for table in tables}) > 1:
        return "its folds have different numbers of labels"
    shapes = {part.y_score.shape[1:] for part in one.folds if part.y_score is not None}
    if len(shapes) > 1:
        return "its folds have different numbers of scores"
    if any(shape and shape != (len(names_of(one)),) for shape in shapes):
        return "its scores are for other labels than those that occur"
    return ""


def columns_of(experiments: Sequence[Experiment], folder: str) -> dict[str, NDArray[Any]]:
    """Build the columns of a file with all experiments."""
    parts = [(one, i, part) for one in experiments for i, part in enumerate(one.folds)]
    lengths = [len(part.y_true) for _, _, part in parts]

    def repeated(values: Sequence[Any]) -> NDArray[Any]:
        return np.repeat(np.array(values), lengths)

    found = {"experiment": repeated([label_of(one, folder) for one, _, _ in parts])}
    if any(one.repeats > 1 for one in experiments):
        found["repeat"] = repeated([1 + i // (len(one.folds) // one.repeats) for one, i, _ in parts])
    found["fold"] = repeated([1 + i % (len(one.folds) // one.repeats) for one, i, _ in parts])
    if all(part.sample_id is not None for _, _, part in parts):
        found["sample_id"] = np.concatenate([part.sample_id for _, _, part in parts if part.sample_id is not None])
    if any(part.group is not None for _, _, part in parts):
        found["group"] = column([part.group for _, _, part in parts], lengths)
    names = [names_of(one) if part.y_true.ndim > 1 else () for one, _, part in parts]
    found |= labels("y_true", [part.y_true for _, _, part in parts], lengths, names)
    found |= labels("y_pred", [part.y_pred for _, _, part in parts], lengths, names)
    found |= wide("y_score", [score_columns(one, part) for one, _, part in parts], lengths)
    if any(part.weight is not None for _, _, part in parts):
        weights = [np.ones(len(part.y_true)) if part.weight is None else part.weight for _, _, part in parts]
        found["weight"] = np.concatenate(weights).astype(np.float64)
    return found


def labels(
    name: str, values: Sequence[NDArray[Any] | None], lengths: Sequence[int], names: Sequence[tuple[Label, ...]]
) -> dict[str, NDArray[Any]]:
    """Build the label columns of all folds: one column, or a named column for each label of multilabel data."""
    single = [None if v is None or v.ndim > 1 else v for v in values]
    several = [{} if v is None or v.ndim == 1 else indicators(v, own) for v, own in zip(values, names, strict=True)]
    found = {} if all(v is None for v in single) else {name: column(single, lengths)}
    return found | wide(name, several, lengths)


def column(values: Sequence[NDArray[Any] | None], lengths: Sequence[int]) -> NDArray[Any]:
    """Join the labels of all folds: numbers if all are numbers, or else text."""
    text = any(v is None or v.dtype.kind in "US" for v in values)
    absent = [np.full(n, ABSENT) if v is None else v for v, n in zip(values, lengths, strict=True)]
    return np.concatenate([spelled(v) for v in absent] if text else absent)


def indicators(values: NDArray[Any], names: Sequence[Label]) -> dict[Label, NDArray[Any]]:
    """Tell which samples have each label of multilabel data, by its name."""
    return {name: values[:, j].astype(np.uint8) for j, name in enumerate(names)}


def spelled(values: NDArray[Any]) -> NDArray[Any]:
    """Write labels as text; whole numbers have no decimal point."""
    codes, names = encode(values, "labels")
    return np.array([str(name) for name in names])[codes]


def wide(name: str, parts: Sequence[Mapping[Label, NDArray[Any]]], lengths: Sequence[int]) -> dict[str, NDArray[Any]]:
    """Build a column for each label, with NaN where a fold has no values; the label "" stands for a single column."""
    each = list(zip(parts, lengths, strict=True))
    return {
        f"{name}_{label}" if label != "" else name: np.concatenate([p.get(label, np.full(n, np.nan)) for p, n in each])
        for label in dict.fromkeys(label for part in parts for label in part)
    }


def score_columns(one: Experiment, part: RecordedFold) -> dict[Label, NDArray[Any]]:
    """Give the scores of a fold by label; "" stands for the positive label of two."""
    if part.y_score is None:
        return {}
    score = part.y_score.astype(np.float64)
    if score.ndim == 1:
        return {"": score}
    if part.y_true.ndim == 1 and score.shape[1] == 2:
        return {"": score[:, 1]}
    return {label: score[:, j] for j, label in enumerate(names_of(one))}


def names_of(one: Experiment) -> tuple[Label, ...]:
    """List the labels of an experiment in order; for multilabel data without names, the numbers of the columns."""
    if one.folds[0].y_true.ndim > 1:
        return one.label_names or tuple(range(one.folds[0].y_true.shape[1]))
    return joined(*(encode(v, "labels") for p in one.folds for v in (p.y_true, p.y_pred) if v is not None))[1]


def read_experiments(path: Path, folder: str) -> tuple[Experiment, ...]:
    """Read the experiments of a file that `write_experiments` wrote, or of another file with such names.

    Raises
    ------
    FoldDataError
        If the file cannot be read, or holds no such names.
    """
    columns = columns_in(path).ours
    true = any(name == "y_true" or name.startswith("y_true_") for name in columns)
    if "experiment" not in columns or "fold" not in columns or not true:
        raise FoldDataError(
            f"{path} lacks the columns experiment, fold and y_true, so findings cannot be joined with it: write "
            "the file with `cvlint run --capture`."
        )
    found = tuple(experiment_of(str(name), part, folder) for name, part in experiments_in(columns))
    if not any(one.measurements for one in found):
        raise FoldDataError(
            f"{path} does not say where its experiments come from: their names must be as in train.py:24, which "
            "`cvlint run --capture` writes."
        )
    return found


def experiment_of(name: str, columns: dict[str, Any], folder: str) -> Experiment:
    """Build one experiment from its columns."""
    given, _ = with_labels(columns, None)
    arrays = {key: plain(values) for key, values in (columns | given).items()}
    repeat = encode(arrays["repeat"], "repeat")[0] if "repeat" in arrays else np.zeros(len(arrays["y_true"]), dtype=int)
    fold, _ = encode(arrays["fold"], "fold")
    parts = []
    for number, (r, f) in enumerate(sorted(set(zip(repeat.tolist(), fold.tolist(), strict=True)))):
        rows = np.flatnonzero((repeat == r) & (fold == f))
        taken = {key: arrays[key][rows] for key in ("y_pred", "y_score", "weight", "group") if key in arrays}
        parts.append(RecordedFold(number, arrays["y_true"][rows], sample_id=None, **taken))
    repeats = len(np.unique(repeat))
    repeats = repeats if len(parts) % repeats == 0 else 1
    return Experiment(tuple(measurements_of(name, folder)), tuple(parts), repeats, number=number_of(name))


def plain(values: Any) -> NDArray[Any]:
    """Convert a column to an array."""
    return np.array(values.labels)[values.codes] if isinstance(values, Coded) else np.asarray(values)
