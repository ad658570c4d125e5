from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cvlint.rules import load_rules


def ran_with(engine: Any) -> Any:
    return engine.calls[-1][1]


def test_pyproject(run: Any, engine: Any, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(
        '[tool.cvlint]\nselect = ["CVL1"]\nignore = ["CVL101"]\nexclude = ["old/"]\nconfidence = "high"\n'
    )
    assert run("check").exit_code == 0
    options = ran_with(engine)
    assert options.rules == {r.name for r in load_rules() if r.code.startswith("CVL1") and r.code != "CVL101"}
    assert options.exclude == ("old/",)
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


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (
            'selct = ["ALL"]',
            [
                "unknown key 'selct'",
                "confidence, exclude, extend-knowledge, extend-rules, ignore, select",
                "did you mean 'select'?",
            ],
        ),
        ('select = "ALL"', ["'select'", "list of strings"]),
        ("exclude = [1]", ["'exclude'", "list of strings"]),
        ('confidence = "hihg"', ["'hihg'", "high, medium, low", "did you mean 'high'?"]),
        ("confidence = 3", ["'confidence'"]),
        ('select = ["mean-of-fold-g"]', ["cvlint.toml names 'mean-of-fold-g'", "did you mean 'mean-of-fold-f'?"]),
        ('ignore = ["nonsense"]', ["'ignore'", "'nonsense'"]),
        ("select = [", ["not valid TOML"]),
        ("x = " + "[" * 5000, ["not valid TOML"]),
        ("a = '\udcff'", ["not UTF-8"]),
    ],
)
def test_refused_configs(run: Any, engine: Any, tmp_path: Path, text: str, says: list[str]) -> None:
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
