"""What the server keeps of the messages that it has handled."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from cvlint.server.server import Server, make_server

URI = "file:///nowhere/train.py"


class Editor:
    """Sends messages to a server in this process, and reads what it writes."""

    def __init__(self, server: Server) -> None:
        self.protocol = server.protocol
        self.written: list[dict[str, Any]] = []
        self.protocol.set_writer(self, include_headers=False)

    def write(self, data: bytes) -> None:
        self.written.append(json.loads(data))

    def close(self) -> None:
        """Nothing is open."""

    def send(self, method: str, params: object, **more: object) -> None:
        message = {"jsonrpc": "2.0", "method": method, "params": params, **more}
        self.protocol.handle_message(json.loads(json.dumps(message), object_hook=self.protocol.structure_message))


def test_nothing_is_kept_of_a_message_that_was_handled() -> None:
    """An editor sends a message at each stroke of a key, for days."""

    async def run() -> None:
        server = make_server()
        editor = Editor(server)
        editor.send("initialize", {"capabilities": {}, "processId": None}, id=1)
        item = {"uri": URI, "languageId": "python", "version": 1, "text": "x = 1\n"}
        editor.send("textDocument/didOpen", {"textDocument": item})
        for version in range(2, 50):
            named = {"uri": URI, "version": version}
            editor.send("textDocument/didChange", {"textDocument": named, "contentChanges": [{"text": "y = 2\n"}]})
        place = {"line": 0, "character": 0}
        for number in range(2, 9):
            editor.send("textDocument/hover", {"textDocument": {"uri": "file:///x.py"}, "position": place}, id=number)
        editor.send("$/cancelRequest", {"id": 5})
        editor.send("textDocument/didClose", {"textDocument": {"uri": URI}})
        await asyncio.sleep(0.01)
        assert {one["id"] for one in editor.written if "id" in one} == set(range(1, 9))
        assert server.protocol._request_futures == {}
        server.session.stop()

    asyncio.run(run())
