from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cvlint.cli import main
from cvlint.findings.finding import Finding, Report, Severity
from cvlint.rules.comment_rules import meta_rules
from cvlint.source.location import Location
from cvlint.workspace.request import Stdin
from cvlint.workspace.settings.check_options import CheckOptions
from cvlint.workspace.steps.pipeline import Step
from cvlint.workspace.workspace import CheckGroup
from tests.conftest import FAULTY

Run = Callable[..., Result]
Process = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run the command in this process, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return lambda *args, **options: CliRunner().invoke(main, list(args), **options)


def invoke(*arguments: str) -> tuple[int, str, str]:
    """The exit status of the command in this process, and what it prints on standard output and standard error."""
    result = CliRunner().invoke(main, list(arguments))
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.stdout, result.stderr


@pytest.fixture
def process(tmp_path: Path, environment: dict[str, str]) -> Process:
    """Run the command as a process of its own, in an empty folder."""

    def run(*args: str, **options: object) -> subprocess.CompletedProcess[str]:
        variables = {**environment, **options.pop("env", {})}  # type: ignore[dict-item]
        command = [sys.executable, "-m", "cvlint", *args]
        options = {"capture_output": True, "text": True, "encoding": "utf-8", "cwd": tmp_path, **options}
        return subprocess.run(command, env=variables, timeout=60, check=False, **options)  # type: ignore[call-overload,no-any-return]

    return run


@pytest.fixture
def faulty(tmp_path: Path) -> Path:
    path = tmp_path / "train.py"
    path.write_text(FAULTY)
    return path


@pytest.fixture
def evaluation(tmp_path: Path) -> Path:
    """A file with a fault that is found only through ``train.py``, which says what it measures."""
    path = tmp_path / "evaluation.py"
    text = FAULTY.replace("from sklearn.metrics import f1_score\n", "").replace("f1_score(", "measure(")
    head, loop = text.split("\n\n")
    inside = "".join(f"    {line}\n" for line in loop.splitlines())
    path.write_text(f"{head}\n\ndef evaluate(measure, model, X, y):\n{inside}")
    call = "evaluate(f1_score, model, X, y)\n"
    (tmp_path / "train.py").write_text(f"from evaluation import evaluate\nfrom sklearn.metrics import f1_score\n{call}")
    return path


class Engine:
    """Stands in for the check, so that the command is tested alone."""

    def __init__(self) -> None:
        self.report = Report((), (), 0)
        self.calls: list[tuple[tuple[Path, ...], CheckOptions, Stdin]] = []

    def __call__(self, group: CheckGroup, progress: object = None) -> Step:
        def step(report: Report) -> Report:
            rules = group.options.rules - {rule.name for rule in meta_rules()}  # the others are not for the analysis
            self.calls.append((group.paths, replace(group.options, rules=rules), group.stdin))
            return self.report

        return step

    def finds(self, *severities: Severity) -> None:
        location = Location("train.py", None, 9, 7, 9, 22)
        findings = [Finding("mean-of-fold-f", "CVL101", severity, "high", location, "Why.") for severity in severities]
        self.report = Report(tuple(findings), (), 1)


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> Engine:
    stand_in = Engine()
    monkeypatch.setattr("cvlint.workspace.steps.find.analyse", stand_in)
    return stand_in
