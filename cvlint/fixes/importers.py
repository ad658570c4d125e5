"""The files that import a file, which a fix of it can change what is found in."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from cvlint.source.module import Source, load, read_bytes
from cvlint.source.project import Imports

MOST_IMPORTERS = 20
"""Files that are checked again for a fix of one that they import; those that import it directly come first."""


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

    def of(self, path: Path) -> list[Path]:
        """The files that import one, directly or through others: at most `MOST_IMPORTERS`, the nearest first."""
        found: list[Path] = []
        waiting = [Path(os.path.abspath(path))]
        while waiting and len(found) < MOST_IMPORTERS:
            wanted = waiting.pop(0)
            word = b"import" if wanted.stem == "__init__" else wanted.stem.encode()  # `from . import` names no package
            for file in self._files:
                own = Path(os.path.abspath(file))
                if file not in found and own != path and wanted in self._imported_by(own, word):
                    found.append(file)
                    waiting.append(own)
        return found[:MOST_IMPORTERS]

    def _imported_by(self, file: Path, word: bytes) -> frozenset[Path]:
        """The files that a file imports; one whose bytes do not have a word is not parsed."""
        if file not in self._imported:
            data = load(file, str(file))
            if not isinstance(data, bytes) or word not in data:
                return frozenset()
            source = read_bytes(data, file, str(file)).source
            self._imported[file] = frozenset(self._targets(source)) if source is not None else frozenset()
        return self._imported[file]

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
