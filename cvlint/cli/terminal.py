"""Writing to standard output: to terminals, pipes that close early, and encodings that lack a character."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
from typing import IO

from cvlint.cli.refusal import Refusal


def coloured(stream: IO[str]) -> bool:
    """Tell whether to use colours: on a terminal that can, unless NO_COLOR is set."""
    return on_terminal(stream) and not os.environ.get("NO_COLOR")


def on_terminal(stream: IO[str]) -> bool:
    """Tell whether a stream is a terminal that can move its cursor."""
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def write(text: str) -> None:
    """Write text to standard output."""
    encoding = sys.stdout.encoding or "utf-8"
    encodable = text.encode(encoding, "backslashreplace").decode(encoding)
    guarded(lambda: sys.stdout.write(encodable))


def guarded(show: Callable[[], object]) -> None:
    """Write to standard output by `show`; quiet if the reader has gone, as `head` does after ten lines."""
    try:
        show()
        sys.stdout.flush()
    except OSError as error:
        # What is still buffered would fail again when Python closes the stream.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if error.errno not in (errno.EPIPE, errno.EINVAL):
            raise Refusal(f"Standard output cannot be written: {error.strerror}") from error
