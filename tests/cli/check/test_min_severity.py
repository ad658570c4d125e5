"""``--min-severity`` and the key of that name: what is less grave is as if it was not found."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cvlint.workspace.settings.baseline_file import read_baseline
from tests.conftest import FAULTY

FORMULA = """
from sklearn.model_selection import StratifiedKFold
def report(tp, fp, X, y):
    for train, test in StratifiedKFold(5).split(X, y):
        print(tp / (tp + fp))
"""
"""A note, which its rule gives to precision; of F it is a warning."""
F = "\ndef f1(precision, recall):\n    return 2 * precision * recall / (precision + recall)\n"
NOTE, WARNING, ERROR = "unguarded-f", "unguarded-f", "mean-of-fold-f"


@pytest.fixture
def graded(tmp_path: Path) -> Path:
    """A file with an error, a note, and a warning, in this order."""
    path = tmp_path / "train.py"
    path.write_text(FAULTY + FORMULA + F)
    return path


def found(run: Any, *arguments: str) -> list[tuple[str, str]]:
    findings = json.loads(run("check", "--format", "json", *arguments).stdout)["findings"]
    return [(one["rule"], one["severity"]) for one in findings]


ALL = [(ERROR, "error"), (NOTE, "note"), (WARNING, "warning")]


@pytest.mark.parametrize(
    ("least", "left"), [("note", ALL), ("warning", [ALL[0], ALL[2]]), ("error", ALL[:1]), (None, ALL)]
)
def test_what_is_less_grave_is_not_reported(run: Any, graded: Path, least: str | None, left: list[Any]) -> None:
    assert found(run, *([] if least is None else ["--min-severity", least])) == left
    if least is not None:
        (graded.parent / "cvlint.toml").write_text(f'min-severity = "{least}"\n')
        assert found(run) == left
        assert found(run, "--min-severity", "note") == ALL  # the command line wins


def test_severities_of_the_config_come_first(run: Any, graded: Path) -> None:
    (graded.parent / "cvlint.toml").write_text('[severity]\nCVL101 = "note"\nCVL402 = "error"\n')
    assert found(run, "--min-severity", "warning") == [(NOTE, "error"), (WARNING, "error")]


def test_exit_status_and_statistics_do_not_see_it(run: Any, graded: Path) -> None:
    graded.write_text(F)
    assert run("check").exit_code == 1
    hidden = run("check", "--min-severity", "error")
    assert (hidden.exit_code, hidden.stdout) == (0, "No faults found in 1 file.\n")
    assert run("check", "--min-severity", "error", "--fail-on", "note").exit_code == 0
    assert "unguarded-f" in run("check", "--statistics").stdout
    assert "unguarded-f" not in run("check", "--statistics", "--min-severity", "error").stdout


def test_it_is_not_fixed_and_gets_no_comment(run: Any, graded: Path) -> None:
    text = (
        "from sklearn.model_selection import cross_val_score\nX, y = load()\n"
        "print(cross_val_score(model(), X, y, cv=5, scoring='f1').mean())\n"
    )
    (graded.parent / "cvlint.toml").write_text('[severity]\nCVL101 = "warning"\n')
    for arguments in (["--fix", "--unsafe-fixes"], ["--add-ignores"]):
        graded.write_text(text)
        run("check", "--min-severity", "error", *arguments)
        assert graded.read_text() == text
        run("check", "--min-severity", "warning", *arguments)
        assert graded.read_text() != text


def test_a_comment_on_it_is_of_use_and_one_of_no_use_is_a_note(run: Any, graded: Path) -> None:
    """What is not shown is suppressed none the less: the comment has not outlived its fault."""
    text = graded.read_text()
    graded.write_text(text.replace("(tp + fp)\n", "(tp + fp)  # cvlint: ignore[CVL402] as it is\n"))
    (graded.parent / "cvlint.toml").write_text('[severity]\nunused-ignore = "error"\n')
    assert found(run, "--min-severity", "error") == [(ERROR, "error")]
    shown = found(run, "--show-suppressed")
    assert shown == ALL and found(run, "--show-suppressed", "--min-severity", "error") == ALL[:1]
    graded.write_text(FAULTY + "x = 1  # cvlint: ignore[CVL402]\n")
    assert found(run, "--min-severity", "error") == [(ERROR, "error"), ("unused-ignore", "error")]
    (graded.parent / "cvlint.toml").unlink()
    assert found(run, "--min-severity", "warning") == [(ERROR, "error")]


def test_a_baseline_does_not_lose_what_is_left_out(run: Any, graded: Path) -> None:
    run("check", "--write-baseline", "known.json")
    text = (graded.parent / "known.json").read_text()
    for least in ("warning", "error"):
        result = run("check", "--baseline", "known.json", "--min-severity", least)
        assert (result.exit_code, result.stderr) == (0, "")
        result = run("check", "--write-baseline", "known.json", "--min-severity", least)
        assert (result.exit_code, (graded.parent / "known.json").read_text()) == (0, text)
    graded.write_text("x = 1\n")
    assert "holds 3 findings" in run("check", "--baseline", "known.json", "--min-severity", "error").stderr
    graded.write_text(FAULTY.split("\n\n")[0] + FORMULA)
    message = run("check", "--baseline", "known.json", "--min-severity", "error").stderr
    assert "holds 2 findings that are gone (" in message
    run("check", "--write-baseline", "known.json", "--min-severity", "error")
    assert found(run, "--baseline", "known.json") == []
    assert len(read_baseline(graded.parent / "known.json")) == 1


def test_a_new_baseline_holds_what_is_reported(run: Any, graded: Path) -> None:
    run("check", "--write-baseline", "known.json", "--min-severity", "error")
    assert found(run, "--baseline", "known.json") == ALL[1:]


def test_each_project_has_its_own(run: Any, tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.py").write_text(F)
    (tmp_path / "two" / "cvlint.toml").write_text('min-severity = "error"\n')
    findings = json.loads(run("check", "--format", "json").stdout)["findings"]
    assert [Path(one["path"]).parts for one in findings] == [("one", "a.py")]
    run("check", "--isolated", "--write-baseline", "known.json")
    assert run("check", "--baseline", "known.json").stderr == ""


def test_config_shows_what_is_reported(run: Any, tmp_path: Path) -> None:
    (tmp_path / "cvlint.toml").write_text('min-severity = "error"\n[severity]\nCVL402 = "error"\nCVL101 = "note"\n')
    result = json.loads(run("config", "--format", "json").stdout)
    assert result["settings"]["min-severity"] == {"value": "error", "files": [str(tmp_path / "cvlint.toml")]}
    rules = {one["code"]: one["severity"] for one in result["rules"]}
    assert set(rules.values()) == {"error"}
    assert "CVL402" in rules and "CVL101" not in rules


def test_it_is_refused_where_it_is_none(run: Any, engine: Any) -> None:
    for command in ("check", "run"):
        result = run(command, "--min-severity", "warn", "train.py")
        assert (result.exit_code, result.stdout, engine.calls) == (2, "", [])
        assert result.stderr == (
            "cvlint: The option --min-severity cannot be 'warn'; did you mean 'warning'? "
            "Valid are error, warning, note.\n"
        )


def test_the_server_applies_it(tmp_path: Path) -> None:
    pytest.importorskip("pygls")
    from cvlint.server.checking import check_document
    from cvlint.server.texts.documents import Document, TextUnit

    path, text = tmp_path / "a.py", FAULTY + F
    document = Document(path.as_uri(), path, 1, (TextUnit(path.as_uri(), 1, text),), text.encode())
    assert [one.rule for one in check_document(document, [document]).findings] == [ERROR, WARNING]
    (tmp_path / "cvlint.toml").write_text('min-severity = "error"\n')
    assert [one.rule for one in check_document(document, [document]).findings] == [ERROR]
