"""What README shows is what the commands print."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from cvlint.cli import main

ROOT = Path(__file__).parent.parent
BLOCKS = re.findall(r"```sh\n([^`]*?)\n```\n(?:[^`]*?)```text\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
SHOWN = [(command.rsplit("cvlint ", 1)[1], text) for command, text in BLOCKS]


def test_there_are_examples() -> None:
    assert {arguments.split()[0] for arguments, _ in SHOWN} == {"check", "recompute", "reported", "run", "simulate"}


@pytest.mark.parametrize(("arguments", "text"), SHOWN)
def test_example(arguments: str, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    if arguments.startswith("run "):  # it reports when its process ends
        done = subprocess.run(
            [sys.executable, "-m", "cvlint", *shlex.split(arguments)], capture_output=True, check=True
        )
        assert done.stdout.decode() + done.stderr.decode() == text
        return
    result = CliRunner().invoke(main, shlex.split(arguments))
    assert result.exit_code in (0, 1), result.stderr
    assert text in result.stdout
