"""Checking many files: the result does not depend on the number of processes, and no file affects the others."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from cvlint.rules.catalogue import load_rules
from cvlint.source.discovery import discover
from cvlint.workspace.cache.results import ResultCache
from cvlint.workspace.cache.scan import scanner
from cvlint.workspace.file_check import check_file, shared_analysis
from cvlint.workspace.settings.check_options import CheckOptions
from cvlint.workspace.steps.analyse import check, files_to_analyse, load_prefilter

RULES = frozenset(rule.name for rule in load_rules())
FIXTURES = Path(__file__).resolve().parents[3] / "fixtures"
FAULTY = "from sklearn.model_selection import cross_val_score\nprint(cross_val_score(m, X, y, scoring='f1').mean())\n"


def test_the_number_of_processes_changes_nothing() -> None:
    folder = FIXTURES / "auc-merge"
    one, two = (check([folder], CheckOptions(rules=RULES, jobs=jobs)) for jobs in (1, 2))
    assert one == two
    assert one.findings


def test_the_prefilter_hides_no_finding() -> None:
    """Nothing is found in a file that is skipped, whether it is faulty or silent about another rule."""
    options = CheckOptions(rules=RULES, confidence="low")
    files = [path for path in discover([FIXTURES]) if isinstance(path, Path)]
    analysed = files_to_analyse(files, (), options, ResultCache(None, options, scanner(load_prefilter)))[0]
    skipped = set(files) - set(analysed)
    assert skipped
    assert {path: found for path in sorted(skipped) if (found := check_file(path, options).findings)} == {}


HAND_SCALED = """\
import numpy as np
from tensorflow import keras

X, y = np.load("X.npy"), np.load("y.npy")
X = {}
model = keras.Sequential([keras.layers.Dense(1, activation="sigmoid")])
model.compile(loss="binary_crossentropy", optimizer="adam", metrics=["accuracy"])
X_train, X_test = X[:800], X[800:]
model.fit(X_train, y[:800], epochs=10)
print(model.evaluate(X_test, y[800:]))
"""


@pytest.mark.parametrize("scaled", ["(X - X.mean(axis=0)) / X.std(axis=0)", "(X - X.min()) / (X.max() - X.min())"])
def test_scaling_by_hand_passes_the_prefilter(tmp_path: Path, scaled: str) -> None:
    (tmp_path / "train.py").write_text(HAND_SCALED.format(scaled))
    assert [one.rule for one in check([tmp_path], CheckOptions(rules=RULES)).findings] == ["preprocess-before-split"]


def test_findings_do_not_depend_on_the_hash_seed() -> None:
    """Each worker of a test run has another seed, too, and all fixtures are checked for their places elsewhere."""
    files = [str(path) for path in discover([FIXTURES]) if isinstance(path, Path)][::6]
    command = [sys.executable, "-m", "cvlint", "check", "--no-cache", "--exit-zero", "--format", "json", *files]
    seeds = ({**os.environ, "PYTHONHASHSEED": seed} for seed in ("1", "2"))
    (found,) = {subprocess.run(command, env=env, capture_output=True, check=True).stdout for env in seeds}
    assert len(json.loads(found)["findings"]) > 50


def test_progress_counts_every_file(tmp_path: Path) -> None:
    for name in ("a.py", "b.py"):
        (tmp_path / name).write_text(FAULTY)
    (tmp_path / "c.py").write_text("print('no metric')\n")
    seen: list[tuple[int, int]] = []
    check([tmp_path], CheckOptions(rules=RULES, jobs=1), progress=lambda done, total: seen.append((done, total)))
    assert seen == [(2, 3), (3, 3)]


def test_an_internal_error_affects_one_file_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a.py", "b.py"):
        (tmp_path / name).write_text(FAULTY)
    engine = shared_analysis()
    right = engine.analyse

    def wrong(source, *asked):  # type: ignore[no-untyped-def]
        if source.display.endswith("a.py"):
            raise KeyError("surprise")
        return right(source, *asked)

    monkeypatch.setattr(engine, "analyse", wrong)
    report = check([tmp_path], CheckOptions(rules=RULES, jobs=1))
    assert [Path(f.location.path).name for f in report.findings] == ["b.py"]
    assert "a fault of cvlint itself" in report.errors[0].message


def test_only_the_selected_rules(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(FAULTY)
    assert check([tmp_path], CheckOptions(rules=frozenset(("auc-merge",)))).findings == ()


def test_a_fault_that_two_files_share_is_reported_once(tmp_path: Path) -> None:
    (tmp_path / "scoring.py").write_text(
        "from sklearn.model_selection import cross_val_score\n"
        "def score(m, X, y):\n    return cross_val_score(m, X, y, scoring='f1').mean()\n"
    )
    for name in ("a.py", "b.py"):
        (tmp_path / name).write_text("from scoring import score\nfolds = 5\nprint(score(m, X, y))  # train\n")
    report = check([tmp_path], CheckOptions(rules=RULES, jobs=1))
    assert [(Path(f.location.path).name, f.location.line) for f in report.findings] == [("scoring.py", 3)]


LOOP = """\
import numpy as np

def evaluate(measure, model, X, y):
    scores = []
    for train, test in StratifiedKFold(5).split(X, y):
        scores.append(measure(y[test], model.fit(X[train], y[train]).predict(X[test])))
    return np.mean(scores)
"""
PLAIN = "from {} import evaluate, measure\nprint(evaluate(measure, model, X, y))\n"


@pytest.mark.parametrize("module", ["loop", ".loop", "package.loop", "loop as other, loop"])
def test_a_named_file_that_imports_its_project_is_analysed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, module: str
) -> None:
    monkeypatch.chdir(tmp_path)
    place = tmp_path / "package" if module.startswith("package") else tmp_path
    place.mkdir(exist_ok=True)
    (place / "loop.py").write_text(LOOP + "from sklearn.metrics import f1_score as measure\n")
    text = PLAIN.format(module) if "," not in module else "import loop\nprint(loop.evaluate(loop.measure, m, X, y))\n"
    (tmp_path / "main.py").write_text(text)
    assert not load_prefilter().may_hold(text.encode())
    found = check([Path("main.py")], CheckOptions(rules=RULES)).findings
    assert [one.rule for one in found] == ["mean-of-fold-f"]


def test_a_named_file_without_a_word_of_the_knowledge_loads_no_engine(tmp_path: Path) -> None:
    (tmp_path / "plain.py").write_text("import os.path\nfrom numpy import array\nprint(os.path.curdir)\n")
    (tmp_path / "broken.py").write_text("x = 1\n" * 10_000 + "def f(:\n")  # more than is parsed of unnamed files
    code = (
        "import sys\nfrom cvlint.cli.entry import run\nsys.argv = ['cvlint', 'check', '--no-cache', *sys.argv[1:]]\n"
        "try: run()\nexcept SystemExit as end: print(end.code, 'cvlint.analysis' in sys.modules)"
    )
    for name, expected in (("plain.py", "0 False"), ("broken.py", "2 False")):
        done = subprocess.run(
            [sys.executable, "-c", code, name], cwd=tmp_path, capture_output=True, text=True, check=True
        )
        assert done.stdout.splitlines()[-1] == expected
        assert ("not valid Python" in done.stderr) == (name == "broken.py")


def test_a_fault_that_many_scripts_reach_names_a_call_in_each(tmp_path: Path) -> None:
    (tmp_path / "folds.py").write_text(
        "import numpy as np\nfrom sklearn.metrics import f1_score\ndef mean_f(X, y, m, folds):\n    scores = []\n"
        "    for train, test in folds.split(X, y):\n        m.fit(X[train], y[train])\n"
        "        scores.append(f1_score(y[test], m.predict(X[test])))\n    return np.mean(scores)\n"
    )
    script = "from sklearn.model_selection import StratifiedKFold\nfrom folds import mean_f\n"
    scripts = {f"script{i}.py" for i in range(9)}
    for name in scripts:
        (tmp_path / name).write_text(f"{script}cv = StratifiedKFold(5)\nprint(mean_f(X, y, model, cv))\n")
    (finding,) = (f for f in check([tmp_path], CheckOptions(rules=RULES)).findings if f.rule == "mean-of-fold-f")
    assert {Path(step.location.path).name for step in finding.trace} == {"folds.py", *scripts}
