"""The options of `cvlint run` and `cvlint check --capture`; tests/recording has what they do."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cvlint.cli.commands.code import run as command
from cvlint.runtime import FoldSet, write
from cvlint.usage_error import UsageError

USAGE_ERRORS = {  # the arguments, and a part of the message
    ("run",): "The argument SCRIPT is missing.",
    ("run", "no.py"): "'no.py' cannot be run: No such file or directory.",
    ("run", "."): "'.' is a folder without a __main__.py, so there is nothing to run.",
    ("run", "-m", "no.such.module"): "There is no module 'no.such.module' that can be run from here.",
    ("run", "-m", "sys"): "There is no module 'sys' that can be run from here.",
    ("run", "--captur", "f.csv", "train.py"): "There is no option '--captur'",
    ("run", "--capture", "f.xlsx", "train.py"): "The option --capture cannot be 'f.xlsx'; valid is a name that ends in",
    (
        "run",
        "--capture",
        "no/f.csv",
        "train.py",
    ): "The folds cannot be written to 'no/f.csv', because there",
    (
        "run",
        "--output",
        "no/f.txt",
        "train.py",
    ): "The report cannot be written to 'no/f.txt', because there",
    ("run", "--select", "CVL9", "train.py"): "The option --select names 'CVL9', and there is no such rule",
    ("run", "bad.ipynb"): "'bad.ipynb' cannot be run: not a notebook: its JSON is broken",
    ("check", "--capture", "no.csv"): "no.csv cannot be read: No such file or directory.",
    ("check", "--capture", "plain.csv"): "plain.csv lacks the columns experiment, fold and y_true",
    ("check", "--capture", "named.csv"): "named.csv does not say where its experiments come from",
    ("check", "--capture", "train.py"): "train.py is of no kind that can be read",
}


@pytest.mark.parametrize("arguments", USAGE_ERRORS)
def test_usage_errors(process: Any, faulty: Path, arguments: tuple[str, ...]) -> None:
    folder = faulty.parent
    (folder / "bad.ipynb").write_text("{")
    rows = ([1, 1, 2, 2], [0, 1, 0, 1], [0, 1, 1, 1])
    write(FoldSet.from_arrays(*rows), folder / "plain.csv")
    write(FoldSet.from_arrays(*rows, experiment=["forest"] * 4), folder / "named.csv")
    result = process(*arguments)
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.startswith(f"cvlint: {USAGE_ERRORS[arguments]}")
    assert result.stderr.count("\n") == 1


def test_check_joins_a_file_by_its_call_sites(process: Any, faulty: Path) -> None:
    rng = np.random.default_rng(0)
    y_true, y_pred, y_score = rng.integers(0, 2, 160), rng.integers(0, 2, 160), rng.random(160)
    fold = np.repeat([1, 2, 3, 4], 40)
    names = np.repeat(["train.py:8", "elsewhere.py:8"], 80)
    write(FoldSet.from_arrays(fold, y_true, y_pred, y_score, experiment=names), faulty.parent / "f.csv")
    result = process("check", "--format", "json", "--capture", "f.csv")
    assert result.returncode == 1
    (finding,) = json.loads(result.stdout)["findings"]
    measured = finding["measured"]
    assert (measured["aggregate"], measured["right"], measured["folds"]) == ("f_avg", "f_tpfp", 2)
    assert (measured["experiment"], measured["others"]) == ("train.py:8", [])
    assert measured["ci"][0] <= measured["right_value"] <= measured["ci"][1]
    text = process("check", "--capture", "f.csv").stdout
    assert f"    measured: F_avg {measured['value']:.3f}; F_tp,fp is {measured['right_value']:.3f} (" in text


def test_an_experiment_that_never_ran_the_fault(process: Any, faulty: Path) -> None:
    names = ["train.py:2"] * 4
    write(FoldSet.from_arrays([1, 1, 2, 2], [0, 1, 0, 1], [0, 1, 1, 1], experiment=names), faulty.parent / "f.npz")
    assert "    not measured: no call of a measure was recorded" in process("check", "--capture", "f.npz").stdout
    (finding,) = json.loads(process("check", "--format", "json", "--capture", "f.npz").stdout)["findings"]
    assert finding["measured"] is None


def test_nothing_is_recorded_without_scikit_learn(process: Any, tmp_path: Path) -> None:
    blocked = tmp_path / "blocked" / "sklearn"
    blocked.mkdir(parents=True)
    (blocked / "__init__.py").write_text("raise ImportError('not here')\n")
    (tmp_path / "s.py").write_text("try:\n    import sklearn\nexcept ImportError as error:\n    print(error)\n")
    path = os.pathsep.join([str(tmp_path / "blocked"), str(Path(__file__).parents[4])])
    result = process("run", "s.py", env={"PYTHONPATH": path})
    assert (result.returncode, result.stdout, result.stderr) == (0, "not here\n", "")


MEASURED = """\
import numpy as np
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score, roc_auc_score
from sklearn.model_selection import StratifiedKFold, cross_val_predict

X, y = make_classification(200, random_state=0)
model, folds = LogisticRegression(), StratifiedKFold(4)
scores = []
for train, test in folds.split(X, y):
    model.fit(X[train], y[train])
    scores.append(f1_score(y[test], model.predict(X[test])))
print(np.mean(scores))COMMENT
print(roc_auc_score(y, cross_val_predict(model, X, y, cv=folds, method="predict_proba")[:, 1]))
"""


@pytest.fixture
def measured_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """What a run finds, before it is measured: rules with their severities, and how many are suppressed."""
    monkeypatch.chdir(tmp_path)

    def run(comment: str = "", config: str = "", *select: str) -> tuple[list[tuple[str, str]], int]:
        (tmp_path / "train.py").write_text(MEASURED.replace("COMMENT", comment))
        (tmp_path / "cvlint.toml").write_text(config)
        program = command.find_program("train.py", (), False)
        request = command.run_request(program, tmp_path, select, (), None, None)
        report = command.measured_report(program, [], [], request)
        return [(finding.rule, finding.severity) for finding in report.findings], report.suppressed

    return run


BOTH = [("mean-of-fold-f", "error"), ("auc-merge", "error")]


def test_comments_that_suppress(measured_report: Any) -> None:
    assert measured_report() == (BOTH, 0)
    assert measured_report("  # cvlint: ignore[CVL101] as in the paper") == (BOTH[1:], 1)
    assert measured_report("  # cvlint: ignore[CVL101]", "require-reason = true\n") == (BOTH, 0)
    assert measured_report("  # cvlint: ignore[CVL101] why", "require-reason = true\n") == (BOTH[1:], 1)
    assert measured_report("  # cvlint: ignore[CVL402] unused") == (BOTH, 0)


def test_the_config_adjusts_findings(measured_report: Any) -> None:
    ignores = '[per-file-ignores]\n"tr*.py" = ["CVL2"]\n"other.py" = ["ALL"]\n'
    assert measured_report("", ignores) == (BOTH[:1], 0)
    assert measured_report("", '[severity]\nCVL101 = "note"\n') == ([("mean-of-fold-f", "note"), BOTH[1]], 0)
    assert measured_report("", 'min-severity = "warning"\n[severity]\nCVL101 = "note"\n') == (BOTH[1:], 0)


@pytest.mark.parametrize("as_module", [False, True])
def test_the_config_is_that_of_the_script(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Any, as_module: bool
) -> None:
    """As for a check of the script, wherever it is started."""
    (tmp_path / "paper" / "src").mkdir(parents=True)
    (tmp_path / "paper" / "src" / "train.py").write_text(MEASURED.replace("COMMENT", ""))
    (tmp_path / "cvlint.toml").write_text('select = ["CVL2"]\n')
    (tmp_path / "paper" / "cvlint.toml").write_text('select = ["CVL1"]\n')
    monkeypatch.setattr("sys.path", ["", *sys.path])
    name, path = ("paper.src.train" if as_module else "paper/src/train.py"), str(Path("paper", "src", "train.py"))
    program = command.find_program(name, (), as_module)
    request = command.run_request(program, tmp_path, (), (), None, None)
    found = command.measured_report(program, [], [], request).findings
    assert [(one.location.path, one.rule) for one in found] == [(path, "mean-of-fold-f")]
    findings = json.loads(run("check", path, "--format", "json").stdout)["findings"]
    assert [one["rule"] for one in findings] == ["mean-of-fold-f"]


def test_findings_of_less_severity_are_not_measured(process: Any, tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(MEASURED.replace("COMMENT", ""))
    (tmp_path / "cvlint.toml").write_text('[severity]\nCVL101 = "warning"\n')
    result = process("run", "--min-severity", "error", "train.py")
    assert (result.returncode, result.stdout.count("\n")) == (0, 2)
    (measured,) = result.stderr.splitlines()
    assert "auc-merge" in measured


def test_a_baseline_hides_nothing(measured_report: Any, run: Any) -> None:
    measured_report()
    assert run("check", "--write-baseline", "known.json").exit_code == 0
    assert measured_report("", 'baseline = "known.json"\n') == (BOTH, 0)


def test_rules_about_comments_alone(measured_report: Any) -> None:
    with pytest.raises(UsageError, match="No rule is left that a run could measure"):
        measured_report("", "", "CVL001")


def test_a_run_counts_what_it_does_not_measure(process: Any, tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(MEASURED.replace("COMMENT", "  # cvlint: ignore as in the paper"))
    result = process("run", "train.py")
    assert (result.returncode, result.stdout.count("\n")) == (0, 2)
    measured, counted = result.stderr.splitlines()
    assert "auc-merge" in measured and "AUC_merge 0." in measured and "AUC_avg is 0." in measured
    assert counted == "cvlint: 1 finding that comments suppress is not measured."
