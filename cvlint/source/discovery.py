"""Find the files to check: those that are named, and Python files and notebooks below the folders that are named."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from cvlint.filesystem.regular_file import read_regular_file
from cvlint.source.unread_file import UnreadFile

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

SUFFIXES = (".py", ".ipynb")
NEVER_WALKED = frozenset(
    {
        *(".git", ".hg", ".svn", ".bzr"),
        *(".venv", ".direnv", "node_modules", "site-packages", "dist-packages", "__pypackages__"),
        *("__pycache__", ".mypy_cache", ".ruff_cache", ".pytest_cache", ".hypothesis", ".ipynb_checkpoints"),
        *(".tox", ".nox", ".eggs", "build", "dist"),
    }
)
MOST_PATTERNS = 100_000  # bytes of a .gitignore; no larger one was ever written by hand
MOST_LINES = 5_000
VENV_MARK = "pyvenv.cfg"


class Anchored(NamedTuple):
    """A pattern in the syntax of ``.gitignore``, and the real folder to which it is relative."""

    folder: str
    pattern: str


Exclude = Sequence[str | Anchored]
"""Patterns of files to leave out. A plain string is relative to the working directory; see `pattern_base`."""


class PathPatterns(NamedTuple):
    """Compiled patterns, and the folder to which they are relative, with a separator at its end."""

    base: str
    spec: GitIgnoreSpec


class _Folder(NamedTuple):
    """A folder to walk: its path as the user spells it, its real path, and the patterns that apply in it."""

    path: str
    real: str
    gitignore: tuple[PathPatterns, ...]  # the nearest first
    exclude: tuple[PathPatterns, ...]


def discover(paths: Sequence[Path], exclude: Exclude = ()) -> Iterator[Path | UnreadFile]:
    """Find the files to check.

    Parameters
    ----------
    paths : Sequence[Path]
        Files with any suffix, and folders, in which files with ``.py`` and ``.ipynb`` are found.
    exclude : Sequence[str | Anchored]
        Patterns in the syntax of ``.gitignore``, from the command line and from configs.

    Raises
    ------
    ValueError
        If a pattern of ``exclude`` is not valid.

    Yields
    ------
    Path | UnreadFile
        Paths as the user spells them, sorted in each folder, each real file once; or the reason why one cannot be read.
    """
    seen: set[str] = set()
    for path in paths:
        spelled = os.fspath(path)
        if os.path.isdir(spelled):
            yield from _walk(spelled, exclude, seen)
        elif not os.path.lexists(spelled):
            yield UnreadFile(spelled, "cannot be read: no such file or folder")
        elif (real := os.path.realpath(spelled)) not in seen:
            seen.add(real)
            yield path


def folders_among(paths: Iterable[Path]) -> tuple[str, ...]:
    """The absolute paths of the folders among the paths that a user names."""
    return tuple(sorted({os.path.abspath(path) for path in paths if os.path.isdir(path)}))


def _walk(root: str, exclude: Exclude, seen: set[str]) -> Iterator[Path | UnreadFile]:
    """Walk a folder depth first, with a stack, because recursion fails for very deep folders."""
    real = os.path.realpath(root)
    prefix = "" if root == "." else os.path.join(root, "")
    first = _Folder(
        prefix, os.path.join(real, ""), _gitignore_above(real), compiled_patterns(exclude, pattern_base(real))
    )
    stack: list[str | _Folder] = [first]
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            yield Path(item)
            continue
        try:
            children = _children(item, seen, is_root=item is first)
        except OSError as error:
            yield UnreadFile(item.path or ".", f"cannot be read: {error.strerror or error}")
            continue
        stack.extend(reversed(children))


def _children(folder: _Folder, seen: set[str], *, is_root: bool) -> list[str | _Folder]:
    """List the files and folders to visit in a folder, in order; none in a virtual environment."""
    with os.scandir(folder.real) as scan:
        entries = sorted(scan, key=lambda entry: entry.name)
    names = {entry.name for entry in entries}
    if VENV_MARK in names and not is_root:
        return []
    if ".gitignore" in names:
        folder = folder._replace(gitignore=_with_gitignore(folder.real, ".gitignore", folder.gitignore))
    found: list[str | _Folder] = []
    for entry in entries:
        name = entry.name
        if entry.is_dir(follow_symlinks=False):
            if name not in NEVER_WALKED and not name.endswith(".egg-info") and not _is_ignored(folder, name + "/"):
                path, real = f"{folder.path}{name}{os.sep}", f"{folder.real}{name}{os.sep}"
                found.append(folder._replace(path=path, real=real))
        elif name.endswith(SUFFIXES) and _is_file(entry) and not _is_ignored(folder, name) and _is_new(entry, seen):
            found.append(folder.path + name)
    return found


def _is_file(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_file()
    except OSError:  # a link to itself
        return False


def _is_new(entry: os.DirEntry[str], seen: set[str]) -> bool:
    real = os.path.realpath(entry.path) if entry.is_symlink() else entry.path
    if real in seen:
        return False
    seen.add(real)
    return True


def _is_ignored(folder: _Folder, name: str) -> bool:
    """Check the excluded patterns, then those of git, the nearest first: the first match decides."""
    path = folder.real + name
    if is_excluded(path, folder.exclude):
        return True
    for base, spec in folder.gitignore:
        included = spec.check_file(path[len(base) :]).include
        if included is not None:
            return included
    return False


def compiled_patterns(exclude: Exclude, base: str) -> tuple[PathPatterns, ...]:
    """Compile the patterns of each folder together, because a later pattern can negate an earlier one.

    Parameters
    ----------
    exclude : Sequence[str | Anchored]
        The patterns.
    base : str
        The real folder to which plain strings are relative.
    """
    lines: dict[str, list[str]] = {}
    for one in exclude:
        folder, pattern = (base, one) if isinstance(one, str) else one
        lines.setdefault(os.path.join(folder, ""), []).append(pattern)
    return tuple(PathPatterns(folder, _compile(patterns)) for folder, patterns in lines.items())


def is_excluded(path: str, patterns: Sequence[PathPatterns]) -> bool:
    """Tell whether a pattern matches a real path; the path of a folder ends with a separator."""
    return any(path.startswith(base) and spec.match_file(path[len(base) :]) for base, spec in patterns)


def pattern_base(real: str) -> str:
    """The base of plain patterns for a folder: the working directory if the folder is in it, else the folder itself."""
    here = os.path.realpath(os.curdir)
    return here if os.path.join(real, "").startswith(os.path.join(here, "")) else real


def _gitignore_above(real: str) -> tuple[PathPatterns, ...]:
    """The ``.gitignore`` patterns that apply in a folder; none if they ignore the folder itself."""
    folders = [real]
    while not os.path.exists(os.path.join(folders[-1], ".git")):
        above = os.path.dirname(folders[-1])
        if above == folders[-1]:
            return ()  # in no repository
        folders.append(above)
    patterns = _with_gitignore(os.path.join(folders[-1], ""), os.path.join(".git", "info", "exclude"), ())
    for folder in reversed(folders[1:]):
        patterns = _with_gitignore(os.path.join(folder, ""), ".gitignore", patterns)
    # A user who names an ignored folder wants it to be checked.
    return () if _is_ignored(_Folder("", os.path.join(real, ""), patterns, ()), "") else patterns


def _with_gitignore(base: str, name: str, outer: tuple[PathPatterns, ...]) -> tuple[PathPatterns, ...]:
    """Put the patterns of one file before the others."""
    try:
        data = read_regular_file(base + name, MOST_PATTERNS)
    except OSError:  # git itself reads on without the file
        return outer
    lines = data.decode("utf-8-sig", "surrogateescape").replace("\r\n", "\n").split("\n")[:MOST_LINES]
    lines = [line for line in lines if line.strip() and not line.startswith("#")]
    # Git skips invalid lines; for an invalid pattern in an option `GitIgnoreSpec` raises ValueError.
    meaningful = [line for line in lines if line.strip("!\\/ ")]
    return (PathPatterns(base, _compile(meaningful)), *outer) if meaningful else outer


def _compile(patterns: Sequence[str]) -> GitIgnoreSpec:
    from pathspec import GitIgnoreSpec

    return GitIgnoreSpec.from_lines(patterns)
