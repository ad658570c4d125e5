"""Edits of a text, and how they move offsets."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from cvlint.records import dataclass
from cvlint.source.location import Location


@dataclass(frozen=True, slots=True, order=True)
class Edit:
    """Replace the text between two offsets by ``text``; equal offsets insert it."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Replacement:
    """Replace the code at a location by ``text``."""

    location: Location
    text: str


@dataclass(frozen=True, slots=True)
class Proposal:
    """Edits that may fix a finding; safe only if no number that the code reports can change."""

    edits: tuple[Edit, ...]
    safe: bool = False


@dataclass(frozen=True, slots=True)
class ConfirmedFix:
    """A fix of one finding that a new check has confirmed, for the current file."""

    safe: bool
    """Whether no number that the code reports can change."""
    in_code: tuple[Replacement, ...]
    """The edits in the original code, with LF line ends; in a notebook their locations count inside the cells."""
    in_file: tuple[Replacement, ...]
    """The edits in the text of the file, which is JSON for a notebook, with the line ends of the file."""

    @property
    def safety(self) -> str:
        """The word that findings use."""
        return "safe" if self.safe else "unsafe"


def in_order(edits: Iterable[Edit]) -> tuple[Edit, ...] | None:
    """Sort edits by offset and drop repeated ones; None if two of them overlap."""
    ordered = tuple(sorted(set(edits)))
    apart = all(one.end <= other.start and one.start < other.start for one, other in pairwise(ordered))
    return ordered if apart else None


def edited(text: str, edits: Sequence[Edit]) -> str:
    """Apply edits that are sorted and do not overlap."""
    pieces, at = [], 0
    for edit in edits:
        pieces += [text[at : edit.start], edit.text]
        at = edit.end
    return "".join((*pieces, text[at:]))


def moved(offset: int, edits: Sequence[Edit]) -> tuple[int, int]:
    """Give the range of offsets to which edits move an offset: one offset, unless the text around it was replaced."""
    shift = 0
    for edit in edits:
        if offset < edit.start:
            break
        if offset < edit.end:
            return edit.start + shift, edit.start + shift + len(edit.text)
        shift += len(edit.text) - (edit.end - edit.start)
    return offset + shift, offset + shift
