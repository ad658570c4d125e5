"""A hash of each row of features, which is enough to find equal samples; the features themselves are not kept."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from hashlib import blake2b
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cvlint.runtime.data.arrays import array_of
from cvlint.runtime.errors import FoldDataError

BITS = 53  # of a hash: a float holds it, so that every file format does
PREFIX = "x_*"  # columns that are features when the user names none
ROWS = 100_000  # hashed at a time: bounds the memory

Hashes: TypeAlias = NDArray[np.int64]


def row_hashes(rows: Any, name: str = "X") -> Hashes:
    """A hash of each row of features, (n,), from 0 up.

    Parameters
    ----------
    rows
        Features, (n,) or (n, features): an array of numbers or texts, a sparse matrix, or a frame.
    name
        Their name in error messages.

    Returns
    -------
    ndarray
        Equal rows have equal hashes, in every run; different rows almost never do (in 1 of 10^4 sets of a million).

    Raises
    ------
    FoldDataError
        When there are no rows of values.
    """
    if callable(getattr(rows, "tocsr", None)):
        rows = rows.tocsr()
    parts = [hashed(rows[start : start + ROWS], name) for start in range(0, row_count(rows, name), ROWS)]
    return np.concatenate([np.zeros(0, dtype=np.int64), *parts])


def row_count(rows: Any, name: str) -> int:
    """The number of rows."""
    shape = getattr(rows, "shape", None)
    if shape is None:
        try:
            return len(rows)
        except TypeError:
            raise FoldDataError(f"{name} holds no rows of features: one row a sample is needed.") from None
    return int(shape[0]) if len(shape) else 0


def hashed(rows: Any, name: str) -> Hashes:
    """The hashes of a block of rows."""
    if callable(getattr(rows, "toarray", None)):
        rows = rows.toarray()
    values = np.asarray(array_of(rows, name))
    return row_hashes_of_columns(values.reshape(len(values), -1).T, len(values))


def row_hashes_of_columns(columns: Iterable[NDArray[Any]], rows: int) -> Hashes:
    """The hashes of rows, from their columns."""
    found = np.zeros(rows, dtype=np.uint64)
    for column in columns:
        found = mixed(found ^ bits_of(column))
    return np.asarray(found >> np.uint64(64 - BITS)).astype(np.int64)


def bits_of(column: NDArray[Any]) -> NDArray[np.uint64]:
    """64 bits for each value; equal numbers have equal bits."""
    if column.dtype.kind in "biuf" and column.dtype.itemsize <= 8:
        numbers = column.astype(np.float64) + 0.0  # -0.0 becomes 0.0
        numbers[np.isnan(numbers)] = np.nan  # one NaN for all
        bits = numbers.view(np.uint64)
        if column.dtype.kind in "iu":  # integers that a float does not hold exactly
            bits = np.where(np.abs(numbers) >= 2.0**BITS, column.astype(np.uint64), bits)
        return bits
    values, codes = np.unique(column.astype(str), return_inverse=True)
    digests = [int.from_bytes(blake2b(v.encode(), digest_size=8).digest(), "big") for v in values.tolist()]
    return np.array(digests, dtype=np.uint64)[codes.reshape(-1)]


def mixed(values: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Spread every bit over all bits (SplitMix64, Steele et al. 2014)."""
    values = values + np.uint64(0x9E3779B97F4A7C15)
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(values ^ (values >> np.uint64(31)))


def text_hashes(columns: Iterable[Sequence[str]]) -> Hashes:
    """The hashes of rows of text, from their columns; equal only for the same texts, and only in this run."""
    mask = (1 << BITS) - 1
    return np.array([hash(row) & mask for row in zip(*columns, strict=True)], dtype=np.int64)


def feature_columns(header: Sequence[str], patterns: Sequence[str], path: object) -> tuple[str, ...]:
    """The columns that hold features: those that the user names (a name may end in ``*``), else those with ``x_``.

    Raises
    ------
    FoldDataError
        When a named column does not exist.
    """
    for pattern in patterns:
        if not any(fnmatchcase(name, pattern) for name in header):
            shown = f"{', '.join(header[:20])}{' …' if len(header) > 20 else ''}"
            raise FoldDataError(f"{path} has no column {pattern!r} for features: its columns are {shown}.")
    return tuple(name for name in header if any(fnmatchcase(name, p) for p in patterns or (PREFIX,)))
