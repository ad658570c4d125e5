"""Search the bytes of a file for words, so that only files that can contain a finding are parsed."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

_IMPORT = rb"(?:from|import)\b(?:\\\r?\n|[^\n(])*(?:\([^)]*\))?"  # compiled when they are needed
_NAME = rb"[\w\x80-\xff]+|\."

EDGE, JOINED = "|", " & "


class Prefilter:
    """Tells whether bytes contain at least one of several words, in any case of letters.

    A bar at an end of a word is a word boundary: ``|fold|`` is found in ``k_fold`` and ``fold_1``, not in ``folder``.
    Words joined by ``&`` must all occur. A plain search for each of a few parts, in a copy in lower case, is several
    times as fast as one regular expression with alternatives, and most files hold none of the parts that are rare.

    Parameters
    ----------
    words
        Lists of words by a part that all words of the list share. Where the part does not occur, the words are not
        searched for.
    """

    __slots__ = ("_cores", "_entries", "_groups", "_words")

    def __init__(self, words: Mapping[str, Iterable[str]]) -> None:
        known = self._words = dict[str, _Word]()
        self._entries = tuple(entry for entries in words.values() for entry in entries)
        self._groups = tuple(
            (
                part.lower().encode(),
                tuple(tuple(known.setdefault(w, _Word(w)) for w in _rarest_first(entry)) for entry in entries),
            )
            for part, entries in words.items()
        )
        self._cores = {text: word.core for text, word in known.items()}

    def words_in(self, text: str, among: Collection[str] | None = None) -> frozenset[str]:
        """The words in a text: all of them, or only those that are asked for."""
        lowered = text.lower().encode()
        cores = self._cores
        near = [word for word in (cores if among is None else among) if cores[word] in lowered]
        return frozenset([word for word in near if self._words[word].is_in(lowered)])

    def first_words(self, words: frozenset[str]) -> frozenset[str]:
        """The first words of the entries that these words complete: a finding needs a part of the code with one."""
        entries = (entry.split(JOINED) for entry in self._entries)
        return frozenset(entry[0] for entry in entries if words.issuperset(entry))

    def may_hold(self, data: bytes) -> bool:
        """Tell whether one of the words is in ``data``."""
        return self.may_hold_lowered(data.lower())

    def may_hold_lowered(self, lowered: bytes) -> bool:
        """Tell whether one of the words is in bytes without capital letters."""
        known: dict[_Word, bool] = {}  # the same word may stand in several entries

        def holds(word: _Word) -> bool:
            if word not in known:
                known[word] = word.is_in(lowered)
            return known[word]

        for part, alternatives in self._groups:
            if part in lowered and any(all(map(holds, words)) for words in alternatives):
                return True
        return False


def _rarest_first(entry: str) -> list[str]:
    """The words that must all occur, the longest first: it is the one that most files do without."""
    return sorted(entry.split(JOINED), key=lambda word: -len(word.strip(EDGE)))


class _Word:
    """The letters of a word, and the pattern for what must stand around them; compiled when they are first there."""

    __slots__ = ("_bounded", "_pattern", "core")

    def __init__(self, text: str) -> None:
        self.core = text.strip(EDGE).lower().encode()
        self._pattern: re.Pattern[bytes] | None = None
        # What precedes is checked last: a pattern that begins with letters is searched for like a plain word.
        core = re.escape(self.core)
        before = rb"(?<![a-z]" + core + rb")" if text.startswith(EDGE) else b""
        behind = rb"(?![a-z])" if text.endswith(EDGE) else b""
        self._bounded = core + before + behind if before or behind else b""

    def is_in(self, lowered: bytes) -> bool:
        """Whether the word stands in bytes without capital letters."""
        if not self._bounded or self.core not in lowered:
            return self.core in lowered
        if self._pattern is None:
            self._pattern = re.compile(self._bounded)
        return self._pattern.search(lowered) is not None


def imported_names(data: bytes) -> frozenset[bytes]:
    """The names in the import statements of a script or notebook, and a dot if an import is relative.

    The text is not parsed, so that this works for broken files too; the result can contain other words.
    """
    return frozenset(name for text in re.findall(_IMPORT, data) for name in re.findall(_NAME, text))


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
