"""The real path of a file, by which files are compared."""

from __future__ import annotations

import os


def real_place(path: str) -> str:
    """The path of a file in its real folder; a link in place of the file itself is not followed."""
    folder, name = os.path.split(os.path.abspath(path))
    return os.path.join(os.path.realpath(folder), name)
