"""Tables of plain text: columns of equal width, two spaces apart."""

from __future__ import annotations

from collections.abc import Callable, Sequence


def first_column(column: int, cell: str) -> bool:
    """Whether a cell stands in the first column."""
    return column == 0


def aligned(rows: Sequence[Sequence[str]], left: Callable[[int, str], bool] = first_column) -> list[str]:
    """The lines of a table.

    Parameters
    ----------
    rows
        The cells, the same number in each row.
    left
        Whether a cell, given by the number of its column and its text, begins at the left of its column; the others
        end at the right.
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = (
        "  ".join(
            cell.ljust(width) if left(i, cell) else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    )
    return [line.rstrip() for line in lines]
