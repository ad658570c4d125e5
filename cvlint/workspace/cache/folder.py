"""The folder of the cache: where it lies, how large it may become, and how it is cleaned.

The cache consists of plain files, one per working directory and choice of rules, each replaced as a whole. A data base
such as SQLite would write less when one file changes. But many researchers have their home on a network file system,
where its locks fail, while replacing a file works everywhere. And a cache of plain text cannot run code.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

SUFFIX = ".cvlint-results"
"""The end of the names of all files of the cache: no other file in its folder is ever touched."""
MAX_FOLDER_BYTES = 256_000_000
"""The size at which the files that were not used for the longest time are removed."""
VARIABLE = "CVLINT_CACHE_DIR"
"""The environment variable that names the folder."""


class CacheFolder:
    """The folder, and the user to whom the first problem with it is told.

    Parameters
    ----------
    path : str
        The folder; it is made when the first file is written.
    warn : callable
        Called at most once, with a sentence that says why the cache is not used.
    """

    def __init__(self, path: str, warn: Callable[[str], None] = lambda _: None) -> None:
        self.path = path
        self._warn = warn
        self._has_warned = False

    def report(self, problem: str) -> None:
        """Tell the user that the check goes on without the cache; a second problem is not told."""
        if not self._has_warned:
            self._has_warned = True
            self._warn(f"{problem}, so the check does without it (--no-cache hides this message).")

    def make(self) -> None:
        """Make the folder, readable for its owner only: it holds parts of messages about code that may be secret."""
        os.makedirs(self.path, mode=0o700, exist_ok=True)

    def trim(self, limit: int = MAX_FOLDER_BYTES) -> None:
        """Remove the files that were unused for the longest time, until the others together stay below the limit."""
        files = sorted(((status.st_mtime_ns, status.st_size, path) for path, status in self._files()), reverse=True)
        total = 0
        for _, size, path in files:
            total += size
            if total > limit:
                _remove(path)

    def clean(self) -> tuple[int, int]:
        """Remove all files of the cache, and the folder if nothing else is in it.

        Returns
        -------
        tuple of int
            The number of removed files, and of their bytes.

        Raises
        ------
        OSError
            If a file cannot be removed.
        """
        count = size = 0
        for path, status in self._files():
            os.unlink(path)
            count, size = count + 1, size + status.st_size
        if count and not os.listdir(self.path):
            os.rmdir(self.path)
        return count, size

    def _files(self) -> list[tuple[str, os.stat_result]]:
        try:
            with os.scandir(self.path) as scan:
                found = [entry for entry in scan if entry.name.endswith(SUFFIX)]
                return [(one.path, one.stat()) for one in found if one.is_file(follow_symlinks=False)]
        except (FileNotFoundError, NotADirectoryError):
            return []


def _remove(path: str) -> None:
    try:
        os.unlink(path)
    except OSError:
        return  # another run has removed it, or keeps it open


def default_folder() -> str:
    """The folder that the environment names, or the one for caches of this user on this system."""
    if named := os.environ.get(VARIABLE):
        return os.path.abspath(named)
    if sys.platform == "linux" and "ANDROID_DATA" not in os.environ:
        # As platformdirs, which takes longer to load than a small file to check.
        base = os.environ.get("XDG_CACHE_HOME", "")
        return os.path.join(base if os.path.isabs(base) else os.path.expanduser("~/.cache"), "cvlint")
    from platformdirs import user_cache_dir

    return user_cache_dir("cvlint", appauthor=False)


def cache_folder(named: str | None, warn: Callable[[str], None]) -> CacheFolder:
    """The cache folder that an option names, or the default one.

    Parameters
    ----------
    named : str or None
        The value of ``--cache-dir``.
    warn : callable
        As for `CacheFolder`.
    """
    return CacheFolder(default_folder() if named is None else str(Path(named).absolute()), warn)
