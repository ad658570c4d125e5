"""The hooks of .pre-commit-hooks.yaml, run by pre-commit itself on a scratch git repository."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from click.testing import CliRunner

from cvlint.cli import main
from tests.conftest import CLEAN, FAULTY, ROOT, UNGUARDED, Once

SHIPPED = (".pre-commit-hooks.yaml", "LICENSE", "README.md", "pyproject.toml", "cvlint", "rules")
"""The files that an installation needs; git does not list them, because the tests also run without a git folder."""

SHARED = """\
import numpy as np
from sklearn.metrics import f1_score


def experiment(model, X, y, folds):
    scores = []
    for train, test in folds.split(X, y):
        model.fit(X[train], y[train])
        scores.append(f1_score(y[test], model.predict(X[test])))
    print(np.mean(scores))
"""
CALLER = """\
from sklearn.model_selection import StratifiedKFold
from shared import experiment

experiment(model, X, y, StratifiedKFold(5))
"""

Finished = subprocess.CompletedProcess[str]


@dataclass(frozen=True)
class Repository:
    """A git repository, and the variables of a user whose settings for git and pre-commit are the usual ones."""

    folder: Path
    environment: Mapping[str, str]

    def run(self, *command: str) -> Finished:
        return subprocess.run(
            command, cwd=self.folder, env=self.environment, capture_output=True, encoding="utf-8", check=False
        )

    def git(self, *words: str) -> str:
        result = self.run("git", *words)
        assert result.returncode == 0, result.stdout + result.stderr
        return result.stdout

    def add(self, files: Mapping[str, str]) -> None:
        for name, text in files.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        self.git("add", "--all")

    def pre_commit(self, *words: str) -> Finished:
        return self.run(sys.executable, "-m", "pre_commit", *words)


@pytest.fixture(scope="module")
def variables(once: Once, clean_environment: Callable[..., dict[str, str]]) -> Mapping[str, str]:
    people = {f"GIT_{role}_{key}": "test@example.org" for role in ("AUTHOR", "COMMITTER") for key in ("NAME", "EMAIL")}
    return clean_environment(
        *("GIT_", "PRE_COMMIT", "SKIP", "VIRTUAL_ENV"),
        PIP_NO_COMPILE="0",
        PRE_COMMIT_HOME=str(once("pre-commit", lambda folder: None)),  # only one process at a time installs there
        GIT_CONFIG_GLOBAL=os.devnull,
        GIT_CONFIG_NOSYSTEM="1",
        **people,
    )


@pytest.fixture(scope="module")
def shipped(variables: Mapping[str, str], once: Once) -> Repository:
    """The repository that users name in their config: pre-commit clones it and installs it once for all tests."""

    def fill(folder: Path) -> None:
        repository = Repository(folder, variables)
        for name in SHIPPED:
            if (ROOT / name).is_dir():
                shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(ROOT / name, folder / name)
        repository.git("init", "--quiet")
        repository.git("add", "--all")
        repository.git("commit", "--quiet", "--message", "A release")
        repository.git("tag", "v1.0")

    return Repository(once("released", fill), variables)


@pytest.fixture
def scratch(shipped: Repository, tmp_path: Path) -> Repository:
    """A user's repository whose config names both hooks."""
    repository = Repository(tmp_path / "experiments", shipped.environment)
    repository.folder.mkdir()
    repository.git("init", "--quiet")
    hooks = [{"id": "cvlint"}, {"id": "cvlint-fix", "stages": ["manual"]}]
    config = {"repos": [{"repo": str(shipped.folder), "rev": "v1.0", "hooks": hooks}]}
    repository.add({".pre-commit-config.yaml": json.dumps(config)})  # JSON is YAML, too
    return repository


def notebook(code: str) -> str:
    output = {"output_type": "stream", "name": "stdout", "text": ["0.5\n"]}
    cell = {"cell_type": "code", "execution_count": 3, "metadata": {}, "outputs": [output], "source": code}
    return json.dumps({"cells": [cell], "metadata": {"kept": 1}, "nbformat": 4, "nbformat_minor": 4}, indent=1)


def test_a_faulty_file_fails(scratch: Repository) -> None:
    scratch.add({"train.py": FAULTY, "clean.py": CLEAN})
    result = scratch.pre_commit("run", "cvlint")
    assert result.returncode == 1, result.stdout + result.stderr
    assert "- hook id: cvlint\n- exit code: 1\n\ntrain.py:9:7 error mean-of-fold-f" in result.stdout
    assert "Found 1 error in 2 files." in result.stdout


def test_a_clean_file_passes(scratch: Repository) -> None:
    scratch.add({"clean.py": CLEAN})
    result = scratch.pre_commit("run", "cvlint")
    assert result.returncode == 0, result.stdout + result.stderr
    assert result.stdout.endswith("Passed\n")


def test_a_faulty_notebook_fails(scratch: Repository) -> None:
    scratch.add({"train.ipynb": notebook(FAULTY)})
    result = scratch.pre_commit("run", "cvlint")
    assert result.returncode == 1
    assert "train.ipynb:cell 1:9:7 error mean-of-fold-f" in result.stdout


def test_other_files_are_not_handed_over(scratch: Repository) -> None:
    scratch.add({"README.md": FAULTY})
    result = scratch.pre_commit("run", "cvlint")
    assert result.returncode == 0
    assert "(no files to check)Skipped" in result.stdout


def test_only_what_changed_is_checked_at_a_commit(scratch: Repository) -> None:
    scratch.add({"old.py": FAULTY})
    scratch.git("commit", "--quiet", "--message", "Before the hook")
    assert scratch.pre_commit("install").returncode == 0
    scratch.add({"clean.py": CLEAN})
    scratch.git("commit", "--message", "Clean")
    scratch.add({"new.py": FAULTY})
    refused = scratch.run("git", "commit", "--message", "Faulty")
    assert refused.returncode == 1
    assert "new.py:9:7 error mean-of-fold-f" in refused.stderr and "old.py" not in refused.stderr
    assert scratch.git("log", "-1", "--format=%s") == "Clean\n"


def test_the_config_of_the_repository_counts(scratch: Repository) -> None:
    scratch.add({"cvlint.toml": 'per-file-ignores = {"old/" = ["ALL"]}\n', "old/train.py": FAULTY, "new.py": FAULTY})
    result = scratch.pre_commit("run", "cvlint")
    assert result.returncode == 1
    assert re.findall(r"^(\S+):9:7 error", result.stdout, re.MULTILINE) == ["new.py"]


def test_excluded_files_are_not_checked(scratch: Repository) -> None:
    """Also when pre-commit names them."""
    scratch.add({"cvlint.toml": 'exclude = ["old/"]\n', "old/train.py": FAULTY, "old/f.py": UNGUARDED})
    result = scratch.pre_commit("run", "cvlint", "--files", "old/train.py", "old/f.py")
    assert result.returncode == 0, result.stdout
    assert scratch.pre_commit("run", "cvlint-fix", "--hook-stage", "manual", "--all-files").returncode == 0
    assert (scratch.folder / "old/f.py").read_text(encoding="utf-8") == UNGUARDED
    scratch.add({"new.py": FAULTY})
    result = scratch.pre_commit("run", "cvlint", "--all-files")
    assert result.returncode == 1
    assert re.findall(r"^(\S+):9:7 error", result.stdout, re.MULTILINE) == ["new.py"]
    assert "Found 1 error in 1 file." in result.stdout


def test_known_findings_pass(scratch: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    scratch.add({"cvlint.toml": 'baseline = ".cvlint-baseline.json"\n', "train.py": FAULTY})
    monkeypatch.chdir(scratch.folder)
    written = CliRunner().invoke(main, ["check", "--write-baseline", ".cvlint-baseline.json"])
    assert written.exit_code == 0, written.output
    scratch.git("add", "--all")
    assert scratch.pre_commit("run", "cvlint").returncode == 0
    scratch.add({"new.py": FAULTY})
    result = scratch.pre_commit("run", "cvlint")
    assert result.returncode == 1
    assert "new.py:9:7 error mean-of-fold-f" in result.stdout and "train.py:" not in result.stdout


@pytest.mark.parametrize("hook", ["cvlint", "cvlint-fix"])
def test_many_files_are_one_process(scratch: Repository, hook: str) -> None:
    """Each of several processes would report the one fault that all files lead to."""
    scratch.add({"shared.py": SHARED, **{f"run{number}.py": CALLER for number in range(60)}})
    result = scratch.pre_commit("run", hook, "--hook-stage", "manual", "--all-files")
    assert result.returncode == 1
    assert re.findall(r"^Found .*$", result.stdout, re.MULTILINE) == ["Found 1 error in 61 files."]


@pytest.mark.parametrize(("name", "write"), [("f.py", str), ("f.ipynb", notebook)])
def test_the_fix_hook_changes_the_file(scratch: Repository, name: str, write: Callable[[str], str]) -> None:
    scratch.add({name: write(UNGUARDED), "clean.py": CLEAN})
    first = scratch.pre_commit("run", "cvlint-fix", "--hook-stage", "manual")
    assert first.returncode == 1
    assert "files were modified by this hook" in first.stdout and "Fixed 1 finding in 1 file." in first.stdout
    fixed = UNGUARDED.replace("(tp + fp)\n", "(tp + fp) if tp + fp else 0.0\n")
    fixed = fixed.replace("(tp + fn)\n", "(tp + fn) if tp + fn else 0.0\n")
    fixed = fixed.replace("(precision + recall)\n", "(precision + recall) if precision + recall else 0.0\n")
    assert (scratch.folder / name).read_text(encoding="utf-8") == write(fixed)
    scratch.git("add", "--all")
    assert scratch.pre_commit("run", "cvlint-fix", "--hook-stage", "manual").returncode == 0


def test_the_fix_hook_reports_what_it_cannot_fix(scratch: Repository) -> None:
    scratch.add({"train.py": FAULTY})
    result = scratch.pre_commit("run", "cvlint-fix", "--hook-stage", "manual")
    assert result.returncode == 1
    assert "train.py:9:7 error mean-of-fold-f" in result.stdout and "modified" not in result.stdout
    assert (scratch.folder / "train.py").read_text(encoding="utf-8") == FAULTY
