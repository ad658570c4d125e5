"""What this process leaves if it is killed is removed by another one, which does nothing but wait for that.

No program can catch SIGKILL, and no call of the system replaces a file by one without a name: the new file has a name
of its own for a moment. The other process reads from a pipe that ends when this one does, however that happens. It
belongs to a session of its own, so that what ends a group of processes does not end it.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import sys

REMOVER = os.path.join(os.path.dirname(__file__), "remover.py")

_started: list[tuple[int, int]] = []
"""The process and the pipe to it, once there is one; two threads may start two, of which one is told nothing."""


def remove_if_killed(path: str) -> None:
    """Have a path removed if it is still there when this process has ended.

    Nothing happens if no other process can be started, as on Windows: the next one that writes there removes it.
    """
    with contextlib.suppress(OSError, NotImplementedError):
        if not _started:
            _started.append(_start())
            atexit.register(_let_go)
        os.write(_started[0][1], os.fsencode(path) + b"\0")


def _start() -> tuple[int, int]:
    if not hasattr(os, "posix_spawn") or not sys.executable:
        raise NotImplementedError
    read, write = os.pipe()
    try:
        command = [sys.executable, "-I", "-S", "-B", REMOVER]
        null = [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_WRONLY, 0) for number in (1, 2)]
        actions = [(os.POSIX_SPAWN_DUP2, read, 0), *null]
        process = os.posix_spawn(sys.executable, command, os.environ, file_actions=actions, setsid=True)
    except BaseException:
        os.close(write)
        raise
    finally:
        os.close(read)
    return process, write


def _let_go() -> None:
    """At the end of this process: wait until the other one has ended as well."""
    for process, pipe in _started:
        os.close(pipe)
        with contextlib.suppress(OSError):  # somebody else has waited for it
            os.waitpid(process, 0)
    _started.clear()


def _forget() -> None:
    """In a forked process: what its parent leaves is not its matter."""
    for _, pipe in _started:
        os.close(pipe)
    _started.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
