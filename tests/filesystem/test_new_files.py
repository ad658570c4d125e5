"""What a killed writer has left is removed by the next one; what belongs to a living writer or to the user stays."""

from __future__ import annotations

import os
import signal
import threading
from pathlib import Path

import pytest

from cvlint.filesystem.atomic_write import replacing, write_file
from cvlint.filesystem.new_files import remove_left_over
from tests.filesystem.conftest import Start

pytestmark = pytest.mark.skipif(os.name != "posix", reason="locks and signals of Unix")

WRITE = """
import os, sys
if sys.argv[1] == "with a name":
    del os.O_TMPFILE
from cvlint.filesystem import atomic_write
def wait(*_):
    print("ready", flush=True)
    sys.stdin.read()
    os.rename(*_)
atomic_write.os.replace = wait
atomic_write.write_file("written.txt", b"new", durable=False)
"""
"""It waits right before the replacement, and nobody removes what a kill leaves."""


def left(folder: Path) -> list[str]:
    return [name for name in os.listdir(folder) if name.startswith(".cvlint-")]


@pytest.mark.parametrize("kind", ["without a name", "with a name"])
def test_the_file_of_a_living_writer_stays_and_that_of_a_dead_one_goes(tmp_path: Path, start: Start, kind: str) -> None:
    (tmp_path / "written.txt").write_bytes(b"old")
    writers = [start("-c", WRITE, kind, stdin=-1) for _ in range(2)]
    for writer in writers:
        assert writer.stdout is not None and writer.stdout.readline() == "ready\n"
    assert len(left(tmp_path)) == 2
    remove_left_over(str(tmp_path))
    assert len(left(tmp_path)) == 2
    writers[0].send_signal(signal.SIGKILL)
    writers[0].wait()
    assert len(left(tmp_path)) == 2
    write_file(tmp_path / "other.txt", b"other")
    assert [f".cvlint-{writers[1].pid}-" in name for name in left(tmp_path)] == [True]
    assert writers[1].communicate("")[1] == ""
    assert (tmp_path / "written.txt").read_bytes() == b"new"
    assert sorted(os.listdir(tmp_path)) == ["other.txt", "written.txt"]


def test_a_number_of_a_process_that_is_used_again_keeps_nothing(tmp_path: Path) -> None:
    (tmp_path / f".cvlint-{os.getppid()}-0123456789abcdef.tmp").touch()
    remove_left_over(str(tmp_path))
    assert not left(tmp_path)


def test_what_is_not_ours_stays(tmp_path: Path) -> None:
    """Other names, folders, links and their targets, and pipes."""
    target = tmp_path / "target"
    target.touch()
    name = ".cvlint-1-0123456789abcde"
    for other in (".cvlint-baseline.json", f"{name}.tmp", f"{name}0.tmp~", f"x{name}1.tmp", ".cvlint-x.tmp"):
        (tmp_path / other).touch()
    (tmp_path / f"{name}2.tmp").mkdir()
    (tmp_path / f"{name}3.tmp").symlink_to(target)
    os.mkfifo(tmp_path / f"{name}4.tmp")
    before = sorted(os.listdir(tmp_path))
    remove_left_over(str(tmp_path))
    assert sorted(os.listdir(tmp_path)) == before


@pytest.mark.parametrize("kind", ["without a name", "with a name"])
def test_many_writers_and_removers(tmp_path: Path, kind: str, request: pytest.FixtureRequest) -> None:
    """Threads stand for processes: the locks are those of open files, and no name counts as the own one."""
    if kind == "with a name":
        request.getfixturevalue("no_nameless_files")
    done = threading.Event()
    monkeypatch: pytest.MonkeyPatch = request.getfixturevalue("monkeypatch")
    monkeypatch.setattr("cvlint.filesystem.new_files._is_own", lambda _: False)

    def remove() -> None:
        while not done.is_set():
            remove_left_over(str(tmp_path))

    remover = threading.Thread(target=remove)
    remover.start()
    try:
        for number in range(60):
            with replacing(tmp_path / "written.txt", durable=False) as file:
                file.write(b"%d" % number)
            assert (tmp_path / "written.txt").read_bytes() == b"%d" % number
    finally:
        done.set()
        remover.join()
    assert os.listdir(tmp_path) == ["written.txt"]
