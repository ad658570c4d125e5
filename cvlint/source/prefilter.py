"""Search the bytes of a file for words, so that only files that can contain a finding are parsed."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

EDGE, JOINED = "|", " & "
LETTERS = frozenset(b"abcdefghijklmnopqrstuvwxyz")


class Prefilter:
    """Tells whether bytes contain at least one of several words, in any case of letters.

    A bar at an end of a word is a word boundary: ``|fold|`` is found in ``k_fold`` and ``fold_1``, not in ``folder``.
    Words joined by ``&`` must all occur. One search for each word, in a copy in lower case, is several times as fast as
    a regular expression with alternatives.

    Parameters
    ----------
    words
        Lists of words by a part that all words of the list share. Where the part does not occur, the words are not
        searched for.
    """

    __slots__ = ("_groups",)

    def __init__(self, words: Mapping[str, Iterable[str]]) -> None:
        self._groups = tuple(
            (part.lower().encode(), tuple(tuple(_Word.of(w) for w in entry.split(JOINED)) for entry in entries))
            for part, entries in words.items()
        )

    @classmethod
    def of_parts(cls, words: Mapping[str, Iterable[str]]) -> Prefilter:
        """The prefilter for parts of a file: of words that must all occur, the first is enough."""
        return cls({part: [entry.split(JOINED)[0] for entry in entries] for part, entries in words.items()})

    def may_hold(self, data: bytes) -> bool:
        """Tell whether one of the words is in ``data``."""
        lowered = data.lower()
        for part, alternatives in self._groups:
            if part in lowered and any(all(_holds(lowered, *word) for word in words) for words in alternatives):
                return True
        return False


class _Word(NamedTuple):
    """The letters of a word, and whether a word boundary must precede or follow it."""

    core: bytes
    left: bool
    right: bool

    @classmethod
    def of(cls, text: str) -> _Word:
        return cls(text.strip(EDGE).lower().encode(), text.startswith(EDGE), text.endswith(EDGE))


def _holds(data: bytes, core: bytes, left: bool, right: bool) -> bool:
    """Tell whether ``core`` is in ``data``, with no letter before it (``left``) or after it (``right``)."""
    place = data.find(core)
    while place >= 0:
        end = place + len(core)
        before = left and place > 0 and data[place - 1] in LETTERS
        behind = right and end < len(data) and data[end] in LETTERS
        if not (before or behind):
            return True
        place = data.find(core, end)
    return False


def importers(names: Mapping[Path, Collection[bytes]], modules: Iterable[Path]) -> list[Path]:
    """The files that import one of the modules by its name, from a folder around them or below."""
    found: list[Path] = []
    for path, imported in names.items():
        if any(module.stem.encode() in imported and is_within_reach(path, module) for module in modules):
            found.append(path)
    return found


def is_within_reach(path: Path, module: Path) -> bool:
    """Whether a module lies in the folder of a file or below it, or in a folder beside it."""
    return module.is_relative_to(path.parent) or module.is_relative_to(path.parent.parent)
