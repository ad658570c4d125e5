"""One file of the cache: a header with a checksum, and one line of text per checked file."""

from __future__ import annotations

import os
from collections.abc import Mapping

from cvlint.source.file_bytes import content_digest

MAGIC = b"cvlint-results"
MAX_PACK_BYTES = 64_000_000
"""The size that a file of the cache cannot exceed; what does not fit is analysed again in the next run."""


class DamagedPack(ValueError):
    """A file in the cache that cvlint did not write, or that has changed since."""


def read_pack(path: str, stamp: str) -> dict[bytes, bytes]:
    """Read the lines of a pack; none if there is no such file, or if it has another stamp.

    Raises
    ------
    DamagedPack
        If the file is no pack, or does not have its checksum.
    OSError
        If it cannot be read.
    """
    try:
        with open(path, "rb") as file:
            data = file.read(MAX_PACK_BYTES + 1000)
    except FileNotFoundError:
        return {}
    header, _, body = data.partition(b"\n")
    words = header.split(b" ")
    if len(words) != 3 or words[0] != MAGIC:
        raise DamagedPack
    if words[1] != stamp.encode():
        return {}
    if words[2] != _checksum(body):
        raise DamagedPack
    lines = (line.partition(b"\t") for line in body.split(b"\n") if line)
    return {key: value for key, _, value in lines}


def write_pack(path: str, stamp: str, lines: Mapping[bytes, bytes]) -> None:
    """Write a pack as a whole, so that a reader and a killed process see the old one or the new one.

    Parameters
    ----------
    path : str
        The file.
    stamp : str
        A word that stands for everything that all results depend on.
    lines : mapping of bytes to bytes
        A key and a text per checked file, both without tabs and line ends; of too many lines the first ones are kept.

    Raises
    ------
    OSError
        If it cannot be written.
    """
    from cvlint.filesystem.atomic_write import write_file

    size = 0
    kept = []
    for key, value in lines.items():
        size += len(key) + len(value) + 2
        if size > MAX_PACK_BYTES:
            break
        kept.append(key + b"\t" + value)
    body = b"\n".join(kept)
    # Not durable: after a loss of power the checksum tells whether the file is whole.
    write_file(path, b" ".join((MAGIC, stamp.encode(), _checksum(body))) + b"\n" + body, durable=False)


def pack_state(path: str) -> tuple[int, int, int] | None:
    """What changes whenever somebody replaces a pack; None if it is not there."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino


def _checksum(body: bytes) -> bytes:
    return content_digest(body).encode()
