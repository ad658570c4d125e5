"""Text in pieces with styles, so that plain and coloured output have the same words."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING, Literal, NamedTuple

from cvlint.output.shared.locations import as_line
from cvlint.output.shared.wrapping import display_width, wrapped

if TYPE_CHECKING:
    from rich.text import Text

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
    """A piece of text and its style on a terminal."""

    text: str
    style: Style = ""
    path: str = ""
    """The file that a piece of the style "place" leads to, if its text does not name it."""
    address: str | None = None
    """The address of a page that the piece leads to."""


def plain(pieces: Iterable[Piece]) -> str:
    """Join the text of the pieces."""
    return "".join(piece.text for piece in pieces)


def closing_lines(text: str, columns: int | None, style: Style = "strong") -> Iterator[Piece]:
    """Write a sentence at the end of a report; on one line in a file or a pipe, where programs may look for it."""
    if columns is not None:
        yield from prose_lines(text, columns, style)
    elif text:
        yield Piece(f"{text}\n", style)


def prose_lines(text: str, columns: int | None, style: Style = "", indent: int = 0) -> Iterator[Piece]:
    """Write prose in lines that fit into the columns of a terminal (see `wrapped`); no line for no text."""
    for line in wrapped(text, columns, indent, indent) if text else ():
        yield Piece(" " * indent)
        yield Piece(as_line(line), style)
        yield Piece("\n")


def labelled_lines(label: str, text: str, columns: int | None, style: Style, used: int) -> Iterator[Piece]:
    """Write a label and prose behind it, whose further lines begin four columns to the right of the label.

    ``used`` are the columns to the left of the label, which the caller has filled.
    """
    first, *rest = wrapped(text, columns, used + display_width(label), used + 4)
    yield Piece(label if first else label.rstrip(), style)
    yield Piece(f"{first}\n")
    for line in rest:
        yield Piece(f"{'':{used + 4}}{as_line(line)}\n")


def show_coloured(pieces: Iterable[Piece], stream: IO[str]) -> None:
    """Write pieces in colours with the same words as `plain`; on a terminal, places are links to files."""
    from rich.console import Console
    from rich.text import Text

    linked = stream.isatty()
    encoding = getattr(stream, "encoding", None) or "utf-8"
    text = Text.assemble(*(_coloured(piece, encoding, linked) for piece in pieces))
    # The caller has decided to use colours, even if rich would detect no terminal.
    console = Console(file=stream, force_terminal=True, highlight=False, markup=False, emoji=False, soft_wrap=True)
    console.print(text, end="")


def _coloured(piece: Piece, encoding: str, linked: bool) -> Text:
    from rich.style import Style
    from rich.text import Text

    encodable = piece.text.encode(encoding, "backslashreplace").decode(encoding)
    style = Style.parse(COLOURS.get(piece.style, ""))
    link = piece.address if linked else None
    if linked and piece.style == "place":
        link = file_link(piece.path or piece.text)
    return Text(encodable, style + Style(link=link) if link else style)


def file_link(place: str) -> str | None:
    """The URI of the file in a place such as ``train.py:9:7`` or ``a.ipynb:cell 2:5:7``; None if there is no file."""
    found = re.fullmatch(r"(.+?)(?:(?::cell \d+)?(?::\d+){1,2})?", place)
    if found is None or not os.path.isfile(found[1]):
        return None  # standard input, or a name with replaced characters
    return Path(os.path.abspath(found[1])).as_uri()
