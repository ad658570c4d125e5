"""A look at the bytes of a file, to parse only what can hold a finding."""

from __future__ import annotations

from collections.abc import Iterable


class Prefilter:
    """Tells whether bytes hold at least one of some words, whatever their case.

    One ``in`` for each word, over a copy in lower case, is several times as fast as a regular expression with
    alternatives: 0.3 to 0.8 ms a MB and word, against 17 ms for all words (150 ms if it ignores case by itself).
    A word that holds another word adds nothing and is dropped.
    """

    __slots__ = ("_needles",)

    def __init__(self, needles: Iterable[str]) -> None:
        kept: list[bytes] = []
        for needle in sorted({word.lower().encode() for word in needles}, key=lambda word: (len(word), word)):
            if not any(shorter in needle for shorter in kept):
                kept.append(needle)
        self._needles = tuple(kept)

    def may_hold(self, data: bytes) -> bool:
        """Tell whether one of the words is in ``data``; without any word nothing is."""
        lowered = data.lower()
        return any(needle in lowered for needle in self._needles)
