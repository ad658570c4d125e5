"""Temporary folders go with the process that made them; those of a living one stay."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pytest

from cvlint.filesystem.temporary_folders import new_folder, temporary_folder
from tests.filesystem.conftest import Start

pytestmark = pytest.mark.skipif(os.name != "posix", reason="locks and signals of Unix")

HOLD = """
import sys, tempfile
from cvlint.filesystem import temporary_folders
tempfile.tempdir = "."
if sys.argv[1] == "alone":
    temporary_folders.remove_if_killed = print
with temporary_folders.temporary_folder() as folder:
    (folder / "file").touch()
    print(folder, flush=True)
    sys.stdin.read()
"""


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return tmp_path


def test_a_folder_is_empty_and_goes_with_its_block(temporary: Path) -> None:
    with temporary_folder() as folder, temporary_folder() as other:
        assert folder.parent == temporary and folder != other
        assert not list(folder.iterdir()) and folder.stat().st_mode & 0o777 == 0o700
        (folder / "sub").mkdir()
        (folder / "sub" / "file").touch()
    assert not list(temporary.iterdir())


def test_the_folder_of_a_killed_process_goes_at_once(temporary: Path, start: Start) -> None:
    process = start("-c", HOLD, "together", stdin=-1)
    assert process.stdout is not None and process.stdout.readline()
    process.send_signal(signal.SIGKILL)
    process.wait()
    until = time.monotonic() + 20
    while list(temporary.iterdir()) and time.monotonic() < until:
        time.sleep(0.01)
    assert not list(temporary.iterdir())


def test_the_next_process_removes_what_a_dead_one_has_left_and_nothing_else(temporary: Path, start: Start) -> None:
    living, dead = (start("-c", HOLD, "alone", stdin=-1) for _ in range(2))
    for process in (living, dead):
        assert process.stdout is not None and process.stdout.readline() and process.stdout.readline()
    dead.send_signal(signal.SIGKILL)
    dead.wait()
    for name in ("cvlint-abcdefgh", "cvlint-0123456789abcdef0", "other"):
        (temporary / name).mkdir()
    (temporary / "cvlint-0123456789abcdef").symlink_to(temporary / "other")
    kept = {path.name for path in temporary.iterdir()}
    folder, lock = new_folder()
    assert lock is not None
    assert len(list(temporary.iterdir())) == len(kept)  # one is gone, and there is a new one
    with temporary_folder():
        assert os.path.isdir(folder)
    os.close(lock)
    assert living.communicate("")[1] == ""
    with temporary_folder():
        assert not os.path.exists(folder)
    assert sorted(path.name for path in temporary.iterdir()) == [
        "cvlint-0123456789abcdef",
        "cvlint-0123456789abcdef0",
        "cvlint-abcdefgh",
        "other",
    ]


def test_many_that_make_and_remove(temporary: Path, start: Start) -> None:
    """Each looks after what the others have left, and takes none that lives."""
    code = """
import tempfile
from cvlint.filesystem.temporary_folders import temporary_folder
tempfile.tempdir = "."
for _ in range(150):
    with temporary_folder() as folder:
        (folder / "file").write_text("text")
        assert (folder / "file").read_text() == "text"
"""
    for process in [start("-c", code) for _ in range(3)]:
        assert process.communicate(timeout=60)[1] == ""
    assert not list(temporary.iterdir())
