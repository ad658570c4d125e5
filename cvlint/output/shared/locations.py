"""Write locations and text for people to read."""

from __future__ import annotations

import unicodedata

from cvlint.source.location import Location


def place(location: Location) -> str:
    """Write a location: ``path:line:column``, or ``path:cell 3:line:column`` in a notebook."""
    return f"{printable(location.path)}:{place_in_file(location)}"


def place_in_file(location: Location) -> str:
    """Write a location without its file: ``line:column``, or ``cell 3:line:column`` in a notebook."""
    cell = "" if location.cell is None else f"cell {location.cell}:"
    return f"{cell}{location.line}:{location.column}"


def printable(text: str) -> str:
    """Replace characters that control a terminal or break a line: names and source lines come from strangers."""
    if text.isprintable():
        return text
    return "".join(_shown(char) for char in text)


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
