"""The processes that do the slow work of the server: a check that never ends stops nothing but itself.

A process does one piece of work at a time and has a deadline for it. What is outdated is ended at once, and a process
that needed much memory is ended after it, because only so its memory goes back to the system.

There are two lanes. Each piece of work begins in the quick one, where the latest goes first. A check that is not done
after a second of CPU time begins again in the slow lane, one at a time and with a low priority: however many slow
documents are open, the document that the user edits is checked at once.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
import threading
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

from cvlint.server.changes import apply_change
from cvlint.usage_error import UsageError
from cvlint.workspace.workers import Worker, start_worker

MOST_PROCESSES = 4
"""So many documents may be checked at a time in the quick lane; one is slow, and the others need not wait for it."""

QUICK = 1.0
"""Seconds of CPU time that a piece of work may take in the quick lane: it does not count that others are busy."""

PATIENCE = 10.0
"""Seconds that it may take there by the clock, and all that counts on Windows."""

DEADLINE = 60.0
"""Seconds that a piece of work may take in the slow lane."""

CPU_SIGNAL: int | None = getattr(signal, "SIGPROF", None)
"""What ends a process whose CPU time is used up; Windows has no such thing."""

LOW_PRIORITY = 5
"""How much the slow lane gives way to others, in the units of ``nice``."""

METHOD = "forkserver" if sys.platform == "linux" else "spawn"
"""How processes start: where it is safe, as copies of one that has loaded everything, which takes no time."""

LOADED = ("cvlint.rules.comment_rules", "cvlint.workspace.file_check")
"""The modules that such a process has loaded."""

SPARE_AFTER = 0.3
"""Seconds of work after which one more process starts: the next document need not wait until it has."""

REST_AFTER = 2.0
"""Seconds without work after which processes that are too many end, so that their memory goes back to the system."""

KEPT = 2
"""Processes that stay: if one gets a slow document, the other checks the next one at once."""

GROWTH = 16 * 2**20
"""Bytes of memory that a process may need beyond those at its start; after that it is ended."""

Result = TypeVar("Result")


class OverdueError(Exception):
    """A piece of work took too long, or the system ended its process."""


class FaultError(Exception):
    """A fault of cvlint in a piece of work, with its traceback."""


class _TimeUpError(OverdueError):
    """A piece of work is not done in time."""


class _Job(NamedTuple):
    """A piece of work, and how often texts and rules have changed: a process forgets what it knew of older ones.

    The system ends the process after so many seconds of CPU time, if there are any.
    """

    work: Callable[[], Any]
    texts: int
    rules: int
    cpu_seconds: float = 0.0


class _Done(NamedTuple):
    """What a piece of work came to, and the memory that its process has needed beyond that at its start, in bytes."""

    result: Any
    memory: int


class _Lane:
    """Room for so many pieces of work at a time; of those that wait, the last one goes first."""

    def __init__(self, room: int) -> None:
        self.room = room
        self.waiting: list[asyncio.Future[None]] = []

    async def __aenter__(self) -> None:
        if self.room:
            self.room -= 1
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.waiting.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.cancelled():
                self.waiting.remove(turn)
            else:  # its turn came in the same moment
                await self.__aexit__()
            raise

    async def __aexit__(self, *raised: object) -> None:
        following = next((turn for turn in reversed(self.waiting) if not turn.done()), None)
        if following is None:
            self.room += 1
        else:
            self.waiting.remove(following)
            following.set_result(None)


class CheckProcesses:
    """The processes of one server; they start when they are needed."""

    def __init__(self) -> None:
        self.idle: list[Worker[_Job, Any]] = []
        self.busy: set[Worker[_Job, Any]] = set()
        self.starting: set[asyncio.Task[None]] = set()
        self.quick = _Lane(MOST_PROCESSES)
        self.slow = _Lane(1)
        self.texts = 0
        self.rules = 0
        self.stopped = False
        self.resting: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Start a process, so that it is there when the next document opens."""
        if not (self.idle or self.starting or self.stopped):
            self._start_one()

    def _start_one(self) -> None:
        task = asyncio.get_running_loop().create_task(self._start())
        self.starting.add(task)
        task.add_done_callback(self.starting.discard)

    async def _start(self) -> None:
        worker = await _in_daemon(_started)
        if self.stopped:
            worker.process.kill()
        else:
            self.idle.append(worker)

    async def run(self, work: Callable[[], Result], may_give_way: bool = False) -> Result:
        """Do a piece of work.

        Parameters
        ----------
        work : callable
            A function that can be pickled.
        may_give_way : bool
            Whether it goes on in the slow lane if it is not done soon. What the user has asked for does not.

        Raises
        ------
        OverdueError
            If it takes too long, or its process is ended.
        UsageError, FaultError
            As the work raises them.
        """
        async with self.quick:
            if may_give_way:
                result = await self._result(work, PATIENCE, cpu_seconds=QUICK)
            else:
                result = await self._result(work, DEADLINE)
        if may_give_way and isinstance(result, _TimeUpError):
            async with self.slow:
                result = await self._result(work, DEADLINE, priority=LOW_PRIORITY)
        if isinstance(result, Exception):
            raise result
        value: Result = result
        return value

    async def _result(
        self, work: Callable[[], Any], seconds: float, cpu_seconds: float = 0.0, priority: int = 0
    ) -> Any:
        """The result of a piece of work, or the error that it comes to."""
        worker = self.idle.pop() if self.idle else await _in_daemon(_started)
        self.busy.add(worker)
        if priority:
            _lower_priority(worker, priority)
        spare = asyncio.get_running_loop().call_later(SPARE_AFTER, self.start)
        may_stay = False
        try:
            job = _Job(work, self.texts, self.rules, cpu_seconds)
            result, memory = await _in_daemon(lambda: _answer(worker, job, seconds))
            may_stay = memory < GROWTH and not priority and not isinstance(result, OverdueError)
        finally:
            spare.cancel()
            self.busy.discard(worker)
            if may_stay and not self.stopped:
                self.idle.append(worker)
            else:
                worker.end()
                self._replace()
            self._rest_later()
        return result

    def _replace(self) -> None:
        """Start a process in the place of one that was ended, before the next document needs it."""
        if len(self.idle) + len(self.starting) + len(self.busy) < KEPT and not self.stopped:
            self._start_one()

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
    """A process that has loaded what it needs: the time of its first piece of work begins after that."""
    worker: Worker[_Job, Any] = start_worker(_done, METHOD, prepare, LOADED)
    with contextlib.suppress(EOFError, OSError):  # then its first piece of work finds that it has ended
        worker.give(0, _Job(_nothing, 0, 0))
        worker.take()
    return worker


def _nothing() -> None:
    """Do nothing."""


def _lower_priority(worker: Worker[_Job, Any], amount: int) -> None:
    """Let a process give way to others, where the system can do that."""
    if hasattr(os, "setpriority") and worker.process.pid is not None:
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, worker.process.pid, amount)


def prepare() -> None:
    """Load in a process what each check needs."""
    from cvlint.rules.comment_rules import all_rules
    from cvlint.workspace.file_check import shared_analysis

    shared_analysis()
    all_rules()
    _SEEN["memory"] = max(_SEEN["memory"], _memory())


def _answer(worker: Worker[_Job, Any], job: _Job, seconds: float) -> _Done:
    try:
        worker.give(0, job)
        if worker.connection.poll(seconds):
            done: _Done = worker.take()
            return done
    except (EOFError, OSError):
        worker.process.join()
        if CPU_SIGNAL is None or worker.process.exitcode != -CPU_SIGNAL:
            return _Done(OverdueError("the process that checked it was ended; perhaps the memory was used up"), 0)
    return _Done(_TimeUpError(f"the check took more than {seconds:.0f} seconds"), 0)


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


_SEEN = {"texts": 0, "rules": 0, "memory": 0}
"""In a process: the changes that it knows of, and the bytes of memory that it, or the one that it
is a copy of, needed at its start."""


def _done(job: _Job) -> _Done:
    """Do a piece of work in a process, and measure its memory."""
    if CPU_SIGNAL is not None:
        signal.setitimer(signal.ITIMER_PROF, job.cpu_seconds)
    result = _result(job)
    if CPU_SIGNAL is not None:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return _Done(result, _memory() - _SEEN["memory"])


def _memory() -> int:
    """The most memory that this process has needed, in bytes; 0 where the system does not tell it."""
    try:
        import resource
    except ImportError:  # Windows
        return 0
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def _result(job: _Job) -> Any:
    """The result of a piece of work; an error is returned, because a worker must not raise."""
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
