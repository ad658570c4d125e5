"""Findings, comments and unread files as JSON: a list with the letter of the class, and then its fields in order.

JSON and not pickle, because a file of the cache must never be able to run code.
"""

from __future__ import annotations

import json
from typing import Any

from cvlint.findings.finding import Finding, Fix, TraceStep
from cvlint.findings.suppression.ignore import Ignore
from cvlint.records import field_names
from cvlint.source.location import Location
from cvlint.source.unread_file import UnreadFile

CLASSES: dict[str, type[Any]] = {
    "F": Finding,
    "X": Fix,
    "T": TraceStep,
    "L": Location,
    "U": UnreadFile,
    "I": Ignore,
    "(": tuple,
}
LETTERS = {kind: letter for letter, kind in CLASSES.items()}
NAMES = {kind: field_names(kind) for kind in CLASSES.values() if kind is not tuple}


def encoded(value: object) -> Any:
    """A value as lists, texts, numbers and None.

    Raises
    ------
    TypeError
        If it holds an object of another class.
    """
    if value is None or isinstance(value, str | int):
        return value
    if isinstance(value, tuple):
        return ["(", *map(encoded, value)]
    if type(value) not in NAMES:
        raise TypeError(f"the cache cannot keep a {type(value).__name__}")
    return [LETTERS[type(value)], *(encoded(getattr(value, name)) for name in NAMES[type(value)])]


def decoded(value: Any) -> Any:
    """The value that `encoded` made a list of.

    Raises
    ------
    TypeError, KeyError
        If it did not make this list.
    """
    if not isinstance(value, list):
        return value
    letter, *parts = value
    inner = [decoded(part) if isinstance(part, list) else part for part in parts]
    return tuple(inner) if letter == "(" else CLASSES[letter](*inner)


_DECODE = json.JSONDecoder().decode


def to_line(value: object) -> bytes:
    """JSON in one line of ASCII, without tabs."""
    return json.dumps(value, separators=(",", ":")).encode()


def from_line(line: bytes) -> Any:
    """The value of such a line.

    Raises
    ------
    ValueError
        If it is not JSON.
    """
    return _DECODE(line.decode())
