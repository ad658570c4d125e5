"""The fields of a CSV file, by columns, in blocks of rows.

Most files with fold data quote nothing: splitting their text at commas takes a fraction of the time of Python's `csv`,
which reads all others, and every block that the quick way does not understand. Of ASCII text, numbers with up to
`DIGITS` digits and labels of one or two characters are read for a whole block at once, without a text for each.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import chain, islice
from pathlib import Path
from typing import Any, TextIO

import numpy as np
from numpy.typing import NDArray

from cvlint.runtime.errors import FoldDataError

CHARACTERS = 1 << 19  # read at a time
ROWS = 20_000  # read at a time by `csv`; lists of more rows take longer to collect
END = "\n"
MOST_LINE = 50_000_000
"""Characters of a line: a million columns have a fifth of it, and a file without line ends would fill the memory."""
COMMA, NEWLINE, MINUS, POINT, ZERO = (np.uint8(ord(one)) for one in ",\n-.0")
DIGITS = 15  # a number with so many digits, and 10 to this power, are whole in double precision: their ratio is exact
LONGEST = DIGITS + 2  # of a text with so many digits, a sign and a point
POWERS = 10.0 ** np.arange(LONGEST + 1)
MANY = 1_000  # columns: the texts of all of them take longer to make than those that are asked for
SHORT = 2  # characters of a label that is looked up by its bytes


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
        found = plain_columns(text, width) or unquoted_columns(text, width)
        if found is None:
            yield from quoted_columns(path, chain(io.StringIO(text, newline=""), lines_of(path, file)), width, row)
            return
        yield found
        row += len(found[0])


def plain_columns(text: str, width: int) -> PlainColumns | None:
    """The columns of whole lines of ASCII without quotes; None for other text."""
    if width < 2 or not text.isascii() or any(special in text for special in '"\r\0'):
        return None
    block = text if text.endswith(END) else text + END
    characters = np.frombuffer(block.encode("ascii"), dtype=np.uint8)
    ends = np.flatnonzero((characters == COMMA) | (characters == NEWLINE))
    is_last = np.arange(len(ends)) % width == width - 1
    if len(ends) % width or ((characters[ends] == NEWLINE) != is_last).any():
        return None
    starts = np.concatenate(([0], ends[:-1] + 1)).reshape(-1, width)
    lengths = ends.reshape(-1, width) - starts
    return PlainColumns(PlainText(block, width, characters), starts, lengths)


class PlainText:
    """A block of whole lines without quotes, whose fields become texts only where they are asked for."""

    def __init__(self, text: str, width: int, characters: NDArray[np.uint8]) -> None:
        self.text, self.width, self.characters = text, width, characters

    @cached_property
    def columns(self) -> Sequence[Sequence[str]]:
        """The texts of all columns."""
        found = unquoted_columns(self.text, self.width)
        if found is None:
            raise ValueError("the block is no plain text")
        return found


class PlainColumns(Sequence["PlainColumn"]):
    """The columns of a block, each of which is made where it is asked for: there may be a million."""

    def __init__(self, block: PlainText, starts: NDArray[np.intp], lengths: NDArray[np.intp]) -> None:
        self.block, self.starts, self.lengths = block, starts, lengths

    def __len__(self) -> int:
        return self.block.width

    def __getitem__(self, place: Any) -> Any:
        return PlainColumn(self.block, place, self.starts[:, place], self.lengths[:, place])


class PlainColumn(Sequence[str]):
    """The fields of one column of a block."""

    def __init__(self, block: PlainText, place: int, starts: NDArray[np.intp], lengths: NDArray[np.intp]) -> None:
        self.block, self.place, self.starts, self.lengths = block, place, starts, lengths

    def __len__(self) -> int:
        return len(self.starts)

    def __getitem__(self, row: Any) -> Any:
        if not isinstance(row, int):
            return self.block.columns[self.place][row]
        start = self.starts[row]
        return self.block.text[start : start + self.lengths[row]]

    def __iter__(self) -> Iterator[str]:
        if self.block.width > MANY:
            return (self[row] for row in range(len(self)))
        return iter(self.block.columns[self.place])

    def __contains__(self, text: object) -> bool:
        return not self.lengths.all() if text == "" else any(text == own for own in self)

    def codes(self) -> NDArray[np.intp] | None:
        """A number for each text, from its one or two characters; None where some are shorter or longer."""
        if self.lengths.min() < 1 or self.lengths.max() > SHORT:
            return None
        first = self.block.characters[self.starts].astype(np.intp)
        second = self.block.characters[np.minimum(self.starts + 1, len(self.block.characters) - 1)]
        return first * 256 + np.where(self.lengths == SHORT, second, 0)

    def numbers(self) -> NDArray[np.float64]:
        """The numbers that the texts are.

        Raises
        ------
        ValueError
            Where one is no number.
        """
        if self.lengths.max() > LONGEST:
            return np.fromiter(map(float, self), np.float64, len(self))
        value, (digits, decimals) = np.zeros(len(self)), np.zeros((2, len(self)), dtype=np.int8)
        seen, other = np.zeros((2, len(self)), dtype=np.bool_)  # a point; what is no plain number
        characters, last = self.block.characters, len(self.block.characters) - 1
        minus = (characters[self.starts] == MINUS) & (self.lengths > 0)
        for place in range(int(self.lengths.max())):
            here, inside = characters[np.minimum(self.starts + place, last)], place < self.lengths
            digit = here - ZERO  # of unsigned bytes: above 9 for all others
            is_digit, is_point = inside & (digit <= 9), inside & (here == POINT)
            other |= (inside & ~is_digit & ~is_point & ~(minus & (place == 0))) | (is_point & seen)
            seen |= is_point
            value = np.where(is_digit, 10 * value + digit, value)
            digits += is_digit
            decimals += is_digit & seen
        other |= (digits < 1) | (digits > DIGITS)
        value = value / POWERS[decimals]
        value = np.where(minus, -value, value)
        for row in np.flatnonzero(other).tolist():
            value[row] = float(self[row])
        return value


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
