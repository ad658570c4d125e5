"""The protocol of pygls, but each request gets an answer, and no message takes more memory than it must."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

from pygls.exceptions import JsonRpcException, JsonRpcInvalidRequest, JsonRpcParseError
from pygls.protocol import LanguageServerProtocol

MOST_BYTES = 500_000_000
"""The greatest message that is read; the largest notebook that is checked, with all its signs escaped, is smaller."""

PIECE = 1 << 16
"""The most bytes that are read of a line, which is a header; or of a message that is passed over."""


class Input(io.BufferedReader):
    """A file of messages, from which pygls reads lines and then so many bytes as they say."""

    def readline(self, size: int | None = PIECE) -> bytes:
        """Read a line; a very long one comes in pieces."""
        return super().readline(size)

    def read(self, size: int | None = -1) -> bytes:
        """Read a message of some bytes; one that is too large is passed over, and becomes an empty one."""
        if size is None or size <= MOST_BYTES:
            return super().read(size)
        while size > 0 and (piece := super().read(min(size, PIECE))):
            size -= len(piece)
        return b" " if size == 0 else b""


class AnsweringProtocol(LanguageServerProtocol):
    """Answers a request that pygls would only log: with wrong parameters, without a version, or after ``shutdown``."""

    def structure_message(self, data: dict[str, Any]) -> Any:
        """Make a message of a JSON object; a request with wrong parameters is answered first."""
        try:
            return super().structure_message(data)
        except JsonRpcException as error:
            self._refuse(data.get("id"), data.get("method"), error)
            raise

    def handle_message(self, message: Any) -> None:
        """Handle a message, unless it is none of the protocol or comes too late."""
        names = ("id", "method", "jsonrpc")
        values = [message.get(n) if isinstance(message, dict) else getattr(message, n, None) for n in names]
        request, method, version = values
        is_late = self._shutdown and method != "exit"
        if not isinstance(message, dict) and version == self.VERSION and not is_late:
            super().handle_message(message)
            return
        self._refuse(request, method, JsonRpcInvalidRequest())

    def refuse_what_is_no_json(self) -> None:
        """Answer a message that cannot be read, so that nobody knows whether it is a request and with which number."""
        self._refuse(None, None, JsonRpcParseError())

    def _execute_handler(
        self,
        msg_id: int | str,
        handler: Callable[[Any], Any],
        callback: Callable[[Any], None],
        *args: Any,
        **kwargs: Any,
    ) -> None:
        """Run a handler; pygls keeps more than a kilobyte of each change of a text, which nobody asks for again."""

        def forget(future: Any) -> None:
            self._request_futures.pop(msg_id, None)
            callback(future)

        super()._execute_handler(msg_id, handler, forget, *args, **kwargs)

    def _refuse(self, request: object, method: object, error: JsonRpcException) -> None:
        """Answer anything but a notification; a message without a number that can be used is answered without one."""
        number = request if isinstance(request, int | str) else None
        if request is not None or method is None:
            told = {"code": error.code, "message": error.message}
            self._send_data({"jsonrpc": self.VERSION, "id": number, "error": told})
