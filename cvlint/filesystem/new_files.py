"""Files that are being written, and those that a killed process has left.

Each new file is locked by the process that writes it until it replaces the old one. The system frees the lock when the
process ends, however it ends, so a new file without a lock belongs to nobody. The number of a process decides nothing,
because it is used again. On systems (Windows) and file systems without such locks new files that were left stay.
"""

from __future__ import annotations

import contextlib
import os
import re
import stat
import sys
from collections.abc import Iterator
from functools import cache

NEW_FILE = re.compile(r"\.cvlint-\d+-[0-9a-f]{16}\.tmp")
"""The names of new files: the number of the process that writes it, for readers, and a random number."""


def new_name(folder: str) -> str:
    """A name for a new file in a folder, which no other file has had."""
    return os.path.join(folder, f".cvlint-{os.getpid()}-{os.urandom(8).hex()}.tmp")


@cache
def remove_left_over_once(folder: str) -> None:
    """Remove what was left in a folder when this process first writes there; a look at each write takes time."""
    remove_left_over(folder)


if sys.platform == "win32":

    def lock(descriptor: int) -> bool:
        """Lock nothing, because Windows cannot replace a file by one that is open."""
        return True

    @contextlib.contextmanager
    def keep_lock(descriptor: int) -> Iterator[None]:
        """Keep nothing."""
        yield

    def remove_left_over(folder: str) -> None:
        """Remove nothing, because nothing tells whether a new file still has a writer."""

else:
    import fcntl

    def lock(descriptor: int) -> bool:
        """Lock a new file; False if another process has taken it for one that was left, and removes it."""
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:  # this file system has no locks, so no process removes the file
            return True
        return True

    @contextlib.contextmanager
    def keep_lock(descriptor: int) -> Iterator[None]:
        """Keep the lock of a file that the block closes."""
        copy = os.dup(descriptor)
        try:
            yield
        finally:
            os.close(copy)

    def remove_left_over(folder: str) -> None:
        """Remove the new files in a folder whose writers have ended."""
        try:
            names = [name for name in os.listdir(folder) if NEW_FILE.fullmatch(name) and not _is_own(name)]
        except OSError:
            return
        for name in names:
            with contextlib.suppress(OSError):  # it is locked, is gone, or is another user's
                _remove_unlocked(os.path.join(folder, name))

    def _is_own(name: str) -> bool:
        """Whether a thread of this process may write it; some network file systems do not lock out other threads."""
        return name.startswith(f".cvlint-{os.getpid()}-")

    def _remove_unlocked(path: str) -> None:
        # Some network file systems lock only what may be written. A pipe is not waited for, a link is not followed.
        descriptor = os.open(path, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK)
        try:
            if stat.S_ISREG(os.fstat(descriptor).st_mode):
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                os.unlink(path)
        finally:
            os.close(descriptor)
