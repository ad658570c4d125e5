"""Cut excerpts out of source lines, with marked columns as a terminal shows them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from cvlint.output.shared.locations import COMMAND, printable
from cvlint.output.shared.wrapping import ELLIPSIS, char_width
from cvlint.records import dataclass
from cvlint.source.location import Location

TAB = 4
WIDEST = 100  # columns of source that are shown where the caller names no number; longer lines are cut
BEFORE = 0.3  # of these columns lie before a span that begins far to the right
MOST_LINES = 4  # a longer span shows its first two lines and its last


@dataclass(frozen=True, slots=True)
class Row:
    """One shown line: its number (None for an ellipsis), its text, and the marked columns."""

    number: int | None
    text: str
    start: int = 0
    width: int = 0


def excerpt(lines: Sequence[str], location: Location, widest: int = WIDEST) -> list[Row]:
    """Cut out the lines of a span.

    Parameters
    ----------
    lines : sequence of str
        The lines that the location counts in, without line ends.
    location : Location
        The span.
    widest : int
        The columns of source that are shown; a longer line is cut, and has an ellipsis at each cut.

    Returns
    -------
    list of Row
        Empty if the lines do not exist, because the file has changed since the check.
    """
    first, last = location.line, max(location.line, location.end_line)
    if not 1 <= first <= len(lines):
        return []
    numbers = range(first, min(last, len(lines)) + 1)
    if len(numbers) <= MOST_LINES:
        return [_row(lines[number - 1], number, location, widest) for number in numbers]
    head = [_row(lines[number - 1], number, location, widest) for number in numbers[:2]]
    return [*head, Row(None, ELLIPSIS), _row(lines[numbers[-1] - 1], numbers[-1], location, widest)]


def first_line(lines: Sequence[str], location: Location, widest: int = WIDEST) -> Row | None:
    """Cut out the first line of a span."""
    rows = excerpt(lines[: location.line], location, widest)
    return rows[0] if rows else None


def _row(line: str, number: int, location: Location, widest: int) -> Row:
    line = line.rstrip("\r\n\f ")
    indent = len(line) - len(line.lstrip())
    start = location.column - 1 if number == location.line else indent
    end = location.end_column - 1 if number == location.end_line else len(line)
    start = max(0, min(start, len(line)))
    end = max(start, min(end, len(line)))
    return _cut(line, number, start, end, widest)


def _cut(line: str, number: int, start: int, end: int, widest: int) -> Row:
    """Lay out a line in columns; cut a line that is too wide to the part around the span."""
    shown, columns = _laid_out(line)
    left, right, whole = columns[start], columns[end], columns[-1]
    if whole <= widest:
        return Row(number, "".join(shown), left, max(right - left, 1 if line else 0))
    before_span = int(BEFORE * widest)
    low = 0 if left < widest - before_span else left - before_span
    kept = [i for i in range(len(line)) if columns[i] >= low and columns[i + 1] <= low + widest]
    if not kept:
        return Row(number, ELLIPSIS)
    low, high = columns[kept[0]], columns[kept[-1] + 1]
    before = ELLIPSIS if low > 0 else ""
    after = ELLIPSIS if high < whole else ""
    text = before + "".join(shown[kept[0] : kept[-1] + 1]) + after
    left = max(left, low)
    return Row(number, text, left - low + len(before), max(min(right, high) - left, 1))


def _laid_out(line: str) -> tuple[list[str], list[int]]:
    """Return the shown text of each character, and the column where each begins (and where the last one ends)."""
    if line.isascii() and line.isprintable() and "##" not in line:  # almost every line
        return list(line), list(range(len(line) + 1))
    shown, columns = [], [0]
    commands = {found.start() + 1 for found in re.finditer(COMMAND, line)}
    for place, char in enumerate(line):
        if char == "\t":
            text, width = " " * (TAB - columns[-1] % TAB), TAB - columns[-1] % TAB
        elif place in commands:
            text, width = " #", 2  # see `printable`
        else:
            text = printable(char)
            width = char_width(text)
        shown.append(text)
        columns.append(columns[-1] + width)
    return shown, columns
