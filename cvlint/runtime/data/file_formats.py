"""The columns of CSV, Parquet and NPZ files, read in blocks, with the hashes of their features."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cvlint.runtime.data.columns import EMPTY, ColumnNames, LabelColumn, NumberColumn, is_number
from cvlint.runtime.data.csv_text import PlainColumn, column_blocks, header_of
from cvlint.runtime.data.features import row_hashes, row_hashes_of_columns, text_hashes
from cvlint.runtime.errors import FoldDataError

ROWS = 20_000  # of features: read at a time

Column: TypeAlias = LabelColumn | NumberColumn
ReadColumns: TypeAlias = tuple[dict[str, tuple[str, Any]], Sequence[str]]


def read_csv(path: Path, names: ColumnNames) -> ReadColumns:
    """The used columns of a CSV file, and the names of all its columns."""
    with open(path, newline="", encoding="utf-8-sig") as file:
        try:
            header = header_of(path, file)
            found = names.of(header)
            features = names.features(header, found)
            columns: dict[str, Column] = {n: NumberColumn() if is_number(found[n]) else LabelColumn() for n in found}
            optional = [name for name, ours in found.items() if ours == "y_pred" or is_number(ours)]
            optional = optional if "experiment" in found.values() else []
            hashes: list[NDArray[Any]] = []
            places = {name: place for place, name in reversed(list(enumerate(header)))}  # of equal names the first
            line = 2
            for texts in column_blocks(path, file, len(header)):
                add_texts(path, texts, line, places, columns, optional)
                if features:
                    hashes.append(text_hashes([texts[places[name]] for name in features]))
                line += len(texts[0])
        except UnicodeDecodeError as error:
            raise FoldDataError(f"{path} is no UTF-8 text: {error.reason}.") from None
    read_in = {name: (found[name], column.column()) for name, column in columns.items()}
    return with_hashes(read_in, joined_hashes(hashes) if features else None), without_features(header, features)


def with_hashes(columns: dict[str, tuple[str, Any]], hashes: NDArray[Any] | None) -> dict[str, tuple[str, Any]]:
    """The columns of a file together with the hashes of its features, if it has any."""
    return columns if hashes is None else {**columns, "hashes of features": ("row_hash", hashes)}


def without_features(header: Sequence[str], features: Sequence[str]) -> list[str]:
    """The names of the columns that are not features."""
    others = set(features)
    return [name for name in header if name not in others]


def joined_hashes(hashes: list[NDArray[Any]]) -> NDArray[Any]:
    """The hashes of all blocks together."""
    return np.concatenate(hashes or [np.zeros(0, dtype=np.int64)])


def add_texts(
    path: Path,
    texts: Sequence[Sequence[str]],
    line: int,
    places: Mapping[str, int],
    columns: dict[str, Column],
    optional: Sequence[str],
) -> None:
    """Append the texts of each column, the first of which are in row ``line`` of the file.

    ``places`` tells which column of the file has a name. ``optional`` columns may be empty or NaN, because one of
    several experiments may lack them (see `check_absent`).
    """
    for name, column in columns.items():
        values = texts[places[name]]
        if isinstance(column, LabelColumn):
            if EMPTY in values and name not in optional:
                raise FoldDataError(f"{path}, row {line + values.index(EMPTY)}, column {name}: there is no value.")
            column.add_strings(values)
            continue
        if name in optional and EMPTY in values:
            values = tuple(value or "nan" for value in values)
        try:
            if isinstance(values, PlainColumn):
                found = values.numbers()
            else:
                found = np.fromiter(map(float, values), np.float64, len(values))
        except ValueError:
            place = next(i for i, v in enumerate(values) if not is_number_text(v))
            raise FoldDataError(f"{path}, row {line + place}, column {name}: {values[place]!r} is no number.") from None
        bad = np.isinf(found) if name in optional else ~np.isfinite(found)
        if bad.any():
            place = int(np.flatnonzero(bad)[0])
            says = "is NaN or infinite: a finite number is needed"
            raise FoldDataError(f"{path}, row {line + place}, column {name}: {values[place]!r} {says}.")
        column.append(found)


def is_number_text(text: str) -> bool:
    """Whether a text is a number."""
    try:
        float(text)
    except ValueError:
        return False
    return True


def read_parquet(path: Path, names: ColumnNames) -> ReadColumns:
    """The used columns of a Parquet file, and the names of all its columns."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise FoldDataError(
            f"{path} is a Parquet file, and pyarrow is not installed: install cvlint[parquet]."
        ) from None
    try:
        file = pyarrow.parquet.ParquetFile(path, pre_buffer=False)  # a buffer would hold the whole column a second time
        header = file.schema_arrow.names
        found = names.of(header)
        columns: dict[str, Any] = {}
        for name in found:  # one column at a time, so that each is compact before the next is read
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
            hashes.append(
                row_hashes_of_columns((c.to_numpy(zero_copy_only=False) for c in batch.columns), batch.num_rows)
            )
    except pyarrow.ArrowException as error:
        raise FoldDataError(f"{path} is no readable Parquet file: {error}.") from None
    read_in = {name: (found[name], values) for name, values in columns.items()}
    return with_hashes(read_in, joined_hashes(hashes) if features else None), without_features(header, features)


def add_labels(path: Path, name: str, labels: LabelColumn, values: NDArray[Any], before: int) -> None:
    """Append labels; ``before`` is the number of rows before them."""
    try:
        labels.add_array(values, name)
    except FoldDataError as error:
        raise FoldDataError(f"{path}: {error.numbered(before + 1)}") from None


def numbers(path: Path, name: str, values: NDArray[Any], before: int) -> NDArray[Any]:
    """A column as floats; ``before`` is the number of rows before it."""
    try:
        return values.astype(np.float64)
    except (TypeError, ValueError):
        place = next((i for i, v in enumerate(values) if not (np.isscalar(v) and is_number_text(str(v)))), 0)
        what = repr(values[place])[:40]
        raise FoldDataError(f"{path}, row {before + place + 1}, column {name}: {what} is no number.") from None


def read_npz(path: Path, names: ColumnNames) -> ReadColumns:
    """The used arrays of an NPZ file, and the names of all its arrays."""
    try:
        with np.load(path, allow_pickle=False) as archive:
            header = list(archive.files)
            found = names.of(header)
            features = names.features(header, found)
            read_in = {name: (found[name], archive[name]) for name in found}
            hashes = npz_hashes(path, {name: archive[name] for name in features}) if features else None
            return with_hashes(read_in, hashes), without_features(header, features)
    except (OverflowError, MemoryError):  # their texts are about the insides of Python
        reason = "says that it is too large to be read: the file is damaged, or was not written by numpy.savez"
        raise FoldDataError(f"{path}: an array of it {reason}.") from None
    except (ValueError, EOFError, AttributeError) as error:
        reason = ", which could run code: save arrays without objects" if "pickle" in str(error) else f": {error}"
        raise FoldDataError(f"{path} is no readable NPZ file, or holds pickled objects{reason}.") from None
    except Exception as error:
        if type(error).__name__ not in ("BadZipFile", "error"):
            raise
        raise FoldDataError(f"{path} is no readable NPZ file: {error}.") from None


def npz_hashes(path: Path, arrays: dict[str, NDArray[Any]]) -> NDArray[Any]:
    """The hash of each row of several arrays of features, each (n,) or (n, features)."""
    lengths = {len(a) if a.ndim else 0 for a in arrays.values()}
    if len(lengths) > 1:
        raise FoldDataError(f"{path}: the features {', '.join(arrays)} differ in length: one row a sample is needed.")
    each = [row_hashes(a, f"{path}: {name}") for name, a in arrays.items()]
    return each[0] if len(each) == 1 else row_hashes_of_columns(each, len(each[0]))


READERS: dict[str, Callable[[Path, ColumnNames], ReadColumns]] = {
    ".csv": read_csv,
    ".parquet": read_parquet,
    ".npz": read_npz,
}
