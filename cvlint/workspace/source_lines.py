"""The source lines of a location, for excerpts and for tools; only files with findings are read again.

Standard input cannot be read again, so its content is kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from cvlint.findings.source_text import FileSpan, SourceLines
from cvlint.source.location import Location

if TYPE_CHECKING:
    from cvlint.workspace.request import Stdin

_Lines = tuple[Sequence[str], "tuple[range, ...] | None"]
"""The lines of a file, and those of each cell of a notebook."""


def source_lines(stdin: Stdin) -> SourceLines:
    """Make a function that gives the lines in which the line numbers of a location count; it reads each file once."""
    files: dict[str, _Lines | None] = {}

    def lines(location: Location) -> Sequence[str] | None:
        if location.path not in files:
            files[location.path] = _read(location.path, stdin)
        found = files[location.path]
        return _cell_lines(*found, location.cell) if found is not None else None

    return lines


def file_content(path: str, stdin: Stdin) -> bytes | None:
    """Read a file again, or standard input by its name; None if it can no longer be read."""
    from cvlint.source.file_bytes import load

    data = stdin[1] if stdin is not None and path == stdin[0] else load(Path(path), path)
    return data if isinstance(data, bytes) else None


def _read(path: str, stdin: Stdin) -> _Lines | None:
    from cvlint.source.module import original_lines

    data = file_content(path, stdin)
    return None if data is None else original_lines(data, path)


def _cell_lines(lines: Sequence[str], cells: tuple[range, ...] | None, number: int | None) -> Sequence[str] | None:
    """The lines of a notebook cell; all lines of a script, which has no cells."""
    if number is None:
        return lines
    found = cells or ()
    return lines[found[number - 1].start - 1 : found[number - 1].stop - 1] if number <= len(found) else None


def file_rows(stdin: Stdin) -> FileSpan:
    """Make a function that gives the first and the last line of a location in the text of its file.

    Tools that show the JSON text of a notebook need these lines. The function gives None if the notebook cannot be
    read, or has changed since it was checked.
    """
    notebooks: dict[str, list[list[int]]] = {}

    def rows(location: Location) -> tuple[int, int] | None:
        if location.cell is None:
            return location.line, max(location.line, location.end_line)
        if location.path not in notebooks:
            from cvlint.source.notebooks.cell_rows import cell_rows

            data = file_content(location.path, stdin)
            notebooks[location.path] = [] if data is None else cell_rows(data)
        cells = notebooks[location.path]
        lines = cells[location.cell - 1] if location.cell <= len(cells) else []
        if location.line > len(lines):
            return None
        return lines[location.line - 1], lines[min(max(location.line, location.end_line), len(lines)) - 1]

    return rows
