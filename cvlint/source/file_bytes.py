"""The bytes of a file, and the digest by which their content is compared; nothing here parses."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from cvlint.source.unread_file import UnreadFile

try:  # `hashlib` also loads OpenSSL, which takes longer than a check of a file that has not changed
    from _blake2 import blake2b
except ImportError:
    from hashlib import blake2b

MAX_SOURCE = 5_000_000
"""Bytes of a script, or characters of a notebook's code: more is data, not an experiment."""

MAX_NOTEBOOK = 100_000_000
"""Bytes of a notebook, which holds its plots as well."""


def load(path: Path | str, display: str) -> bytes | UnreadFile:
    """Read the bytes of a file, unless it is not a regular file or is too large to be source code."""
    limit = MAX_NOTEBOOK if display.endswith(".ipynb") else MAX_SOURCE
    try:
        status = os.stat(path)
        if not stat.S_ISREG(status.st_mode):  # opening a pipe would wait for ever
            return UnreadFile(display, "cannot be read: not a file")
        if status.st_size > limit:
            return UnreadFile(display, too_large(status.st_size, limit))
        with open(path, "rb") as file:
            data = file.read(limit + 1)
    except (OSError, ValueError) as error:
        return UnreadFile(display, f"cannot be read: {getattr(error, 'strerror', None) or error}")
    return data


def too_large(size: int, limit: int) -> str:
    """Say that a file is too large."""
    return f"too large to be checked: {size / 1e6:.1f} MB, more than {limit / 1e6:.0f} MB"


def content_digest(data: bytes) -> str:
    """A hash of bytes, in hexadecimal digits: equal digests mean equal bytes."""
    return blake2b(data, digest_size=16).hexdigest()
