"""The list of repositories: a text file with a path or ``file://`` URL on each line."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from cvlint.filesystem.regular_file import MOST_RESULTS, read_regular_file
from cvlint.usage_error import UsageError
from cvlint.workspace.snapshots.git_checkout import SCHEME

COMMENT = "#"


@dataclass(frozen=True, slots=True)
class Repository:
    """A repository, an archive or a folder: its name as the list has it, and its absolute path or URL."""

    name: str
    place: str


def read_list(path: Path) -> tuple[Repository, ...]:
    """Read a list of repositories.

    Parameters
    ----------
    path : Path
        The list. Empty lines and lines that begin with ``#`` are left out; paths start from the folder of the list.

    Returns
    -------
    tuple of Repository
        Each once, in the order of the list.

    Raises
    ------
    UsageError
        If the list cannot be read, or names nothing.
    """
    try:
        text = read_regular_file(path, MOST_RESULTS).decode("utf-8-sig")
    except (OSError, ValueError) as error:
        reason = "it is not UTF-8 text" if isinstance(error, UnicodeError) else getattr(error, "strerror", None)
        raise UsageError(f"The list '{path}' cannot be read: {reason or error}") from error
    names = dict.fromkeys(line.strip() for line in text.splitlines())
    found = tuple(Repository(name, _place(name, path)) for name in names if name and not name.startswith(COMMENT))
    if not found:
        raise UsageError(f"The list '{path}' names no repository", "valid is a path or file:// URL on each line")
    return found


def _place(name: str, path: Path) -> str:
    return name if name.startswith(SCHEME) else str(path.absolute().parent / name)
