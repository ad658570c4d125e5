from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

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

Process = Callable[..., "subprocess.CompletedProcess[str]"]
Both = Callable[..., "tuple[subprocess.CompletedProcess[str], subprocess.CompletedProcess[str]]"]


@pytest.fixture
def started(tmp_path: Path) -> Process:
    """Start Python in an empty folder."""

    def run(*args: str, **options: object) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "LOKY_MAX_CPU_COUNT": "2"}
        environment |= options.pop("env", {})  # type: ignore[operator]
        command = [sys.executable, *args]
        options = {"capture_output": True, "text": True, "encoding": "utf-8", "cwd": tmp_path, **options}
        return subprocess.run(command, env=environment, timeout=120, check=False, **options)  # type: ignore[call-overload,no-any-return]

    return run


@pytest.fixture
def experiment(tmp_path: Path, started: Process) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Write an experiment after a header with data, and run it with cvlint."""

    def run(code: str, *options: str) -> subprocess.CompletedProcess[str]:
        (tmp_path / "train.py").write_text(DATA + code)
        return started("-m", "cvlint", "run", *options, "train.py")

    return run


@pytest.fixture
def both(started: Process) -> Both:
    """Run a script with plain Python and with cvlint."""
    return lambda *args, **options: (started(*args, **options), started("-m", "cvlint", "run", *args, **options))
