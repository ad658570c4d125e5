"""A fault that does less harm in its context is a note."""

from __future__ import annotations

from pathlib import Path

import pytest

from cvlint.rules.catalogue import load_rules
from cvlint.workspace.settings.check_options import CheckOptions
from cvlint.workspace.steps.analyse import check

RULES = frozenset(rule.name for rule in load_rules())

OUT_OF_FOLD = """
import numpy as np
from scipy.stats import rankdata, zscore
from sklearn.calibration import CalibratedClassifierCV
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import MinMaxScaler
oof = np.zeros(len(y))
for train, test in StratifiedKFold(5).split(X, y):
    model = {model}.fit(X[train], y[train])
    scores = model.predict_proba(X[test])[:, 1]
    oof[test] = {scores}
print(roc_auc_score(y, {whole}))
"""


def severities(folder: Path, code: str) -> list[str]:
    (folder / "a.py").write_text(code)
    return [f.severity for f in check([folder], CheckOptions(rules=RULES, confidence="low", jobs=1)).findings]


@pytest.mark.parametrize(
    ("model", "scores", "whole", "severity"),
    [
        ("LogisticRegression()", "scores", "oof", "error"),
        ("LogisticRegression()", "scores", "rankdata(oof)", "error"),
        ("CalibratedClassifierCV(LogisticRegression())", "scores", "oof", "note"),
        ("LogisticRegression()", "rankdata(scores)", "oof", "note"),
        ("LogisticRegression()", "zscore(scores)", "oof", "note"),
        ("LogisticRegression()", "MinMaxScaler().fit_transform(scores.reshape(-1, 1)).ravel()", "oof", "note"),
        ("LogisticRegression()", "IsotonicRegression().fit(s, t).predict(scores)", "oof", "note"),
    ],
)
def test_merged_scores_on_one_scale_are_a_note(
    tmp_path: Path, model: str, scores: str, whole: str, severity: str
) -> None:
    code = OUT_OF_FOLD.format(model=model, scores=scores, whole=whole)
    assert severities(tmp_path, code) == [severity]


@pytest.mark.parametrize(
    ("formula", "severity"),
    [
        ("tp / (tp + fp)", "note"),
        ("tp / (tp + fn)", "note"),
        ("2 * precision * recall / (precision + recall)", "warning"),
    ],
)
def test_an_unguarded_precision_is_a_note_and_f_a_warning(tmp_path: Path, formula: str, severity: str) -> None:
    assert severities(tmp_path, f"def measure(tp, fp, fn, precision, recall):\n    return {formula}\n") == [severity]


SKIPPED = """
import numpy as np
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import {splitter}
aucs = []
for train, test in {splitter}(5).split(X, y, patients):
    if len(np.unique(y[test])) < 2:
        continue
    aucs.append(roc_auc_score(y[test], model.fit(X[train], y[train]).predict_proba(X[test])[:, 1]))
print(np.mean(aucs))
"""


@pytest.mark.parametrize(("splitter", "severity"), [("StratifiedKFold", "note"), ("GroupKFold", "error")])
def test_skipped_folds_are_a_note_where_folds_are_stratified(tmp_path: Path, splitter: str, severity: str) -> None:
    assert severities(tmp_path, SKIPPED.format(splitter=splitter)) == [severity]
