"""Test what is recorded in processes that the script starts, and in scorers of the user's own."""

from __future__ import annotations

import pickle
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score
from sklearn.model_selection import StratifiedKFold

from cvlint.recording.call_sites import CallSite
from cvlint.recording.hooks.processes import NO_FILE, with_file_name
from cvlint.recording.recorder import Recorder
from cvlint.recording.records import CurrentFold, MeasureOptions, RecordedCall, RecordedSplit
from cvlint.recording.spool import Spool
from cvlint.runtime.data.reading import read_each
from tests.recording.conftest import NO_PANDAS

SOONER = f"import os\nos.environ.update({NO_PANDAS})\n"
"""Worker processes that are started anew import scikit-learn."""

WORKERS = """
import multiprocessing, os, pickle
from joblib import Parallel, delayed

def one(pair):
    train, test = pair
    return f1_score(y[test], LogisticRegression().fit(X[train], y[train]).predict(X[test]))

def whole(C):
    f1s = []
    for train, test in cv.split(X, y):
        f1s.append(f1_score(y[test], LogisticRegression(C=C).fit(X[train], y[train]).predict(X[test])))
    return np.mean(f1s)  # whole

if __name__ == "__main__":
    print(np.mean(Parallel(n_jobs=2)(delayed(one)(pair) for pair in cv.split(X, y))))  # loky
    with multiprocessing.get_context("fork").Pool(2) as pool:
        print(np.mean(pool.map(one, cv.split(X, y))))  # fork
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        print(np.mean(pool.map(one, cv.split(X, y))))  # spawn
    print(Parallel(n_jobs=2)(delayed(whole)(C) for C in (0.01, 1, 100)))
"""


def expected(C: float = 1.0) -> tuple[float, float]:
    """F_avg and F_tp,fp of the experiment in conftest."""
    X, y = make_classification(n_samples=400, n_informative=5, weights=[0.93], class_sep=1.1, flip_y=0, random_state=7)
    pooled, values = np.zeros_like(y), []
    for train, test in StratifiedKFold(5, shuffle=True, random_state=0).split(X, y):
        pooled[test] = LogisticRegression(C=C).fit(X[train], y[train]).predict(X[test])
        values.append(f1_score(y[test], pooled[test]))
    return float(np.mean(values)), f1_score(y, pooled)


def found_at(text: str, script: Path, comment: str) -> list[tuple[str, str]]:
    """The pairs of numbers in the report for the line with a comment."""
    line = next(i for i, each in enumerate(script.read_text().splitlines(), 1) if each.endswith(f"# {comment}"))
    return re.findall(rf"^train.py:{line} [-\w]+: \S+ ([\d.]+); \S+ is ([\d.]+) \(", text, re.MULTILINE)


def shown(pair: tuple[float, float]) -> tuple[str, str]:
    return f"{pair[0]:.3f}", f"{pair[1]:.3f}"


def test_measures_in_worker_processes(experiment: Any, tmp_path: Path) -> None:
    result = experiment(SOONER + WORKERS, "--capture", "f.npz", "--select", "CVL101")
    assert result.returncode == 0, result.stderr
    for name in ("loky", "fork", "spawn"):
        assert found_at(result.stderr, tmp_path / "train.py", name) == [shown(expected())], name
    each = found_at(result.stderr, tmp_path / "train.py", "whole")
    assert sorted(each) == sorted(shown(expected(C)) for C in (0.01, 1, 100))
    assert all(folds.folds == 5 for _, folds in read_each(tmp_path / "f.npz")[0])


OWN = """
def own(estimator, X, y):
    return f1_score(y, estimator.predict(X))
def half(true, predicted):
    return f1_score(true, predicted) / 2
for jobs in (1, 2):
    print(np.mean(cross_val_score(model, X, y, cv=cv, scoring=own, n_jobs=jobs)))  # own
found = cross_validate(model, X, y, cv=cv, scoring={"a": own}, return_train_score=True)
print(found["test_a"].mean())  # several
search = GridSearchCV(model, {"C": [1, 0.001]}, cv=cv, scoring=own).fit(X, y)
print(search.best_score_)  # search
print(np.mean(cross_val_score(model, X, y, cv=cv, scoring=make_scorer(half))))
"""


def test_scorers_of_the_users_own(experiment: Any, tmp_path: Path) -> None:
    result = experiment(SOONER + OWN, "--capture", "f.npz")
    assert result.returncode == 0, result.stderr
    for name, times in (("own", 2), ("several", 1), ("search", 1)):
        assert found_at(result.stderr, tmp_path / "train.py", name) == [shown(expected())] * times, name
    sets = dict(read_each(tmp_path / "f.npz")[0])
    assert len(sets) == 5  # one for each cross-validation, and the training parts are not in them
    assert {(folds.folds, len(folds)) for folds in sets.values()} == {(5, 400)}


def call_of(running: CurrentFold | None, y: Any) -> RecordedCall:
    site = CallSite("/project/train.py", None, 3, 3)
    return RecordedCall(
        site, "", "f1_score", "f-measure", y, y, None, None, MeasureOptions(), 1.0, running, 0
    )  # fmt: skip


def test_a_worker_that_is_killed_loses_only_its_last_record(tmp_path: Path) -> None:
    worker, main = Recorder(), Recorder()
    worker.spool = Spool(tmp_path)
    split = RecordedSplit(None, None, groups=np.array(["a", "a", "b", "b", "c", "c"]))
    worker.begin(split)
    for fold in range(3):
        split.test_rows.append(np.array([2 * fold, 2 * fold + 1]))
        split.train_sizes.append(4)
        worker.add(call_of(CurrentFold(split, fold), np.array([fold % 2, 1])))
    worker.trouble("Something could not be recorded.")
    assert not worker.calls
    (path,) = tmp_path.glob("*.records")
    whole = path.read_bytes()
    main.add_workers(tmp_path)
    assert [call.running_fold.fold for call in main.calls if call.running_fold] == [0, 1, 2]
    assert len({id(call.running_fold.split) for call in main.calls if call.running_fold}) == 1
    assert [rows.tolist() for rows in main.splits[0].test_rows] == [[0, 1], [2, 3], [4, 5]]
    assert main.splits[0].groups is not None and main.splits[0].groups.tolist() == ["a", "a", "b", "b", "c", "c"]
    assert list(main.problems) == ["Something could not be recorded."]
    for size in range(len(whole)):
        path.write_bytes(whole[:size])
        again = Recorder()
        again.add_workers(tmp_path)
        assert len(again.calls) <= 3 and not set(again.problems) - set(main.problems)
    assert len(again.calls) == 3


def test_a_worker_whose_folder_is_gone_goes_on(tmp_path: Path) -> None:
    worker = Recorder()
    worker.spool = Spool(tmp_path / "gone")
    worker.begin(RecordedSplit(None, None))
    with worker.harmless("A call"):
        worker.add(call_of(None, np.array([0, 1])))
    assert [problem.partition(":")[0] for problem in worker.problems] == ["A call could not be recorded"]


@pytest.mark.parametrize("folder", ["/nowhere/at/all", ""])
def test_a_python_without_cvlint_starts_as_well(started: Any, tmp_path: Path, folder: str) -> None:
    from cvlint.recording.hooks.processes import Beginning

    (tmp_path / "data").write_bytes(pickle.dumps({"name": 1, "cvlint": Beginning(folder)}))
    code = "import pickle; print(pickle.load(open('data', 'rb'))['name'])"
    result = started("-I", "-S", "-c", code)  # -S: without site-packages
    assert (result.stdout, result.stderr) == ("1\n", "")


def test_code_that_is_sent_to_a_worker_keeps_its_file_name() -> None:
    code = compile("1", "train.py", "eval")
    parts = (0, code.co_code, code.co_consts, NO_FILE, code.co_name, 1)
    reduce = with_file_name(lambda _: (type(code), parts))
    assert reduce(code) == (type(code), (0, code.co_code, code.co_consts, "train.py", code.co_name, 1))
    assert with_file_name(lambda _: "named")(code) == "named"
