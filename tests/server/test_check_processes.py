"""Checks run in processes: a slow one stops no other, an outdated one ends, and memory comes back."""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from cvlint.server import check_processes as module
from cvlint.server.check_processes import LARGE, CheckProcesses, OverdueError
from cvlint.server.check_worker import FaultError
from cvlint.server.session import Session
from cvlint.usage_error import UsageError
from tests.conftest import FAULTY
from tests.server.conftest import URI, Client, Editor

SLOW = "from sklearn.metrics import f1_score\n" + "x = f1_score(y, p)\n" * 15_000
"""Its check takes tens of seconds, within the budget of an analysis."""


def sleep() -> None:
    time.sleep(60)


def die() -> None:
    os._exit(3)


def refuse() -> None:
    raise UsageError("This is wrong", "did you mean that?")


def fail() -> None:
    raise ZeroDivisionError("by zero")


def test_what_a_piece_of_work_comes_to(monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        processes = CheckProcesses()
        first = await processes.run(os.getpid)
        assert await processes.run(os.getpid) == first
        with pytest.raises(UsageError, match="This is wrong; did you mean that"):
            await processes.run(refuse)
        with pytest.raises(FaultError, match="ZeroDivisionError: by zero"):
            await processes.run(fail)
        with pytest.raises(OverdueError, match="was ended"):
            await processes.run(die)
        after = await processes.run(os.getpid, LARGE)
        assert await processes.run(os.getpid) != after, "the memory of a large document goes back with its process"
        monkeypatch.setattr(module, "DEADLINE", 0.1)
        with pytest.raises(OverdueError, match="took more than"):
            await processes.run(sleep)
        monkeypatch.undo()
        cancelled = asyncio.ensure_future(processes.run(sleep))
        while not processes.busy:
            await asyncio.sleep(0.01)
        (worker,) = processes.busy
        cancelled.cancel()
        await asyncio.gather(cancelled, return_exceptions=True)
        while worker.process.is_alive() or processes.busy:
            await asyncio.sleep(0.01)
        processes.stop()

    asyncio.run(run())


def test_processes_that_are_too_many_or_too_large_end_when_there_is_nothing_to_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def run() -> None:
        processes = CheckProcesses()
        monkeypatch.setattr(module, "REST_AFTER", 0.05)
        pids = await asyncio.gather(*(processes.run(os.getpid) for _ in range(4)))
        while len(processes.idle) + processes.starting > 2:
            await asyncio.sleep(0.05)
        assert await processes.run(os.getpid) in pids
        while len(processes.idle) != 2:
            await asyncio.sleep(0.05)
        monkeypatch.setattr(module, "MEMORY_AT_REST", 0)
        large = await processes.run(os.getpid)
        while large in {one.process.pid for one in processes.idle} or len(processes.idle) < 2:
            await asyncio.sleep(0.05)
        processes.stop()

    asyncio.run(run())


def test_slow_work_makes_room_for_the_rest() -> None:
    """Also for what comes later; each of these would keep its place for a minute else."""

    async def run() -> None:
        processes = CheckProcesses()
        assert await processes.run(os.getpid, document="quick")
        slow = [asyncio.ensure_future(processes.run(sleep, document=str(n), patience=0.1)) for n in range(6)]
        await asyncio.wait_for(processes.run(os.getpid, document="quick"), 30)
        await asyncio.wait_for(processes.run(os.getpid, document="new"), 30)
        while sum(lane.turns.taken for lane in processes.slow) < 1:
            assert not any(one.done() for one in slow)
            await asyncio.sleep(0.01)
        assert not any(one.done() for one in slow)
        assert processes.quick == {"quick", "new"}
        processes.forget("new")
        assert processes.quick == {"quick"}
        for one in slow:
            one.cancel()
        await asyncio.gather(*slow, return_exceptions=True)
        assert processes.first.taken == 0 and not any(lane.turns.taken for lane in processes.slow)
        processes.stop()

    asyncio.run(run())


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="asks /proc for the time of a processor")
def test_a_check_that_gets_no_processor_keeps_its_place() -> None:
    """A busy machine makes no document a slow one; here its process is halted."""

    async def run() -> None:
        processes = CheckProcesses()
        a_little = partial(exec, "import time\nwhile time.process_time() < 0.05: pass\ntime.sleep(0.1)")
        check = asyncio.ensure_future(processes.run(a_little, document="train.py", patience=1.0))
        while not processes.busy:
            await asyncio.sleep(0.005)
        (worker,) = processes.busy
        assert worker.process.pid is not None
        os.kill(worker.process.pid, signal.SIGSTOP)
        await asyncio.sleep(1.5)
        assert processes.first.taken == 1
        os.kill(worker.process.pid, signal.SIGCONT)
        await asyncio.wait_for(check, 30)
        assert processes.quick == {"train.py"}, "it was none of the slow ones"
        processes.stop()

    asyncio.run(run())


PROCESSES = """\
import asyncio, os, sys
from functools import partial
from cvlint.server import check_processes
from cvlint.server.check_processes import LARGE, READY, CheckProcesses
async def run():
    processes = CheckProcesses()
{}
    processes.stop()
if __name__ == "__main__":
    asyncio.run(run())
"""


@pytest.mark.skipif("forkserver" not in multiprocessing.get_all_start_methods(), reason="processes are not forked")
def test_a_new_process_has_loaded_everything(environment: dict[str, str]) -> None:
    """It takes long to load, and a document that opens beside slow ones may wait for it."""
    script = PROCESSES.format("""\
    loaded = partial(eval, "[sorted(__import__('sys').modules), __import__('os').getppid()]")
    before, parent = await processes.run(loaded)
    after, _ = await processes.run(loaded, LARGE)
    assert READY in before and before == after and parent != os.getpid() and processes.method == "forkserver"
""")
    subprocess.run([sys.executable, "-c", script], env=environment, check=True)


def test_a_process_that_finds_another_cvlint_is_none(environment: dict[str, str], tmp_path: Path) -> None:
    """As where the path of this process was changed after its start.

    Newer releases of Python give the process from which others are forked the path of this one, so it finds no other.
    """
    (tmp_path / "cvlint").mkdir()
    for name in ("__init__.py", "other.py"):
        (tmp_path / "cvlint" / name).write_text("print('another')")
    script = PROCESSES.format("""\
    os.environ["PYTHONPATH"] = sys.argv[1]
    check_processes.READY = "cvlint.other"
    assert await processes.run(partial(eval, "__import__('cvlint').__file__")) == __import__("cvlint").__file__
    assert processes.method == "spawn" or sys.version_info >= (3, 13)
""")
    subprocess.run([sys.executable, "-c", script, str(tmp_path)], env=environment, check=True)


def test_what_a_process_prints_gets_not_between_the_messages(environment: dict[str, str]) -> None:
    script = PROCESSES.format("    assert await processes.run(partial(os.write, 1, b'told')) == 4")
    said = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True)
    assert (said.stdout, said.stderr) == ("", "told")


def test_a_check_process_loads_nothing_of_the_protocol(monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes longer to load than the rest, and a document that opens beside a slow one waits for it."""

    async def run() -> None:
        session = Session(Client(), CheckProcesses())  # type: ignore[arg-type]
        assert (await session.outcome(URI)) is not None
        assert session.processes is not None
        protocol = "{'pygls', 'lsprotocol', 'attrs', 'cattrs'}"
        loaded = partial(eval, f"{protocol} & set(__import__('sys').modules)")  # our own function would load this file
        assert await session.processes.run(loaded) == set()
        session.stop()

    asyncio.run(run())


@pytest.mark.asyncio(loop_scope="package")
async def test_a_slow_document_keeps_no_other_waiting_and_ends_when_it_is_closed(editor: Editor) -> None:
    await editor.codes(editor.open("warm.py", FAULTY), "CVL101")
    slow = editor.open("slow.py", SLOW)
    await asyncio.sleep(1)
    began = time.monotonic()
    await editor.codes(editor.open("train.py", FAULTY), "CVL101")
    assert time.monotonic() - began < module.DEADLINE, "it waits for no other check"
    editor.write(slow, FAULTY)
    await editor.codes(slow, "CVL101")
    editor.close(slow)


def answers(environment: dict[str, str], *messages: bytes) -> list[dict[str, Any]]:
    """What the server answers to messages, without its notifications."""
    said = b"".join(b"Content-Length: %d\r\n\r\n%s" % (len(one), one) for one in messages)
    command = [sys.executable, "-m", "cvlint", "server"]
    result = subprocess.run(command, input=said, env=environment, capture_output=True, timeout=60, check=False)
    assert result.stderr == b""
    bodies = [json.loads(part.partition("Content-Length")[0]) for part in result.stdout.decode().split("\r\n\r\n")[1:]]
    return [body for body in bodies if "id" in body and "method" not in body]


def test_every_request_gets_an_answer(environment: dict[str, str]) -> None:
    hello = b'{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}, "processId": null}}'
    wrong = b'{"jsonrpc": "2.0", "id": 2, "method": "textDocument/hover", "params": {"position": "here"}}'
    none = b'{"jsonrpc": "2.0", "id": 3, "method": "textDocument/hover"}'
    unknown = b'{"jsonrpc": "2.0", "id": 4, "method": "textDocument/unknown", "params": []}'
    old = b'{"jsonrpc": "1.0", "id": 5, "method": "shutdown"}'
    plain = b'{"id": 6, "method": "shutdown"}'
    stop = b'{"jsonrpc": "2.0", "id": 7, "method": "shutdown"}'
    late = b'{"jsonrpc": "2.0", "id": 8, "method": "textDocument/hover", "params": {}}'
    found = {one["id"]: one for one in answers(environment, hello, wrong, none, unknown, old, plain, stop, late)}
    assert set(found) == set(range(1, 9))
    assert [number for number, one in found.items() if "error" not in one] == [1, 7]


def test_what_is_no_message_is_answered_without_a_number(environment: dict[str, str]) -> None:
    """Nobody knows whether it was a request."""
    hello = b'{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}, "processId": null}}'
    no_json = (
        b"{",
        b"\xff",
        b"[" * 100_000,
        b'{"jsonrpc": "2.0", "id": 2, "method": "x", "params": ' + b"9" * 9_999 + b"}",
    )
    no_message = (b"{}", b"[]", b"null", b'"shutdown"')
    no_number = (b'{"jsonrpc": "2.0", "id": [2], "method": "textDocument/hover", "params": {}}',)
    stop = b'{"jsonrpc": "2.0", "id": 3, "method": "shutdown"}'
    said = answers(environment, hello, *no_json, *no_message, *no_number, stop)
    assert [one["id"] for one in said] == [1, *[None] * 9, 3]
    codes = [one["error"]["code"] for one in said if "error" in one]
    assert codes == [-32700] * 4 + [-32600] * 4 + [-32602]


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="asks /proc which processes live")
def test_no_process_stays_when_the_editor_goes_during_a_check(environment: dict[str, str]) -> None:
    def message(method: str, params: object, **more: object) -> bytes:
        text = json.dumps({"jsonrpc": "2.0", "method": method, "params": params, **more}).encode()
        return b"Content-Length: %d\r\n\r\n%s" % (len(text), text)

    item = {"uri": "file:///nowhere/slow.py", "languageId": "python", "version": 1, "text": SLOW}
    said = message("initialize", {"capabilities": {}, "processId": None}, id=1) + message("initialized", {})
    server = subprocess.Popen(
        [sys.executable, "-m", "cvlint", "server"], env=environment, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL
    )
    assert server.stdin is not None
    server.stdin.write(said + message("textDocument/didOpen", {"textDocument": item}))
    server.stdin.flush()
    time.sleep(1.5)
    server.stdin.close()
    began = time.monotonic()
    assert server.wait(30) == 1
    assert time.monotonic() - began < 5


def test_a_process_imports_nothing_from_the_folder_where_the_server_starts(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    """There lies the code of a stranger. Python itself would look there for what a new process needs."""
    for name in ("multiprocessing", "numpy", "json", "threading", "click", "pathspec", "signal"):
        (tmp_path / f"{name}.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')")
    script = f"""\
import sys
sys.path[:] = [entry for entry in sys.path if entry]
import asyncio, os
from cvlint.server import check_processes
async def run():
    processes = check_processes.CheckProcesses()
    assert os.path.samefile(await processes.run(os.getcwd), {str(tmp_path)!r})
    processes.stop()
if __name__ == "__main__":
    asyncio.run(run())
"""
    result = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert (result.returncode, result.stderr) == (0, "")
    assert not (tmp_path / "ran").exists()
