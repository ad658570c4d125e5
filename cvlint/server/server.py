"""The language server: a handler for each message of the editor."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.capabilities import get_capability
from pygls.exceptions import FeatureRequestError, JsonRpcException
from pygls.lsp.server import LanguageServer

from cvlint import __version__
from cvlint.findings.finding import Finding
from cvlint.rules.comment_rules import all_rules
from cvlint.server.actions import KINDS, offered_actions, parse_request, workspace_edit
from cvlint.server.check_processes import CheckProcesses
from cvlint.server.checking import Outcome
from cvlint.server.diagnostics import hover_text
from cvlint.server.protocol import AnsweringProtocol
from cvlint.server.session import WAIT, Session
from cvlint.server.texts.open_texts import path_of, use_protocol_lines
from cvlint.server.texts.positions import overlap

if TYPE_CHECKING:
    from pygls.server import ServerErrors  # is there for type checkers alone

NOTEBOOKS = types.NotebookDocumentSyncOptions(
    [types.NotebookDocumentFilterWithNotebook(types.NotebookDocumentFilterNotebookType("jupyter-notebook"))], save=True
)
"""All cells, not only those in Python, so that cells have the same numbers as in the file."""

WATCHED = ("**/*.toml", "**/*.py")
"""The configs, rules and knowledge of a project, and the modules that files may import."""


class Server(LanguageServer):
    """The server of one editor, with the capabilities of that editor."""

    protocol: AnsweringProtocol

    def __init__(self) -> None:
        super().__init__("cvlint", __version__, notebook_document_sync=NOTEBOOKS, protocol_cls=AnsweringProtocol)
        self.session = Session(self, CheckProcesses())
        # Log messages of pygls are for its developers; on standard error, editors would show them as faults.
        logging.getLogger("pygls").addHandler(logging.NullHandler())

    def report_server_error(self, error: Exception, source: ServerErrors) -> None:
        """Log that the server could not handle a message; the answer to a request says so itself."""
        if source is not FeatureRequestError:
            reason = f"{type(error).__name__}: {error}"
            if source is JsonRpcException and isinstance(error, ValueError | RecursionError):  # of the parser of JSON
                self.protocol.refuse_what_is_no_json()
            self.session.log(f"A message of the editor could not be handled ({reason}).", types.MessageType.Error)

    @property
    def can_resolve(self) -> bool:
        """Whether the editor requests the edits of an action only when the user chooses it."""
        support = self.client_capabilities.text_document and self.client_capabilities.text_document.code_action
        return bool(support and support.resolve_support and "edit" in support.resolve_support.properties)

    @property
    def markup(self) -> types.MarkupKind:
        """Markdown, or plain text for an editor that says it cannot show Markdown."""
        support = self.client_capabilities.text_document and self.client_capabilities.text_document.hover
        formats = support.content_format if support else None
        markdown = types.MarkupKind.Markdown
        return markdown if formats is None or markdown in formats else types.MarkupKind.PlainText

    def client_can(self, capability: str) -> bool:
        """Whether the editor has a capability."""
        return bool(get_capability(self.client_capabilities, capability))


def make_server() -> Server:
    """A server with all its handlers; `start_io` starts it."""
    server = Server()
    handlers: dict[str, Callable[..., Any]] = {
        types.INITIALIZED: watch,
        types.TEXT_DOCUMENT_DID_OPEN: opened,
        types.TEXT_DOCUMENT_DID_CHANGE: text_changed,
        types.TEXT_DOCUMENT_DID_SAVE: saved,
        types.TEXT_DOCUMENT_DID_CLOSE: closed,
        types.NOTEBOOK_DOCUMENT_DID_OPEN: notebook_opened,
        types.NOTEBOOK_DOCUMENT_DID_CHANGE: notebook_changed,
        types.NOTEBOOK_DOCUMENT_DID_SAVE: notebook_saved,
        types.NOTEBOOK_DOCUMENT_DID_CLOSE: notebook_closed,
        types.WORKSPACE_DID_CHANGE_WATCHED_FILES: files_changed,
        types.WORKSPACE_DID_CHANGE_CONFIGURATION: settings_changed,
        types.TEXT_DOCUMENT_HOVER: hover,
        types.CODE_ACTION_RESOLVE: resolve,
        types.SHUTDOWN: stop,
    }
    for method, handler in handlers.items():
        server.feature(method)(handler)
    server.feature(types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions(KINDS, resolve_provider=True))(code_actions)
    return server


def watch(server: Server, params: types.InitializedParams) -> None:
    """Register for changes of configs and modules, also of those that are not open, and start to be ready."""
    server.session.prepare()
    if not server.client_can("workspace.did_change_watched_files.dynamic_registration"):
        return
    watchers = [types.FileSystemWatcher(pattern) for pattern in WATCHED]
    options = types.DidChangeWatchedFilesRegistrationOptions(watchers)
    method = types.WORKSPACE_DID_CHANGE_WATCHED_FILES
    server.client_register_capability(types.RegistrationParams([types.Registration(method, method, options)]))


def opened(server: Server, params: types.DidOpenTextDocumentParams) -> None:
    """Check a text that the user opened."""
    uri = params.text_document.uri
    use_protocol_lines(server.workspace, [uri])
    server.session.opened(uri)


def text_changed(server: Server, params: types.DidChangeTextDocumentParams) -> None:
    """Check a changed text after a pause."""
    server.session.text_changed(params.text_document.uri)


def saved(server: Server, params: types.DidSaveTextDocumentParams) -> None:
    """Check all documents again: they may import the saved file, or it may be their config."""
    server.session.files_changed([params.text_document.uri])


def closed(server: Server, params: types.DidCloseTextDocumentParams) -> None:
    """Remove the findings of a document that the user closed."""
    server.session.closed(params.text_document.uri)


def notebook_opened(server: Server, params: types.DidOpenNotebookDocumentParams) -> None:
    """Check a notebook that the user opened."""
    use_protocol_lines(server.workspace, [cell.uri for cell in params.cell_text_documents])
    server.session.schedule_check(params.notebook_document.uri)


def notebook_changed(server: Server, params: types.DidChangeNotebookDocumentParams) -> None:
    """Check a notebook after a change of its cells."""
    structure = params.change.cells.structure if params.change.cells else None
    use_protocol_lines(server.workspace, [cell.uri for cell in (structure.did_open or [] if structure else [])])
    server.session.text_changed(params.notebook_document.uri)


def notebook_saved(server: Server, params: types.DidSaveNotebookDocumentParams) -> None:
    """Check a saved notebook; nothing imports it."""
    server.session.schedule_check(params.notebook_document.uri)


def notebook_closed(server: Server, params: types.DidCloseNotebookDocumentParams) -> None:
    """Remove the findings of a document that the user closed."""
    server.session.closed(params.notebook_document.uri)


def files_changed(server: Server, params: types.DidChangeWatchedFilesParams) -> None:
    """Check all documents again, unless the changed files are open: the editor has sent their text already."""
    names = {document.name for document in server.session.documents().values()}
    changed = [change.uri for change in params.changes if str(path_of(change.uri)) not in names]
    if changed:
        server.session.files_changed(changed, WAIT)  # more changes may follow


def settings_changed(server: Server, params: types.DidChangeConfigurationParams) -> None:
    """Do nothing, because all settings are in the config of the project."""


async def hover(server: Server, params: types.HoverParams) -> types.Hover | None:
    """Explain the findings at a position."""
    here = types.Range(params.position, params.position)
    outcome, found = await findings_at(server, params.text_document.uri, here)
    if outcome is None or outcome.options is None or not found:
        return None
    text = hover_text([finding for finding, _ in found], all_rules(*outcome.options.own_rules))
    return types.Hover(types.MarkupContent(server.markup, text), found[0][1].range)


async def code_actions(server: Server, params: types.CodeActionParams) -> list[types.CodeAction]:
    """Offer actions for the findings in a range."""
    if not server.client_can("text_document.code_action.code_action_literal_support"):
        return []  # this editor knows only commands
    outcome, found = await findings_at(server, params.text_document.uri, params.range)
    if outcome is None:
        return []
    nothing: list[types.CodeAction] = []
    find_actions = partial(offered_actions, outcome, found, params.context.only)
    problem = "The actions for a finding could not be found"
    actions = await server.session.run_or_log(find_actions, outcome.document, nothing, problem)
    if server.can_resolve:
        return actions
    resolved = [await resolve(server, action) for action in actions]
    return [action for action in resolved if action.edit is not None]


async def resolve(server: Server, action: types.CodeAction) -> types.CodeAction:
    """Add the edits to an action that the user has chosen; there are none if the findings are gone from the text."""
    session, request = server.session, parse_request(action.data)
    outcome = await session.outcome(request.uri) if request is not None else None
    if request is None or outcome is None:
        return action
    found = session.findings_in(outcome.document.name)
    versioned = server.client_can("workspace.workspace_edit.document_changes")
    make = partial(workspace_edit, request, outcome, found, session.positions(), versioned)
    action.edit = await session.run_or_log(
        make, outcome.document, None, f"The action '{action.title}' could not be made"
    )
    return action


async def findings_at(
    server: Server, uri: str, span: types.Range
) -> tuple[Outcome | None, list[tuple[Finding, types.Diagnostic]]]:
    """The findings in a range of the current text, and the outcome of the document that the text belongs to."""
    session = server.session
    document = session.document_of(uri)
    outcome = None if document is None else await session.outcome(document.uri)
    if outcome is None:
        return None, []
    positions = session.positions()
    found = [
        one for one in session.findings_in(outcome.document.name) if positions.to_location(one.location).uri == uri
    ]
    shown = [(finding, session.diagnostic(finding, positions)) for finding in found]
    return outcome, [(finding, one) for finding, one in shown if overlap(one.range, span)]


def stop(server: Server, params: None) -> None:
    """Start no further checks."""
    server.session.stop()
