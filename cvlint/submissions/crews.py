"""Crews: the processes that audit many repositories, on this machine or on a cluster.

A crew takes a function and items, and yields the number of an item with its result as soon as it is there. An item
whose process ended gets a `Lost` instead. `local_crew` uses the workers of this machine. `executor_crew` makes one of
any `concurrent.futures.Executor`: that is the seam for clusters, of which `dask_crew` is one.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING, Protocol, TypeVar
from urllib.parse import urlsplit

from cvlint import __version__
from cvlint.usage_error import UsageError
from cvlint.workspace.workers import Lost, as_completed

if TYPE_CHECKING:
    from distributed import Client

Item = TypeVar("Item")
Result = TypeVar("Result")

SCHEME = "dask://"
DASK_PORT = 8786
MOST_AT_HAND = 1_000
"""The most items that an executor holds at once: a list may have millions, and a scheduler keeps a note of each."""
SECONDS_TO_CONNECT = 10
VALID = f"valid is {SCHEME}HOST or {SCHEME}HOST:PORT, the address of a scheduler"


class Crew(Protocol):
    """Who does the work."""

    def __call__(
        self, work: Callable[[Item], Result], items: Sequence[Item], alone: bool
    ) -> Iterator[tuple[int, Result | Lost]]:
        """Do the work for each item; ``alone`` if no item may be at hand beside another.

        Raises
        ------
        CrewGoneError
            If nobody is left to do the rest.
        """


class CrewGoneError(Exception):
    """A crew is gone for good; the message is a clause that says what is gone."""


def local_crew(jobs: int) -> Crew:
    """A crew of worker processes on this machine, which end with this process."""

    def crew(work: Callable[[Item], Result], items: Sequence[Item], alone: bool) -> Iterator[tuple[int, Result | Lost]]:
        yield from as_completed(work, items, 1 if alone else jobs)

    return crew


def executor_crew(executor: Executor, gone: Callable[[], str] = str) -> Crew:
    """Make a crew of an executor.

    Parameters
    ----------
    executor : concurrent.futures.Executor
        Its processes can import cvlint. The caller shuts it down.
    gone : callable
        Asked after each failure: a clause if the executor is gone for good, else nothing.
    """

    def crew(work: Callable[[Item], Result], items: Sequence[Item], alone: bool) -> Iterator[tuple[int, Result | Lost]]:
        numbers = iter(range(len(items)))
        at_hand: dict[Future[Result], int] = {}

        def refill() -> None:
            for number in islice(numbers, (1 if alone else MOST_AT_HAND) - len(at_hand)):
                try:
                    at_hand[executor.submit(work, items[number])] = number
                except RuntimeError as error:  # it is broken or was shut down
                    raise CrewGoneError(gone() or "the executor") from error

        try:
            refill()
            while at_hand:
                for future in wait(at_hand, return_when=FIRST_COMPLETED).done:
                    number = at_hand.pop(future)
                    try:
                        found: Result | Lost = future.result()
                    except Exception as error:  # whatever the library of the executor raises
                        if clause := gone() or ("the executor" if isinstance(error, BrokenExecutor) else ""):
                            raise CrewGoneError(clause) from error
                        found = Lost(f"the process that audited it failed with {type(error).__name__}: {error}")
                    yield number, found
                refill()
        finally:
            for future in at_hand:
                future.cancel()

    return crew


@contextmanager
def dask_crew(address: str) -> Iterator[Crew]:
    """A crew of the workers of a Dask cluster.

    Parameters
    ----------
    address : str
        ``dask://HOST:PORT``, the address of the scheduler. Cvlint trusts the cluster as it trusts this machine.

    Raises
    ------
    UsageError
        If there is no such scheduler, it has no workers, or they cannot run this version of cvlint.
    """
    host = _scheduler(address)
    try:
        from distributed import Client, TimeoutError
    except ImportError:
        needed = f"The executor {address} needs distributed, which is not installed"
        raise UsageError(needed, "install cvlint[dask]") from None
    for name in ("distributed", "distributed.client"):  # what matters is said in sentences of our own
        logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        client = Client(host, timeout=SECONDS_TO_CONNECT, set_as_default=False)
    except (OSError, TimeoutError, ValueError) as error:
        problem = f"No scheduler at {address} answers within {SECONDS_TO_CONNECT} seconds"
        raise UsageError(problem, "start one with 'dask scheduler'") from error
    try:
        _check_workers(client, address)
        executor = client.get_executor(pure=False)
        yield executor_crew(executor, lambda: "" if client.status == "running" else f"the scheduler at {address}")
    finally:
        client.close(timeout=1)


def _scheduler(address: str) -> str:
    """The address of a scheduler as Dask writes it."""
    try:
        parts = urlsplit(address)
        host, port = parts.hostname, parts.port or DASK_PORT
    except ValueError:
        host = None
    if not host or not address.startswith(SCHEME) or parts.path.strip("/"):
        raise UsageError(f"The option --executor cannot be '{address}'", VALID)
    return f"tcp://{f'[{host}]' if ':' in host else host}:{port}"


def _check_workers(client: Client, address: str) -> None:
    """Look whether the workers can run this version of cvlint, before thousands of repositories fail on it."""
    from distributed import TimeoutError

    try:
        client.wait_for_workers(1, timeout=SECONDS_TO_CONNECT)
    except TimeoutError:
        raise UsageError(f"The scheduler at {address} has no workers", "start one with 'dask worker'") from None
    versions = client.run(_version, on_error="return")
    for worker, version in sorted(versions.items()):
        if version != __version__:
            found = f"has cvlint {version}" if isinstance(version, str) else f"cannot run cvlint ({version})"
            raise UsageError(f"The worker {worker} of {address} {found}; install cvlint {__version__} there")


def _version() -> str:
    """The version of cvlint of the process that runs this."""
    return __version__
