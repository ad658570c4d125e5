"""Fold data read from files: CSV, Parquet and NPZ."""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cvlint.runtime.columns import CELLS, Labels, Names, experiments_in, is_number
from cvlint.runtime.counts import Counts
from cvlint.runtime.faults import FoldDataError
from cvlint.runtime.foldset import FoldSet
from cvlint.runtime.labels import Label, encode

ROWS = 100_000  # read at a time


@dataclass(frozen=True, eq=False, slots=True)
class FoldCounts:
    """What a file with a row of counts for each fold holds."""

    counts: Counts
    fold_names: tuple[Label, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Stored:
    """A file's content, and the columns in it that were not used."""

    data: FoldSet | FoldCounts
    unused: tuple[str, ...]


def read(path: str | Path, columns: Mapping[str, str] | None = None, positive: Label | None = None) -> Stored:
    """Read fold data.

    Parameters
    ----------
    path
        A CSV, Parquet or NPZ file, told by its ending. Its columns are ``fold``, ``y_true``, and ``y_pred``,
        ``y_score`` or both (or ``y_score_<label>`` for each label; multilabel: ``y_true_<label>``,
        ``y_pred_<label>``); optionally ``repeat``, ``experiment``, ``sample_id``, ``weight``. Or it holds counts
        only: ``fold``, ``tp``, ``fp``, ``fn`` and perhaps ``tn``, a row a fold.
    columns
        The file's names of columns that are called otherwise there, by our names.
    positive
        The positive label of a binary task.

    Raises
    ------
    FoldDataError
        When the file cannot be read, or its columns and values are not as above; nothing is ever unpickled.
    """
    ours, unused = columns_in(path, columns)
    return Stored(assemble(Path(path), ours, positive), unused)


def read_each(
    path: str | Path, columns: Mapping[str, str] | None = None, positive: Label | None = None
) -> tuple[list[tuple[Label, FoldSet | FoldCounts]], tuple[str, ...]]:
    """Read fold data, each experiment as a set of its own, which may have labels and columns that others lack.

    Takes and raises what `read` does; gives the names of the experiments ("" where the file has none) with their data,
    in the order of the file, and the columns that were not used.
    """
    ours, unused = columns_in(path, columns)
    return [(name, assemble(Path(path), part, positive)) for name, part in experiments_in(ours)], unused


def columns_in(path: str | Path, columns: Mapping[str, str] | None = None) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The columns of a file by our names, and the names of those that are not used; raises what `read` does."""
    path = Path(path)
    try:
        reader = READERS[path.suffix.lower()]
    except KeyError:
        known = ", ".join(READERS)
        raise FoldDataError(f"{path} is of no kind that can be read: its name must end in one of {known}.") from None
    try:
        found, every = reader(path, Names(path, dict(columns or {})))
        unused = tuple(name for name in every if name not in found)
        return {own: values for own, values in found.values()}, unused
    except OSError as error:
        raise FoldDataError(f"{path} cannot be read: {error.strerror or error}.") from None


Column: TypeAlias = "Labels | list[NDArray[Any]]"
Found: TypeAlias = tuple[dict[str, tuple[str, Any]], Sequence[str]]


def read_csv(path: Path, names: Names) -> Found:
    """The columns of a CSV file that are used, and the names of all."""
    with open(path, newline="", encoding="utf-8-sig") as file:
        try:
            rows = csv.reader(file)
            header = [name.strip() for name in next(rows, [])]
            if not header:
                raise FoldDataError(f"{path} is empty: a line with the names of the columns is needed.")
            found = names.of(header)
            columns: dict[str, Labels | list[NDArray[Any]]] = {
                n: [] if is_number(found[n]) else Labels() for n in found
            }
            line = 2
            while block := list(islice(rows, ROWS)):
                add_rows(path, block, line, header, columns)
                line += len(block)
        except UnicodeDecodeError as error:
            raise FoldDataError(f"{path} is no UTF-8 text: {error.reason}.") from None
        except csv.Error as error:
            raise FoldDataError(f"{path} is no readable CSV at line {rows.line_num}: {error}.") from None
    return {name: (found[name], whole(column)) for name, column in columns.items()}, header


def whole(column: Column) -> Any:
    """A column of all that was read of it."""
    return column.column() if isinstance(column, Labels) else np.concatenate(column or [np.zeros(0)])


def add_rows(path: Path, block: list[list[str]], line: int, header: list[str], columns: dict[str, Column]) -> None:
    """Append rows of text, of which the first stands in row ``line`` of the file."""
    for i, row in enumerate(block):
        if len(row) != len(header):
            raise FoldDataError(f"{path}, row {line + i}: it has {len(row)} values and the header {len(header)} names.")
    texts = list(zip(*block, strict=True))
    for name, column in columns.items():
        values = texts[header.index(name)]
        if isinstance(column, Labels):
            if "" in values:
                raise FoldDataError(f"{path}, row {line + values.index('')}, column {name}: there is no value.")
            column.add_strings(values)
            continue
        try:
            column.append(np.array(values, dtype=np.float64))
        except ValueError:
            place = next(i for i, v in enumerate(values) if not parses(v))
            raise FoldDataError(f"{path}, row {line + place}, column {name}: {values[place]!r} is no number.") from None


def parses(text: str) -> bool:
    """Whether a text is a number."""
    try:
        float(text)
    except ValueError:
        return False
    return True


def read_parquet(path: Path, names: Names) -> Found:
    """The columns of a Parquet file that are used, and the names of all."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise FoldDataError(
            f"{path} is a Parquet file, and pyarrow is not installed: install cvlint[parquet]."
        ) from None
    try:
        file = pyarrow.parquet.ParquetFile(path, pre_buffer=False)  # which would hold the whole column a second time
        header = file.schema_arrow.names
        found = names.of(header)
        columns: dict[str, Any] = {}
        for name in found:  # one column at a time: it is compact before the next is read
            labels = None if is_number(found[name]) else Labels()
            column = np.empty(0 if labels is not None else file.metadata.num_rows)
            row = 0
            for batch in file.iter_batches(batch_size=1_000_000, columns=[name]):
                values = batch.column(0)
                if values.null_count:
                    raise FoldDataError(f"{path}, column {name}: {values.null_count} values are missing.")
                array = values.to_numpy(zero_copy_only=False)
                if labels is not None:
                    labels.add_array(array, name)
                else:
                    column[row : row + len(array)] = numbers(path, name, array)
                row += len(array)
            column.flags.writeable = False
            columns[name] = column if labels is None else labels.column()
    except pyarrow.ArrowException as error:
        raise FoldDataError(f"{path} is no readable Parquet file: {error}.") from None
    return {name: (found[name], values) for name, values in columns.items()}, header


def numbers(path: Path, name: str, values: NDArray[Any]) -> NDArray[Any]:
    """A column as floats."""
    try:
        return values.astype(np.float64)
    except (TypeError, ValueError):
        raise FoldDataError(f"{path}, column {name}: it holds something that is no number.") from None


def read_npz(path: Path, names: Names) -> Found:
    """The arrays of an NPZ file that are used, and the names of all."""
    try:
        with np.load(path, allow_pickle=False) as archive:
            header = list(archive.files)
            found = names.of(header)
            return {name: (found[name], archive[name]) for name in found}, header
    except (ValueError, EOFError, AttributeError) as error:
        raise FoldDataError(f"{path} is no readable NPZ file, or holds pickled objects: {error}.") from None
    except Exception as error:
        if type(error).__name__ not in ("BadZipFile", "error"):
            raise
        raise FoldDataError(f"{path} is no readable NPZ file: {error}.") from None


READERS: dict[str, Callable[[Path, Names], Found]] = {".csv": read_csv, ".parquet": read_parquet, ".npz": read_npz}


def assemble(path: Path, columns: dict[str, Any], positive: Label | None) -> FoldSet | FoldCounts:
    """Fold data of the columns of a file."""
    if "fold" not in columns:
        raise FoldDataError(f"{path} has no column 'fold': name the one that says the fold of each row.")
    if "y_true" not in columns and {"tp", "fp", "fn"} <= set(columns):
        return fold_counts(path, columns)
    gathered: dict[str, Any] = {}
    for name in ("y_true", "y_pred", "y_score"):
        if name in columns:
            gathered[name] = columns[name]
            continue
        wide = {n.removeprefix(f"{name}_"): v for n, v in columns.items() if n.startswith(f"{name}_")}
        if wide:
            gathered[name] = np.stack([wide[label] for label in in_order(wide, columns)], axis=1)
    if "y_true" not in gathered:
        raise FoldDataError(f"{path} has no column 'y_true': name the one that holds the true labels.")
    others = {n: columns[n] for n in ("repeat", "experiment", "sample_id", "weight") if n in columns}
    try:
        return FoldSet.from_arrays(columns["fold"], **gathered, **others, positive=positive)
    except FoldDataError as error:
        raise FoldDataError(f"{path}: {error}") from None


def in_order(wide: dict[str, Any], columns: dict[str, Any]) -> list[str]:
    """The labels of several columns in the order of the sorted labels; as in the file when they are others."""
    labelled = [columns[n] for n in ("y_true", "y_pred") if n in columns]
    labels = sorted({label for column in labelled for label in encode(column, "y_true")[1]}, key=sort_key)
    spelled = [str(label) for label in labels]
    return spelled if set(spelled) == set(wide) else list(wide)


def sort_key(label: Label) -> tuple[bool, Any]:
    """Numbers before texts."""
    return (isinstance(label, str), label)


def fold_counts(path: Path, columns: dict[str, Any]) -> FoldCounts:
    """Counts of a binary task, a row a fold."""
    codes, names = encode(columns["fold"], "fold")
    if not len(codes):
        raise FoldDataError(f"{path} holds no folds: a row for each is needed.")
    if len(names) < len(codes):
        raise FoldDataError(f"{path} has several rows for one fold: its columns tp, fp and fn call for one row a fold.")
    cells = np.zeros((4, len(codes), 1))
    for i, name in enumerate(CELLS):
        values = np.asarray(columns.get(name, np.zeros(len(codes))), dtype=np.float64)
        bad = np.flatnonzero(~(np.isfinite(values) & (values >= 0)))
        if len(bad):
            raise FoldDataError(f"{path}, row {bad[0] + 2}, column {name}: {values[bad[0]]} is no count.")
        cells[i, codes, 0] = values
    return FoldCounts(Counts(cells, "binary"), names)
