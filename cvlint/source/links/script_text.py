"""What the text of a script says of files of data: their names, which it seems to write, and the words for their paths.

A script seems to write a file if the file's name stands in a line with a word for writing, or in the line that gives a
path the name that stands in such a line. It may write one, too, whose path has that name in an imported module, in a
dict, as the default of an option, or as a parameter.
"""

from __future__ import annotations

import re
from collections.abc import Set
from functools import cached_property
from itertools import product

from cvlint.source.prefilter import imported_names

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


class ScriptText:
    """What the text of a script or notebook says of files; each part is searched for once, when it is asked for.

    Attributes
    ----------
    text
        Its lines, but for long ones, such as pictures in a notebook; empty if there is too much of it.
    """

    def __init__(self, data: bytes) -> None:
        joined = _OPENED.sub(b"(", data) if len(data) <= MOST_BYTES else b""  # ``table.to_csv(``, and the name below
        self.text = b"\n".join([line for line in joined.split(b"\n") if len(line) <= MOST_IN_LINE])

    @cached_property
    def names(self) -> frozenset[bytes]:
        """The names of all files in it."""
        return data_file_names(self.text)

    @cached_property
    def imported(self) -> frozenset[bytes]:
        """The names in its import statements."""
        return imported_names(self.text)

    @cached_property
    def written(self) -> frozenset[bytes]:
        """The names of the files that it seems to write."""
        writing = self._writing
        words = _words(writing)
        lines = self.text.split(b"\n") if writing else []
        named = ((line, _NAMED.match(line)) for line in lines if not _READING.search(line))
        paths = [line for line, name in named if name is not None and name[1].removeprefix(b"self.") in words]
        bare = [(how, name) for line in writing for how, name in _BARE_NAME.findall(line)]
        added = frozenset(_BLANK.sub(b"*", name) + _ADDED.get(how, b".npz") for how, name in bare)
        return data_file_names(b"\n".join([*writing, *paths])) | added

    @cached_property
    def perhaps_written(self) -> frozenset[bytes]:
        """The names of all files in it, if it writes something."""
        return self.written | self.names if self._writing else frozenset()

    @cached_property
    def words(self) -> frozenset[bytes]:
        """The words in its lines that seem to write a file, and in calls that give paths to such lines."""
        words = _words(self._writing)
        for _ in range(MOST_CALLS if words else 0):
            called = [name for name, given in self._parameters.items() if not words.isdisjoint(given)]
            words |= _words([text for name, text in _CALL.findall(self.text) if name in called] if called else [])
        return words

    @cached_property
    def named(self) -> dict[bytes, set[bytes]]:
        """The names of files by the words that may stand for their paths.

        ``OUT = "out/rows.csv"``, ``{"rows": "out/rows.csv"}``, ``add_argument("--out", default="rows.csv")``, and for
        ``main("out/rows.csv")`` the parameters of the function.
        """
        found = dict[bytes, set[bytes]]()
        for match in _FILE_NAME.finditer(self.text):
            before = self.text[max(0, match.start() - MOST_BEFORE) : match.start()]
            if _READING.search(before[before.rfind(b"\n") + 1 :]):
                continue
            given = [option.replace(b"-", b"_") or name for option, name in _GIVEN_TO.findall(before)]
            words = [name for name in given if name not in _OF_OPTIONS][-1:]
            if (call := _CALLED.search(before)) is not None:
                words += self._parameters.get(call[1], ())
            for word in words:
                found.setdefault(word, set()).add(_BLANK.sub(b"*", match[0]))
        return found

    @cached_property
    def _writing(self) -> list[bytes]:
        return [line for line in self.text.split(b"\n") if _WRITING.search(line)]

    @cached_property
    def _parameters(self) -> dict[bytes, list[bytes]]:
        return {name: re.findall(rb"(?:^|,)\s*(\w+)", given) for name, given in _DEFINED.findall(self.text)}


def data_file_names(data: bytes) -> frozenset[bytes]:
    """The names of the files that stand in the strings of a script or notebook, with a star for each blank in them."""
    return frozenset(_BLANK.sub(b"*", name) for name in _FILE_NAME.findall(data))


def _words(lines: list[bytes]) -> frozenset[bytes]:
    return frozenset(re.findall(rb"[A-Za-z_]\w*", b" ".join(lines)))


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
