"""Write locations and text for people to read."""

from __future__ import annotations

import os.path
import re
import unicodedata

from cvlint.output.shared.wrapping import ELLIPSIS, display_width
from cvlint.source.location import Location

LONGEST_PATH = 30
"""The columns of a path that stays whole beside others."""


def place(location: Location) -> str:
    """Write a location: ``path:line:column``, or ``path:cell 3:line:column`` in a notebook."""
    return f"{as_line(location.path)}:{place_in_file(location)}"


def place_in_file(location: Location) -> str:
    """Write a location without its file: ``line:column``, or ``cell 3:line:column`` in a notebook."""
    cell = "" if location.cell is None else f"cell {location.cell}:"
    return f"{cell}{location.line}:{location.column}"


def short_path(path: str) -> str:
    """Write a path beside others: a long one is cut to the name of the file."""
    shown = printable(path)
    return shown if display_width(shown) <= LONGEST_PATH else f"{ELLIPSIS}/{os.path.basename(shown)}"


def as_line(text: str) -> str:
    """Write a text with which a line begins: a path, or a message. It is no workflow command of GitHub Actions.

    The path of a file stays a path of this file.
    """
    shown = printable(text)
    return f"./{shown}" if shown.lstrip().startswith("::") else shown


def printable(text: str) -> str:
    """Replace what controls a terminal, breaks a line or commands a CI system: names and code come from strangers.

    Azure Pipelines and GitHub Actions take ``##[error]`` and ``##vso[…]`` for commands anywhere in a line.
    """
    if not text.isprintable():
        text = "".join(_shown(char) for char in text)
    return re.sub(COMMAND, "# #", text) if "##" in text else text


COMMAND = r"##(?=\w*\[)"  # Python compiles it when it is needed


def _shown(char: str) -> str:
    match unicodedata.category(char):
        case "Cc" | "Zl" | "Zp":  # control characters and line breaks
            return "\N{REPLACEMENT CHARACTER}"
        case "Cf" if unicodedata.bidirectional(char) in _TURNING:
            return "\N{REPLACEMENT CHARACTER}"
        case "Cs":  # bytes of a file name that are not UTF-8
            return f"\\x{ord(char) & 0xFF:02x}"
        case _:
            return char


_TURNING = frozenset({"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"})  # they reorder what follows
