"""Fit text to the columns of a terminal: words stay whole, and wide characters count twice."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

COLUMNS = 80
"""The columns of prose that goes to a file or a pipe."""
ELLIPSIS = "…"
NARROWEST = 20
"""Narrower terminals get lines of so many columns, which they break themselves."""

LONGEST_CODE = 40
"""The columns of a piece of code that stays on one line."""


def char_width(char: str) -> int:
    """Count the columns of one shown character."""
    if len(char) > 1 or char.isascii():
        return len(char)
    if unicodedata.category(char) in {"Mn", "Me", "Cf"}:
        return 0
    return 2 if unicodedata.east_asian_width(char) in {"W", "F"} else 1


def display_width(text: str) -> int:
    """Count the columns of a text on a terminal."""
    return len(text) if text.isascii() else sum(map(char_width, text))


def wrapped(text: str, columns: int | None, first: int = 0, indent: int = 0) -> Iterator[str]:
    """Break a text into lines at spaces, but not at those of a short piece of code between backticks.

    Parameters
    ----------
    text : str
        Any text without control characters.
    columns : int or None
        The columns of the terminal, where a longer word is cut in its middle; None means `COLUMNS`, and no word is cut.
    first : int
        The columns that the caller has used up on the first line.
    indent : int
        The columns that every further line leaves free.
    """
    width = max(COLUMNS if columns is None else columns, NARROWEST)
    line, used = "", first
    for word in _words(text):
        if columns is not None:
            word = shortened(word, width - indent)
        size = display_width(word)
        if used > indent and used + (1 if line else 0) + size > width:
            yield line
            line, used = "", indent
        line, used = (f"{line} {word}", used + 1 + size) if line else (word, used + size)
    yield line


def _words(text: str) -> list[str]:
    return re.findall(rf"[^\s`]*`[^`\n]{{1,{LONGEST_CODE}}}`[^\s`]*|\S+", text)


def shortened(text: str, width: int) -> str:
    """Cut the middle out of a text that is too wide; of a path the end says most.

    Examples
    --------
    >>> shortened("experiments/baseline/train.py", 20)
    'experi…line/train.py'
    """
    if display_width(text) <= width:
        return text
    head = _fitting(text, (width - 1) // 3)
    tail = _fitting(text[::-1], width - 1 - display_width(head))[::-1]
    return f"{head}{ELLIPSIS}{tail}"


def _fitting(text: str, width: int) -> str:
    """The longest beginning of a text that fits into so many columns."""
    used = 0
    for index, char in enumerate(text):
        used += char_width(char)
        if used > width:
            return text[:index]
    return text
