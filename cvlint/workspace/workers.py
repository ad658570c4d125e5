"""Worker processes: they do one piece of work after another, and end with the process that started them.

A worker that the system kills costs nothing but its piece of work, which another worker then tries alone. The workers
write nothing, so they can be killed at any time.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from multiprocessing.connection import Connection, wait
from typing import Generic, TypeVar

from cvlint.records import dataclass, field

Item = TypeVar("Item")
Result = TypeVar("Result")
TERMINATING = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))
HELD = (signal.SIGINT, *TERMINATING)


@dataclass(frozen=True, slots=True)
class Lost:
    """A piece of work without a result, because two workers ended while they did it."""

    reason: str


@dataclass(slots=True, eq=False)
class Worker(Generic[Item, Result]):
    """A process that does pieces of work, with the numbers of those that it has at hand."""

    process: multiprocessing.process.BaseProcess
    connection: Connection
    at_hand: deque[int] = field(default_factory=deque)

    def give(self, number: int, item: Item) -> None:
        """Give the worker one more piece of work; nothing happens if the worker has ended."""
        self.at_hand.append(number)
        with contextlib.suppress(OSError):  # `take` notices it
            self.connection.send(item)

    def take(self) -> Result:
        """Wait for the next result.

        Raises
        ------
        EOFError, OSError
            If the worker has ended.
        """
        result: Result = self.connection.recv()
        return result

    def end(self) -> int | None:
        """End the worker at once; its exit status."""
        self.process.kill()
        self.process.join()
        self.connection.close()
        return self.process.exitcode


def nothing() -> None:
    """Prepare nothing."""


def start_worker(
    work: Callable[[Item], Result], method: str | None = None, prepare: Callable[[], None] = nothing
) -> Worker[Item, Result]:
    """Start a worker.

    Parameters
    ----------
    work : callable
        What it does with each item; it must not raise.
    method : str, optional
        How to start it, such as ``"spawn"``; by default as Python does on this system.
    prepare : callable
        What it does before the first item.
    """
    context = multiprocessing.get_context(method)
    ours, theirs = context.Pipe()
    with _away_from_working_folder() as folder:
        given = (work, prepare, theirs, folder)
        process = context.Process(target=_serve, args=given, daemon=True)  # type: ignore[attr-defined]
        if context.get_start_method() != "fork" and os.name == "posix":
            from multiprocessing import resource_tracker

            resource_tracker.ensure_running()  # before Python 3.13 its start lets signals through, so it comes first
        with _signals_held():
            process.start()
    theirs.close()
    return Worker(process, ours)


@contextlib.contextmanager
def _signals_held() -> Iterator[None]:
    """Let signals that end the command wait while a worker starts.

    The worker would print a traceback until it ignores Ctrl+C, and so would objects of `multiprocessing` that an
    exception leaves half made.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, HELD)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


_LEAVING = threading.Lock()


@contextlib.contextmanager
def _away_from_working_folder() -> Iterator[str | None]:
    """Let new processes of Python import nothing from the working folder, in which a stranger's code may lie.

    They start as ``python -c``, which looks there first, before the worker gets the path of its parent. Before Python
    3.11 nothing can forbid it: the process starts in another folder, and the worker goes back.
    """
    with _LEAVING:  # another thread must not take the other folder for that of the user
        before, folder = os.environ.get("PYTHONSAFEPATH"), _working_folder()
        os.environ["PYTHONSAFEPATH"] = "1"
        is_away = sys.version_info < (3, 11) and folder is not None
        if is_away:
            os.chdir(os.path.dirname(sys.executable))
        try:
            yield folder
        finally:
            if is_away and folder is not None:
                os.chdir(folder)
            if before is None:
                del os.environ["PYTHONSAFEPATH"]
            else:
                os.environ["PYTHONSAFEPATH"] = before


def _working_folder() -> str | None:
    """The working folder; None if it is gone."""
    try:
        return os.getcwd()
    except OSError:
        return None


def map_in_workers(work: Callable[[Item], Result], items: Sequence[Item], jobs: int) -> Iterator[Result | Lost]:
    """Do pieces of work in several processes.

    Parameters
    ----------
    work : callable
        What is done with each item; it must not raise.
    items : sequence
        The items.
    jobs : int
        The number of processes.

    Yields
    ------
    Result or Lost
        The results in the order of the items.
    """
    results: dict[int, Result | Lost] = {}
    following = 0
    with contextlib.closing(as_completed(work, items, jobs)) as completed:
        for number, result in completed:
            results[number] = result
            while following in results:
                yield results.pop(following)
                following += 1


def as_completed(
    work: Callable[[Item], Result], items: Sequence[Item], jobs: int
) -> Generator[tuple[int, Result | Lost], None, None]:
    """Do pieces of work as `map_in_workers` does; yield the number of an item and its result as soon as it is there."""
    crew = [start_worker(work) for _ in range(min(jobs, len(items)))]
    waiting = deque(range(len(items)))
    suspects: list[int] = []
    try:
        for worker in crew:
            _refill(worker, waiting, items)
        while busy := {worker.connection: worker for worker in crew if worker.at_hand}:
            for connection in wait(list(busy)):
                worker = busy[connection]  # type: ignore[index]
                try:
                    result = worker.take()
                except (EOFError, OSError):
                    suspects.append(worker.at_hand.popleft())
                    waiting.extendleft(reversed(worker.at_hand))
                    worker.end()
                    crew[crew.index(worker)] = worker = start_worker(work)
                    _refill(worker, waiting, items)
                else:
                    number = worker.at_hand.popleft()
                    _refill(worker, waiting, items)
                    yield number, result
        for number in suspects:
            yield number, _alone(work, items[number])
    finally:
        for worker in crew:
            worker.end()


def _refill(worker: Worker[Item, Result], waiting: deque[int], items: Sequence[Item]) -> None:
    """Give a worker that has nothing to do the next piece of work."""
    if waiting and not worker.at_hand:
        number = waiting.popleft()
        worker.give(number, items[number])


def _alone(work: Callable[[Item], Result], item: Item) -> Result | Lost:
    """The result of an item whose worker ended, from a new worker that has nothing else to do."""
    worker: Worker[Item, Result] = start_worker(work)
    worker.give(0, item)
    try:
        return worker.take()
    except (EOFError, OSError):
        worker.process.join()
        return Lost(_reason(worker.process.exitcode))
    finally:
        worker.end()


def _reason(status: int | None) -> str:
    how = f"was ended by signal {-status}" if status is not None and status < 0 else f"ended with status {status}"
    return f"the process that checked it {how}, also when it checked nothing else; perhaps the memory was used up"


def _serve(
    work: Callable[[Item], Result], prepare: Callable[[], None], connection: Connection, folder: str | None
) -> None:
    """The life of a worker: it ends when the process that started it ends, however that happens."""
    if folder is not None and folder != _working_folder():  # see `_away_from_working_folder`
        os.chdir(folder)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the terminal sends it to all; the parent ends its workers
    for number in TERMINATING:
        signal.signal(number, signal.SIG_DFL)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, HELD)  # `_signals_held` has blocked them
    if hasattr(signal, "SIGIO"):
        signal.signal(signal.SIGIO, signal.SIG_DFL)  # it ends the process
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGIO})
    _end_with_parent()
    prepare()
    while True:
        try:
            connection.send(work(connection.recv()))
        except (EOFError, OSError):
            return


def _end_with_parent() -> None:
    """End this process as soon as the one that started it has ended: by a signal of the system, else by a thread.

    The signal is asked for before any work is done, because a long step of the interpreter would hold up the thread.
    """
    parent = multiprocessing.parent_process()
    if parent is None:
        return
    _be_ended_by_the_system(parent.sentinel)
    if wait([parent.sentinel], 0):  # it ended before the signal was asked for
        os._exit(1)
    threading.Thread(target=_end_after, args=(parent.sentinel,), daemon=True).start()


def _end_after(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)


def _be_ended_by_the_system(sentinel: int) -> None:
    """Ask for a signal, which ends this process, as soon as the other end of a pipe is gone.

    A thread cannot run as long as a long step of the interpreter does, such as the parsing of a large file.
    """
    try:
        import fcntl
    except ImportError:  # Windows
        return
    with contextlib.suppress(OSError):  # a system may have no such signals for pipes
        fcntl.fcntl(sentinel, fcntl.F_SETOWN, os.getpid())
        fcntl.fcntl(sentinel, fcntl.F_SETFL, fcntl.fcntl(sentinel, fcntl.F_GETFL) | os.O_ASYNC)
