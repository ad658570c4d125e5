"""Test multilabel experiments: their measured values, and their columns in a file."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse
from sklearn.metrics import f1_score

from cvlint.recording import compact_arrays as compact
from cvlint.recording.call_sites import CallSite
from cvlint.recording.captures import read_experiments, write_experiments
from cvlint.recording.experiments import Experiment, Measurement, RecordedFold, experiments_of
from cvlint.recording.measured_findings import NotMeasured, recomputed
from cvlint.recording.records import CurrentFold, MeasureOptions, RecordedCall, RecordedSplit
from cvlint.runtime import FoldSet, recompute
from cvlint.runtime.data.reading import read_each
from cvlint.runtime.errors import FoldDataError

SCRIPT = """
import json
import scipy.sparse
from sklearn.datasets import make_multilabel_classification
from sklearn.multiclass import OneVsRestClassifier
X, Y = make_multilabel_classification(n_samples=160, n_classes=11, n_labels=3, random_state=0)
cv, model = KFold(4, shuffle=True, random_state=0), OneVsRestClassifier(LogisticRegression())
options = dict(average="macro", zero_division=0)
macro, some, one, sparse, micro, several, true, pred, score = [], [], [], [], [], [], [], [], []
for train, test in cv.split(X):
    p = model.fit(X[train], Y[train]).predict(X[test])
    macro.append(f1_score(Y[test], p, **options))
    some.append(f1_score(Y[test], p, labels=[10, 2], **options))
    one.append(f1_score(Y[test], p, labels=[10], **options))
    sparse.append(f1_score(scipy.sparse.csr_matrix(Y[test]), scipy.sparse.csr_matrix(p), average="weighted"))
    micro.append(f1_score(Y[test], p, average="micro"))
    several.append([f1_score(Y[test], p, average=a) for a in ("macro", "weighted")])
    true.extend(Y[test])
    pred.extend(p)
    score.extend(model.decision_function(X[test]))
print(np.mean(macro))  # macro
print(np.mean(some))  # some
print(np.mean(one))  # one
print(np.mean(sparse))  # sparse
print(np.mean(micro))
print(np.mean(several, axis=0))  # several
print(roc_auc_score(true, score))  # merged
scored = cross_val_score(model, X, Y, cv=cv, scoring="f1_macro")
print(np.mean(scored))  # scored
true, pred = np.array(true), np.array(pred)
whole = f1_score(true, pred, **options)
weighted = f1_score(true, pred, average="weighted")
json.dump({
    "macro": [[np.mean(macro), whole]],
    "some": [[np.mean(some), f1_score(true, pred, labels=[10, 2], **options)]],
    "one": [[np.mean(one), f1_score(true[:, 10], pred[:, 10])]],
    "sparse": [[np.mean(sparse), weighted]],
    "several": [[np.mean(several, axis=0)[0], whole], [np.mean(several, axis=0)[1], weighted]],
    "scored": [[np.mean(scored), whole]],
    "micro": [[np.mean(micro), f1_score(true, pred, average="micro")]],
}, open("truth.json", "w"))
"""


def test_the_numbers_are_those_of_the_experiment(experiment: Any, tmp_path: Path) -> None:
    result = experiment(SCRIPT, "--capture", "folds.csv", "--select", "CVL101,CVL201")
    assert result.returncode == 0, result.stderr
    truth = json.loads((tmp_path / "truth.json").read_text())
    lines = (tmp_path / "train.py").read_text().splitlines()
    for name in truth.keys() - {"micro"}:  # whether the rule minds it is no matter of recording
        line = next(i for i, text in enumerate(lines, 1) if text.endswith(f"# {name}"))
        found = re.findall(rf"^train.py:{line} [-\w]+: \S+ ([\d.]+); \S+ is ([\d.]+) \(", result.stderr, re.MULTILINE)
        assert found == [(f"{value:.3f}", f"{right:.3f}") for value, right in truth[name]], name
    assert "auc-merge: AUC_merge 0." in result.stderr
    assert all("95 % CI of F_tp,fp" in line for line in result.stderr.splitlines() if "mean-of-fold-f" in line)
    kept = [folds for folds in sets_in(tmp_path / "folds.csv") if folds.kind == "multilabel"]
    assert {(folds.classes, folds.folds) for folds in kept} == {(tuple(range(11)), 4)}
    (micro,) = recompute(kept[0], average="micro")
    assert (micro.value("f_avg"), micro.value("f_tpfp")) == pytest.approx(truth["micro"][0])


def sets_in(path: Path) -> list[FoldSet]:
    """The experiments of a file."""
    return [folds for _, folds in read_each(path)[0] if isinstance(folds, FoldSet)]


NAMED = """
import pandas as pd
from sklearn.datasets import make_multilabel_classification
from sklearn.multiclass import OneVsRestClassifier
X, Y = make_multilabel_classification(n_samples=160, n_classes=3, random_state=0)
frame = pd.DataFrame(Y, columns=["cat", "dog", "big, bird"])
cv, model = KFold(4, shuffle=True, random_state=0), OneVsRestClassifier(LogisticRegression())
for train, test in cv.split(X):
    p = model.fit(X[train], Y[train]).predict(X[test])
    f1_score(frame.iloc[test], p, average="macro")
for train, test in cv.split(X):
    p = model.fit(X[train], Y[train]).predict(X[test])
    classification_report(Y[test], p, target_names=["a", "b", "c"], zero_division=0)
cross_val_score(model, X, frame, cv=cv, scoring="f1_micro")
"""


@pytest.mark.parametrize("ending", ["csv", "npz"])
def test_the_names_of_labels_are_kept(experiment: Any, tmp_path: Path, ending: str) -> None:
    result = experiment(NAMED, "--capture", f"folds.{ending}")
    assert result.returncode == 0, result.stderr
    kept = sets_in(tmp_path / f"folds.{ending}")
    assert [folds.classes for folds in kept if folds.kind == "multilabel"] == [
        ("cat", "dog", "big, bird"), ("a", "b", "c"), ("cat", "dog", "big, bird")
    ]  # fmt: skip
    assert len({folds.y_true.sum() for folds in kept}) == 1  # all from the same table


def one_experiment(line: int, parts: list[RecordedFold]) -> Experiment:
    use = Measurement(
        CallSite("/project/train.py", None, line, line), "f1_score", "f-measure", MeasureOptions("macro"), (), False
    )
    return Experiment((use,), tuple(parts))


def parts_of(rng: np.random.Generator, classes: int, labels: int, scored: bool) -> list[RecordedFold]:
    """Three folds: single labels for ``labels`` 0, or else indicators."""
    found = []
    for fold in range(3):
        shape = (20, labels) if labels else (20,)
        y_true, y_pred = (rng.integers(0, 2 if labels else classes, shape) for _ in "ab")
        y_true[:classes] = y_true[:classes] if labels else np.arange(classes)
        score = rng.random((20, labels or classes)) if scored else None
        found.append(RecordedFold(fold, y_true, y_pred, score))
    return found


@pytest.mark.parametrize("ending", ["csv", "npz", "parquet"])
def test_several_kinds_in_one_file(tmp_path: Path, ending: str) -> None:
    rng = np.random.default_rng(0)
    kinds = [(2, 0, False), (3, 0, True), (2, 3, False), (2, 12, True)]
    written = [one_experiment(i, parts_of(rng, *kind)) for i, kind in enumerate(kinds, 1)]
    path = tmp_path / f"folds.{ending}"
    assert write_experiments(written, path, "/project") == []
    read = sets_in(path)
    again = read_experiments(path, "/project")
    assert [folds.kind for folds in read] == ["binary", "multiclass", "multilabel", "multilabel"]
    for one, folds, back in zip(written, read, again, strict=True):
        for name in ("y_true", "y_pred", "y_score"):
            values = [getattr(part, name) for part in one.folds]
            if values[0] is None:
                assert getattr(folds, name) is None and getattr(back.folds[0], name) is None
                continue
            assert np.array_equal(getattr(folds, name), np.concatenate(values)), name
            for part, value in zip(back.folds, values, strict=True):
                assert np.array_equal(getattr(part, name), value), name


def test_scores_of_a_label_that_is_only_predicted(tmp_path: Path) -> None:
    y_true, y_pred = np.array(["a", "b", "a", "b"]), np.array(["a", "c", "a", "b"])
    score = np.arange(12.0).reshape(4, 3)
    path = tmp_path / "folds.csv"
    write_experiments([one_experiment(1, [RecordedFold(i, y_true, y_pred, score) for i in range(2)])], path, "/project")
    (folds,) = sets_in(path)
    assert folds.classes == ("a", "b", "c") and folds.y_score is not None
    assert np.array_equal(folds.y_score, np.concatenate([score, score]))


ONES = np.ones((4, 2), dtype=int)


@pytest.mark.parametrize(
    ("parts", "says"),
    [
        ([RecordedFold(0, np.zeros(4), np.ones((4, 2)))], "its predictions are no labels: they have columns"),
        ([RecordedFold(0, ONES, 0.3 * ONES)], "its labels have columns that hold other values than 0 and 1"),
        (
            [RecordedFold(0, ONES, ONES), RecordedFold(1, np.ones((4, 3)), np.ones((4, 3)))],
            "its folds have different numbers of labels",
        ),
        ([RecordedFold(0, ONES, y_score=np.ones((4, 3)))], "its scores are for other labels than those that occur"),
        ([RecordedFold(0, ONES)], "neither predicted labels nor scores were recorded"),
    ],
)
def test_why_nothing_is_written(tmp_path: Path, parts: list[RecordedFold], says: str) -> None:
    path = tmp_path / "folds.csv"
    with pytest.raises(FoldDataError) as caught:
        write_experiments([one_experiment(7, parts)], path, "/project")
    assert str(caught.value) == (
        f"train.py:7 (average=macro) is not in {path}: {caught.value.args[0].partition(': ')[2].partition('. ')[0]}. "
        f"{path} is not written: no fold data were recorded."
    )
    assert says in str(caught.value) and not path.exists()


def test_folds_of_different_numbers_of_labels_are_not_measured() -> None:
    one = one_experiment(1, [RecordedFold(0, ONES, ONES), RecordedFold(1, np.ones((4, 3)), np.ones((4, 3)))])
    with pytest.raises(NotMeasured, match="Not measured: the folds have different numbers of labels or scores"):
        recomputed(one, one.measurements[0])


ORDERS = {"fold after fold": lambda rows: np.arange(len(rows)), "as in the data": np.argsort}


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("measured", [True, False])
def test_pooled_scores_of_a_splitter_without_labels(order: str, measured: bool) -> None:
    """The rows of each fold follow from the calls in the folds; without these calls they stay unknown."""
    rng = np.random.default_rng(0)
    rows = rng.permutation(40)
    tests, y, score = np.split(rows, 4), rng.integers(0, 2, 40), rng.random(40)
    split = RecordedSplit(CallSite("train.py", None, 1, 1), None, tests, [30] * 4)

    def called(line: int, taken: Any, mark: CurrentFold | None) -> RecordedCall:
        site = CallSite("train.py", None, line, line)
        return RecordedCall(
            site, "", "", "roc-auc", y[taken], None, score[taken], None, MeasureOptions(), None, mark, 1
        )

    calls = [called(2, test, CurrentFold(split, i)) for i, test in enumerate(tests)] if measured else []
    calls.append(called(3, rows[ORDERS[order](rows)], None))
    *_, last = experiments_of(calls, [split])
    found = [part.y_score for part in last.folds]
    if measured:
        assert [part.tolist() for part in found if part is not None] == [score[test].tolist() for test in tests]
    else:
        assert len(found) == 1


def test_sparse_indicators_are_kept_as_dense_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    dense, pred = (rng.random((40, 5)) < 0.3 for _ in "ab")
    kept = compact.compact(scipy.sparse.csr_matrix(dense), "y_true")
    assert f1_score(kept, pred, average="micro") == f1_score(dense, pred, average="micro")
    assert compact.compact(dense[:, :1], "y_true").shape == (40,)
    monkeypatch.setattr(compact, "MOST_VALUES", 199)
    with pytest.raises(FoldDataError, match=r"y_true is a sparse matrix of the shape \(40, 5\), which is too large"):
        compact.compact(scipy.sparse.csr_matrix(dense), "y_true")
