"""Write a file whole or not at all: the new bytes go to a file without a name, which then replaces the old file."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Callable, Iterator
from typing import IO

from cvlint.filesystem.left_behind import remove_if_killed
from cvlint.filesystem.new_files import keep_lock, lock, new_name, remove_left_over_once

OPEN_FILES = ("/dev/fd", "/proc/self/fd")
"""Folders that list the open files of this process by their numbers."""
NO_NAMELESS_FILES = (errno.EOPNOTSUPP, errno.EISDIR, errno.ENOENT, errno.EINVAL)
"""What file systems and old kernels answer if they cannot make a file without a name."""
NOT_COPYABLE = (errno.EOPNOTSUPP, errno.EPERM, errno.EACCES, errno.ENODATA, errno.EINVAL)
"""What the system answers if only the system itself sets an attribute, such as a security label."""


class ChangedMeanwhile(OSError):
    """Another program has changed a file since cvlint read it."""

    def __init__(self, path: str) -> None:
        super().__init__(errno.EBUSY, "it was changed meanwhile, so it is left unchanged: run the command again", path)


def write_file(
    path: str | os.PathLike[str], data: bytes, *, expected: bytes | None = None, durable: bool = True
) -> None:
    """Write bytes to a file as `replacing` does."""
    with replacing(path, expected=expected, durable=durable) as file:
        file.write(data)


@contextlib.contextmanager
def replacing(
    path: str | os.PathLike[str], *, expected: bytes | None = None, durable: bool = True
) -> Iterator[IO[bytes]]:
    """Write a new file that replaces the old one when the block ends without an exception.

    Parameters
    ----------
    path
        Where to write. A symbolic link stays, and its target is replaced. A pipe, ``/dev/stdout`` and other files that
        are not regular files are written directly.
    expected
        The bytes that the old file must still hold right before it is replaced. A change by another program goes
        unnoticed only in the few microseconds between the comparison and the replacement.
    durable
        Whether the new file also survives a loss of power, which takes time; a file of a cache need not.

    Yields
    ------
    binary file
        The new file. It gets the mode, owner and attributes of the old one.

    Raises
    ------
    ChangedMeanwhile
        If the old file does not hold the expected bytes, or is gone.
    OSError
        If the file cannot be written, or only with a loss: it is read-only, it has several hard links, or a new file
        would not keep its owner. The old file is unchanged then.
    """
    name = os.fspath(path)
    descriptor = _open_descriptor(name)
    if descriptor is not None:
        with os.fdopen(os.dup(descriptor), "wb") as file:
            yield file
        return
    try:
        old: os.stat_result | None = os.stat(name)
    except FileNotFoundError:
        old = None
    if old is not None and not stat.S_ISREG(old.st_mode):
        with open(name, "wb") as file:
            yield file
        return
    target = os.path.realpath(name)
    if old is not None:
        _refuse_loss(target, old)
    elif expected is not None:
        raise ChangedMeanwhile(name)
    remove_left_over_once(os.path.dirname(target))
    announce = remove_if_killed if durable else _nothing
    descriptor, temporary = _new_file(target, old, announce)
    is_in_place = False
    try:
        with keep_lock(descriptor):
            with os.fdopen(descriptor, "wb") as file:
                if old is not None:
                    _keep_owner(file.fileno(), target, old)
                yield file
                file.flush()
                if old is not None:
                    _keep_attributes(file.fileno(), target, old)
                if durable:
                    os.fsync(file.fileno())
                if not os.path.lexists(temporary):
                    is_in_place = old is None and _put_in_place(file.fileno(), target)
                    if not is_in_place:
                        announce(temporary)
                        _give_name(file.fileno(), temporary)
            if not is_in_place:
                if expected is not None:
                    _refuse_changed(target, expected)
                os.replace(temporary, target)
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary)
    if durable:
        _sync_folder(os.path.dirname(target))


def _open_descriptor(path: str) -> int | None:
    """The descriptor of the open file that a path such as ``/dev/stdout`` names; None for other paths.

    Replacing such a file would separate it from the file that the shell has opened; opening it again would empty it.
    """
    own = (*OPEN_FILES, f"/proc/{os.getpid()}/fd")
    for _ in range(40):  # the limit of the system for a chain of links
        folder, name = os.path.split(path)
        if folder in own or (name.isdecimal() and os.path.realpath(folder) in own):
            return int(name) if name.isdecimal() else None
        try:
            path = os.path.join(folder, os.readlink(path))
        except (OSError, ValueError):
            return None
    return None


def _refuse_loss(target: str, old: os.stat_result) -> None:
    """Refuse to replace a read-only file, and a file with several names."""
    if not os.access(target, os.W_OK, effective_ids=os.access in os.supports_effective_ids):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), target)
    if old.st_nlink > 1:
        reason = "it has several hard links, and a new file would be separate from the others; write to a copy of it"
        raise OSError(errno.EMLINK, reason, target)


def _new_file(target: str, old: os.stat_result | None, announce: Callable[[str], None]) -> tuple[int, str]:
    """Create and lock an empty file in the target's folder, without a name if the system can; its name, now or later.

    A kill leaves nothing of a file without a name. A name is announced before a file has it.
    """
    mode = 0o666 if old is None else 0o600  # the old file may be secret, so others cannot read the new one meanwhile
    folder = os.path.dirname(target)
    try:
        descriptor = _nameless(folder, mode)
        if descriptor is not None:
            lock(descriptor)
            return descriptor, new_name(folder)
        while True:  # another process may remove it before it is locked
            announce(name := new_name(folder))
            descriptor = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), mode)
            if lock(descriptor) and os.path.lexists(name):
                return descriptor, name
            os.close(descriptor)
    except PermissionError as error:
        if old is None:
            raise
        reason = "its folder is not writable, and a new file is made there first, so that the old one cannot be lost"
        raise PermissionError(errno.EACCES, reason, target) from error


def _nameless(folder: str, mode: int) -> int | None:
    kind = getattr(os, "O_TMPFILE", 0)
    if kind and os.path.isdir("/proc/self/fd"):
        try:
            return os.open(folder, kind | os.O_WRONLY, mode)
        except OSError as error:
            if error.errno not in NO_NAMELESS_FILES:
                raise
    return None


def _nothing(name: str) -> None:
    """Tell nobody of a new file that need not be durable: the next process that writes there removes it."""


def _put_in_place(file: int, target: str) -> bool:
    """Give the target's name to a file without one; False if another program has made the target meanwhile."""
    try:
        _give_name(file, target)
    except FileExistsError:
        return False
    return True


def _give_name(file: int, name: str) -> None:
    """Give a name to a file without one; with ``src_dir_fd`` Python calls ``linkat``, which follows the link."""
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
    """Give a new file the extended attributes and the mode of the old one; the mode last, as attributes change it."""
    if hasattr(os, "listxattr"):
        old_names = _attributes(target)
        for name in old_names:
            with _tolerate_uncopyable():
                os.setxattr(file, name, os.getxattr(target, name))
        for name in _attributes(file) - old_names:  # access rights that the folder gives to all new files
            with _tolerate_uncopyable():
                os.removexattr(file, name)
    if os.chmod in os.supports_fd:
        os.chmod(file, stat.S_IMODE(old.st_mode))


def _attributes(file: int | str) -> set[str]:
    try:
        return set(os.listxattr(file))
    except OSError:  # the file system has no attributes
        return set()


@contextlib.contextmanager
def _tolerate_uncopyable() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno not in NOT_COPYABLE:
            raise


def _refuse_changed(target: str, expected: bytes) -> None:
    try:
        with open(target, "rb") as file:
            found = file.read(len(expected) + 1)
    except OSError:
        found = None
    if found != expected:
        raise ChangedMeanwhile(target)


def _sync_folder(folder: str) -> None:
    """Write the new name to the disk, so that it survives a loss of power; some systems cannot sync folders."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
