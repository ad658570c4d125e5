"""Locations: a span of source text, as users count lines and columns."""

from __future__ import annotations

from cvlint.records import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Location:
    """A span of source text.

    Lines and columns count from 1; ``end_column`` is the column after the last character.
    In a notebook ``cell`` is the number among the code cells, from 1, and lines count inside the cell.
    """

    path: str
    cell: int | None
    line: int
    column: int
    end_line: int
    end_column: int

    @property
    def sort_key(self) -> tuple[str, int, int, int]:
        """Order by path, then by place in the file."""
        return (self.path, self.cell or 0, self.line, self.column)
