"""Sets of folds come from any arrays of users; they are checked and read-only."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score, roc_auc_score
from sklearn.model_selection import StratifiedKFold, cross_validate
from sklearn.svm import LinearSVC

from cvlint.runtime import FoldDataError, FoldSet, f_aggregates, recompute
from cvlint.runtime.aggregates.fold_warnings import set_anomalies


@pytest.mark.parametrize(
    ("labels", "positive", "last"),
    [
        ([0, 1], None, 1),
        ([1, 2], None, 1),
        ([-1, 1], None, 1),
        ([False, True], None, True),
        (["no", "yes"], None, "yes"),
        (["positive", "unlabelled"], None, "positive"),
        (["benign", "malignant"], None, "malignant"),
        (["benign", "malignant"], "benign", "benign"),
        ([0, 1], "0", 0),
        ([0.0, 1.0], None, 1),
        (["a", "b", "c"], "b", "b"),
    ],
)
def test_the_positive_label(labels: list[Any], positive: Any, last: Any) -> None:
    folds = FoldSet.from_arrays([0] * len(labels), labels, labels, positive=positive)
    assert folds.kind == "binary"
    assert folds.classes[-1] == last
    assert folds.y_true.tolist() == [int(label == last) for label in labels]


@pytest.mark.parametrize("positive", [None, "a", "b"])
def test_two_columns_of_scores(positive: str | None) -> None:
    score = np.array([[0.9, 0.1], [0.2, 0.8], [0.6, 0.4]])
    folds = FoldSet.from_arrays([0, 0, 0], ["a", "b", "b"], y_score=score, positive=positive)
    assert folds.y_score is not None
    assert folds.y_score[:, 0].tolist() == score[:, 0 if positive == "a" else 1].tolist()


def test_small_integers_do_not_overflow() -> None:
    labels = np.array([-100, 100, -100, 100], dtype=np.int8)
    folds = FoldSet.from_arrays([0, 0, 1, 1], labels, labels)
    assert folds.classes == (-100, 100)
    assert folds.y_true.tolist() == [0, 1, 0, 1]


@pytest.mark.parametrize("average", ["micro", "macro", "weighted"])
def test_both_classes_of_a_binary_task_are_averaged(average: str) -> None:
    rng = np.random.default_rng(0)
    true, pred = rng.integers(0, 2, 90), rng.integers(0, 2, 90)
    (found,) = recompute(FoldSet.from_arrays(np.arange(90) % 3, true, pred), average=average)  # type: ignore[arg-type]
    each = [f1_score(true[i::3], pred[i::3], average=average) for i in range(3)]
    assert found.value("f_tpfp") == pytest.approx(f1_score(true, pred, average=average), abs=1e-12)
    assert [row.f for row in found.rows] == pytest.approx(each, abs=1e-12)
    with pytest.raises(FoldDataError, match="there are 3 classes, so that no average is binary"):
        recompute(FoldSet.from_arrays([0, 0, 0], [0, 1, 2], [0, 1, 2]), average="binary")


def test_one_label_only() -> None:
    for label, classes in ((1, (0, 1)), (0, (0, 1)), (True, (False, True))):
        folds = FoldSet.from_arrays([0, 0], [label, label], [label, label])
        assert (folds.kind, folds.classes) == ("binary", classes)
        counts = folds.counts()
        assert counts is not None
        assert counts.tp.sum() == (2 if label else 0)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"fold": [0], "y_true": [0, 1], "y_pred": [0, 1]}, "fold has 1 rows and y_true has 2"),
        ({"fold": [0, 0], "y_true": [0, 1], "y_pred": [0]}, "y_pred has 1 rows and y_true has 2"),
        ({"fold": [0, 0], "y_true": [0, 1], "y_pred": [[0, 1], [1, 0]]}, "y_pred has 2 columns"),
        ({"fold": [0, 0], "y_true": [0, np.nan], "y_pred": [0, 1]}, "y_true has a missing or infinite value in row 2"),
        ({"fold": [0, 0], "y_true": ["a", None], "y_pred": ["a", "b"]}, "y_true has no value in row 2"),
        ({"fold": [0, 0], "y_true": [0, 1], "y_score": ["x", "y"]}, "scores must be numbers"),
        ({"fold": [0, 0], "y_true": [0, 1], "y_score": [[1], [2, 3]]}, "y_score has rows of different lengths"),
        (
            {"fold": [0, 0], "y_true": [0, 1], "y_pred": [0, 1], "positive": "x"},
            "the positive label 'x' does not occur",
        ),
        ({"fold": [0, 0], "y_true": [[0, 1], [1, 2]], "y_pred": [[0, 1], [1, 1]]}, "than 0 and 1 in row 2"),
        ({"fold": 0, "y_true": [0, 1], "y_pred": [0, 1]}, "fold is a single value"),
        ({"fold": None, "y_true": [0, 1], "y_pred": [0, 1]}, "fold is not given"),
        ({"fold": [0], "y_true": [[[0]]], "y_pred": [0]}, "y_true has 3 axes"),
        ({"fold": [], "y_true": [], "y_pred": []}, "there are no samples"),
    ],
)
def test_what_is_wrong_is_said(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(FoldDataError) as error:
        FoldSet.from_arrays(**arguments)
    assert message in str(error.value)


def test_labels_that_are_predicted_only() -> None:
    """Among two true labels it is a slip; among more, and where scores or the user say so, it is not."""
    with pytest.raises(FoldDataError, match="y_pred is 'c' in row 2, and y_true is 'a' or 'b' everywhere"):
        FoldSet.from_arrays([0, 0, 0], ["a", "b", "a"], ["a", "c", "b"])
    assert FoldSet.from_arrays([0, 0, 0], ["a", "b", "a"], ["a", "c", "b"], positive="a").classes == ("not a", "a")
    scored = FoldSet.from_arrays([0, 0, 0], ["a", "b", "a"], ["a", "c", "b"], np.eye(3))
    assert scored.classes == ("a", "b", "c")
    several = FoldSet.from_arrays([0] * 4, ["a", "b", "c", "a"], ["a", "d", "c", "d"])
    assert [one.message for one in set_anomalies(several) if one.kind == "label-never-true"] == [
        "2 predictions are class d, which no sample has: a macro average counts that as a class."
    ]


def test_a_set_is_read_only_and_shares_no_memory() -> None:
    score = np.array([0.1, 0.9])
    folds = FoldSet.from_arrays([0, 0], [0, 1], [0, 1], score)
    score[0] = 0.5
    assert folds.y_score is not None
    assert folds.y_score[0, 0] == 0.1
    for values in (folds.fold, folds.y_true, folds.y_pred, folds.y_score):
        assert values is not None
        with pytest.raises(ValueError, match="read-only"):
            values[0] = 1


def test_frames_and_tensors() -> None:
    class Tensor:
        """What matters of a torch tensor on a device, with a gradient."""

        def __init__(self, values: list[float], ready: int = 0) -> None:
            self.values, self.ready = values, ready

        def detach(self) -> Tensor:
            return Tensor(self.values, self.ready + 1)

        def cpu(self) -> Tensor:
            return Tensor(self.values, self.ready + 1)

        def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
            assert self.ready == 2, "not detached, or not on the CPU"
            return np.array(self.values)

    frame = pd.DataFrame({"fold": ["a", "a", "b"], "label": pd.Categorical(["x", "y", "x"])}, index=[7, 8, 9])
    folds = FoldSet.from_arrays(frame["fold"], frame["label"], y_score=Tensor([0.1, 0.2, 0.3]))
    assert (folds.fold_names, folds.classes) == (("a", "b"), ("x", "y"))


@pytest.mark.parametrize(("labels", "positive"), [((0, 1), None), ((1, 2), None), ((0, 1), 0), (("a", "b"), "a")])
def test_a_decision_function_ranks_for_the_positive_label(labels: tuple[Any, Any], positive: Any) -> None:
    X, y = make_classification(300, weights=[0.8], random_state=0)
    y = np.array(labels)[y]
    result = cross_validate(LinearSVC(), X, y, cv=StratifiedKFold(5), return_estimator=True, return_indices=True)
    folds = FoldSet.from_cross_validate(result, X, y, positive=positive)
    (found,) = recompute(folds)
    parts = zip(result["estimator"], result["indices"]["test"], strict=True)
    auc = np.mean([roc_auc_score(y[test] == labels[1], model.decision_function(X[test])) for model, test in parts])
    assert found.value("auc_avg") == pytest.approx(auc, abs=1e-12)


@pytest.mark.parametrize("framed", [False, True])
def test_from_cross_validate(framed: bool) -> None:
    X, y = make_classification(300, weights=[0.8], random_state=0)
    data = pd.DataFrame(X, index=range(500, 800)) if framed else X
    splitter = StratifiedKFold(5)
    result = cross_validate(
        LogisticRegression(),
        data,
        y,
        cv=splitter,
        scoring=["f1", "roc_auc"],
        return_estimator=True,
        return_indices=True,
    )
    folds = FoldSet.from_cross_validate(result, data, y)
    (found,) = recompute(folds)
    assert found.value("f_avg") == pytest.approx(result["test_f1"].mean(), abs=1e-12)
    assert found.value("auc_avg") == pytest.approx(result["test_roc_auc"].mean(), abs=1e-12)
    assert not found.anomalies
    with pytest.raises(FoldDataError, match="return_estimator=True and return_indices=True"):
        FoldSet.from_cross_validate({"test_score": [1]}, data, y)


def test_repeats_and_experiments_are_kept_apart() -> None:
    rng = np.random.default_rng(0)
    true, pred = rng.random(80) < 0.4, rng.random(80) < 0.4
    repeat, experiment = np.arange(80) // 40, np.array(["a", "b"])[np.arange(80) % 2]
    found = recompute(FoldSet.from_arrays(np.arange(80) % 4, true, pred, repeat=repeat, experiment=experiment))
    assert [(r.experiment, r.repeat) for r in found] == [("a", 0), ("a", 1), ("b", 0), ("b", 1)]
    for result in found:
        rows = (experiment == result.experiment) & (repeat == result.repeat)
        assert result.value("f_tpfp") == pytest.approx(f1_score(true[rows], pred[rows]), abs=1e-12)
        assert [row.fold for row in result.rows] == ([0, 2] if result.experiment == "a" else [1, 3])


def test_samples_in_two_folds_are_reported() -> None:
    folds = FoldSet.from_arrays([0, 0, 1, 1, 1], [0, 1, 0, 1, 1], [0, 1, 0, 1, 1], sample_id=["p", "q", "p", "r", "r"])
    (found,) = recompute(folds)
    messages = {a.kind: a.message for a in found.anomalies}
    assert messages["sample-in-two-folds"].startswith("1 samples are in more than one test fold")
    assert messages["repeated-sample"].startswith("1 rows repeat")


def test_many_rows_are_counted_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    true, pred, score = rng.integers(0, 2, 100), rng.integers(0, 2, 100), rng.random(100)
    folds = FoldSet.from_arrays(np.arange(100) % 3, true, pred, score)
    whole = folds.counts()
    monkeypatch.setattr("cvlint.runtime.data.foldset.ROWS", 7)
    blocks = folds.counts()
    assert whole is not None and blocks is not None
    np.testing.assert_array_equal(whole.cells, blocks.cells)
    assert f_aggregates(whole).f_tpfp == pytest.approx(f1_score(true, pred), abs=1e-12)
    assert recompute(folds)[0].value("auc_merge") == pytest.approx(roc_auc_score(true, score), abs=1e-12)
