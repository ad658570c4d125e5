"""A lock per project: only one process at a time changes its files."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterable, Iterator

lock_descriptors: set[int] = set()
"""The descriptors of the folders that this process has locked."""


@contextlib.contextmanager
def writer_locks(folders: Iterable[str | os.PathLike[str]], on_wait: Callable[[str], None]) -> Iterator[None]:
    """Hold the locks of projects; wait if another process holds one of them.

    Parameters
    ----------
    folders
        The roots of the projects. A folder that cannot be locked, as on some network file systems, is left unlocked;
        `replacing` still compares each file before it replaces it.
    on_wait
        Called with a sentence before a wait.
    """
    with contextlib.ExitStack() as stack:
        # All processes take the locks in one order, so no two wait for each other.
        for root in sorted({os.path.realpath(folder) for folder in folders}):
            stack.enter_context(_locked(root, on_wait))
        yield


if sys.platform == "win32":
    import msvcrt
    import tempfile
    import time
    from hashlib import sha256

    @contextlib.contextmanager
    def _locked(root: str, on_wait: Callable[[str], None]) -> Iterator[None]:
        """Lock a file in the folder for temporary files, because Windows cannot lock a folder."""
        name = f"cvlint-{sha256(os.path.normcase(root).encode('utf-8', 'surrogatepass')).hexdigest()[:16]}.lock"
        try:
            file = open(os.path.join(tempfile.gettempdir(), name), "ab")  # noqa: SIM115
        except OSError:
            yield
            return
        with file:
            has_announced = False
            while True:
                file.seek(0)
                try:
                    msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
                    break
                except OSError:
                    if not has_announced:
                        on_wait(_wait_message(root))
                        has_announced = True
                    time.sleep(0.1)
            try:
                yield
            finally:
                file.seek(0)
                msvcrt.locking(file.fileno(), msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    @contextlib.contextmanager
    def _locked(root: str, on_wait: Callable[[str], None]) -> Iterator[None]:
        """Lock the folder itself: this leaves no lock file, and the system frees the lock when the process ends."""
        try:
            descriptor = os.open(root, os.O_RDONLY)
        except OSError:
            yield
            return
        lock_descriptors.add(descriptor)
        try:
            with contextlib.suppress(OSError):
                try:
                    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    on_wait(_wait_message(root))
                    fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield
        finally:
            if descriptor in lock_descriptors:  # a forked process has closed its copy already
                lock_descriptors.discard(descriptor)
                os.close(descriptor)

    def _close_inherited_locks() -> None:
        """Close the descriptors in a forked process: a worker that outlives its parent must not keep the lock."""
        while lock_descriptors:
            os.close(lock_descriptors.pop())

    os.register_at_fork(after_in_child=_close_inherited_locks)


def _wait_message(root: str) -> str:
    return f"Another cvlint is writing in '{root}': waiting until it is done."
