"""What is wrong with fold data that were given, in a sentence for the user."""

from __future__ import annotations


class FoldDataError(ValueError):
    """Fold data that cannot be used; the message names the file or argument, the column and the row.

    Parameters
    ----------
    message
        A sentence. Where it holds "in row {row}", that becomes the number of the row.
    row
        The sample it is about, from 0; None when it is about no single one.
    """

    def __init__(self, message: str, row: int | None = None) -> None:
        self.message = message
        self.row = row
        super().__init__(self.numbered(1))

    def numbered(self, first: int) -> str:
        """The message, the first sample being in row ``first``: in a CSV file the header is row 1."""
        return self.message if self.row is None else self.message.replace("{row}", str(self.row + first))
