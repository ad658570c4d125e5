"""Fold data written to files: CSV, Parquet and NPZ."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from cvlint.filesystem.atomic_write import replacing
from cvlint.runtime.data.foldset import FoldSet
from cvlint.runtime.errors import FoldDataError

ROWS = 100_000  # written at a time


def write(folds: FoldSet, path: str | Path) -> None:
    """Write fold data; the file appears as a whole or not at all.

    Parameters
    ----------
    folds
        The data.
    path
        The file; its ending chooses CSV, Parquet or NPZ.

    Raises
    ------
    FoldDataError
        When the ending is unknown or the file cannot be written; an earlier file then stays as it is.
    """
    write_columns(columns_of(folds), path)


def write_columns(columns: dict[str, NDArray[Any]], path: str | Path) -> None:
    """Write columns of equal length, by our names; as `write`."""
    path = Path(path)
    writer = WRITERS.get(path.suffix.lower())
    if writer is None:
        known = ", ".join(WRITERS)
        raise FoldDataError(f"{path} cannot be written: its name must end in one of {known}.")
    try:
        with replacing(path) as file:
            writer(columns, file)
    except OSError as error:
        raise FoldDataError(f"{path} cannot be written: {error.strerror or error}.") from None


def columns_of(folds: FoldSet) -> dict[str, NDArray[Any]]:
    """The columns of a file: the original labels, and one column of scores for each class."""
    found: dict[str, NDArray[Any]] = {}
    for name, column in (("experiment", folds.experiment), ("repeat", folds.repeat)):
        if column is not None:
            found[name] = np.array(column[1])[column[0]]
    found["fold"] = np.array(folds.fold_names)[folds.fold]
    if folds.sample_id is not None:
        found["sample_id"] = folds.sample_id if folds.sample_names is None else folds.sample_names[folds.sample_id]
    if folds.group is not None:
        found["group"] = np.array(folds.group[1])[folds.group[0]]
    for name, labels in (("y_true", folds.y_true), ("y_pred", folds.y_pred)):
        if labels is None:
            continue
        if folds.kind == "multilabel":
            found |= {f"{name}_{c}": labels[:, j].astype(np.uint8) for j, c in enumerate(folds.classes)}
        else:
            found[name] = np.array(folds.classes)[labels]
    if folds.y_score is not None:
        several = folds.y_score.shape[1] > 1
        for j in range(folds.y_score.shape[1]):
            found[f"y_score_{folds.classes[j]}" if several else "y_score"] = folds.y_score[:, j]
    if folds.weight is not None:
        found["weight"] = folds.weight
    if folds.row_hash is not None:
        found["row_hash"] = folds.row_hash
    return found


def write_csv(columns: dict[str, NDArray[Any]], file: IO[bytes]) -> None:
    """Write columns as CSV; numbers are the same when they are read back."""
    text = io.TextIOWrapper(file, encoding="utf-8", newline="")
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(columns)
    for start in range(0, len(columns["fold"]), ROWS):
        rows.writerows(zip(*(values[start : start + ROWS].tolist() for values in columns.values()), strict=True))
    text.flush()
    text.detach()


def write_parquet(columns: dict[str, NDArray[Any]], file: IO[bytes]) -> None:
    """Write columns as Parquet."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise FoldDataError("A Parquet file needs pyarrow, which is not installed: install cvlint[parquet].") from None
    pyarrow.parquet.write_table(pyarrow.table(columns), file)


def write_npz(columns: dict[str, NDArray[Any]], file: IO[bytes]) -> None:
    """Write columns as NPZ."""
    np.savez(file, **columns)  # type: ignore[arg-type]


WRITERS: dict[str, Callable[[dict[str, NDArray[Any]], IO[bytes]], None]] = {
    ".csv": write_csv,
    ".parquet": write_parquet,
    ".npz": write_npz,
}
