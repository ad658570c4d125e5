"""The path by which two names of one file are compared."""

from __future__ import annotations

import os


def path_in_real_folder(path: str) -> str:
    """The path of a file with all links in its folder resolved; a link in place of the file itself is kept."""
    folder, name = os.path.split(os.path.abspath(path))
    return os.path.join(os.path.realpath(folder), name)
