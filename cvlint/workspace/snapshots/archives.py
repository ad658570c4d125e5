"""Unpack zip and tar files that nobody trusts: only their Python files and notebooks reach the disk."""

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
from functools import partial
from pathlib import Path
from typing import IO, cast

from cvlint.records import dataclass
from cvlint.source.unread_file import UnreadFile

CODE_SUFFIXES = (".py", ".ipynb")
ARCHIVE_SUFFIXES = (".zip", ".tar", ".tgz", ".tbz2", ".txz", ".tar.gz", ".tar.bz2", ".tar.xz", ".7z", ".rar")
CHUNK_BYTES = 1 << 20
MAX_HEADER_BYTES = 1 << 20
EXTENDED_HEADERS = (tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.SOLARIS_XHDTYPE, tarfile.GNUTYPE_LONGNAME, b"K")
"""Headers of a tar file whose content, such as a long name, goes into memory: at most `MAX_HEADER_BYTES` of it."""

IRREGULAR = "is a link or not a regular file, so it is not read"
OUTSIDE = "has a name that leads out of the archive, so it is not read"
TOO_LARGE = "is too large for source code, so it is not read"
ZIP_SIGNATURES = (b"PK\x03\x04", b"PK\x05\x06")
"""How a zip file begins. Other tools look at its end, where a tar file that contains a zip file looks like one."""

LIBRARY_ERRORS = (
    *(tarfile.TarError, zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error),
    *(EOFError, OSError, ValueError, RuntimeError, IndexError, OverflowError),  # RuntimeError: unknown compression
)
"""What the libraries raise for broken archives."""

CONTENT_ERRORS = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError)
"""What the libraries raise if the content of a single file is broken."""


class ArchiveError(ValueError):
    """An archive that cannot be read or is dangerous to read; the message is a clause with the reason."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How much an archive may hold, so that a decompression bomb fills neither the disk nor the memory."""

    members: int = 100_000
    """All members of the archive."""
    files: int = 10_000
    """The Python files and notebooks."""
    file_bytes: int = 100_000_000
    """The bytes of one of these; larger ones are left out."""
    total_bytes: int = 500_000_000
    """The bytes of all of these."""
    tar_bytes: int = 5_000_000_000
    """The decompressed bytes of a tar file that are read at all, other data included."""
    ratio: int = 200
    ratio_from: int = 20_000_000
    """Code of more than ``ratio_from`` bytes may be at most ``ratio`` times as large as the archive."""


@dataclass(frozen=True, slots=True)
class ArchiveMember:
    """A file of an archive or a commit: its name as it is stored, its size, and a function that opens it.

    ``refusal`` is the reason why it is not read; empty if it may be read.
    """

    name: str
    size: int
    open: Callable[[], IO[bytes] | None]
    refusal: str = ""


def unpack(archive: Path, folder: Path, limits: Limits | None = None) -> tuple[UnreadFile, ...]:
    """Copy the Python files and notebooks of a zip or tar file into a folder.

    Parameters
    ----------
    archive : Path
        A zip file, or a tar file that may be compressed by gzip, bzip2 or xz. Its content decides, not its name.
    folder : Path
        An empty folder.
    limits : Limits, optional
        How much the archive may hold.

    Returns
    -------
    tuple of UnreadFile
        What was left out although it may be code, and why: links, names that lead out of the folder, nested archives.

    Raises
    ------
    ArchiveError
        If the file is not an archive, is broken, or holds more than the limits allow.
    OSError
        If the disk is full, or the archive does not exist.
    """
    limits = limits or Limits()
    try:
        with archive.open("rb") as file:
            members = _zip_members(file, limits) if _first_bytes(file) in ZIP_SIGNATURES else _tar_members(file, limits)
            with closing(members):
                return tuple(copy_members(members, folder, archive.stat().st_size, limits))
    except ArchiveError:
        raise
    except LIBRARY_ERRORS as error:
        # For broken archives the libraries raise OSErrors without a number, or seek to a negative position (EINVAL).
        if isinstance(error, OSError) and error.errno not in (None, errno.EINVAL):
            raise
        reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
        raise ArchiveError(f"it is not a zip or tar file, or it is broken ({reason.rstrip('.')})") from error


def copy_members(
    members: Iterable[ArchiveMember],
    folder: Path,
    archive_bytes: int,
    limits: Limits,
    is_wanted: Callable[[str], bool] | None = None,
) -> Iterator[UnreadFile]:
    """Copy the wanted members, by default code, into a folder, and yield those that are left out; see `unpack`."""
    is_wanted = is_wanted or is_code
    total = files = 0
    for count, member in enumerate(members, start=1):
        check_counts(count, files, limits)
        name = member.name
        if name.lower().endswith(ARCHIVE_SUFFIXES):
            yield UnreadFile(name, "is an archive inside the archive, which is not opened; unpack it and name it")
        if not is_wanted(name):
            if member.refusal == IRREGULAR:  # a link to a folder may have any name
                yield UnreadFile(name, IRREGULAR)
            continue
        parts = safe_parts(name)
        if parts is None or member.refusal or member.size > limits.file_bytes:
            yield UnreadFile(name, member.refusal or (TOO_LARGE if parts else OUTSIDE))
            continue
        files += 1
        check_counts(count, files, limits)
        bytes_left = min(limits.total_bytes, max(limits.ratio_from, limits.ratio * archive_bytes)) - total
        written = _write(member, folder.joinpath(*parts), bytes_left)
        if isinstance(written, UnreadFile):
            yield written
        total += member.size if isinstance(written, UnreadFile) else written


def check_counts(members: int, files: int, limits: Limits) -> None:
    """Refuse an archive with too many members, or with too many files of code among them."""
    if members > limits.members:
        raise ArchiveError(f"it holds more than {limits.members} entries")
    if files > limits.files:
        raise ArchiveError(f"it holds more than {limits.files} Python files and notebooks")


def is_code(name: str) -> bool:
    """Whether a member is a Python file or notebook by its name, and not one that macOS adds beside each file."""
    is_from_macos = name.startswith("__MACOSX/") or name.rpartition("/")[2].startswith("._")
    return name.endswith(CODE_SUFFIXES) and not is_from_macos


def safe_parts(name: str) -> tuple[str, ...] | None:
    """The parts of a member's path below the target folder; None if the name is absolute or leads out of the folder."""
    parts = name.replace("\\", "/").split("/")
    if parts[0] == "" or any(part == ".." or ":" in part or "\0" in part for part in parts):
        return None  # on Windows a colon names a drive, or a stream of a file
    return tuple(part for part in parts if part not in ("", ".")) or None


def _write(member: ArchiveMember, target: Path, bytes_left: int) -> int | UnreadFile:
    """Copy one file and return its size; the copy never exceeds ``bytes_left``, whatever size the archive claims."""
    if member.size > bytes_left:
        raise ArchiveError(f"with {member.name!r} it unpacks to more bytes than are allowed")
    try:
        source = member.open()
    except (NotImplementedError, RuntimeError, zipfile.BadZipFile) as error:
        return UnreadFile(member.name, f"cannot be unpacked: {error}")
    if source is None:
        return UnreadFile(member.name, "cannot be unpacked: it has no content")
    copy = _new_file(member.name, target)
    if isinstance(copy, UnreadFile):
        return copy
    written = 0
    try:
        with source, copy:
            while chunk := source.read(min(CHUNK_BYTES, bytes_left - written + 1)):
                written += len(chunk)
                if written > bytes_left:
                    raise ArchiveError(f"with {member.name!r} it unpacks to more bytes than are allowed")
                copy.write(chunk)
    except CONTENT_ERRORS as error:
        if not isinstance(source, zipfile.ZipExtFile):
            raise  # a tar file cannot be read beyond a broken chunk
        target.unlink()
        return UnreadFile(member.name, f"cannot be unpacked: {error}")
    return written


def _new_file(name: str, target: Path) -> IO[bytes] | UnreadFile:
    """Create and open the target file and its folder; or give the reason why that is impossible."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        return UnreadFile(name, "cannot be unpacked: the archive also has a file with the name of its folder")
    except (OSError, ValueError) as error:
        return UnreadFile(name, f"cannot be unpacked: {getattr(error, 'strerror', None) or error}")
    try:
        return target.open("xb")
    except FileExistsError:
        if target.is_dir():
            return UnreadFile(name, "cannot be unpacked: the archive also has a folder of this name")
        return UnreadFile(name, "is in the archive more than once under this name; only the first was read")
    except (OSError, ValueError) as error:
        return UnreadFile(name, f"cannot be unpacked: {getattr(error, 'strerror', None) or error}")


def _zip_members(file: IO[bytes], limits: Limits) -> Generator[ArchiveMember, None, None]:
    with zipfile.ZipFile(file) as archive:
        listed = [info for info in archive.infolist() if not info.is_dir()]
        check_counts(len(listed), sum(is_code(info.filename) for info in listed), limits)
        for info in listed:
            yield ArchiveMember(info.filename, info.file_size, partial(archive.open, info), _zip_refusal(info))


def _zip_refusal(info: zipfile.ZipInfo) -> str:
    """The reason why a member of a zip file is not read; empty if it may be read."""
    mode = info.external_attr >> 16  # the Unix mode; 0 if the archive was made on another system
    if info.flag_bits & 0x1:
        return "cannot be unpacked: it is encrypted"
    return "" if stat.S_IFMT(mode) in (0, stat.S_IFREG) else IRREGULAR


def _tar_members(file: IO[bytes], limits: Limits) -> Generator[ArchiveMember, None, None]:
    """Read a tar file as a stream, header by header, without seeking."""
    stream = cast("IO[bytes]", _LimitedStream(_decompressed(file), limits.tar_bytes))  # tarfile only calls `read`
    with tarfile.open(fileobj=stream, mode="r|", tarinfo=_TarHeader) as archive:
        while (info := archive.next()) is not None:
            if not info.isdir():
                refusal = "" if info.isreg() and info.sparse is None else IRREGULAR
                yield ArchiveMember(info.name, 0 if refusal else info.size, partial(archive.extractfile, info), refusal)


def _decompressed(file: IO[bytes]) -> IO[bytes]:
    """The decompressed bytes of a tar file; its first bytes name the compression."""
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


class _LimitedStream:
    """A stream that refuses to yield more than a number of bytes."""

    def __init__(self, source: IO[bytes], max_bytes: int) -> None:
        self._source = source
        self._bytes_left = max_bytes

    def read(self, size: int) -> bytes:
        """Read some bytes."""
        data = self._source.read(size)
        self._bytes_left -= len(data)
        if self._bytes_left < 0:
            raise ArchiveError("it unpacks to more bytes than are allowed")
        return data


class _TarHeader(tarfile.TarInfo):
    """A header of a tar file; an extended header that is longer than any name can be is refused."""

    def _proc_member(self, archive: tarfile.TarFile) -> tarfile.TarInfo:
        """Look at a header before tarfile reads the data that follows it.

        Its source names this method as the one to override. It calls `frombuf` no longer (Python 3.14.10).
        """
        if self.type in EXTENDED_HEADERS and self.size > MAX_HEADER_BYTES:
            raise ArchiveError(f"it has a header of {self.size} bytes, longer than any name can be")
        header: tarfile.TarInfo = super()._proc_member(archive)  # type: ignore[misc]
        return header
