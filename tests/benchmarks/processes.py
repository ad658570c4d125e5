"""What one run of a command costs: seconds of the processor, seconds of the clock, and memory."""

from __future__ import annotations

import os
import signal
import statistics
import subprocess
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

LONGEST = 1800.0
"""Seconds of the clock after which a run is stopped."""


class Cost(NamedTuple):
    """The cost of a run with all processes that it has waited for."""

    processor: float
    clock: float
    megabytes: float
    """The largest memory of one of the processes."""


def cost(command: tuple[str, ...], folder: Path, environment: Mapping[str, str]) -> Cost:
    """Run a command once; its status does not matter.

    Raises
    ------
    TimeoutError
        If it does not end.
    """
    start = time.perf_counter()
    with open(os.devnull, "wb") as nothing:
        process = subprocess.Popen(
            command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=nothing, stderr=nothing
        )
        watch = threading.Timer(LONGEST, process.kill)
        watch.start()
        _, status, used = os.wait4(process.pid, 0)
        watch.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode == -signal.SIGKILL:
        raise TimeoutError
    clock = time.perf_counter() - start
    return Cost(used.ru_utime + used.ru_stime, clock, used.ru_maxrss / 1024)


def measured(runs: Mapping[str, Callable[[], Cost]], rounds: int) -> dict[str, Cost]:
    """The median of each run over some rounds, in each of which every run has its turn."""
    costs: dict[str, list[Cost]] = {name: [] for name in runs}
    for _ in range(rounds):
        for name, run in runs.items():
            costs[name].append(run())
    return {name: Cost(*map(statistics.median, zip(*found, strict=True))) for name, found in costs.items()}
