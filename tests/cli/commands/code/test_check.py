"""``cvlint check`` with a stand-in for the engine: options, statuses, refusals, formats."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cvlint.cli import COMMANDS
from cvlint.findings.finding import Report, Severity
from cvlint.rules.catalogue import load_rules
from cvlint.source.unread_file import UnreadFile


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
        (["error"], ["--fail-on", "error"], 1),
        (["warning", "note"], ["--fail-on", "error"], 0),
        (["warning"], ["--fail-on", "warning"], 1),
        (["note"], ["--fail-on", "warning"], 0),
        (["note"], ["--fail-on", "note"], 1),
        ([], ["--fail-on", "note"], 0),
        (["error"], ["--fail-on", "never"], 0),
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


FAILS = "cvlint: The check fails because 2 files could not be read; exclude what is no code of yours, or let it pass "


def test_files_that_cannot_be_read_fail_the_check(run: Any, engine: Any) -> None:
    unread = (UnreadFile("old.py", "not valid Python 3", 3), UnreadFile("a\n.py", "cannot be read"))
    engine.report = Report((), unread, 3)
    result = run("check")
    assert result.exit_code == 1
    assert result.stderr == (
        f"old.py:3: not valid Python 3\na\N{REPLACEMENT CHARACTER}.py: cannot be read\n{FAILS}with --ignore-errors.\n"
    )
    assert result.stdout == "No faults found in 3 files; 2 files could not be read in full.\n"
    for options in (["--ignore-errors"], ["--exit-zero"], ["--fail-on", "never"]):
        passed = run("check", *options)
        assert (passed.exit_code, passed.stderr.count("\n")) == (0, 2)
    engine.report = Report((), unread, 2)
    assert run("check").exit_code == 2
    result = run("check", "--format", "concise")
    assert (result.stdout, result.stderr.count("\n")) == ("", 3)
    result = run("check", "--format", "json")
    assert result.stderr.startswith(FAILS)
    assert json.loads(result.stdout)["errors"][0] == {"path": "old.py", "line": 3, "message": "not valid Python 3"}


def test_files_that_are_checked_in_part_fail_no_check(run: Any, engine: Any) -> None:
    engine.report = Report((), (UnreadFile("old.py", "read as Python 2", 3, is_checked=True),), 1)
    assert run("check").exit_code == 0


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
        (["--select", "CVL101", "--extend-select", "CVL2,CVL301"], names("CVL101", "CVL2", "CVL301")),
        (
            ["--select", "CVL1", "--extend-select", "CVL201", "--ignore", "CVL101,CVL201"],
            names("CVL1") - names("CVL101"),
        ),
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
            ["no command 'chekc'", ", ".join(sorted(COMMANDS)), "did you mean 'check'?"],
        ),
        (
            ["check", "--selct", "ALL"],
            ["no option '--selct'; did you mean '--select'?", "check --help` explains"],
        ),
        (["--nonsense"], ["no option '--nonsense'"]),
        (["check", "--select"], ["--select"]),
        (["check", "--select", "mean-of-fold-g"], ["'mean-of-fold-g'", "did you mean 'mean-of-fold-f'?"]),
        (["check", "--ignore", "CVL191"], ["--ignore names 'CVL191'", "did you mean 'CVL1", "cvlint rules"]),
        (["check", "--select", "CVL9"], ["'CVL9'", "no such rule; the codes begin with CVL0, CVL1, CVL2"]),
        (["rule", "CVL9"], ["There is no rule 'CVL9'; the codes begin with CVL0, CVL1, CVL2"]),
        (["rule", "cvl2"], ["There is no rule 'cvl2'; the codes that begin like this are CVL201, CVL202, CVL203.\n"]),
        (["rule", "CVL1011"], ["There is no rule 'CVL1011'; the codes begin with CVL0, CVL1, CVL2"]),
        (["--selct", "CVL1"], ["no option '--selct' before a command; did you mean `cvlint check --select`?"]),
        (["--versoin"], ["There is no option '--versoin'; did you mean '--version'?"]),
        (["train.py"], ["no command 'train.py'; did you mean `cvlint check train.py`?"]),
        (["new.py", "-q", "other one.py"], ["did you mean `cvlint check new.py 'other one.py'`?"]),
        (["check", "-v", "--format", "json"], ["--verbose and --format cannot go together"]),
        (["check", "-v", "-q"], ["--verbose and --quiet cannot go together"]),
        (["check", "--color", "alwys"], ["--color cannot be 'alwys'; did you mean 'always'?"]),
        (["check", "--select", ","], ["--select names no rule"]),
        (["check", "--ignore", "ALL"], ["No rule is left"]),
        (
            ["check", "--format", "jsn"],
            ["--format cannot be 'jsn'; did you mean 'json'?", "text, full, concise, json"],
        ),
        (["check", "--confidence", "hihg"], ["high, medium, low", "did you mean 'high'?"]),
        (["check", "--extend-select", "CVL9"], ["--extend-select names 'CVL9'", "no such rule"]),
        (["check", "--fail-on", "eror"], ["--fail-on cannot be 'eror'", "never", "did you mean 'error'?"]),
        (["check", "--fail-on", "note", "--strict"], ["--fail-on and --strict cannot go together"]),
        (["check", "--fail-on", "error", "--exit-zero"], ["--fail-on and --exit-zero cannot go together"]),
        (["check", "--config", "trian.py"], ["no file or folder 'trian.py'", "did you mean 'train.py'?"]),
        (["check", "--config", "train.py"], ["train.py is not valid TOML"]),
        (["check", "--config", "."], ["cannot be read"]),
        (["check", "--config", "train.py", "--isolated"], ["--config and --isolated cannot go together"]),
        (["check", "--ignore-noqa", "--show-suppressed"], ["--ignore-noqa and --show-suppressed"]),
        (["check", "--ignore-noqa", "--require-reason"], ["--ignore-noqa and --require-reason"]),
        (["check", "--ignore-noqa", "--add-ignores"], ["--ignore-noqa and --add-ignores"]),
        (["check", "--ignore-noqa", "--select", "CVL001"], ["No rule is left", "--ignore-noqa reads no comments"]),
        (["check", "--show-files", "--fix"], ["--show-files and --fix cannot go together"]),
        (["check", "--show-files", "--statistics"], ["--show-files and --statistics"]),
        (["check", "--show-files", "--watch"], ["--show-files and --watch"]),
        (["check", "--show-files", "--format", "json"], ["--show-files and --format", "no formats"]),
        (["check", "--show-files", "--baseline", "b"], ["--show-files and --baseline", "holds no findings"]),
        (["check", "--show-files", "--capture", "c"], ["--show-files and --capture"]),
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
def test_usage_errors_are_one_sentence(
    run: Any, engine: Any, faulty: Path, arguments: list[str], says: list[str]
) -> None:
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


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Scripts and a notebook, some of which git ignores or the config excludes."""
    (tmp_path / ".git").mkdir()
    (tmp_path / ".gitignore").write_text("made/\n")
    (tmp_path / "cvlint.toml").write_text('exclude = ["old/", "*_copy.py"]\n')
    for name in ("a.py", "b_copy.py", "c.ipynb", "made/d.py", "old/e.py", "old/deep/f.py", "sub/g.py", "data.csv"):
        (tmp_path / name).parent.mkdir(exist_ok=True, parents=True)
        (tmp_path / name).write_text("")
    return tmp_path


def test_the_files_that_would_be_checked(run: Any, engine: Any, project: Path) -> None:
    result = run("check", "--show-files")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "a.py\nc.ipynb\nsub/g.py\n", "")
    assert run("check", "--show-files", "sub", "old/e.py").stdout == "sub/g.py\nold/e.py\n"
    assert run("check", "--show-files", "--isolated", "old").stdout == "old/deep/f.py\nold/e.py\n"
    assert run("check", "--show-files", "-", "--stdin-filename", "x.py", input="").stdout == "x.py\n"
    assert run("check", "--show-files", "--output", "list").output == ""
    assert (project / "list").read_text() == result.stdout
    assert engine.calls == []


def test_excluded_files_that_are_named(run: Any, engine: Any, project: Path) -> None:
    named = ("old/deep/f.py", "a.py", str(project / "b_copy.py"), "old")
    assert run("check", *named).exit_code == 0
    assert engine.calls[-1][0] == tuple(map(Path, named))
    assert run("check", "--force-exclude", *named).exit_code == 0
    assert engine.calls[-1][0] == (Path("a.py"),)
    assert run("check", "--force-exclude", "--isolated", *named).exit_code == 0
    assert engine.calls[-1][0] == tuple(map(Path, named))
    assert run("check", "--force-exclude", "old/e.py").exit_code == 0
    assert engine.calls[-1][0] == ()


def test_the_command_line_excludes_more(run: Any, engine: Any, project: Path) -> None:
    assert run("check", "--show-files", "--exclude", "sub/", "--exclude", "*.ipynb").stdout == "a.py\n"
    assert run("check", "--show-files", "--exclude", "sub/", "sub/g.py").stdout == "sub/g.py\n"
    assert run("check", "--show-files", "--exclude", "sub/", "--force-exclude", "sub/g.py").stdout == ""
    run("check", "--exclude", "sub/")
    folder = str(project.resolve())
    assert engine.calls[-1][1].exclude == ((folder, "old/"), (folder, "*_copy.py"), "sub/")
    refused = run("check", "--exclude", "!")
    assert (refused.exit_code, "The option --exclude has the pattern '!'" in refused.stderr) == (2, True)


def test_excluded_standard_input(run: Any, engine: Any, project: Path) -> None:
    run("check", "-", "--stdin-filename", "old/e.py", "--force-exclude", input="x = 1\n")
    run("check", "-", "--stdin-filename", "sub/e.py", "--force-exclude", input="x = 1\n")
    assert [stdin for _, _, stdin in engine.calls] == [None, ("sub/e.py", b"x = 1\n")]


def test_a_config_file_that_is_named(run: Any, engine: Any, tmp_path: Path) -> None:
    (tmp_path / "cvlint.toml").write_text('select = ["CVL2"]\n')
    (tmp_path / "ci").mkdir()
    (tmp_path / "ci" / "strict.toml").write_text('select = ["CVL1"]\nbaseline = "known.json"\n')
    (tmp_path / "ci" / "known.json").write_text('{"version": 1, "findings": []}\n')
    (tmp_path / "ci" / "pyproject.toml").write_text('[tool.cvlint]\nextend = "strict.toml"\nignore = ["CVL101"]\n')
    assert run("check", "--config", "ci/strict.toml").exit_code == 0
    assert engine.calls[-1][1].rules == names("CVL1")
    assert run("check", "--config", "ci/pyproject.toml").exit_code == 0
    assert engine.calls[-1][1].rules == names("CVL1") - names("CVL101")
    assert run("check", "--config", "ci/pyproject.toml", "--extend-select", "CVL101,CVL201").exit_code == 0
    assert engine.calls[-1][1].rules == names("CVL1", "CVL201")
    shown = json.loads(run("config", "--config", "ci/pyproject.toml", "--format", "json").stdout)
    assert shown["files"] == [str(tmp_path / "ci" / "pyproject.toml"), str(tmp_path / "ci" / "strict.toml")]
    (tmp_path / "pyproject.toml").write_text("[project]\n")
    assert "has no section [tool.cvlint]" in run("check", "--config", "pyproject.toml").stderr


def test_no_config_file(run: Any, engine: Any, tmp_path: Path) -> None:
    (tmp_path / "cvlint.toml").write_text("nonsense = 1\n")
    assert run("check").exit_code == 2
    assert run("check", "--isolated").exit_code == 0
    assert engine.calls[0][1].rules == frozenset(rule.name for rule in load_rules() if rule.enabled)
    assert json.loads(run("config", "--isolated", "--format", "json").stdout)["files"] == []


def test_comments_can_be_ignored(run: Any, faulty: Path) -> None:
    faulty.write_text(
        faulty.read_text().replace("(scores))", "(scores))  # noqa: CVL101") + "x = 1  # cvlint: ignore\n"
    )
    assert run("check", "--fail-on", "error").exit_code == 0
    result = run("check", "--ignore-noqa", "--format", "json")
    assert result.exit_code == 1
    assert [finding["code"] for finding in json.loads(result.stdout)["findings"]] == ["CVL101"]


def test_standard_input(run: Any, engine: Any) -> None:
    run("check", "-", input="x = 1\n")
    run("check", "-", "--stdin-filename", "a/b.py", input=b"\xff\n")
    assert engine.calls[0][0] == ()
    assert engine.calls[0][2] == ("<stdin>", b"x = 1\n")
    assert engine.calls[1][2] == ("a/b.py", b"\xff\n")


def test_interrupt_is_quiet(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*args: object, **options: object) -> Report:
        raise KeyboardInterrupt

    monkeypatch.setattr("cvlint.workspace.steps.find.analyse", interrupted)
    result = run("check")
    assert result.exit_code == 130
    assert result.output.strip() == ""


def test_an_internal_error_is_not_a_finding(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*args: object, **options: object) -> Report:
        raise ZeroDivisionError

    monkeypatch.setattr("cvlint.workspace.steps.find.analyse", broken)
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
