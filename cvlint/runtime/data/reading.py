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

from cvlint.runtime.data.columns import (
    CELLS,
    EMPTY,
    ColumnNames,
    LabelColumn,
    NumberColumn,
    experiments_in,
    is_number,
    listed,
)
from cvlint.runtime.data.features import combined, row_hashes, text_hashes
from cvlint.runtime.data.foldset import FoldSet
from cvlint.runtime.data.label_columns import with_labels
from cvlint.runtime.data.labels import Coded, Label, encode
from cvlint.runtime.errors import FoldDataError
from cvlint.runtime.measures.counts import Counts

ROWS = 100_000  # read at a time


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
    """The content of a file with fold data.

    Attributes
    ----------
    data
        The fold data, or the counts of the folds.
    unused
        The columns of the file that were not used.
    """

    data: FoldSet | FoldCounts
    unused: tuple[str, ...]


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
        ``y_pred_<label>``); optionally ``repeat``, ``experiment``, ``sample_id``, ``weight``. Or it holds counts
        only: ``fold``, ``tp``, ``fp``, ``fn`` and perhaps ``tn``, one row for each fold. For columns of features, only
        a hash of each row is kept.
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
    return StoredFolds(assemble(Path(path), found.ours, positive, found.header), found.unused)


def read_each(
    path: str | Path,
    columns: Mapping[str, str] | None = None,
    positive: Label | None = None,
    features: Sequence[str] = (),
) -> tuple[list[tuple[Label, FoldSet | FoldCounts]], tuple[str, ...]]:
    """Read fold data, each experiment as a set of its own, which may have labels and columns that others lack.

    Takes and raises what `read` does; gives the names of the experiments ("" where the file has none) with their data,
    in the order of the file, and the columns that were not used.
    """
    path = Path(path)
    found = columns_in(path, columns, features)
    check_absent(path, found.ours)
    parts = experiments_in(found.ours)
    return [(name, assemble(path, part, positive, found.header)) for name, part in parts], found.unused


@dataclass(frozen=True, eq=False, slots=True)
class FileColumns:
    """The columns of a file by our names, the names of all, and of those that are not used."""

    ours: dict[str, Any]
    header: Sequence[str]
    unused: tuple[str, ...]


def columns_in(path: str | Path, columns: Mapping[str, str] | None = None, features: Sequence[str] = ()) -> FileColumns:
    """The columns of a file; takes and raises what `read` does."""
    path = Path(path)
    try:
        reader = READERS[path.suffix.lower()]
    except KeyError:
        known = ", ".join(READERS)
        raise FoldDataError(f"{path} is of no kind that can be read: its name must end in one of {known}.") from None
    try:
        found, every = reader(path, ColumnNames(path, dict(columns or {}), tuple(features)))
    except OSError as error:
        raise FoldDataError(f"{path} cannot be read: {error.strerror or error}.") from None
    if found and all(values.shape[:1] == (0,) for _, values in found.values()):
        raise FoldDataError(f"{path} holds no samples: a row for each is needed, or one of counts for each fold.")
    unused = tuple(name for name in every if name not in found)
    return FileColumns({own: values for own, values in found.values()}, every, unused)


def check_absent(path: Path, columns: dict[str, Any]) -> None:
    """Refuse values that are missing in some rows of an experiment only: in all of them, the experiment has none."""
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
    """In which rows a column has no value, a number that is NaN or an empty label; None where it has all of them."""
    match values:
        case Coded(codes, labels):
            return np.asarray(codes == labels.index(EMPTY)) if EMPTY in labels else None
        case _ if values.dtype.kind == "f":
            return np.asarray(np.isnan(values.reshape(len(values), -1)).any(axis=1))
        case _:
            return None


Column: TypeAlias = LabelColumn | NumberColumn
Found: TypeAlias = tuple[dict[str, tuple[str, Any]], Sequence[str]]


def read_csv(path: Path, names: ColumnNames) -> Found:
    """The columns of a CSV file that are used, and the names of all."""
    with open(path, newline="", encoding="utf-8-sig") as file:
        try:
            rows = csv.reader(file, strict=True)
            header = [name.strip() for name in next(rows, [])]
            if not header:
                raise FoldDataError(f"{path} is empty: a line with the names of the columns is needed.")
            found = names.of(header)
            features = names.features(header, found)
            columns: dict[str, Column] = {n: NumberColumn() if is_number(found[n]) else LabelColumn() for n in found}
            optional = [name for name, ours in found.items() if ours == "y_pred" or is_number(ours)]
            optional = optional if "experiment" in found.values() else []
            hashes: list[NDArray[Any]] = []
            line = 2
            while block := list(islice(rows, ROWS)):
                texts = add_rows(path, block, line, header, columns, optional)
                if features:
                    hashes.append(text_hashes([texts[header.index(name)] for name in features]))
                line += len(block)
        except UnicodeDecodeError as error:
            raise FoldDataError(f"{path} is no UTF-8 text: {error.reason}.") from None
        except csv.Error as error:
            raise FoldDataError(f"{path} is no readable CSV at line {rows.line_num}: {error}.") from None
    read_in = {name: (found[name], column.column()) for name, column in columns.items()}
    return with_hashes(read_in, whole(hashes) if features else None), without(header, features)


def with_hashes(columns: dict[str, tuple[str, Any]], hashes: NDArray[Any] | None) -> dict[str, tuple[str, Any]]:
    """The columns that were read, and the hashes of the features, if any."""
    return columns if hashes is None else {**columns, "hashes of features": ("row_hash", hashes)}


def without(header: Sequence[str], features: Sequence[str]) -> list[str]:
    """The names of the columns that are no features."""
    return [name for name in header if name not in features]


def whole(hashes: list[NDArray[Any]]) -> NDArray[Any]:
    """The hashes of all blocks."""
    return np.concatenate(hashes or [np.zeros(0, dtype=np.int64)])


def add_rows(
    path: Path,
    block: list[list[str]],
    line: int,
    header: list[str],
    columns: dict[str, Column],
    optional: Sequence[str],
) -> list[tuple[str, ...]]:
    """Append rows of text, of which the first stands in row ``line`` of the file; all columns of them.

    Those that are ``optional`` may be empty or NaN: of several experiments one may lack them (see `check_absent`).
    """
    for i, row in enumerate(block):
        if len(row) != len(header):
            raise FoldDataError(f"{path}, row {line + i}: it has {len(row)} values and the header {len(header)} names.")
    texts = list(zip(*block, strict=True))
    for name, column in columns.items():
        values = texts[header.index(name)]
        if isinstance(column, LabelColumn):
            if EMPTY in values and name not in optional:
                raise FoldDataError(f"{path}, row {line + values.index(EMPTY)}, column {name}: there is no value.")
            column.add_strings(values)
            continue
        if name in optional and EMPTY in values:
            values = tuple(value or "nan" for value in values)
        try:
            found = np.array(values, dtype=np.float64)
        except ValueError:
            place = next(i for i, v in enumerate(values) if not parses(v))
            raise FoldDataError(f"{path}, row {line + place}, column {name}: {values[place]!r} is no number.") from None
        bad = np.isinf(found) if name in optional else ~np.isfinite(found)
        if bad.any():
            place = int(np.flatnonzero(bad)[0])
            says = "is NaN or infinite: a finite number is needed"
            raise FoldDataError(f"{path}, row {line + place}, column {name}: {values[place]!r} {says}.")
        column.append(found)
    return texts


def parses(text: str) -> bool:
    """Whether a text is a number."""
    try:
        float(text)
    except ValueError:
        return False
    return True


def read_parquet(path: Path, names: ColumnNames) -> Found:
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
            labels = None if is_number(found[name]) else LabelColumn()
            column = np.empty(0 if labels is not None else file.metadata.num_rows)
            row = 0
            for batch in file.iter_batches(batch_size=1_000_000, columns=[name]):
                values = batch.column(0)
                if values.null_count:
                    first = row + values.is_null().to_pylist().index(True) + 1
                    raise FoldDataError(f"{path}, row {first}, column {name}: there is no value.")
                array = values.to_numpy(zero_copy_only=False)
                if labels is not None:
                    add_labels(path, name, labels, array, row)
                else:
                    column[row : row + len(array)] = numbers(path, name, array, row)
                row += len(array)
            column.flags.writeable = False
            columns[name] = column if labels is None else labels.column()
        features = names.features(header, found)
        hashes = []
        for batch in file.iter_batches(batch_size=ROWS, columns=list(features)) if features else ():
            hashes.append(combined((c.to_numpy(zero_copy_only=False) for c in batch.columns), batch.num_rows))
    except pyarrow.ArrowException as error:
        raise FoldDataError(f"{path} is no readable Parquet file: {error}.") from None
    read_in = {name: (found[name], values) for name, values in columns.items()}
    return with_hashes(read_in, whole(hashes) if features else None), without(header, features)


def add_labels(path: Path, name: str, labels: LabelColumn, values: NDArray[Any], before: int) -> None:
    """Append labels, after so many rows."""
    try:
        labels.add_array(values, name)
    except FoldDataError as error:
        raise FoldDataError(f"{path}: {error.numbered(before + 1)}") from None


def numbers(path: Path, name: str, values: NDArray[Any], before: int) -> NDArray[Any]:
    """A column as floats, after so many rows."""
    try:
        return values.astype(np.float64)
    except (TypeError, ValueError):
        place = next((i for i, v in enumerate(values) if not (np.isscalar(v) and parses(str(v)))), 0)
        what = repr(values[place])[:40]
        raise FoldDataError(f"{path}, row {before + place + 1}, column {name}: {what} is no number.") from None


def read_npz(path: Path, names: ColumnNames) -> Found:
    """The arrays of an NPZ file that are used, and the names of all."""
    try:
        with np.load(path, allow_pickle=False) as archive:
            header = list(archive.files)
            found = names.of(header)
            features = names.features(header, found)
            read_in = {name: (found[name], archive[name]) for name in found}
            hashes = npz_hashes(path, {name: archive[name] for name in features}) if features else None
            return with_hashes(read_in, hashes), without(header, features)
    except (ValueError, EOFError, AttributeError) as error:
        raise FoldDataError(f"{path} is no readable NPZ file, or holds pickled objects: {error}.") from None
    except Exception as error:
        if type(error).__name__ not in ("BadZipFile", "error"):
            raise
        raise FoldDataError(f"{path} is no readable NPZ file: {error}.") from None


def npz_hashes(path: Path, arrays: dict[str, NDArray[Any]]) -> NDArray[Any]:
    """The hashes of the rows of several arrays of features, each (n,) or (n, features)."""
    lengths = {len(a) if a.ndim else 0 for a in arrays.values()}
    if len(lengths) > 1:
        raise FoldDataError(f"{path}: the features {', '.join(arrays)} differ in length: one row a sample is needed.")
    each = [row_hashes(a, f"{path}: {name}") for name, a in arrays.items()]
    return each[0] if len(each) == 1 else combined(each, len(each[0]))


READERS: dict[str, Callable[[Path, ColumnNames], Found]] = {
    ".csv": read_csv,
    ".parquet": read_parquet,
    ".npz": read_npz,
}


def assemble(
    path: Path, columns: dict[str, Any], positive: Label | None, header: Sequence[str]
) -> FoldSet | FoldCounts:
    """Fold data of the columns of a file, which has others, too."""
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
    others = {n: columns[n] for n in ("repeat", "experiment", "sample_id", "weight", "row_hash") if n in columns}
    try:
        given, labels = with_labels(columns, positive)
        return FoldSet.from_arrays(columns["fold"], **given, **others, positive=positive, labels=labels)
    except FoldDataError as error:
        raise FoldDataError(f"{path}: {error.numbered(first_row(path))}") from None


def first_row(path: Path) -> int:
    """The number of the first sample's row: in a CSV file the header is the first."""
    return 2 if path.suffix.lower() == ".csv" else 1


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
            raise FoldDataError(f"{path}, row {bad[0] + first_row(path)}, column {name}: {values[bad[0]]} is no count.")
        cells[i, codes, 0] = values
    return FoldCounts(Counts(cells, "binary"), names)
