"""Search the bytes of a file for words, so that only files that can contain a finding are parsed."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

_IMPORT = re.compile(rb"(?:from|import)\b(?:\\\r?\n|[^\n(])*(?:\([^)]*\))?")
_NAME = re.compile(rb"[\w\x80-\xff]+|\.")

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


def imported_names(data: bytes) -> frozenset[bytes]:
    """The names in the import statements of a script or notebook, and a dot if an import is relative.

    The text is not parsed, so that this works for broken files too; the result can contain other words.
    """
    return frozenset(name for text in _IMPORT.findall(data) for name in _NAME.findall(text))


def importers(names: Mapping[Path, Collection[bytes]], modules: Iterable[Path]) -> list[Path]:
    """The files that import one of the modules by its name, from the folder above theirs or from folders below it."""
    by_stem: dict[bytes, list[str]] = {}
    for module in modules:
        by_stem.setdefault(module.stem.encode("utf-8", "surrogateescape"), []).append(str(module))
    found: list[Path] = []
    for path, imported in names.items():
        stems = [name for name in imported if name in by_stem]
        if stems:
            reach = _reach(str(path))
            if any(module.startswith(reach) for stem in stems for module in by_stem[stem]):
                found.append(path)
    return found


def _reach(path: str) -> str:
    """The beginning of the paths of modules that a file can import: those in the folder above its own, or below it."""
    folder = os.path.dirname(os.path.dirname(path))
    return os.path.join(folder, "") if folder else ""
