"""The one reader of everything that cvlint reads as a whole: regular files of a sane size, and nothing else.

A pipe has no end, a device may have none, and a link may lead to either. Python code, notebooks, configs, baselines,
rules and ``.gitignore`` files may all come from strangers.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import IO

MOST_SETTINGS = 1_000_000
"""Bytes of a config, a rule, a knowledge file, or a file of patterns: more is no settings."""

MOST_RESULTS = 100_000_000
"""Bytes of a file that cvlint wrote itself, such as a baseline or findings as JSON; and of a program to run."""


_only_below: str | None = None
"""The real path of the one folder that this process reads, with a separator at its end; None for all folders."""


def read_only_below(folder: str) -> None:
    """From now on, let this process read no file outside of a folder, whatever names and links lead to it."""
    global _only_below
    _only_below = os.path.join(os.path.realpath(folder), "")


class RefusedFileError(OSError):
    """A file is not read; ``strerror`` is the reason: a clause without a full stop."""

    def __init__(self, reason: str) -> None:
        super().__init__(0, reason)
        self.strerror = reason


def read_regular_file(path: str | Path, most: int) -> bytes:
    """Read a file whole.

    Parameters
    ----------
    path : str or Path
        The file.
    most : int
        The most bytes that it may have.

    Raises
    ------
    RefusedFileError
        If it is a folder, a pipe, a socket or a device, is too large, or lies outside of the folder of
        `read_only_below`.
    OSError, ValueError
        If it cannot be read; ValueError for a path that no file can have.
    """
    if _only_below is not None:  # what is opened is what was looked at, whatever becomes of a link meanwhile
        path = os.path.realpath(path)
        if not path.startswith(_only_below):
            raise RefusedFileError(f"it lies outside of {_only_below}")
    # Without blocking: to open a pipe would wait for somebody who writes to it.
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    status = os.fstat(descriptor)
    if not stat.S_ISREG(status.st_mode):
        os.close(descriptor)
        raise RefusedFileError("it is not a regular file")
    with open(descriptor, "rb") as file:
        # What is asked for is taken at once: a buffer of the limit's size would stay with the process.
        data = b"" if status.st_size > most else _read(file, status.st_size + 1)
        if len(data) > status.st_size:  # it grows, or lies in /proc, where the size is told as 0
            data += _read(file, most + 1 - len(data))
    size = max(status.st_size, len(data))
    if size > most:
        raise RefusedFileError(too_large(size, most))
    return data


def _read(file: IO[bytes], size: int) -> bytes:
    """Read some bytes; files of /proc that wait for something as pipes do are refused as such."""
    data: bytes | None = file.read(size)
    if data is None:
        raise RefusedFileError("it is not a regular file")
    return data


def require_regular_file(path: str | Path) -> None:
    """Check that a file is a regular one, of any size, before a library opens it.

    Raises
    ------
    RefusedFileError
        If it is a folder, a pipe, a socket or a device.
    OSError, ValueError
        If there is no such file; ValueError for a path that no file can have.
    """
    if not stat.S_ISREG(os.stat(path).st_mode):
        raise RefusedFileError("it is not a regular file")


def read_program(path: str | Path) -> bytes:
    """Read a program that the user wants to run; as Python does, from a pipe or a terminal, too.

    Raises
    ------
    RefusedFileError
        If it is too large to be a program, as a device without an end is.
    OSError, ValueError
        If it cannot be read; ValueError for a path that no file can have.
    """
    with open(path, "rb") as file:
        data = file.read(MOST_RESULTS + 1)
    if len(data) > MOST_RESULTS:
        raise RefusedFileError(too_large(max(len(data), os.stat(path).st_size), MOST_RESULTS))
    return data


def too_large(size: int, most: int) -> str:
    """The reason why a file is refused for its size."""
    return f"it is too large: {size / 1e6:.1f} MB, more than {most / 1e6:.0f} MB"
