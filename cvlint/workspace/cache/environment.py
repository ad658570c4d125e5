"""What all results of a run depend on: cvlint itself, Python, the rules, and the knowledge."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

from cvlint import __version__
from cvlint.shipped_files import rules_folder
from cvlint.source.file_bytes import content_digest
from cvlint.workspace.cache.folder import SUFFIX
from cvlint.workspace.settings.check_options import CheckOptions

FORMAT = 2
"""Counts the changes of what a line of the cache holds."""


def pack_name(options: CheckOptions) -> str:
    """The name of the file of the cache for a run in this working directory with these rules and this Python."""
    own = [*map(str, options.own_rules), "", *map(str, options.own_knowledge)]
    words = [os.getcwd(), sys.version, options.confidence, *sorted(options.rules), "", *own]
    return _digest(words) + SUFFIX


def stamp(options: CheckOptions) -> str:
    """A word that changes whenever cvlint, its rules or its knowledge change, or the project's own ones.

    Raises
    ------
    OSError
        If a file of rules or knowledge cannot be read.
    """
    own = [content_digest(path.read_bytes()) for path in (*options.own_rules, *options.own_knowledge)]
    return _digest([str(FORMAT), __version__, *own, *_program()])


def _program() -> Iterator[str]:
    """Words that change whenever cvlint's own files do: their hashes as installed, or their states in a checkout."""
    package = Path(__file__).parents[2]
    rules = rules_folder()
    if rules.parent == package:
        # It lists the hash of each file, so that the same release on another machine has the same stamp.
        record = package.parent / f"cvlint-{__version__}.dist-info" / "RECORD"
        yield content_digest(record.read_bytes()) if record.is_file() else _state(package / "__init__.py")
        return
    for top in (package, rules):
        yield from _states(top)


def _states(folder: Path | str) -> Iterator[str]:
    """The names and states of all files below a folder, apart from those that Python compiles."""
    with os.scandir(folder) as scan:
        entries = sorted(scan, key=lambda entry: entry.name)
    for entry in entries:
        if not entry.is_dir():
            yield entry.name + _state(entry)
        elif entry.name != "__pycache__":
            yield from _states(entry.path)


def _state(file: os.DirEntry[str] | Path) -> str:
    status = file.stat()
    return f" {status.st_mtime_ns} {status.st_size}"


def _digest(words: list[str]) -> str:
    return content_digest("\n".join(words).encode("utf-8", "surrogateescape"))
