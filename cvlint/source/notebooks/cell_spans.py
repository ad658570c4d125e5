"""Find the offsets of the sources of the code cells in a notebook's JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

_DECODER = json.JSONDecoder()
_SPACE = re.compile(r"[ \t\n\r]*")

Span = tuple[int, int]
"""The offsets in the text of the file where a value begins and ends."""


def cell_spans(text: str) -> list[Span | None]:
    """The span of the source of each code cell, in a notebook of nbformat 4 or 3.

    Parameters
    ----------
    text : str
        The notebook's JSON.

    Returns
    -------
    list of (int, int) or None
        A span for each code cell, in order; None for a cell without a source.

    Raises
    ------
    ValueError, LookupError, RecursionError
        When the text is not a notebook.
    """
    return [cell.get("source", cell.get("input")) for cell in _cells(text) if _is_code(text, cell.get("cell_type"))]


def entries(text: str, start: int) -> Iterator[tuple[str | int, Span]]:
    """The keys or indices of the object or list that begins at an offset, each with the span of its value.

    A value that is neither an object nor a list has no entries.
    """
    if text[start] not in "{[":
        return
    at, number = _skip(text, start + 1), 0
    while text[at] not in "]}":
        key: str | int = number
        if text[start] == "{":
            key, at = _DECODER.raw_decode(text, at)
            at = _skip(text, _skip(text, at) + 1)
        _, end = _DECODER.raw_decode(text, at)
        yield key, (at, end)
        at, number = _skip(text, end), number + 1
        if text[at] == ",":
            at = _skip(text, at + 1)


def _cells(text: str) -> Iterator[dict[str | int, Span]]:
    """The members of each cell: those of nbformat 4, or those in the worksheets of nbformat 3."""
    top = dict(entries(text, _skip(text, 0)))
    sheets = [top]
    if "cells" not in top:
        sheets = [dict(entries(text, at)) for _, (at, _) in entries(text, top["worksheets"][0])]
    for sheet in sheets:
        for _, (at, _) in entries(text, sheet["cells"][0]):
            yield dict(entries(text, at))


def _is_code(text: str, kind: Span | None) -> bool:
    return kind is not None and json.loads(text[slice(*kind)]) == "code"


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at
