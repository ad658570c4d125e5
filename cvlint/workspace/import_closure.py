"""How far a check reaches: what is found in a file may be found only through another one that imports it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path

from cvlint.source.importers import MAX_IMPORTERS, Importers, imported_names
from cvlint.source.project import MAX_LEVELS_WITHOUT_ROOT, outermost_project_root


class ImportClosure:
    """Tells of which files a check has seen all that leads to findings in them.

    Parameters
    ----------
    files : iterable of str
        The files that were checked and could be read in full.
    """

    def __init__(self, files: Iterable[str]) -> None:
        self._files = files
        self._projects: dict[str, _Project] = {}

    def is_complete(self, path: str) -> bool:
        """Tell whether a file was checked, and with it every file of its project that may import it.

        Of a file in no project, those below the working directory count, or else below its own folder, and those that
        lie in a folder not far above. What a config or the command line excludes is part of the project, what git
        ignores is not.
        """
        real = os.path.realpath(path)
        if real not in self._checked and os.path.isfile(real):
            return False
        if not real.endswith(".py"):
            return True  # no other file can import it
        inside = os.path.dirname(real)
        root = outermost_project_root(inside)
        folder = root or _near(inside)
        if folder not in self._projects:
            self._projects[folder] = _Project(folder, () if root else _above(folder), self._checked)
        return not self._projects[folder].may_import(Path(real))

    @cached_property
    def _checked(self) -> frozenset[str]:
        return frozenset(map(os.path.realpath, self._files))


class _Project:
    """The files below a folder, and some above it; some of them were checked."""

    def __init__(self, folder: str, above: Iterable[Path], checked: frozenset[str]) -> None:
        from cvlint.source.discovery import discover

        self._files = [*above, *(path for path in discover((Path(folder),)) if isinstance(path, Path))]
        self._others = frozenset(path for path in self._files if os.path.realpath(path) not in checked)

    def may_import(self, path: Path) -> bool:
        """Tell whether one of the files that were not checked may import a file, directly or through others."""
        mentioning = self._mentioning(path) if self._others else set()
        if self._others.isdisjoint(mentioning):
            return False
        found = Importers(sorted(mentioning)).of(path)
        if len(found) >= MAX_IMPORTERS or not self._others.isdisjoint(found):
            return True
        return any(_is_broken(other) for other in self._others & mentioning)

    def _mentioning(self, path: Path) -> set[Path]:
        """The files that name a module in an import, those that name one of these in turn, and so on."""
        found: set[Path] = set()
        waiting = [path]
        while waiting:
            wanted = waiting.pop()
            if wanted.stem == "__init__":  # the files of a package itself need not name it
                named = {file for file in self._names.get(b".", ()) if file.is_relative_to(wanted.parent)}
                named |= self._names.get(wanted.parent.name.encode(), set())
            else:
                named = self._names.get(wanted.stem.encode(), set())
            waiting += named - found
            found |= named
        return found

    @cached_property
    def _names(self) -> Mapping[bytes, set[Path]]:
        """The files by the words in their imports; a dot stands for a relative import."""
        from cvlint.source.module import load

        names: dict[bytes, set[Path]] = {}
        for path in self._files:
            data = load(path, str(path))
            for name in imported_names(data) if isinstance(data, bytes) else ():
                names.setdefault(name, set()).add(path)
        return names


def _near(folder: str) -> str:
    """The working directory if a folder is in it, or else the folder itself."""
    here = os.path.realpath(os.curdir)
    return here if os.path.join(folder, "").startswith(os.path.join(here, "")) else folder


def _above(folder: str) -> Iterator[Path]:
    """The scripts and notebooks that lie in the next folders above one."""
    for above in list(Path(folder).parents)[:MAX_LEVELS_WITHOUT_ROOT]:
        try:
            yield from (path for path in above.iterdir() if path.suffix in (".py", ".ipynb") and path.is_file())
        except OSError:
            return


def _is_broken(path: Path) -> bool:
    """Tell whether a file cannot be read as a program, so that nobody knows what it imports."""
    from cvlint.source.module import load, read_bytes

    data = load(path, str(path))
    return not isinstance(data, bytes) or read_bytes(data, path, str(path)).source is None
