"""An editor: a client of the language protocol that talks to `cvlint server` as a process of its own."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest
import pytest_asyncio
from lsprotocol import types
from pygls.workspace import Workspace
from pytest_lsp import LanguageClient, make_test_lsp_client

from tests.conftest import FAULTY, ROOT, environment_without

RIGHT = FAULTY.replace("f1_score", "accuracy_score")
MEAN = types.Range(types.Position(8, 6), types.Position(8, 21))
"""Where ``np.mean(scores)`` is in `FAULTY`."""

LITERALS = types.ClientCodeActionLiteralOptions(types.ClientCodeActionKindOptions([]))
"""Of a client that understands actions, and not only commands."""

CAPABILITIES = types.ClientCapabilities(
    text_document=types.TextDocumentClientCapabilities(
        code_action=types.CodeActionClientCapabilities(
            data_support=True,
            resolve_support=types.ClientCodeActionResolveOptions(["edit"]),
            code_action_literal_support=LITERALS,
        ),
        publish_diagnostics=types.PublishDiagnosticsClientCapabilities(related_information=True),
        hover=types.HoverClientCapabilities(content_format=[types.MarkupKind.Markdown]),
    ),
    notebook_document=types.NotebookDocumentClientCapabilities(types.NotebookDocumentSyncClientCapabilities()),
    workspace=types.WorkspaceClientCapabilities(
        workspace_edit=types.WorkspaceEditClientCapabilities(document_changes=True)
    ),
)


URI = "file:///nowhere/train.py"


class Client:
    """Stands in for the editor, and records the messages of the server."""

    def __init__(self) -> None:
        self.workspace = Workspace(None)
        self.workspace.put_text_document(types.TextDocumentItem(URI, "python", 1, "x = 1\n"))
        self.published: list[types.PublishDiagnosticsParams] = []
        self.logged: list[types.LogMessageParams] = []
        self.text_document_publish_diagnostics = self.published.append
        self.window_log_message = self.logged.append

    def write(self, text: str) -> None:
        named = types.VersionedTextDocumentIdentifier(2, URI)
        self.workspace.update_text_document(named, types.TextDocumentContentChangeWholeDocument(text))


class Editor:
    """A client with what a user of it would do, and see."""

    def __init__(self, client: LanguageClient, folder: Path) -> None:
        self.client = client
        self.folder = folder
        self.texts: dict[str, str] = {}
        self.versions: dict[str, int] = {}
        self.published: asyncio.Queue[types.PublishDiagnosticsParams] = asyncio.Queue()
        client.protocol.fm.features[types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS] = self._publish

    def _publish(self, params: types.PublishDiagnosticsParams) -> None:
        self.client.diagnostics[params.uri] = params.diagnostics
        self.published.put_nowait(params)

    def uri(self, name: str) -> str:
        return (self.folder / name).as_uri()

    def open(self, name: str, text: str, language: str = "python") -> str:
        """Open a text, which need not be what is in the file, if there is one."""
        uri = self.uri(name)
        self.texts[uri], self.versions[uri] = text, 1
        item = types.TextDocumentItem(uri, language, 1, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return uri

    def change(self, uri: str, *changes: types.TextDocumentContentChangeEvent) -> None:
        self.versions[uri] += 1
        named = types.VersionedTextDocumentIdentifier(self.versions[uri], uri)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(named, list(changes)))

    def write(self, uri: str, text: str) -> None:
        """Put another text in place of the one that is open."""
        self.texts[uri] = text
        self.change(uri, types.TextDocumentContentChangeWholeDocument(text))

    def close(self, uri: str) -> None:
        self.texts.pop(uri, None)
        self.client.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(uri)))

    def save(self, uri: str) -> None:
        self.client.text_document_did_save(types.DidSaveTextDocumentParams(types.TextDocumentIdentifier(uri)))

    async def told(self, uri: str, seen: Callable[[list[types.Diagnostic]], bool]) -> list[types.Diagnostic]:
        """The next diagnostics of a text that are as they should be in the end."""
        while True:
            params = await asyncio.wait_for(self.published.get(), 60)
            if params.uri == uri and seen(list(params.diagnostics)):
                return list(params.diagnostics)

    async def codes(self, uri: str, *codes: str) -> list[types.Diagnostic]:
        """The diagnostics of a text as soon as they have these codes."""
        return await self.told(uri, lambda found: sorted(str(one.code) for one in found) == sorted(codes))

    def open_notebook(self, name: str, *cells: tuple[str, str]) -> list[str]:
        """Open a notebook of cells, each with its language; the URIs of the cells."""
        uris = [f"vscode-notebook-cell:{self.folder / name}#W{number}" for number in range(len(cells))]
        self.texts.update((uri, text) for uri, (_, text) in zip(uris, cells, strict=True))
        self.versions.update(dict.fromkeys([*uris, self.uri(name)], 1))
        kinds = [cell_kind(language) for language, _ in cells]
        notebook = types.NotebookDocument(
            self.uri(name), "jupyter-notebook", 1, [types.NotebookCell(k, u) for k, u in zip(kinds, uris, strict=True)]
        )
        items = [types.TextDocumentItem(u, c[0], 1, c[1]) for u, c in zip(uris, cells, strict=True)]
        self.client.notebook_document_did_open(types.DidOpenNotebookDocumentParams(notebook, items))
        return uris

    def change_notebook(self, name: str, change: types.NotebookDocumentCellChanges) -> None:
        uri = self.uri(name)
        self.versions[uri] += 1
        self.client.notebook_document_did_change(
            types.DidChangeNotebookDocumentParams(
                types.VersionedNotebookDocumentIdentifier(self.versions[uri], uri),
                types.NotebookDocumentChangeEvent(cells=change),
            )
        )

    async def hover(self, uri: str, line: int, character: int) -> types.Hover | None:
        at = types.HoverParams(types.TextDocumentIdentifier(uri), types.Position(line, character))
        return await self.client.text_document_hover_async(at)

    async def actions(self, uri: str, span: types.Range, *only: str) -> dict[str, types.CodeAction]:
        context = types.CodeActionContext([], only=list(only) or None)
        params = types.CodeActionParams(types.TextDocumentIdentifier(uri), span, context)
        found = await self.client.text_document_code_action_async(params)
        return {action.title: action for action in found or [] if isinstance(action, types.CodeAction)}

    async def apply(self, action: types.CodeAction) -> dict[str, str]:
        """What the texts are after an action."""
        resolved = await self.client.code_action_resolve_async(action)
        assert resolved.edit is not None
        texts = dict(self.texts)
        for change in resolved.edit.document_changes or ():
            assert isinstance(change, types.TextDocumentEdit)
            assert change.text_document.version == self.versions[change.text_document.uri]
            for edit in sorted(change.edits, key=lambda one: one.range.start, reverse=True):
                assert isinstance(edit, types.TextEdit)
                text = texts[change.text_document.uri]
                start, end = offset(text, edit.range.start), offset(text, edit.range.end)
                texts[change.text_document.uri] = text[:start] + edit.new_text + text[end:]
        return texts


def cell_kind(language: str) -> types.NotebookCellKind:
    return types.NotebookCellKind.Markup if language == "markdown" else types.NotebookCellKind.Code


def offset(text: str, position: types.Position) -> int:
    """Where a position is in a text, by the definition: lines, then UTF-16 code units."""
    at = 0
    for _ in range(position.line):
        at = text.index("\n", at) + 1
    units = text[at:].encode("utf-16-le")[: 2 * position.character]
    return at + len(units.decode("utf-16-le"))


@pytest_asyncio.fixture(scope="package", loop_scope="package")
async def client(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[LanguageClient]:
    """One connection for all tests: to start the server takes longer than most of them."""
    client = make_test_lsp_client()
    folder = tmp_path_factory.mktemp("workspace")
    await client.start_io(
        sys.executable, "-m", "cvlint", "server", cwd=str(folder), env=environment_without(PYTHONPATH=str(ROOT))
    )
    await client.initialize_session(types.InitializeParams(CAPABILITIES, root_uri=folder.as_uri()))
    yield client
    await client.shutdown_session()
    await client.stop()


@pytest.fixture
def editor(client: LanguageClient, tmp_path: Path) -> Iterator[Editor]:
    client.messages.clear()
    client.log_messages.clear()
    editor = Editor(client, tmp_path)
    yield editor
    for uri in list(editor.texts):
        if uri.startswith("file:"):
            editor.close(uri)
