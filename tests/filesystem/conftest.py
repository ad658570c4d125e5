from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from click.testing import CliRunner, Result

from cvlint.cli import main
from tests.conftest import FAULTY, ROOT, Environment, environment_without

Run = Callable[..., Result]
Started = subprocess.Popen[str]
Start = Callable[..., Started]
Call = Callable[..., "Ended"]


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


class Ended(NamedTuple):
    """How a command ended: the exit status, negative for a signal, what it said, and whether a process of it stayed."""

    status: int
    stderr: str
    has_orphans: bool


@pytest.fixture(scope="session")
def warm_cvlint() -> Iterator[subprocess.Popen[str]]:
    """A Python that has loaded cvlint and forks for each command."""
    command = [sys.executable, str(Path(__file__).with_name("warm_cvlint.py"))]
    environment = environment_without(PYTHONPATH=str(ROOT))
    with subprocess.Popen(
        command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        yield process
        assert process.stdin is not None
        process.stdin.close()


@pytest.fixture
def call(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, warm_cvlint: subprocess.Popen[str]) -> Call:
    """Run cvlint in the folder of the test, with some code before and a limit for the size of files."""
    stderr = tmp_path_factory.mktemp("streams") / "stderr"
    os.mkfifo(stderr)  # a pipe, to which the limit does not apply

    def run(*arguments: str, first: str = "", limit: int | None = None) -> Ended:
        given = {"arguments": arguments, "folder": str(tmp_path), "stderr": str(stderr), "first": first, "limit": limit}
        assert warm_cvlint.stdin is not None and warm_cvlint.stdout is not None
        print(json.dumps(given), file=warm_cvlint.stdin, flush=True)
        said = stderr.read_text(encoding="utf-8")
        status, has_orphans = json.loads(warm_cvlint.stdout.readline())
        return Ended(status, said, has_orphans)

    return run


@pytest.fixture
def faulty(tmp_path: Path) -> Path:
    """A script with a fault, and long enough for a write of it to be cut off in the middle."""
    path = tmp_path / "train.py"
    path.write_text(FAULTY + "# a remark\n" * 2000)
    return path


@pytest.fixture
def no_nameless_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "O_TMPFILE", raising=False)
