"""Rewrite f-strings of Python 3.12 and t-strings of 3.14 for older Pythons; names and calls keep their positions.

``f"{row["f1"]:.3f}"`` becomes the tuple ``( row["f1"],     )`` of the same length, so that a check under Python 3.10 or
3.11 finds the same as one under 3.14. The reader has a stack of its own, because recursion fails for deep nesting.
"""

from __future__ import annotations

import re

from cvlint.records import dataclass
from cvlint.source.dialects.lexing import TOKEN

_OPENING = re.compile(r"(?:[fFtT][rR]?|[rR][fFtT])(\"\"\"|'''|\"|')")
_TEXT = re.compile(r"\\N\{[^}\n]*\}|\\(?:.|\n)|\{\{|\}\}|[^\\{}\"'\n]+|.|\n")
_SELF_DOCUMENTING = re.compile(r"=\s*(?=[!:}])")


@dataclass(slots=True)
class _Part:
    """The part of an f-string that is read: its text, an expression, or a format specification."""

    kind: str
    quote: str = ""  # of the f-string
    depth: int = 0  # brackets that are open in the expression
    ended: bool = False  # whether ``!r``, ``:.3f`` or ``=`` ended the expression


def with_tuples(text: str) -> str:
    """Rewrite each f-string or t-string in ``text`` to a tuple of its values; unchanged if one of them does not end."""
    reader = _Reader(text)
    while reader.at < len(text):
        match reader.parts:
            case [*_, _Part(kind="text" | "specification")]:
                if not reader.read_text():
                    return text
            case _:
                reader.read_code()
    return text if reader.parts else "".join(reader.written)


class _Reader:
    """Reads a text and writes another one of the same length."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.written: list[str] = []
        self.parts: list[_Part] = []
        self.joins = False  # whether a string here would be joined to the f-string before it

    def write(self, piece: str, first: str = "", last: str = "") -> None:
        """Write ``first``, blanks, and ``last`` instead of ``piece``."""
        blank = "".join(c if c == "\n" else " " for c in piece[len(first) : len(piece) - len(last)])
        self.written.append(first + blank + last)
        self.at += len(piece)

    def keep(self, piece: str) -> None:
        """Write ``piece`` unchanged."""
        self.written.append(piece)
        self.at += len(piece)

    def read_code(self) -> None:
        """Read a token of the program, or of an expression in an f-string."""
        opening = _OPENING.match(self.text, self.at)
        if opening is not None:
            self.parts.append(_Part("text", opening[1]))
            self.joins = False
            self.write(opening[0], first="(")
            return
        found = TOKEN.match(self.text, self.at)
        assert found is not None  # every character is at least an operator
        kind, piece = found.lastgroup, found[0]
        if self.parts and kind == "op" and self.ends_expression(self.parts[-1], piece):
            return
        if kind == "string" and self.joins:
            self.write(piece)
            return
        if kind not in ("space", "comment", "newline"):
            self.joins = False
        self.keep(piece)

    def ends_expression(self, part: _Part, piece: str) -> bool:
        """Read the end of an expression (``}``, ``!``, ``:`` or an ``=`` before one of these), and count brackets."""
        self_documenting = _SELF_DOCUMENTING.match(self.text, self.at)
        match piece:
            case "(" | "[" | "{":
                part.depth += 1
                return False
            case "}" if part.depth == 0:
                self.parts.pop()
                self.write("}", first="" if part.ended else ",")
                return True
            case ")" | "]" | "}":
                part.depth -= 1
                return False
            case "!" | ":" | ":=" if part.depth == 0:
                self.write(piece[0], first="" if part.ended else ",")
                part.ended = True
                if piece != "!":
                    self.parts.append(_Part("specification", part.quote))
                else:
                    self.write(self.text[self.at : self.at + 1])
                return True
            case "=" if part.depth == 0 and self_documenting is not None:
                self.write(self_documenting[0], first=",")
                part.ended = True
                return True
            case _:
                return False

    def read_text(self) -> bool:
        """Read a piece of an f-string's text or of a format specification; False if the f-string does not end."""
        part = self.parts[-1]
        if self.text.startswith(part.quote, self.at):
            self.parts.pop()
            self.write(part.quote, last=")")
            self.joins = True
            return part.kind == "text"
        found = _TEXT.match(self.text, self.at)
        assert found is not None  # every character matches
        piece = found[0]
        if piece == "\n" and len(part.quote) == 1:
            return False
        if piece[0] == "{" and (piece == "{" or part.kind == "specification"):
            self.parts.append(_Part("expression", part.quote))
            piece = "{"
        elif piece[0] == "}" and part.kind == "specification":
            self.parts.pop()
            self.parts.pop()
            piece = "}"
        self.write(piece)
        return True
