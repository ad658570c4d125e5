"""What is wrong with fold data that were given, in a sentence for the user."""

from __future__ import annotations


class FoldDataError(ValueError):
    """Fold data that cannot be used; the message names the file or argument, the column and the row."""
