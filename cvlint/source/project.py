"""Resolve imports: find the file of the same project that an import statement means, and note what was looked up."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Set
from functools import lru_cache
from itertools import islice
from pathlib import Path

from cvlint.records import dataclass, field

REPOSITORY = ".git"
ROOT_MARKERS = (REPOSITORY, "pyproject.toml", "setup.py", "setup.cfg")
"""A folder that holds one of these is the root of a project, unless it is a package below one."""

_FOREIGN = frozenset({"site-packages", "dist-packages", "node_modules", ".venv", "__pycache__"})
MAX_LEVELS_WITHOUT_ROOT = 4
"""The number of folders above a file in which its imports are looked up if the project has no root."""


Lookup = tuple[str, str, int]
"""The absolute path of the file with the import, the dotted name of the module, and the number of leading dots."""

UNREADABLE = ""
"""Stands in for the digest of a file that could not be read."""

UNKNOWN = "unknown"
"""Stands in for the digest of a text that came from elsewhere, such as an editor; no file has this digest."""


@dataclass(frozen=True, slots=True)
class AnalysisInputs:
    """The files and look-ups on which the result of an analysis depends, apart from the analysed file itself."""

    opened: Mapping[str, str] = field(default_factory=dict)
    """The digests of the opened files, by absolute path."""
    lookups: Mapping[Lookup, str | None] = field(default_factory=dict)
    """The file that each look-up found; None where it found none, so that a new file can change the answer."""
    writers: Mapping[tuple[str, str], str | None] = field(default_factory=dict)
    """The script that writes a file of data, by the one that reads it and the name of the file; None if none does."""


class ImportResolver:
    """Finds the files of a project that other files of it import.

    Parameters
    ----------
    root : Path, optional
        The folder that contains all files. By default it is the nearest folder above the importing file with one of
        `ROOT_MARKERS`, or the folder `MAX_LEVELS_WITHOUT_ROOT` levels above the file.
    """

    def __init__(self, root: Path | None = None) -> None:
        self._root = None if root is None else os.path.abspath(root)
        self._files: dict[tuple[str, str], str | None] = {}
        self._found: dict[tuple[str, str, int], tuple[str, ...]] = {}
        self._bases: dict[str, tuple[str, ...]] = {}
        self._search_paths: dict[str, tuple[str, ...]] = {}
        self._listings: dict[str, frozenset[str]] = {}
        self._roots: dict[str, bool] = {}
        self._looked_for = {"__init__.py"}

    def find(self, importer: Path, module: str, level: int) -> Path | None:
        """Find the file of a module that ``importer`` imports.

        Parameters
        ----------
        importer : Path
            The file with the import statement.
        module : str
            The dotted name, ``"a.b"``; may be empty for ``from . import x``.
        level : int
            The number of leading dots.

        Returns
        -------
        Path | None
            An absolute path, never ``importer`` itself; None for a module that is not in the project.
        """
        found = self.locate(os.path.abspath(importer), module, level)
        return None if found is None else Path(found)

    def locate(self, importer: str, module: str, level: int) -> str | None:
        """Do what `find` does, for absolute paths as text."""
        key = (os.path.dirname(importer), module, level)
        if key not in self._found:
            self._found[key] = tuple(islice(self._find(*key), 2))
        return next((found for found in self._found[key] if found != importer), None)

    def may_find(self, importer: str, names: Set[str]) -> bool:
        """Whether the beginning of an absolute import may mean a file of the project, or a folder."""
        folder = os.path.dirname(importer)
        wanted = {*names, *(f"{name}.py" for name in names)}
        return any(
            not self._names(base).isdisjoint(wanted) for base in self._bases_of(folder, self._search_path(folder))
        )

    def seen(self) -> tuple[dict[str, list[str]], list[str], dict[str, bool]]:
        """What the answers so far depend on.

        Returns
        -------
        tuple
            Which of the names that were looked for each folder held, these names, and whether folders were the root of
            a project; all as they were when the resolver looked.
        """
        names = frozenset(self._looked_for)
        return {folder: held(found, names) for folder, found in self._listings.items()}, sorted(names), self._roots

    def _find(self, folder: str, module: str, level: int) -> Iterator[str]:
        """The files that a module's name may mean in a folder, the first one first."""
        chain = self._search_path(folder)
        if not all(part.isidentifier() and part not in _FOREIGN for part in module.split(".") if module):
            return
        bases: tuple[str, ...] = ()
        if level:
            bases = chain[level - 1 : level]
        elif module:
            bases = self._bases_of(folder, chain)
        for base in bases:
            found = self._file(base, module)
            if found is not None:
                yield found

    def _bases_of(self, folder: str, chain: tuple[str, ...]) -> tuple[str, ...]:
        """The folders in which absolute imports are looked up: those above a folder, and their ``src`` if not empty."""
        if folder not in self._bases:
            both = (base for above in chain for base in (above, os.path.join(above, "src")))
            self._bases[folder] = tuple(base for base in both if self._names(base))
        return self._bases[folder]

    def _file(self, base: str, module: str) -> str | None:
        key = (base, module)
        if key not in self._files:
            self._files[key] = self._look(base, module)
        return self._files[key]

    def _look(self, base: str, module: str) -> str | None:
        """Look directly below ``base`` for a package first and then for a module, as Python does."""
        first = module.partition(".")[0]
        self._looked_for.update(part for name in module.split(".") for part in (name, f"{name}.py"))
        names = self._names(base)
        if module and names.isdisjoint((first, f"{first}.py")):
            return None
        stem = os.path.join(base, *module.split(".")) if module else base
        for folder in _folders_between(base, stem):
            self._names(folder)
        for path in (os.path.join(stem, "__init__.py"), f"{stem}.py" if module else ""):
            if path and os.path.isfile(path) and self._has_exact_case(base, path):
                return path
        return None

    def _has_exact_case(self, base: str, path: str) -> bool:
        """Compare the case of letters with the names on disk, because some file systems ignore it."""
        folder = base
        for part in os.path.relpath(path, base).split(os.sep):
            if part not in self._names(folder):
                return False
            folder = os.path.join(folder, part)
        return True

    def _names(self, folder: str) -> frozenset[str]:
        if folder not in self._listings:
            self._listings[folder] = importable_names(folder)
        return self._listings[folder]

    def _search_path(self, folder: str) -> tuple[str, ...]:
        """The folder and those above it, up to the root of the project."""
        if folder not in self._search_paths:
            self._search_paths[folder] = tuple(_folders_up(folder, self._root, self._roots))
        return self._search_paths[folder]


def importable_names(folder: str) -> frozenset[str]:
    """The names in a folder, without those that end as modules but are no files; none if it is not there."""
    try:
        with os.scandir(folder) as entries:
            return frozenset(one.name for one in entries if not one.name.endswith(".py") or _is_file(one))
    except OSError:
        return frozenset()


def _is_file(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_file()
    except OSError:  # a link to itself
        return False


def held(found: frozenset[str], names: frozenset[str]) -> list[str]:
    """Which of the names were found in a folder, and a dot unless it is empty."""
    return [".", *sorted(found & names)] if found else []


def _folders_between(base: str, stem: str) -> Iterator[str]:
    """The folders from a stem, which may be a package, up to the base."""
    while len(stem) > len(base):
        yield stem
        stem = os.path.dirname(stem)


def _folders_up(folder: str, root: str | None, roots: dict[str, bool]) -> list[str]:
    chain = [folder]
    while folder != root:
        if root is None:
            roots[folder] = is_root(folder)
            if roots[folder]:
                return chain
        above = os.path.dirname(folder)
        if above == folder or os.path.basename(above) in _FOREIGN:
            break
        folder = above
        chain.append(folder)
    else:
        return chain
    # There is no root above the folder. With a given root, search the importing file's own folder only.
    return chain[: 1 if root is not None else MAX_LEVELS_WITHOUT_ROOT + 1]


def outermost_project_root(folder: str) -> str | None:
    """Find the outermost root of a project at or above a folder: all imports of files in the folder stay inside it."""
    found = folder if is_root(folder) else None
    while (above := os.path.dirname(folder)) != folder:
        folder = above
        found = folder if is_root(folder) else found
    return found


def is_root(folder: str) -> bool:
    """Whether a folder is the root of a project, and not a package whose ``setup.py`` lies beside its modules."""
    marks = [mark for mark in ROOT_MARKERS if os.path.exists(os.path.join(folder, mark))]
    return bool(marks) and (REPOSITORY in marks or not os.path.exists(os.path.join(folder, "__init__.py")))


def repository(folder: Path) -> Path | None:
    """The nearest folder with ``.git``: the folder itself, or one above it."""
    found = repository_of(str(folder))
    return None if found is None else Path(found)


@lru_cache(maxsize=4096)
def repository_of(folder: str) -> str | None:
    """Do what `repository` does, for paths as text."""
    if os.path.exists(os.path.join(folder, ".git")):
        return folder
    above = os.path.dirname(folder)
    return None if above == folder else repository_of(above)
