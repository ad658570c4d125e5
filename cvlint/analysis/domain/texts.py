r"""Texts that the analysis knows, whole or in part.

A whole text is computed as the program would, up to a length that names and paths have: ``x = x + x`` doubles a text
line by line, and ``"%1000000000d" % 3`` is a gigabyte long.

A pattern is what is known of a text that is put together from known and unknown parts. An unknown part stands between
two NULs. Between them is the code of the part, where it is the same in every pass of the loops under way, and nothing,
where it varies over them: ``f"{folder}/fold{i}.npy"`` has the pattern ``"\0folder\0/fold\0\0.npy"``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

MOST_CHARACTERS = 500
_WIDE = re.compile(r"\d{3}|\*|\{[^{}]*\{")

VARYING = "\0\0"
UNKNOWN_PART = re.compile("\0[^\0]*\0")
LITERAL = re.compile(r"[^\W\d_]")  # a letter that tells one file name from another


def text_of(value: object) -> str | None:
    """The text of a constant, as ``str`` makes it; None if it is too long to be a name or a path."""
    if isinstance(value, (str, bytes)) and len(value) > MOST_CHARACTERS:
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


def anonymous(pattern: str) -> str:
    """A pattern in which no unknown part has a name."""
    return UNKNOWN_PART.sub("\0", pattern)


def covers(pattern: str, text: str) -> bool:
    """Whether a text, or another pattern without names, is one of those that such a pattern describes as a key."""
    return re.fullmatch(".+".join(map(re.escape, pattern.split("\0"))), text) is not None


def fits(pattern: str, text: str) -> bool:
    """Whether a text, or another pattern, is one of those that a pattern describes."""
    if "\0" not in pattern:
        return pattern == text
    parts = (re.escape(part) for part in pattern.split(VARYING))
    return re.fullmatch("[^/]*".join(parts), text) is not None


def is_same_file(one: str, other: str) -> bool:
    """Whether two patterns may name the same file: equal file names count where the folders are unknown."""
    if fits(one, other) or fits(other, one):
        return True
    (folder, name), (other_folder, other_name) = split_name(one), split_name(other)
    is_named = anonymous(name) == anonymous(other_name) and LITERAL.search(anonymous(name)) is not None
    return is_named and "\0" in folder and "\0" in other_folder


def split_name(pattern: str) -> tuple[str, str]:
    """The folder of a path, and its file name."""
    hidden = UNKNOWN_PART.sub(lambda part: part[0].replace("/", "\1"), pattern)
    folder, _, name = hidden.rpartition("/")
    return folder, name
