"""One comment that suppresses findings, and the test of bytes whether a file can contain one."""

from __future__ import annotations

import os
from typing import Literal

from cvlint.records import dataclass
from cvlint.source.location import Location

Kind = Literal["line", "file", "noqa", "unclear"]


@dataclass(frozen=True, slots=True)
class Ignore:
    """A comment that suppresses findings."""

    location: Location
    """From the ``#`` to the end of the list of rules."""
    first: int
    last: int
    """The lines of the statement that contains the comment, counted as in ``location``; for a compound statement the
    lines of its head. A comment of kind "line" on a line of its own also applies to the statement below it.
    """
    kind: Kind
    """The findings to which the comment applies: "line" to those at its statement or with a trace step there, "file" to
    those in its file, "noqa" to those at its statement only, and "unclear" to none.
    """
    comment: str
    """The text of the comment without the reason."""
    words: tuple[str, ...]
    """The rules that it names, by name, code, or beginning of a code; no word stands for all rules."""
    reason: str
    """The reason in the comment; may be empty."""


def file_key(path: str) -> str:
    """One spelling for each path: the file of an import may be spelled ``pkg/../lib.py``."""
    return os.path.normpath(path)


def may_hold_comments(lowered: bytes) -> tuple[bool, bool]:
    """What `may_hold` and `may_be_unused` tell, for bytes without capital letters."""
    names_cvlint, names_noqa = b"cvlint:" in lowered, b"noqa" in lowered
    return names_cvlint or names_noqa, names_cvlint or (names_noqa and b"cvl" in lowered)


def may_hold(data: bytes) -> bool:
    """Tell by its bytes whether a file can contain a comment that suppresses findings."""
    return may_hold_comments(data.lower())[0]


def may_be_unused(data: bytes) -> bool:
    """Tell by its bytes whether a file can contain such a comment that is for cvlint alone."""
    return may_hold_comments(data.lower())[1]
