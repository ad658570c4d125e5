"""The lines of places, for excerpts and for tools; files are read again only where they hold a finding."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from cvlint.source.location import Location

if TYPE_CHECKING:
    from cvlint.output.shared.excerpt import SourceLines
    from cvlint.output.shared.prose import FileSpan
    from cvlint.source.module import Source


def source_lines(stdin: tuple[str, bytes] | None) -> SourceLines:
    """Make a function that gives the lines which the line numbers of a place count in.

    Parameters
    ----------
    stdin : tuple of str and bytes, or None
        Name and content of standard input, which cannot be read again.

    Returns
    -------
    callable
        Gives the lines of the file, or of the cell in a notebook; None where they cannot be had.
    """
    sources: dict[str, Source | None] = {}

    def lines(location: Location) -> Sequence[str] | None:
        if location.path not in sources:
            sources[location.path] = _read(location.path, stdin)
        source = sources[location.path]
        return _cell(source, location.cell) if source is not None else None

    return lines


def content(path: str, stdin: tuple[str, bytes] | None) -> bytes | None:
    """Read a file again, or standard input by its name; None where that cannot be done any more."""
    from cvlint.source.module import load

    data = stdin[1] if stdin is not None and path == stdin[0] else load(Path(path), path)
    return data if isinstance(data, bytes) else None


def _read(path: str, stdin: tuple[str, bytes] | None) -> Source | None:
    from cvlint.source.module import read_bytes

    data = content(path, stdin)
    return None if data is None else read_bytes(data, Path(path), path).source


def _cell(source: Source, number: int | None) -> Sequence[str] | None:
    if number is None:
        return source.original
    for cell in source.cells or ():
        if cell.number == number:
            return source.original[cell.first_line - 1 : cell.first_line - 1 + cell.lines]
    return None


def file_rows(stdin: tuple[str, bytes] | None) -> FileSpan:
    """Make a function that gives the first and the last line of a place in the text of its file.

    Tools that show a notebook as the JSON that it is need these lines.

    Parameters
    ----------
    stdin : tuple of str and bytes, or None
        Name and content of standard input, which cannot be read again.

    Returns
    -------
    callable
        Gives the two lines; None where the notebook cannot be read, or has changed since it was checked.
    """
    from cvlint.source.notebooks.cell_rows import cell_rows

    notebooks: dict[str, list[list[int]]] = {}

    def rows(location: Location) -> tuple[int, int] | None:
        if location.cell is None:
            return location.line, max(location.line, location.end_line)
        if location.path not in notebooks:
            data = content(location.path, stdin)
            notebooks[location.path] = [] if data is None else cell_rows(data)
        cells = notebooks[location.path]
        lines = cells[location.cell - 1] if location.cell <= len(cells) else []
        if location.line > len(lines):
            return None
        return lines[location.line - 1], lines[min(max(location.line, location.end_line), len(lines)) - 1]

    return rows
