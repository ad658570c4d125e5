"""Edits of a text, and where its places are afterwards."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from cvlint.source.location import Location


@dataclass(frozen=True, slots=True, order=True)
class Edit:
    """Put ``text`` in place of what is between two offsets; both are the same where something is inserted."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Proposal:
    """The edits that take a fault away; safe only if no number that the code reports can change."""

    edits: tuple[Edit, ...]
    safe: bool = False


@dataclass(frozen=True, slots=True)
class Replacement:
    """What to write at a place: ``text`` instead of what stands there."""

    location: Location
    text: str


@dataclass(frozen=True, slots=True)
class Confirmed:
    """The fix of one finding, which a new check has confirmed, for the file as it is.

    Attributes
    ----------
    safe
        Whether no number that the code reports can change.
    in_code
        The places in the code as its author wrote it, which count inside their cells in a notebook, with LF line ends.
    in_file
        The places in the text of the file, which is JSON for a notebook, with the line ends of the file.
    """

    safe: bool
    in_code: tuple[Replacement, ...]
    in_file: tuple[Replacement, ...]

    @property
    def safety(self) -> str:
        """As findings call it."""
        return "safe" if self.safe else "unsafe"


def in_order(edits: Iterable[Edit]) -> tuple[Edit, ...] | None:
    """Edits sorted by place, each once; None where two of them are about the same text."""
    ordered = tuple(sorted(set(edits)))
    apart = all(one.end <= other.start and one.start < other.start for one, other in pairwise(ordered))
    return ordered if apart else None


def edited(text: str, edits: Sequence[Edit]) -> str:
    """A text with edits made in it, which are sorted and apart."""
    pieces, at = [], 0
    for edit in edits:
        pieces += [text[at : edit.start], edit.text]
        at = edit.end
    return "".join((*pieces, text[at:]))


def moved(offset: int, edits: Sequence[Edit]) -> tuple[int, int]:
    """Between which offsets a place is after the edits: the same twice, unless the text around it was replaced."""
    shift = 0
    for edit in edits:
        if offset < edit.start:
            break
        if offset < edit.end:
            return edit.start + shift, edit.start + shift + len(edit.text)
        shift += len(edit.text) - (edit.end - edit.start)
    return offset + shift, offset + shift
