"""Text in pieces that know their style, so that the plain and the coloured output cannot differ in words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import IO, Literal, NamedTuple

Style = Literal["", "place", "error", "warning", "note", "strong", "mark", "faint", "advice"]

COLOURS: dict[Style, str] = {
    "place": "bold",
    "error": "bold red",
    "warning": "bold yellow",
    "note": "bold cyan",
    "strong": "bold",
    "mark": "red",
    "faint": "dim",
    "advice": "green",
}


class Piece(NamedTuple):
    """A stretch of text and the style it is shown in on a terminal."""

    text: str
    style: Style = ""


def plain(pieces: Iterable[Piece]) -> str:
    """Join the text of the pieces."""
    return "".join(piece.text for piece in pieces)


def show_coloured(pieces: Iterable[Piece], stream: IO[str]) -> None:
    """Write the pieces to a terminal in colours, with the very words of `plain`."""
    from rich.console import Console
    from rich.text import Text

    console = Console(file=stream, highlight=False, markup=False, emoji=False, soft_wrap=True)
    console.print(Text.assemble(*((text, COLOURS.get(style, "")) for text, style in pieces)), end="")
