"""The one folder of which an assistant may read files, whatever names and links it is given."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from cvlint.filesystem.regular_file import too_large
from cvlint.usage_error import UsageError

MOST_BYTES = 50_000_000
"""Bytes of a file of fold data."""


@dataclass(frozen=True, slots=True)
class ConfinedFolder:
    """A folder, by its real path."""

    root: Path

    @classmethod
    def at(cls, path: str) -> ConfinedFolder:
        """The folder at a path.

        Raises
        ------
        UsageError
            If it is no folder.
        """
        root = Path(os.path.realpath(path))
        if not root.is_dir():
            raise UsageError(f"The option --root cannot be '{path}', which is no folder")
        return cls(root)

    def path(self, name: str) -> Path:
        """The real path of a file or folder, from the root.

        Raises
        ------
        UsageError
            If there is none of this name, or if it leads out of the folder.
        """
        try:
            real = Path(os.path.realpath(self.root / name))
            is_there = real.exists()
        except (OSError, ValueError):  # a zero byte, or a name that is too long
            raise UsageError(f"The path {name[:80]!r} is no name of a file") from None
        if not real.is_relative_to(self.root):  # before it is told whether there is such a file
            raise UsageError(f"The path '{name}' leads out of the folder '{self.root}', and nothing outside is read")
        if not is_there:
            raise UsageError(f"There is no file or folder '{name}' in '{self.root}'")
        return real.relative_to(self.root)

    def paths(self, names: Sequence[str]) -> tuple[Path, ...]:
        """The real paths of several files and folders, from the root."""
        return tuple(self.path(name) for name in names)

    def fold_file(self, name: str) -> Path:
        """The real path of a file of fold data, from the root.

        Raises
        ------
        UsageError
            As by `path`, and if it is no regular file or too large.
        """
        path = self.path(name)
        whole = self.root / path
        if not whole.is_file():
            raise UsageError(f"The path '{name}' is no regular file")
        if (size := whole.stat().st_size) > MOST_BYTES:
            raise UsageError(f"The file '{name}' is not read: {too_large(size, MOST_BYTES)}")
        return path
