"""What all tests share: faulty code, git, and an environment without the settings of the machine."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

# These variables are set before numpy is loaded, and hold for the processes that tests start, too. The tests use all
# cores as it is: threads of numpy that wait for each other there only take time from other tests.
os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", MKL_NUM_THREADS="1")

# Images of containers often set this variable. Then each of some hundred processes would compile cvlint anew.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# Tests find nothing in the cache of the user, and leave nothing there.
_CACHE = tempfile.TemporaryDirectory(prefix="cvlint-tests-")
os.environ["CVLINT_CACHE_DIR"] = _CACHE.name

import pytest  # noqa: E402
from hypothesis import HealthCheck, settings  # noqa: E402

ROOT = Path(__file__).parents[1]

FOREIGN = ("PYTHONPATH", "FORCE_COLOR", "NO_COLOR")
"""Beginnings of the names of variables that change what cvlint prints, or which cvlint runs."""

Environment = Callable[..., dict[str, str]]

Once = Callable[[str, Callable[[Path], object]], Path]
"""Makes a folder with a name by a function that fills it, and gives its path."""

FAULTY = """\
import numpy as np
from sklearn.metrics import f1_score
from sklearn.model_selection import StratifiedKFold

scores = []
for train, test in StratifiedKFold(5).split(X, y):
    model.fit(X[train], y[train])
    scores.append(f1_score(y[test], model.predict(X[test])))
print(np.mean(scores))
"""

SECOND_FAULT = """

def second():
    scores = []
    for train, test in StratifiedKFold(5).split(X, y):
        model.fit(X[train], y[train])
        scores.append(f1_score(y[test], model.predict(X[test])))
    return np.mean(scores)
"""
"""A function with the same fault, to append to `FAULTY`."""

UNGUARDED = """\
tp = len(found & wanted)
fp = len(found - wanted)
fn = len(wanted - found)
precision = tp / (tp + fp)
recall = tp / (tp + fn)
f1 = 2 * precision * recall / (precision + recall)
print(f1)
"""
"""A warning: the divisions fail if a count is 0. There is a safe fix."""

CLEAN = "from sklearn.metrics import f1_score\n\nprint(f1_score(y, model.predict(X)))\n"

# How fast a test is depends on what else the machine does, and is not what is tested. Each run tries other examples.
EXAMPLES = int(os.environ.get("CVLINT_EXAMPLES", "60"))
settings.register_profile("cvlint", deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=EXAMPLES)
settings.load_profile("cvlint")


def environment_without(*foreign: str, **more: str) -> dict[str, str]:
    """The variables of this process without those in `FOREIGN` and some others, and with some more."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith((*FOREIGN, *foreign))}
    return {**kept, **more}


@pytest.fixture(scope="session")
def clean_environment() -> Environment:
    """Make the variables for a process that must not find this checkout by itself."""
    return environment_without


LONG = (
    "workspace/steps/test_analyse.py",
    "recording/test_transparent.py",
    "recording/test_worker_processes.py",
    "distribution/test_precommit.py",
    "distribution/test_action.py",
    "report/test_browser.py",
)
"""Files with tests that take ten seconds or more: they start first, so that none of them is left for one core alone."""


def pytest_xdist_auto_num_workers() -> int:
    """Two more than there are cores, because many tests wait for processes that they start."""
    return 2 + (os.cpu_count() or 1)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: not item.path.as_posix().endswith(LONG))


@pytest.fixture(scope="session")
def once(tmp_path_factory: pytest.TempPathFactory) -> Once:
    """Make a folder that takes long to fill only once for all workers: while one of them fills it, others wait."""
    shared = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ and os.name == "posix":
        shared = shared.parent  # each worker has a folder of its own there

    def make(name: str, fill: Callable[[Path], object]) -> Path:
        folder, whole = shared / f"once-{name}", shared / f"once-{name}.whole"
        with locked(shared / f"once-{name}.lock"):
            if not whole.exists():
                shutil.rmtree(folder, ignore_errors=True)
                folder.mkdir()
                fill(folder)
                whole.touch()
        return folder

    return make


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold a lock that the system takes back when the process ends."""
    with path.open("w") as file:
        if os.name == "posix":
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX)
        yield


@pytest.fixture
def environment() -> dict[str, str]:
    """The variables for a process that runs the cvlint of this checkout."""
    return environment_without(PYTHONPATH=str(ROOT))


def take_interrupts() -> None:
    """For ``preexec_fn``: a shell's background jobs ignore interrupts, and so would all that such a job starts.

    Those of ``nohup`` ignore hangups.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


def git(folder: Path, *arguments: str) -> str:
    """What git prints in a folder, with a user and a branch whose names do not depend on the machine."""
    command = ["git", "-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.defaultBranch=main", *arguments]
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout.strip()


@pytest.fixture(autouse=True)
def no_colour_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Remove the variables about colours; a test that needs one sets it."""
    for name in ("FORCE_COLOR", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
