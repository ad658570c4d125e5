"""Folders for temporary files; none outlives the process that made it for long.

Each folder is locked by its process. The system frees the lock when the process ends, so a folder without a lock
belongs to nobody: the next process that makes one removes it. That matters only where `left_behind` could not do it at
once, as after the end of a whole container.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import gettempdir

from cvlint.filesystem.left_behind import remove_if_killed

OURS = re.compile(r"cvlint-[0-9a-f]{16}")


@contextlib.contextmanager
def temporary_folder() -> Iterator[Path]:
    """Make an empty folder, which is removed at the end of the block, or else when this process has ended.

    Raises
    ------
    OSError
        If it cannot be made.
    """
    name = _new_name()
    remove_if_killed(name)
    folder, lock = new_folder(name)
    try:
        yield Path(folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        if lock is not None:
            os.close(lock)


def new_folder(name: str = "") -> tuple[str, int | None]:
    """Make an empty folder that the caller removes, or else the next process that makes one after this one's end.

    Returns
    -------
    tuple
        Its path, and the descriptor that holds its lock; None if the system has no such locks.
    """
    _remove_left_over(_temporary())
    while True:
        folder = name or _new_name()
        os.mkdir(folder, 0o700)
        lock = _locked(folder)
        if os.path.lexists(folder):
            return folder, lock
        if lock is not None:  # another process has taken it for one that was left, before it was locked
            os.close(lock)


def _temporary() -> str:
    return os.path.realpath(gettempdir())


def _new_name() -> str:
    return os.path.join(_temporary(), f"cvlint-{os.urandom(8).hex()}")


if sys.platform == "win32":

    def _locked(folder: str) -> int | None:
        """Lock nothing, because Windows cannot lock a folder."""
        return None

    def _remove_left_over(temporary: str) -> None:
        """Remove nothing, because nothing tells whether a folder still has an owner."""

else:
    import fcntl

    def _locked(folder: str) -> int | None:
        """Lock a folder; None if another process removes it, or if its file system has no locks."""
        with contextlib.suppress(FileNotFoundError):
            lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
            with contextlib.suppress(OSError):
                fcntl.flock(lock, fcntl.LOCK_EX)
            return lock
        return None

    def _remove_left_over(temporary: str) -> None:
        """Remove the folders whose processes have ended."""
        with contextlib.suppress(OSError):
            for name in filter(OURS.fullmatch, os.listdir(temporary)):
                with contextlib.suppress(OSError):  # it is locked, is gone, or is another user's
                    _remove_unlocked(os.path.join(temporary, name))

    def _remove_unlocked(folder: str) -> None:
        lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        try:
            if os.fstat(lock).st_uid == os.geteuid():
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(folder, ignore_errors=True)
        finally:
            os.close(lock)
