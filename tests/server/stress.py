"""Put the server under load, and print figures: ``python -m tests.server.stress [edits] [hostile documents]``.

An ordinary document is edited all the time, and its diagnostics are awaited after every 25 edits; then again while
hostile documents are open, first one of them and then all at once. Printed are how long the answers took, and the
memory of all processes of the server before and after. The status is 1 if the server ends, if a message of it is no
message of the protocol, or if an answer is not there within 30 seconds.
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
        self.broken: list[bytes] = []
        threading.Thread(target=self._listen, daemon=True).start()
        self.send("initialize", {"capabilities": {}, "processId": None}, id=1)
        self.send("initialized", {})

    def _listen(self) -> None:
        stream = self.process.stdout
        assert stream is not None
        while line := stream.readline():
            header, body = [line], b""
            while header[-1].strip():
                header.append(stream.readline())
            try:
                length = int(line.removeprefix(b"Content-Length: "))
                body = stream.read(length)
                said = json.loads(body)
            except ValueError:
                self.broken.append(b"".join(header) + body)
                print(f"broken message: {self.broken[-1]!r}", flush=True)
                continue
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
    """The middle, the 99th percentile and the greatest of some times, and how many are over a second."""
    found = sorted(seconds)
    most = f"most {found[-1]:.3f} s, {sum(one > 1 for one in found)} of {len(found)} over a second"
    return f"median {found[len(found) // 2]:.3f} s, 99 % {found[int(len(found) * 0.99)]:.3f} s, {most}"


def hostile_documents(count: int) -> dict[str, str]:
    """Texts of documents by their URIs."""
    programs = (PATTERNS[number % len(PATTERNS)](2_000 + number) for number in range(count))
    return {f"file:///nowhere/hostile{number}.py": next(iter(files.values())) for number, files in enumerate(programs)}


def one_by_one(server: Server, ordinary: str, hostile: int, before: float) -> None:
    """Open and close hostile documents, and edit the ordinary one while each is open."""
    times, most = [], 0.0
    for uri, text in hostile_documents(hostile).items():
        server.open(uri, text)
        time.sleep(0.3)
        server.edit(ordinary, f"{FAULTY}# beside {uri}\n")
        times.append(server.awaited(ordinary))
        most = max(most, server.memory())
        server.close(uri)
        time.sleep(1)  # a person opens no documents faster
    print(f"{hostile} hostile documents one by one; other answers: {spread(times)}")
    settled(server, before, most)


def at_once(server: Server, ordinary: str, hostile: int, before: float) -> None:
    """Open hostile documents at once, edit the ordinary one and open another one again and again, and close all."""
    times, opened, most = [], [], 0.0
    uris = hostile_documents(hostile)
    for uri, text in uris.items():
        server.open(uri, text)
    for number in range(hostile):
        server.edit(ordinary, f"{FAULTY}# again {number}\n")
        times.append(server.awaited(ordinary))
        new = f"file:///nowhere/new{number}.py"
        server.open(new, f"{FAULTY}# {number}\n")
        opened.append(server.awaited(new))
        server.close(new)
        most = max(most, server.memory())
    for uri in uris:
        server.close(uri)
    print(f"{hostile} hostile documents at once; other answers: {spread(times)}; first answers: {spread(opened)}")
    settled(server, before, most)


def settled(server: Server, before: float, most: float) -> None:
    """Print the memory some seconds after the hostile documents were closed."""
    time.sleep(10)
    after = server.memory()
    print(
        f"memory {before:.0f} MB before, {most:.0f} MB at most, {after:.0f} MB after ({after / before - 1:+.0%})",
        flush=True,
    )


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
    one_by_one(server, ordinary, hostile, before)
    at_once(server, ordinary, hostile, before)
    alive = server.process.poll() is None
    assert server.process.stdin is not None
    server.send("shutdown", None, id=2)
    server.send("exit", None)
    return 0 if alive and server.process.wait(30) == 0 and not server.broken else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
