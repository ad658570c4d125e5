"""Find the lines of a notebook's JSON file that contain the lines of its code cells."""

from __future__ import annotations

import json
import re
from bisect import bisect_right

from cvlint.source.decoding import Failure, decode_utf8, normalise
from cvlint.source.notebooks.cell_spans import Span, cell_spans, entries

LINE = re.compile(r"[^\n]*\n|[^\n]+")


def cell_rows(data: bytes) -> list[list[int]]:
    """The line of the file, from 1, where each line of each code cell begins.

    Parameters
    ----------
    data : bytes
        The file.

    Returns
    -------
    list of list of int
        A list for each code cell, in order; empty if the file is not a notebook.
    """
    text = decode_utf8(data)
    if isinstance(text, Failure):
        return []
    ends = [match.start() for match in re.finditer("\n", text)]
    try:
        return [_rows(text, span, ends) for span in cell_spans(text)]
    except (ValueError, LookupError, RecursionError):
        return []


def _rows(text: str, span: Span | None, ends: list[int]) -> list[int]:
    """The rows of a cell's source, which is one string or a list of strings, each with any number of lines."""
    if span is None or text[span[0]] not in '"[':
        return []
    pieces = [span] if text[span[0]] == '"' else [item for _, item in entries(text, span[0]) if text[item[0]] == '"']
    rows, row, begins = [], bisect_right(ends, span[0]) + 1, True
    for start, end in pieces:
        row = bisect_right(ends, start) + 1
        for line in LINE.findall(normalise(json.loads(text[start:end]))):
            rows += [row] if begins else []
            begins = line.endswith("\n")
    return [*rows, row] if begins else rows
