"""Signals that end a process: they end a command as Ctrl+C does, so that its temporary files and folders go."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Iterator
from types import FrameType

ENDING = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))


class End:
    """What a process does with such a signal: it raises `SystemExit` with status 128 + n."""

    def __init__(self) -> None:
        self.number = 0
        self._process = os.getpid()

    def __call__(self, number: int, frame: FrameType | None) -> None:
        """End this process; a worker process that inherited this has nothing to remove, and is simply killed."""
        if os.getpid() != self._process:
            signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)
        self.number = number
        raise SystemExit(128 + number)


@contextlib.contextmanager
def ended_by_signals() -> Iterator[None]:
    """End what is done inside at such a signal, unless somebody has settled before what it does, as ``nohup`` has."""
    end = End()
    before = {}
    if threading.current_thread() is threading.main_thread():  # no other thread may set signals
        before = {one: signal.getsignal(one) for one in ENDING}
        before = {one: old for one, old in before.items() if old == signal.SIG_DFL or isinstance(old, End)}
    for one in before:
        signal.signal(one, end)
    try:
        yield
    finally:
        for one, old in before.items():
            if signal.getsignal(one) is end:
                signal.signal(one, old)
    if end.number:  # a library has caught the exception
        raise SystemExit(128 + end.number)


def end_as_without_us() -> None:
    """Leave these signals to a program of the user, as they are when Python runs it alone."""
    for one in ENDING:
        if isinstance(signal.getsignal(one), End):
            signal.signal(one, signal.SIG_DFL)
