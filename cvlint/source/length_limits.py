"""Limits of a text that hold before it is parsed: what Python's own parser takes too much memory or time for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

MAX_WORDS = 400_000
"""Words and signs of a text: its syntax tree holds up to a kilobyte for each of them."""

MAX_FIELD_CHARACTERS = 3_000_000_000
"""Fields times characters of an f-string, added up over the f-strings of a text.

For each field the parser goes through the whole f-string: so many take it about two seconds, and ten times as many
fields in one f-string a hundred times as long.
"""

TOO_LONG = (
    f"too long to be checked: it has more than {MAX_WORDS:,} words and signs; "
    "move data out of the code, and the code that matters into a file of its own"
)

TOO_MANY_FIELDS = (
    "cannot be checked: Python's parser would take minutes for the f-string with {fields:,} fields that begins in line "
    "{line}; join shorter texts instead, or move the code that matters into a file of its own"
)

_WORD = re.compile(r"\w+|[^\w\s]|\n")
_BEGIN = re.compile(r"""#|(?P<prefix>\b[bfrtu]{1,2})?(?P<quote>\"""|\'\'\'|"|')""", re.IGNORECASE)
_END = {
    quote: re.compile(rf"\\.|{quote}" if len(quote) == 3 else rf"\\.|{quote}|\n", re.DOTALL)
    for quote in ('"', "'", '"""', "'''")
}


def reason_not_to_parse(text: str) -> str | None:
    """Why a text cannot be parsed in reasonable memory and time: a sentence without its subject, or None."""
    if is_too_long(text):
        return TOO_LONG
    if text.count("{") * len(text) <= MAX_FIELD_CHARACTERS:
        return None
    spent, worst, begin = 0, 0, 0
    for first, last in _f_strings(text):
        fields = text.count("{", first, last)
        spent += fields * (last - first)
        if fields > worst:
            worst, begin = fields, first
    if spent <= MAX_FIELD_CHARACTERS:
        return None
    return TOO_MANY_FIELDS.format(fields=worst, line=text.count("\n", 0, begin) + 1)


def _f_strings(text: str) -> Iterator[tuple[int, int]]:
    """Where the f-strings of a text begin and end."""
    place = 0
    while (found := _BEGIN.search(text, place)) is not None:
        if found["quote"] is None:  # a comment
            place = text.find("\n", found.end())
            if place < 0:
                return
            continue
        ends = _END[found["quote"]].finditer(text, found.end())
        place = next((end.end() for end in ends if end[0][0] != "\\"), len(text))
        if "f" in (found["prefix"] or "").lower():
            yield found.start(), place


def is_too_long(text: str) -> bool:
    """Whether the syntax tree of a text would need too much memory."""
    return len(text) > MAX_WORDS and next(islice(_WORD.finditer(text), MAX_WORDS, None), None) is not None
