from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from cvlint.findings.finding import Finding, Report, Severity
from cvlint.rules.catalogue import load_rules
from cvlint.rules.comment_rules import all_rules
from cvlint.source.location import Location
from cvlint.workspace.settings.config import KEYS
from cvlint.workspace.settings.nearest_config import find_config

ROOT = Path(__file__).parents[4]


def ran_with(engine: Any) -> Any:
    return engine.calls[-1][1]


def test_pyproject(run: Any, engine: Any, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(
        '[tool.cvlint]\nselect = ["CVL1"]\nignore = ["CVL101"]\nexclude = ["old/"]\nconfidence = "high"\n'
    )
    assert run("check").exit_code == 0
    options = ran_with(engine)
    assert options.rules == {r.name for r in load_rules() if r.code.startswith("CVL1") and r.code != "CVL101"}
    assert options.exclude == ((str(tmp_path.resolve()), "old/"),)
    assert options.confidence == "high"


def test_the_command_line_wins(run: Any, engine: Any, tmp_path: Path) -> None:
    (tmp_path / "cvlint.toml").write_text('select = ["CVL2"]\nignore = ["auc-merge"]\nconfidence = "high"\n')
    run("check", "--select", "auc-merge", "--confidence", "low")
    assert ran_with(engine).rules == {"auc-merge"}
    assert ran_with(engine).confidence == "low"
    run("check", "--ignore", "CVL202", "--select", "CVL1,CVL202")
    assert "ranking-merge" not in ran_with(engine).rules


def test_ignore_on_the_command_line_adds(run: Any, engine: Any, tmp_path: Path) -> None:
    (tmp_path / "cvlint.toml").write_text('ignore = ["CVL1"]\n')
    run("check", "--ignore", "CVL2")
    assert ran_with(engine).rules == {r.name for r in load_rules() if r.code[3] not in "12" and r.enabled}


def test_the_nearest_file_counts(run: Any, engine: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    (tmp_path / "pyproject.toml").write_text('[tool.cvlint]\nselect = ["CVL101"]\n')
    (tmp_path / "a" / "pyproject.toml").write_text("this is [broken, but not ours")
    monkeypatch.chdir(inner)
    run("check")
    assert ran_with(engine).rules == {"mean-of-fold-f"}
    (tmp_path / "a" / "cvlint.toml").write_text('select = ["CVL201"]\n')
    run("check")
    assert ran_with(engine).rules == {"auc-merge"}


@pytest.fixture
def projects(faulty: Path, tmp_path: Path) -> Path:
    """Two projects in one repository, each with a file that has a fault."""
    for name in ("one", "two"):
        (tmp_path / name / "src").mkdir(parents=True)
        (tmp_path / name / "src" / "a.py").write_text(faulty.read_text())
    return tmp_path


def test_each_file_uses_the_nearest_config(
    run: Any, projects: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (projects / "cvlint.toml").write_text('severity = {CVL1 = "note"}\n')
    (projects / "one" / "cvlint.toml").write_text('ignore = ["CVL101"]\n')
    (projects / "two" / "pyproject.toml").write_text('[tool.cvlint]\nseverity = {CVL1 = "warning"}\n')
    everything = [("train.py", "mean-of-fold-f", "note"), ("two/src/a.py", "mean-of-fold-f", "warning")]
    assert shown(run("check", "--format", "json")) == everything
    assert shown(run("check", "--format", "json", ".", "two", "one/src/a.py", "two/src")) == everything
    assert run("check", "one").stdout == run("check", "one/src/a.py").stdout == "No faults found in 1 file.\n"
    source = (projects / "one/src/a.py").read_text()
    assert run("check", "-", "--stdin-filename", "one/src/new.py", input=source).exit_code == 0
    assert run("check", "--isolated", "one").exit_code == run("check", "--config", "cvlint.toml", "two").exit_code + 1
    assert in_force(run, "two/src/a.py")["files"] == [str(projects / "two" / "pyproject.toml")]
    assert in_force(run, "one/src")["files"] == [str(projects / "one" / "cvlint.toml")]
    monkeypatch.chdir(projects / "two")
    assert [severity for *_, severity in shown(run("check", "--format", "json", "src", "../one"))] == ["warning"]


def test_what_is_found_in_another_project_is_as_its_config_wants_it(run: Any, evaluation: Path, tmp_path: Path) -> None:
    (tmp_path / "lab").mkdir()
    evaluation.rename(tmp_path / "lab" / "evaluation.py")
    train = tmp_path / "train.py"
    train.write_text(train.read_text().replace("from evaluation", "from lab.evaluation"))
    config = tmp_path / "lab" / "cvlint.toml"
    for text, kept in [
        ('severity = {CVL1 = "note"}', [("lab/evaluation.py", "mean-of-fold-f", "note")]),
        ('select = ["CVL2"]', []),
        ('per-file-ignores = {"evaluation.py" = ["CVL1"]}', []),
    ]:
        config.write_text(text)
        assert shown(run("check", "--format", "json")) == kept


def test_projects_may_hold_copies_of_the_same_rule_of_their_own(run: Any, projects: Path) -> None:
    text = (ROOT / "rules" / "CVL101-mean-of-fold-f.toml").read_text()
    text = text.replace('"CVL101"', '"LAB1"').replace('"mean-of-fold-f"', '"lab-rule"')
    for name in ("one", "two"):
        (projects / name / "own.toml").write_text(text)
        (projects / name / "cvlint.toml").write_text('extend-rules = ["own.toml"]\nselect = ["LAB1"]\n')
    found = json.loads(run("check", "one", "two", "--format", "sarif").stdout)["runs"][0]
    assert [(one["ruleId"], one["occurrenceCount"]) for one in found["results"]] == [("LAB1", 2)]
    assert [rule["id"] for rule in found["tool"]["driver"]["rules"]] == ["LAB1"]
    assert [rule for _, rule, _ in shown(run("check", "--format", "json"))] == [
        "lab-rule",
        "mean-of-fold-f",
        "lab-rule",
    ]


def test_each_project_has_its_baseline(run: Any, projects: Path) -> None:
    for name in ("one", "two"):
        (projects / name / "cvlint.toml").write_text("")
        run("check", name, "--write-baseline", f"{name}/known.json")
        (projects / name / "cvlint.toml").write_text('baseline = "known.json"\n')
    result = run("check", "--format", "concise")
    assert (result.exit_code, result.stdout.count("\n"), result.stdout[:9]) == (1, 1, "train.py:")
    (projects / "two" / "src" / "a.py").write_text("x = 1\n")
    gone = run("check", "one", "two").stderr
    assert gone.count("\n") == 1 and "two/known.json' holds 1 finding that is gone (mean-of-fold-f in two/src" in gone
    run("check", "--write-baseline", "all.json")
    assert [row["path"] for row in json.loads((projects / "all.json").read_text())["findings"][:-1]] == [
        "one/src/a.py",
        "train.py",
    ]
    assert run("check", "--baseline", "all.json").stdout.endswith("in 3 files; the baseline hides 2 findings.\n")


@pytest.mark.parametrize("name", ["sub", "we ird[1]!#*", " x "])
def test_what_is_excluded_counts_from_the_folder_of_its_config(
    run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    (tmp_path / name / "old").mkdir(parents=True)
    for path in ("a.py", f"{name}/b.py", f"{name}/c.py", f"{name}/old/b.py"):
        (tmp_path / path).touch()
    config = tmp_path / "cvlint.toml"
    config.write_text('exclude = ["/*/old/", "./a.py"]\n')
    files = "".join(f"{name}/{one}.py\n" for one in "bc")
    assert run("check", "--show-files").stdout == files
    (tmp_path / name / "cvlint.toml").write_text('extend = "../cvlint.toml"\nignore = ["CVL5"]\n')
    assert run("check", "--show-files").stdout == files
    (tmp_path / name / "cvlint.toml").write_text('exclude = ["/b.py"]\n')
    assert run("check", "--show-files", "--exclude", "c.py").stdout == f"{name}/old/b.py\n"
    (tmp_path / name / "cvlint.toml").unlink()
    monkeypatch.chdir(tmp_path / name)
    assert run("check", "--show-files").stdout == "b.py\nc.py\n"
    assert run("check", "--show-files", "--force-exclude", "old/b.py", "b.py").stdout == "b.py\n"
    assert in_force(run, "old/b.py")["excluded"] is True
    config.write_text('exclude = ["/*"]\n')
    (tmp_path / name / "cvlint.toml").write_text("")
    assert run("check", "--show-files", "--force-exclude", "b.py").stdout == ""  # its folder is left out above


@pytest.mark.parametrize("kind", ["link", "folder", "pipe"])
@pytest.mark.parametrize("name", ["cvlint.toml", "pyproject.toml"])
def test_a_config_that_is_no_file_is_refused(run: Any, engine: Any, tmp_path: Path, name: str, kind: str) -> None:
    path = tmp_path / name
    {"link": lambda: path.symlink_to("none.toml"), "folder": path.mkdir, "pipe": lambda: os.mkfifo(path)}[kind]()
    result = run("check")
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
    assert result.stderr.startswith(f"cvlint: The config file {path} ")
    assert engine.calls == []


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (
            'selct = ["ALL"]',
            [
                "unknown key 'selct'",
                ", ".join(KEYS),
                "did you mean 'select'?",
            ],
        ),
        ('select = "ALL"', ["'select'", "list of strings"]),
        ("exclude = [1]", ["'exclude'", "list of strings"]),
        ('confidence = "hihg"', ["'hihg'", "high, medium, low", "did you mean 'high'?"]),
        ("confidence = 3", ["'confidence'"]),
        ('select = ["mean-of-fold-g"]', ["cvlint.toml names 'mean-of-fold-g'", "did you mean 'mean-of-fold-f'?"]),
        ('ignore = ["nonsense"]', ["'ignore'", "'nonsense'"]),
        ('"a\\nb\\u001b[31m" = 1', ["unknown key 'a\N{REPLACEMENT CHARACTER}b\N{REPLACEMENT CHARACTER}[31m'"]),
        (f"confidence = {'9' * 5000}", ["cvlint.toml"]),
        (f"confidence = 0x{'f' * 5000}", ["'confidence'", "must be a string"]),
        ('extend-select = ["CVL999"]', ["'extend-select'", "'CVL999'"]),
        ("per-file-ignore = {}", ["did you mean 'per-file-ignores'?"]),
        ("per-file-ignores = []", ["'per-file-ignores'", "must be a table"]),
        ('per-file-ignores = {"*.py" = "ALL"}', ["'*.py'", "'per-file-ignores'", "list of strings"]),
        ('per-file-ignores = {"*.py" = ["auc-merg"]}', ["'per-file-ignores'", "did you mean 'auc-merge'?"]),
        ('per-file-ignores = {"!" = ["ALL"], "a\\\\" = ["ALL"]}', ["'per-file-ignores'", "is not valid"]),
        ('exclude = ["../old/"]', ["'exclude'", "'../old/'", "matches nothing"]),
        ('per-file-ignores = {"!a/../b.py" = ["ALL"]}', ["'per-file-ignores'", "matches nothing"]),
        ('exclude = ["!"]', ["'exclude'", "'!'", "is not valid", ".gitignore"]),
        ('severity = "error"', ["'severity'", "must be a table"]),
        ('severity = {auc-merge = "eror"}', ["'auc-merge'", "'severity'", "did you mean 'error'?"]),
        ('severity = {auc-merg = "error"}', ["'severity'", "did you mean 'auc-merge'?"]),
        ("extend = 3", ["'extend'", "must be a string"]),
        ('extend = "no.toml"', ["'extend'", "no.toml", "no such file"]),
        ('extend = ""', ["'extend'", "no such file"]),
        ('extend = "a\\u0000b"', ["'extend'", "no such file"]),
        ('extend = "cvlint.toml"', ["'extend'", "extends itself"]),
        ('min-severity = "eror"', ["'min-severity'", "error, warning, note", "did you mean 'error'?"]),
        ("min-severity = 1", ["'min-severity'", "must be a string"]),
        ("required-version = 0.1", ["'required-version'", "must be a string"]),
        ('required-version = "0.1"', ["'required-version'", "cannot be '0.1'", "'>=0.1'"]),
        ('required-version = ">=0.1, =2"', ["'required-version'", "cannot be '>=0.1, =2'"]),
        ("select = [", ["not valid TOML"]),
        ("x = " + "[" * 5000, ["not valid TOML"]),
        ("a = '\udcff'", ["not UTF-8"]),
    ],
)
def test_wrong_configs(run: Any, engine: Any, tmp_path: Path, text: str, says: list[str]) -> None:
    (tmp_path / "cvlint.toml").write_text(text, errors="surrogateescape")
    result = run("check")
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1
    assert "cvlint.toml" in result.stderr
    for words in says:
        assert words in result.stderr
    assert engine.calls == []


def test_section_that_is_no_table(run: Any, engine: Any, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool]\ncvlint = 3\n")
    assert "not a table" in run("check").stderr


def finding(rule: str, code: str, path: str, severity: Severity = "error") -> Finding:
    return Finding(rule, code, severity, "high", Location(path, None, 1, 1, 1, 2), "Why.")


def shown(result: Any) -> list[tuple[str, str, str]]:
    """Path, rule and severity of what was reported."""
    return [(f["path"], f["rule"], f["severity"]) for f in json.loads(result.stdout)["findings"]]


def test_extend_select_adds(run: Any, engine: Any, tmp_path: Path) -> None:
    on = {rule.name for rule in load_rules() if rule.enabled}
    (tmp_path / "cvlint.toml").write_text('extend-select = ["CVL107"]\n')
    run("check")
    assert ran_with(engine).rules == on | {"mean-of-fold-ratio"}
    run("check", "--select", "CVL2")
    assert ran_with(engine).rules == {rule.name for rule in load_rules() if rule.code.startswith("CVL2")}
    (tmp_path / "cvlint.toml").write_text('select = ["CVL101"]\nextend-select = ["CVL2"]\nignore = ["auc-merge"]\n')
    run("check")
    assert ran_with(engine).rules == {"mean-of-fold-f", "ranking-merge", "auc-hard-labels"}


def test_what_is_extended_gives_way(tmp_path: Path) -> None:
    (tmp_path / "lab").mkdir()
    (tmp_path / "lab" / "pyproject.toml").write_text(
        '[tool.cvlint]\nextend = "base.toml"\nselect = ["CVL1"]\nextend-select = ["CVL2"]\nexclude = ["a/"]\n'
        'per-file-ignores = {"a.py" = ["ALL"]}\nseverity = {CVL1 = "note", CVL2 = "note"}\n'
    )
    (tmp_path / "lab" / "base.toml").write_text('confidence = "low"\nignore = ["CVL301"]\nselect = ["ALL"]\n')
    (tmp_path / "cvlint.toml").write_text(
        'extend = "lab/pyproject.toml"\nextend-select = ["CVL4"]\nignore = []\nexclude = ["b/"]\n'
        'per-file-ignores = {"a.py" = ["CVL1"]}\nseverity = {CVL2 = "error"}\n'
    )
    config = find_config(tmp_path)
    nearest, middle, last = (tmp_path / name for name in ("cvlint.toml", "lab/pyproject.toml", "lab/base.toml"))
    assert config.files == (nearest, middle, last)
    assert (config.select, config.extend_select) == (("CVL1",), ("CVL2", "CVL4"))
    assert (config.ignore, config.exclude, config.confidence) == ((), ("b/",), "low")
    assert [(entry.path, entry.rules) for entry in config.per_file_ignores] == [
        (middle, ("ALL",)),
        (nearest, ("CVL1",)),
    ]
    assert config.severity == {"CVL1": "note", "CVL2": "error"}
    assert config.sources["extend-select"] == (middle, nearest)
    assert config.sources["confidence"] == (last,)
    assert config.sources["exclude"] == config.sources["ignore"] == (nearest,)


def test_circles_and_strangers_are_refused(run: Any, engine: Any, tmp_path: Path) -> None:
    (tmp_path / "cvlint.toml").write_text('extend = "b.toml"\n')
    (tmp_path / "b.toml").write_text('extend = "sub/../cvlint.toml"\n')
    result = run("check")
    assert result.exit_code == 2
    assert "b.toml names" in result.stderr
    assert "extends itself" in result.stderr
    (tmp_path / "b.toml").write_text('selct = ["ALL"]\n')
    assert "b.toml has an unknown key 'selct'" in run("check").stderr
    (tmp_path / "cvlint.toml").write_text('extend = "pyproject.toml"\n')
    (tmp_path / "pyproject.toml").write_text("[tool.other]\n")
    assert "no section [tool.cvlint]" in run("check").stderr
    assert engine.calls == []


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_circles_through_links_are_refused(run: Any, engine: Any, tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to(".")
    (tmp_path / "cvlint.toml").write_text('extend = "loop/cvlint.toml"\n')
    assert "extends itself" in run("check").stderr


@pytest.mark.parametrize(
    ("glob", "path", "left_out"),
    [
        ("a.py", "a.py", True),
        ("a.py", "src/a.py", True),
        ("/a.py", "src/a.py", False),
        ("./a.py", "a.py", True),
        ("./a.py", "src/a.py", False),
        ("!./src/", "a.py", True),
        ("src/", "src/deep/a.py", True),
        ("src/*.py", "src/deep/a.py", False),
        ("src/**/*.py", "src/deep/a.py", True),
        ("*.ipynb", "src/n.ipynb", True),
        ("*.ipynb", "a.py", False),
        ("!src/", "a.py", True),
        ("!src/", "src/a.py", False),
        ("*.py", "../a.py", False),
        ("!src/", "../a.py", False),
    ],
)
def test_ignores_of_single_files(run: Any, engine: Any, tmp_path: Path, glob: str, path: str, left_out: bool) -> None:
    (tmp_path / "cvlint.toml").write_text(f"[per-file-ignores]\n'{glob}' = ['CVL1']\n")
    engine.report = Report((finding("mean-of-fold-f", "CVL101", path), finding("auc-merge", "CVL201", path)), (), 1)
    kept = [] if left_out else [(path, "mean-of-fold-f", "error")]
    assert shown(run("check", "--format", "json")) == [*kept, (path, "auc-merge", "error")]
    engine.report = Report((finding("mean-of-fold-f", "CVL101", path),), (), 1)
    assert run("check", "--select", "CVL101").exit_code == (0 if left_out else 1)


def test_globs_count_from_the_folder_of_their_file(
    run: Any, engine: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "lab").mkdir()
    (tmp_path / "pyproject.toml").write_text(
        '[tool.cvlint]\nextend = "lab/b.toml"\nper-file-ignores = {"/sub/a.py" = ["CVL1"]}\n'
    )
    (tmp_path / "lab" / "b.toml").write_text('per-file-ignores = {"/a.py" = ["CVL1"]}\n')
    monkeypatch.chdir(tmp_path / "sub")
    paths = ["a.py", "../a.py", "../lab/a.py", str(tmp_path / "sub" / "a.py")]
    engine.report = Report(tuple(finding("mean-of-fold-f", "CVL101", path) for path in paths), (), 1)
    assert [path for path, *_ in shown(run("check", "--format", "json"))] == ["../a.py"]


def test_the_real_engine_and_notebooks(run: Any, faulty: Path, tmp_path: Path) -> None:
    cell = {"cell_type": "code", "source": faulty.read_text()}
    notebook = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [cell]}
    (tmp_path / "n.ipynb").write_text(json.dumps(notebook))
    (tmp_path / "cvlint.toml").write_text('severity = {CVL1 = "note"}\n[per-file-ignores]\n"*.ipynb" = ["CVL1"]\n')
    result = run("check", "--format", "json")
    assert shown(result) == [("train.py", "mean-of-fold-f", "note")]
    assert result.exit_code == 0
    assert run("check", "--strict").exit_code == 1
    assert run("check", "--format", "json", "-", "--stdin-filename", "x.ipynb", input="{}").exit_code == 2


@pytest.mark.parametrize(
    ("table", "severities"),
    [
        ('{CVL101 = "note"}', {"CVL101": "note"}),
        ('{mean-of-fold-f = "warning", ALL = "note"}', {"CVL101": "warning", "CVL102": "note", "CVL201": "note"}),
        (
            '{ALL = "note", CVL1 = "warning", cvl102 = "error"}',
            {"CVL101": "warning", "CVL102": "error", "CVL201": "note"},
        ),
        ('{CVL2 = "warning"}', {"CVL201": "warning"}),
    ],
)
def test_severities(run: Any, engine: Any, tmp_path: Path, table: str, severities: dict[str, str]) -> None:
    (tmp_path / "cvlint.toml").write_text(f"severity = {table}\n")
    codes = {"CVL101": "mean-of-fold-f", "CVL102": "f-of-mean-pr", "CVL201": "auc-merge"}
    engine.report = Report(tuple(finding(name, code, "a.py") for code, name in codes.items()), (), 1)
    found = [severity for _, _, severity in shown(run("check", "--format", "json"))]
    assert found == [severities.get(code, "error") for code in codes]


def in_force(run: Any, *arguments: str) -> Any:
    result = run("config", "--format", "json", *arguments)
    assert (result.exit_code, result.stderr) == (0, "")
    return json.loads(result.stdout)


def test_config_without_a_file(run: Any) -> None:
    result = run("config")
    assert result.stdout.startswith("Settings: there is no config file, so all settings are defaults.\n")
    assert "CVL101  error    mean-of-fold-f\n" in result.stdout
    found = in_force(run)
    assert found["files"] == []
    assert set(found["settings"]) == set(KEYS)
    assert found["settings"]["confidence"] == {"value": "medium", "files": []}
    assert found["settings"]["min-severity"] == {"value": "note", "files": []}
    assert [rule["code"] for rule in found["rules"]] == [rule.code for rule in all_rules() if rule.enabled]


def test_config_shows_each_setting_and_its_file(run: Any, tmp_path: Path) -> None:
    (tmp_path / "lab.toml").write_text('confidence = "high"\nseverity = {CVL1 = "note"}\n')
    (tmp_path / "cvlint.toml").write_text(
        'extend = "lab.toml"\nexclude = ["old/"]\nselect = ["CVL1"]\nseverity = {CVL102 = "error"}\n'
        'per-file-ignores = {"old/" = ["CVL103"]}\n'
    )
    (tmp_path / "old").mkdir()
    for name in ("old/a.py", "a.py"):
        (tmp_path / name).touch()
    near, far = str(tmp_path / "cvlint.toml"), str(tmp_path / "lab.toml")
    found = in_force(run, "a.py")
    assert (found["version"], found["path"], found["files"]) == (1, "a.py", [near, far])
    assert found["settings"]["confidence"] == {"value": "high", "files": [far]}
    assert found["settings"]["severity"] == {"value": {"CVL1": "note", "CVL102": "error"}, "files": [far, near]}
    assert found["settings"]["per-file-ignores"]["value"] == {"old/": ["CVL103"]}
    assert (found["excluded"], found["ignored"]) == (False, [])
    assert {rule["rule"]: rule["severity"] for rule in found["rules"]}["f-of-mean-pr"] == "error"
    assert {rule["code"]: rule["severity"] for rule in found["rules"]}["CVL103"] == "note"
    old = in_force(run, "old/a.py")
    assert (old["excluded"], old["ignored"]) == (True, ["skipped-undefined-fold"])
    assert "CVL103" not in {rule["code"] for rule in old["rules"]}
    assert in_force(run, "old")["excluded"] is True

    text = run("config", "old/a.py").stdout
    assert text.startswith("Settings for old/a.py from cvlint.toml, which extends lab.toml.\n")
    assert [line.split() for line in text.splitlines() if line.startswith("confidence")] == [
        ["confidence", '"high"', "lab.toml"]
    ]
    assert "CVL101  note     mean-of-fold-f (usually error)\n" in text
    assert "Left out in this file, by the key 'per-file-ignores': skipped-undefined-fold.\n" in text
    assert "leaves this path out, by the key 'exclude'" in text


@pytest.mark.parametrize("arguments", [["nope.py"], ["--format", "jsn"], ["-"]])
def test_config_refuses(run: Any, arguments: list[str]) -> None:
    result = run("config", *arguments)
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1)


def test_config_refuses_what_check_refuses(run: Any, tmp_path: Path) -> None:
    (tmp_path / "cvlint.toml").write_text('ignore = ["nonsense"]\n')
    assert run("config").stderr == run("check").stderr != ""


def test_the_schema_is_printed_whatever_the_config_says(run: Any, tmp_path: Path) -> None:
    (tmp_path / "cvlint.toml").write_text("broken")
    assert (
        run("config", "--schema").stdout
        == (ROOT / "cvlint" / "workspace" / "settings" / "config_schema.json").read_text()
    )
