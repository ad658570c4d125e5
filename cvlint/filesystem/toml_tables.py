"""The tables of the TOML files that ship with cvlint, which Python reads several times faster in compiled form.

The compiled form lies beside the files, in the folder where Python keeps its own compiled modules, and is made like
those: when a process first needs it, and again after a file has changed; never with ``PYTHONDONTWRITEBYTECODE``.
"""

from __future__ import annotations

import contextlib
import marshal
import os
import sys
from pathlib import Path
from typing import Any

Tables = dict[str, dict[str, Any]]
"""The content of several TOML files, by the names of the files."""


def toml_tables(folder: Path) -> Tables:
    """The content of the TOML files that lie directly in a folder, in the order of their names.

    Raises
    ------
    OSError, ValueError
        If a file cannot be read, or is not TOML.
    """
    states = [(name, *_state(folder / name)) for name in sorted(os.listdir(folder)) if name.endswith(".toml")]
    compiled = _compiled_path(str(folder))
    with contextlib.suppress(OSError, ValueError, EOFError, TypeError), open(compiled, "rb") as file:
        known, tables = marshal.loads(file.read())
        if known == states:
            found: Tables = tables
            return found
    tables = {name: _parsed(folder / name) for name, *_ in states}
    if not sys.dont_write_bytecode:
        from cvlint.filesystem.atomic_write import write_file

        with contextlib.suppress(OSError, ValueError):  # the folder is read-only, or a table holds a date
            os.makedirs(os.path.dirname(compiled), exist_ok=True)
            write_file(compiled, marshal.dumps((states, tables)), durable=False)
    return tables


def parse_toml(text: str) -> dict[str, Any]:
    """The tables of a text in TOML.

    Raises
    ------
    ValueError
        If it is not TOML.
    """
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib

    return tomllib.loads(text)


def _state(path: Path) -> tuple[int, int]:
    status = os.stat(path)
    return status.st_mtime_ns, status.st_size


def _parsed(path: Path) -> dict[str, Any]:
    return parse_toml(path.read_text(encoding="utf-8"))


def _compiled_path(folder: str) -> str:
    """Where the compiled form lies; Python can be told to keep such files elsewhere."""
    if sys.pycache_prefix is None:
        kept = os.path.join(folder, "__pycache__")
    else:
        kept = os.path.join(sys.pycache_prefix, os.path.splitdrive(os.path.abspath(folder))[1].lstrip("\\/"))
    return os.path.join(kept, f"tables.{sys.implementation.cache_tag}")
