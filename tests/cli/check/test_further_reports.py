"""``--report``: reports that are written beside the one that is shown."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from cvlint.output.findings.formats import FORMATS


@pytest.fixture
def unwritable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that nobody may write into, the superuser neither."""
    folder = tmp_path / "locked"
    folder.mkdir()
    allowed = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: os.path.abspath(path) != str(folder) and allowed(path, mode))
    return folder


def test_each_file_holds_what_its_format_shows(run: Any, faulty: Path, tmp_path: Path) -> None:
    asked = [word for style in FORMATS for word in ("--report", f"{style}:of {style}")]
    result = run("check", *asked)
    assert (result.exit_code, result.stderr) == (1, "")
    assert result.stdout == run("check").stdout
    for style in FORMATS:
        assert (tmp_path / f"of {style}").read_text() == run("check", "--format", style).stdout, style


def test_what_is_shown_may_be_a_file_as_well(run: Any, faulty: Path, tmp_path: Path) -> None:
    result = run("check", "--format", "concise", "--output", "a.txt", "--report", "jsonl:b:c.txt")
    assert (result.exit_code, result.output) == (1, "")
    assert (tmp_path / "a.txt").read_text().startswith("train.py:9:7: CVL101")
    assert json.loads((tmp_path / "b:c.txt").read_text())["path"] == "train.py"


def test_the_files_are_checked_once(run: Any, engine: Any) -> None:
    engine.finds("error")
    run("check", "--report", "json:a", "--report", "sarif:b")
    assert len(engine.calls) == 1


def test_statistics_are_shown_and_findings_written(run: Any, faulty: Path, tmp_path: Path) -> None:
    result = run("check", "--statistics", "--report", "concise:a.txt")
    assert result.stdout.startswith("1  CVL101  mean-of-fold-f")
    assert (tmp_path / "a.txt").read_text().startswith("train.py:9:7: CVL101")


def test_colours_are_for_the_terminal(run: Any, faulty: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b" in run("check", "--report", "text:a.txt").stdout
    assert "\x1b" not in (tmp_path / "a.txt").read_text()


def test_after_fixes_the_report_holds_the_rest(run: Any, faulty: Path, tmp_path: Path) -> None:
    run("check", "--fix", "--unsafe-fixes", "--report", "json:a.json")
    assert json.loads((tmp_path / "a.json").read_text())["findings"] == []


def test_fixes_are_shown_where_one_of_the_formats_is_json(run: Any, faulty: Path, tmp_path: Path) -> None:
    assert run("check", "--show-fixes", "--report", "json:a.json").exit_code == 1
    [finding] = json.loads((tmp_path / "a.json").read_text())["findings"]
    assert finding["fix"]["edits"]
    result = run("check", "--show-fixes", "--report", "concise:b.txt")
    assert (result.exit_code, "--show-fixes cannot be used with the format 'text'" in result.stderr) == (2, True)


def test_every_format_must_mark_what_is_suppressed(run: Any, engine: Any) -> None:
    assert run("check", "--show-suppressed", "--report", "json:a.json").exit_code == 0
    result = run("check", "--show-suppressed", "--report", "json:b.json", "--report", "github:c")
    assert result.exit_code == 2
    assert "--show-suppressed cannot be used with the format 'github'" in result.stderr


@pytest.mark.parametrize("given", ["sarif", "sarif:", ":a.sarif", "", "a.sarif", "sarfi:a.sarif", "Json:a"])
def test_what_is_no_format_and_file_is_refused(run: Any, engine: Any, given: str) -> None:
    result = run("check", "--report", given)
    assert (result.exit_code, result.stdout, engine.calls) == (2, "", [])
    assert result.stderr.startswith(f"cvlint: The option --report cannot be '{given}'; ")
    assert "alid is FORMAT:FILE, where FORMAT is one of text, full, concise," in result.stderr
    assert ("did you mean 'sarif'?" in result.stderr) == (given in ("sarfi:a.sarif", "a.sarif"))


@pytest.mark.parametrize(
    ("files", "named"),
    [
        (("json:a", "sarif:a"), "a"),
        (("json:a", "json:./sub/../a"), "./sub/../a"),
        (("json:a", "json:link"), "link"),
        (("json:out", "sarif:b"), "out"),
    ],
)
def test_two_reports_in_one_file_are_refused(
    run: Any, engine: Any, tmp_path: Path, files: tuple[str, ...], named: str
) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "link").symlink_to("a")
    result = run("check", "--output", "out", *(word for file in files for word in ("--report", file)))
    assert (result.exit_code, engine.calls) == (2, [])
    assert result.stderr == f"cvlint: The file '{named}' cannot hold two reports; name another file for one of them.\n"
    assert not (tmp_path / "a").exists()


@pytest.mark.parametrize("option", [("--report", "json:{}"), ("--output", "{}")])
@pytest.mark.parametrize(
    ("file", "says"),
    [
        ("sub", "The option {} cannot be 'sub'; valid is the name of a file."),
        ("no/a", "The report cannot be written to 'no/a', because there is no folder 'no'."),
        ("a" * 300, f"The report cannot be written to '{'a' * 300}': File name too long."),
        ("locked/a", "The report cannot be written to 'locked/a': Permission denied."),
    ],
)
def test_files_that_cannot_be_written_are_refused_before_the_check(
    run: Any, engine: Any, unwritable: Path, tmp_path: Path, option: tuple[str, str], file: str, says: str
) -> None:
    (tmp_path / "sub").mkdir()
    result = run("check", option[0], option[1].format(file))
    assert (result.exit_code, result.stdout, engine.calls) == (2, "", [])
    assert result.stderr == f"cvlint: {says.format(option[0])}\n"


def test_a_file_that_may_not_be_changed_is_refused(run: Any, engine: Any, unwritable: Path) -> None:
    unwritable.rmdir()
    unwritable.touch()
    result = run("check", "--report", "json:locked")
    assert (result.exit_code, engine.calls) == (2, [])
    assert result.stderr == "cvlint: The report cannot be written to 'locked': Permission denied.\n"


def test_a_file_that_fails_in_the_end_is_told(run: Any, faulty: Path, tmp_path: Path) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("there is no device that is always full")
    result = run("check", "--report", "json:/dev/full")
    assert (result.exit_code, result.stdout.startswith("train.py:9:7")) == (2, True)
    assert result.stderr == "cvlint: The report cannot be written to '/dev/full': No space left on device.\n"


@pytest.mark.parametrize(
    "other",
    [("--watch",), ("--write-baseline", "known.json"), ("--add-ignores",), ("--diff",), ("--show-files",)],
)
def test_contradictions(run: Any, engine: Any, other: tuple[str, ...]) -> None:
    result = run("check", "--report", "json:a.json", *other)
    assert (result.exit_code, result.stdout, engine.calls) == (2, "", [])
    assert f"The options {other[0]} and --report cannot go together, because" in result.stderr
