from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from cvlint.findings import Finding, Fix, Location, Report, TraceStep, Unread

SOURCE = """\
import numpy as np
from sklearn.metrics import f1_score

scores = []
for train, test in folds.split(X, y):
\tf1 = f1_score(y[test], model.predict(X[test]))
\tscores.append(f1)

print("F1 der Prüfung 测试:", np.mean(scores))
"""


def at(line: int, column: int, end_column: int, **changes: object) -> Location:
    values = {"path": "train.py", "cell": None, "line": line, "column": column, "end_line": line}
    return Location(**{**values, "end_column": end_column, **changes})  # type: ignore[arg-type]


@pytest.fixture
def mean_of_folds() -> Finding:
    return Finding(
        rule="mean-of-fold-f",
        code="CVL101",
        severity="error",
        confidence="high",
        location=at(9, 29, 44),
        message="F1 is computed in each fold and averaged over 10 folds",
        trace=(
            TraceStep(at(5, 20, 37), "folds are split here"),
            TraceStep(at(6, 7, 48), "F1 is computed here"),
            TraceStep(at(7, 2, 19), "collected here"),
            TraceStep(at(9, 29, 44), "averaged here"),
        ),
        fix=Fix("unsafe", "f1_score(y, cross_val_predict(model, X, y, cv=folds))"),
    )


@pytest.fixture
def report(mean_of_folds: Finding) -> Report:
    note = Finding("mean-of-fold-ratio", "CVL107", "note", "medium", at(3, 1, 7, path="a.ipynb", cell=4), "A note")
    return Report(findings=(note, mean_of_folds), errors=(Unread("old.py", "not valid Python 3", 3),), files=12)


@pytest.fixture
def lines() -> Callable[[Location], Sequence[str] | None]:
    return lambda location: SOURCE.split("\n") if location.path == "train.py" else None
