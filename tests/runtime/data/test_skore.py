"""``FoldSet.from_skore`` against ``from_cross_validate`` of the same splits, with reports of the real skore."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from cvlint.runtime import FoldDataError, FoldSet, recompute

skore = pytest.importorskip("skore", reason="skore is not installed: install cvlint[test-tracking]")
datasets = pytest.importorskip("sklearn.datasets")
from sklearn.base import BaseEstimator, ClassifierMixin  # noqa: E402
from sklearn.dummy import DummyClassifier  # noqa: E402
from sklearn.linear_model import LinearRegression, LogisticRegression  # noqa: E402
from sklearn.model_selection import KFold, StratifiedKFold, cross_validate  # noqa: E402
from sklearn.svm import LinearSVC  # noqa: E402

ARRAYS = ("fold", "y_true", "y_pred", "y_score", "sample_id")


class Nearest(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier without scores."""

    def fit(self, X: Any, y: Any) -> Nearest:
        self.classes_ = np.unique(y)
        self.centres_ = np.stack([X[y == label].mean(axis=0) for label in self.classes_])
        return self

    def predict(self, X: Any) -> Any:
        return self.classes_[((X[:, None] - self.centres_) ** 2).sum(axis=2).argmin(axis=1)]


def data(labels: list[Any]) -> tuple[Any, Any]:
    X, codes = datasets.make_classification(
        n_samples=90, n_informative=4, n_classes=len(labels), class_sep=0.7, random_state=3
    )
    return X, np.array(labels)[codes]


def same(left: FoldSet, right: FoldSet) -> None:
    assert (left.classes, left.kind, left.fold_names) == (right.classes, right.kind, right.fold_names)
    for name in ARRAYS:
        ours, others = getattr(left, name), getattr(right, name)
        assert (ours is None) == (others is None), name
        if ours is not None:
            np.testing.assert_allclose(ours, others, rtol=1e-12, err_msg=name)  # arrays and frames differ in memory


@pytest.mark.parametrize("model", [LogisticRegression(), LinearSVC(), Nearest()], ids=["proba", "decision", "hard"])
@pytest.mark.parametrize("labels", [[0, 1], ["ham", "spam"], ["a", "b", "c"]], ids=["numbers", "texts", "three"])
def test_a_skore_report_gives_the_same_as_cross_validate(model: Any, labels: list[Any]) -> None:
    X, y = data(labels)
    cv = StratifiedKFold(4, shuffle=True, random_state=0)
    found = FoldSet.from_skore(skore.CrossValidationReport(model, X, y, splitter=cv))
    result = cross_validate(model, X, y, cv=cv, return_estimator=True, return_indices=True)
    same(found, FoldSet.from_cross_validate(result, X, y))
    assert (found.y_score is None) == isinstance(model, Nearest)


@pytest.mark.parametrize("positive", ["ham", "spam"])
def test_the_positive_label_is_that_of_the_report(positive: str) -> None:
    X, y = data(["ham", "spam"])
    found = FoldSet.from_skore(skore.CrossValidationReport(LogisticRegression(), X, y, pos_label=positive, splitter=3))
    result = cross_validate(LogisticRegression(), X, y, cv=3, return_estimator=True, return_indices=True)
    same(found, FoldSet.from_cross_validate(result, X, y, positive=positive))


@pytest.mark.parametrize("labels", [[1, 2], [0, 1], ["no", "yes"]])
@pytest.mark.parametrize("which", [None, 0, 1])
@pytest.mark.parametrize("model", [LogisticRegression(), LinearSVC()], ids=["proba", "decision"])
def test_scores_rank_the_positive_label_first(model: Any, labels: list[Any], which: int | None) -> None:
    X, y = data(labels)
    positive = None if which is None else labels[which]
    report = skore.CrossValidationReport(model, X, y, pos_label=positive, splitter=3)
    (found,) = recompute(FoldSet.from_skore(report))
    assert found.value("auc_avg") > 0.6  # towards the other label it would be below 0.4


def test_predictions_are_those_of_skore_and_in_its_order() -> None:
    X, y = data([0, 1])
    report = skore.CrossValidationReport(LogisticRegression(), X, y, splitter=KFold(3, shuffle=True, random_state=1))
    found = FoldSet.from_skore(report)
    assert found.y_pred is not None and found.sample_id is not None
    np.testing.assert_array_equal(found.y_pred, np.concatenate(report.get_predictions(data_source="test")))
    np.testing.assert_array_equal(y[found.sample_id], found.y_true)


def test_data_frames_are_read() -> None:
    pandas = pytest.importorskip("pandas")
    X, y = data(["ham", "spam"])
    frame, series = pandas.DataFrame(X), pandas.Series(y, index=range(1000, 1090))
    arrays, frames = (
        FoldSet.from_skore(skore.CrossValidationReport(LogisticRegression(), *given, splitter=3))
        for given in ((X, y), (frame, series))
    )
    same(arrays, frames)


def test_regressions_are_refused() -> None:
    X, _ = data([0, 1])
    report = skore.CrossValidationReport(LinearRegression(), X, X[:, 0], splitter=3)
    with pytest.raises(FoldDataError, match=r"the task regression: only one of a classifier"):
        FoldSet.from_skore(report)


def test_reports_without_folds_are_refused() -> None:
    X, y = data([0, 1])
    report = skore.CrossValidationReport(DummyClassifier(), X, y, splitter=3)
    with pytest.raises(FoldDataError, match=r"an? EstimatorReport has no folds"):
        FoldSet.from_skore((getattr(report, "reports_", None) or report.estimator_reports_)[0])


def test_versions_without_what_is_needed_are_refused() -> None:
    class CrossValidationReport:
        ml_task = "binary-classification"
        split_indices = ()
        reports_ = (SimpleNamespace(y_test=[0, 1]),)

    with pytest.raises(FoldDataError, match=r"lacks pos_label, get_predictions: upgrade skore"):
        FoldSet.from_skore(CrossValidationReport())
