"""The compiled form of TOML files is used only while the files are the same."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from cvlint.filesystem import toml_tables as module
from cvlint.filesystem.toml_tables import toml_tables


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(sys, "pycache_prefix", None)
    (tmp_path / "b.toml").write_text("two = 2\n")
    (tmp_path / "a.toml").write_text("one = 1\n")
    (tmp_path / "notes.txt").write_text("no table")
    return tmp_path


def refuse(text: str) -> None:
    raise AssertionError("the text is parsed again")


def test_a_second_process_parses_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert toml_tables(folder) == {"a.toml": {"one": 1}, "b.toml": {"two": 2}}
    monkeypatch.setattr(module, "parse_toml", refuse)
    assert list(toml_tables(folder).items()) == [("a.toml", {"one": 1}), ("b.toml", {"two": 2})]


@pytest.mark.parametrize("compiled", [b"", b"damaged", b"\xe9\x00\x00\x00\x00"])
def test_damage_is_repaired(folder: Path, compiled: bytes) -> None:
    expected = toml_tables(folder)
    (path,) = (folder / "__pycache__").iterdir()
    whole = path.read_bytes()
    path.write_bytes(compiled)
    assert toml_tables(folder) == expected
    assert path.read_bytes() == whole


def test_changes_are_seen(folder: Path) -> None:
    toml_tables(folder)
    (folder / "c.toml").write_text("three = 3\n")
    assert toml_tables(folder)["c.toml"] == {"three": 3}
    (folder / "c.toml").write_text("three = 33\n")
    assert toml_tables(folder)["c.toml"] == {"three": 33}
    (folder / "a.toml").unlink()
    assert list(toml_tables(folder)) == ["b.toml", "c.toml"]


def test_nothing_is_written_if_python_must_not(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    toml_tables(folder)
    assert not (folder / "__pycache__").exists()


def test_dates_are_not_compiled(folder: Path) -> None:
    (folder / "c.toml").write_text("day = 2020-01-01\n")
    assert toml_tables(folder)["c.toml"]["day"].year == 2020
    assert not os.path.exists(folder / "__pycache__") or not list((folder / "__pycache__").iterdir())
