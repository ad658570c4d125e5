from __future__ import annotations

import json
from functools import partial
from pathlib import Path

from tests.cli.conftest import invoke
from tests.conftest import FAULTY

run = partial(invoke, "trace")
LOST = FAULTY.replace("scores.append(", "tracker.push(")


def write(path: Path, text: str) -> str:
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_each_value_has_a_line_with_its_fate(tmp_path: Path) -> None:
    path = write(tmp_path / "train.py", FAULTY)
    status, out, _ = run(path)
    assert status == 0
    [first, last] = out.splitlines()
    assert first.startswith(f"{path}:8:") and ": F1 over folds: finding CVL101, line 9" in first
    assert last == "1 value was followed: 1 in findings, 0 lost, 0 harmless."


def test_lost_values_are_listed_alone(tmp_path: Path) -> None:
    found, lost = write(tmp_path / "found.py", FAULTY), write(tmp_path / "lost.py", LOST)
    _, out, _ = run("--lost", found, lost)
    [first, last] = out.splitlines()
    assert first.startswith(f"{lost}:8:") and ": lost: unknown function (.push), line 8" in first
    assert last == "2 values were followed: 1 in findings, 1 lost, 0 harmless."


def test_json(tmp_path: Path) -> None:
    lost = write(tmp_path / "lost.py", LOST)
    document = json.loads(run("--format", "json", lost)[1])
    [fate] = document["fates"]
    assert fate["location"]["path"] == lost and fate["end"]["line"] == 8
    assert (fate["fate"], fate["why"], fate["name"]) == ("lost", "unknown function", ".push")
    assert document["counts"] == [{"kind": "lost", "why": "unknown function", "count": 1}]
    assert document["errors"] == []


def test_a_file_without_values_says_so(tmp_path: Path) -> None:
    assert "cvlint follows no value in these files" in run(write(tmp_path / "plain.py", "x = 1\n"))[1]


def test_broken_files_are_named(tmp_path: Path) -> None:
    path = write(tmp_path / "broken.py", "def f(:\n")
    assert path in run(path)[1]


def test_a_path_that_does_not_exist() -> None:
    status, _, error = run("nowhere.py")
    assert status == 2 and "nowhere.py" in error
