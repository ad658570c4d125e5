"""``cvlint check`` with a stand-in for the engine: options, statuses, refusals, formats."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cvlint.findings import Report, Severity, Unread
from cvlint.rules import load_rules


@pytest.mark.parametrize(
    ("found", "options", "status"),
    [
        ([], [], 0),
        (["note"], [], 0),
        (["warning"], [], 1),
        (["error"], [], 1),
        (["note", "error"], [], 1),
        (["note"], ["--strict"], 1),
        ([], ["--strict"], 0),
        (["error"], ["--exit-zero"], 0),
        (["note"], ["--strict", "--exit-zero"], 0),
    ],
)
def test_exit_status(run: Any, engine: Any, found: list[Severity], options: list[str], status: int) -> None:
    engine.finds(*found)
    assert run("check", *options).exit_code == status


def test_defaults(run: Any, engine: Any) -> None:
    result = run("check")
    assert result.exit_code == 0
    (paths, options, stdin) = engine.calls[0]
    assert paths == (Path("."),)
    assert stdin is None
    assert options.rules == frozenset(rule.name for rule in load_rules() if rule.enabled)
    assert (options.confidence, options.exclude, options.jobs) == ("medium", (), 0)


def test_files_that_cannot_be_read_do_not_fail_the_run(run: Any, engine: Any) -> None:
    engine.report = Report((), (Unread("old.py", "not valid Python 3", 3), Unread("a\n.py", "cannot be read")), 2)
    result = run("check")
    assert result.exit_code == 0
    assert result.stderr == "old.py:3: not valid Python 3\na\N{REPLACEMENT CHARACTER}.py: cannot be read\n"
    assert result.stdout == "No faults found in 2 files; 2 files could not be read in full.\n"
    result = run("check", "--format", "concise")
    assert (result.stdout, result.stderr.count("\n")) == ("", 2)
    result = run("check", "--format", "json")
    assert result.stderr == ""
    assert json.loads(result.stdout)["errors"][0] == {"path": "old.py", "line": 3, "message": "not valid Python 3"}


def names(*starts: str) -> frozenset[str]:
    return frozenset(rule.name for rule in load_rules() if rule.code.startswith(starts))


@pytest.mark.parametrize(
    ("options", "rules"),
    [
        (["--select", "mean-of-fold-f"], names("CVL101")),
        (["--select", "CVL101"], names("CVL101")),
        (["--select", "cvl101"], names("CVL101")),
        (["--select", "CVL1"], names("CVL1")),
        (["--select", "ALL"], names("CVL")),
        (["--select", "all"], names("CVL")),
        (["--select", "CVL101, CVL2"], names("CVL101", "CVL2")),
        (["--select", "CVL101", "--select", "auc-merge,"], names("CVL101", "CVL201")),
        (["--select", "ALL", "--ignore", "CVL1"], names("CVL") - names("CVL1")),
        (["--select", "CVL1", "--ignore", "mean-of-fold-f"], names("CVL1") - names("CVL101")),
    ],
)
def test_selection(run: Any, engine: Any, options: list[str], rules: frozenset[str]) -> None:
    assert run("check", *options).exit_code == 0
    assert engine.calls[0][1].rules == rules


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (
            ["chekc"],
            ["no command 'chekc'", "completion, config, ", "did you mean 'check'?"],
        ),
        (["check", "--selct", "ALL"], ["no option '--selct'", "--confidence, ", "did you mean '--select'?"]),
        (["--nonsense"], ["no option '--nonsense'"]),
        (["check", "--select"], ["--select"]),
        (["check", "--select", "mean-of-fold-g"], ["'mean-of-fold-g'", "did you mean 'mean-of-fold-f'?"]),
        (["check", "--ignore", "CVL191"], ["--ignore names 'CVL191'", "did you mean 'CVL1", "cvlint rules"]),
        (["check", "--select", "CVL9"], ["'CVL9'", "no such rule"]),
        (["check", "--select", ","], ["--select names no rule"]),
        (["check", "--ignore", "ALL"], ["No rule is left"]),
        (["check", "--format", "jsn"], ["--format cannot be 'jsn'", "text, concise, json", "did you mean 'json'?"]),
        (["check", "--confidence", "hihg"], ["high, medium, low", "did you mean 'high'?"]),
        (["check", "--jobs", "many"], ["--jobs cannot be 'many'", "whole number"]),
        (["check", "--jobs", "-1"], ["--jobs cannot be '-1'"]),
        (["check", "trian.py"], ["no file or folder 'trian.py'", "did you mean 'train.py'?"]),
        (["check", "no/such.py"], ["no file or folder 'no/such.py'"]),
        (["check", "train.py/x"], ["no file or folder 'train.py/x'"]),
        (["check", ""], ["no file or folder ''"]),
        (["check", "a\0b"], ["no file or folder"]),
        (["check", "--stdin-filename", "a.py"], ["needs '-'"]),
        (["check", "--output", "."], ["--output cannot be '.'"]),
        (["check", "--output", ""], ["--output cannot be ''"]),
        (["check", "--output", "no/such.txt"], ["no folder 'no'"]),
        (["rule"], ["NAME"]),
        (["rule", "CVL1x1"], ["no rule 'CVL1x1'", "did you mean"]),
        (["rule", "mean-of-fold"], ["no rule 'mean-of-fold'", "did you mean 'mean-of-fold-"]),
        (["rules", "too", "many"], ["too many"]),
    ],
)
def test_refusals_are_one_sentence(run: Any, engine: Any, faulty: Path, arguments: list[str], says: list[str]) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith("cvlint: ")
    assert result.stderr.count("\n") == 1
    assert result.stderr.rstrip("\n")[-1] in ".?"
    for words in says:
        assert words in result.stderr
    assert engine.calls == []


def test_output_file(run: Any, engine: Any, faulty: Path, tmp_path: Path) -> None:
    engine.finds("error")
    result = run("check", "--output", "report.txt")
    assert (result.exit_code, result.output) == (1, "")
    assert (tmp_path / "report.txt").read_text() == run("check").stdout


def test_standard_input(run: Any, engine: Any) -> None:
    run("check", "-", input="x = 1\n")
    run("check", "-", "--stdin-filename", "a/b.py", input=b"\xff\n")
    assert engine.calls[0][0] == ()
    assert engine.calls[0][2] == ("<stdin>", b"x = 1\n")
    assert engine.calls[1][2] == ("a/b.py", b"\xff\n")


def test_interrupt_is_quiet(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*args: object, **options: object) -> Report:
        raise KeyboardInterrupt

    monkeypatch.setattr("cvlint.check.check", interrupted)
    result = run("check")
    assert result.exit_code == 130
    assert result.output.strip() == ""


def test_a_fault_of_ours_is_not_a_finding(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*args: object, **options: object) -> Report:
        raise ZeroDivisionError

    monkeypatch.setattr("cvlint.check.check", broken)
    result = run("check")
    assert result.exit_code == 2
    assert "ZeroDivisionError" in result.stderr
    assert result.stderr.endswith(
        "\ncvlint: This is a fault of cvlint itself; please report it with the lines above.\n"
    )


def test_no_command_shows_the_help(run: Any) -> None:
    result = run()
    assert result.exit_code == 2
    assert "check" in result.stderr
    assert run("--help").exit_code == 0
    assert run("check", "-h").exit_code == 0
    assert run("--version").stdout.startswith("cvlint ")
