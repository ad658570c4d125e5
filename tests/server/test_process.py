"""The command as editors start it, and how it ends."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from lsprotocol import types
from pytest_lsp import client_capabilities, make_test_lsp_client

import cvlint.server
from cvlint.cli import main
from tests.conftest import FAULTY
from tests.server.conftest import LITERALS


@pytest.mark.asyncio
async def test_an_editor_from_beginning_to_end(tmp_path: Path, environment: dict[str, str]) -> None:
    client = make_test_lsp_client()
    registered: asyncio.Queue[types.RegistrationParams] = asyncio.Queue()
    client.feature(types.CLIENT_REGISTER_CAPABILITY)(lambda params: registered.put_nowait(params))
    await client.start_io(sys.executable, "-m", "cvlint", "server", "--stdio", cwd=str(tmp_path), env=environment)
    capabilities = client_capabilities("visual-studio-code")
    result = await client.initialize_session(types.InitializeParams(capabilities, root_uri=tmp_path.as_uri()))
    assert result.server_info is not None
    assert result.server_info.name == "cvlint"
    assert result.capabilities.hover_provider
    assert isinstance(result.capabilities.code_action_provider, types.CodeActionOptions)
    assert result.capabilities.code_action_provider.resolve_provider
    assert (result.capabilities.notebook_document_sync is None) == (capabilities.notebook_document is None)
    watched = capabilities.workspace and capabilities.workspace.did_change_watched_files
    if watched and watched.dynamic_registration:
        params = await asyncio.wait_for(registered.get(), 10)
        assert [one.method for one in params.registrations] == ["workspace/didChangeWatchedFiles"]
    process = client._server
    assert process is not None
    await client.shutdown_session()
    assert process.returncode == 0
    await client.stop()


@pytest.mark.asyncio
async def test_an_editor_with_few_capabilities(tmp_path: Path, environment: dict[str, str]) -> None:
    """It counts bytes, cannot resolve actions later, and does not support versions in edits."""
    client = make_test_lsp_client()
    await client.start_io(sys.executable, "-m", "cvlint", "server", cwd=str(tmp_path), env=environment)
    general = types.GeneralClientCapabilities(position_encodings=[types.PositionEncodingKind.Utf8])
    action = types.CodeActionClientCapabilities(code_action_literal_support=LITERALS)
    known = types.TextDocumentClientCapabilities(code_action=action)
    capabilities = types.ClientCapabilities(text_document=known, general=general)
    result = await client.initialize_session(types.InitializeParams(capabilities))
    assert result.capabilities.position_encoding == types.PositionEncodingKind.Utf8
    uri, text = (tmp_path / "train.py").as_uri(), FAULTY.replace("print(", "print('é', ")
    item = types.TextDocumentItem(uri, "python", 1, text)
    client.text_document_did_open(types.DidOpenTextDocumentParams(item))
    start = types.Position(8, len("print('é', ".encode()))
    params = types.CodeActionParams(
        types.TextDocumentIdentifier(uri), types.Range(start, start), types.CodeActionContext([])
    )
    actions = {action.title: action for action in await client.text_document_code_action_async(params) or []}
    action = actions["Ignore mean-of-fold-f here"]
    assert isinstance(action, types.CodeAction)
    end = types.Position(8, len(text.split("\n")[8].encode()))
    edit = types.TextEdit(types.Range(end, end), "  # cvlint: ignore[mean-of-fold-f]")
    assert action.edit is not None
    assert action.edit.document_changes is None
    assert {uri: list(edits) for uri, edits in (action.edit.changes or {}).items()} == {uri: [edit]}
    await client.shutdown_session()
    await client.stop()


@pytest.mark.asyncio
async def test_an_editor_with_commands_only_and_without_related_locations(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    client = make_test_lsp_client()
    await client.start_io(sys.executable, "-m", "cvlint", "server", cwd=str(tmp_path), env=environment)
    published: asyncio.Queue[types.PublishDiagnosticsParams] = asyncio.Queue()
    client.protocol.fm.features[types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS] = published.put_nowait
    await client.initialize_session(types.InitializeParams(types.ClientCapabilities()))
    uri = (tmp_path / "train.py").as_uri()
    client.text_document_did_open(types.DidOpenTextDocumentParams(types.TextDocumentItem(uri, "python", 1, FAULTY)))
    (found,) = (await asyncio.wait_for(published.get(), 60)).diagnostics
    assert found.related_information is None
    context = types.CodeActionContext([found])
    params = types.CodeActionParams(types.TextDocumentIdentifier(uri), found.range, context)
    assert await client.text_document_code_action_async(params) == ()
    await client.shutdown_session()
    await client.stop()


def test_messages_out_of_place_are_logged_and_nothing_is_on_standard_error(environment: dict[str, str]) -> None:
    def message(method: str, params: object, **more: object) -> bytes:
        text = json.dumps({"jsonrpc": "2.0", "method": method, "params": params, **more}).encode()
        return b"Content-Length: %d\r\n\r\n%s" % (len(text), text)

    document = {"uri": "file:///never/opened.py", "version": 2}
    place = {"textDocument": document, "position": {"line": 0, "character": 0}}
    said = message("textDocument/hover", place, id=1)  # before initialize
    said += message("initialize", {"capabilities": {}, "processId": None}, id=2) + message("initialized", {})
    said += message("workspace/didChangeConfiguration", {"settings": {}})
    said += message("textDocument/didChange", {"textDocument": document, "contentChanges": [{"text": "x"}]})
    command = [sys.executable, "-m", "cvlint", "server"]
    result = subprocess.run(command, input=said, env=environment, capture_output=True, timeout=60, check=False)
    assert result.stderr == b""
    assert result.stdout.count(b'"error"') == 1  # the answer to hover
    assert b"window/showMessage" not in result.stdout
    assert b"A message of the editor could not be handled" in result.stdout
    assert b"KeyError: 'file:///never/opened.py'" in result.stdout


def test_the_server_survives_nonsense_and_a_lost_connection(environment: dict[str, str]) -> None:
    command = [sys.executable, "-m", "cvlint", "server"]
    hello = b'{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}, "processId": null}}'
    said = b"nonsense\r\nContent-Length: 5\r\n\r\nwords" + b"Content-Length: %d\r\n\r\n%s" % (len(hello), hello)
    result = subprocess.run(command, input=said, env=environment, capture_output=True, timeout=60, check=False)
    assert result.returncode == 1
    assert b"A message of the editor could not be handled" in result.stdout
    assert b'"serverInfo": {"name": "cvlint"' in result.stdout or b'"serverInfo":{"name":"cvlint"' in result.stdout
    assert b"fault of cvlint" not in result.stderr


def test_without_the_extra_a_sentence_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cvlint, "server", cvlint.server)  # the command imports a second one
    for name in [name for name in sys.modules if name.startswith(("cvlint.server", "pygls"))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "pygls", None)
    result = CliRunner().invoke(main, ["server"])
    assert result.exit_code == 2
    assert result.output == (
        "cvlint: The command `cvlint server` needs pygls, version 2 or newer, which is not installed; "
        "install cvlint[lsp].\n"
    )
    assert CliRunner().invoke(main, ["server", "--help"]).exit_code == 0


def test_the_command_line_starts_without_the_libraries_of_the_server(environment: dict[str, str]) -> None:
    code = (
        "import sys; from cvlint.cli import main; main(['rules'], standalone_mode=False); print('pygls' in sys.modules)"
    )
    result = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert result.stdout.endswith("False\n")
