"""Compare the numbers of `cvlint run` with the values that the experiment itself computes."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from cvlint.cli import main
from cvlint.cli.commands.code.run import PROGRAM_FAILED, REPORT_FAILED
from cvlint.runtime.data.reading import read_each

LOOPS = """
for name in ("one", "two"):
    f1s = []
    for train, test in cv.split(X, y):
        model = LogisticRegression(C=0.1 if name == "one" else 10).fit(X[train], y[train])
        f1_score(y[train], model.predict(X[train]))
        f1s.append(f1_score(y[test], model.predict(X[test])))
    print(np.mean(f1s))  # loop
    pooled = cross_val_predict(LogisticRegression(C=0.1 if name == "one" else 10), X, y, cv=cv)
    truth.append((np.mean(f1s), f1_score(y, pooled)))
"""

STORED = """
folds, f1s, pooled = list(cv.split(X, y)), [], np.zeros(len(y))
for train, test in folds:
    pooled[test] = model.fit(X[train], y[train]).predict(X[test])
    f1s.append(f1_score(y[test], pooled[test], average="macro"))
print(np.mean(f1s))  # stored
truth.append((np.mean(f1s), f1_score(y, pooled, average="macro")))
"""

BY_HAND = """
f1s, trues, preds = [], [], []
order = np.random.RandomState(1).permutation(len(y))
for fold in range(4):
    test = order[fold::4]
    train = np.setdiff1d(order, test)
    preds.extend(model.fit(X[train], y[train]).predict(X[test]))
    trues.extend(y[test])
    f1s.append(fbeta_score(y[test], preds[-len(test):], beta=2))
print(np.mean(f1s))  # by hand
truth.append((np.mean(f1s), fbeta_score(trues, preds, beta=2)))
"""

RATES = """
words = np.where(y == 1, "ill", "well")
p, r, trues, preds = [], [], [], []
for train, test in cv.split(X, words):
    model.fit(X[train], words[train])
    predicted = model.predict(X[test])
    p.append(precision_score(words[test], predicted, pos_label="ill"))
    r.append(recall_score(words[test], predicted, pos_label="ill"))
    trues.extend(words[test])
    preds.extend(predicted)
print(2 * np.mean(p) * np.mean(r) / (np.mean(p) + np.mean(r)))  # rates
truth.append((2 * np.mean(p) * np.mean(r) / (np.mean(p) + np.mean(r)), f1_score(trues, preds, pos_label="ill")))
"""

MERGED = """
scores, labels, aucs = [], [], []
for train, test in cv.split(X, y + 1):
    model.fit(X[train], y[train] + 1)
    scores.extend(model.decision_function(X[test]))
    labels.extend(y[test] + 1)
    aucs.append(roc_auc_score(y[test] + 1, model.decision_function(X[test])))
print(roc_auc_score(labels, scores))  # merged
truth.append((roc_auc_score(labels, scores), np.mean(aucs)))
"""

REPEATED = """
many = RepeatedStratifiedKFold(n_splits=4, n_repeats=3, random_state=1)
f1s = cross_val_score(model, X, y, cv=many, scoring="f1")
print(f1s.mean())  # repeated
predicted = [model.fit(X[a], y[a]).predict(X[b]) for a, b in many.split(X, y)]
tested = [b for a, b in many.split(X, y)]
rounds = [f1_score(np.concatenate([y[t] for t in tested[i:i+4]]), np.concatenate(predicted[i:i+4])) for i in (0, 4, 8)]
truth.append((f1s.mean(), np.mean(rounds)))
"""

SEARCH = """
search = GridSearchCV(model, {"C": [0.001, 1, 50]}, scoring={"f": "f1", "auc": "roc_auc"}, refit="f", cv=cv, n_jobs=2)
search.fit(X, y)
print(search.best_score_)  # search
truth.append((search.best_score_, f1_score(y, cross_val_predict(search.best_estimator_, X, y, cv=cv))))
"""

ALL = {
    "loop": LOOPS, "stored": STORED, "by hand": BY_HAND, "rates": RATES, "merged": MERGED, "repeated": REPEATED,
    "search": SEARCH,
}  # fmt: skip
NAMES = ["loop", "loop", "stored", "by hand", "rates", "merged", "repeated", "search"]


@pytest.fixture
def code(tmp_path: Path) -> str:
    blocks = "".join(f"model = LogisticRegression()\n{block}" for block in ALL.values())
    return f"import json\ntruth = []\n{blocks}json.dump(truth, open('truth.json', 'w'))\n"


def line_of(path: Path, comment: str) -> int:
    return next(i for i, line in enumerate(path.read_text().splitlines(), 1) if line.endswith(f"# {comment}"))


def test_the_numbers_are_those_of_the_experiment(
    experiment: Any, tmp_path: Path, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = experiment(code, "--capture", "folds.csv", "--select", "CVL1,CVL2", "--ignore", "CVL103")
    assert result.returncode == 0, result.stderr
    truth = json.loads((tmp_path / "truth.json").read_text())
    for name in ALL:
        expected = [pair for n, pair in zip(NAMES, truth, strict=True) if n == name]
        line = line_of(tmp_path / "train.py", name)
        found = re.findall(rf"^train.py:{line} [-\w]+: \S+ ([\d.]+); \S+ is ([\d.]+) \(", result.stderr, re.MULTILINE)
        assert found == [(f"{value:.3f}", f"{right:.3f}") for value, right in expected], name
    monkeypatch.chdir(tmp_path)
    again = json.loads(CliRunner().invoke(main, ["check", "--capture", "folds.csv", "--format", "json"]).stdout)
    for name in ALL:
        expected = [pair for n, pair in zip(NAMES, truth, strict=True) if n == name]
        line = line_of(tmp_path / "train.py", name)
        (measured,) = [f["measured"] for f in again["findings"] if f["line"] == line]
        found = [(one["value"], one["right_value"]) for one in (measured, *measured["others"])]
        assert np.allclose(found, expected, atol=1e-12), name
        assert np.isclose(measured["difference"], expected[0][0] - expected[0][1])
    assert "    measured: F_avg " in CliRunner().invoke(main, ["check", "--capture", "folds.csv"]).stdout
    recomputed = CliRunner().invoke(main, ["recompute", "folds.csv", "--replicates", "0", "--format", "json"])
    assert len(json.loads(recomputed.stdout)["experiments"]) == len(read_each(tmp_path / "folds.csv")[0]) + 2


@pytest.mark.parametrize("ending", ["csv", "npz", "parquet"])
def test_labels_and_scores_in_one_file(experiment: Any, tmp_path: Path, ending: str) -> None:
    code = """
for train, test in cv.split(X, y):
    model.fit(X[train], y[train])
    f1_score(y[test], model.predict(X[test]))
    roc_auc_score(y[test], model.decision_function(X[test]))
cross_val_score(model, X, np.where(y == 1, "b", "a"), cv=cv, scoring="roc_auc")
print(np.mean(cross_val_score(model, X, (y + (X[:, 0] > 0)), cv=cv, scoring="f1_macro")))
"""
    assert experiment(code, "--capture", f"f.{ending}").stderr.count("F_avg") == 1
    (first, both), (_, scores), (last, three) = read_each(tmp_path / f"f.{ending}")[0]
    assert (first, last) == ("train.py:15,16", "train.py:18 (average=macro)")
    assert (both.classes, both.y_pred is None, both.y_score is None, both.folds) == ((0, 1), False, False, 5)
    assert (scores.classes, scores.y_pred is None, scores.y_score is None) == (("a", "b"), True, False)
    assert (three.classes, three.y_pred is None, three.y_score is None) == ((0, 1, 2), False, True)


def test_captured_when_it_crashes(experiment: Any, tmp_path: Path) -> None:
    code = """
f1s = []
for i, (train, test) in enumerate(cv.split(X, y)):
    f1s.append(f1_score(y[test], model.fit(X[train], y[train]).predict(X[test])))
    if i == 2:
        raise ValueError("half-way")
print(np.mean(f1s))
"""
    result = experiment(code, "--capture", "f.npz", "--output", "report.txt")
    assert result.returncode == PROGRAM_FAILED
    assert result.stderr.endswith("ValueError: half-way\n")
    ((_, folds),) = read_each(tmp_path / "f.npz")[0]
    assert folds.folds == 3
    assert ", 3 folds.\n" in (tmp_path / "report.txt").read_text()


def test_the_reason_for_no_measurement_is_shown(experiment: Any) -> None:
    code = """
import statistics
def never():
    print(np.mean(cross_val_score(model, X, y, scoring="f1")))
def one(a, b):
    return f1_score(y[b], model.fit(X[a], y[a]).predict(X[b])) if len(y) == 1 else 0.5
if len(y) == 1:
    never()
print(np.mean([one(a, b) for a, b in cv.split(X, y)]))  # no call
f1s = []
for train, test in cv.split(X, y):
    f1s.append(f1_score(y[test], 0 * y[test], zero_division=1, labels=[2, 3], average="macro"))
print(np.mean(f1s))  # other labels
f1s = []
for i, (train, test) in enumerate(cv.split(X, y)):
    if i != 3:
        f1s.append(f1_score(y[test], model.fit(X[train], y[train]).predict(X[test])))
print(np.mean(f1s))  # a fold is left out
"""
    found = experiment(code).stderr
    assert "train.py:15 mean-of-fold-f: not measured: no call of a measure was recorded at the places" in found
    assert "train.py:20 mean-of-fold-f: not measured: the folds of its trace were run through, and no call" in found
    assert "train.py:24 mean-of-fold-f: not measured: the calls of f1_score left out the classes 0, 1.\n" in found
    assert re.search(r"train.py:29 mean-of-fold-f: F_avg .*, 4 folds. Only 4 of 5 folds were recorded.\n", found)


def test_a_file_that_cannot_be_written(experiment: Any, tmp_path: Path) -> None:
    old = tmp_path / "folds.csv"
    old.write_text("old\n")
    result = experiment("print('done')\n", "--capture", "folds.csv")
    assert (result.returncode, result.stdout) == (REPORT_FAILED, "done\n")
    assert result.stderr.endswith("folds.csv is not written: no fold data were recorded.\n")
    assert old.read_text() == "old\n"


def test_a_full_disk_leaves_the_old_file(experiment: Any, tmp_path: Path) -> None:
    old = tmp_path / "folds.csv"
    old.write_text("old\n")
    code = """
import resource, signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
print(cross_val_score(model, X, y, scoring="f1", cv=cv).mean())
resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))
"""
    result = experiment(code, "--capture", "folds.csv")
    assert result.returncode == REPORT_FAILED
    assert "folds.csv cannot be written: File too large." in result.stderr
    assert "mean-of-fold-f: F_avg" in result.stderr
    assert old.read_text() == "old\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folds.csv", "train.py"]
