"""Offsets in a file as its author wrote it, while the analysis parses a text in which magics are blanked out."""

from __future__ import annotations

from cvlint.fixes.editing.edits import Edit
from cvlint.source.location import Location
from cvlint.source.module import Source


def original_offset(source: Source, location: Location) -> int:
    """Give the offset at which a location begins in the original text."""
    above = source.original[: source.line_in_text(location) - 1]
    return sum(len(line) + 1 for line in above) + location.column - 1


def is_original(source: Source, edit: Edit) -> bool:
    """Tell whether the lines of an edit are the author's lines, and were not rewritten before they were parsed."""
    first, last = (source.text.count("\n", 0, at) for at in (edit.start, edit.end))
    return source.lines[first : last + 1] == source.original[first : last + 1]


def edit_of_original(source: Source, edit: Edit) -> Edit:
    """Translate an edit of the parsed text into an edit of the original text, which has the same lines."""
    first = source.text.count("\n", 0, edit.start)
    shift = sum(map(len, source.original[:first])) - sum(map(len, source.lines[:first]))
    inner = source.original[first : source.text.count("\n", 0, edit.end)]
    width = sum(map(len, inner)) - sum(map(len, source.lines[first : first + len(inner)]))
    return Edit(edit.start + shift, edit.end + shift + width, edit.text)
