"""One writer at a time in each project, so that two of them do not work on the same files."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterable, Iterator

held: set[int] = set()
"""What this process has open because of its locks."""


@contextlib.contextmanager
def writing_alone(folders: Iterable[str | os.PathLike[str]], tell: Callable[[str], None]) -> Iterator[None]:
    """Hold the locks of some projects; wait where another process holds one.

    Parameters
    ----------
    folders
        The roots of the projects. Where one cannot be locked, as on some file systems of networks, there is no lock:
        comparing a file before it is replaced still protects it.
    tell
        Called with a sentence before a wait.
    """
    with contextlib.ExitStack() as stack:
        # In one order for all processes, so that no two wait for each other.
        for root in sorted({os.path.realpath(folder) for folder in folders}):
            stack.enter_context(_locked(root, tell))
        yield


if sys.platform == "win32":
    import msvcrt
    import tempfile
    import time
    from hashlib import sha256

    @contextlib.contextmanager
    def _locked(root: str, tell: Callable[[str], None]) -> Iterator[None]:
        """Hold the lock of a file in the folder for temporary files: a folder cannot be locked here."""
        name = f"cvlint-{sha256(os.path.normcase(root).encode('utf-8', 'surrogatepass')).hexdigest()[:16]}.lock"
        try:
            file = open(os.path.join(tempfile.gettempdir(), name), "ab")  # noqa: SIM115
        except OSError:
            yield
            return
        with file:
            said = False
            while True:
                file.seek(0)
                try:
                    msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
                    break
                except OSError:
                    if not said:
                        tell(_waiting(root))
                        said = True
                    time.sleep(0.1)
            try:
                yield
            finally:
                file.seek(0)
                msvcrt.locking(file.fileno(), msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    @contextlib.contextmanager
    def _locked(root: str, tell: Callable[[str], None]) -> Iterator[None]:
        """Hold the lock of a folder itself, so that no lock file stays; the system frees it when the process ends."""
        try:
            descriptor = os.open(root, os.O_RDONLY)
        except OSError:
            yield
            return
        held.add(descriptor)
        try:
            with contextlib.suppress(OSError):
                try:
                    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    tell(_waiting(root))
                    fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield
        finally:
            if descriptor in held:  # not in a process that we have forked
                held.discard(descriptor)
                os.close(descriptor)

    def _let_go() -> None:
        """Close what was inherited: a worker process that outlives us must not keep the lock."""
        while held:
            os.close(held.pop())

    os.register_at_fork(after_in_child=_let_go)


def _waiting(root: str) -> str:
    return f"Another cvlint is writing in '{root}': waiting until it is done."
