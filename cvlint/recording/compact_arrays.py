"""Copy labels and scores into small array types."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cvlint.runtime.data.arrays import array_of, frozen
from cvlint.runtime.errors import FoldDataError

MOST_VALUES = 100_000_000
"""The size limit of a sparse matrix: its dense copy takes eight bytes for each value."""


def compact(values: Any, name: str) -> NDArray[Any]:
    """Copy labels or scores into a read-only array: integers in the smallest type, objects as numbers or text.

    A sparse matrix becomes dense, and a single column becomes an array with one axis, as in scikit-learn.

    Parameters
    ----------
    values
        One value for each sample, or for each sample and class; anything that `array_of` accepts.
    name
        The name of the values in error messages.

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
    """Convert a sparse matrix to an array; anything else stays the same."""
    if not callable(getattr(values, "toarray", None)):
        return values
    if math.prod(values.shape) > MOST_VALUES:
        raise FoldDataError(f"{name} is a sparse matrix of the shape {values.shape}, which is too large to be kept.")
    return values.toarray()


def plain(array: NDArray[Any], name: str) -> NDArray[Any]:
    """Convert an array of objects to numbers or text."""
    kinds = {type(value) for value in array.ravel()}
    if str in kinds:
        return array.astype(str)
    found = np.array(array.tolist())
    if found.dtype.kind not in "biufU":
        raise TypeError(f"{name} holds values of the types {', '.join(sorted(kind.__name__ for kind in kinds))}")
    return found
