"""Signals that end a process: a command cleans up after them as after Ctrl+C, and removes its temporary files."""

from __future__ import annotations

import atexit
import contextlib
import os
import signal
import sys
from collections.abc import Callable, Iterator
from types import FrameType

TERMINATING = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))

SECONDS_AFTER_CALLBACK = 0.01
"""How long a callback has to end in which Python has ignored the exception of a signal."""


class ExitHandler:
    """A signal handler that raises `SystemExit` with status 128 + the number of the signal."""

    def __init__(self) -> None:
        self.number = 0
        self._process = os.getpid()

    def __call__(self, number: int, frame: FrameType | None) -> None:
        """End this process; a worker process that inherited the handler has nothing to clean up and dies at once."""
        if os.getpid() != self._process:
            signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)
        self.number = number
        raise SystemExit(128 + number)


@contextlib.contextmanager
def exit_on_signals() -> Iterator[ExitHandler]:
    """Leave the block with `SystemExit` at such a signal, unless the caller handles it otherwise, as ``nohup`` does.

    The handler knows the signal that came, also where Python or a library made another exception of `SystemExit`.
    """
    handler = ExitHandler()
    before = {}
    if _is_main_thread():  # no other thread may set signals
        before = {number: signal.getsignal(number) for number in TERMINATING}
        before = {
            number: old for number, old in before.items() if old == signal.SIG_DFL or isinstance(old, ExitHandler)
        }
    for number in before:
        signal.signal(number, handler)
    try:
        with _raised_again(handler):
            yield handler
    finally:
        for number, old in before.items():
            if signal.getsignal(number) is handler:
                signal.signal(number, old)
    if handler.number:  # a library has caught the exception
        raise SystemExit(128 + handler.number)


@contextlib.contextmanager
def _raised_again(handler: ExitHandler) -> Iterator[None]:
    """Raise again what Python ignores, because the signal came in a callback or in ``__del__``, as at any import.

    So it is with Ctrl+C, but while a program of the user runs: there it is as Python has it.
    """
    if not hasattr(signal, "setitimer"):  # Windows, where no other process sends such signals
        yield
        return
    before = sys.unraisablehook
    is_interrupted = False

    def look_at(ignored: sys.UnraisableHookArgs) -> None:
        nonlocal is_interrupted
        if handler.number and isinstance(ignored.exc_value, SystemExit):
            signal.signal(signal.SIGALRM, lambda *_: handler(handler.number, None))
        elif isinstance(ignored.exc_value, KeyboardInterrupt) and handler in map(signal.getsignal, TERMINATING):
            is_interrupted = True
            signal.signal(signal.SIGALRM, signal.default_int_handler)
        else:
            before(ignored)
            return
        signal.setitimer(signal.ITIMER_REAL, SECONDS_AFTER_CALLBACK)

    sys.unraisablehook = look_at
    try:
        yield
    finally:
        if handler.number or is_interrupted:  # what follows cleans up
            signal.setitimer(signal.ITIMER_REAL, 0)
        if sys.unraisablehook is look_at:
            sys.unraisablehook = before


def end_at_once_on_signals(clean_up: Callable[[], object] = lambda: None) -> None:
    """End this process at such a signal and at Ctrl+C, also while one of its threads waits for its input for ever.

    A caller's choice to ignore a signal stays.
    """

    def end(number: int, frame: FrameType | None) -> None:
        clean_up()
        atexit._run_exitfuncs()  # what Python does at its end, but for the threads, for which it would wait
        os._exit(128 + number)

    for number in (signal.SIGINT, *TERMINATING):
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, end)


def _is_main_thread() -> bool:
    """Whether this is the first thread: so it is as long as nobody has loaded the module that starts others."""
    threading = sys.modules.get("threading")
    return threading is None or threading.current_thread() is threading.main_thread()


def restore_default_signals() -> None:
    """Give these signals back to Python's defaults, before a program of the user starts."""
    for number in TERMINATING:
        if isinstance(signal.getsignal(number), ExitHandler):
            signal.signal(number, signal.SIG_DFL)
