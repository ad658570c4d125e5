"""``cvlint check --fix``, ``--unsafe-fixes`` and ``--diff``."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

SAFE = """tp = len(found & wanted)
fp = len(found - wanted)
fn = len(wanted - found)
precision = tp / (tp + fp)
recall = tp / (tp + fn)
f1 = 2 * precision * recall / (precision + recall)
print(f1)
"""


@pytest.fixture
def formula(tmp_path: Path) -> Path:
    path = tmp_path / "formula.py"
    path.write_text(SAFE)
    return path


def test_safe_fixes_alone(run: Any, faulty: Path, formula: Path) -> None:
    before = faulty.read_text()
    result = run("check", "--format", "concise", "--fix")
    assert result.exit_code == 1
    assert result.stdout.startswith("train.py:9:7: CVL101") and result.stdout.count("\n") == 1
    assert result.stderr == "Fixed 1 finding in 1 file. 1 more fix may change reported numbers: see --unsafe-fixes.\n"
    assert faulty.read_text() == before
    assert "if precision + recall else 0.0" in formula.read_text()


def test_unsafe_fixes_too(run: Any, faulty: Path) -> None:
    result = run("check", "--fix", "--unsafe-fixes")
    assert (result.exit_code, result.stderr) == (0, "Fixed 1 finding in 1 file.\n")
    assert result.stdout == "No faults found in 1 file.\n"
    assert "f1_score(np.concatenate(true_labels), np.concatenate(predictions))" in faulty.read_text()
    again = faulty.read_text()
    assert run("check", "--fix", "--unsafe-fixes").stderr == "Fixed 0 findings in 0 files.\n"
    assert faulty.read_text() == again


def test_the_report_is_of_what_remains(run: Any, faulty: Path, formula: Path) -> None:
    result = run("check", "--format", "json", "--fix", ".")
    assert [f["rule"] for f in json.loads(result.stdout)["findings"]] == ["mean-of-fold-f"]


def test_diff_writes_nothing(run: Any, faulty: Path) -> None:
    before = faulty.read_text()
    result = run("check", "--diff", "--unsafe-fixes")
    assert result.exit_code == 1
    assert result.stdout.startswith("--- train.py\n+++ train.py\n@@ ")
    assert "\n-print(np.mean(scores))\n" in result.stdout and "\n+print(f1_score(" in result.stdout
    assert result.stderr == "Would fix 1 finding in 1 file.\n"
    assert faulty.read_text() == before
    assert run("check", "--diff", "--unsafe-fixes", "--exit-zero").exit_code == 0
    assert run("check", "--diff").exit_code == 0  # there are no safe fixes


def test_a_diff_can_be_applied(run: Any, faulty: Path, tmp_path: Path) -> None:
    faulty.write_text(faulty.read_text().rstrip("\n"))
    result = run("check", "--diff", "--unsafe-fixes", "--output", "fixes.diff")
    assert (result.exit_code, result.stdout) == (1, "")
    subprocess.run(["git", "apply", "-p0", "fixes.diff"], cwd=tmp_path, check=True)
    assert run("check").exit_code == 0


def test_a_diff_of_standard_input(run: Any, faulty: Path) -> None:
    result = run("check", "--diff", "--unsafe-fixes", "--stdin-filename", "a.py", "-", input=faulty.read_text())
    assert result.exit_code == 1 and result.stdout.startswith("--- a.py\n+++ a.py\n")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--unsafe-fixes"], "The option --unsafe-fixes needs --fix, which makes the fixes, or --diff"),
        (["--fix", "-"], "The option --fix writes into files, and so it cannot be used with standard input"),
        (["--fix", "--add-ignores"], "The options --fix and --add-ignores cannot go together"),
        (["--diff", "--write-baseline", "b.json"], "The options --diff and --write-baseline cannot go together"),
    ],
)
def test_refusals(run: Any, faulty: Path, options: list[str], message: str) -> None:
    result = run("check", *options, input="")
    assert result.exit_code == 2 and result.stderr.startswith(f"cvlint: {message}")


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="permissions bind ordinary users only")
def test_a_file_that_cannot_be_written(run: Any, faulty: Path) -> None:
    faulty.chmod(0o444)
    result = run("check", "--fix", "--unsafe-fixes")
    assert result.exit_code == 1
    assert result.stderr.startswith("train.py: cannot be fixed, because it cannot be written: ")


def test_suppressed_and_known_findings_are_left_alone(run: Any, faulty: Path) -> None:
    text = faulty.read_text().replace("np.mean(scores))", "np.mean(scores))  # cvlint: ignore[CVL101] so be it")
    faulty.write_text(text)
    assert run("check", "--fix", "--unsafe-fixes").exit_code == 0
    assert faulty.read_text() == text
    faulty.write_text(text.partition("  # cvlint")[0] + "\n")
    assert run("check", "--write-baseline", "known.json").exit_code == 0
    assert run("check", "--baseline", "known.json", "--fix", "--unsafe-fixes").exit_code == 0
    assert "np.mean(scores)" in faulty.read_text()


def test_modules_of_the_project_are_read_anew(run: Any, faulty: Path, tmp_path: Path) -> None:
    """The check after the fixes sees the fixed text of what a file imports."""
    faulty.write_text("def evaluate(model, X, y):\n    " + faulty.read_text().replace("\n", "\n    ").rstrip() + "\n")
    (tmp_path / "main.py").write_text("from train import evaluate\nevaluate(model, X, y)\n")
    assert run("check", "--fix", "--unsafe-fixes").stdout == "No faults found in 2 files.\n"
