"""An experiment prints, raises and ends the same with and without cvlint."""

from __future__ import annotations

import json
import re
import signal
from pathlib import Path
from typing import Any

import pytest

from tests.recording.conftest import DATA, NO_PANDAS

# A stand-in for a library of measures: sklearn takes seconds to import, and most endings have nothing to do with it.
MEASURES = """\
def f1_score(preds, target, task="binary"):
    if len(preds) != len(target):
        raise ValueError("lengths differ")
    return 2 * sum(map(min, preds, target)) / (sum(preds) + sum(target))
"""

SCRIPT = """\
import atexit, copy, inspect, multiprocessing, os, pickle, signal, sys, threading, time
from concurrent.futures import ThreadPoolExecutor
{imports}


def score(last):
    return f1_score([0, 1, 1], [0, 1, last])


def fail():
    try:
        f1_score([1], [1, 2])
    except ValueError as error:
        raise RuntimeError("second") from error


def later():
    time.sleep(0.2)
    print("from a thread", flush=True)


if __name__ == "__main__":
    print(sys.argv, __file__, __name__, sys.path[0], __spec__, score(1))
    atexit.register(print, "at exit")
    {ending}
"""

ENDINGS = {
    "arguments": "print(sys.argv[1:])",
    "a text": "sys.exit('some text')",
    "a number": "sys.exit(7)",
    "no number": "sys.exit(None)",
    "an error": "fail()",
    "an excepthook": "sys.excepthook = lambda *given: print('hooked', given[1]); 1 / 0",
    "at once": "sys.stdout.flush(); os._exit(9)",
    "an interrupt": "os.kill(os.getpid(), signal.SIGINT); time.sleep(9)",
    "a signal": "sys.stdout.flush(); os.kill(os.getpid(), signal.SIGTERM); time.sleep(9)",
    "a thread": "threading.Thread(target=later).start()",
    "a forked child": "pid = os.fork(); pid and os.waitpid(pid, 0); sys.exit(5 if pid else 3)",
    "wrong syntax": "exec('a b')",
    "standard error closed": "sys.stderr.close()",
    "another folder": "os.chdir('/'); print(os.getcwd())",
    "threads": "print(list(ThreadPoolExecutor(2).map(score, [0, 1])))",
    "loky": "from joblib import Parallel, delayed; print(Parallel(n_jobs=2)(delayed(score)(i) for i in (0, 1)))",
    "spawn": "print(multiprocessing.get_context('spawn').Pool(1).map(score, [0, 1]))",
    "fork": "print(multiprocessing.get_context('fork').Pool(1).map(score, [0, 1]))",
}

SKLEARN = """\
import copy, inspect, multiprocessing, os, pickle, sys
import sklearn.metrics
from joblib import Parallel, delayed
{data}

def calls_and_copies():
    print(f1_score is sklearn.metrics.f1_score, pickle.loads(pickle.dumps(f1_score)) is f1_score)
    print(copy.deepcopy(f1_score) is f1_score, inspect.signature(f1_score), inspect.isfunction(f1_score))
    print(make_scorer(f1_score), f1_score.__module__, f1_score.__doc__ is not None)
    print(f1_score([0, 0], [0, 0]))  # with a warning


def workers_with_the_metric_itself():
    print(Parallel(n_jobs=2)(delayed(f1_score)([0, 1], [i, 1]) for i in (0, 1)))
    print(multiprocessing.get_context("fork").Pool(1).starmap(f1_score, [([0, 1], [0, 1])]))


def cross_validation():
    own = lambda m, X, y: f1_score(y, m.predict(X))
    scoring = {{"f1": make_scorer(f1_score, pos_label=1), "auc": "roc_auc", "own": own}}
    for jobs in (1, 2):
        np.random.seed(0)
        found = cross_validate(model, X, y, cv=cv, scoring=scoring, n_jobs=jobs, return_train_score=True)
        print(list(found), [found[name].tolist() for name in found if "time" not in name])
        search = GridSearchCV(model, {{"C": [0.01, 1]}}, cv=cv, scoring="f1", n_jobs=jobs).fit(X, y)
        found = search.cv_results_
        print(list(found), found["mean_test_score"].tolist(), search.best_params_)  # cvlint: ignore
        print(cross_val_predict(model, X, y, cv=KFold(5, shuffle=True), n_jobs=jobs).tolist(), np.random.rand())
        print(cross_val_score(search, X, y, scoring="f1_macro", n_jobs=jobs, cv=3).tolist())
        print(len(pickle.dumps(search)))


def errors_of_the_call_and_of_a_splitter():
    sys.stdout.flush()  # each error ends a child, which needs no process that imports sklearn anew
    os.fork() and os.wait() or f1_score([1], [1, 2])
    os.fork() and os.wait() or next(KFold(9).split([1, 2]))


if __name__ == "__main__":
    print(sys.argv, __file__, __name__, sys.path[0], __spec__)
    calls_and_copies()
    errors_of_the_call_and_of_a_splitter()
    workers_with_the_metric_itself()
    cross_validation()
    cross_val_score(model, [[1], [2]], [1, 2], cv=9, scoring="f1")  # an error
"""


def without_pids(text: str) -> str:
    """Python 3.12 warns of a fork in a process with threads, and names the process."""
    return re.sub(r"\(pid=\d+\)", "(pid)", text)


@pytest.mark.parametrize("ending", ENDINGS)
def test_script(both: Any, tmp_path: Path, ending: str) -> None:
    package = tmp_path / "torchmetrics" / "functional"
    package.mkdir(parents=True)
    (package.parent / "__init__.py").write_text("")
    (package / "f_beta.py").write_text(MEASURES)
    (package / "__init__.py").write_text("from torchmetrics.functional.f_beta import f1_score\n")
    imports = "from torchmetrics.functional import f1_score"
    _, ours = same(both, tmp_path, SCRIPT.format(imports=imports, ending=ENDINGS[ending]))
    if "SIGINT" in ENDINGS[ending]:
        assert ours.returncode == -signal.SIGINT


def test_script_with_sklearn(both: Any, tmp_path: Path) -> None:
    """All is in one script, because sklearn takes seconds to import, and so do the workers of joblib."""
    plain, _ = same(
        both, tmp_path, SKLEARN.format(data=DATA), "1 finding that comments suppress is not measured", **NO_PANDAS
    )
    assert plain.stderr.count("ValueError: ") == 3
    assert "UndefinedMetricWarning" in plain.stderr
    assert (plain.stdout.count("\n"), plain.returncode) == (17, 1)


def same(both: Any, folder: Path, script: str, report: str = "", **variables: str) -> Any:
    (folder / "s.py").write_text(script)
    plain, ours = both("s.py", "-h", "--capture", "x", env=variables)
    assert ours.stdout == plain.stdout
    assert ours.returncode == plain.returncode
    assert without_pids(ours.stderr) == without_pids(plain.stderr) + (f"cvlint: {report}.\n" if report else "")
    assert plain.stdout or plain.returncode < 0
    return plain, ours


def test_syntax_error(both: Any, tmp_path: Path) -> None:
    (tmp_path / "s.py").write_text("a b\n")
    plain, ours = both("s.py")
    assert (ours.returncode, ours.stdout) == (1, plain.stdout)
    assert ours.stderr.startswith(plain.stderr)


def test_module(both: Any, tmp_path: Path) -> None:
    package = tmp_path / "pack" / "age"
    package.mkdir(parents=True)
    (tmp_path / "pack" / "__init__.py").write_text("print('pack')\n")
    (package / "__init__.py").write_text("")
    (package / "tool.py").write_text("import sys\nprint(sys.argv, __name__, __package__, __spec__.name, sys.path[0])\n")
    (package / "__main__.py").write_text("from . import tool\nprint(__name__, __package__)\n1 / 0\n")
    plain, ours = both("-m", "pack.age.tool", "--flag", "-m")
    assert (ours.returncode, ours.stdout, ours.stderr) == (0, plain.stdout, plain.stderr)
    plain, ours = both("-m", "pack.age")
    assert (ours.returncode, ours.stdout) == (1, plain.stdout)
    assert "ZeroDivisionError" in ours.stderr and "cvlint" not in ours.stderr


def test_notebook(started: Any, tmp_path: Path) -> None:
    sources = ["import os\n%matplotlib inline\nx = 1", ["!ls\n", "y = x + 1\n", "display(y, os.getcwd())"], "1 / 0"]
    cells = [{"cell_type": "code", "source": source} for source in sources]
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "n.ipynb").write_text(json.dumps({"nbformat": 4, "metadata": {}, "cells": cells}))
    result = started("-m", "cvlint", "run", "sub/n.ipynb")
    assert (result.returncode, result.stdout) == (1, f"2 {tmp_path / 'sub'}\n")
    assert "cvlint: sub/n.ipynb:cell 1:2: not run: %matplotlib inline\n" in result.stderr
    assert "cvlint: sub/n.ipynb:cell 2:1: not run: !ls\n" in result.stderr
    assert 'n.ipynb:cell 3", line 1, in <module>\n    1 / 0\n' in result.stderr


def test_no_numpy_before_the_script(started: Any, tmp_path: Path) -> None:
    (tmp_path / "s.py").write_text(
        "import sys\nprint([m for m in ('numpy', 'sklearn', 'libcst') if m in sys.modules])\n"
    )
    assert started("-m", "cvlint", "run", "s.py").stdout == "[]\n"
