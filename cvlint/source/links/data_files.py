"""Find the script of a project that writes a file of data: what another script reads there has a history.

Only texts are searched. A script seems to write a file if the file's name stands in a line with a word for writing, or
in the line that gives a path the name that stands in such a line. It may write one, too, whose path has that name in an
imported module, in a dict, as the default of an option, or as a parameter. Whether it does so tells its analysis.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Set
from functools import cached_property
from itertools import chain, islice, product
from pathlib import Path, PurePath

from cvlint.source.discovery import NEVER_WALKED, SUFFIXES, VENV_MARK
from cvlint.source.file_bytes import load
from cvlint.source.prefilter import imported_names
from cvlint.source.project import is_root

MOST_ENTRIES = 5_000
MOST_SCRIPTS = 200
"""The numbers of entries and of scripts below a folder up to which its scripts are searched."""
MOST_BYTES = 3_000_000
MOST_IN_LINE = 1_000
"""The lengths of a script and of a line up to which they are searched."""

_FILE_NAME = re.compile(rb"""(?<=['"/\\])(?:[\w .\-%+@=#(),&~]|\{[^{}'"\n]*\})+\.[A-Za-z]\w{0,7}(?=\\?['"])""")
_BARE_NAME = re.compile(
    rb"""\.(save|savez|savez_compressed|save_npz)\([^'"\n]*?\\?['"](?:[^'"\n]*[/\\])?"""
    rb"""((?:[\w \-+]|\{[^{}'"\n]*\})+)\\?['"]"""
)
_ADDED = {b"save": b".npy"}  # by numpy to a name without a suffix, and else ".npz"
_BLANK = re.compile(rb"\{[^{}]*\}|%[\d.]*[a-z]")
_WRITING = re.compile(rb"""save|dump|write|\.to_|open\(.*['"][wxa]b?t?\+?\\?['"]""")
_READING = re.compile(rb"read|load|open")
_OPENED = re.compile(rb"""\((?:\\n",)?\r?\n\s*"?\s*""")
_NAMED = re.compile(rb"""[\s",]*((?:self\.)?[A-Za-z_]\w*)\s*(?::[^=]+)?=""")
_GIVEN_TO = re.compile(rb"""--?([A-Za-z][\w-]*)\\?['"]|([A-Za-z_]\w*)\\?['"]?\s*(?::[^:=,'"\n]*)?[:=](?!=)""")
_CALLED = re.compile(rb"(?<!def )\b([A-Za-z_]\w*)\([^()]*$")
_CALL = re.compile(rb"(?<!def )\b([A-Za-z_]\w*)\(((?:[^()\n]|\([^()\n]*\))*)\)")
_DEFINED = re.compile(rb"\bdef\s+(\w+)\(([^()]*)\)")
_OF_OPTIONS = frozenset((b"default", b"type", b"help", b"dest", b"required"))
MOST_CALLS = 2
"""Through so many calls, one within the other, a path comes to the line that writes."""
MOST_BEFORE = 200
"""The name that a path is given stands so many bytes before it, at most."""


def data_file_names(data: bytes) -> frozenset[bytes]:
    """The names of the files that stand in the strings of a script or notebook, with a star for each blank in them."""
    return frozenset(_BLANK.sub(b"*", name) for name in _FILE_NAME.findall(data))


def written_names(data: bytes) -> frozenset[bytes]:
    """The names of the files that a script or notebook seems to write."""
    if len(data) > MOST_BYTES or not _WRITING.search(data):
        return frozenset()
    lines = _lines(data)
    writing = [line for line in lines if _WRITING.search(line)]
    words = _words(writing)
    named = ((line, _NAMED.match(line)) for line in lines if not _READING.search(line))
    paths = [line for line, name in named if name is not None and name[1].removeprefix(b"self.") in words]
    bare = [(how, name) for line in writing for how, name in _BARE_NAME.findall(line)]
    added = frozenset(_BLANK.sub(b"*", name) + _ADDED.get(how, b".npz") for how, name in bare)
    return data_file_names(b"\n".join([*writing, *paths])) | added


def names_perhaps_written(data: bytes) -> frozenset[bytes]:
    """The names of all files in a script that writes something, and of those that it seems to write."""
    return written_names(data) | data_file_names(data) if _WRITING.search(data) else frozenset()


def _lines(data: bytes) -> list[bytes]:
    joined = _OPENED.sub(b"(", data)  # ``table.to_csv(``, and the name in the next line
    return [line for line in joined.split(b"\n") if len(line) <= MOST_IN_LINE]


def _words(lines: list[bytes]) -> frozenset[bytes]:
    return frozenset(re.findall(rb"[A-Za-z_]\w*", b" ".join(lines)))


def words_of_writing(data: bytes) -> frozenset[bytes]:
    """The words in the lines of a script that seem to write a file, and in calls that give paths to such lines."""
    if len(data) > MOST_BYTES or not _WRITING.search(data):
        return frozenset()
    words = _words([line for line in _lines(data) if _WRITING.search(line)])
    parameters = _parameters(data)
    for _ in range(MOST_CALLS):
        named = [name for name, given in parameters.items() if not words.isdisjoint(given)]
        calls = [text for name, text in _CALL.findall(data) if name in named]
        words |= _words(calls)
    return words


def _parameters(data: bytes) -> dict[bytes, list[bytes]]:
    """The parameters of the functions that a script defines, by their names."""
    return {name: re.findall(rb"(?:^|,)\s*(\w+)", given) for name, given in _DEFINED.findall(data)}


def named_files(data: bytes) -> dict[bytes, set[bytes]]:
    """The names of files in a script, by the words that may stand for their paths.

    ``OUT = "out/rows.csv"``, ``{"rows": "out/rows.csv"}``, ``add_argument("--out", default="rows.csv")``, and for
    ``main("out/rows.csv")`` the parameters of the function.
    """
    found = dict[bytes, set[bytes]]()
    if len(data) > MOST_BYTES:
        return found
    parameters = _parameters(data)
    for match in _FILE_NAME.finditer(data):
        before = data[max(0, match.start() - MOST_BEFORE) : match.start()]
        if _READING.search(before[before.rfind(b"\n") + 1 :]):
            continue
        given = [option.replace(b"-", b"_") or name for option, name in _GIVEN_TO.findall(before)]
        words = [name for name in given if name not in _OF_OPTIONS][-1:]
        if (call := _CALLED.search(before)) is not None:
            words += parameters.get(call[1], ())
        for word in words:
            found.setdefault(word, set()).add(_BLANK.sub(b"*", match[0]))
    return found


class DataWriters:
    """Finds the scripts that write files of data; each script is read once."""

    def __init__(self) -> None:
        self._texts: dict[str, _ScriptText] = {}
        self._scripts: dict[str, list[str] | None] = {}  # below a folder
        self._writers: dict[tuple[str, bool], dict[bytes, list[str]]] = {}  # below a folder, by the name of the file

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
        for surely in (True, False):
            for writers in self._writers_around(reader, surely, folders):
                if found := [path for path in _fitting(writers, known) if surely or path != reader]:
                    return found[0] if len(found) == 1 else None
        return None

    def _writers_around(self, reader: str, surely: bool, folders: tuple[str, ...]) -> Iterator[dict[bytes, list[str]]]:
        """The scripts that seem to write files, or only may do so: in the folder of the reader, and then further up."""
        own = os.path.dirname(reader)
        top, folder = _project_of(own, folders), own
        while (scripts := self._scripts_below(folder)) is not None:
            if (folder, surely) not in self._writers:
                self._writers[folder, surely] = self._by_file(scripts, surely)
            yield self._writers[folder, surely]
            if folder == top:
                return
            folder = os.path.dirname(folder)

    def _scripts_below(self, folder: str) -> list[str] | None:
        if folder not in self._scripts:
            self._scripts[folder] = _scripts_below(folder)
        return self._scripts[folder]

    def _by_file(self, scripts: list[str], surely: bool) -> dict[bytes, list[str]]:
        """The scripts by the names of the files that they seem to write, or may write."""
        found = dict[bytes, list[str]]()
        modules = {PurePath(path).stem.encode("utf-8", "surrogateescape"): path for path in scripts}
        for path in scripts:
            text = self._text(path)
            names = text.written if surely else self._perhaps_written(text, modules)
            for name in names:
                found.setdefault(name, []).append(path)
        return found

    def _perhaps_written(self, text: _ScriptText, modules: dict[bytes, str]) -> set[bytes]:
        """The names of files whose paths have a name, here or in an imported module, that a writing line uses."""
        if not text.words:
            return set()
        imported = [self._text(modules[name]) for name in text.imported if name in modules]
        return {file for one in (text, *imported) for word in text.words for file in one.named.get(word, ())}

    def _text(self, path: str) -> _ScriptText:
        if path not in self._texts:
            data = load(Path(path), path)
            self._texts[path] = _ScriptText(data if isinstance(data, bytes) else b"")
        return self._texts[path]


class _ScriptText:
    """What the text of a script says of files; each part is searched for once, when it is asked for."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    @cached_property
    def written(self) -> frozenset[bytes]:
        return written_names(self._data)

    @cached_property
    def words(self) -> frozenset[bytes]:
        return words_of_writing(self._data)

    @cached_property
    def named(self) -> dict[bytes, set[bytes]]:
        return named_files(self._data)

    @cached_property
    def imported(self) -> frozenset[bytes]:
        return imported_names(self._data)


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
