"""A file that could not be read or parsed."""

from __future__ import annotations

from cvlint.records import dataclass


@dataclass(frozen=True, slots=True)
class UnreadFile:
    """A file that could not be read in full, and the reason; it never stops a run."""

    path: str
    message: str
    line: int | None = None
    is_checked: bool = False
    """Whether what could be read of it is checked, or holds nothing to check: such a file fails no check."""
