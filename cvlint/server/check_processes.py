"""The processes that do the slow work of the server: a check that never ends stops nothing but itself.

A process does one piece of work at a time and has a deadline for it. What is outdated is ended at once, and a process
that has read a large document is ended after it, because only so its memory goes back to the system.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

from cvlint.server.changes import apply_change
from cvlint.usage_error import UsageError
from cvlint.workspace.workers import Worker, start_worker

MOST_PROCESSES = 4
"""So many documents may be checked at a time; one is slow, and the others need not wait for it."""

DEADLINE = 60.0
"""Seconds that a piece of work may take."""

SPARE_AFTER = 0.3
"""Seconds of work after which one more process starts: the next document need not wait until it has."""

REST_AFTER = 2.0
"""Seconds without work after which processes that are too many end, so that their memory goes back to the system."""

KEPT = 2
"""Processes that stay without work: if one gets a slow document, the other checks the next one at once."""

LARGE = 200_000
"""Bytes of a document after which the process that checked it is ended."""

Result = TypeVar("Result")


class OverdueError(Exception):
    """A piece of work took too long, or the system ended its process."""


class FaultError(Exception):
    """A fault of cvlint in a piece of work, with its traceback."""


class _Job(NamedTuple):
    """A piece of work, and how often texts and rules have changed: a process forgets what it knew of older ones."""

    work: Callable[[], Any]
    texts: int
    rules: int


class CheckProcesses:
    """The processes of one server; they start when they are needed."""

    def __init__(self) -> None:
        self.idle: list[Worker[_Job, Any]] = []
        self.busy: set[Worker[_Job, Any]] = set()
        self.room = asyncio.Semaphore(MOST_PROCESSES)
        self.texts = 0
        self.rules = 0
        self.stopped = False
        self.resting: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Start a process, so that it is there when the next document opens."""
        if not self.idle and not self.stopped:
            self.idle.append(_started())

    async def run(self, work: Callable[[], Result], size: int = 0) -> Result:
        """Do a piece of work.

        Parameters
        ----------
        work : callable
            A function that can be pickled.
        size : int
            The bytes of the document that it reads.

        Raises
        ------
        OverdueError
            If it takes too long, or its process is ended.
        UsageError, FaultError
            As the work raises them.
        """
        async with self.room:
            worker = self.idle.pop() if self.idle else await _in_daemon(_started)
            self.busy.add(worker)
            spare = asyncio.get_running_loop().call_later(SPARE_AFTER, self.start)
            is_done = False
            try:
                job = _Job(work, self.texts, self.rules)
                result = await _in_daemon(lambda: _answer(worker, job))
                is_done = not isinstance(result, OverdueError)
            finally:
                spare.cancel()
                self.busy.discard(worker)
                if is_done and size < LARGE and not self.stopped:
                    self.idle.append(worker)
                else:
                    worker.end()
                self._rest_later()
        if isinstance(result, Exception):
            raise result
        value: Result = result
        return value

    def _rest_later(self) -> None:
        if self.resting is not None:
            self.resting.cancel()
        self.resting = asyncio.get_running_loop().call_later(REST_AFTER, self.rest)

    def rest(self) -> None:
        """End the processes that have nothing to do, but for those that would be used next."""
        while len(self.idle) > KEPT and not self.busy:
            self.idle.pop(0).end()

    def stop(self) -> None:
        """End all processes."""
        self.stopped = True
        if self.resting is not None:
            self.resting.cancel()
        for worker in (*self.idle, *self.busy):
            worker.process.kill()


def _started() -> Worker[_Job, Any]:
    return start_worker(_result, "spawn", _prepare)


def _prepare() -> None:
    """Load in a process what each check needs."""
    from cvlint.rules.comment_rules import all_rules
    from cvlint.workspace.file_check import shared_analysis

    shared_analysis()
    all_rules()


def _answer(worker: Worker[_Job, Any], job: _Job) -> Any:
    try:
        worker.give(0, job)
        if worker.connection.poll(DEADLINE):
            return worker.take()
    except (EOFError, OSError):
        return OverdueError("the process that checked it was ended; perhaps the memory was used up")
    return OverdueError(f"the check took more than {DEADLINE:.0f} seconds")


async def _in_daemon(work: Callable[[], Result]) -> Result:
    """Wait in a thread that does not keep the program from ending."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[Result] = loop.create_future()

    def finish(result: Result | None, error: BaseException | None) -> None:
        if done.cancelled():
            return
        if error is not None:
            done.set_exception(error)
        else:
            done.set_result(result)  # type: ignore[arg-type]

    def wait() -> None:
        result, error = None, None
        try:
            result = work()
        except Exception as raised:
            error = raised
        if not loop.is_closed():
            loop.call_soon_threadsafe(finish, result, error)

    threading.Thread(target=wait, daemon=True).start()
    return await done


_SEEN = {"texts": 0, "rules": 0}
"""In a process: the changes that it knows of."""


def _result(job: _Job) -> Any:
    """Do a piece of work in a process; an error is returned, because a worker must not raise."""
    import traceback

    from cvlint.server.checking import forget_rules

    if job.texts != _SEEN["texts"]:
        apply_change.cache_clear()  # a confirmed fix may rest on files that have changed
    if job.rules != _SEEN["rules"]:
        forget_rules()
    _SEEN.update(texts=job.texts, rules=job.rules)
    try:
        return job.work()
    except UsageError as error:
        plain = UsageError("")  # a subclass may not be copied to another process
        plain.sentence = error.sentence
        plain.args = (error.sentence,)
        return plain
    except Exception:
        return FaultError(traceback.format_exc())
