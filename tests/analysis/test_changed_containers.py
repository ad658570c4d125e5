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


@pytest.mark.parametrize("place", [0, 1, 2])
def test_each_case_of_a_match_may_be_the_one_that_runs(place: int) -> None:
    values = ["times", "times", "times"]
    values[place] = SCORES
    cases = "".join(
        f"    case {pattern}:\n        scores = {value}\n"
        for pattern, value in zip(("1", "2", "_"), values, strict=True)
    )
    assert rules_in(f"match kind:\n{cases}print(np.mean(scores))\n") == ["mean-of-fold-f"]


@pytest.mark.parametrize(
    ("copied", "rules"), [("dict(box)", ["mean-of-fold-f"]), ("box.copy()", ["mean-of-fold-f"]), ("deepcopy(box)", [])]
)
def test_a_shallow_copy_shares_the_lists_that_it_holds(copied: str, rules: list[str]) -> None:
    lines = f"""
from copy import deepcopy
box = {{"f1": [], "times": times}}
other = {copied}
for train, test in StratifiedKFold().split(X, y):
    other["f1"].append(f1_score(y[test], p[test]))
print(np.mean(box["f1"]))
"""
    assert rules_in(lines) == rules


def test_containers_that_hold_each_other_are_copied_in_the_end() -> None:
    lines = f"""
from copy import deepcopy
one, other = {{"f1": {SCORES}}}, {{}}
one["other"], other["one"] = other, one
print(np.mean(deepcopy(other)["one"]["f1"]))
"""
    assert rules_in(lines) == ["mean-of-fold-f"]


@pytest.mark.parametrize("row", ["[i, f1_score(y[test], p[test])]", "{'fold': i, 'f1': f1_score(y[test], p[test])}"])
def test_the_entries_of_a_row_belong_to_the_columns(row: str) -> None:
    lines = f"""
import pandas as pd
frame = pd.DataFrame(columns=["fold", "f1"])
for i, (train, test) in enumerate(StratifiedKFold().split(X, y)):
    frame.loc[len(frame)] = {row}
"""
    assert rules_in(lines + "print(frame['f1'].mean())\n") == ["mean-of-fold-f"]
    assert rules_in(lines + "print(frame['fold'].mean())\n") == []


@pytest.mark.parametrize("other", ["p[i] = 0", "pass"])
def test_scores_that_a_loop_replaces_on_both_sides_of_a_bound_are_decisions(other: str) -> None:
    lines = f"""
from sklearn.metrics import roc_auc_score
p = model.fit(X, y).predict_proba(X_test)[:, 1]
for i in range(len(p)):
    if p[i] > 0.5:
        p[i] = 1
    else:
        {other}
print(roc_auc_score(y_test, p))
"""
    assert rules_in(lines) == (["auc-hard-labels"] if other != "pass" else [])


@pytest.mark.parametrize(
    ("made", "grown", "read"),
    [
        ("rows = [[] for _ in range(3)]", "rows = [[*row, f1] for row in rows]", "rows[0]"),
        ("box = {k: [] for k in names}", "box = {k: [*box[k], f1] for k in names}", "box['a']"),
        ("box = {'a': [[]]}", "box = {'a': [[*row, f1] for row in box['a']]}", "box['a'][0]"),
    ],
)
def test_lists_in_containers_that_are_made_anew_in_each_pass_grow(made: str, grown: str, read: str) -> None:
    lines = f"""
{made}
for train, test in StratifiedKFold().split(X, y):
    f1 = f1_score(y[test], p[test])
    {grown}
"""
    assert rules_in(f"{lines}print(np.mean({read}))\n") == ["mean-of-fold-f"]


def test_a_frame_that_a_function_changes_is_changed_for_its_caller() -> None:
    def lines(changed: str) -> str:
        return f"""
import pandas as pd
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

def scale(frame):
    {changed} = StandardScaler().fit_transform(frame[["a"]])

frame = pd.read_csv("a.csv")
scale(frame)
train, test = train_test_split(frame)
model.fit(train[["a"]], train["y"])
print(f1_score(test["y"], model.predict(test[["a"]])))
"""

    assert rules_in(lines('frame["a"]')) == ["preprocess-before-split"]
    assert rules_in(lines("scaled")) == []


@pytest.mark.parametrize(
    ("written", "stays"),
    [("frame.loc[0, 'f1']", True), ("frame.loc[frame['f1'].isna(), 'f1']", True), ("frame.loc[:, 'f1']", False)],
)
def test_a_constant_in_some_rows_of_a_column_leaves_the_others(written: str, stays: bool) -> None:
    lines = f"import pandas as pd\nframe = pd.DataFrame({{'f1': {SCORES}}})\n{written} = 0.5\n"
    assert ("mean-of-fold-f" in rules_in(lines + "print(frame['f1'].mean())\n")) == stays
