"""``cvlint check --statistics``, and what colours and links depend on."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path
from typing import Any

import pytest

from cvlint.cli.console.terminal import use_colours
from cvlint.findings.finding import Finding, Report, Severity
from cvlint.output.shared.styled_text import Piece, file_link, show_coloured
from cvlint.source.location import Location


@pytest.fixture(autouse=True)
def colours_by_default(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)


def finding(rule: str, code: str, severity: Severity, path: str, line: int) -> Finding:
    return Finding(rule, code, severity, "high", Location(path, None, line, 1, line, 2), "Why.")


REPORT = Report(
    (
        finding("mean-of-fold-f", "CVL101", "error", "a.py", 1),
        finding("unguarded-f", "CVL402", "warning", "a.py", 2),
        finding("unguarded-f", "CVL402", "warning", "a.py", 3),
        finding("unguarded-f", "CVL402", "error", "a.py", 4),
        finding("auc-merge", "CVL201", "error", "b.py", 1),
        finding("unguarded-f", "CVL402", "warning", "b.py", 2),
    ),
    (),
    3,
)


def test_text(run: Any, engine: Any) -> None:
    engine.report = REPORT
    result = run("check", "--statistics")
    assert result.exit_code == 1
    assert result.stdout == (
        "3  CVL402  unguarded-f     warning  in 2 files\n"
        "1  CVL101  mean-of-fold-f  error    in 1 file\n"
        "1  CVL201  auc-merge       error    in 1 file\n"
        "1  CVL402  unguarded-f     error    in 1 file\n"
        "\n"
        "Found 3 errors and 3 warnings in 3 files.\n"
    )


def test_json(run: Any, engine: Any) -> None:
    engine.report = REPORT
    result = run("check", "--statistics", "--format", "json")
    found = json.loads(result.stdout)
    assert found["version"] == 1
    assert found["statistics"][0] == {
        "rule": "unguarded-f",
        "code": "CVL402",
        "severity": "warning",
        "findings": 3,
        "files": 2,
        "faults": 3,
    }
    assert sum(count["findings"] for count in found["statistics"]) == found["summary"]["findings"] == 6
    assert found["summary"]["files"] == 3


def test_suppressed_findings_do_not_count(run: Any, faulty: Path) -> None:
    faulty.write_text(faulty.read_text().rstrip("\n") + "  # cvlint: ignore[CVL101] the data are balanced\n")
    result = run("check", "--statistics", "--show-suppressed", "--format", "json")
    assert result.exit_code == 0
    found = json.loads(result.stdout)
    assert found["statistics"] == []
    assert (found["summary"]["findings"], found["summary"]["suppressed"]) == (0, 1)


def test_nothing_found(run: Any, engine: Any) -> None:
    assert run("check", "--statistics").stdout == "No faults found in 0 files.\n"
    assert json.loads(run("check", "--statistics", "--format", "json").stdout)["statistics"] == []


def test_into_a_file(run: Any, engine: Any, tmp_path: Path) -> None:
    engine.report = REPORT
    shown = run("check", "--statistics").stdout
    assert run("check", "--statistics", "--output", "numbers.txt").stdout == ""
    assert (tmp_path / "numbers.txt").read_text() == shown


def test_colours_change_no_word(run: Any, engine: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    rich_text = pytest.importorskip("rich.text")
    engine.report = REPORT
    plain = run("check", "--statistics").stdout
    monkeypatch.setenv("FORCE_COLOR", "1")
    shown = run("check", "--statistics").stdout
    assert "\x1b[" in shown
    assert rich_text.Text.from_ansi(shown).plain.rstrip("\n") == plain.rstrip("\n")


def test_other_formats_have_no_place_for_numbers(run: Any, engine: Any) -> None:
    result = run("check", "--statistics", "--format", "concise")
    assert result.exit_code == 2
    assert "--format cannot be 'concise'" in result.stderr
    assert "text and json" in result.stderr
    assert engine.calls == []


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("environment", "stream", "expected"),
    [
        ({}, Terminal(), True),
        ({}, io.StringIO(), False),
        ({"TERM": "dumb"}, Terminal(), False),
        ({"NO_COLOR": "1"}, Terminal(), False),
        ({"NO_COLOR": ""}, Terminal(), True),
        ({"FORCE_COLOR": "1"}, io.StringIO(), True),
        ({"FORCE_COLOR": ""}, io.StringIO(), False),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, Terminal(), False),
    ],
)
def test_when_there_are_colours(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], stream: io.StringIO, expected: bool
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert use_colours(stream) is expected


def linked(stream: io.StringIO, *pieces: Piece) -> list[str]:
    show_coloured(pieces, stream)
    return re.findall(r"\x1b\]8;[^;]*;([^\x1b]+)\x1b", stream.getvalue())


def test_places_are_links_on_a_terminal_alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TERM", "xterm")
    (tmp_path / "a b.py").touch()
    place = Piece("a b.py:9:7", "place")
    assert linked(Terminal(), place, Piece("a b.py:9:7")) == [f"{tmp_path.as_uri()}/a%20b.py"]
    assert linked(io.StringIO(), place) == []


@pytest.mark.parametrize("place", ["n.ipynb:cell 2:5:7", "n.ipynb:5:7", "n.ipynb:5"])
def test_links(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, place: str) -> None:
    monkeypatch.chdir(tmp_path)
    assert file_link(place) is None
    (tmp_path / "n.ipynb").touch()
    assert file_link(place) == (tmp_path / "n.ipynb").as_uri()
    assert file_link("<stdin>:5:7") is None
    assert file_link("n.ipynb") == (tmp_path / "n.ipynb").as_uri()
    assert file_link("other.ipynb") is None


def test_colours_in_an_encoding_that_lacks_characters(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    show_coloured([Piece("Prüfung", "error")], stream)
    stream.seek(0)
    assert "Pr\\xfcfung" in stream.read()
