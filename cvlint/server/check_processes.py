"""The processes that do the slow work of the server: a check that never ends stops nothing but itself.

A process does one piece of work at a time and has a deadline for it. What is outdated is ended at once. A check that
takes long makes room for the others. A process that has read a large document, or has worked for long, is ended after
it, because only so its memory goes back to the system.
"""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import multiprocessing
import os
import threading
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple, TypeVar

import cvlint
from cvlint.server.check_worker import Answer, FaultError, Job, answer, prepare
from cvlint.server.turns import Turns
from cvlint.workspace.workers import Worker, start_worker

PATIENCE = 0.5
"""Seconds after which a check makes room for the others: it goes on as one of the slow ones, or waits until it can."""

SHARE = 1 / 2
"""The part of its patience for which a check has had a processor before it makes room: the machine may be busy."""

IF_AWAITED = 1 / 2
"""The part of its patience after which a check of the first lane makes room if another one waits for its place."""

MOST_PATIENCE = 8
"""How many times its patience a check keeps its place at most, however busy the machine is."""

PATIENCE_WITH_QUICK = 4
"""How many times as much a check has whose document was quick before: behind slow ones it would wait long."""

PATIENCE_WITH_REQUESTS = 10.0
"""The same for what the user waits for."""

PATIENCE_WITH_SLOW = 5.0
"""The same for the slow ones, after which a check is one of the slowest."""

START = 60.0
"""Seconds within which a new process must be ready."""

DEADLINE = 60.0
"""Seconds that a piece of work may take."""

STEP = 0.05
"""Seconds after which it is looked again whether a check makes room."""

REST_AFTER = 5.0
"""Seconds without work after which processes that are too many or too large end."""

KEPT = 2
"""Processes that are ready for work: if one gets a slow document, the other checks the next one at once."""

LOWER_PRIORITY = 5
"""How nice a process is to others while it does slow work."""

LARGE = 200_000
"""Bytes of a document after which the process that checked it is ended."""

ENDED = "the process that checked it was ended; perhaps the memory was used up"
OVERDUE = f"the check took more than {DEADLINE:.0f} seconds"

MOST_MEMORY = 100_000_000
"""Bytes of memory of a process after which it is ended; a new one has a third of it."""

MEMORY_AT_REST = 45_000_000
"""Bytes of memory of a process after which it is ended when there is nothing to do."""

FORKS = "forkserver"
"""Processes are forked from one that has loaded everything; where the system has no forks, each loads it itself."""

READY = "cvlint.server.ready"
"""The module that the process imports from which the others are forked."""

Result = TypeVar("Result")


class OverdueError(Exception):
    """A piece of work took too long, or the system ended its process."""


class _Lane(NamedTuple):
    """Checks that take about the same time: they wait for no slower ones."""

    turns: Turns
    patience: float
    most: int = 1
    """How many times its patience a check keeps its place while it gets no processor."""
    if_awaited: float = 1
    """The part of its patience after which it makes room if another one waits."""


@dataclass(eq=False, slots=True)
class _Running:
    """A piece of work that a process does."""

    worker: Worker[Job, Answer]
    answer: asyncio.Future[Any]
    ends_after_it: bool

    async def ends_within(self, lane: _Lane) -> bool:
        """Whether it ends soon enough for its lane; the process is ended if the work is cancelled meanwhile."""
        began, worked = time.monotonic(), _processor_seconds(self.worker)
        try:
            while not self.answer.done():
                patience = lane.patience * (lane.if_awaited if lane.turns.waiting else 1)
                seconds = time.monotonic() - began
                has_worked = _processor_seconds(self.worker) - worked >= SHARE * patience
                if seconds >= patience and (has_worked or seconds >= lane.most * patience):
                    break
                await asyncio.wait({self.answer}, timeout=min(STEP, lane.patience / 5))
        except asyncio.CancelledError:
            self.end()
            raise
        return self.answer.done()

    def end(self) -> None:
        """End the process; the thread that waits for it notices, and waits until its memory is free."""
        self.ends_after_it = True
        self.worker.process.kill()

    def give_way(self) -> None:
        """Leave the processor to others that want it; only the process's end takes that back."""
        self.ends_after_it = True
        if hasattr(os, "setpriority"):
            with contextlib.suppress(OSError):  # it has ended
                os.setpriority(os.PRIO_PROCESS, self.worker.process.pid or 0, LOWER_PRIORITY)


class CheckProcesses:
    """The processes of one server; they start when they are needed."""

    def __init__(self) -> None:
        self.idle: list[Worker[Job, Answer]] = []
        self.busy: set[Worker[Job, Answer]] = set()
        self.large: set[Worker[Job, Answer]] = set()
        self.starting = 0
        self.start_lock = threading.Lock()
        self.method = FORKS if FORKS in multiprocessing.get_all_start_methods() else "spawn"
        self.waiting: set[asyncio.Future[None]] = set()
        self.slow = (_Lane(Turns(1, 0), PATIENCE_WITH_SLOW, 3), _Lane(Turns(1, 0), 2 * DEADLINE))
        self.first = Turns(2)
        self.quick: set[str] = set()
        self.count = 0
        self.texts = 0
        self.rules = 0
        self.stopped = False
        self.resting: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Start processes, so that they are ready when the next document opens."""
        loop = asyncio.get_running_loop()
        while len(self.idle) + self.starting < KEPT and not self.stopped:
            self.starting += 1
            _in_daemon(partial(self._start_one, loop))

    def _start_one(self, loop: asyncio.AbstractEventLoop) -> None:
        """In a thread: start a process, and wait until it has loaded what it needs."""
        method = self.method
        worker, error = self._started(method)
        if error is not None and method == FORKS and not self.stopped:
            self.method = "spawn"
            worker, error = self._started(self.method)
        with contextlib.suppress(RuntimeError):  # the loop is closed
            loop.call_soon_threadsafe(self._welcome, worker, error)

    def _started(self, method: str) -> tuple[Worker[Job, Answer] | None, Exception | None]:
        """Start a process that has loaded what it needs, from the same folder as this one; it, or why there is none.

        The process from which others are forked does not get the path of this one, so it may find another cvlint.
        """
        multiprocessing.set_forkserver_preload([READY])
        try:
            with self.start_lock:
                if self.stopped:
                    raise OverdueError(ENDED)
                worker = start_worker(answer, method, prepare)
        except Exception as error:
            return None, error
        # In words, because another cvlint may not know a function of this one.
        found = _answered(worker, Job(partial(eval, "__import__('cvlint').__file__"), 0, 0), START).outcome
        if found == cvlint.__file__:
            return worker, None
        worker.end()
        return None, found if isinstance(found, Exception) else ImportError(f"cvlint was loaded from {found}")

    def _welcome(self, worker: Worker[Job, Answer] | None, error: Exception | None) -> None:
        self.starting -= 1
        if worker is not None and not self.stopped:
            self.idle.insert(0, worker)  # those that know the project already are taken first
            self._rest_later()
        elif worker is not None:
            _in_daemon(worker.end)
        self._wake(error)

    def _wake(self, error: Exception | None = None) -> None:
        """Let all look whether there is a process for them."""
        for one in self.waiting:
            if not one.done():
                one.set_result(None) if error is None else one.set_exception(error)

    async def run(
        self, work: Callable[[], Result], size: int = 0, document: str = "", patience: float = PATIENCE
    ) -> Result:
        """Do a piece of work.

        Parameters
        ----------
        work : callable
            A function that can be pickled.
        size : int
            The bytes of the document that it reads.
        document : str
            The document that it checks. If its last check was quick, this one is among the first.
        patience : float
            Seconds after which it makes room for other work.

        Raises
        ------
        OverdueError
            If it takes too long, or its process is ended.
        UsageError, FaultError
            As the work raises them.
        """
        job = Job(work, self.texts, self.rules)
        self.count += 1
        number = self.count
        patience *= PATIENCE_WITH_QUICK if document in self.quick else 1
        first = _Lane(self.first, patience, MOST_PATIENCE, IF_AWAITED)
        lanes = (first, *self.slow)
        running: _Running | None = None
        for lane, following in zip(lanes, (*lanes[1:], None), strict=True):
            is_quick = document in self.quick
            async with lane.turns.turn(is_quick, number):
                if running is None:
                    running = self._begin(job, size, await self._worker(is_quick))
                if lane.turns is not self.first:
                    running.give_way()
                if await running.ends_within(lane):
                    break
                self.quick.discard(document)
                if following is None or following.turns.is_full(False):  # else it goes on there without a pause
                    running.end()
                    running = None
        if running is None:
            raise OverdueError(OVERDUE)
        if document and not running.ends_after_it:
            self.quick.add(document)
        result = running.answer.result()
        if isinstance(result, Exception):
            raise result
        value: Result = result
        return value

    async def _worker(self, is_quick: bool) -> Worker[Job, Answer]:
        """A process that is ready; the last one is kept for the quick documents."""
        while True:
            while self.idle and not self.idle[-1].process.is_alive():  # the system has ended it
                _in_daemon(self.idle.pop().end)
            if len(self.idle) > (1 if self.quick and not is_quick else 0):
                return self.idle.pop()
            self.start()
            ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self.waiting.add(ready)
            try:
                await ready
            finally:
                self.waiting.discard(ready)

    def _begin(self, job: Job, size: int, worker: Worker[Job, Answer]) -> _Running:
        """Let a process do a piece of work."""
        loop = asyncio.get_running_loop()
        running = _Running(worker, loop.create_future(), size >= LARGE)
        self.busy.add(worker)

        def wait() -> None:
            result = _answered(worker, job, DEADLINE)
            with contextlib.suppress(RuntimeError):  # the loop is closed
                loop.call_soon_threadsafe(self._finish, running, result)

        _in_daemon(wait)
        loop.call_soon(self.start)
        return running

    def _finish(self, running: _Running, answer: Answer) -> None:
        """Keep a process for the next work, or end it."""
        self.busy.discard(running.worker)
        if running.ends_after_it or self.stopped or answer.memory > MOST_MEMORY:
            _in_daemon(running.worker.end)
        else:
            self.idle.append(running.worker)
            if answer.memory > MEMORY_AT_REST:
                self.large.add(running.worker)
            self._wake()
        self._rest_later()
        if not running.answer.cancelled():
            running.answer.set_result(answer.outcome)

    def forget(self, document: str) -> None:
        """Forget a document that was closed."""
        self.quick.discard(document)

    def _rest_later(self) -> None:
        if self.resting is not None:
            self.resting.cancel()
        self.resting = asyncio.get_running_loop().call_later(REST_AFTER, self.rest)

    def rest(self) -> None:
        """End processes that are too many or too large, so that their memory goes back to the system."""
        if self.busy:
            return  # the last of them lets it rest
        for worker in [one for one in self.idle if one in self.large] + self.idle[:-KEPT]:
            if worker in self.idle:
                self.idle.remove(worker)
                _in_daemon(worker.end)
        self.large.clear()
        self.start()
        _give_memory_back()

    def stop(self) -> None:
        """End all processes."""
        self.stopped = True
        if self.start_lock.acquire(timeout=5):  # a process that is told half of its beginning prints a traceback
            self.start_lock.release()
        if self.resting is not None:
            self.resting.cancel()
        for process in multiprocessing.active_children():  # also those that are starting; none is waited for
            process.kill()


def _processor_seconds(worker: Worker[Job, Answer]) -> float:
    """The seconds for which a process has had a processor; the time of day where the system does not tell."""
    try:
        with open(f"/proc/{worker.process.pid}/stat", "rb") as file:
            user, system = file.read().rpartition(b")")[2].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError):
        return time.monotonic()


def _answered(worker: Worker[Job, Answer], job: Job, seconds: float) -> Answer:
    """In a thread: the answer of a process; if there is none, its process is to be ended."""
    try:
        worker.give(0, job)
        if worker.connection.poll(seconds):
            return worker.take()
    except (EOFError, OSError):
        return Answer(OverdueError(ENDED), MOST_MEMORY + 1)
    except Exception:  # what is not to be copied to another process
        return Answer(FaultError(traceback.format_exc()), MOST_MEMORY + 1)
    return Answer(OverdueError(OVERDUE), MOST_MEMORY + 1)


def _give_memory_back() -> None:
    """Let the C library give what the texts of closed documents have left free to the system; not all have a way."""
    with contextlib.suppress(AttributeError, OSError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)


def _in_daemon(work: Callable[[], object]) -> None:
    """Wait for something in a thread that does not keep the program from ending."""
    threading.Thread(target=work, daemon=True).start()
