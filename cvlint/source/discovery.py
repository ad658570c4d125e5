"""Which files to read: those named, and the Python files and notebooks below the folders named."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from cvlint.source.unread_file import UnreadFile

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

_SUFFIXES = (".py", ".ipynb")
_NEVER = frozenset(
    {
        *(".git", ".hg", ".svn", ".bzr"),
        *(".venv", "venv", ".direnv", "node_modules", "site-packages", "dist-packages", "__pypackages__"),
        *("__pycache__", ".mypy_cache", ".ruff_cache", ".pytest_cache", ".hypothesis", ".ipynb_checkpoints"),
        *(".tox", ".nox", ".eggs", "build", "dist"),
    }
)
_VENV_MARK = "pyvenv.cfg"


class Anchored(NamedTuple):
    """A pattern in the syntax of ``.gitignore``, and the real folder that it counts from."""

    folder: str
    pattern: str


Exclude = Sequence[str | Anchored]
"""Patterns of what to leave out: words alone count from the working directory, or from a folder outside of it."""


class Rules(NamedTuple):
    """Patterns, and the folder they are relative to, with a separator at its end."""

    base: str
    spec: GitIgnoreSpec


class _Folder(NamedTuple):
    """A folder to walk: as the user spells it, where it really is, and the rules in force."""

    path: str
    real: str
    rules: tuple[Rules, ...]  # of git, the nearest first
    exclude: tuple[Rules, ...]


def discover(paths: Sequence[Path], exclude: Exclude = ()) -> Iterator[Path | UnreadFile]:
    """Find what is to be checked.

    Parameters
    ----------
    paths : Sequence[Path]
        Files, which are given whatever their suffix, and folders, which are walked for ``.py`` and ``.ipynb``.
    exclude : Sequence[str | Anchored]
        Patterns in the syntax of ``.gitignore``: of the command line, and of configs.

    Raises
    ------
    ValueError
        If a pattern of ``exclude`` makes no sense.

    Yields
    ------
    Path | UnreadFile
        Paths as the user spells them, sorted below each folder, each real file once; or why one cannot be read.
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


def _walk(root: str, exclude: Exclude, seen: set[str]) -> Iterator[Path | UnreadFile]:
    """Walk a folder depth first; a stack instead of recursion, so that depth costs nothing."""
    real = os.path.realpath(root)
    prefix = "" if root == "." else os.path.join(root, "")
    first = _Folder(prefix, os.path.join(real, ""), _rules_above(real), excluding(exclude, counted_from(real)))
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
    """List what is of interest in a folder, in order; nothing for a virtual environment."""
    with os.scandir(folder.real) as scan:
        entries = sorted(scan, key=lambda entry: entry.name)
    names = {entry.name for entry in entries}
    if _VENV_MARK in names and not is_root:
        return []
    if ".gitignore" in names:
        folder = folder._replace(rules=_with_gitignore(folder.real, ".gitignore", folder.rules))
    found: list[str | _Folder] = []
    for entry in entries:
        name = entry.name
        if entry.is_dir(follow_symlinks=False):
            if name not in _NEVER and not name.endswith(".egg-info") and not _is_ignored(folder, name + "/"):
                path, real = f"{folder.path}{name}{os.sep}", f"{folder.real}{name}{os.sep}"
                found.append(folder._replace(path=path, real=real))
        elif name.endswith(_SUFFIXES) and _is_file(entry) and not _is_ignored(folder, name) and _is_new(entry, seen):
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
    """Ask what is excluded, then the rules of git, the nearest first: the first that knows the path decides."""
    path = folder.real + name
    if is_excluded(path, folder.exclude):
        return True
    for base, spec in folder.rules:
        included = spec.check_file(path[len(base) :]).include
        if included is not None:
            return included
    return False


def excluding(exclude: Exclude, here: str) -> tuple[Rules, ...]:
    """The patterns of each folder together, for one may take back what another one before it says.

    Parameters
    ----------
    exclude : Sequence[str | Anchored]
        The patterns.
    here : str
        The real folder that words alone count from.
    """
    lines: dict[str, list[str]] = {}
    for one in exclude:
        folder, pattern = (here, one) if isinstance(one, str) else one
        lines.setdefault(os.path.join(folder, ""), []).append(pattern)
    return tuple(Rules(folder, _compile(patterns)) for folder, patterns in lines.items())


def is_excluded(path: str, rules: Sequence[Rules]) -> bool:
    """Tell whether patterns name a real path, of which a folder ends with a separator."""
    return any(path.startswith(base) and spec.match_file(path[len(base) :]) for base, spec in rules)


def counted_from(real: str) -> str:
    """Where patterns without a folder count from: the working directory if a folder is in it, or else the folder."""
    here = os.path.realpath(os.curdir)
    return here if os.path.join(real, "").startswith(os.path.join(here, "")) else real


def _rules_above(real: str) -> tuple[Rules, ...]:
    """Collect the rules of a git repository that hold in ``real``; none if they ignore ``real`` itself."""
    folders = [real]
    while not os.path.exists(os.path.join(folders[-1], ".git")):
        above = os.path.dirname(folders[-1])
        if above == folders[-1]:
            return ()  # in no repository
        folders.append(above)
    rules = _with_gitignore(os.path.join(folders[-1], ""), os.path.join(".git", "info", "exclude"), ())
    for folder in reversed(folders[1:]):
        rules = _with_gitignore(os.path.join(folder, ""), ".gitignore", rules)
    # A folder that is named although it is ignored is wanted.
    return () if _is_ignored(_Folder("", os.path.join(real, ""), rules, ()), "") else rules


def _with_gitignore(base: str, name: str, rules: tuple[Rules, ...]) -> tuple[Rules, ...]:
    """Put the rules of one file before the others."""
    try:
        with open(base + name, encoding="utf-8-sig", errors="surrogateescape") as file:
            lines = file.read().split("\n")
    except OSError:
        return rules
    lines = [line for line in lines if line.strip() and not line.startswith("#")]
    # Git passes over lines without sense; a pattern that the user gives us raises ValueError instead.
    meaningful = [line for line in lines if line.strip("!\\/ ")]
    return (Rules(base, _compile(meaningful)), *rules) if meaningful else rules


def _compile(patterns: Sequence[str]) -> GitIgnoreSpec:
    from pathspec import GitIgnoreSpec

    return GitIgnoreSpec.from_lines(patterns)
