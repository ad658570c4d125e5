"""Copies of labels and scores in small types."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from cvlint.runtime.arrays import array_of, frozen


def compact(values: Any, name: str) -> NDArray[Any]:
    """A copy of labels or scores that nobody can write to: integers in the smallest type, objects as they compare.

    Parameters
    ----------
    values
        One value a sample, or one a sample and class; what `array_of` takes.
    name
        What they are called in an error.

    Raises
    ------
    FoldDataError
        For a single value, for rows of different lengths, and for objects that are neither numbers nor text.
    """
    array = np.asarray(array_of(values, name))
    if array.dtype.kind == "O":
        array = plain(array, name)
    if array.dtype.kind in "iu" and array.size:
        low, high = int(array.min()), int(array.max())
        array = array.astype(np.result_type(np.min_scalar_type(low), np.min_scalar_type(high)))
    return frozen(np.array(array, order="C"))


def plain(array: NDArray[Any], name: str) -> NDArray[Any]:
    """An array of objects as numbers, or as text."""
    kinds = {type(value) for value in array.ravel()}
    if str in kinds:
        return array.astype(str)
    found = np.array(array.tolist())
    if found.dtype.kind not in "biufU":
        raise TypeError(f"{name} holds values of the types {', '.join(sorted(kind.__name__ for kind in kinds))}")
    return found
