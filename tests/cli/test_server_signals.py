"""The servers end at a signal, also while the other side keeps their input open and says nothing."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.conftest import ROOT, environment_without, take_interrupts

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals of Unix")

SLOW = "from sklearn.metrics import f1_score\n" + "x = f1_score(y, p)\n" * 15_000


def message(method: str, params: object, **more: object) -> bytes:
    text = json.dumps({"jsonrpc": "2.0", "method": method, "params": params, **more}).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(text), text)


ITEM = {"uri": "file:///nowhere/slow.py", "languageId": "python", "version": 1, "text": SLOW}
HELLO = message("initialize", {"capabilities": {}, "processId": None}, id=1)
HELLO_OF_MCP = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
SAID = {
    "server": HELLO + message("initialized", {}) + message("textDocument/didOpen", {"textDocument": ITEM}),
    "mcp": json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": HELLO_OF_MCP}).encode() + b"\n",
}


def below(process: int) -> set[int]:
    """The processes that a process has started, and theirs."""
    found = {process}
    for _ in range(3):
        for status in Path("/proc").glob("[0-9]*/stat"):
            try:
                fields = status.read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[1]) in found and fields[0] != "Z":
                found.add(int(status.parent.name))
    return found - {process}


def lives(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.parametrize("command", SAID)
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_server_ends_at_a_signal_while_its_input_stays_open(command: str, number: signal.Signals) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "cvlint", command],
        env=environment_without(PYTHONPATH=str(ROOT)),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=take_interrupts,
    )
    assert process.stdin is not None and process.stdout is not None and process.stderr is not None
    process.stdin.write(SAID[command])
    process.stdin.flush()
    assert process.stdout.readline()  # it has answered
    if command == "server":
        time.sleep(0.5)  # it checks
    started = below(process.pid) if Path("/proc/self/stat").exists() else set()
    process.send_signal(number)
    assert process.wait(20) == 128 + number
    assert process.stderr.read().decode() == ""
    until = time.monotonic() + 10
    while any(map(lives, started)) and time.monotonic() < until:
        time.sleep(0.02)
    assert not any(map(lives, started))
    process.stdin.close()
    process.stdout.close()
    process.stderr.close()
