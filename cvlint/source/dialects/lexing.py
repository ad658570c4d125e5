"""A small tokenizer for text that may not be valid Python 3: Python 2, and cells with magics.

``tokenize`` fails at the first unknown construct, and differs between versions of Python. This tokenizer never fails
and takes linear time, and its joined tokens are the text again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

TOKEN = re.compile(
    r"""
    (?P<space>[ \t\f]+|\\\n)
  | (?P<comment>\#[^\n]*)
  | (?P<string>(?:[bB][rR]?|[rRuUfFtT][bBrRfFtT]?)?(?:
        \"\"\"(?:[^\\"]+|\\.?|"(?!""))*(?:\"\"\"|\Z)
      | '''(?:[^\\']+|\\.?|'(?!''))*(?:'''|\Z)
      | "(?:[^\\"\n]+|\\.?)*"?
      | '(?:[^\\'\n]+|\\.?)*'?))
  | (?P<number>\.?[0-9](?:[eE][+-]?[0-9]|[\w.])*)
  | (?P<name>[^\W\d]\w*)
  | (?P<newline>\n)
  | (?P<op><>|>>=?|<<=?|\*\*=?|//=?|->|:=|[-+*/%&|^@=<>!]=|.)
    """,
    re.VERBOSE | re.DOTALL,
)


class Token(NamedTuple):
    """A piece of text; ``depth`` is the number of brackets around it, not counting an opening bracket itself."""

    kind: str  # space, comment, string, number, name, newline, op
    text: str
    depth: int


def tokens(text: str) -> Iterator[Token]:
    """Split ``text``; a newline inside brackets has a ``depth`` above 0."""
    depth = 0
    for match in TOKEN.finditer(text):
        kind, piece = match.lastgroup or "op", match[0]
        if piece in {")", "]", "}"}:
            depth = max(0, depth - 1)
        yield Token(kind, piece, depth)
        if piece in {"(", "[", "{"}:
            depth += 1


def end_of_logical_line(text: str, start: int) -> int:
    """The position after the logical line that begins at ``start``: after a newline outside of brackets."""
    depth = 0
    for match in TOKEN.finditer(text, start):
        piece = match[0]
        if piece in {"(", "[", "{"}:
            depth += 1
        elif piece in {")", "]", "}"}:
            depth = max(0, depth - 1)
        elif piece == "\n" and not depth:
            return match.end()
    return len(text)
