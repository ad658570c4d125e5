"""``cvlint check --watch`` as a process: what makes it check again, what it prints, and how it ends."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from cvlint.cli.check import watch
from tests.conftest import ROOT, take_interrupts

pty = pytest.importorskip("pty")
pytestmark = pytest.mark.skipif(os.name == "nt", reason="interrupts are sent otherwise there")

PATIENCE = 30.0  # seconds


class Watcher:
    """A running check, whose two streams are written to a file each."""

    def __init__(self, process: subprocess.Popen[bytes], folder: Path) -> None:
        self.process = process
        self.folder = folder
        self.rounds = 0

    def output(self, name: str = "out") -> str:
        return (self.folder / name).read_text(encoding="utf-8")

    def waits(self) -> str:
        """Wait until one more round is over; gives what it wrote to standard output, and its last line."""
        self.rounds += 1
        end = time.monotonic() + PATIENCE
        while len(said := self.lines()) < self.rounds:
            assert self.process.poll() is None, self.output("err")
            assert time.monotonic() < end, self.output("err")
            time.sleep(0.02)
        assert len(said) == self.rounds
        return said[-1]

    def lines(self) -> list[str]:
        return re.findall(r"^.*; watching .*$", self.output("err"), re.MULTILINE)

    def stops(self) -> int:
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(PATIENCE)


@pytest.fixture
def watching(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, clean_environment: Callable[..., Any]) -> Any:
    @contextmanager
    def watching(*arguments: str) -> Iterator[Watcher]:
        streams = tmp_path_factory.mktemp("streams")
        command = [sys.executable, "-m", "cvlint", "check", "--watch", "--format", "concise", *arguments]
        with (streams / "out").open("wb") as out, (streams / "err").open("wb") as err:
            process = subprocess.Popen(
                command,
                cwd=tmp_path,
                env=clean_environment(PYTHONPATH=str(ROOT)),
                stdout=out,
                stderr=err,
                preexec_fn=take_interrupts,
            )
        try:
            yield Watcher(process, streams)
        finally:
            process.kill()
            process.wait()

    return watching


def found(watcher: Watcher) -> list[str]:
    """The files with findings, in all rounds so far."""
    return re.findall(r"^(\S+?):\d+:\d+: CVL", watcher.output(), re.MULTILINE)


def test_changed_new_and_removed_files(watching: Any, faulty: Path, tmp_path: Path) -> None:
    with watching() as watcher:
        said = watcher.waits()
        assert re.fullmatch(r"Checked 1 file at \d\d:\d\d:\d\d; watching \. \(Ctrl\+C stops\)\.", said)
        assert found(watcher) == ["train.py"]
        (tmp_path / "new.py").write_text(faulty.read_text())
        assert watcher.waits().startswith("Checked 2 files at ")
        assert found(watcher)[1:] == ["new.py", "train.py"]
        faulty.write_text("print('mended')\n")
        watcher.waits()
        assert found(watcher)[3:] == ["new.py"]
        (tmp_path / "new.py").unlink()
        assert watcher.waits().startswith("Checked 1 file at ")
        assert found(watcher)[4:] == []
        assert watcher.stops() == 0
        assert "Traceback" not in watcher.output("err") and "\x1b" not in watcher.output()


def test_config_baseline_and_rules_are_read_again(watching: Any, faulty: Path, tmp_path: Path) -> None:
    config = tmp_path / "cvlint.toml"
    with watching() as watcher:
        watcher.waits()
        config.write_text('select = ["CVL2"]\n')
        watcher.waits()
        assert found(watcher) == ["train.py"]
        config.write_text("nonsense = 1\n")
        assert watcher.waits().startswith("Could not check at ")
        assert "has an unknown key 'nonsense'" in watcher.output("err")
        (tmp_path / "own.toml").write_text("")
        config.write_text('extend-knowledge = ["own.toml"]\n')
        watcher.waits()
        assert found(watcher) == ["train.py"] * 2
        (tmp_path / "own.toml").write_text("[[nonsense]]\n")
        assert watcher.waits().startswith("Could not check at ")
        config.unlink()
        watcher.waits()
        assert found(watcher) == ["train.py"] * 3
        assert watcher.stops() == 0


def test_several_writes_in_a_row_are_one_change_and_other_files_are_none(
    run: Any, faulty: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The pauses between polls write the files, so that it does not matter how fast the machine is."""
    text = faulty.read_text()
    (tmp_path / "cvlint.toml").write_text('exclude = ["old/"]\n')
    (tmp_path / "old").mkdir()
    pauses = 0
    checks: list[int] = []

    def pause(seconds: float) -> None:
        nonlocal pauses
        if seconds != watch.PAUSE:
            return
        pauses += 1
        if pauses <= 12:
            faulty.write_text(text + "# more\n" * pauses)
        elif pauses == 15:
            (tmp_path / "results.csv").write_text("0.5\n")
            (tmp_path / "old" / "a.py").write_text(text)
        elif pauses == 20:
            raise KeyboardInterrupt

    def check(_: object) -> int:
        checks.append(pauses)
        return 0

    monkeypatch.setattr(watch.time, "sleep", pause)
    monkeypatch.setattr(watch, "_check_in_process", check)
    assert run("check", "--watch").exit_code == 0
    assert (checks, pauses) == ([0, 13], 20)  # the file was the same after the twelfth pause and the thirteenth


def test_a_module_beside_a_named_file_counts(watching: Any, faulty: Path, tmp_path: Path) -> None:
    (tmp_path / "lab.py").write_text("def mean(values):\n    return values[0]\n")
    faulty.write_text(
        faulty.read_text().replace("np.mean", "mean").replace("import numpy as np", "from lab import mean")
    )
    with watching("train.py") as watcher:
        assert watcher.waits().startswith("Checked 1 file at ")
        assert found(watcher) == []
        (tmp_path / "lab.py").write_text("def mean(values):\n    return sum(values) / len(values)\n")
        watcher.waits()
        assert len(found(watcher)) == 1
        assert watcher.stops() == 0


def test_the_first_check_may_be_refused(watching: Any, tmp_path: Path) -> None:
    with watching("--select", "nonsense") as watcher:
        assert watcher.process.wait(PATIENCE) == 2
        assert watcher.output("err").startswith("cvlint: The option --select names 'nonsense'")
        assert watcher.lines() == []


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="asks /proc which processes live")
def test_an_interrupt_of_several_processes(faulty: Path, tmp_path: Path, clean_environment: Callable[..., Any]) -> None:
    """What Ctrl+C does: all processes are interrupted at once, in the midst of a check."""
    for number in range(300):
        (tmp_path / f"copy{number}.py").write_text(faulty.read_text())
    process = subprocess.Popen(
        [sys.executable, "-m", "cvlint", "check", "--watch", "--jobs", "2"],
        cwd=tmp_path,
        env=clean_environment(PYTHONPATH=str(ROOT)),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=take_interrupts,
    )
    end = time.monotonic() + PATIENCE
    while len(_descendants(process.pid)) < 3 and time.monotonic() < end:  # the process of the check, and its workers
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGINT)
    _, said = process.communicate(timeout=PATIENCE)  # which ends when the last process has closed its streams
    assert process.returncode == 0
    assert b"Traceback" not in said


def _descendants(process: int) -> list[int]:
    """The processes that a process has started, and those that they have started."""
    try:
        children = [int(word) for word in Path(f"/proc/{process}/task/{process}/children").read_text().split()]
    except OSError:  # it has just ended
        return []
    return [*children, *(below for child in children for below in _descendants(child))]


def test_a_terminal_is_cleared(faulty: Path, clean_environment: Callable[..., Any], tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "cvlint", "check", "--watch"]
    environment = clean_environment(PYTHONPATH=str(ROOT), TERM="xterm")
    process = subprocess.Popen(
        command, cwd=tmp_path, env=environment, stdout=theirs, stderr=theirs, preexec_fn=take_interrupts
    )
    os.close(theirs)
    try:
        assert "\x1b[2J" not in _read_until(ours, "watching")
        faulty.write_text("print('mended')\n")
        assert "\x1b[2J" in _read_until(ours, "watching")
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 0
    finally:
        process.kill()
        process.wait()
        os.close(ours)


def _read_until(terminal: int, word: str) -> str:
    text = ""
    while word not in text:
        text += os.read(terminal, 4096).decode(errors="replace")
    return text


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--fix"], "The options --watch and --fix cannot go together"),
        (["--diff"], "The options --watch and --diff cannot go together"),
        (["--output", "a"], "The options --watch and --output cannot go together"),
        (["--add-ignores"], "The options --watch and --add-ignores cannot go together"),
        (["--write-baseline", "a"], "The options --watch and --write-baseline cannot go together"),
        (["-"], "cannot be used with standard input"),
        (["--format", "sarif"], "with --watch valid are text, full, concise"),
    ],
)
def test_what_cannot_be_repeated_is_refused(run: Any, engine: Any, arguments: list[str], says: str) -> None:
    result = run("check", "--watch", *arguments)
    assert (result.exit_code, result.stdout, engine.calls) == (2, "", [])
    assert says in result.stderr


def test_the_config_of_a_folder_below_is_watched(watching: Any, faulty: Path, tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    faulty.rename(tmp_path / "sub" / "train.py")
    with watching() as watcher:
        watcher.waits()
        (tmp_path / "sub" / "cvlint.toml").write_text('select = ["CVL2"]\n')
        watcher.waits()
        assert found(watcher) == ["sub/train.py"]
        (tmp_path / "sub" / "cvlint.toml").write_text('exclude = ["train.py"]\n')
        assert watcher.waits().startswith("Checked 0 files at ")
        assert watcher.stops() == 0
