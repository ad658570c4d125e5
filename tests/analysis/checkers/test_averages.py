"""A mean of fold F that only chooses is a note; one that is shown as well is an error."""

from __future__ import annotations

from pathlib import Path

import pytest

from cvlint.workspace.settings.check_options import CheckOptions
from cvlint.workspace.steps.analyse import check

SEARCH = """
from sklearn.model_selection import cross_val_score
best, chosen = -1, None
for c in [0.1, 1, 10]:
    score = cross_val_score(make(c), X, y, scoring="f1", cv=5).mean()
    if score > best:
        best, chosen = score, c
print(chosen)
"""


@pytest.mark.parametrize(
    ("shown", "severity"),
    [("", "note"), ("print(best)", "error"), ("save(score)", "error"), ("table[c] = best", "error")],
)
def test_a_mean_that_is_only_compared_is_a_note(tmp_path: Path, shown: str, severity: str) -> None:
    program = tmp_path / "search.py"
    program.write_text(SEARCH + shown)
    findings = check([program], CheckOptions(rules=frozenset(("mean-of-fold-f",)), jobs=1)).findings
    assert [finding.severity for finding in findings] == [severity]
