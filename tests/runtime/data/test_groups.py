"""The column group: read, kept, checked, and drawn whole."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold, cross_validate

from cvlint.runtime import Bootstrap, FoldDataError, FoldSet, capture, read, recompute, write
from cvlint.runtime.intervals.bootstrap import Interval, shifted_interval
from cvlint.runtime.intervals.ranking_intervals import TOO_FEW, TOO_NARROW

ROWS = {"fold": [1, 1, 2, 2], "y_true": [0, 1, 0, 1], "y_pred": [0, 1, 1, 1]}


def names(folds: FoldSet) -> list[Any]:
    assert folds.group is not None
    return [folds.group[1][code] for code in folds.group[0]]


@pytest.mark.parametrize("ending", [".csv", ".npz", ".parquet"])
def test_groups_and_names_of_samples_are_kept_in_files(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"folds{ending}"
    write(FoldSet.from_arrays(**ROWS, group=["p2", "p1", "p3", "p2"], sample_id=["d", "c", "b", "a"]), path)
    found = read(path).data
    assert isinstance(found, FoldSet)
    assert names(found) == ["p2", "p1", "p3", "p2"]
    assert found.sample_names is not None and found.sample_id is not None
    assert found.sample_names[found.sample_id].tolist() == ["d", "c", "b", "a"]


def test_capture_keeps_groups(tmp_path: Path) -> None:
    with capture(tmp_path / "folds.csv") as folds:
        folds.add([0, 1], y_pred=[0, 1], group=["x", "y"])
        folds.add([0, 1], y_pred=[0, 1], group=["z", "z"])
    found = read(tmp_path / "folds.csv").data
    assert isinstance(found, FoldSet)
    assert names(found) == ["x", "y", "z", "z"]


def test_a_fold_without_groups_is_refused() -> None:
    with capture() as folds:
        folds.add([0, 1], y_pred=[0, 1], group=["x", "y"])
        with pytest.raises(FoldDataError, match="group"):
            folds.add([0, 1], y_pred=[0, 1])


def test_cross_validate_takes_groups() -> None:
    rng = np.random.default_rng(0)
    X, y, groups = rng.normal(size=(60, 2)), np.arange(60) % 2, np.repeat(np.arange(12), 5)
    kwargs: dict[str, Any] = {"return_estimator": True, "return_indices": True, "cv": GroupKFold(3), "groups": groups}
    result = cross_validate(LogisticRegression(), X, y, **kwargs)
    folds = FoldSet.from_cross_validate(result, X, y, groups=groups)
    assert names(folds) == groups[np.concatenate(result["indices"]["test"])].tolist()
    assert not [a for a in recompute(folds)[0].anomalies if a.kind == "group-in-two-folds"]


@pytest.mark.parametrize(
    ("group", "row"),
    [([1.0, np.nan, 2.0, 3.0], 2), (["a", "b", "", "c"], 3), (["a", "b", "c", None], 4)],
)
def test_a_group_that_is_missing_for_some_rows(group: list[Any], row: int) -> None:
    with pytest.raises(FoldDataError, match=rf"group has .* in row {row}: every sample needs"):
        FoldSet.from_arrays(**ROWS, group=np.array(group, dtype=object) if None in group else np.array(group))


@pytest.mark.parametrize("missing", ["", "nan"])
def test_a_group_that_is_missing_in_a_file(tmp_path: Path, missing: str) -> None:
    path = tmp_path / "folds.csv"
    path.write_text(f"fold,y_true,y_pred,group\n1,0,0,7\n1,1,1,8\n2,0,0,{missing}\n2,1,1,9\n")
    with pytest.raises(FoldDataError, match=r"folds\.csv.* row 4"):
        read(path)


def test_a_group_in_two_folds_is_a_warning() -> None:
    found = recompute(FoldSet.from_arrays(**ROWS, group=["a", "b", "a", "c"]))[0]
    (warning,) = [a for a in found.anomalies if a.kind == "group-in-two-folds"]
    assert warning.message.startswith("1 of 3 groups are in more than one test fold (a)")


def test_a_group_in_every_repetition_is_no_fault() -> None:
    twice = {name: values * 2 for name, values in ROWS.items()}
    folds = FoldSet.from_arrays(**twice, repeat=[1] * 4 + [2] * 4, group=["a", "a", "b", "b"] * 2)
    assert not [a for one in recompute(folds) for a in one.anomalies if a.kind == "group-in-two-folds"]


@pytest.fixture(scope="module")
def copies() -> tuple[FoldSet, FoldSet, FoldSet]:
    """Samples once, each four times, and each four times in a group of its own."""
    rng = np.random.default_rng(1)
    n = 400
    y = (np.arange(n) % 4 == 0).astype(int)
    fold = rng.permutation(n) % 4
    pred = np.where(rng.random(n) < 0.7, y, 1 - y)
    score = np.round(rng.normal(size=n) + y, 1)
    four = [np.repeat(values, 4) for values in (fold, y, pred, score)]
    plain = FoldSet.from_arrays(*four)
    return FoldSet.from_arrays(fold, y, pred, score), plain, FoldSet.from_arrays(*four, group=np.repeat(range(n), 4))


def test_copies_in_groups_do_not_narrow_intervals(copies: tuple[FoldSet, FoldSet, FoldSet]) -> None:
    once, plain, grouped = (
        {a.name: a.interval for a in recompute(folds, bootstrap=Bootstrap(2_000, class_sizes="random"))[0].aggregates}
        for folds in copies
    )
    for key in ("f_tpfp", "f_avg", "auc_avg", "auc_merge", "ap_merge"):
        widths = []
        for found in (once, plain, grouped):
            interval = found[key]
            assert interval is not None, key
            widths.append(interval.high - interval.low)
        assert widths[1] == pytest.approx(widths[0] / 2, rel=0.2), key
        assert widths[2] == pytest.approx(widths[0], rel=0.15), key


def test_too_few_groups_give_a_reason() -> None:
    folds = FoldSet.from_arrays([1] * 10 + [2] * 10, [0, 1] * 10, [0, 1, 1, 1] * 5, group=np.arange(20) // 2)
    few = FoldSet.from_arrays([1] * 10 + [2] * 10, [0, 1] * 10, [0, 1, 1, 1] * 5, group=np.arange(20) // 5)
    many = {a.name: a for a in recompute(folds, bootstrap=Bootstrap(200))[0].aggregates}
    assert many["f_tpfp"].interval is not None and many["f_avg"].interval is not None
    found = {a.name: a for a in recompute(few, bootstrap=Bootstrap(200))[0].aggregates}
    assert found["f_tpfp"].why["interval"] == "there are fewer than 5 groups to be drawn"
    assert found["f_avg"].why["interval"].startswith("a fold holds fewer than 5 groups")


def test_precision_at_k_in_groups_needs_samples_of_both_classes() -> None:
    rng = np.random.default_rng(0)
    true = np.arange(400) % 4 == 0
    folds = FoldSet.from_arrays(
        np.arange(400) // 80, true, y_score=rng.normal(size=400) + 4 * true, group=np.arange(400) // 4
    )
    (found,) = recompute(folds, k=8, bootstrap=Bootstrap(50))
    for key in ("p_at_k_avg", "p_at_k_merge"):
        one = next(a for a in found.aggregates if a.name == key)
        assert one.interval is None and one.why["interval"] in (TOO_FEW, TOO_NARROW)
    (found,) = recompute(folds, k=40, bootstrap=Bootstrap(50))  # 20 positives and 60 negatives are in each fold
    assert next(a for a in found.aggregates if a.name == "p_at_k_avg").interval is None  # all positives are hits
    worse = FoldSet.from_arrays(
        np.arange(400) // 80, true, y_score=rng.normal(size=400) + true, group=np.arange(400) // 4
    )
    (found,) = recompute(worse, k=20, bootstrap=Bootstrap(50))
    assert next(a for a in found.aggregates if a.name == "p_at_k_avg").interval is not None


def test_the_spread_of_few_groups_is_that_of_one_less() -> None:
    values = np.array([0.4, 0.5, 0.6])
    plain, wide = (shifted_interval(0.3, values, 0.95, scale=scale) for scale in (1.0, 1.5))
    assert isinstance(plain, Interval) and isinstance(wide, Interval)
    assert wide.high - 0.3 == pytest.approx(1.5 * (plain.high - 0.3))
