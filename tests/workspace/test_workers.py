"""Workers: results in order, a killed worker costs nothing, and no worker outlives the process that started it."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from cvlint.workspace import workers
from cvlint.workspace.workers import Lost, map_in_workers
from tests.conftest import ROOT, environment_without, take_interrupts

PARENT = """
import sys, time
from cvlint.workspace.workers import map_in_workers

def work(folder):
    import os
    open(os.path.join(folder, str(os.getpid())), "w").close()
    WORK

if __name__ == "__main__":
    list(map_in_workers(work, [sys.argv[1]] * 3, 3))
"""


def square(number: int) -> int:
    return number * number


def dies_once(folder: str) -> str:
    """It is killed the first time that it is called."""
    mark = Path(folder, "called")
    if not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return folder


def dies(number: int) -> int:
    if number == 5:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def is_alive(process: int) -> bool:
    """Whether a process runs; one that has ended and waits for its parent does not."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.parametrize("count", [0, 1, 50])
def test_the_results_come_in_the_order_of_the_items(count: int) -> None:
    assert list(map_in_workers(square, range(count), 3)) == [n * n for n in range(count)]


def test_the_work_of_a_killed_worker_is_done_again(tmp_path: Path) -> None:
    assert list(map_in_workers(dies_once, [str(tmp_path)] * 6, 2)) == [str(tmp_path)] * 6


def test_work_that_kills_its_worker_twice_is_lost_and_nothing_else() -> None:
    found = list(map_in_workers(dies, range(12), 2))
    lost = found[5]
    assert isinstance(lost, Lost)
    assert "ended by signal 9, also when it checked nothing else" in lost.reason
    assert [*found[:5], *found[6:]] == [*range(5), *range(6, 12)]


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="asks /proc which processes live")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL, signal.SIGINT])
@pytest.mark.parametrize("work", ["time.sleep(60)", "sum(range(2 * 10**9))"])  # the sum lets no other thread run
def test_workers_end_with_their_parent(work: str, number: signal.Signals, tmp_path: Path) -> None:
    program, folder = tmp_path / "parent.py", tmp_path / "workers"
    program.write_text(PARENT.replace("WORK", work))
    folder.mkdir()
    parent = subprocess.Popen(
        [sys.executable, str(program), str(folder)],
        env=environment_without(PYTHONPATH=str(ROOT)),
        stderr=subprocess.DEVNULL,
        preexec_fn=take_interrupts,
    )
    until = time.monotonic() + 15
    while len(list(folder.iterdir())) < 3 and time.monotonic() < until:
        time.sleep(0.02)
    workers = [int(path.name) for path in folder.iterdir()]
    assert len(workers) == 3
    parent.send_signal(number)
    parent.wait(10)
    until = time.monotonic() + 2
    while any(map(is_alive, workers)) and time.monotonic() < until:
        time.sleep(0.02)
    assert not any(map(is_alive, workers))


HALF_MADE = """
import os, signal
from multiprocessing import util
from cvlint.cli.console.signals import exit_on_signals
from cvlint.workspace.workers import map_in_workers

def numbers():  # the last that a `Finalize` takes before it is whole
    for number in range(100):
        os.kill(os.getpid(), signal.SIGTERM)
        yield number

if __name__ == "__main__":
    util._finalizer_counter = numbers()
    with exit_on_signals():
        list(map_in_workers(abs, [1, 2], 2))
"""


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="signals cannot wait here")
def test_a_signal_leaves_no_half_made_object_while_a_worker_starts(tmp_path: Path) -> None:
    program = tmp_path / "parent.py"
    program.write_text(HALF_MADE)
    run = subprocess.run(
        [sys.executable, str(program)],
        env=environment_without(PYTHONPATH=str(ROOT)),
        capture_output=True,
        text=True,
        timeout=20,
    )
    assert (run.returncode, run.stderr) == (128 + signal.SIGTERM, "")


def folder_of(path: str) -> bool:
    return os.path.samefile(os.getcwd(), path)


@pytest.mark.parametrize("version", [(3, 10), sys.version_info[:2]])
def test_a_worker_works_in_the_working_folder(
    version: tuple[int, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With Python 3.10 it starts in another one, so that it imports nothing from there."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(workers, "sys", SimpleNamespace(version_info=version, executable=sys.executable))
    assert list(map_in_workers(folder_of, [str(tmp_path)] * 2, 2)) == [True, True]
    assert folder_of(str(tmp_path))


@pytest.mark.skipif(os.name != "posix", reason="signals of Unix")
@pytest.mark.parametrize(
    "method", sorted({"fork", "spawn", "forkserver"}.intersection(multiprocessing.get_all_start_methods()))
)
def test_signals_wait_until_the_first_worker_has_started(method: str, environment: dict[str, str]) -> None:
    """What Python starts beside it, before 3.13, let them through.

    Joblib adds methods of its own to those that Python names, in the process that imports it only.
    """
    code = f"""\
import multiprocessing, signal
from multiprocessing.process import BaseProcess
from cvlint.workspace import workers
start = BaseProcess.start
def watched(self):
    start(self)
    assert set(workers.HELD) <= signal.pthread_sigmask(signal.SIG_BLOCK, ())
BaseProcess.start = watched
if __name__ == "__main__":
    workers.start_worker(abs, {method!r}).end()
    assert not set(workers.HELD) & signal.pthread_sigmask(signal.SIG_BLOCK, ())
"""
    subprocess.run([sys.executable, "-c", code], env=environment, check=True)


def test_workers_that_threads_start_at_once_have_the_folder_of_the_user(tmp_path: Path) -> None:
    code = """\
import os, sys
from concurrent.futures import ThreadPoolExecutor
from cvlint.workspace.workers import start_worker
def folder(_):
    worker = start_worker(os.path.abspath, "spawn")
    worker.give(0, ".")
    found = worker.take()
    worker.end()
    return found
if __name__ == "__main__":
    with ThreadPoolExecutor(4) as threads:
        assert set(threads.map(folder, range(8))) == {os.getcwd()}
"""
    environment = environment_without(PYTHONPATH=str(ROOT))
    subprocess.run([sys.executable, "-c", code], env=environment, cwd=tmp_path, check=True)
