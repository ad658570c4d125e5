"""Recorded experiments in a file with fold data, and out of one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cvlint.recording.experiments import Experiment, Part
from cvlint.recording.labels import label_of, number_of, uses_of
from cvlint.runtime.columns import ABSENT, experiments_in
from cvlint.runtime.faults import FoldDataError
from cvlint.runtime.labels import Coded, encode
from cvlint.runtime.reading import columns_in, sort_key
from cvlint.runtime.writing import write_columns


def write_experiments(experiments: Sequence[Experiment], path: Path, folder: str) -> list[str]:
    """Write experiments to one file, each under the name of its call sites.

    Where one lacks predicted labels or scores that another has, these are ``(none)`` and NaN. Labels are written as
    text when numbers and texts occur.

    Parameters
    ----------
    experiments
        What was recorded.
    path
        A CSV, Parquet or NPZ file; it appears whole or not at all.
    folder
        What the paths in the names are relative to.

    Returns
    -------
    list of str
        A sentence for each experiment that had to be left out.

    Raises
    ------
    FoldDataError
        When nothing can be written; what was there before is left as it was.
    """
    kept, left = [], []
    for one in experiments:
        reason = unfit(one)
        if reason:
            left.append(f"{label_of(one, folder)} is not in {path}: {reason}.")
        else:
            kept.append(one)
    if not kept:
        raise FoldDataError(f"{path} is not written: no fold data were recorded.")
    write_columns(columns_of(kept, folder), path)
    return left


def unfit(one: Experiment) -> str:
    """Why an experiment cannot be written; empty if it can."""
    first = one.parts[0]
    if first.y_true.ndim > 1 or (first.y_pred is not None and first.y_pred.ndim > 1):
        return "its samples have several labels each, and the file one column of labels"
    if first.y_pred is None and first.y_score is None:
        return "neither predicted labels nor scores were recorded"
    if len({part.y_score.shape[1:] for part in one.parts if part.y_score is not None}) > 1:
        return "its folds have different numbers of scores"
    return ""


def columns_of(experiments: Sequence[Experiment], folder: str) -> dict[str, NDArray[Any]]:
    """The columns of a file with all experiments."""
    parts = [(one, i, part) for one in experiments for i, part in enumerate(one.parts)]
    lengths = [len(part.y_true) for _, _, part in parts]

    def repeated(values: Sequence[Any]) -> NDArray[Any]:
        return np.repeat(np.array(values), lengths)

    found = {"experiment": repeated([label_of(one, folder) for one, _, _ in parts])}
    if any(one.repeats > 1 for one in experiments):
        found["repeat"] = repeated([1 + i // (len(one.parts) // one.repeats) for one, i, _ in parts])
    found["fold"] = repeated([1 + i % (len(one.parts) // one.repeats) for one, i, _ in parts])
    if all(part.sample_id is not None for _, _, part in parts):
        found["sample_id"] = np.concatenate([part.sample_id for _, _, part in parts if part.sample_id is not None])
    found["y_true"] = labels([part.y_true for _, _, part in parts], lengths)
    if any(part.y_pred is not None for _, _, part in parts):
        found["y_pred"] = labels([part.y_pred for _, _, part in parts], lengths)
    found |= scores([(one, part) for one, _, part in parts])
    if any(part.weight is not None for _, _, part in parts):
        weights = [np.ones(len(part.y_true)) if part.weight is None else part.weight for _, _, part in parts]
        found["weight"] = np.concatenate(weights).astype(np.float64)
    return found


def labels(values: Sequence[NDArray[Any] | None], lengths: Sequence[int]) -> NDArray[Any]:
    """Labels of all folds in one array: numbers where all are, else text."""
    text = any(v is None or v.dtype.kind in "US" for v in values)
    absent = [np.full(n, ABSENT) if v is None else v for v, n in zip(values, lengths, strict=True)]
    return np.concatenate([spelled(v) for v in absent] if text else absent)


def spelled(values: NDArray[Any]) -> NDArray[Any]:
    """Labels as text; whole numbers without a decimal point."""
    codes, names = encode(values, "labels")
    return np.array([str(name) for name in names])[codes]


def scores(parts: Sequence[tuple[Experiment, Part]]) -> dict[str, NDArray[Any]]:
    """Columns of scores: one, or one a label where there are several; NaN where an experiment has none."""
    named = [(part, score_columns(one, part)) for one, part in parts]
    names = dict.fromkeys(name for _, columns in named for name in columns)
    return {
        name: np.concatenate([columns.get(name, np.full(len(part.y_true), np.nan)) for part, columns in named])
        for name in names
    }


def score_columns(one: Experiment, part: Part) -> dict[str, NDArray[Any]]:
    """The scores of a fold, by the names of their columns."""
    if part.y_score is None:
        return {}
    score = part.y_score.astype(np.float64)
    if score.ndim == 1 or score.shape[1] == 1:
        return {"y_score": score.reshape(-1)}
    every = sorted({v for p in one.parts for v in encode(p.y_true, "y_true")[1]}, key=sort_key)
    if len(every) == score.shape[1] == 2:
        return {"y_score": score[:, 1]}
    names = every if len(every) == score.shape[1] else range(score.shape[1])
    return {f"y_score_{name}": score[:, j] for j, name in enumerate(names)}


def read_experiments(path: Path, folder: str) -> tuple[Experiment, ...]:
    """The experiments of a file that `write_experiments` wrote, or of another with names like these.

    Raises
    ------
    FoldDataError
        When the file cannot be read, or holds no such names.
    """
    columns = columns_in(path).ours
    if "experiment" not in columns or "fold" not in columns or "y_true" not in columns:
        raise FoldDataError(
            f"{path} lacks the columns experiment, fold and y_true, so that no finding can be joined with it: write "
            "it with `cvlint run --capture`."
        )
    found = tuple(experiment_of(str(name), part, folder) for name, part in experiments_in(columns))
    if not any(one.uses for one in found):
        raise FoldDataError(
            f"{path} does not say where its experiments come from: their names must be as in train.py:24, which "
            "`cvlint run --capture` writes."
        )
    return found


def experiment_of(name: str, columns: dict[str, Any], folder: str) -> Experiment:
    """One experiment out of its columns."""
    arrays = {key: plain(values) for key, values in columns.items()}
    wide = [key for key in arrays if key.startswith("y_score_")]
    if wide:
        known = [str(v) for v in sorted(set(arrays["y_true"].tolist()), key=sort_key)]
        order = [f"y_score_{v}" for v in known] if {f"y_score_{v}" for v in known} == set(wide) else wide
        arrays["y_score"] = np.stack([arrays[key] for key in order], axis=1)
    repeat = encode(arrays["repeat"], "repeat")[0] if "repeat" in arrays else np.zeros(len(arrays["y_true"]), dtype=int)
    fold, _ = encode(arrays["fold"], "fold")
    parts = []
    for number, (r, f) in enumerate(sorted(set(zip(repeat.tolist(), fold.tolist(), strict=True)))):
        rows = np.flatnonzero((repeat == r) & (fold == f))
        taken = {key: arrays[key][rows] for key in ("y_pred", "y_score", "weight") if key in arrays}
        parts.append(Part(number, arrays["y_true"][rows], sample_id=None, **taken))
    repeats = len(np.unique(repeat))
    repeats = repeats if len(parts) % repeats == 0 else 1
    return Experiment(tuple(uses_of(name, folder)), tuple(parts), repeats, number=number_of(name))


def plain(values: Any) -> NDArray[Any]:
    """A column as an array."""
    return np.array(values.labels)[values.codes] if isinstance(values, Coded) else np.asarray(values)
