"""The bytes of a file, and the digest by which their content is compared; nothing here parses."""

from __future__ import annotations

from pathlib import Path

from cvlint.filesystem.regular_file import read_regular_file
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
        return read_regular_file(path, limit)
    except (OSError, ValueError) as error:
        return UnreadFile(display, f"cannot be read: {getattr(error, 'strerror', None) or error}")


def content_digest(data: bytes) -> str:
    """A hash of bytes, in hexadecimal digits: equal digests mean equal bytes."""
    return blake2b(data, digest_size=16).hexdigest()
