"""Encode labels and fold names as small whole numbers."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cvlint.runtime.errors import FoldDataError

Codes: TypeAlias = NDArray[np.integer[Any]]
Label: TypeAlias = bool | int | float | str

SINGLE = (str, bytes, int, float, np.generic, Decimal, date)  # bool is an int
POSITIVE = (1, True, "1", "1.0", "true", "True", "TRUE", "yes", "Yes", "pos", "positive", "Positive", "+")


@dataclass(frozen=True, eq=False, slots=True)
class Coded:
    """An encoded column of labels: row i is ``labels[codes[i]]``, and the labels are in order of appearance."""

    codes: Codes
    labels: tuple[Label, ...]

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of an array with one axis."""
        return self.codes.shape

    @property
    def ndim(self) -> int:
        """A column has one axis."""
        return 1

    def __len__(self) -> int:
        """The number of rows."""
        return len(self.codes)

    def reshape(self, rows: int) -> Coded:
        """Itself, because a column has one axis."""
        return self


def encode(values: NDArray[Any] | Coded, name: str) -> tuple[Codes, tuple[Label, ...]]:
    """Encode labels: codes from 0 in the smallest type that holds them, and the sorted labels.

    Parameters
    ----------
    values
        Labels of shape (n,): numbers, booleans, strings, or an encoded column.
    name
        Their name in error messages.

    Returns
    -------
    codes, labels
        ``labels[codes[i]] == values[i]``; whole floats become integers.

    Raises
    ------
    FoldDataError
        For a missing label (NaN, None), and for a value that is not a number, text, truth value or date.
    """
    if isinstance(values, Coded):
        (codes,), labels = joined((values.codes, values.labels))
        return codes, labels
    values = plain(values, name)
    if values.dtype.kind == "f":
        bad = np.flatnonzero(~np.isfinite(values))
        if len(bad):
            says = "has a missing or infinite value in row {row}: every sample needs one."
            raise FoldDataError(f"{name} {says}", int(bad[0]))
        whole = values.astype(np.int64)
        values = whole if np.array_equal(whole, values) else values
    if values.dtype.kind == "O":
        missing = next((i for i, v in enumerate(values) if v is None or v != v), None)
        if missing is not None:
            raise FoldDataError(f"{name} has no value in row {{row}}: every sample needs one.", missing)
        kinds = {type(v) for v in values}
        numbers = len(kinds) == 1 and issubclass(kinds.pop(), (int, float, np.number, np.bool_))
        values = np.array(values.tolist()) if numbers else values.astype(str)
    if values.dtype.kind in "iu" and len(values):
        low, high = int(values.min()), int(values.max())
        if high - low < max(1_000, len(values) // 4):  # a table instead of a sort
            return from_small_integers(values, low, high)
    found, codes = np.unique(values, return_inverse=True)
    return smallest(codes.reshape(-1), len(found)), tuple(found.tolist())


def plain(values: NDArray[Any], name: str) -> NDArray[Any]:
    """Labels as an array that can be encoded: dates and bytes become texts."""
    match values.dtype.kind:
        case "M" if not np.isnat(values).any():
            return values.astype(str)
        case "M":
            row = int(np.flatnonzero(np.isnat(values))[0])
            raise FoldDataError(f"{name} has no value in row {{row}}: every sample needs one.", row)
        case "S":
            return np.char.decode(values, "utf-8", "replace")
        case "O":
            odd = next((i for i, v in enumerate(values) if not isinstance(v, SINGLE) and v is not None), None)
            if odd is not None:
                what = type(values[odd]).__name__
                raise FoldDataError(f"{name} holds a {what} in row {{row}}: a label is a number or a text.", odd)
        case "c" | "V" | "m":
            raise FoldDataError(f"{name} holds values of the type {values.dtype}: a label is a number or a text.")
    return values


def from_small_integers(values: NDArray[Any], low: int, high: int) -> tuple[Codes, tuple[Label, ...]]:
    """Encode integers between ``low`` and ``high`` by a table."""
    offsets = np.subtract(values, low, dtype=np.int64) if values.dtype.kind == "i" else values - low  # int8 overflows
    table = np.zeros(high - low + 1, dtype=np.bool_)
    table[offsets] = True
    present = np.flatnonzero(table)
    code_of = np.zeros(len(table), dtype=np.min_scalar_type(len(present)))
    code_of[present] = np.arange(len(present))
    return code_of[offsets], tuple(int(v) + low for v in present)


def smallest(codes: NDArray[Any], count: int) -> Codes:
    """Codes in the smallest unsigned type for ``count`` labels."""
    return codes.astype(np.min_scalar_type(max(count - 1, 0)), copy=False)


def joined(*labelled: tuple[Codes, tuple[Label, ...]]) -> tuple[list[Codes], tuple[Label, ...]]:
    """Encode several encoded arrays anew, with the same labels."""
    every = {label for _, labels in labelled for label in labels}
    if len({isinstance(label, str) for label in every}) > 1:
        every = {str(label) for label in every}
        labelled = tuple((codes, tuple(str(v) for v in labels)) for codes, labels in labelled)
    labels = tuple(sorted(every))
    place = {label: i for i, label in enumerate(labels)}
    tables = [np.array([place[v] for v in own], dtype=np.min_scalar_type(len(labels))) for _, own in labelled]
    return [table[codes] for table, (codes, _) in zip(tables, labelled, strict=True)], labels


def other_label(label: Label) -> tuple[Label, ...]:
    """The other label of a binary task, in which only this one occurs."""
    if isinstance(label, bool):
        return (not label,)
    if label in (0, 1):
        return (1 - int(label),)
    return (f"not {label}",)


def spelling(label: Label) -> Label:
    """A label in a form that compares spellings: 1, 1.0, True, "1.0" and "True" give the same."""
    text = str(label)
    try:
        number = float({"True": 1, "False": 0}.get(text, text))
    except ValueError:
        return text
    return number if math.isfinite(number) else text


def positive_of(labels: tuple[Label, ...], chosen: Label | None) -> Label:
    """The positive one of two labels: the chosen one, else 1, True, "yes" or similar, else the later one.

    Raises
    ------
    FoldDataError
        When the chosen label does not occur.
    """
    if chosen is not None:
        for label in labels:
            if label == chosen or str(label) == str(chosen):
                return label
        shown = ", ".join(map(repr, labels))
        raise FoldDataError(f"the positive label {chosen!r} does not occur: the labels are {shown}.")
    return next((label for label in labels if label in POSITIVE), labels[-1])
