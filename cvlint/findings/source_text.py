"""The types of functions that look up the source text of a location; reports call them, a workspace makes them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from cvlint.source.location import Location

SourceLines = Callable[[Location], Sequence[str] | None]
"""Gives the lines in which the line numbers of a location count: those of its file, or of its notebook cell."""
FileSpan = Callable[[Location], tuple[int, int] | None]
"""Gives the first and the last line of a location in the text of its file, which is JSON for a notebook."""
