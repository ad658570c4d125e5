"""A finding's trace shows the way from the split to the fault, through functions, files and cells."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cvlint.findings.finding import MAX_STEPS, Finding
from cvlint.rules.catalogue import load_rules
from cvlint.workspace.settings.check_options import CheckOptions
from cvlint.workspace.steps.analyse import check

RULES = frozenset(rule.name for rule in load_rules())


def findings(folder: Path, confidence: str = "medium") -> tuple[Finding, ...]:
    report = check([folder], CheckOptions(rules=RULES, confidence=confidence, jobs=1))  # type: ignore[arg-type]
    assert not report.errors
    return report.findings


def notes(finding: Finding) -> list[tuple[str, int, str]]:
    return [(Path(s.location.path).name, s.location.line, s.note) for s in finding.trace]


HELPER = """
from sklearn.metrics import f1_score
def evaluate(model, X, y):
    return f1_score(y, model.predict(X))
"""

MAIN = """
import numpy as np
from sklearn.model_selection import StratifiedKFold
from helper import evaluate
def mean_ci(values):
    m = np.mean(values)
    return m, 1.96 * np.std(values)
scores = []
for train, test in StratifiedKFold(5).split(X, y):
    model.fit(X[train], y[train])
    scores.append(evaluate(model, X[test], y[test]))
print(mean_ci(scores))
"""


def test_a_trace_leads_through_files_and_helpers(tmp_path: Path) -> None:
    (tmp_path / "helper.py").write_text(HELPER)
    (tmp_path / "main.py").write_text(MAIN)
    (finding,) = findings(tmp_path)
    assert (Path(finding.location.path).name, finding.location.line) == ("main.py", 12)
    assert notes(finding) == [
        ("main.py", 9, "this splitter makes the folds"),
        ("main.py", 9, "the data are split into folds here"),
        ("helper.py", 4, "F1 is computed here"),
        ("main.py", 11, "F1 is collected here"),
        ("main.py", 6, "and reduced in this helper"),
        ("main.py", 12, "F1 is averaged here"),
    ]
    assert finding.confidence == "high"


def test_a_trace_leads_through_notebook_cells(tmp_path: Path) -> None:
    cells = [
        "from sklearn.model_selection import KFold\nkf = KFold(5)",
        "%time\naucs = cross_val_score(model, X, y, scoring='f1', cv=kf)",
        "aucs.mean()",
    ]
    notebook = {"nbformat": 4, "metadata": {}, "cells": [{"cell_type": "code", "source": c} for c in cells]}
    (tmp_path / "a.ipynb").write_text(json.dumps(notebook))
    found = {f.rule: f for f in findings(tmp_path)}
    mean = found["mean-of-fold-f"]
    assert (mean.location.cell, mean.location.line) == (3, 1)
    assert [(s.location.cell, s.location.line) for s in mean.trace] == [(1, 2), (2, 2), (3, 1)]
    assert found["unstratified-folds"].location.cell == 1


@pytest.mark.parametrize(
    ("loop", "measure", "confidence"),
    [
        ("for train, test in StratifiedKFold(5).split(X, y):", "f1_score(y[test], p)", "high"),
        ("for fold in range(n_folds):", "f1_score(y_test, p)", "medium"),
        ("for train, test in StratifiedKFold(5).split(X, y):", "stats['F1']", "medium"),
    ],
)
def test_confidence_is_lower_for_steps_that_rest_on_names(
    tmp_path: Path, loop: str, measure: str, confidence: str
) -> None:
    (tmp_path / "a.py").write_text(
        "import numpy as np\nfrom sklearn.metrics import f1_score\n"
        "from sklearn.model_selection import StratifiedKFold\n"
        f"scores = []\n{loop}\n    p, stats = run(X, y)\n    y_test = load()\n    scores.append({measure})\n"
        "print(np.mean(scores))\n"
    )
    (finding,) = findings(tmp_path)
    assert finding.confidence == confidence


def test_a_second_mean_of_the_same_values_gives_no_second_finding(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(
        "from sklearn.model_selection import cross_val_score\n"
        "scores = cross_val_score(model, X, y, scoring='f1')\nprint(scores.mean())\nrow = {'f1': scores.mean()}\n"
    )
    assert [f.location.line for f in findings(tmp_path)] == [3]


def test_an_analysis_ends_without_an_error_when_its_budget_is_spent(tmp_path: Path) -> None:
    body = "\n".join(f"def f{i}(x):\n    return f{i + 1}(x) + f{i + 1}([x])" for i in range(60))
    (tmp_path / "a.py").write_text(f"from sklearn.metrics import f1_score\n{body}\nf0(f1_score(y, p))\n")
    assert findings(tmp_path) == ()


SUMMARY = """
import numpy as np
def summarise(rows):
    f1s = [row["f1"] for row in rows]
    return np.mean(f1s)
"""

FOLDS_OF_ROWS = """
from helper import evaluate
from sklearn.model_selection import StratifiedKFold
from summary import summarise
rows = []
for train, test in StratifiedKFold(5).split(X, y):
    model.fit(X[train], y[train])
    rows.append({"f1": evaluate(model, X[test], y[test])})
print(summarise(rows))
"""


def test_the_trace_shows_the_call_that_hands_measures_to_a_helper_which_averages_them(tmp_path: Path) -> None:
    (tmp_path / "helper.py").write_text(HELPER)
    (tmp_path / "summary.py").write_text(SUMMARY)
    (tmp_path / "main.py").write_text(FOLDS_OF_ROWS)
    (finding,) = findings(tmp_path)
    assert (Path(finding.location.path).name, finding.location.line) == ("summary.py", 5)
    assert notes(finding)[2:] == [
        ("helper.py", 4, "F1 is computed here"),
        ("main.py", 8, "F1 is collected here"),
        ("main.py", 9, "called from here"),
        ("summary.py", 4, "F1 is looked up by its name here"),
        ("summary.py", 5, "F1 is averaged here"),
    ]


SCALING_HELPER = """
from sklearn.preprocessing import StandardScaler
def prepare(table):
    return StandardScaler().fit_transform(table)
"""

SPLITTING = """
import numpy as np
from sklearn.metrics import f1_score
from sklearn.model_selection import train_test_split
from cleaning import prepare
samples, classes = np.load("samples.npy"), np.load("classes.npy")
samples = prepare(samples)
seen, unseen, seen_classes, unseen_classes = train_test_split(samples, classes)
print(f1_score(unseen_classes, model.fit(seen, seen_classes).predict(unseen)))
"""


def test_the_trace_of_a_leak_shows_the_calls_of_a_helper_in_all_files(tmp_path: Path) -> None:
    (tmp_path / "cleaning.py").write_text(SCALING_HELPER)
    for name in ("first.py", "second.py"):
        (tmp_path / name).write_text(SPLITTING)
    (finding,) = findings(tmp_path)
    assert finding.rule == "preprocess-before-split"
    assert notes(finding) == [
        ("cleaning.py", 4, "StandardScaler is fitted to all the data here"),
        ("first.py", 7, "called from here"),
        ("first.py", 8, "the data are split here"),
        ("second.py", 7, "called from here"),
        ("second.py", 8, "the data are split here"),
    ]


def test_the_steps_of_one_line_stand_in_the_order_of_the_code(tmp_path: Path) -> None:
    """Loops are kept in sets, whose order depends on where the loops lie in memory."""
    names = [f"oof_{letter}" for letter in "fbdace"]
    (tmp_path / "a.py").write_text(
        "import numpy as np\nfrom sklearn.metrics import roc_auc_score\n"
        f"print(roc_auc_score(y, np.mean([{', '.join(names)}], axis=0)))\n"
    )
    (finding,) = findings(tmp_path, "low")
    assert [note.partition(",")[0] for _, _, note in notes(finding)[:-1]] == names


def test_a_trace_shows_where_a_helper_fits_anew_beside_its_calls() -> None:
    helper = Path(__file__).parents[2] / "fixtures" / "refit-on-test" / "faulty_helper.py"
    (found,) = (one for one in findings(helper) if one.rule == "refit-on-test")
    assert found.location.line == 20
    assert [line for _, line, _ in notes(found)][:2] == [19, 12]


MODELS = """
import pandas as pd
from sklearn.metrics import f1_score
from sklearn.model_selection import train_test_split
X_train, X_test, y_train, y_test = train_test_split(X, y)
rows = []
for name, model in models.items():
    model.fit(X_train, y_train)
    rows.append({"model": name, "f1": f1_score(y_test, model.predict(X_test))})
table = pd.DataFrame(rows).sort_values("f1", ascending=False)
best = table.iloc[0]
print(best["model"])
print("F1", best["f1"])
print("report", best["f1"])
"""


def test_the_trace_of_a_choice_leads_from_the_measure_to_all_places_that_show_the_best(tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text(MODELS)
    (finding,) = findings(tmp_path)
    assert (finding.rule, finding.location.line) == ("max-over-test", 10)
    assert notes(finding) == [
        ("main.py", 9, "F1 is computed here"),
        ("main.py", 10, "the best is chosen by F1 here"),
        ("main.py", 11, "the first is taken here"),
        ("main.py", 13, "the best is shown as the result here"),
        ("main.py", 14, "the best is shown as the result here"),
    ]


CURVE_HELPER = """
from sklearn.metrics import roc_auc_score
def area(truth, guess):
    return roc_auc_score(truth, guess)
"""

TWO_CALLS = """
from sklearn.model_selection import train_test_split
from sklearn.svm import SVC
from curves import area
X_train, X_test, y_train, y_test = train_test_split(X, y)
first = SVC(C=1).fit(X_train, y_train).predict(X_test)
second = SVC(C=9).fit(X_train, y_train).predict(X_test)
print(area(y_test, first))
print(area(y_test, second))
"""


def test_a_trace_shows_each_call_of_a_faulty_helper(tmp_path: Path) -> None:
    (tmp_path / "curves.py").write_text(CURVE_HELPER)
    for name in ("main.py", "other.py"):
        (tmp_path / name).write_text(TWO_CALLS)
    (finding,) = findings(tmp_path)
    assert finding.rule == "auc-hard-labels"
    assert notes(finding) == [
        ("main.py", 8, "called from here"),
        ("main.py", 9, "called from here"),
        ("other.py", 8, "called from here"),
        ("other.py", 9, "called from here"),
        ("curves.py", 4, "the measure is computed here"),
    ]


def test_a_trace_that_many_calls_lead_to_ends_somewhere(tmp_path: Path) -> None:
    (tmp_path / "curves.py").write_text(CURVE_HELPER)
    (tmp_path / "main.py").write_text(TWO_CALLS + "print(area(y_test, second))\n" * 50)
    (finding,) = findings(tmp_path)
    assert len(finding.trace) == MAX_STEPS
    assert finding.trace[-1].location == finding.location
