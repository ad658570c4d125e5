"""The state of the folders in which imports were looked up: while it is the same, each import means the same file.

To look at some hundred folders is much less work than to resolve some thousand imports again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from cvlint.records import dataclass
from cvlint.source.project import ImportResolver, held, importable_names, is_root


@dataclass(frozen=True, slots=True)
class Tree:
    """The names of lines with imports that are valid for a state of folders, and this state."""

    lines: list[str]
    folders: Mapping[str, list[str]]
    """Which of the names that were looked for each folder holds."""
    looked_for: list[str]
    roots: Mapping[str, bool]
    """Whether folders are roots of projects."""

    @classmethod
    def of(cls, lines: Iterable[str], resolver: ImportResolver) -> Tree:
        """The state in which a resolver found that the imports of lines mean the same as before."""
        return cls(sorted(lines), *resolver.seen())

    def is_unchanged(self) -> bool:
        """Whether all folders still hold what they held."""
        names = frozenset(self.looked_for)
        same = all(held(importable_names(folder), names) == found for folder, found in self.folders.items())
        return same and all(is_root(folder) == known for folder, known in self.roots.items())

    def fields(self) -> list[Any]:
        """The fields, which JSON can hold."""
        return [self.lines, self.folders, self.looked_for, self.roots]
