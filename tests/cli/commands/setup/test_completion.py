"""Shell completion: the scripts, and the words that the command offers to a shell."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from cvlint.cli.commands.setup.completion import SHELLS
from cvlint.rules.comment_rules import all_rules
from tests.conftest import ROOT


def offered(process: Any, *typed: str) -> list[tuple[str, str]]:
    """The kind and the value of each completion of the last word."""
    variables = {
        "_CVLINT_COMPLETE": "bash_complete",
        "COMP_WORDS": " ".join(["cvlint", *typed]),
        "COMP_CWORD": str(len(typed)),
    }
    result = process(env=variables)
    assert (result.returncode, result.stderr) == (0, "")
    return [tuple(line.split(",", 1)) for line in result.stdout.splitlines() if line]


def values(process: Any, *typed: str) -> list[str]:
    return [value for _, value in offered(process, *typed)]


def test_commands_and_options(process: Any) -> None:
    assert values(process, "con") == ["config"]
    assert {"check", "completion", "config", "rule"} <= set(values(process, ""))
    assert values(process, "check", "--sel") == ["--select"]


def test_rules_by_name_and_code(process: Any) -> None:
    assert values(process, "check", "--select", "auc-") == ["auc-merge", "auc-hard-labels"]
    assert values(process, "check", "--ignore", "cvl10") == [r.code for r in all_rules() if r.code[:5] == "CVL10"]
    assert values(process, "run", "--select", "mean-of-b") == ["mean-of-batch-f"]
    assert values(process, "rule", "CVL20") == ["CVL201", "CVL202", "CVL203"]
    assert len(values(process, "rule", "")) == 2 * len(all_rules())


def test_a_list_of_rules_goes_on_after_the_comma(process: Any) -> None:
    assert values(process, "check", "--select", "CVL1,auc-m") == ["CVL1,auc-merge"]


def test_words_that_an_option_can_be(process: Any) -> None:
    assert values(process, "check", "--format", "js")[0] == "json"
    assert values(process, "check", "--confidence", "") == ["high", "medium", "low"]
    assert values(process, "check", "--min-severity", "") == ["error", "warning", "note"]
    assert values(process, "check", "--report", "j") == ["json:", "jsonl:", "junit:"]
    assert values(process, "completion", "") == list(SHELLS)
    assert values(process, "simulate", "--figure", "a") == ["all"]


@pytest.mark.parametrize(
    "typed",
    [
        ["check", "tr"],
        ["check", "--output", "o"],
        ["config", "tr"],
        ["run", "tr"],
        ["run", "a.py", "tr"],
        ["report", "folds"],
    ],
)
def test_files(process: Any, typed: list[str]) -> None:
    assert offered(process, *typed) == [("file", typed[-1])]


def test_options_without_a_list_of_values(process: Any) -> None:
    assert offered(process, "rules", "--check", "r") == [("dir", "r")]
    assert offered(process, "check", "--jobs", "") == []
    assert offered(process, "recompute", "--beta", "") == []


def test_an_unknown_command_is_no_error_during_completion(process: Any) -> None:
    offered(process, "chekc", "--sel")


def test_rules_of_the_project(process: Any, tmp_path: Path) -> None:
    (shipped,) = (ROOT / "rules").glob("CVL101-*.toml")
    own = shipped.read_text().replace('"CVL101"', '"LAB101"').replace('"mean-of-fold-f"', '"lab-rule"')
    (tmp_path / "lab.toml").write_text(own)
    (tmp_path / "cvlint.toml").write_text('extend-rules = ["lab.toml"]\n')
    assert values(process, "check", "--select", "lab") == ["lab-rule", "LAB101"]
    (tmp_path / "cvlint.toml").write_text("broken")
    assert values(process, "check", "--select", "auc-m") == ["auc-merge"]


@pytest.mark.parametrize("shell", SHELLS)
def test_scripts(run: Any, shell: str) -> None:
    result = run("completion", shell)
    assert result.exit_code == 0
    assert f"_CVLINT_COMPLETE={shell}_complete" in result.stdout
    assert result.stderr == ""


@pytest.mark.parametrize("shell", SHELLS)
def test_shells_can_read_the_scripts(run: Any, shell: str, tmp_path: Path) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    (tmp_path / "script").write_text(run("completion", shell).stdout)
    result = subprocess.run([shell, "-n", "script"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stderr) == (0, "")


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
def test_bash_completes(run: Any, tmp_path: Path, environment: dict[str, str]) -> None:
    script = run("completion", "bash").stdout
    (tmp_path / "cvlint").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m cvlint "$@"\n')
    (tmp_path / "cvlint").chmod(0o755)
    asks = 'COMP_WORDS=(cvlint rule mean-of-fold-r); COMP_CWORD=2; _cvlint_completion cvlint; echo "${COMPREPLY[@]}"\n'
    environment["PATH"] = f"{tmp_path}{os.pathsep}{environment['PATH']}"
    result = subprocess.run(
        ["bash", "--norc", "-c", script + asks], env=environment, capture_output=True, text=True, check=True
    )
    assert result.stdout == "mean-of-fold-ratio\n"


def test_an_unknown_shell(run: Any) -> None:
    result = run("completion", "tcsh")
    assert result.exit_code == 2
    assert "shell 'tcsh'; did you mean 'zsh'? Valid are bash, zsh, fish." in result.stderr
