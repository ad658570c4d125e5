"""The process that checks the cells of a kernel, as the kernel sees it."""

from __future__ import annotations

import atexit
import contextlib
import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable

from cvlint.notebook.answers import Answer, Greeting, Question

PROGRAM = "import sys; sys.path[:] = {path!r}; from cvlint.notebook.serving import serve; serve()"


class CheckProcess:
    """A process that starts at once, and answers one question after another.

    Parameters
    ----------
    on_greeting
        Called in another thread with the words of the prefilter.
    on_answer
        Called in another thread with each answer.
    """

    def __init__(self, on_greeting: Callable[[Greeting], None], on_answer: Callable[[Answer], None]) -> None:
        path = [entry for entry in sys.path if entry]  # without the working directory: there lie modules of the user
        self._on_greeting, self._on_answer = on_greeting, on_answer
        self._owner = os.getpid()
        self._lock = threading.Lock()
        self._is_free = False
        self._following: Question | None = None
        self._process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM.format(path=path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        threading.Thread(target=self._read, name="cvlint", daemon=True).start()
        atexit.register(self.stop)

    @property
    def is_alive(self) -> bool:
        """Whether it can answer."""
        return self._process.poll() is None

    def ask(self, question: Question) -> None:
        """Send a question, or keep it until the process is free; it replaces one that is kept, because it knows more.

        So no write ever waits for the process. Nothing happens if the process has ended.
        """
        with self._lock:
            self._following = question
            self._send()

    def _send(self) -> None:
        assert self._process.stdin is not None
        if self._is_free and self._following is not None:
            question, self._following, self._is_free = self._following, None, False
            with contextlib.suppress(OSError, ValueError):
                pickle.dump(question, self._process.stdin)
                self._process.stdin.flush()

    def stop(self) -> None:
        """End the process, unless this is a copy of the kernel that a program of the user has forked."""
        if os.getpid() != self._owner:
            return
        atexit.unregister(self.stop)
        self._process.kill()
        self._process.wait()

    def _read(self) -> None:
        assert self._process.stdout is not None
        with contextlib.suppress(EOFError, OSError, ValueError, pickle.UnpicklingError):
            while True:
                message = pickle.load(self._process.stdout)
                with self._lock:
                    self._is_free = True
                    self._send()
                if isinstance(message, Greeting):
                    self._on_greeting(message)
                else:
                    self._on_answer(message)
