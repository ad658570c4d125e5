"""Copies of labels and scores in small types."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cvlint.runtime.data.arrays import array_of, frozen
from cvlint.runtime.errors import FoldDataError

MOST_VALUES = 100_000_000
"""Of a sparse matrix, which would take eight bytes each for a moment."""


def compact(values: Any, name: str) -> NDArray[Any]:
    """A copy of labels or scores that nobody can write to: integers in the smallest type, objects as they compare.

    A sparse matrix becomes a dense one, and a single column an array with one axis, as scikit-learn takes them.

    Parameters
    ----------
    values
        One value a sample, or one a sample and class; what `array_of` takes.
    name
        What they are called in an error.

    Raises
    ------
    FoldDataError
        For a single value, for rows of different lengths, for too large a sparse matrix, and for objects that are
        neither numbers nor text.
    """
    array = np.asarray(array_of(dense(values, name), name))
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if array.dtype.kind == "O":
        array = plain(array, name)
    if array.dtype.kind in "iu" and array.size:
        low, high = int(array.min()), int(array.max())
        array = array.astype(np.result_type(np.min_scalar_type(low), np.min_scalar_type(high)))
    return frozen(np.array(array, order="C"))


def dense(values: Any, name: str) -> Any:
    """A sparse matrix as an array; anything else as it is."""
    if not callable(getattr(values, "toarray", None)):
        return values
    if math.prod(values.shape) > MOST_VALUES:
        raise FoldDataError(f"{name} is a sparse matrix of the shape {values.shape}, which is too large to be kept.")
    return values.toarray()


def plain(array: NDArray[Any], name: str) -> NDArray[Any]:
    """An array of objects as numbers, or as text."""
    kinds = {type(value) for value in array.ravel()}
    if str in kinds:
        return array.astype(str)
    found = np.array(array.tolist())
    if found.dtype.kind not in "biufU":
        raise TypeError(f"{name} holds values of the types {', '.join(sorted(kind.__name__ for kind in kinds))}")
    return found
