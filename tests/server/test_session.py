"""Checks that fail, come too late or are cancelled, with a stand-in for the editor."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest
from lsprotocol import types

from cvlint.server import session as module
from cvlint.server.checking import Outcome
from cvlint.server.session import Session
from cvlint.server.texts.documents import Document
from tests.server.conftest import URI, Client


def outcome(client: Client, check: Any, monkeypatch: pytest.MonkeyPatch) -> Outcome | None:
    monkeypatch.setattr(module, "check_document", check)

    async def run() -> Outcome | None:
        return await Session(client).outcome(URI)  # type: ignore[arg-type]

    return asyncio.run(run())


def test_a_fault_of_ours_is_logged(monkeypatch: pytest.MonkeyPatch) -> None:
    def check(document: Document, opened: object) -> Outcome:
        raise ZeroDivisionError("by zero")

    client = Client()
    assert outcome(client, check, monkeypatch) is not None
    (logged,) = client.logged
    assert logged.type == types.MessageType.Error
    assert logged.message.startswith("/nowhere/train.py could not be checked: a fault of cvlint itself")
    assert logged.message.rstrip().endswith("ZeroDivisionError: by zero")
    assert [params.diagnostics for params in client.published] == [[]]


def test_findings_in_an_older_text_are_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    client = Client()

    def check(document: Document, opened: object) -> Outcome:
        client.write("x = 2\n")
        return Outcome(document)

    assert outcome(client, check, monkeypatch) is None
    assert client.published == []


def test_a_text_is_checked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    checked: list[Document] = []

    def check(document: Document, opened: object) -> Outcome:
        checked.append(document)
        return Outcome(document)

    monkeypatch.setattr(module, "check_document", check)

    async def run() -> None:
        session = Session(Client())  # type: ignore[arg-type]
        await asyncio.gather(*(session.outcome(URI) for _ in range(5)))
        assert len(checked) == 1
        session.files_changed([URI])
        await asyncio.sleep(0.05)
        assert len(checked) == 2

    asyncio.run(run())


def test_the_outcome_of_a_checked_text_comes_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    gate = threading.Event()

    def check(document: Document, opened: object) -> Outcome:
        assert document.uri == URI or gate.wait(10)
        return Outcome(document)

    monkeypatch.setattr(module, "check_document", check)

    async def run() -> None:
        client = Client()
        session = Session(client)  # type: ignore[arg-type]
        known = await session.outcome(URI)
        client.workspace.put_text_document(types.TextDocumentItem("file:///other.py", "python", 1, "x = 1\n"))
        slow = asyncio.ensure_future(session.outcome("file:///other.py"))
        await asyncio.sleep(0.01)
        assert await asyncio.wait_for(session.outcome(URI), 5) is known
        assert not slow.done()
        gate.set()
        assert await slow is not None

    asyncio.run(run())


def test_a_cancelled_check_runs_again(monkeypatch: pytest.MonkeyPatch) -> None:
    gate = threading.Event()

    def check(document: Document, opened: object) -> Outcome:
        assert gate.wait(10)
        return Outcome(document)

    monkeypatch.setattr(module, "check_document", check)

    async def run() -> None:
        session = Session(Client())  # type: ignore[arg-type]
        first = asyncio.ensure_future(session.outcome(URI))
        await asyncio.sleep(0.01)
        first.cancel()
        gate.set()
        await asyncio.gather(first, return_exceptions=True)
        assert first.cancelled()
        assert await session.outcome(URI) is not None

    asyncio.run(run())
