"""The files that import a file: what changes in it can change what is found in them."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

from cvlint.source.module import Source, load, read_bytes
from cvlint.source.project import Imports

MOST_IMPORTERS = 20
"""Files that are checked again for a fix of one that they import; those that import it directly come first."""
_IMPORT = re.compile(rb"(?:from|import)\b(?:\\\r?\n|[^\n(])*(?:\([^)]*\))?")
_NAME = re.compile(rb"[\w\x80-\xff]+|\.")


def imported_names(data: bytes) -> frozenset[bytes]:
    """The words behind ``from`` and ``import`` in a script or notebook, and some more; a dot for a relative import.

    The text is not parsed, so that a broken file has names, too.
    """
    return frozenset(name for text in _IMPORT.findall(data) for name in _NAME.findall(text))


class Importers:
    """Tells which of some files import a file.

    Parameters
    ----------
    files : sequence of Path
        The files to look in, as they are shown.
    """

    def __init__(self, files: Sequence[Path]) -> None:
        self._files = files
        self._imports = Imports()
        self._imported: dict[Path, frozenset[Path]] = {}
        self._mentioned: dict[Path, frozenset[bytes]] = {}

    def of(self, path: Path) -> list[Path]:
        """The files that import one, directly or through others: at most `MOST_IMPORTERS`, the nearest first."""
        return list(islice(self._following(path, self._files), MOST_IMPORTERS))

    def texts(self, path: Path) -> list[str]:
        """What the files that import one hold, those in its own folder, too."""
        beside = (file for file in path.parent.glob("*") if file.suffix in (".py", ".ipynb"))
        files = {os.path.abspath(file): file for file in (*beside, *self._files)}
        found = (load(file, str(file)) for file in self._following(path, list(files.values())))
        return [data.decode("utf-8", "replace") for data in found if isinstance(data, bytes)]

    def _following(self, path: Path, files: Sequence[Path]) -> Iterator[Path]:
        """Those of some files that import one, directly or through others, the nearest first."""
        waiting = [Path(os.path.abspath(path))]
        found = {waiting[0]}
        while waiting:
            wanted = waiting.pop(0)
            word = b"import" if wanted.stem == "__init__" else wanted.stem.encode()  # `from . import` names no package
            for file in files:
                own = Path(os.path.abspath(file))
                if own not in found and wanted in self._imported_by(own, word):
                    found.add(own)
                    waiting.append(own)
                    yield file

    def _imported_by(self, file: Path, word: bytes) -> frozenset[Path]:
        """The files that a file imports; one whose imports do not have a word is not parsed."""
        if word not in self._words(file):
            return frozenset()
        if file not in self._imported:
            data = load(file, str(file))
            source = read_bytes(data, file, str(file)).source if isinstance(data, bytes) else None
            self._imported[file] = frozenset(self._targets(source)) if source is not None else frozenset()
        return self._imported[file]

    def _words(self, file: Path) -> frozenset[bytes]:
        """The words in what looks like an import; a file is read for them once."""
        if file not in self._mentioned:
            data = load(file, str(file))
            self._mentioned[file] = imported_names(data) if isinstance(data, bytes) else frozenset()
        return self._mentioned[file]

    def _targets(self, source: Source) -> Iterator[Path]:
        for node in ast.walk(source.tree):
            match node:
                case ast.Import(names=names):
                    modules = [(alias.name, 0) for alias in names]
                case ast.ImportFrom(module=module, names=names, level=level):
                    inner = [f"{module}.{alias.name}" if module else alias.name for alias in names]
                    modules = [(name, level) for name in (module or "", *inner)]
                case _:
                    continue
            found = (self._imports.find(source.path, name, level) for name, level in modules)
            yield from (path for path in found if path is not None)


@contextmanager
def standing_in(sources: dict[str, Source | None], source: Source) -> Iterator[None]:
    """Let those who import a file get another text of it; ``sources`` are what an analysis keeps, by path."""
    keys = {os.path.normpath(source.display), str(source.path)}
    before = {key: sources[key] for key in keys if key in sources}
    sources.update(dict.fromkeys(keys, source))
    try:
        yield
    finally:
        for key in keys:
            del sources[key]
        sources.update(before)
