"""Writing reports: to files, terminals, pipes that close early, and in encodings that lack a character."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import IO, TYPE_CHECKING, Literal

from cvlint.usage_error import UsageError

if TYPE_CHECKING:
    from cvlint.output.shared.styled_text import Piece


When = Literal["auto", "always", "never"]
WHENS: tuple[When, ...] = ("auto", "always", "never")
"""The values of the option ``--color``."""


def use_colours(stream: IO[str], when: When = "auto") -> bool:
    """Tell whether to use colours: never with NO_COLOR, always with FORCE_COLOR, else on a terminal that can.

    The option ``--color`` counts more than these variables.
    """
    if when != "auto":
        return when == "always"
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or is_terminal(stream)


def columns_of(stream: IO[str]) -> int | None:
    """The columns of a terminal; None for a file or a pipe."""
    if not stream.isatty():
        return None
    import shutil

    return shutil.get_terminal_size().columns or 80  # Python 3.10 says 0 where the terminal says nothing


def is_terminal(stream: IO[str]) -> bool:
    """Tell whether a stream is a terminal that can move its cursor."""
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def write_report(text: str, target: Path | None) -> None:
    """Write a report to a file, or to standard output if there is no file."""
    if target is None:
        write(text)
        return
    from cvlint.filesystem.atomic_write import write_file

    try:
        write_file(target, text.encode("utf-8", "backslashreplace"))
    except OSError as error:
        raise UsageError(f"The report cannot be written to '{target}': {error.strerror}") from error


def write_pieces(pieces: Iterable[Piece], target: Path | None = None, when: When = "auto") -> None:
    """Write styled text like `write_report`, with colours where standard output shows them."""
    from cvlint.output.shared.styled_text import plain, show_coloured

    if target is None and use_colours(sys.stdout, when):
        write_guarded(lambda: show_coloured(pieces, sys.stdout))
    else:
        write_report(plain(pieces), target)


def write(text: str) -> None:
    """Write text to standard output."""
    encoding = sys.stdout.encoding or "utf-8"
    encodable = text.encode(encoding, "backslashreplace").decode(encoding)
    write_guarded(lambda: sys.stdout.write(encodable))


def print_problem(sentence: str) -> None:
    """Print a sentence on standard error."""
    from cvlint.output.shared.locations import printable

    print_error(printable(sentence))


def print_error(line: str) -> None:
    """Print a line on standard error; nothing if there is none, as in a program without a console.

    On a terminal it is broken between words, and no word is cut: it may be a path or a part of a command.
    """
    if sys.stderr is None:
        return
    columns = columns_of(sys.stderr)
    if columns is not None and len(line) > columns:
        import textwrap

        line = textwrap.fill(line, columns, break_long_words=False, break_on_hyphens=False)
    print(line, file=sys.stderr, flush=True)


def write_guarded(show: Callable[[], object]) -> None:
    """Call a function that writes to standard output; say nothing if the reader has gone, as `head` does."""
    try:
        show()
        sys.stdout.flush()
    except OSError as error:
        # What is still buffered would fail again when Python closes the stream.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if error.errno not in (errno.EPIPE, errno.EINVAL):
            raise UsageError(f"Standard output cannot be written: {error.strerror}") from error
