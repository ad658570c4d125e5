"""A variant of a rule may lower the confidence of its findings."""

from pathlib import Path

import pytest

from cvlint.findings.finding import Confidence
from cvlint.workspace.file_check import check_bytes
from cvlint.workspace.settings.check_options import CheckOptions

GUARDED = b"""
import numpy as np
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import {splitter}
from sklearn.svm import SVC

X, y = np.load("X.npy"), np.load("y.npy")
aucs = []
for train, test in {splitter}(5).split(X, y):
    if len(np.unique(y[test])) < 2:
        continue
    aucs.append(roc_auc_score(y[test], SVC().fit(X[train], y[train]).decision_function(X[test])))
print(np.mean(aucs))
"""


@pytest.mark.parametrize(
    ("splitter", "least", "found"),
    [
        (b"KFold", "high", ["high"]),
        (b"StratifiedKFold", "high", []),  # hardly ever does such a fold exist, and so the guard hardly matters
        (b"StratifiedKFold", "medium", ["medium"]),
    ],
)
def test_a_guard_that_no_stratified_fold_needs_is_told_with_less_confidence(
    splitter: bytes, least: Confidence, found: list[str]
) -> None:
    options = CheckOptions(rules=frozenset({"skipped-undefined-fold"}), confidence=least)
    result = check_bytes(GUARDED.replace(b"{splitter}", splitter), Path("a.py"), "a.py", options)
    assert [finding.confidence for finding in result.findings] == found
