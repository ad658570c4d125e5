"""Find the script of a project that writes a file of data: what another script reads there has a history.

Only texts are searched (see `script_text`). Whether a script writes the file tells its analysis.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path, PurePath

from cvlint.source.discovery import NEVER_WALKED, SUFFIXES, VENV_MARK
from cvlint.source.file_bytes import load
from cvlint.source.links.script_text import ScriptText, may_share
from cvlint.source.project import is_root

MOST_ENTRIES = 5_000
MOST_SCRIPTS = 200
"""The numbers of entries and of scripts below a folder up to which its scripts are searched."""


class DataWriters:
    """Finds the scripts that write files of data; each script is read once."""

    def __init__(self) -> None:
        self._texts: dict[str, ScriptText] = {}
        self._scripts: dict[str, list[str] | None] = {}  # below a folder
        self._by_names: dict[tuple[str, bool], dict[bytes, list[str]]] = {}  # below a folder, by the name of the file

    def find(self, reader: str, name: str, folders: tuple[str, ...] = ()) -> str | None:
        """The nearest script in the project of the reader that writes a file with this name.

        The folder of the reader is searched first, then what lies below the next folder above it, up to the root of the
        project, or to a folder with too much in it.

        Parameters
        ----------
        reader : str
            The absolute path of the script that reads the file.
        name : str
            The name of the file, without its folder; a star stands for each part that is not known.
        folders : tuple of str
            The absolute paths of the folders that are checked. Each is a project if no root of one lies above it.

        Returns
        -------
        str | None
            An absolute path, of the reader itself perhaps. None if no script writes such a file, or several of the
            nearest ones do.
        """
        known = name.encode("utf-8", "surrogatepass")
        for folder, scripts in self._folders_around(reader, folders):
            if found := _fitting(self._by_name(folder, scripts, written=True), known):
                return found[0] if len(found) == 1 else None
        for folder, scripts in self._folders_around(reader, folders):
            if found := [path for path in self._may_write(folder, scripts, known) if path != reader]:
                return found[0] if len(found) == 1 else None
        return None

    def _folders_around(self, reader: str, folders: tuple[str, ...]) -> Iterator[tuple[str, list[str]]]:
        """The folder of the reader, and those above it up to the project, with the scripts below each."""
        folder = os.path.dirname(reader)
        top = _project_of(folder, folders)
        while (scripts := self._scripts_below(folder)) is not None:
            yield folder, scripts
            if folder == top:
                return
            folder = os.path.dirname(folder)

    def _scripts_below(self, folder: str) -> list[str] | None:
        if folder not in self._scripts:
            self._scripts[folder] = _scripts_below(folder)
        return self._scripts[folder]

    def _by_name(self, folder: str, scripts: list[str], written: bool) -> dict[bytes, list[str]]:
        """The scripts below a folder by the names of files that their texts seem to write, or only hold."""
        if (folder, written) not in self._by_names:
            found = self._by_names[folder, written] = dict[bytes, list[str]]()
            for path in scripts:
                text = self._text(path)
                for name in text.written if written else text.names:
                    found.setdefault(name, []).append(path)
        return self._by_names[folder, written]

    def _may_write(self, folder: str, scripts: list[str], name: bytes) -> Iterator[str]:
        """The scripts whose writing lines use a name that a path of this file has, there or in an imported module."""
        holding = _fitting(self._by_name(folder, scripts, written=False), name)
        modules = {PurePath(path).stem.encode("utf-8", "surrogateescape"): path for path in holding}
        for path in scripts if holding else ():
            imported = self._text(path).imported & modules.keys() if modules else ()
            places = {modules[module] for module in imported}.union({path} if path in holding else ())
            words = self._text(path).words if places else ()
            named = [self._text(one).named for one in places]
            if any(may_share({name}, files[word]) for word in words for files in named if word in files):
                yield path

    def _text(self, path: str) -> ScriptText:
        if path not in self._texts:
            data = load(Path(path), path)
            self._texts[path] = ScriptText(data if isinstance(data, bytes) else b"")
        return self._texts[path]


def _fitting(scripts: dict[bytes, list[str]], name: bytes) -> list[str]:
    """The scripts under a name of a file, or else under one that may be the same."""
    if name in scripts:
        return scripts[name]
    others = scripts if b"*" in name else [other for other in scripts if b"*" in other]
    return sorted(set(chain.from_iterable(scripts[other] for other in others if may_share({name}, {other}))))


def _project_of(folder: str, folders: tuple[str, ...]) -> str:
    """The root of the project that a folder belongs to; without one, the checked folder around it, or the folder."""
    at = folder
    while not is_root(at):
        above = os.path.dirname(at)
        if above == at:
            around = [one for one in folders if os.path.join(folder, "").startswith(os.path.join(one, ""))]
            return min(around, key=len, default=folder)
        at = above
    return at


def _scripts_below(top: str) -> list[str] | None:
    """The scripts and notebooks below a folder, in order; None if there is too much in it."""
    found: list[str] = []
    folders, count = [top], 0
    for folder in folders:
        try:
            with os.scandir(folder) as scan:
                entries = list(islice(scan, MOST_ENTRIES - count + 1))
        except OSError:
            continue
        if folder != top and any(one.name == VENV_MARK for one in entries):
            continue
        count += len(entries)
        found += [one.path for one in entries if one.name.endswith(SUFFIXES) and one.is_file()]
        folders += [one.path for one in entries if one.name not in NEVER_WALKED and one.is_dir(follow_symlinks=False)]
        if count > MOST_ENTRIES or len(found) > MOST_SCRIPTS:
            return None
    return sorted(found)
