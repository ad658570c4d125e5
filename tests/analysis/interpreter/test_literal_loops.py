"""Loops over short literals run once for each entry, but loops within each other make few passes all together."""

from __future__ import annotations

from pathlib import Path

from cvlint.rules.catalogue import load_rules
from cvlint.workspace.settings.check_options import CheckOptions
from cvlint.workspace.steps.analyse import check

NAMES = '("a", "b", "c", "d", "e", "f", "g", "h")'
PROGRAM = f"""
from sklearn.model_selection import cross_val_score

for data in {NAMES}:
    for model in {NAMES}:
        for option in {NAMES}:
            for part in {NAMES}:
                path = folder + data + model + option + part
                show(path, load(path), first(path), last(path))
print(cross_val_score(model, X, y, scoring="f1").mean())
"""


def test_loops_within_each_other_leave_steps_for_the_rest(tmp_path: Path) -> None:
    (tmp_path / "study.py").write_text(PROGRAM)
    report = check([tmp_path], CheckOptions(rules=frozenset(rule.name for rule in load_rules()), jobs=1))
    assert not report.errors
    assert [finding.rule for finding in report.findings] == ["mean-of-fold-f"]
