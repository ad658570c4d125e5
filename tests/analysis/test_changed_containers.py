"""What containers hold after a change: in an arm that may not run, and in a table of repetitions and folds.

Each case is one that no fixture showed: a mutant of the heap that changed it passed all tests.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from cvlint.rules.catalogue import load_rules
from cvlint.workspace.file_check import check_bytes
from cvlint.workspace.settings.check_options import CheckOptions

HEAD = """\
import numpy as np
from sklearn.metrics import f1_score
from sklearn.model_selection import StratifiedKFold
"""
SCORES = "[f1_score(y[test], p[test]) for train, test in StratifiedKFold().split(X, y)]"
OPTIONS = CheckOptions(frozenset(rule.name for rule in load_rules()))


def rules_in(text: str) -> list[str]:
    findings = check_bytes((HEAD + text).encode(), Path("train.py"), "train.py", OPTIONS).findings
    return [finding.rule for finding in findings]


@pytest.mark.parametrize(
    ("made", "changed", "read"),
    [
        (f"scores = {SCORES}", ["scores.clear()"], "scores"),
        (f"scores = {SCORES}", ["scores.clear()", "scores.append(1)"], "scores"),
        (f"box = {{'f1': {SCORES}}}", ["box['f1'] = [0.5]"], "box['f1']"),
        (f"box = {{'f1': {SCORES}}}", ["box['f1'] = [0.5]", "box['f1'] = [0.7]"], "box['f1']"),
        (f"class Box:\n    pass\nbox = Box()\nbox.f1 = {SCORES}", ["box.f1 = [0.5]"], "box.f1"),
    ],
)
def test_a_change_in_an_arm_may_not_happen(made: str, changed: list[str], read: str) -> None:
    reported = f"print(np.mean({read}))\n"
    lines = "\n".join(changed)
    assert rules_in(f"{made}\n{lines}\n{reported}") == []
    arm = "".join(f"    {line}\n" for line in changed)
    assert rules_in(f"{made}\nif again:\n{arm}{reported}") == ["mean-of-fold-f"]


TABLE = """
table = np.zeros((3, 10))
for i, seed in enumerate([1, 2, 3]):
    for j, (train, test) in enumerate(StratifiedKFold(10, shuffle=True, random_state=seed).split(X, y)):
        table[i, j] = f1_score(y[test], model.fit(X[train], y[train]).predict(X[test]))
"""


@pytest.mark.parametrize(
    ("mean", "rules"),
    [
        ("table.mean(axis=0)", []),  # of each fold, over the seeds
        ("table[:, 0].mean()", []),
        ("table.mean(axis=1)", ["mean-of-fold-f"]),
        ("table[0].mean()", ["mean-of-fold-f"]),
    ],
)
def test_a_table_has_an_axis_of_folds_and_one_of_seeds(mean: str, rules: list[str]) -> None:
    assert rules_in(f"{TABLE}print({mean})\n") == rules


@pytest.mark.parametrize(
    ("read", "rules"),
    [
        ("both[:1][0]", []),
        ("both[1:][0]", ["mean-of-fold-f"]),
        ("both[::2][1]", []),
        ("both[start:][0]", ["mean-of-fold-f"]),  # it may be any of them
    ],
)
def test_a_slice_holds_the_entries_between_its_bounds(read: str, rules: list[str]) -> None:
    assert rules_in(f"scores = {SCORES}\nboth = [times, scores, times]\nprint(np.mean({read}))\n") == rules
