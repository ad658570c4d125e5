"""The import closure of a check: whether it covered every file that may import a given file, or read what it writes.

A finding in a module may need a caller: ``evaluate(model, folds)`` averages F only if another file passes it folds. And
one in a script that scales rows may need the script that splits them. So a check that did not see every such file, here
called an importer, cannot say that a finding is gone.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path

from cvlint.source.links.importers import MAX_IMPORTERS, Importers
from cvlint.source.prefilter import imported_names
from cvlint.source.project import MAX_LEVELS_WITHOUT_ROOT, outermost_project_root


class ImportClosure:
    """Answers whether a check covered a file together with all its importers.

    Parameters
    ----------
    files : iterable of str
        The files that were checked without a read or syntax error.
    """

    def __init__(self, files: Iterable[str]) -> None:
        self._files = files
        self._projects: dict[str, _Project] = {}

    def is_complete(self, path: str) -> bool:
        """Whether a file was checked together with every file of its project that may import it.

        Files that a config or the command line excludes belong to the project; files that git ignores do not. A file
        outside of any project may be imported by the files below the working directory, or else below its own folder,
        and by those in the next folders above.
        """
        real_path = os.path.realpath(path)
        if real_path not in self._checked and os.path.isfile(real_path):
            return False
        if not (real_path.endswith(".py") or _written_names(Path(real_path))):
            return True  # no other file can import it or read what it writes
        own_folder = os.path.dirname(real_path)
        root = outermost_project_root(own_folder)
        folder = root or _folder_without_project(own_folder)
        if folder not in self._projects:
            above = () if root else _code_in_folders_above(folder)
            self._projects[folder] = _Project(folder, above, self._checked)
        return not self._projects[folder].has_unchecked_importer(Path(real_path))

    @cached_property
    def _checked(self) -> frozenset[str]:
        return frozenset(map(os.path.realpath, self._files))


class _Project:
    """The files below a folder and in the next folders above it, of which a check may have covered only some."""

    def __init__(self, folder: str, above: Iterable[Path], checked: frozenset[str]) -> None:
        from cvlint.source.discovery import discover

        self._files = [*above, *(path for path in discover((Path(folder),)) if isinstance(path, Path))]
        self._unchecked = frozenset(path for path in self._files if os.path.realpath(path) not in checked)

    def has_unchecked_importer(self, path: Path) -> bool:
        """Whether a file that was not checked may import a file, directly or through others."""
        candidates = self._candidates(path) if self._unchecked else set()
        if self._unchecked.isdisjoint(candidates):
            return False
        importers = Importers(sorted(candidates)).of(path)
        if len(importers) >= MAX_IMPORTERS or not self._unchecked.isdisjoint(importers):
            return True
        return any(_is_unreadable(other) for other in self._unchecked & candidates)

    def _candidates(self, path: Path) -> set[Path]:
        """The files whose imports contain the name of a module, those that contain the name of one of these, and so on.

        This is a cheap superset of the importers: names are compared, but not resolved.
        """
        from cvlint.source.links.script_text import may_share

        found: set[Path] = set()
        waiting = [path]
        while waiting:
            module = waiting.pop()
            written = _written_names(module)
            read = [files for name, files in self._files_by_name.items() if written and may_share(written, {name})]
            if module.stem == "__init__":  # the files of the package itself may import it without its name
                named = {file for file in self._files_by_name.get(b".", ()) if file.is_relative_to(module.parent)}
                named |= self._files_by_name.get(module.parent.name.encode(), set())
            else:
                named = self._files_by_name.get(module.stem.encode(), set())
            named = named.union(*read)
            waiting += named - found
            found |= named
        return found

    @cached_property
    def _files_by_name(self) -> Mapping[bytes, set[Path]]:
        """The files by the words in their imports, a dot for a relative one, and by the names of files in them."""
        from cvlint.source.file_bytes import load
        from cvlint.source.links.script_text import data_file_names

        names: dict[bytes, set[Path]] = {}
        for path in self._files:
            data = load(path, str(path))
            for name in imported_names(data) | data_file_names(data) if isinstance(data, bytes) else ():
                names.setdefault(name, set()).add(path)
        return names


def _folder_without_project(folder: str) -> str:
    """The folder that stands for a project where there is none: the working directory, if it contains the file."""
    here = os.path.realpath(os.curdir)
    return here if os.path.join(folder, "").startswith(os.path.join(here, "")) else folder


def _code_in_folders_above(folder: str) -> Iterator[Path]:
    """The scripts and notebooks that lie in the next folders above one."""
    for parent in list(Path(folder).parents)[:MAX_LEVELS_WITHOUT_ROOT]:
        try:
            yield from (path for path in parent.iterdir() if path.suffix in (".py", ".ipynb") and path.is_file())
        except OSError:
            return


def _written_names(path: Path) -> frozenset[bytes]:
    """The names of the files of data that a file seems to write."""
    from cvlint.source.file_bytes import load
    from cvlint.source.links.script_text import ScriptText

    data = load(path, str(path))
    return ScriptText(data).perhaps_written if isinstance(data, bytes) else frozenset()


def _is_unreadable(path: Path) -> bool:
    """Whether a file cannot be parsed, so that its imports are unknown."""
    from cvlint.source.file_bytes import load
    from cvlint.source.module import read_bytes

    data = load(path, str(path))
    return not isinstance(data, bytes) or read_bytes(data, path, str(path)).source is None
