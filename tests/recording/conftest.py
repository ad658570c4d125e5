from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.conftest import ROOT, take_interrupts

DATA = """\
import numpy as np
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import *
from sklearn.model_selection import (
    GridSearchCV, KFold, RepeatedStratifiedKFold, StratifiedKFold, cross_val_predict, cross_val_score, cross_validate,
)

X, y = make_classification(n_samples=400, n_informative=5, weights=[0.93], class_sep=1.1, flip_y=0, random_state=7)
cv = StratifiedKFold(5, shuffle=True, random_state=0)
model = LogisticRegression()
"""

NO_PANDAS = {"PYTHONPATH": os.pathsep.join((str(ROOT), str(Path(__file__).with_name("no_pandas"))))}
"""For processes that import scikit-learn anew: without pandas, which it looks for, they start sooner."""

VARIABLES = {**os.environ, "PYTHONPATH": str(ROOT), "LOKY_MAX_CPU_COUNT": "2"}

Process = Callable[..., "subprocess.CompletedProcess[str]"]
Both = Callable[..., "tuple[subprocess.CompletedProcess[str], subprocess.CompletedProcess[str]]"]


@pytest.fixture
def started(tmp_path: Path) -> Process:
    """Start Python in an empty folder."""

    def run(*args: str, **options: object) -> subprocess.CompletedProcess[str]:
        environment = VARIABLES | options.pop("env", {})  # type: ignore[operator]
        command = [sys.executable, *args]
        options = {"capture_output": True, "text": True, "encoding": "utf-8", "cwd": tmp_path, **options}
        options.setdefault("preexec_fn", take_interrupts if os.name == "posix" else None)
        return subprocess.run(command, env=environment, timeout=120, check=False, **options)  # type: ignore[call-overload,no-any-return]

    return run


@pytest.fixture(scope="session")
def warm_python() -> Iterator[subprocess.Popen[str]]:
    """A Python that has imported the dependencies of scikit-learn, and forks for each command."""
    command = [sys.executable, str(Path(__file__).with_name("warm_python.py"))]
    with subprocess.Popen(
        command, env=VARIABLES, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, preexec_fn=take_interrupts
    ) as process:
        yield process
        assert process.stdin is not None
        process.stdin.close()


@pytest.fixture
def experiment(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, warm_python: subprocess.Popen[str]
) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Write an experiment after a header with data, and run it with cvlint."""

    def run(code: str, *options: str) -> subprocess.CompletedProcess[str]:
        (tmp_path / "train.py").write_text(DATA + code)
        streams = tmp_path_factory.mktemp("streams")
        paths = {name: streams / name for name in ("stdout", "stderr")}
        arguments = ["cvlint", "run", *options, "train.py"]
        command = {"arguments": arguments, "folder": str(tmp_path), **{name: str(path) for name, path in paths.items()}}
        assert warm_python.stdin is not None and warm_python.stdout is not None
        print(json.dumps(command), file=warm_python.stdin, flush=True)
        status = int(warm_python.stdout.readline())
        return subprocess.CompletedProcess(arguments, status, *(path.read_text("utf-8") for path in paths.values()))

    return run


@pytest.fixture
def both(started: Process) -> Both:
    """Run a script with plain Python and with cvlint."""
    return lambda *args, **options: (started(*args, **options), started("-m", "cvlint", "run", *args, **options))
