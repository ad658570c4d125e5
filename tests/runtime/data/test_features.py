"""Equal samples in different test folds are found by their features, from a loop and from files of each kind."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_matrix

from cvlint.runtime import FoldDataError, FoldSet, capture, read, recompute
from cvlint.runtime.data.features import row_hashes

FEATURES = np.array([[1, 2.5], [3, 4], [1, 2.5], [7, 8], [1, 2.5], [3, 5], [7, 8], [0, 1]])
FOLDS = np.array([0, 0, 0, 0, 1, 1, 1, 1])
TRUE = np.array([0, 1, 0, 1, 0, 1, 0, 1])
SAYS = "5 samples have the same features as a sample in another test fold (2 different rows)"


def found_in(folds: FoldSet) -> str:
    (result,) = recompute(folds)
    return " ".join(a.message for a in result.anomalies if a.kind == "equal-samples")


def test_captured(tmp_path: Path) -> None:
    with capture(tmp_path / "folds.csv") as folds:
        for i in (0, 1):
            test = np.flatnonzero(np.equal(FOLDS, i))
            folds.add(TRUE[test], TRUE[test], X=FEATURES[test])
    assert found_in(folds.folds()).startswith(SAYS)
    stored = read(tmp_path / "folds.csv")
    assert isinstance(stored.data, FoldSet)
    assert found_in(stored.data).startswith(SAYS)
    assert stored.unused == ()


@pytest.mark.parametrize("kind", [".csv", ".parquet", ".npz"])
@pytest.mark.parametrize("names", [("x_a", "x_b"), ("height", "weights")])
def test_columns_of_features(tmp_path: Path, kind: str, names: tuple[str, str]) -> None:
    path = tmp_path / f"folds{kind}"
    columns = {"fold": FOLDS, "y_true": TRUE, "y_pred": TRUE, **dict(zip(names, FEATURES.T, strict=True))}
    match kind:
        case ".csv":
            pd.DataFrame(columns).to_csv(path, index=False)
        case ".parquet":
            pd.DataFrame(columns).to_parquet(path)
        case _:
            np.savez(path, **columns)
    chosen = () if names[0] == "x_a" else ("height", "weigh*")
    stored = read(path, features=chosen)
    assert isinstance(stored.data, FoldSet)
    assert stored.unused == ()
    assert found_in(stored.data).startswith(SAYS)
    with pytest.raises(FoldDataError, match="has no column 'age' for features: its columns are fold,"):
        read(path, features=("age",))


def test_an_array_of_features_in_npz(tmp_path: Path) -> None:
    np.savez(tmp_path / "folds.npz", fold=FOLDS, y_true=TRUE, y_pred=TRUE, X=FEATURES)
    stored = read(tmp_path / "folds.npz", features=("X",))
    assert isinstance(stored.data, FoldSet)
    assert found_in(stored.data).startswith(SAYS)
    np.savez(tmp_path / "short.npz", fold=FOLDS, y_true=TRUE, y_pred=TRUE, x_a=FEATURES[:3], x_b=TRUE)
    with pytest.raises(FoldDataError, match="the features x_a, x_b differ in length"):
        read(tmp_path / "short.npz")


VALUES = st.sampled_from([0.0, -0.0, 1.0, 2.0, 0.5, float("nan"), 2.0**60, 2.0**60 + 2**10])


@given(st.lists(st.tuples(VALUES, VALUES), min_size=1, max_size=12))
def test_hashes_are_equal_as_rows_are(rows: list[tuple[float, float]]) -> None:
    hashes = row_hashes(np.array(rows))
    for i, one in enumerate(rows):
        for j, other in enumerate(rows):
            same = all(a == b or (a != a and b != b) for a, b in zip(one, other, strict=True))
            assert (hashes[i] == hashes[j]) == same


def test_hashes_of_other_kinds() -> None:
    plain = row_hashes(FEATURES)
    np.testing.assert_array_equal(row_hashes(csr_matrix(FEATURES)), plain)
    np.testing.assert_array_equal(row_hashes(pd.DataFrame(FEATURES)), plain)
    assert len(set(row_hashes(["one text", "another", "one text"]).tolist())) == 2
    large = np.array([[2**53], [2**53 + 1]])
    assert len(set(row_hashes(large).tolist())) == 2
    assert row_hashes(FEATURES)[0] == row_hashes(FEATURES[:, ::-1][:, ::-1])[0] != row_hashes(FEATURES[:, ::-1])[0]
    with pytest.raises(FoldDataError, match="X has rows of different lengths"):
        row_hashes([[1, 2], [3]])
    with pytest.raises(FoldDataError, match="X holds no rows of"):
        row_hashes(3)


def test_many_rows_are_hashed_apart() -> None:
    grid = np.stack(np.divmod(np.arange(300_000), 1_000), axis=1)
    assert len(np.unique(row_hashes(grid))) == len(grid)


def test_equal_samples_in_one_fold_are_fine() -> None:
    folds = FoldSet.from_arrays([0, 0, 1, 1], [0, 1, 0, 1], [0, 1, 0, 1], row_hash=[1, 1, 2, 3])
    assert found_in(folds) == ""
    with pytest.raises(FoldDataError, match="row_hash holds something that is no hash"):
        FoldSet.from_arrays([0, 1], [0, 1], [0, 1], row_hash=[0.5, 1])
