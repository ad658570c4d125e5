"""The checks of one editor: when they run, what they find, and which diagnostics the editor has."""

from __future__ import annotations

import asyncio
import threading
import traceback
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from typing import TypeVar

from lsprotocol import types
from pygls.capabilities import get_capability
from pygls.lsp.server import LanguageServer

from cvlint.findings.finding import Finding
from cvlint.server.check_processes import PATIENCE, PATIENCE_WITH_REQUESTS, CheckProcesses, OverdueError
from cvlint.server.check_worker import FaultError
from cvlint.server.checking import Outcome, check_document, forget_rules
from cvlint.server.diagnostics import diagnostic
from cvlint.server.texts.documents import Document, forget_texts, importable, may_import
from cvlint.server.texts.open_texts import documents_of
from cvlint.server.texts.positions import PositionMapper
from cvlint.source.unread_file import UnreadFile
from cvlint.usage_error import UsageError
from cvlint.workspace.steps.analyse import merged

WAIT = 0.3
"""A changed text is checked after so many seconds without another change."""

STACK = 64 * 2**20
"""Bytes for the thread that checks: an analysis recurses deeply, and some systems give threads little."""

Result = TypeVar("Result")


class Session:
    """The state of a server: the outcomes of its checks, and the checks that are due.

    Everything runs in the thread of the event loop, except checks and what else is slow: `processes` do it. Without
    them, one more thread does: an analysis caches the files that it has read, and two at a time would disturb each
    other.
    """

    def __init__(self, server: LanguageServer, processes: CheckProcesses | None = None) -> None:
        self.server = server
        self.outcomes: dict[str, Outcome] = {}
        self.outdated: set[str] = set()
        self.published: dict[str, set[str]] = {}
        self.timers: dict[str, asyncio.TimerHandle] = {}
        self.tasks: set[asyncio.Task[Outcome | None]] = set()
        self.shown_errors: set[str] = set()
        self.stopped = False
        self.processes = processes
        self.checking: dict[str, asyncio.Lock] = {}
        self.running: dict[str, asyncio.Task[Outcome]] = {}
        self.thread = _checking_thread() if processes is None else None

    def documents(self) -> dict[str, Document]:
        """All open documents with their current text, by URI."""
        return documents_of(self.server.workspace)

    def document_of(self, uri: str) -> Document | None:
        """The document with a URI, or with a cell that has the URI."""
        notebook = self.server.workspace.get_notebook_document(cell_uri=uri)
        return self.documents().get(uri if notebook is None else notebook.uri)

    def positions(self) -> PositionMapper:
        """The mapper of locations to positions in the current texts."""
        opened = {document.name: document for document in self.documents().values()}
        return PositionMapper(opened, self.server.workspace.position_codec)

    def schedule_check(self, uri: str, wait: float = 0.0) -> None:
        """Check a document after a pause, unless another change comes first."""
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
            self._log_fault("The findings could not be shown", error)

    def opened(self, uri: str) -> None:
        """Check a document that the user opened; its text may differ from the file."""
        self.schedule_check(uri)
        self._schedule_importers(self.document_of(uri))

    def text_changed(self, uri: str) -> None:
        """Check a changed document, and the documents that may import it."""
        document = self.document_of(uri)
        if document is not None:
            self._cancel(document.uri)
            self.schedule_check(document.uri, WAIT)
            self._schedule_importers(document)

    def _cancel(self, uri: str) -> None:
        """End the check of a text that is outdated."""
        if self.processes is not None and (check := self.running.pop(uri, None)) is not None:
            check.cancel()

    def _schedule_importers(self, document: Document | None) -> None:
        """Check the documents that may import a module, or that have findings whose trace leads through it.

        A document that imports it through a module that is not open is checked when the user saves.
        """
        if document is None:
            return
        for uri, other in self.documents().items():
            outcome = self.outcomes.get(uri)
            leads_through = outcome is not None and document.name in outcome.paths
            if uri != document.uri and (leads_through or may_import(other, document)):
                self.outdated.add(uri)
                self.schedule_check(uri, WAIT)

    def files_changed(self, changed: Iterable[str], wait: float = 0.0) -> None:
        """Check all documents again: they may import a changed file, or it may be their config."""
        first = set(changed)
        if any(uri.endswith(".toml") for uri in first):
            forget_rules()
            if self.processes is not None:
                self.processes.rules += 1
            self.shown_errors.clear()
        for uri in sorted(self.documents(), key=lambda uri: uri not in first):
            self.outdated.add(uri)
            self.schedule_check(uri, wait)

    def closed(self, uri: str) -> None:
        """Remove the findings of a document that the user closed."""
        if (timer := self.timers.pop(uri, None)) is not None:
            timer.cancel()
        self._cancel(uri)
        self.checking.pop(uri, None)
        self.outdated.discard(uri)
        if self.processes is not None:
            self.processes.forget(uri)
        forget_texts()
        if (outcome := self.outcomes.pop(uri, None)) is not None:
            self._publish({outcome.document.name, *_files(outcome.findings)})
            self._schedule_importers(outcome.document)  # now they import the file

    def stop(self) -> None:
        """Start no further checks."""
        self.stopped = True
        for timer in self.timers.values():
            timer.cancel()
        if self.thread is not None:
            self.thread.shutdown(wait=False, cancel_futures=True)
        self.end_processes()

    def prepare(self) -> None:
        """Start a process for the first check."""
        if self.processes is not None:
            self.processes.start()

    def end_processes(self) -> None:
        """End the processes of the checks, also if the editor has gone without a word."""
        if self.processes is not None:
            self.processes.stop()

    async def outcome(self, uri: str) -> Outcome | None:
        """The outcome of the current text of a document; the document is checked if it has not been.

        None if no such document is open, or if its text changes during the check: the next check is scheduled already.
        """
        if self._current(uri) is None:
            async with self.checking.setdefault(uri if self.processes else "", asyncio.Lock()):
                if self._current(uri) is None:  # no other task has checked it meanwhile
                    await self._check_again(uri)
        return self._current(uri)

    async def _check_again(self, uri: str) -> None:
        """Check a document and publish the findings, unless its text has changed meanwhile."""
        opened = self.documents()
        document = opened.get(uri)
        if document is None:
            return
        self.outdated.discard(uri)
        check = self.running[uri] = asyncio.ensure_future(self._checked(document, opened.values()))
        try:
            outcome = await check
        except asyncio.CancelledError:
            if self.running.get(uri) is not check:  # the text is outdated, and the next check is due
                return
            self.outdated.add(uri)  # the editor has cancelled its request
            raise
        finally:
            if self.running.get(uri) is check:
                del self.running[uri]
        if self.documents().get(uri) != document:
            return
        previous = self.outcomes.get(uri)
        self._log_problems(outcome, previous)
        self.outcomes[uri] = outcome
        before = () if previous is None else previous.findings
        self._publish({document.name, *_files(before), *_files(outcome.findings)})

    def _current(self, uri: str) -> Outcome | None:
        """The outcome of a document, if it is about the current text."""
        outcome = self.outcomes.get(uri)
        is_current = outcome is not None and uri not in self.outdated and outcome.document == self.documents().get(uri)
        return outcome if is_current else None

    async def _checked(self, document: Document, opened: Iterable[Document]) -> Outcome:
        others = tuple(one for one in opened if one.uri != document.uri)
        if self.processes is not None:
            self.processes.texts += 1
        try:
            outcome = await self._run(
                partial(check_document, document, importable(document, others)), document, PATIENCE
            )
            beside = tuple(sorted(one.path for one in others if not one.is_notebook))
            return replace(outcome, document=document, beside=beside)
        except UsageError as error:
            self._show_error(error)
        except OverdueError as error:
            return Outcome(document, problems=(UnreadFile(document.name, f"cannot be checked: {error}"),))
        except Exception as error:  # a fault of cvlint in one document must not stop the checks of others
            self._log_fault(f"{document.name} could not be checked", error)
        return Outcome(document)

    async def run_or_log(self, work: Callable[[], Result], document: Document, default: Result, problem: str) -> Result:
        """Run something slow for the user beside the event loop; log an error of cvlint, and return the default."""
        try:
            return await self._run(work, document, PATIENCE_WITH_REQUESTS)
        except Exception as error:
            self._log_fault(problem, error)
            return default

    async def _run(self, work: Callable[[], Result], document: Document, patience: float) -> Result:
        """Run something slow, which reads a document, beside the event loop."""
        if self.processes is not None:
            return await self.processes.run(work, len(document.data), document.uri, patience)
        return await asyncio.get_running_loop().run_in_executor(self.thread, work)

    def _show_error(self, error: UsageError) -> None:
        """Show an error in a config, once."""
        if error.sentence not in self.shown_errors:
            self.shown_errors.add(error.sentence)
            message = f"cvlint: {error.sentence}"
            self.server.window_show_message(types.ShowMessageParams(types.MessageType.Error, message))

    def log(self, message: str, kind: types.MessageType = types.MessageType.Info) -> None:
        """Write to the log that the editor keeps of the server."""
        self.server.window_log_message(types.LogMessageParams(kind, message))

    def _log_fault(self, problem: str, error: BaseException) -> None:
        is_told = isinstance(error, FaultError)  # by its process, with the traceback from there
        lines = str(error) if is_told else "".join(traceback.format_exception(error))
        self.log(f"{problem}: a fault of cvlint itself, please report it.\n{lines}", types.MessageType.Error)

    def _log_problems(self, outcome: Outcome, before: Outcome | None) -> None:
        """Log why a document, or a part of it, could not be checked, unless the last check logged the same."""
        logged = () if before is None else before.problems
        for problem in outcome.problems:
            if problem not in logged:
                line = "" if problem.line is None else f", line {problem.line}"
                self.log(f"{problem.path}{line}: {problem.message}.")

    def findings_in(self, path: str) -> list[Finding]:
        """The findings in a file, from the checks of all open documents."""
        every = (finding for outcome in self.outcomes.values() for finding in outcome.findings)
        return merged(finding for finding in every if finding.location.path == path)

    def diagnostic(self, finding: Finding, positions: PositionMapper) -> types.Diagnostic:
        """The diagnostic of a finding, as this editor can show it."""
        capability = "text_document.publish_diagnostics.related_information"
        return diagnostic(finding, positions, bool(get_capability(self.server.client_capabilities, capability)))

    def _publish(self, paths: Iterable[str]) -> None:
        """Send the diagnostics of some files to the editor; they replace the earlier ones."""
        positions = self.positions()
        for path in paths:
            document = positions.opened.get(path)
            versions = {unit.uri: unit.version for unit in document.units} if document is not None else {}
            found: dict[str, list[types.Diagnostic]] = {uri: [] for uri in versions}
            for finding in self.findings_in(path):
                found.setdefault(positions.to_location(finding.location).uri, []).append(
                    self.diagnostic(finding, positions)
                )
            before = self.published.pop(path, set())
            self.published[path] = {uri for uri, diagnostics in found.items() if diagnostics}
            for uri in found.keys() | before:
                self.server.text_document_publish_diagnostics(
                    types.PublishDiagnosticsParams(uri, found.get(uri, []), versions.get(uri))
                )


def _checking_thread() -> ThreadPoolExecutor:
    """The thread that checks; it starts now, while the size of its stack is set."""
    before = threading.stack_size(STACK)
    try:
        worker = ThreadPoolExecutor(1, "cvlint")
        worker.submit(int)
        return worker
    finally:
        threading.stack_size(before)


def _files(findings: Iterable[Finding]) -> set[str]:
    return {finding.location.path for finding in findings}
