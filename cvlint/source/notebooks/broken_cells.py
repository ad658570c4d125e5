"""Keep what can be read of a cell that is not valid Python: the statements before and after the one that is broken.

A cell often holds the imports of the whole notebook beside one statement that never ran.
"""

from __future__ import annotations

from cvlint.source.decoding import Failure

MOST_BROKEN = 4
"""Statements that are left out of one cell; a cell with more of them is no code."""

CONTINUES = (" ", "\t", ")", "]", "}", "#", "@")
"""How lines begin that begin no statement at the top level of a cell; a decorator belongs to what follows it."""


def without_statement(text: str, failure: Failure) -> str | None:
    """A cell without its statement at the place of an error.

    Parameters
    ----------
    text
        The cell.
    failure
        Why it is not valid Python, with the line of the error.

    Returns
    -------
    str | None
        The cell with as many lines, of which those of the statement are blank; None where there is no such statement,
        or where nothing else is in the cell.
    """
    lines = text.split("\n")
    if failure.line is None or failure.line > len(lines):
        return None
    starts = [i for i, line in enumerate(lines) if line.strip() and not line.startswith(CONTINUES)]
    at = max((i for i in starts if i < failure.line), default=None)
    if at is None:
        return None
    end = next((i for i in starts if i > at), len(lines))
    while at > 0 and lines[at - 1].startswith("@"):
        at -= 1
    left = [*lines[:at], *([""] * (end - at)), *lines[end:]]
    return "\n".join(left) if any(line.strip() for line in left) else None
