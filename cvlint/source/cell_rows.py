"""Where the lines of a notebook's code cells stand in its file, which is JSON."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterator

from cvlint.source.decoding import Failure, decode_utf8, normalise

DECODER = json.JSONDecoder()
SPACE = re.compile(r"[ \t\n\r]*")
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
        An entry for each code cell, in order; nothing if this is no notebook.
    """
    text = decode_utf8(data)
    if isinstance(text, Failure):
        return []
    ends = [match.start() for match in re.finditer("\n", text)]
    try:
        cells = [_members(text, at) for at in _cells(text)]
        code = [cell for cell in cells if "cell_type" in cell and _value(text, cell["cell_type"]) == "code"]
        return [_rows(text, cell.get("source", cell.get("input")), ends) for cell in code]
    except (ValueError, LookupError, RecursionError):
        return []


def _cells(text: str) -> list[int]:
    """Where each cell begins: those of nbformat 4, or those in the worksheets of nbformat 3."""
    top = _members(text, _skip(text, 0))
    if "cells" in top:
        return _objects(text, top["cells"])
    return [at for sheet in _objects(text, top["worksheets"]) for at in _objects(text, _members(text, sheet)["cells"])]


def _objects(text: str, at: int) -> list[int]:
    return [item for item in _items(text, at) if text[item] == "{"]


def _rows(text: str, at: int | None, ends: list[int]) -> list[int]:
    """The rows of a source, which is one string or a list of strings; a string can hold several lines, or none."""
    if at is None or text[at] not in '"[':
        return []
    pieces = [at] if text[at] == '"' else [item for item in _items(text, at) if text[item] == '"']
    rows, row, begins = [], bisect_right(ends, at) + 1, True
    for piece in pieces:
        row = bisect_right(ends, piece) + 1
        for line in LINE.findall(normalise(_value(text, piece))):
            rows += [row] if begins else []
            begins = line.endswith("\n")
    return [*rows, row] if begins else rows


def _members(text: str, at: int) -> dict[str, int]:
    """Where the value of each key of an object begins."""
    members, at = {}, _opened(text, at, "{")
    while text[at] != "}":
        key, at = DECODER.raw_decode(text, at)
        members[key] = _skip(text, _skip(text, at) + 1)
        at = _next(text, members[key])
    return members


def _items(text: str, at: int) -> Iterator[int]:
    """Where each item of an array begins."""
    at = _opened(text, at, "[")
    while text[at] != "]":
        yield at
        at = _next(text, at)


def _opened(text: str, at: int, bracket: str) -> int:
    if text[at] != bracket:
        raise ValueError(f"no {bracket} here")
    return _skip(text, at + 1)


def _next(text: str, at: int) -> int:
    """Where the next member or item begins after the value at a place, or where their end is."""
    at = _skip(text, DECODER.raw_decode(text, at)[1])
    return _skip(text, at + 1) if text[at] == "," else at


def _value(text: str, at: int) -> str:
    value = DECODER.raw_decode(text, at)[0]
    return value if isinstance(value, str) else ""


def _skip(text: str, at: int) -> int:
    match = SPACE.match(text, at)
    return match.end() if match else at
