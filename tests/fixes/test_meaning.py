"""Fixed experiments run, and report the number that they should."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score, roc_auc_score
from sklearn.model_selection import StratifiedKFold, cross_val_predict, cross_val_score

from tests.fixes.conftest import fixed

X, y = make_classification(n_samples=300, weights=[0.9], flip_y=0.1, random_state=1)
MODEL = LogisticRegression()
CV = StratifiedKFold(5, shuffle=True, random_state=0)
HEAD = """import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score, roc_auc_score
from sklearn.model_selection import StratifiedKFold, cross_val_predict, cross_val_score

model = LogisticRegression()
cv = StratifiedKFold(5, shuffle=True, random_state=0)
"""
LOOP = """
scores = []
for train, test in cv.split(X, y):
    model.fit(X[train], y[train])
    scores.append(f1_score(y[test], model.predict(X[test])))
result = np.mean(scores)
"""
RATIOS = """
tp = int(((truth == 1) & (guess == 1)).sum())
fp = int(((truth == 0) & (guess == 1)).sum())
fn = int(((truth == 1) & (guess == 0)).sum())
p = tp / (tp + fp)
r = tp / (tp + fn)
result = 2 * p * r / (p + r)
"""
POOLED = f1_score(y, cross_val_predict(MODEL, X, y, cv=CV))
MACRO = f1_score(y, cross_val_predict(MODEL, X, y, cv=CV), average="macro")
AUC = cross_val_score(MODEL, X, y, cv=CV, scoring="roc_auc").mean()
FITTED = LogisticRegression().fit(X[::2], y[::2])


def result(code: str, unsafe: bool = True, **names: Any) -> float:
    """The result of an experiment after all fixes."""
    after = fixed(code.encode(), unsafe=unsafe)
    assert after.count
    space: dict[str, Any] = {"X": X, "y": y, **names}
    exec(compile(after.data, "train.py", "exec"), space)
    return float(space["result"])


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (LOOP, POOLED),
        (LOOP.replace("cv.split(X, y)", "list(cv.split(X, y))") + "spread = np.std(scores)\n", POOLED),
        (LOOP.replace("X[test]))", "X[test]), average='macro')"), MACRO),
        ("result = cross_val_score(model, X, y, cv=cv, scoring='f1').mean()\n", POOLED),
        ("scores = cross_val_score(model, X, y, cv=cv, scoring='f1_macro')\nresult = np.mean(scores)\n", MACRO),
        ("result = roc_auc_score(y, cross_val_predict(model, X, y, cv=cv, method='predict_proba')[:, 1])\n", AUC),
        ("s = cross_val_predict(model, X, y, cv=cv, method='decision_function')\nresult = roc_auc_score(y, s)\n", AUC),
    ],
)
def test_cross_validation(code: str, expected: float) -> None:
    assert result(HEAD + code) == pytest.approx(expected, abs=1e-12)


def test_scores_of_a_held_out_part() -> None:
    code = f"{HEAD}X, y = X, y\nmodel.fit(X[::2], y[::2])\nresult = roc_auc_score(y[1::2], model.predict(X[1::2]))\n"
    assert result(code) == pytest.approx(roc_auc_score(y[1::2], FITTED.predict_proba(X[1::2])[:, 1]))


@pytest.mark.parametrize("unsafe", [True, False])
def test_formulas(unsafe: bool) -> None:
    truth, guess = y[1::2], FITTED.predict(X[1::2])
    assert result(RATIOS, unsafe, truth=truth, guess=guess) == pytest.approx(f1_score(truth, guess))
    if not unsafe:
        assert result(RATIOS, unsafe, truth=truth, guess=np.zeros_like(truth)) == 0


def test_folds_are_stratified() -> None:
    code = """from sklearn.metrics import f1_score
from sklearn.model_selection import KFold
from sklearn.linear_model import LogisticRegression

labels = y
shares = []
for train, test in KFold(5, shuffle=True, random_state=3).split(X):
    model = LogisticRegression().fit(X[train], labels[train])
    print(f1_score(labels[test], model.predict(X[test])))
    shares.append(labels[test].sum())
result = max(shares) - min(shares)
"""
    assert result(code) <= 1
