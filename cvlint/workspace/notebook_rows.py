"""The lines of places in the text of their files, for the tools that show a notebook as the JSON it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cvlint.source.location import Location
from cvlint.workspace.source_lines import content

if TYPE_CHECKING:
    from cvlint.output.shared.prose import Rows


def file_rows(stdin: tuple[str, bytes] | None) -> Rows:
    """Make a function that gives the first and the last line of a place in the text of its file.

    Parameters
    ----------
    stdin : tuple of str and bytes, or None
        Name and content of standard input, which cannot be read again.

    Returns
    -------
    callable
        Gives the two lines; None where the notebook is not to be had, or has changed since it was checked.
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
