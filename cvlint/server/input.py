"""What the editor sends, in bounded pieces: no line and no message takes more memory than one can be meant to have."""

from __future__ import annotations

import io

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
