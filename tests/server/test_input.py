"""What the editor sends takes no more memory than a message can be meant to have."""

from __future__ import annotations

import io
import subprocess
import sys

import pytest

from cvlint.server import protocol as module
from cvlint.server.protocol import Input


def test_lines_and_messages() -> None:
    given = Input(io.BytesIO(b"Content-Length: 2\r\n\r\n{}rest"))  # type: ignore[arg-type]
    assert [given.readline(), given.readline(), given.read(2), given.read(9), given.read(1)] == [
        b"Content-Length: 2\r\n",
        b"\r\n",
        b"{}",
        b"rest",
        b"",
    ]


def test_a_line_without_an_end_comes_in_pieces() -> None:
    given = Input(io.BytesIO(b"x" * 100_000 + b"\r\n"))  # type: ignore[arg-type]
    assert [len(given.readline()) for _ in range(3)] == [65_536, 34_466, 0]


def test_a_message_that_is_too_large_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_BYTES", 10)
    given = Input(io.BytesIO(b"x" * 200_000 + b"rest"))  # type: ignore[arg-type]
    assert (given.read(200_000), given.read(4), given.read(200_000)) == (b" ", b"rest", b"")


def test_a_length_that_no_memory_has_ends_nothing(environment: dict[str, str]) -> None:
    command = [sys.executable, "-m", "cvlint", "server"]
    said = b"Content-Length: 999999999999999\r\n\r\n{"
    ended = subprocess.run(command, input=said, env=environment, capture_output=True, timeout=60, check=False)
    assert (ended.returncode, ended.stderr) == (1, b"")
