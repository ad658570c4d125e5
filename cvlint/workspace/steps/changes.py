"""What can differ between today's files and a copy of a commit: changed files, and those that import them.

The import closure is taken in both, because a file may have imported what is gone today.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from cvlint.source.file_bytes import load
from cvlint.source.links.importers import Importers
from cvlint.source.project import ROOT_MARKERS
from cvlint.workspace.snapshots.archives import is_code


class Changes:
    """The files of a repository that have changed since a commit.

    Parameters
    ----------
    root : Path
        The real folder of the repository.
    copy : Path
        The real folder with a copy of the commit.
    files : iterable of Path
        Today's files, which may lie outside of the repository.
    """

    def __init__(self, root: Path, copy: Path, files: Iterable[Path]) -> None:
        before = _files_below(copy)
        now = {_from(root, os.path.realpath(path)): path for path in files}
        now.update({name: root / name for name in before if name not in now and (root / name).is_file()})
        self._trees = ((root, Importers(list(now.values()))), (copy, Importers(list(before.values()))))
        self._names = names = now.keys() | before.keys()
        if _has_other_roots(root, copy, names):  # then imports may mean other files everywhere
            self._affected = frozenset(names)
            return
        changed = {name for name in names if _bytes(now.get(name)) != _bytes(before.get(name))}
        self._affected = frozenset(changed | self._importers(changed))

    def to_check(self, path: str) -> frozenset[str]:
        """The files whose analysis may find a fault in a file, if a change can have made a difference there.

        They are names from the root of the repository, and the file itself is one of them. If nothing can differ, there
        are none. A file that is neither in the commit nor among today's files, such as an ignored one, can differ.
        """
        name = _from(self._trees[0][0], os.path.realpath(path))
        files = frozenset({name} | self._importers({name}))
        return frozenset() if name in self._names and files.isdisjoint(self._affected) else files

    def _importers(self, names: Iterable[str]) -> set[str]:
        """The files that import some files, directly or through others, today or in the commit."""
        found: set[str] = set()
        for folder, importers in self._trees:
            importing = importers.all_of([folder / name for name in names])
            found.update(_from(folder, os.path.realpath(path)) for path in importing)
        return found


def _from(folder: Path, path: str) -> str:
    return os.path.relpath(path, folder).replace(os.sep, "/")


def _bytes(path: Path | None) -> object:
    """The content of a file; a new object, which equals nothing, for a file that is missing or cannot be read."""
    data = None if path is None else load(path, str(path))
    return data if isinstance(data, bytes) else object()


def _files_below(folder: Path) -> Mapping[str, Path]:
    """The code in a copy by its name; `discover` would leave out what today's exclusions name."""
    found = (Path(above, name) for above, _, names in os.walk(folder) for name in names)
    return {_from(folder, str(path)): path for path in found if is_code(path.name) or "." not in path.name}


def _has_other_roots(root: Path, copy: Path, names: Iterable[str]) -> bool:
    """Whether a folder with code, or one above it, is the root of a project in only one of the two."""
    folders = {str(above) for name in names for above in Path(name).parents if not name.startswith("..")}
    marks = [mark for mark in ROOT_MARKERS if mark != ".git"]
    return any((root / at / mark).exists() != (copy / at / mark).exists() for at in folders for mark in marks)
