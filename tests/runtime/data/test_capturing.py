"""Folds are captured in loops, written at the end and after a failure, and checked as they come."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from cvlint.runtime import FoldDataError, FoldSet, capture, read, recompute
from cvlint.runtime.data.capturing import Capture


def test_a_loop(tmp_path: Path) -> None:
    with capture(tmp_path / "folds.csv") as folds:
        for i in range(3):
            folds.add(pd.Series([0, 1, 1]), y_pred=[0, 1, i % 2], y_score=np.array([0.1, 0.9, 0.4]) + i)
    stored = read(tmp_path / "folds.csv").data
    assert isinstance(stored, FoldSet)
    (found,) = recompute(stored)
    assert [row.fold for row in found.rows] == [0, 1, 2]
    assert (found.value("f_tpfp"), found.value("auc_avg")) == (pytest.approx(2 * 4 / (2 * 4 + 0 + 2)), 1)


def test_what_is_added_is_copied() -> None:
    true = np.array([0, 1])
    with capture() as folds:
        folds.add(true, y_pred=[1, 1])
        true[:] = 0
        assert folds.folds().y_true.tolist() == [0, 1]


def test_a_decorator_starts_anew_with_each_call(tmp_path: Path) -> None:
    @capture(tmp_path / "folds.npz")
    def experiment(size: int, folds: Capture) -> int:
        """Doc."""
        for _ in range(size):
            folds.add([0, 1], y_pred=[0, 1])
        return size

    assert experiment.__doc__ == "Doc."
    for size in (3, 2):
        assert experiment(size) == size
        stored = read(tmp_path / "folds.npz").data
        assert isinstance(stored, FoldSet)
        assert stored.folds == size


def test_folds_are_numbered_in_each_repeat() -> None:
    folds = capture()
    for repeat in range(2):
        for _ in range(3):
            folds.add([0, 1], y_pred=[0, 1], repeat=repeat, experiment="svm")
    assert [(r.experiment, r.repeat, [f.fold for f in r.rows]) for r in recompute(folds.folds())] == [
        ("svm", 0, [0, 1, 2]),
        ("svm", 1, [0, 1, 2]),
    ]


def test_after_a_failure_what_was_captured_is_written(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="no more memory"), capture(tmp_path / "folds.csv") as folds:
        folds.add([0, 1], y_pred=[0, 1])
        raise RuntimeError("no more memory")
    stored = read(tmp_path / "folds.csv").data
    assert isinstance(stored, FoldSet)
    assert len(stored) == 2


def test_a_failure_is_not_hidden_by_another(tmp_path: Path) -> None:
    with (
        pytest.warns(UserWarning, match="cannot be written"),
        pytest.raises(RuntimeError, match="first"),
        capture(tmp_path / "no" / "folds.csv") as folds,
    ):
        folds.add([0, 1], y_pred=[0, 1])
        raise RuntimeError("first")
    with pytest.raises(FoldDataError, match="cannot be written"), capture(tmp_path / "no" / "folds.csv") as folds:
        folds.add([0, 1], y_pred=[0, 1])


@pytest.mark.parametrize(
    ("second", "says"),
    [
        ({"y_true": [0, 1], "y_pred": [0]}, "fold 1: y_pred has 1 rows and y_true has 2"),
        ({"y_true": [0, 1]}, "fold 1 is given fold, y_true, and the folds before had fold, y_pred, y_true"),
        ({"y_true": ["no", "yes"], "y_pred": [0, 1]}, "fold 1: y_true mixes texts with numbers"),
        ({"y_true": [0, 1], "y_pred": [0, 1], "fold": "b"}, "fold b: fold mixes texts with numbers"),
        ({"y_true": 1, "y_pred": [0, 1]}, "y_true is a single value"),
    ],
)
def test_what_is_wrong_is_said_at_once(second: dict[str, Any], says: str) -> None:
    folds = capture()
    folds.add([0, 1], y_pred=[0, 1])
    with pytest.raises(FoldDataError, match=says):
        folds.add(**second)


def test_nothing_captured_and_unknown_endings(tmp_path: Path) -> None:
    with pytest.raises(FoldDataError, match=r"call add\(\) in each fold"), capture(tmp_path / "folds.csv"):
        pass
    with pytest.raises(FoldDataError, match="must end in one of"):
        capture("folds.pkl")


class Half:
    """Scores as torch has them in bfloat16: no array of their own."""

    dtype = "torch.bfloat16"

    def __init__(self, values: Any) -> None:
        self.values = values

    def __array__(self, *_: Any) -> Any:
        raise TypeError("Got unsupported ScalarType BFloat16")

    def float(self) -> Any:
        return np.asarray(self.values, dtype=np.float32)


def test_scores_of_half_precision() -> None:
    folds = capture()
    folds.add([0, 1, 0], y_score=Half([0.25, 0.5, 0.125]))
    assert folds.folds().y_score is not None
    assert np.asarray(folds.folds().y_score).ravel().tolist() == [0.25, 0.5, 0.125]


def test_values_that_are_no_array_are_refused() -> None:
    broken = Half([0.5])
    broken.dtype = "other"
    with pytest.raises(FoldDataError, match="y_score makes no array: Got unsupported"):
        capture().add([1], y_score=broken)


def test_a_positive_label_of_indicators_is_refused_at_once() -> None:
    with pytest.raises(FoldDataError, match="the positive label 1 is one of single labels"):
        capture(positive=1).add([[0, 1], [1, 1]], [[0, 1], [1, 0]])
