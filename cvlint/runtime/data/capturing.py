"""Capture fold data in a loop: ``with capture("folds.npz") as folds: … folds.add(y[test], y_pred=…)``."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from cvlint.runtime.data.arrays import array_of, check_positive
from cvlint.runtime.data.features import row_hashes
from cvlint.runtime.data.foldset import FoldSet
from cvlint.runtime.data.labels import Label
from cvlint.runtime.data.writing import WRITERS, write
from cvlint.runtime.errors import FoldDataError

Result = TypeVar("Result")


class Capture:
    """Collects the test part of each fold; `capture` makes it."""

    def __init__(self, path: str | Path | None = None, positive: Label | None = None) -> None:
        if path is not None and Path(path).suffix.lower() not in WRITERS:
            known = ", ".join(WRITERS)
            raise FoldDataError(f"{path} cannot be written: its name must end in one of {known}.")
        self.path = path
        self.positive = positive
        self.columns: dict[str, list[NDArray[Any]]] = {}
        self.next: dict[tuple[Any, Any], int] = {}

    def add(
        self,
        y_true: Any,
        y_pred: Any = None,
        y_score: Any = None,
        *,
        fold: Label | None = None,
        repeat: Label | None = None,
        experiment: Label | None = None,
        sample_id: Any = None,
        weight: Any = None,
        group: Any = None,
        X: Any = None,
    ) -> None:
        """Add the test part of one fold.

        Parameters
        ----------
        y_true, y_pred, y_score, sample_id, weight, group
            For each test sample, as for `FoldSet.from_arrays`; copied at once.
        X
            The features of each test sample, (n, features); only a hash of each row is kept, to find equal samples in
            different folds.
        fold, repeat, experiment
            Names; a fold without a name gets a number, from 0 in each repeat of each experiment.

        Raises
        ------
        FoldDataError
            When lengths differ, or the fold holds other columns than the ones before.
        """
        given = {"y_true": y_true, "y_pred": y_pred, "y_score": y_score, "sample_id": sample_id}
        given |= {"weight": weight, "group": group}
        arrays = {name: np.array(array_of(values, name)) for name, values in given.items() if values is not None}
        check_positive(arrays["y_true"], self.positive)  # at the first fold, not after the last
        if X is not None:
            arrays["row_hash"] = row_hashes(X)
        size = len(arrays["y_true"])
        number = self.next.get((experiment, repeat), 0)
        called = number if fold is None else fold
        for name, values in arrays.items():
            if len(values) != size:
                own = "X" if name == "row_hash" else name
                raise FoldDataError(f"fold {called}: {own} has {len(values)} rows and y_true has {size}.")
        for name, value in (("fold", called), ("repeat", repeat), ("experiment", experiment)):
            if value is not None:
                arrays[name] = np.full(size, value)
        if self.columns and arrays.keys() != self.columns.keys():
            had, has = (", ".join(sorted(keys)) for keys in (self.columns, arrays))
            raise FoldDataError(f"fold {called} is given {has}, and the folds before had {had}: give all the same.")
        for name, values in arrays.items():
            before = self.columns.setdefault(name, [])
            if before and (before[0].dtype.kind in "US") != (values.dtype.kind in "US"):
                raise FoldDataError(f"fold {called}: {name} mixes texts with numbers of the folds before.")
            before.append(values)
        self.next[experiment, repeat] = number + 1

    def folds(self) -> FoldSet:
        """The fold data that are captured so far.

        Raises
        ------
        FoldDataError
            When nothing is captured, or the folds do not fit together.
        """
        if not self.columns:
            raise FoldDataError("nothing was captured: call add() in each fold.")
        try:
            whole: dict[str, Any] = {name: np.concatenate(parts) for name, parts in self.columns.items()}
        except ValueError:
            raise FoldDataError("the folds' scores or indicators differ in their number of columns.") from None
        return FoldSet.from_arrays(**whole, positive=self.positive)

    def __enter__(self) -> Capture:
        """Start to capture."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Write the file; after an exception, with the folds until then, and the exception goes on."""
        if self.path is None or (kind is not None and not self.columns):
            return
        try:
            write(self.folds(), self.path)
        except FoldDataError as fault:
            if error is None:
                raise
            warnings.warn(f"cvlint: {fault}", stacklevel=2)

    def __call__(self, function: Callable[..., Result]) -> Callable[..., Result]:
        """Decorate a function: each call gets a capture of its own as the argument ``folds``."""

        @functools.wraps(function)
        def captured(*arguments: Any, **options: Any) -> Result:
            with Capture(self.path, self.positive) as folds:
                return function(*arguments, folds=folds, **options)

        return captured


def capture(path: str | Path | None = None, positive: Label | None = None) -> Capture:
    """Capture fold data in a ``with`` statement, or around a function that takes ``folds``.

    Parameters
    ----------
    path
        The CSV, Parquet or NPZ file to write at the end; None to keep the data in memory (see `Capture.folds`).
    positive
        The positive label of a binary task.

    Returns
    -------
    Capture
        Call its method `Capture.add` in each fold.

    Raises
    ------
    FoldDataError
        When the file's ending is unknown; at the end, when it cannot be written or the folds do not fit together.
    """
    return Capture(path, positive)
