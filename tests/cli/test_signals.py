"""Signals that end a process end it whatever it does, also where Python ignores every exception."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

from tests.conftest import ROOT, environment_without, take_interrupts

PROGRAM = """
import os, sys, time
from cvlint.cli.console.signals import exit_on_signals

class Ignoring:
    def __del__(self):
        os.kill(os.getpid(), int(sys.argv[1]))
        time.sleep(0)

with exit_on_signals():
    Ignoring()
    time.sleep(30)
"""


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs signals of other processes")
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_a_signal_in_a_callback_is_not_lost(name: str) -> None:
    """As at an import: Python drops locks of modules in callbacks, and ignores what is raised there."""
    number = getattr(signal, name)
    command = [sys.executable, "-c", PROGRAM, str(int(number))]
    where = environment_without(PYTHONPATH=str(ROOT))
    ended = subprocess.run(command, env=where, capture_output=True, text=True, timeout=20, preexec_fn=take_interrupts)
    assert (ended.returncode, ended.stderr) == (128 + number, "")


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs a timer that sends a signal")
def test_an_interrupt_in_a_callback_is_not_lost() -> None:
    command = [sys.executable, "-c", PROGRAM, str(int(signal.SIGINT))]
    where = environment_without(PYTHONPATH=str(ROOT))
    ended = subprocess.run(command, env=where, capture_output=True, text=True, timeout=20, preexec_fn=take_interrupts)
    assert ended.returncode == -signal.SIGINT
    assert "ignored" not in ended.stderr and ended.stderr.endswith("KeyboardInterrupt\n")
