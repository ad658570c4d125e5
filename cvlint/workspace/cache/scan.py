"""What the bytes of a file tell without parsing them: whether a finding is possible, what it imports, and comments."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from cvlint.findings.suppression.ignore import may_hold_comments
from cvlint.records import dataclass
from cvlint.source.prefilter import Prefilter, imported_names


@dataclass(frozen=True, slots=True)
class FileScan:
    """What the bytes of a file tell."""

    digest: str
    """The digest of the bytes; empty where nothing is kept between runs."""
    is_candidate: bool
    """Whether the file may hold a finding of its own."""
    size: int
    imported: frozenset[bytes]
    """The names in its import statements; empty for a candidate, which is analysed in any case."""
    may_hold_ignores: bool
    """Whether it may contain a comment that suppresses findings."""
    may_hold_unused: bool
    """Whether it may contain such a comment that is for cvlint alone."""

    def fields(self) -> list[Any]:
        """All but the digest, for `of`."""
        names = b" ".join(sorted(self.imported)).decode("latin-1")
        return [self.is_candidate, self.size, names, self.may_hold_ignores, self.may_hold_unused]

    @classmethod
    def of(cls, digest: str, fields: list[Any]) -> FileScan:
        """The scan whose `fields` were kept."""
        is_candidate, size, names, *ignores = fields
        return cls(digest, is_candidate, size, frozenset(names.encode("latin-1").split()), *ignores)


def scanner(load_words: Callable[[], Prefilter]) -> Callable[[bytes], FileScan]:
    """A function that scans bytes; it loads the words of the prefilter when it is first called."""
    words: list[Prefilter] = []

    def scan(data: bytes) -> FileScan:
        if not words:
            words.append(load_words())
        lowered = data.lower()
        is_candidate = words[0].may_hold_lowered(lowered) or b"\0" in data
        imported = frozenset[bytes]() if is_candidate else imported_names(data)
        return FileScan("", is_candidate, len(data), imported, *may_hold_comments(lowered))

    return scan


def load_prefilter(*own_knowledge: Path) -> Prefilter:
    """The prefilter with the words of metrics, splitters and searches: a file without any of them holds no finding."""
    from cvlint.knowledge.loader import load_prefilter_words

    return Prefilter(load_prefilter_words(*own_knowledge))
