"""Which file of the same project an import means."""

from __future__ import annotations

import os
from pathlib import Path

MARKS = (".git", "pyproject.toml", "setup.py", "setup.cfg")
_FOREIGN = frozenset({"site-packages", "dist-packages", "node_modules", ".venv", "venv", "__pycache__"})
LEVELS_WITHOUT_MARK = 4


class Imports:
    """Finds the files of a project that its files import.

    Parameters
    ----------
    root : Path, optional
        The folder to stay inside of. Without it, the nearest folder above the importing file with ``.git``,
        ``pyproject.toml``, ``setup.py`` or ``setup.cfg``; where there is none, at most four folders up.
    """

    def __init__(self, root: Path | None = None) -> None:
        self._root = None if root is None else os.path.abspath(root)
        self._files: dict[tuple[str, str], str | None] = {}
        self._chains: dict[str, tuple[str, ...]] = {}
        self._listings: dict[str, frozenset[str]] = {}

    def find(self, importer: Path, module: str, level: int) -> Path | None:
        """Find the file that ``importer`` means by a module.

        Parameters
        ----------
        importer : Path
            The file with the import.
        module : str
            The dotted name, ``"a.b"``; may be empty for ``from . import x``.
        level : int
            The number of leading dots.

        Returns
        -------
        Path | None
            An absolute path, never ``importer`` itself; nothing for modules from elsewhere.
        """
        own = os.path.abspath(importer)
        chain = self._chain(os.path.dirname(own))
        if not all(part.isidentifier() and part not in _FOREIGN for part in module.split(".") if module):
            return None
        if level:
            bases = chain[level - 1 : level]
        else:
            bases = tuple(base for folder in chain for base in (folder, os.path.join(folder, "src"))) if module else ()
        for base in bases:
            found = self._file(base, module)
            if found is not None and found != own:
                return Path(found)
        return None

    def _file(self, base: str, module: str) -> str | None:
        key = (base, module)
        if key not in self._files:
            self._files[key] = self._look(base, module)
        return self._files[key]

    def _look(self, base: str, module: str) -> str | None:
        """Look for a package or, as Python does, after it for a module directly below ``base``."""
        stem = os.path.join(base, *module.split(".")) if module else base
        for path in (os.path.join(stem, "__init__.py"), f"{stem}.py" if module else ""):
            if path and os.path.isfile(path) and self._is_spelled_so(base, path):
                return path
        return None

    def _is_spelled_so(self, base: str, path: str) -> bool:
        """Compare case with the names on disk, for file systems that do not."""
        folder = base
        for part in os.path.relpath(path, base).split(os.sep):
            if part not in self._names(folder):
                return False
            folder = os.path.join(folder, part)
        return True

    def _names(self, folder: str) -> frozenset[str]:
        if folder not in self._listings:
            try:
                self._listings[folder] = frozenset(os.listdir(folder))
            except OSError:
                self._listings[folder] = frozenset()
        return self._listings[folder]

    def _chain(self, folder: str) -> tuple[str, ...]:
        """Give the folder and those above it, up to the root of the project."""
        if folder not in self._chains:
            self._chains[folder] = tuple(_folders_up(folder, self._root))
        return self._chains[folder]


def _folders_up(folder: str, root: str | None) -> list[str]:
    chain = [folder]
    while folder != root and not (root is None and _is_root(folder)):
        above = os.path.dirname(folder)
        if above == folder or os.path.basename(above) in _FOREIGN:
            break
        folder = above
        chain.append(folder)
    else:
        return chain
    # No root was met on the way: stay near, or with the importer's own folder where a root was asked for.
    return chain[: 1 if root is not None else LEVELS_WITHOUT_MARK + 1]


def outermost_root(folder: str) -> str | None:
    """Find the outermost folder, at or above one, that is the root of a project: what is imported in it stays in it."""
    found = folder if _is_root(folder) else None
    while (above := os.path.dirname(folder)) != folder:
        folder = above
        found = folder if _is_root(folder) else found
    return found


def _is_root(folder: str) -> bool:
    return any(os.path.exists(os.path.join(folder, mark)) for mark in MARKS)
