"""Find the script of a project that writes a file of data: what another script reads there has a history.

Only texts are searched. A script seems to write a file if the file's name stands in a line with a word for writing, or
in the line that gives a path the name that stands in such a line. Whether it does so tells its analysis.
"""

from __future__ import annotations

import os
import re
from collections.abc import Set
from itertools import chain, islice, product
from pathlib import Path

from cvlint.source.discovery import NEVER_WALKED, SUFFIXES, VENV_MARK
from cvlint.source.file_bytes import load
from cvlint.source.project import is_root

MOST_ENTRIES = 5_000
MOST_SCRIPTS = 200
"""The numbers of entries and of scripts below a folder up to which its scripts are searched."""
MOST_BYTES = 3_000_000
MOST_IN_LINE = 1_000
"""The lengths of a script and of a line up to which they are searched."""

_FILE_NAME = re.compile(rb"""(?<=['"/\\])(?:[\w .\-%]|\{[^{}'"\n]*\})+\.[A-Za-z]\w{0,7}(?=\\?['"])""")
_BLANK = re.compile(rb"\{[^{}]*\}|%[\d.]*[a-z]")
_WRITING = re.compile(rb"""save|dump|write|\.to_|open\(.*['"][wxa]b?t?\+?\\?['"]""")
_READING = re.compile(rb"read|load|open")
_OPENED = re.compile(rb"""\((?:\\n",)?\r?\n\s*"?\s*""")
_NAMED = re.compile(rb"""[\s",]*((?:self\.)?[A-Za-z_]\w*)\s*(?::[^=]+)?=""")


def data_file_names(data: bytes) -> frozenset[bytes]:
    """The names of the files that stand in the strings of a script or notebook, with a star for each blank in them."""
    return frozenset(_BLANK.sub(b"*", name) for name in _FILE_NAME.findall(data))


def written_names(data: bytes) -> frozenset[bytes]:
    """The names of the files that a script or notebook seems to write."""
    if len(data) > MOST_BYTES or not _WRITING.search(data):
        return frozenset()
    joined = _OPENED.sub(b"(", data)  # ``table.to_csv(``, and the name in the next line
    lines = [line for line in joined.split(b"\n") if len(line) <= MOST_IN_LINE]
    writing = [line for line in lines if _WRITING.search(line)]
    words = frozenset(re.findall(rb"[A-Za-z_]\w*", b" ".join(writing)))
    named = ((line, _NAMED.match(line)) for line in lines if not _READING.search(line))
    paths = [line for line, name in named if name is not None and name[1].removeprefix(b"self.") in words]
    return data_file_names(b"\n".join([*writing, *paths]))


class DataWriters:
    """Finds the scripts that write files of data; each script is read once."""

    def __init__(self) -> None:
        self._names: dict[str, frozenset[bytes]] = {}  # that scripts write
        self._writers: dict[str, dict[bytes, list[str]] | None] = {}  # below a folder, by the name of the file

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
        own = os.path.dirname(reader)
        top, folder = _project_of(own, folders), own
        while (writers := self._writers_below(folder)) is not None:
            if found := _fitting(writers, name.encode("utf-8", "surrogatepass")):
                return found[0] if len(found) == 1 else None
            if folder == top:
                return None
            folder = os.path.dirname(folder)
        return None

    def _writers_below(self, folder: str) -> dict[bytes, list[str]] | None:
        """The scripts below a folder by the names of the files that they write; None if there is too much in it."""
        if folder not in self._writers:
            scripts, found = _scripts_below(folder), dict[bytes, list[str]]()
            for path in scripts or ():
                for name in self._written(path):
                    found.setdefault(name, []).append(path)
            self._writers[folder] = None if scripts is None else found
        return self._writers[folder]

    def _written(self, path: str) -> frozenset[bytes]:
        if path not in self._names:
            data = load(Path(path), path)
            self._names[path] = written_names(data) if isinstance(data, bytes) else frozenset()
        return self._names[path]


def _fitting(writers: dict[bytes, list[str]], name: bytes) -> list[str]:
    """The scripts that write a file with a name, or else with one that may be the same."""
    if name in writers:
        return writers[name]
    return sorted(set(chain.from_iterable(paths for other, paths in writers.items() if may_share({name}, {other}))))


def may_share(some: Set[bytes], others: Set[bytes]) -> bool:
    """Whether a name of some files may be one of the others."""
    if not some.isdisjoint(others):
        return True
    known = [sorted(name.decode("utf-8", "replace") for name in names) for names in (some, others)]
    return any(may_be_same(*pair) for pair in product(*known) if "*" in "".join(pair))


def may_be_same(one: str, other: str) -> bool:
    """Whether two names of files, with stars for unknown parts, may be the same: a part before the suffix is known."""
    known = min(len(name.rpartition(".")[0].replace("*", "")) for name in (one, other))
    return known > 0 and (one == other or _fits(one, other) or _fits(other, one))


def _fits(name: str, other: str) -> bool:
    parts = map(re.escape, name.split("*"))
    return "*" in name and re.fullmatch("[^*]+".join(parts), other) is not None


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
