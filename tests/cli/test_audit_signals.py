"""An audit that is ended by a signal leaves neither its unpacked archive nor a worker."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest

from tests.conftest import ROOT, environment_without, take_interrupts

SLOW = "from sklearn.metrics import f1_score\n" + "x = f1_score(y, p)\n" * 4_000


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGKILL])
def test_an_audit_that_is_ended_leaves_nothing(number: signal.Signals, tmp_path: Path) -> None:
    folder, archive = tmp_path / "temporary", tmp_path / "a.zip"
    folder.mkdir()
    with zipfile.ZipFile(archive, "w") as file:
        for index in range(20):
            file.writestr(f"f{index}.py", SLOW)
    command = [sys.executable, "-m", "cvlint", "audit", str(archive), "--jobs", "2"]
    where = environment_without(PYTHONPATH=str(ROOT), TMPDIR=str(folder))
    process = subprocess.Popen(
        command,
        env=where,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        preexec_fn=take_interrupts,
    )
    until = time.monotonic() + 30
    while not list(folder.glob("*/*.py")) and process.poll() is None and time.monotonic() < until:
        time.sleep(0.01)
    time.sleep(0.1)
    process.send_signal(number)
    _, said = process.communicate(timeout=20)
    # Either says which signal ended it. `python -m` dies of the interrupt in the end, whatever status the program exits
    # with, if the interrupt came while `exec` ran a text, as it does for each data class.
    assert process.returncode in (128 + number, -number)
    assert b"Traceback" not in said
    until = time.monotonic() + 20
    while number == signal.SIGKILL and list(folder.iterdir()) and time.monotonic() < until:
        time.sleep(0.01)  # another process removes it
    assert list(folder.iterdir()) == []
