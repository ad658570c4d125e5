"""The error about fold data that cannot be used, with a sentence for the user."""

from __future__ import annotations


class FoldDataError(ValueError):
    """Fold data that cannot be used; the message names the file or argument, the column and the row.

    Parameters
    ----------
    message
        A sentence; its "{row}" is replaced by the number of the row.
    row
        The sample that the error is about, from 0; None when it is not about a single one.
    """

    def __init__(self, message: str, row: int | None = None) -> None:
        self.message = message
        self.row = row
        super().__init__(self.numbered(1))

    def numbered(self, first: int) -> str:
        """The message where the first sample is in row ``first``; in a CSV file row 1 is the header."""
        return self.message if self.row is None else self.message.replace("{row}", str(self.row + first))
