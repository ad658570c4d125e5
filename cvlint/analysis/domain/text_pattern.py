r"""Patterns of texts: what is known of a text that is put together from known and unknown parts.

An unknown part stands between two NULs. Between them is the code of the part, where it is the same in every pass of
the loops under way, and nothing, where it varies over them: ``f"{folder}/fold{i}.npy"`` has the pattern
``"\0folder\0/fold\0\0.npy"``.
"""

from __future__ import annotations

import re

VARYING = "\0\0"
UNKNOWN_PART = re.compile("\0[^\0]*\0")
LITERAL = re.compile(r"[^\W\d_]")  # a letter that tells one file name from another


def anonymous(pattern: str) -> str:
    """A pattern in which no unknown part has a name."""
    return UNKNOWN_PART.sub("\0", pattern)


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
