"""The checks of one connection: when they run, what they found, and what of it the editor was told."""

from __future__ import annotations

import asyncio
import threading
import traceback
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TypeVar

from lsprotocol import types
from pygls.capabilities import get_capability
from pygls.lsp.server import LanguageServer

from cvlint.findings.finding import Finding
from cvlint.server.changes import changed
from cvlint.server.checking import Outcome, check_document, forget_rules
from cvlint.server.diagnostics import diagnostic
from cvlint.server.documents import Document, documents_of, may_import
from cvlint.server.places import Places
from cvlint.usage_error import Refusal
from cvlint.workspace.steps.analyse import merged

WAIT = 0.3
"""Seconds without a change after which a text is checked."""

STACK = 64 * 2**20
"""Bytes for the thread that checks: an analysis recurses deeply, and threads get little on some systems."""

Made = TypeVar("Made")


class Session:
    """What a server knows of its editor's documents.

    All runs in the thread of the event loop but the checks, for which there is one thread: an analysis keeps what it
    has read, and two at a time would disturb each other.
    """

    def __init__(self, server: LanguageServer) -> None:
        self.server = server
        self.outcomes: dict[str, Outcome] = {}
        self.outdated: set[str] = set()
        self.published: dict[str, set[str]] = {}
        self.timers: dict[str, asyncio.TimerHandle] = {}
        self.tasks: set[asyncio.Task[Outcome | None]] = set()
        self.complaints: set[str] = set()
        self.stopped = False
        self.checking = asyncio.Lock()
        self.worker = _worker()

    def documents(self) -> dict[str, Document]:
        """All that is open, by URI, as it is now."""
        return documents_of(self.server.workspace)

    def owner(self, uri: str) -> Document | None:
        """The document that a URI belongs to: its own, or that of one of its cells."""
        notebook = self.server.workspace.get_notebook_document(cell_uri=uri)
        return self.documents().get(uri if notebook is None else notebook.uri)

    def places(self) -> Places:
        """Where findings are, in what is open now."""
        opened = {document.name: document for document in self.documents().values()}
        return Places(opened, self.server.workspace.position_codec)

    def check_soon(self, uri: str, wait: float = 0.0) -> None:
        """Check a document when no change comes for a while."""
        if (timer := self.timers.pop(uri, None)) is not None:
            timer.cancel()
        self.timers[uri] = asyncio.get_running_loop().call_later(wait, self._start, uri)

    def _start(self, uri: str) -> None:
        self.timers.pop(uri, None)
        task = asyncio.get_running_loop().create_task(self.outcome(uri))
        self.tasks.add(task)
        task.add_done_callback(self._finished)

    def _finished(self, task: asyncio.Task[Outcome | None]) -> None:
        self.tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            self._log_fault("What was found could not be shown", error)

    def opened(self, uri: str) -> None:
        """Check a document that was opened, whose text need not be what is in the file."""
        self.check_soon(uri)
        self._check_users(self.owner(uri))

    def text_changed(self, uri: str) -> None:
        """Check a document again, and those that it may matter to."""
        document = self.owner(uri)
        if document is not None:
            self.check_soon(document.uri, WAIT)
            self._check_users(document)

    def _check_users(self, document: Document | None) -> None:
        """Check others that name a module, as who imports it does, or whose findings lead through it.

        One that imports it by way of a module that is not open is checked when it is saved.
        """
        if document is None:
            return
        for uri, other in self.documents().items():
            known = self.outcomes.get(uri)
            through = known is not None and known.speaks_of(document.name)
            if uri != document.uri and (through or may_import(other, document)):
                self.outdated.add(uri)
                self.check_soon(uri, WAIT)

    def files_changed(self, changed: Iterable[str], wait: float = 0.0) -> None:
        """Check all documents again, for they may import what has changed, or it may be their config."""
        first = set(changed)
        if any(uri.endswith(".toml") for uri in first):
            forget_rules()
            self.complaints.clear()
        for uri in sorted(self.documents(), key=lambda uri: uri not in first):
            self.outdated.add(uri)
            self.check_soon(uri, wait)

    def closed(self, uri: str) -> None:
        """Take back what was found in a document that is open no more."""
        if (timer := self.timers.pop(uri, None)) is not None:
            timer.cancel()
        if (outcome := self.outcomes.pop(uri, None)) is not None:
            self._publish({outcome.document.name, *_files(outcome.findings)})
            self._check_users(outcome.document)  # for them its file counts now

    def stop(self) -> None:
        """Begin no check any more."""
        self.stopped = True
        for timer in self.timers.values():
            timer.cancel()
        self.worker.shutdown(wait=False, cancel_futures=True)

    async def outcome(self, uri: str) -> Outcome | None:
        """What is found in the present text of a document, which is checked if it has not been.

        None where no such document is open, or where its text changes meanwhile: the next check follows by itself.
        """
        if self._present(uri) is None:
            async with self.checking:
                if self._present(uri) is None:  # nobody checked it while we waited
                    await self._renew(uri)
        return self._present(uri)

    async def _renew(self, uri: str) -> None:
        """Check a document, and tell the editor, unless what was found is about an older text by then."""
        opened = self.documents()
        document = opened.get(uri)
        if document is None:
            return
        self.outdated.discard(uri)
        try:
            outcome = await self._checked(document, opened.values())
        except asyncio.CancelledError:  # by the editor, which does not want what it asked for any more
            self.outdated.add(uri)
            raise
        if self.documents().get(uri) != document:
            return
        known = self.outcomes.get(uri)
        self._log_problems(outcome, known)
        self.outcomes[uri] = outcome
        before = () if known is None else known.findings
        self._publish({document.name, *_files(before), *_files(outcome.findings)})

    def _present(self, uri: str) -> Outcome | None:
        """The outcome of a document, if it is that of its present text."""
        known = self.outcomes.get(uri)
        is_present = known is not None and uri not in self.outdated and known.document == self.documents().get(uri)
        return known if is_present else None

    async def _checked(self, document: Document, opened: Iterable[Document]) -> Outcome:
        try:
            return await self.in_thread(partial(_check, document, tuple(opened)))
        except Refusal as error:
            self._complain(error)
        except Exception as error:  # a fault of ours in one document must not cost the others
            self._log_fault(f"{document.name} could not be checked", error)
        return Outcome(document)

    async def attempted(self, work: Callable[[], Made], otherwise: Made, problem: str) -> Made:
        """Do what takes long; a fault of ours is logged."""
        try:
            return await self.in_thread(work)
        except Exception as error:
            self._log_fault(problem, error)
            return otherwise

    async def in_thread(self, work: Callable[[], Made]) -> Made:
        """Do what takes long, after what was asked for before."""
        return await asyncio.get_running_loop().run_in_executor(self.worker, work)

    def _complain(self, refusal: Refusal) -> None:
        """Show what is wrong with a config, once."""
        if refusal.sentence not in self.complaints:
            self.complaints.add(refusal.sentence)
            message = f"cvlint: {refusal.sentence}"
            self.server.window_show_message(types.ShowMessageParams(types.MessageType.Error, message))

    def log(self, message: str, kind: types.MessageType = types.MessageType.Info) -> None:
        """Write into the log that the editor keeps of us."""
        self.server.window_log_message(types.LogMessageParams(kind, message))

    def _log_fault(self, problem: str, error: BaseException) -> None:
        lines = "".join(traceback.format_exception(error))
        self.log(f"{problem}: a fault of cvlint itself, please report it.\n{lines}", types.MessageType.Error)

    def _log_problems(self, outcome: Outcome, before: Outcome | None) -> None:
        """Tell why a document could not be checked, or not all of it, unless that was told before."""
        told = () if before is None else before.problems
        for problem in outcome.problems:
            if problem not in told:
                line = "" if problem.line is None else f", line {problem.line}"
                self.log(f"{problem.path}{line}: {problem.message}.")

    def found_in(self, path: str) -> list[Finding]:
        """The findings in a file that checks of all open documents led to."""
        every = (finding for outcome in self.outcomes.values() for finding in outcome.findings)
        return merged(finding for finding in every if finding.location.path == path)

    def diagnostic(self, finding: Finding, places: Places) -> types.Diagnostic:
        """A finding as this editor can show it."""
        capability = "text_document.publish_diagnostics.related_information"
        return diagnostic(finding, places, bool(get_capability(self.server.client_capabilities, capability)))

    def _publish(self, paths: Iterable[str]) -> None:
        """Tell the editor what is found in some files; what it was told before is replaced, or taken back."""
        places = self.places()
        for path in paths:
            document = places.opened.get(path)
            versions = {part.uri: part.version for part in document.parts} if document is not None else {}
            found: dict[str, list[types.Diagnostic]] = {uri: [] for uri in versions}
            for finding in self.found_in(path):
                found.setdefault(places.place(finding.location).uri, []).append(self.diagnostic(finding, places))
            told = self.published.pop(path, set())
            self.published[path] = {uri for uri, diagnostics in found.items() if diagnostics}
            for uri in found.keys() | told:
                self.server.text_document_publish_diagnostics(
                    types.PublishDiagnosticsParams(uri, found.get(uri, []), versions.get(uri))
                )


def _worker() -> ThreadPoolExecutor:
    """The one thread that checks, which is started now, while the size of its stack is set."""
    before = threading.stack_size(STACK)
    try:
        worker = ThreadPoolExecutor(1, "cvlint")
        worker.submit(int)
        return worker
    finally:
        threading.stack_size(before)


def _check(document: Document, opened: tuple[Document, ...]) -> Outcome:
    changed.cache_clear()  # what was confirmed may rest on files that have changed
    return check_document(document, opened)


def _files(findings: Iterable[Finding]) -> set[str]:
    return {finding.location.path for finding in findings}
