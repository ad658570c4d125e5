"""What a killed process leaves is gone a moment after it; what it left on purpose and what is not its own stays."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pytest

from cvlint.filesystem.remover import remove
from tests.filesystem.conftest import Start

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals of Unix")

MAKE = """
import os, sys
from cvlint.filesystem import left_behind
os.mkdir("folder")
os.mkdir("folder/inner")
for name in ("file", "folder/inner/file", "kept"):
    open(name, "w").close()
os.symlink("kept", "link")
for name in ("file", "gone", "folder", "link"):
    left_behind.remove_if_killed(os.path.abspath(name))
print(*(pid for pid, _ in left_behind._started), flush=True)
"""


def wait_for(path: Path) -> None:
    until = time.monotonic() + 20
    while os.path.lexists(path) and time.monotonic() < until:
        time.sleep(0.01)


def has_ended(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "Z"


def test_what_a_killed_group_of_processes_leaves_is_removed(tmp_path: Path, start: Start) -> None:
    process = start("-c", MAKE + "sys.stdin.read()", stdin=-1, start_new_session=True)
    assert process.stdout is not None
    remover = int(process.stdout.readline())
    os.killpg(process.pid, signal.SIGKILL)
    for name in ("link", "folder"):
        wait_for(tmp_path / name)
    assert os.listdir(tmp_path) == ["kept"]
    until = time.monotonic() + 20
    while not has_ended(remover) and time.monotonic() < until:
        time.sleep(0.01)
    assert has_ended(remover)


def test_a_process_that_ends_by_itself_waits_for_the_other(tmp_path: Path, start: Start) -> None:
    process = start("-c", MAKE)
    said, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (0, "")
    assert has_ended(int(said))


def test_a_forked_process_keeps_nothing_from_being_removed(tmp_path: Path, start: Start) -> None:
    fork = "if not os.fork():\n    import time\n    os.close(1)\n    time.sleep(60)\nos.kill(os.getpid(), 9)\n"
    process = start("-c", MAKE + fork, start_new_session=True)
    assert process.wait(60) == -signal.SIGKILL
    wait_for(tmp_path / "folder")
    wait_for(tmp_path / "link")
    assert os.listdir(tmp_path) == ["kept"]
    os.killpg(process.pid, signal.SIGKILL)


def test_without_another_process_nothing_fails(tmp_path: Path, start: Start) -> None:
    """The other one may have been killed, or no process can be started."""
    killed = MAKE + "os.kill(left_behind._started[0][0], 9); os.waitpid(-1, 0); left_behind.remove_if_killed('/x')"
    for code in (killed, "import sys; sys.executable = '/nowhere'\n" + MAKE):
        for path in ("folder/inner/file", "file", "kept", "link"):
            (tmp_path / path).unlink(missing_ok=True)
        for path in ("folder/inner", "folder"):
            if (tmp_path / path).exists():
                (tmp_path / path).rmdir()
        process = start("-c", code)
        assert process.communicate(timeout=60)[1] == ""
        assert process.returncode == 0


def test_files_folders_and_links_are_removed_and_what_they_lead_to_stays(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "kept").mkdir()
    (tmp_path / "folder" / "link").symlink_to(tmp_path / "kept")
    (tmp_path / "link").symlink_to(tmp_path / "kept")
    (tmp_path / "file").touch()
    for name in ("file", "link", "folder", "none"):
        remove(os.fsencode(tmp_path / name))
    assert os.listdir(tmp_path) == ["kept"]
