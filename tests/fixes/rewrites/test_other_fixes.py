"""Stratified splitters, guards of divisions, and scores instead of labels."""

from __future__ import annotations

import pytest

from tests.fixes.conftest import Fix, fixed

SPLIT = """import numpy as np
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import KFold

kf = KFold(n_splits=5, shuffle=True)
for train, test in kf.split(X):
    model.fit(X[train], labels[train])
    print(roc_auc_score(labels[test], model.predict_proba(X[test])[:, 1]))
"""


def test_stratified_folds_get_the_labels(fix: Fix) -> None:
    after = SPLIT.replace("KFold", "StratifiedKFold").replace("split(X)", "split(X, labels)")
    assert fix(SPLIT.replace("import numpy as np\n", "labels = load()\n")) == after.replace(
        "import numpy as np\n", "labels = load()\n"
    )


def test_labels_that_are_bound_later_are_not_used(fix: Fix) -> None:
    text = SPLIT + "labels = load()\n"
    assert fix(text) == text


def test_no_fix_for_two_kinds_of_labels(fix: Fix) -> None:
    text = "labels = other = load()\n" + SPLIT + "    print(roc_auc_score(other[test], labels[test]))\n"
    assert fix(text) == text


def test_no_fix_for_a_splitter_with_another_use(fix: Fix) -> None:
    text = "labels = load()\n" + SPLIT + "evaluate(kf)\n"
    assert fix(text) == text


COUNTS = """from sklearn.metrics import confusion_matrix
tn, fp, fn, tp = confusion_matrix(y_test, y_pred).ravel()
"""
FORMULA = """p = tp / (tp + fp)
r = tp / (tp + fn)
f1 = 2 * p * r / (p + r)
"""


def test_counts_instead_of_precision_and_recall(fix: Fix) -> None:
    assert fix(COUNTS + FORMULA) == f"{COUNTS}f1 = 2 * tp / (2 * tp + fp + fn)\n"


def test_precision_and_recall_that_are_shown_are_guarded(fix: Fix) -> None:
    assert fix(f"{COUNTS}{FORMULA}print(p, r, f1)\n") == (
        f"{COUNTS}p = tp / (tp + fp) if tp + fp else 0.0\n"
        "r = tp / (tp + fn) if tp + fn else 0.0\n"
        "f1 = 2 * tp / (2 * tp + fp + fn)\nprint(p, r, f1)\n"
    )


def test_formula_of_scores(fix: Fix) -> None:
    head = "from sklearn.metrics import precision_score, recall_score\n"
    text = head + "p = precision_score(y, z)\nr = recall_score(y, z)\nprint(100 * (2 * p * r / (p + r)))\n"
    assert fix(text).endswith("print(100 * (2 * p * r / (p + r) if p + r else 0.0))\n")


def test_no_guard_for_arrays(fix: Fix) -> None:
    text = """from sklearn.metrics import precision_score, recall_score
p = precision_score(y, z, average=None)
r = recall_score(y, z, average=None)
f1 = 2 * p * r / (p + r)
"""
    assert fix(text) == text
    helper = "def f1(precision, recall):\n    return 2 * precision * recall / (precision + recall)\n"
    assert fix(helper) == helper


PYTHON = """tp = len(found & wanted)
fp = len(found - wanted)
fn = len(wanted - found)
"""


def test_a_guard_of_pythons_numbers_is_safe(fix: Fix) -> None:
    assert fix(PYTHON + FORMULA + "print(f1)\n", unsafe=False) == (
        f"{PYTHON}p = tp / (tp + fp) if tp + fp else 0.0\nr = tp / (tp + fn) if tp + fn else 0.0\n"
        "f1 = 2 * p * r / (p + r) if p + r else 0.0\nprint(f1)\n"
    )


@pytest.mark.parametrize(
    "text",
    [
        COUNTS + FORMULA,
        "def f():\n    " + (PYTHON + FORMULA).replace("\n", "\n    ") + "return f1\n",
        "try:\n    " + (PYTHON + FORMULA).replace("\n", "\n    ") + "print(f1)\nexcept ValueError:\n    f1 = None\n",
        "with quietly():\n    " + (PYTHON + FORMULA).replace("\n", "\n    ") + "print(f1)\n",
    ],
)
def test_other_guards_are_not_safe(text: str) -> None:
    before = fixed(text.encode(), unsafe=False)
    assert before.data == text.encode() and (before.count, before.unsafe) == (0, 1)


MODEL = """from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.metrics import f1_score, roc_auc_score
from sklearn.svm import SVC
"""


@pytest.mark.parametrize(
    ("made", "scores"),
    [
        ("LogisticRegression()", "model.predict_proba(Z)[:, 1]"),
        ("RidgeClassifier().fit(X, y)", "model.decision_function(Z)"),
        ("SVC(probability=True)", "model.decision_function(Z)"),
    ],
)
def test_scores_of_known_models(fix: Fix, made: str, scores: str) -> None:
    text = f"{MODEL}Z = load()\nmodel = {made}\nmodel.fit(X, y)\n"
    assert fix(f"{text}print(roc_auc_score(z, model.predict(Z)))\n").endswith(f"(z, {scores}))\n")
    assert f"s = {scores}\n" in fix(f"{text}s = model.predict(Z)\nprint(roc_auc_score(z, s))\n")
    both = fix(f"{text}s = model.predict(Z)\nprint(f1_score(z, s), roc_auc_score(z, s))\n")
    assert both.endswith(f"s = model.predict(Z)\nprint(f1_score(z, s), roc_auc_score(z, {scores}))\n")


def test_no_fix_if_the_model_is_fitted_again(fix: Fix) -> None:
    text = f"""{MODEL}Z = load()
model = LogisticRegression()
s = model.fit(X, y).predict(Z)
p = model.predict(Z)
model.fit(Z, z)
print(f1_score(z, p), roc_auc_score(z, p))
"""
    assert fix(text) == text


def test_no_fix_for_unknown_models(fix: Fix) -> None:
    text = f"{MODEL}print(roc_auc_score(z, model.predict(Z)))\n"
    assert fix(text) == text
