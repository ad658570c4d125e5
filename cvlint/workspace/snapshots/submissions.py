"""What `cvlint audit` reads: the code of a file, a folder, an archive, or the last commit of a repository."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from cvlint.filesystem.temporary_folders import temporary_folder
from cvlint.records import dataclass, replace
from cvlint.source.unread_file import UnreadFile
from cvlint.usage_error import UsageError
from cvlint.workspace.snapshots.archives import ArchiveError, unpack
from cvlint.workspace.snapshots.git_checkout import LAST_COMMIT, SCHEME, commit_of, is_bare, unpack_commit

SUFFIXES = (".py", ".ipynb")
HISTORY = frozenset({".git", ".hg", ".svn", ".bzr"})
FOREIGN = frozenset({"site-packages", "dist-packages", "node_modules", "__pycache__", ".ipynb_checkpoints"})
"""Folders with libraries, or with copies that a program makes."""

LINKED = "is a link to a folder, which is not followed; name that folder to audit it, too"
LEADS_OUT = "is not a regular file, or it is a link that leads out of the folder, so it is not read"
NOT_OWN_CODE = "is not read: such a folder holds libraries, or copies that a program makes; name it to audit it, too"


@dataclass(frozen=True, slots=True)
class Submission:
    """What is audited: its name, the folder from which its paths start, its files, and those that are left out.

    ``commit`` is the hash of the commit that the files come from; empty if they come from no repository.
    """

    name: str
    folder: Path
    paths: tuple[Path, ...]
    left_out: tuple[UnreadFile, ...] = ()
    commit: str = ""


def open_submission(given: str, path: Path, stack: ExitStack) -> Submission:
    """Find the files of a submission; an archive is unpacked into a folder that the stack removes.

    Parameters
    ----------
    given : str
        The path or URL as the user writes it.
    path : Path
        The file or folder that it names, which exists.
    stack : ExitStack
        Removes the folder.

    Raises
    ------
    UsageError
        If it cannot be audited.
    """
    whole = Path(os.path.abspath(path))
    if given.startswith(SCHEME) or (path.is_dir() and is_bare(path)):
        found = _unpacked(given, "repository", partial(unpack_commit, whole), stack)
        return replace(found, commit=commit_of(whole, LAST_COMMIT) or "")
    if path.is_dir():
        return _folder(str(path), whole)
    if path.suffix in SUFFIXES:
        return Submission(str(path), whole.parent, (whole,))
    if not path.is_file():  # opening a pipe would wait forever
        raise UsageError(f"The path '{path}' cannot be audited, because it is not a file, folder or archive")
    return _unpacked(given, "archive", partial(unpack, path), stack)


def _unpacked(given: str, kind: str, unpack: Callable[[Path], tuple[UnreadFile, ...]], stack: ExitStack) -> Submission:
    try:
        folder = stack.enter_context(temporary_folder())
        # It marks the root of a project: the analysis resolves no import above it, among the reviewer's files.
        (folder / ".git").mkdir()
        left_out = unpack(folder)
    except ArchiveError as error:
        raise UsageError(f"The {kind} '{given}' cannot be audited, because {error}") from None
    except OSError as error:
        raise UsageError(f"The {kind} '{given}' cannot be unpacked: {error.strerror}") from error
    found = _folder(given, folder)
    return replace(found, left_out=(*left_out, *found.left_out))


def _folder(name: str, folder: Path) -> Submission:
    """A folder with all its code, also with files that a check leaves out because of `.gitignore`."""
    entries = list(_walk(folder))
    files = [entry for entry in entries if isinstance(entry, Path)]
    # Links come last: the check reads a file only under its first name.
    paths = tuple(sorted(files, key=lambda path: (path.is_symlink(), path)))
    return Submission(name, folder, paths, tuple(entry for entry in entries if isinstance(entry, UnreadFile)))


def _walk(folder: Path) -> Iterator[Path | UnreadFile]:
    """The code below a folder, and what is left out: foreign folders, links, and files that cannot be read."""
    failed: list[OSError] = []
    for place, folders, files in os.walk(folder, onerror=failed.append):
        for name in sorted(folders):
            path = os.path.join(place, name)
            if os.path.islink(path):
                yield UnreadFile(os.path.relpath(path, folder), LINKED)
            elif name in FOREIGN or os.path.exists(os.path.join(path, "pyvenv.cfg")):
                yield UnreadFile(os.path.relpath(path, folder), NOT_OWN_CODE)
                folders.remove(name)
        folders[:] = sorted(set(folders) - HISTORY)
        for name in sorted(files):
            path = os.path.join(place, name)
            if name.endswith(SUFFIXES):
                yield Path(path) if _is_inside(path, folder) else UnreadFile(os.path.relpath(path, folder), LEADS_OUT)
    for error in failed:
        yield UnreadFile(os.path.relpath(error.filename, folder), f"cannot be read: {error.strerror}")


def _is_inside(path: str, folder: Path) -> bool:
    """Whether a path is a regular file of the folder, or a link to one inside the folder."""
    return os.path.isfile(path) and Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder))
