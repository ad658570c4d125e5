"""The test folds in a cross-validation report of skore; skore itself is not imported."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from cvlint.runtime.errors import FoldDataError

TASKS = ("binary-classification", "multiclass-classification")
NEEDED = ("ml_task", "split_indices", "pos_label")
TOO_OLD = "skore 0.15 is the first that is known to have them"


def tested_parts(report: Any) -> dict[str, Any]:
    """The test parts of all folds, one after the other, as `cvlint.runtime.FoldSet.from_arrays` takes them.

    Parameters
    ----------
    report
        A ``skore.CrossValidationReport`` of a classifier. Its predictions come from its cache, or else from its fitted
        estimators.

    Returns
    -------
    dict
        ``fold`` (n,), from 0; ``y_true`` and ``y_pred`` (n,); ``y_score`` (n, classes), in the order of the sorted
        labels, or None where the estimators have no scores or those of the folds have different numbers of columns;
        ``sample_id`` (n,), the rows in the data; and ``positive``, the report's ``pos_label`` or None.

    Raises
    ------
    FoldDataError
        For another kind of report, for a regression, and for a version of skore that lacks what is needed.
    """
    folds = each_fold(report)
    tests = [np.asarray(test) for _, test in report.split_indices]
    scores = [scores_in(fold, report.pos_label) for fold in folds]
    known = [score for score in scores if score is not None]
    usable = len(known) == len(folds) and len({score.shape[1] for score in known}) == 1
    return {
        "fold": np.repeat(np.arange(len(tests)), [len(test) for test in tests]),
        "y_true": np.concatenate([np.asarray(fold.y_test) for fold in folds]),
        "y_pred": np.concatenate([np.asarray(fold.get_predictions(data_source="test")) for fold in folds]),
        "y_score": np.concatenate(known) if usable else None,
        "sample_id": np.concatenate(tests),
        "positive": report.pos_label,
    }


def each_fold(report: Any) -> list[Any]:
    """The reports of the folds' estimators, whose attribute had another name before skore 0.16."""
    kind = type(report).__name__
    folds = list(getattr(report, "reports_", None) or getattr(report, "estimator_reports_", None) or ())
    if kind != "CrossValidationReport":
        raise FoldDataError(
            f"a {kind} has no folds of one cross-validation: give a CrossValidationReport of skore, such as "
            "skore.evaluate(model, X, y, splitter=5) makes."
        )
    lacking = [name for name in NEEDED if not hasattr(report, name)]
    lacking += [] if folds else ["reports_"]
    lacking += [name for name in ("y_test", "get_predictions") if folds and not hasattr(folds[0], name)]
    if lacking:
        raise FoldDataError(f"this version's report lacks {', '.join(lacking)}: upgrade skore; {TOO_OLD}.")
    if report.ml_task not in TASKS:
        raise FoldDataError(
            f"the report is of the task {report.ml_task}: only one of a classifier with one label a sample can be read."
        )
    return folds


def scores_in(fold: Any, positive: Any) -> NDArray[Any] | None:
    """The scores of a fold's test part, (n, classes); None where its estimator has none."""
    model = fold.estimator_
    method = next((m for m in ("predict_proba", "decision_function") if hasattr(model, m)), None)
    if method is None:
        return None
    scores = np.asarray(fold.get_predictions(data_source="test", response_method=method))
    if scores.ndim == 2:
        return scores
    # skore keeps only the column of the positive label; without one it keeps that of the last label, as scikit-learn.
    last = positive is None or positive == model.classes_[-1]
    return np.stack((-scores, scores) if last else (scores, -scores), axis=1)
