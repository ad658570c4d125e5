"""Find the files that import a file, or read the data that it writes: its change can change the findings in them."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterable, Iterator, Sequence, Set
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

from cvlint.source.file_bytes import load
from cvlint.source.links.data_files import DataWriters
from cvlint.source.links.script_text import ScriptText, data_file_names, may_share
from cvlint.source.module import Source, read_bytes
from cvlint.source.parsing import walk
from cvlint.source.prefilter import imported_names
from cvlint.source.project import ImportResolver

MAX_IMPORTERS = 20
"""The greatest number of files that are checked again when a file that they import is fixed; direct importers first."""


class Importers:
    """Finds the files that import a file, or read data that it writes.

    Parameters
    ----------
    files : sequence of Path
        The files that are searched, with their displayed paths.
    """

    def __init__(self, files: Sequence[Path]) -> None:
        self._files = files
        self._imports, self._writers = ImportResolver(), DataWriters()
        self._imports_by_file: dict[Path, frozenset[Path]] = {}
        self._names_by_file: dict[Path, frozenset[bytes]] = {}

    def of(self, path: Path) -> list[Path]:
        """The files that import ``path`` directly or indirectly: at most `MAX_IMPORTERS`, direct importers first."""
        return list(islice(self._importers_of([path], self._files), MAX_IMPORTERS))

    def all_of(self, paths: Iterable[Path]) -> Iterator[Path]:
        """All files that import one of the paths directly or indirectly."""
        return self._importers_of(paths, self._files)

    def texts(self, path: Path) -> list[str]:
        """The contents of the files that import ``path``; files in its own folder are searched too."""
        beside = (file for file in path.parent.glob("*") if file.suffix in (".py", ".ipynb"))
        files = {os.path.abspath(file): file for file in (*beside, *self._files)}
        found = (load(file, str(file)) for file in self._importers_of([path], list(files.values())))
        return [data.decode("utf-8", "replace") for data in found if isinstance(data, bytes)]

    def _importers_of(self, paths: Iterable[Path], files: Sequence[Path]) -> Iterator[Path]:
        """The files that import one of the paths directly or indirectly, in breadth-first order."""
        queue = [Path(os.path.abspath(path)) for path in paths]
        found = set(queue)
        while queue:
            imported = queue.pop(0)
            data = load(imported, str(imported))
            # `from . import x` does not name the package.
            words = {b"import" if imported.stem == "__init__" else imported.stem.encode()}
            words |= ScriptText(data).perhaps_written if isinstance(data, bytes) else set()
            for file in files:
                own = Path(os.path.abspath(file))
                if own not in found and imported in self._imported_by(own, words):
                    found.add(own)
                    queue.append(own)
                    yield file

    def _imported_by(self, file: Path, words: Set[bytes]) -> frozenset[Path]:
        """The files that a file imports or whose data it reads; it is parsed only if one of the words is in it."""
        if not may_share(words, self._names(file)):
            return frozenset()
        if file not in self._imports_by_file:
            data = load(file, str(file))
            source = read_bytes(data, file, str(file)).source if isinstance(data, bytes) else None
            self._imports_by_file[file] = frozenset(self._imported_files(source)) if source is not None else frozenset()
        return self._imports_by_file[file]

    def _names(self, file: Path) -> frozenset[bytes]:
        """The names in the import statements of a file, which is read once, and those of files of data in it."""
        if file not in self._names_by_file:
            data = load(file, str(file))
            found = imported_names(data) | data_file_names(data) if isinstance(data, bytes) else frozenset[bytes]()
            self._names_by_file[file] = found
        return self._names_by_file[file]

    def _imported_files(self, source: Source) -> Iterator[Path]:
        """The files that a file imports, and those that write data that it reads."""
        reader, named = os.path.abspath(source.path), data_file_names(source.text.encode())
        writers = (self._writers.find(reader, name.decode("utf-8", "replace")) for name in named)
        yield from (Path(writer) for writer in writers if writer is not None)
        for node in walk(source.tree):
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
def source_replaced(sources: dict[str, Source | None], source: Source) -> Iterator[None]:
    """Let the importers of a file see another text of it; ``sources`` is the cache of an analysis, by path."""
    keys = {os.path.normpath(source.display), str(source.path)}
    before = {key: sources[key] for key in keys if key in sources}
    sources.update(dict.fromkeys(keys, source))
    try:
        yield
    finally:
        for key in keys:
            del sources[key]
        sources.update(before)
