"""Fold data read from files: CSV, Parquet and NPZ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cvlint.filesystem.regular_file import require_regular_file
from cvlint.runtime.data.columns import (
    CELLS,
    EMPTY,
    ColumnNames,
    experiments_in,
    listed,
)
from cvlint.runtime.data.file_formats import READERS
from cvlint.runtime.data.foldset import FoldSet
from cvlint.runtime.data.label_columns import with_labels
from cvlint.runtime.data.labels import Coded, Label, encode
from cvlint.runtime.errors import FoldDataError
from cvlint.runtime.measures.counts import Counts

OPTIONAL = ("repeat", "experiment", "sample_id", "group", "weight", "row_hash")
"""The columns that `FoldSet.from_arrays` takes under the same names."""


LARGEST_COUNT = 10**15
"""A sum of the counts of several folds must still be a whole number in double precision."""


@dataclass(frozen=True, eq=False, slots=True)
class FoldCounts:
    """The content of a file with one row of counts for each fold.

    Attributes
    ----------
    counts
        The counts, of shape (folds, 1).
    fold_names
        The names of the folds, in the same order.
    """

    counts: Counts
    fold_names: tuple[Label, ...]


@dataclass(frozen=True, eq=False, slots=True)
class StoredFolds:
    """The content of a file with fold data."""

    data: FoldSet | FoldCounts
    """The fold data, or the counts of the folds."""
    unused: tuple[str, ...]
    """The columns of the file that were not used."""


def read(
    path: str | Path,
    columns: Mapping[str, str] | None = None,
    positive: Label | None = None,
    features: Sequence[str] = (),
) -> StoredFolds:
    """Read fold data.

    Parameters
    ----------
    path
        A CSV, Parquet or NPZ file; the ending of its name says which. Its columns are ``fold``, ``y_true``, and
        ``y_pred``, ``y_score`` or both (or ``y_score_<label>`` for each label; multilabel: ``y_true_<label>``,
        ``y_pred_<label>``); optionally ``repeat``, ``experiment``, ``sample_id``, ``group``, ``weight``. Or it holds
        counts only: ``fold``, ``tp``, ``fp``, ``fn`` and perhaps ``tn``, one row for each fold. For columns of
        features, only a hash of each row is kept.
    columns
        The names of columns in the file, by the names above, where they differ.
    positive
        The positive label of a binary task.
    features
        The names of the columns of features; a name may end in ``*``. By default they are those that begin with
        ``x_``.

    Returns
    -------
    StoredFolds
        The fold data as ``data``, and the names of unused columns as ``unused``.

    Raises
    ------
    FoldDataError
        When the file cannot be read, or its columns and values are not as above; nothing is ever unpickled.
    """
    found = columns_in(path, columns, features)
    return StoredFolds(fold_data_of(Path(path), found.ours, positive, found.header), found.unused)


def read_each(
    path: str | Path,
    columns: Mapping[str, str] | None = None,
    positive: Label | None = None,
    features: Sequence[str] = (),
) -> tuple[list[tuple[Label, FoldSet | FoldCounts]], tuple[str, ...]]:
    """Read fold data, each experiment as a set of its own with its own labels and columns.

    Parameters and exceptions are those of `read`. The result is the name of each experiment ("" where the file has
    none) with its data, in the order of the file, and the columns that were not used.
    """
    path = Path(path)
    found = columns_in(path, columns, features)
    check_absent(path, found.ours)
    parts = experiments_in(found.ours)
    return [(name, fold_data_of(path, part, positive, found.header)) for name, part in parts], found.unused


@dataclass(frozen=True, eq=False, slots=True)
class FileColumns:
    """The columns of a file by our names, the names of all its columns, and of the unused ones."""

    ours: dict[str, Any]
    header: Sequence[str]
    unused: tuple[str, ...]


def columns_in(path: str | Path, columns: Mapping[str, str] | None = None, features: Sequence[str] = ()) -> FileColumns:
    """The columns of a file; parameters and exceptions are those of `read`."""
    path = Path(path)
    try:
        reader = READERS[path.suffix.lower()]
    except KeyError:
        known = ", ".join(READERS)
        raise FoldDataError(f"{path} is of no kind that can be read: its name must end in one of {known}.") from None
    try:
        require_regular_file(path)
        found, every = reader(path, ColumnNames(path, dict(columns or {}), tuple(features)))
    except OSError as error:
        raise FoldDataError(f"{path} cannot be read: {error.strerror or error}.") from None
    if found and all(values.shape[:1] == (0,) for _, values in found.values()):
        raise FoldDataError(f"{path} holds no samples: a row for each is needed, or one of counts for each fold.")
    unused = tuple(name for name in every if name not in found)
    return FileColumns({own: values for own, values in found.values()}, every, unused)


def check_absent(path: Path, columns: dict[str, Any]) -> None:
    """Refuse a column with missing values in only some rows of an experiment; an experiment may lack a whole column."""
    if "experiment" not in columns:
        return
    codes, _ = encode(columns["experiment"], "experiment")
    for name, values in columns.items():
        missing = missing_in(values)
        if missing is None or not missing.any():
            continue
        present = np.bincount(codes[~missing], minlength=int(codes.max()) + 1) > 0
        bad = np.flatnonzero(missing & present[codes])
        if len(bad):
            place = f"{path}, row {first_row(path) + int(bad[0])}, column {name}"
            raise FoldDataError(f"{place}: it is empty or NaN, and others of this experiment are not.")


def missing_in(values: NDArray[Any] | Coded) -> NDArray[np.bool_] | None:
    """The rows in which a column is NaN or has an empty label; None where no value is missing."""
    match values:
        case Coded(codes, labels):
            return np.asarray(codes == labels.index(EMPTY)) if EMPTY in labels else None
        case _ if values.dtype.kind == "f":
            return np.asarray(np.isnan(values.reshape(len(values), -1)).any(axis=1))
        case _:
            return None


def fold_data_of(
    path: Path, columns: dict[str, Any], positive: Label | None, header: Sequence[str]
) -> FoldSet | FoldCounts:
    """Make fold data from the columns of a file; ``header`` is the names of all its columns."""
    if "fold" not in columns:
        only = f", and commas must separate them; {listed(header)}" if len(header) == 1 else f"; {listed(header)}"
        raise FoldDataError(f"{path} has no column 'fold': name the one that says the fold of each row{only}")
    if "y_true" not in columns and {"tp", "fp", "fn"} <= set(columns):
        return fold_counts(path, columns)
    if "y_true" not in columns and not any(name.startswith("y_true_") for name in columns):
        raise FoldDataError(f"{path} has no column 'y_true': name the one with the true labels; {listed(header)}")
    if not any(name.startswith(("y_pred", "y_score")) for name in columns):
        if any(name.startswith(("y_pred", "y_score")) for name in header):
            raise FoldDataError(f"{path} has an experiment without predicted labels and without scores: one is needed.")
        what = "neither a column 'y_pred' nor 'y_score'"
        raise FoldDataError(f"{path} has {what}: name the one with predicted labels or scores; {listed(header)}")
    others = {n: columns[n] for n in OPTIONAL if n in columns}
    try:
        given, labels = with_labels(columns, positive)
        return FoldSet.from_arrays(columns["fold"], **given, **others, positive=positive, labels=labels)
    except FoldDataError as error:
        raise FoldDataError(f"{path}: {error.numbered(first_row(path))}") from None


def first_row(path: Path) -> int:
    """The number of the first sample's row; in a CSV file row 1 is the header."""
    return 2 if path.suffix.lower() == ".csv" else 1


def fold_counts(path: Path, columns: dict[str, Any]) -> FoldCounts:
    """The counts of a binary task, one row for each fold."""
    codes, names = encode(columns["fold"], "fold")
    if not len(codes):
        raise FoldDataError(f"{path} holds no folds: a row for each is needed.")
    if len(names) < len(codes):
        raise FoldDataError(
            f"{path} has several rows for one fold: with columns tp, fp and fn, each fold needs exactly one row."
        )
    cells = np.zeros((4, len(codes), 1))
    for i, name in enumerate(CELLS):
        values = np.asarray(columns.get(name, np.zeros(len(codes))), dtype=np.float64)
        bad = np.flatnonzero(~(np.isfinite(values) & (values >= 0)))
        if len(bad):
            raise FoldDataError(f"{path}, row {bad[0] + first_row(path)}, column {name}: {values[bad[0]]} is no count.")
        large = np.flatnonzero(values > LARGEST_COUNT)
        if len(large):
            raise FoldDataError(
                f"{path}, row {large[0] + first_row(path)}, column {name}: {values[large[0]]:g} is too large for a "
                f"count; they are exact up to {LARGEST_COUNT:,}."
            )
        cells[i, codes, 0] = values
    return FoldCounts(Counts(cells, "binary"), names)
