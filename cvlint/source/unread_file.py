"""A file that could not be read or parsed."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class UnreadFile:
    """A file that could not be checked, and the reason; it never stops a run."""

    path: str
    message: str
    line: int | None = None
