"""The groups that a splitter or a cross-validation gets are kept in the capture."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from cvlint.runtime import FoldSet, recompute
from cvlint.runtime.data.reading import read_each

SCRIPT = """
from sklearn.model_selection import GroupKFold, GridSearchCV, cross_validate
groups = np.array([f"p{i // 4}" for i in range(len(y))])
scores = []
for train, test in GroupKFold(4).split(X, y, groups):
    scores.append(f1_score(y[test], LogisticRegression().fit(X[train], y[train]).predict(X[test])))
print(np.mean(scores))
print(cross_validate(LogisticRegression(), X, y, groups=groups, cv=GroupKFold(3), scoring="f1")["test_score"].mean())
search = GridSearchCV(LogisticRegression(), {"C": [1.0]}, cv=GroupKFold(3), scoring="f1").fit(X, y, groups=groups)
print(search.best_score_)
mixed = [f1_score(y[test], LogisticRegression().fit(X[train], y[train]).predict(X[test])) for train, test in
         KFold(4, shuffle=True, random_state=0).split(X, y, groups)]
print(np.mean(mixed))
plain = [f1_score(y[test], LogisticRegression().fit(X[train], y[train]).predict(X[test])) for train, test in
         KFold(4).split(X, y)]
print(np.mean(plain))
"""


def test_groups_of_splitters_cross_validate_and_searches(experiment: Any, tmp_path: Path) -> None:
    result = experiment(SCRIPT, "--capture", "folds.csv")
    assert result.returncode in (0, 1), result.stderr
    each, _ = read_each(tmp_path / "folds.csv")
    sets = [data for _, data in each]
    assert len(sets) == 5
    for number, data in enumerate(sets):
        assert isinstance(data, FoldSet)
        if number == 4:
            assert data.group is None  # no groups were given
            continue
        assert data.group is not None and data.sample_names is not None and data.sample_id is not None
        names = np.array(data.group[1])[data.group[0]]
        rows = data.sample_names[data.sample_id]
        assert names.tolist() == [f"p{row // 4}" for row in rows.tolist()]
        split = [a for one in recompute(data) for a in one.anomalies if a.kind == "group-in-two-folds"]
        assert bool(split) == (number == 3)  # KFold takes groups, and does not keep them together
