from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cvlint.cli import main
from tests.conftest import FAULTY, Environment

ROOT = Path(__file__).parents[2]
Run = Callable[..., Result]
Started = subprocess.Popen[str]
Start = Callable[..., Started]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run the command in this process, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return lambda *args, **options: CliRunner().invoke(main, list(args), **options)


@pytest.fixture
def start(tmp_path: Path, clean_environment: Environment) -> Iterator[Start]:
    """Start Python with arguments, in the folder of the test; what still runs at its end is killed."""
    started: list[Started] = []

    def begin(*arguments: str, **options: object) -> Started:
        environment = clean_environment(PYTHONPATH=str(ROOT), PYTHONDONTWRITEBYTECODE="1")
        process = subprocess.Popen(  # type: ignore[call-overload]
            [sys.executable, *arguments],
            cwd=tmp_path,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            **options,
        )
        started.append(process)
        return process

    yield begin
    for process in started:
        process.kill()
        process.communicate()


@pytest.fixture
def faulty(tmp_path: Path) -> Path:
    """A script with a fault, and long enough for a write of it to be cut off in the middle."""
    path = tmp_path / "train.py"
    path.write_text(FAULTY + "# a remark\n" * 2000)
    return path


@pytest.fixture
def no_nameless_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "O_TMPFILE", raising=False)
