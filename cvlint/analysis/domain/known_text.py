"""Texts that the analysis knows: it computes them as the program would, up to a length that names and paths have.

``x = x + x`` doubles a text line by line, and ``"%1000000000d" % 3`` is a gigabyte long.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

MOST_CHARACTERS = 500
_WIDE = re.compile(r"\d{3}|\*|\{[^{}]*\{")


def text_of(value: object) -> str | None:
    """The text of a constant, as ``str`` makes it; None if it is too long to be a name or a path."""
    if isinstance(value, str | bytes) and len(value) > MOST_CHARACTERS:
        return None
    if isinstance(value, int) and value.bit_length() > MOST_CHARACTERS:
        return None
    text = str(value)
    return text if len(text) <= MOST_CHARACTERS else None


def joined(parts: Iterable[str]) -> str | None:
    """The parts as one text; None if that is too long."""
    found, length = [], 0
    for part in parts:
        found.append(part)
        length += len(part)
        if length > MOST_CHARACTERS:
            return None
    return "".join(found)


def percent(template: str, value: object) -> str | None:
    """``template % value``; None if Python refuses it, or if the text is or may be too long."""
    if _WIDE.search(template) or len(template) > MOST_CHARACTERS or text_of(value) is None:
        return None
    try:
        return text_of(template % value)
    except (TypeError, ValueError, OverflowError):
        return None


def formatted(template: str, values: list[object]) -> str | None:
    """``template.format(*values)`` for fields ``{}`` alone; None as for `percent`."""
    texts = [text_of(value) for value in values]
    if len(template) > MOST_CHARACTERS or None in texts:
        return None
    pieces = template.split("{}")
    between = [*(text for text in texts if text is not None), ""]
    return joined(part for pair in zip(pieces, between, strict=False) for part in pair)
