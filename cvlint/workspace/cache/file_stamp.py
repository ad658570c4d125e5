"""The stamp of a file: as long as it stays the same, so does the content, and the file need not be read again."""

from __future__ import annotations

import os
import sys
import time

SETTLED = 2_000_000_000
"""Nanoseconds after which a change would give a file another time on every file system: FAT counts in two seconds."""

FileStamp = list[int]


def file_stamp(path: str) -> FileStamp | None:
    """The times of the last changes of a file and of its inode, its size, and the inode; None if it is gone.

    A program can set the first time, but not the second one.
    """
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return None
    changed = 0 if sys.platform == "win32" else status.st_ctime_ns  # there it is the time at which the file was made
    return [status.st_mtime_ns, changed, status.st_size, status.st_ino]


def is_settled(stamp: FileStamp) -> bool:
    """Whether a later change gives the file another stamp, as git asks before it trusts one.

    A file that changes twice within one tick of the clock has the same times after both changes.
    """
    return max(stamp[:2]) < time.time_ns() - SETTLED
