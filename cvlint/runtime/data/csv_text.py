"""The fields of a CSV file, by columns, in blocks of rows.

Most files with fold data quote nothing: splitting their text at commas takes a fraction of the time of Python's `csv`,
which reads all others, and every block that the quick way does not understand.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import TextIO

from cvlint.runtime.errors import FoldDataError

CHARACTERS = 1 << 19  # read at a time
ROWS = 20_000  # read at a time by `csv`; lists of more rows take longer to collect
END = "\n"
MOST_LINE = 50_000_000
"""Characters of a line: a million columns have a fifth of it, and a file without line ends would fill the memory."""


def header_of(path: Path, file: TextIO) -> list[str]:
    """The names in the first row of an open file."""
    rows = csv.reader(lines_of(path, file), strict=True)
    try:
        header = [name.strip() for name in next(rows, [])]
    except csv.Error as error:
        raise unreadable(path, rows.line_num, error) from None
    if not header:
        raise FoldDataError(f"{path} is empty: a line with the names of the columns is needed.")
    return header


def lines_of(path: Path, file: TextIO) -> Iterator[str]:
    """The lines of a file from where it stands."""
    while line := file.readline(MOST_LINE + 1):
        if len(line) > MOST_LINE:
            raise FoldDataError(
                f"{path} is no readable CSV: a line of it has more than {MOST_LINE:,} characters; a line for each "
                "sample is needed."
            )
        yield line


def column_blocks(path: Path, file: TextIO, width: int) -> Iterator[Sequence[Sequence[str]]]:
    """The fields of each column, for one block of rows after the other, from the second row of an open file on.

    Parameters
    ----------
    path
        The file, for messages.
    file
        It, opened without translation of the ends of lines, with its header already read.
    width
        The number of columns.

    Raises
    ------
    FoldDataError
        When the text is no CSV, or a row has another number of fields.
    """
    row = 2
    while text := file.read(CHARACTERS):
        text += next(lines_of(path, file), "")
        found = unquoted_columns(text, width)
        if found is None:
            yield from quoted_columns(path, chain(io.StringIO(text, newline=""), lines_of(path, file)), width, row)
            return
        yield found
        row += len(found[0])


def unquoted_columns(text: str, width: int) -> list[list[str]] | None:
    """The columns of whole lines without quotes; None where `csv` must read them."""
    if "\r" in text:
        text = text.replace("\r\n", END)
    if width < 2 or any(special in text for special in '"\r\0'):
        return None
    lines = text.count(END)
    if not text.endswith(END):
        text, lines = text + END, lines + 1
    # The end of each line becomes a field of its own, so that it shows whether all rows have the same length.
    fields = text.replace(END, f",{END},").split(",")
    if len(fields) != lines * (width + 1) + 1 or fields[width :: width + 1].count(END) != lines:
        return None
    return [fields[column : -1 : width + 1] for column in range(width)]


def quoted_columns(path: Path, lines: Iterator[str], width: int, row: int) -> Iterator[Sequence[Sequence[str]]]:
    """The same for any text, which begins with the given row."""
    rows = csv.reader(lines, strict=True)
    before = row - 1
    while True:
        try:
            block = list(islice(rows, ROWS))
        except csv.Error as error:
            raise unreadable(path, before + rows.line_num, error) from None
        if not block:
            return
        if set(map(len, block)) != {width}:
            i, found = next((i, found) for i, found in enumerate(block) if len(found) != width)
            raise FoldDataError(f"{path}, row {row + i}: it has {len(found)} values and the header {width} names.")
        yield list(zip(*block, strict=True))
        row += len(block)


def unreadable(path: Path, line: int, error: csv.Error) -> FoldDataError:
    """The error for a text that is no CSV."""
    return FoldDataError(f"{path} is no readable CSV at line {line}: {error}.")
