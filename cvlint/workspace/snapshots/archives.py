"""Archives of strangers: their Python files and notebooks are copied into a folder, and nothing else comes of them."""

from __future__ import annotations

import bz2
import errno
import gzip
import lzma
import stat
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO, cast

from cvlint.source.unread_file import UnreadFile

SUFFIXES = (".py", ".ipynb")
ARCHIVES = (".zip", ".tar", ".tgz", ".tbz2", ".txz", ".tar.gz", ".tar.bz2", ".tar.xz", ".7z", ".rar")
PIECE = 1 << 20
HEADER = 1 << 20
LENGTHENING = (tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.SOLARIS_XHDTYPE, tarfile.GNUTYPE_LONGNAME, b"K")
"""Headers of a tar file whose content, a long name for example, is read into memory: of at most so many bytes."""

IRREGULAR = "is a link or no regular file, so it is not read"
OUTSIDE = "has a name that leads out of the archive, so it is not read"
TOO_LARGE = "is too large for source code, so it is not read"
ZIP = (b"PK\x03\x04", b"PK\x05\x06")
"""How a zip file begins; by its end, where others look, a tar file with a zip file in it would be one, too."""

FAULTS = (
    *(tarfile.TarError, zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error),
    *(EOFError, OSError, ValueError, RuntimeError, IndexError, OverflowError),  # RuntimeError: of an unknown method
)
"""What the libraries raise of archives that are broken."""

BROKEN = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError)
"""What they raise when the content of one file is."""


class ArchiveError(ValueError):
    """An archive that cannot be read, or that is a danger to read; the message is a clause that says why."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How much an archive may hold: entries, files of ours, bytes of one of them (larger ones are left out) and of all.

    ``passed`` are the bytes of a tar file that are gone through, data and all; ``ratio`` is how many times larger than
    the archive our files may be, if they are more than ``ratio_from``.
    """

    entries: int = 100_000
    files: int = 10_000
    single: int = 100_000_000
    total: int = 500_000_000
    passed: int = 5_000_000_000
    ratio: int = 200
    ratio_from: int = 20_000_000


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of an archive: its name as it is written there, and why its content is not to be had, if it is not."""

    name: str
    size: int
    open: Callable[[], IO[bytes] | None]
    refused: str = ""


def unpack(archive: Path, folder: Path, limits: Limits | None = None) -> tuple[UnreadFile, ...]:
    """Copy the Python files and notebooks of a zip or tar file into a folder.

    Parameters
    ----------
    archive : Path
        A zip file, or a tar file that may be compressed by gzip, bzip2 or xz; its content says which.
    folder : Path
        An empty folder of our own.
    limits : Limits, optional
        How much is too much.

    Returns
    -------
    tuple of UnreadFile
        What was left out although it may be code, and why: links, names that lead out of the folder, archives inside.

    Raises
    ------
    ArchiveError
        If it is no archive, or a broken one, or holds more than the limits allow.
    OSError
        If the disk is full, or the archive is not there.
    """
    limits = limits or Limits()
    try:
        with archive.open("rb") as file:
            entries = _zipped(file, limits) if _first_bytes(file) in ZIP else _tarred(file, limits)
            with closing(entries):
                return tuple(copied(entries, folder, archive.stat().st_size, limits))
    except ArchiveError:
        raise
    except FAULTS as error:
        # Of a broken archive the libraries raise OSErrors of their own, without a number, or seek before its start.
        if isinstance(error, OSError) and error.errno not in (None, errno.EINVAL):
            raise
        reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
        raise ArchiveError(f"it is no zip or tar file, or a broken one ({reason.rstrip('.')})") from error


def copied(
    entries: Iterable[Entry], folder: Path, packed: int, limits: Limits, wanted: Callable[[str], bool] | None = None
) -> Iterator[UnreadFile]:
    """Copy what is wanted of ``packed`` bytes, by default code, and tell of what is not; see `unpack`."""
    wanted = wanted or is_wanted
    total = files = 0
    for count, entry in enumerate(entries, start=1):
        refuse_too_many(count, files, limits)
        if entry.name.lower().endswith(ARCHIVES):
            yield UnreadFile(entry.name, "is an archive inside the archive, which is not opened; unpack it and name it")
        if not wanted(entry.name):
            if entry.refused == IRREGULAR:  # a link to a folder may have any name
                yield UnreadFile(entry.name, IRREGULAR)
            continue
        place = placed(entry.name)
        if place is None or entry.refused or entry.size > limits.single:
            yield UnreadFile(entry.name, entry.refused or (TOO_LARGE if place else OUTSIDE))
            continue
        files += 1
        refuse_too_many(count, files, limits)
        most = min(limits.total, max(limits.ratio_from, limits.ratio * packed)) - total
        written = _write(entry, folder.joinpath(*place), most)
        if isinstance(written, UnreadFile):
            yield written
        total += entry.size if isinstance(written, UnreadFile) else written


def refuse_too_many(entries: int, files: int, limits: Limits) -> None:
    """Refuse an archive with so many entries, so many of which are files of ours, if that is more than is allowed."""
    if entries > limits.entries:
        raise ArchiveError(f"it holds more than {limits.entries} entries")
    if files > limits.files:
        raise ArchiveError(f"it holds more than {limits.files} Python files and notebooks")


def is_wanted(name: str) -> bool:
    """Whether an entry is called like code, and is not what macOS puts beside each file."""
    return name.endswith(SUFFIXES) and not name.startswith("__MACOSX/") and not name.rpartition("/")[2].startswith("._")


def placed(name: str) -> tuple[str, ...] | None:
    """Where below a folder an entry goes: the parts of its name; None if it is absolute or leads out of the folder."""
    parts = name.replace("\\", "/").split("/")
    if parts[0] == "" or any(part == ".." or ":" in part or "\0" in part for part in parts):
        return None  # a colon: a drive, or a stream of a file, of Windows
    return tuple(part for part in parts if part not in ("", ".")) or None


def _write(entry: Entry, target: Path, most: int) -> int | UnreadFile:
    """Copy one file; never more than ``most`` bytes, whatever size the archive says it has."""
    if entry.size > most:
        raise ArchiveError(f"with {entry.name!r} it unpacks to more bytes than are allowed")
    try:
        source = entry.open()
    except (NotImplementedError, RuntimeError, zipfile.BadZipFile) as error:
        return UnreadFile(entry.name, f"cannot be unpacked: {error}")
    if source is None:
        return UnreadFile(entry.name, "cannot be unpacked: it has no content")
    copy = _new_file(entry.name, target)
    if isinstance(copy, UnreadFile):
        return copy
    written = 0
    try:
        with source, copy:
            while piece := source.read(min(PIECE, most - written + 1)):
                written += len(piece)
                if written > most:
                    raise ArchiveError(f"with {entry.name!r} it unpacks to more bytes than are allowed")
                copy.write(piece)
    except BROKEN as error:
        if not isinstance(source, zipfile.ZipExtFile):
            raise  # behind a broken piece of a tar file nothing can be found
        target.unlink()
        return UnreadFile(entry.name, f"cannot be unpacked: {error}")
    return written


def _new_file(name: str, target: Path) -> IO[bytes] | UnreadFile:
    """A file to copy to, in its folder; or why there can be none."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        return UnreadFile(name, "cannot be unpacked: the archive has a file with the name of its folder, too")
    except (OSError, ValueError) as error:
        return UnreadFile(name, f"cannot be unpacked: {getattr(error, 'strerror', None) or error}")
    try:
        return target.open("xb")
    except FileExistsError:
        if target.is_dir():
            return UnreadFile(name, "cannot be unpacked: the archive has a folder of this name, too")
        return UnreadFile(name, "is in the archive more than once under this name; only the first was read")
    except (OSError, ValueError) as error:
        return UnreadFile(name, f"cannot be unpacked: {getattr(error, 'strerror', None) or error}")


def _zipped(file: IO[bytes], limits: Limits) -> Generator[Entry, None, None]:
    with zipfile.ZipFile(file) as archive:
        listed = [info for info in archive.infolist() if not info.is_dir()]
        refuse_too_many(len(listed), sum(is_wanted(info.filename) for info in listed), limits)
        for info in listed:
            yield Entry(info.filename, info.file_size, partial(archive.open, info), _refused(info))


def _refused(info: zipfile.ZipInfo) -> str:
    mode = info.external_attr >> 16  # of Unix, where the archive was made there
    if info.flag_bits & 0x1:
        return "cannot be unpacked: it is encrypted"
    return "" if stat.S_IFMT(mode) in (0, stat.S_IFREG) else IRREGULAR


def _tarred(file: IO[bytes], limits: Limits) -> Generator[Entry, None, None]:
    """Read a tar file as a stream: header by header, and never back."""
    stream = cast("IO[bytes]", _Limited(_decompressed(file), limits.passed))  # of which tarfile only reads
    with tarfile.open(fileobj=stream, mode="r|", tarinfo=_Member) as archive:
        while (info := archive.next()) is not None:
            if not info.isdir():
                refused = "" if info.isreg() and info.sparse is None else IRREGULAR
                yield Entry(info.name, 0 if refused else info.size, partial(archive.extractfile, info), refused)


def _decompressed(file: IO[bytes]) -> IO[bytes]:
    """The bytes of a tar file, by the first bytes of its compression."""
    match _first_bytes(file)[:3]:
        case b"\x1f\x8b\x08":
            return cast("IO[bytes]", gzip.GzipFile(fileobj=file))
        case b"BZh":
            return cast("IO[bytes]", bz2.BZ2File(file))
        case b"\xfd7z":
            return cast("IO[bytes]", lzma.LZMAFile(file))
        case _:
            return file


def _first_bytes(file: IO[bytes]) -> bytes:
    magic = file.read(4)
    file.seek(0)
    return magic


class _Limited:
    """A stream that ends in a refusal when too much has come out of it."""

    def __init__(self, source: IO[bytes], most: int) -> None:
        self._source = source
        self._left = most

    def read(self, size: int) -> bytes:
        """Read some bytes."""
        data = self._source.read(size)
        self._left -= len(data)
        if self._left < 0:
            raise ArchiveError("it unpacks to more bytes than are allowed")
        return data


class _Member(tarfile.TarInfo):
    """A header of a tar file; one that only lengthens the next is refused if no name can be so long."""

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> _Member:
        """Read a block of 512 bytes, before anything is read of what it announces."""
        member = super().frombuf(buf, encoding, errors)
        if member.type in LENGTHENING and member.size > HEADER:
            raise ArchiveError(f"it has a header of {member.size} bytes, longer than any name can be")
        return member
