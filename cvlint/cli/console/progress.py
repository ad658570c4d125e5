"""A progress bar on standard error, for checks that take long."""

from __future__ import annotations

import sys
import time
from contextlib import AbstractContextManager
from types import TracebackType
from typing import TYPE_CHECKING

from cvlint.cli.console.terminal import is_terminal

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

DELAY = 1.0
"""Seconds before the bar appears."""


class ProgressBar(AbstractContextManager["ProgressBar"]):
    """A bar that appears after a second, and only on a terminal.

    Call it with the number of files that are checked and the number of all files. It goes when all are checked, or at
    the end of its context; after that it can count again. ``things`` says what it counts if they are no files.
    """

    def __init__(self, things: str = "files") -> None:
        self._things = things
        self._enabled = is_terminal(sys.stderr)
        self._started = time.monotonic()
        self._bar: Progress | None = None
        self._task: TaskID | None = None

    def __call__(self, done: int, total: int) -> None:
        """Show how many files are checked."""
        if not self._enabled or time.monotonic() - self._started < DELAY:
            return
        if self._bar is None or self._task is None:
            self._bar, self._task = _start(self._things)
        self._bar.update(self._task, completed=done, total=total)
        if done == total:
            self._remove()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Remove the bar, so that only the report stays."""
        self._remove()

    def _remove(self) -> None:
        if self._bar is not None:
            self._bar.stop()
        self._bar = None
        self._started = time.monotonic()


def _start(things: str) -> tuple[Progress, TaskID]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    bar = Progress(*columns, console=Console(stderr=True), transient=True)
    bar.start()
    return bar, bar.add_task(f"Checking {things}", total=None)
