"""Put the server under load, and print figures: ``python -m tests.server.stress [edits] [hostile documents]``.

An ordinary document is edited all the time, and its diagnostics are awaited after every 25 edits; then again while
hostile documents are open. Printed are how long the answers took, and the memory of all processes of the server before
and after. The status is 1 if a process of the server ends or an answer is not there within 30 seconds.
"""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

from tests.conftest import FAULTY, ROOT
from tests.fuzz.growing import PATTERNS

PER_ANSWER = 25
PATIENCE = 30


class Server:
    """The server as a process, and what it says."""

    def __init__(self) -> None:
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        command = [sys.executable, "-m", "cvlint", "server"]
        self.process = subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.published: queue.Queue[dict[str, Any]] = queue.Queue()
        self.versions: dict[str, int] = {}
        threading.Thread(target=self._listen, daemon=True).start()
        self.send("initialize", {"capabilities": {}, "processId": None}, id=1)
        self.send("initialized", {})

    def _listen(self) -> None:
        stream = self.process.stdout
        assert stream is not None
        while line := stream.readline():
            length = int(line.split(b":")[1])
            while stream.readline().strip():
                pass
            said = json.loads(stream.read(length))
            if said.get("method") == "textDocument/publishDiagnostics":
                self.published.put(said["params"])

    def send(self, method: str, params: object, **more: object) -> None:
        """Send a message."""
        text = json.dumps({"jsonrpc": "2.0", "method": method, "params": params, **more}).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(text), text))
        self.process.stdin.flush()

    def open(self, uri: str, text: str) -> None:
        """Open a document."""
        self.versions[uri] = 1
        item = {"uri": uri, "languageId": "python", "version": 1, "text": text}
        self.send("textDocument/didOpen", {"textDocument": item})

    def edit(self, uri: str, text: str) -> None:
        """Put a text in place of the one that is open."""
        self.versions[uri] += 1
        document = {"uri": uri, "version": self.versions[uri]}
        self.send("textDocument/didChange", {"textDocument": document, "contentChanges": [{"text": text}]})

    def close(self, uri: str) -> None:
        """Close a document."""
        self.send("textDocument/didClose", {"textDocument": {"uri": uri}})

    def awaited(self, uri: str) -> float:
        """The seconds until the findings in the present text of a document are there."""
        began = time.monotonic()
        while True:
            found = self.published.get(timeout=PATIENCE)
            if found["uri"] == uri and found.get("version", self.versions[uri]) == self.versions[uri]:
                return time.monotonic() - began

    def memory(self) -> float:
        """The memory of the server and of its processes in MB; what processes share is counted once."""
        pids = {self.process.pid}
        for _ in range(2):
            for status in Path("/proc").glob("[0-9]*/stat"):
                try:
                    fields = status.read_text().rpartition(")")[2].split()
                except OSError:
                    continue
                if int(fields[1]) in pids:
                    pids.add(int(status.parent.name))
        total = 0
        for pid in pids:
            try:
                lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
            except OSError:
                continue
            total += sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
        return total / 1e3


def spread(seconds: list[float]) -> str:
    """The middle, the 99th percentile and the greatest of some times."""
    found = sorted(seconds)
    return f"median {found[len(found) // 2]:.3f} s, 99 % {found[int(len(found) * 0.99)]:.3f} s, most {found[-1]:.3f} s"


def main(arguments: list[str]) -> int:
    """Run the load; the status is 1 if the server does not stand it."""
    edits = int(arguments[0]) if arguments else 1_000
    hostile = int(arguments[1]) if len(arguments) > 1 else 20
    server, ordinary = Server(), "file:///nowhere/train.py"
    server.open(ordinary, FAULTY)
    server.awaited(ordinary)
    for number in range(100):  # what the server keeps by design is there after that
        server.edit(ordinary, f"{FAULTY}# {number}\n")
        if number % 10 == 0:
            server.awaited(ordinary)
    time.sleep(1)
    before = server.memory()
    times = []
    for number in range(1, edits + 1):
        server.edit(ordinary, f"{FAULTY}# {number}\nx = {number}\n")
        if number % PER_ANSWER == 0:
            times.append(server.awaited(ordinary))
    print(f"{edits} edits, {len(times)} answers: {spread(times)}", flush=True)
    print(f"memory {before:.0f} MB before, {server.memory():.0f} MB after the edits", flush=True)
    times, most = [], 0.0
    for number in range(hostile):
        files = PATTERNS[number % len(PATTERNS)](2_000 + number)
        uri = f"file:///nowhere/hostile{number}.py"
        server.open(uri, files[next(iter(files))])
        time.sleep(0.3)
        server.edit(ordinary, f"{FAULTY}# again {number}\n")
        times.append(server.awaited(ordinary))
        most = max(most, server.memory())
        server.close(uri)
        time.sleep(1)  # a person opens no documents faster
    time.sleep(3)
    after = server.memory()
    print(
        f"{hostile} hostile documents; other answers: {spread(times)}; {sum(t > 1 for t in times)} took over a second"
    )
    print(f"memory {before:.0f} MB before, {most:.0f} MB at most, {after:.0f} MB after ({after / before - 1:+.0%})")
    alive = server.process.poll() is None
    assert server.process.stdin is not None
    server.send("shutdown", None, id=2)
    server.send("exit", None)
    return 0 if alive and server.process.wait(30) == 0 else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
