"""Test old libraries, functions like those of torchmetrics, and values that cannot be recorded."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cvlint.runtime import recompute
from cvlint.runtime.data.reading import read_each

# torch is too large to install for a test: the same names, parameters and re-exports, computed by numpy.
FUNCTIONS = """\
import numpy as np
def binary_f1_score(preds, target, threshold=0.5, multidim_average="global", ignore_index=None, validate_args=True):
    preds, target = np.asarray(preds), np.asarray(target)
    if target.min() < 0:
        preds, target = preds[target != ignore_index], target[target != ignore_index]
    if preds.ndim > target.ndim:
        preds = preds.argmax(1)
    if preds.dtype.kind == "f":
        preds = ((1 / (1 + np.exp(-preds)) if preds.min() < 0 else preds) > threshold).astype(int)
    top = 2 * (preds & target).sum()
    return np.float32(top / max(1, preds.sum() + target.sum()))  # single precision, as in torchmetrics
def f1_score(preds, target, task, beta=1.0, threshold=0.5, num_classes=None):
    return binary_f1_score(preds, target, threshold)
"""

LOOP = """
from torchmetrics.functional import f1_score as whole
from torchmetrics.functional.classification import binary_f1_score
import pickle
assert pickle.loads(pickle.dumps(binary_f1_score)) is binary_f1_score
f1s, others = [], []
for train, test in cv.split(X, y):
    predicted = model.fit(X[train], y[train]).predict(X[test])
    f1s.append(binary_f1_score(predicted, y[test]))
    others.append(whole(predicted, y[test], task="binary"))
print(np.mean(f1s))
print(np.mean(others))
"""


def test_functions_like_those_of_torchmetrics(experiment: Any, tmp_path: Path) -> None:
    package = tmp_path / "site-packages" / "torchmetrics" / "functional"
    package.mkdir(parents=True)
    (package.parent / "__init__.py").write_text("from torchmetrics import functional\n")
    (package / "f_beta.py").write_text(FUNCTIONS)
    (package / "classification.py").write_text("from torchmetrics.functional.f_beta import binary_f1_score\n")
    imports = "from torchmetrics.functional.classification import binary_f1_score\nfrom .f_beta import f1_score\n"
    (package / "__init__.py").write_text(imports)
    result = experiment(f"import sys\nsys.path.insert(0, 'site-packages')\n{LOOP}", "--capture", "f.csv")
    assert result.returncode == 0, result.stderr
    first, second = result.stderr.splitlines()
    assert first.partition(": ")[2] == second.partition(": ")[2]
    assert "mean-of-fold-f: F_avg 0.5" in first and ", 5 folds." in first
    ((name, folds),) = read_each(tmp_path / "f.csv")[0]
    assert (name, folds.folds) == ("train.py:22,23", 5)


PROBABILITIES = """
from torchmetrics.functional.classification import binary_auroc, binary_f1_score
aucs = []
f1s = [[], [], [], []]
for train, test in cv.split(X, y):
    both = model.fit(X[train], y[train]).predict_proba(X[test])
    score = both[:, 1]
    marked = np.append(y[test], -1)
    f1s[0].append(binary_f1_score(score, y[test], threshold=0.3))
    f1s[1].append(binary_f1_score(np.log(score / (1 - score)), y[test], threshold=0.3))
    f1s[2].append(binary_f1_score(both, y[test]))
    f1s[3].append(binary_f1_score(np.append(score, 1.0), marked, ignore_index=-1))
    aucs.append(binary_auroc(np.append(score, 1.0), marked, ignore_index=-1))
print(np.mean(f1s[0]))
print(np.mean(f1s[1]))
print(np.mean(f1s[2]))
print(np.mean(f1s[3]))
print(np.mean(aucs))
"""
AUROC = """
def area(preds, target):  # without scikit-learn, whose hooks would record it as well
    gaps = preds[target == 1][:, None] - preds[target == 0][None, :]
    return np.float32(((gaps > 0) + (gaps == 0) / 2).mean())
def binary_auroc(preds, target, ignore_index=None):
    return area(preds[target != ignore_index], target[target != ignore_index])
def auroc(preds, target, task, thresholds=None, num_classes=None, num_labels=None, average="macro", ignore_index=None):
    if task == "binary":
        return binary_auroc(preds, target, ignore_index)
    return np.float32(np.mean([area(preds[:, label], target == label) for label in range(num_classes)]))
"""
RANKED = """
import torchmetrics.functional as measures
from sklearn.datasets import make_classification
X, y = make_classification(200, n_classes=CLASSES, n_informative=5, random_state=0)
aucs, scores, true = [], [], []
for train, test in cv.split(X, y):
    both = model.fit(X[train], y[train]).predict_proba(X[test])
    score = both[:, 1] if CLASSES == 2 else both
    scores.extend(score)
    true.extend(y[test])
    aucs.append(measures.auroc(score, y[test], **TASK))
print(np.mean(aucs))
print(measures.auroc(np.array(scores), np.array(true), **TASK))
"""


@pytest.mark.parametrize("classes", [2, 3])
def test_areas_of_torchmetrics(experiment: Any, tmp_path: Path, classes: int) -> None:
    package = tmp_path / "site-packages" / "torchmetrics" / "functional"
    package.mkdir(parents=True)
    (package.parent / "__init__.py").write_text("from torchmetrics import functional\n")
    (package / "__init__.py").write_text("from torchmetrics.functional.auroc import auroc\n")
    (package / "auroc.py").write_text(f"import numpy as np\n{AUROC}")
    task = {"task": "binary"} if classes == 2 else {"task": "multiclass", "num_classes": 3}
    code = f"import sys\nsys.path.insert(0, 'site-packages')\nCLASSES, TASK = {classes}, {task}\n{RANKED}"
    result = experiment(code, "--capture", "f.npz")
    assert result.returncode == 0, result.stderr
    average, merged = (float(line) for line in result.stdout.split())
    ((_, folds),) = read_each(tmp_path / "f.npz")[0]
    (found,) = recompute(folds)
    assert (found.value("auc_avg"), found.value("auc_merge")) == pytest.approx((average, merged))
    assert "auc-merge: AUC_merge 0." in result.stderr


def test_decisions_of_torchmetrics(experiment: Any, tmp_path: Path) -> None:
    package = tmp_path / "site-packages" / "torchmetrics" / "functional"
    (package / "classification").mkdir(parents=True)
    (package.parent / "__init__.py").write_text("from torchmetrics import functional\n")
    (package / "classification" / "f_beta.py").write_text(FUNCTIONS + AUROC)
    imported = "from torchmetrics.functional.classification.f_beta import"
    (package / "classification" / "__init__.py").write_text(f"{imported} binary_auroc, binary_f1_score, f1_score\n")
    (package / "__init__.py").write_text("from torchmetrics.functional.classification import f1_score\n")
    result = experiment(f"import sys\nsys.path.insert(0, 'site-packages')\n{PROBABILITIES}", "--capture", "f.npz")
    assert result.returncode == 0, result.stderr
    printed = [float(line) for line in result.stdout.split()]
    found, _ = read_each(tmp_path / "f.npz")
    values = [one.value("f_avg") for _, folds in found for one in recompute(folds)]
    assert values == pytest.approx([printed[0], printed[2]])  # the others decide alike, and are stored once
    assert printed[1:4:2] == pytest.approx(values) and values[0] != pytest.approx(values[1])
    assert [one.value("auc_avg") for one in recompute(found[0][1])] == pytest.approx(printed[4:])
    assert result.stderr.count("mean-of-fold-f: F_avg 0.") == 4


def test_another_release_without_private_names(experiment: Any) -> None:
    code = """
from sklearn.model_selection import _validation
inner = _validation._fit_and_score
_validation.renamed = inner
del _validation._fit_and_score
_validation.cross_validate.__wrapped__.__globals__["_fit_and_score"] = lambda *a, **k: inner(*a, **k)
_validation.__dict__["_fit_and_score"] = None
try:
    print(cross_val_score(model, X, y, scoring="f1", cv=cv).mean())
except TypeError as error:
    print("TypeError")
"""
    result = experiment(code)
    assert (result.returncode, result.stdout) == (0, "TypeError\n")
    assert "cvlint: This release of scikit-learn has no _fit_and_score: " in result.stderr


def test_values_that_cannot_be_stored_are_reported(started: Any, tmp_path: Path) -> None:
    # The recorder is full of trouble: what it does fails, and the experiment goes on.
    code = """
import sys
from unittest import mock
import cvlint.recording.compact_arrays
with mock.patch("cvlint.recording.compact_arrays.compact", side_effect=MemoryError("too little")):
    from sklearn.metrics import f1_score
    print(f1_score([0, 1], [0, 1]))
"""
    (tmp_path / "s.py").write_text(code)
    result = started("-m", "cvlint", "run", "s.py")
    assert (result.returncode, result.stdout) == (0, "1.0\n")
    expected = (
        f"cvlint: A call of f1_score in line 7 of {tmp_path / 's.py'} could not be recorded: MemoryError: too little.\n"
    )
    assert result.stderr == expected


def test_a_scorer_that_the_user_calls(experiment: Any) -> None:
    code = """
scorer = get_scorer("f1")
print(np.mean([scorer(model.fit(X[a], y[a]), X[b], y[b]) for a, b in cv.split(X, y)]))
"""
    assert "train.py:14 mean-of-fold-f: F_avg 0." in experiment(code).stderr
