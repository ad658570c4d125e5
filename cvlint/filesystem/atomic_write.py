"""Write a file whole or not at all: the new bytes go to a file without a name, which then takes the old one's place."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Iterator
from typing import IO

OPEN_FILES = ("/dev/fd", "/proc/self/fd")
"""Folders whose entries are what this process has open, by its number."""
NO_SUCH_WAY = (errno.EOPNOTSUPP, errno.EISDIR, errno.ENOENT, errno.EINVAL)
"""How file systems and old kernels answer when they are asked for a file without a name."""
NOT_TO_COPY = (errno.EOPNOTSUPP, errno.EPERM, errno.EACCES, errno.ENODATA, errno.EINVAL)
"""How the system answers when an attribute is its own affair, such as a label of its security."""


class ChangedMeanwhile(OSError):
    """The file on disk does not hold the bytes any more that the new ones were made from."""

    def __init__(self, path: str) -> None:
        super().__init__(errno.EBUSY, "it was changed meanwhile, and is left as it is: run the command again", path)


def write_file(path: str | os.PathLike[str], data: bytes, *, expected: bytes | None = None) -> None:
    """Write bytes as `replacing` does."""
    with replacing(path, expected=expected) as file:
        file.write(data)


@contextlib.contextmanager
def replacing(path: str | os.PathLike[str], *, expected: bytes | None = None) -> Iterator[IO[bytes]]:
    """Write a new file that takes the place of an old one when the block ends without an exception.

    Parameters
    ----------
    path
        Where to write. A symbolic link stays, and the file that it leads to is replaced. What is no regular file,
        such as a pipe or ``/dev/stdout``, is written into directly.
    expected
        The bytes that the old file must still hold right before it is replaced. Between the comparison and the
        replacement is a moment of some microseconds in which no system lets us notice another program.

    Yields
    ------
    binary file
        What is written to it becomes the file, with the mode, owner and attributes of the old one.

    Raises
    ------
    ChangedMeanwhile
        When the old file does not hold what is expected, or is gone.
    OSError
        When the file cannot be written, or not without a loss: it is read-only, has several hard links or has an owner
        that it would not keep. The old file is then as it was.
    """
    spelled = os.fspath(path)
    number = _open_number(spelled)
    if number is not None:
        with os.fdopen(os.dup(number), "wb") as file:
            yield file
        return
    try:
        old: os.stat_result | None = os.stat(spelled)
    except FileNotFoundError:
        old = None
    if old is not None and not stat.S_ISREG(old.st_mode):
        with open(spelled, "wb") as file:
            yield file
        return
    target = os.path.realpath(spelled)
    if old is not None:
        _refuse_loss(target, old)
    elif expected is not None:
        raise ChangedMeanwhile(spelled)
    temporary = os.path.join(os.path.dirname(target), f".cvlint-{os.urandom(8).hex()}.tmp")
    try:
        with _new_file(target, temporary, old) as file:
            if old is not None:
                _keep_owner(file.fileno(), target, old)
            yield file
            file.flush()
            if old is not None:
                _keep_attributes(file.fileno(), target, old)
            os.fsync(file.fileno())
            if not os.path.lexists(temporary):
                _give_name(file.fileno(), temporary)
        if expected is not None:
            _compare(target, expected)
        os.replace(temporary, target)
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary)
    _keep_entry(os.path.dirname(target))


def _open_number(path: str) -> int | None:
    """The number of the open file that a path leads to, as ``/dev/stdout`` does; None for all other paths.

    To replace such a file would part it from what the shell has opened; to open it anew would empty it.
    """
    own = (*OPEN_FILES, f"/proc/{os.getpid()}/fd")
    for _ in range(40):  # the system follows no more links either
        folder, name = os.path.split(path)
        if folder in own or (name.isdecimal() and os.path.realpath(folder) in own):
            return int(name) if name.isdecimal() else None
        try:
            path = os.path.join(folder, os.readlink(path))
        except (OSError, ValueError):
            return None
    return None


def _refuse_loss(target: str, old: os.stat_result) -> None:
    """Refuse to replace what may not be written, and what is one file under several names."""
    if not os.access(target, os.W_OK, effective_ids=os.access in os.supports_effective_ids):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), target)
    if old.st_nlink > 1:
        reason = "it has several hard links, and a new file would part it from the others; write to a copy of it"
        raise OSError(errno.EMLINK, reason, target)


def _new_file(target: str, temporary: str, old: os.stat_result | None) -> IO[bytes]:
    """An empty file beside the target: without a name where the system can do that, so that a kill leaves nothing."""
    mode = 0o666 if old is None else 0o600  # nobody may read what replaces a secret file, before it has its mode
    try:
        return os.fdopen(_nameless(os.path.dirname(target), temporary, mode), "wb")
    except PermissionError as error:
        if old is None:
            raise
        reason = "its folder is not writable, and a new file is made there first, so that the old one cannot be lost"
        raise PermissionError(errno.EACCES, reason, target) from error


def _nameless(folder: str, temporary: str, mode: int) -> int:
    kind = getattr(os, "O_TMPFILE", 0)
    if kind and os.path.isdir("/proc/self/fd"):
        try:
            return os.open(folder, kind | os.O_WRONLY, mode)
        except OSError as error:
            if error.errno not in NO_SUCH_WAY:
                raise
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    return os.open(temporary, flags, mode)


def _give_name(file: int, name: str) -> None:
    """Give a file without a name one; ``src_dir_fd`` makes Python call the function that follows the link."""
    os.link(f"/proc/self/fd/{file}", name, src_dir_fd=file, follow_symlinks=True)


def _keep_owner(file: int, target: str, old: os.stat_result) -> None:
    """Give a new file the owner and the group of the old one."""
    new = os.fstat(file)
    if (new.st_uid, new.st_gid) == (old.st_uid, old.st_gid):
        return
    try:
        os.chown(file, old.st_uid, old.st_gid)
    except OSError as error:
        reason = "it belongs to another user or group, which a new file would not keep"
        raise PermissionError(errno.EPERM, reason, target) from error


def _keep_attributes(file: int, target: str, old: os.stat_result) -> None:
    """Give a new file the extended attributes and the mode of the old one; the mode last, for they may change it."""
    if hasattr(os, "listxattr"):
        kept = _attributes(target)
        for name in kept:
            with _tolerated():
                os.setxattr(file, name, os.getxattr(target, name))
        for name in _attributes(file) - kept:  # access that the folder gives to all new files in it
            with _tolerated():
                os.removexattr(file, name)
    if os.chmod in os.supports_fd:
        os.chmod(file, stat.S_IMODE(old.st_mode))


def _attributes(file: int | str) -> set[str]:
    try:
        return set(os.listxattr(file))
    except OSError:  # the file system has none
        return set()


@contextlib.contextmanager
def _tolerated() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno not in NOT_TO_COPY:
            raise


def _compare(target: str, expected: bytes) -> None:
    try:
        with open(target, "rb") as file:
            found = file.read(len(expected) + 1)
    except OSError:
        found = None
    if found != expected:
        raise ChangedMeanwhile(target)


def _keep_entry(folder: str) -> None:
    """Make the name last through a loss of power, where folders can be synchronised."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
