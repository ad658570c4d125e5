"""Git repositories, also of strangers: the Python files and notebooks of a commit are copied, and nothing is run.

Git reads the objects itself, so that no hook, filter or attribute of the repository has a say: nothing is checked out,
nor archived, where ``export-ignore`` could leave files out. Nothing is fetched either, whatever its config says.
"""

from __future__ import annotations

import io
import os
import re
import subprocess
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import IO
from urllib.parse import unquote, urlsplit
from urllib.request import url2pathname

from cvlint.source.unread_file import UnreadFile
from cvlint.workspace.snapshots.archives import (
    IRREGULAR,
    ArchiveError,
    Entry,
    Limits,
    copied,
    is_wanted,
    refuse_too_many,
)

SCHEME = "file://"
REGULAR = ("100644", "100755")
LAST = "HEAD"
HASH = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
MISSING = "is not in the repository, which holds a part of its history only"
MOST_NAMES = 100_000_000
"""Bytes of the list of files; a tree that holds itself many times over would be endless."""

SETTINGS = {
    "GIT_ALLOW_PROTOCOL": "",  # what is missing is not fetched: a repository can name a program to fetch it with
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_COUNT": "1",
    "GIT_CONFIG_KEY_0": "safe.directory",  # whose it is does not matter, as nothing of it is run
    "GIT_CONFIG_VALUE_0": "*",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}


def is_bare(folder: Path) -> bool:
    """Whether a folder is a repository without a work tree."""
    return (folder / "HEAD").is_file() and all((folder / name).is_dir() for name in ("objects", "refs"))


def place_of(url: str) -> Path:
    """The folder that a ``file://`` URL names."""
    return Path(url2pathname(unquote(urlsplit(url).path)))


def unpack_commit(
    repository: Path,
    folder: Path,
    limits: Limits | None = None,
    commit: str = LAST,
    wanted: Callable[[str], bool] = is_wanted,
) -> tuple[UnreadFile, ...]:
    """Copy the Python files and notebooks of a commit into a folder.

    Parameters
    ----------
    repository : Path
        A bare repository, or a folder that holds one, or the name of one, in ``.git``.
    folder : Path
        An empty folder of our own.
    limits : Limits, optional
        How much is too much.
    commit : str
        The hash of a commit; by default the last one is copied.
    wanted : callable
        Tells by its name whether a file is copied, where others than Python files and notebooks are.

    Returns
    -------
    tuple of UnreadFile
        What was left out although it may be code, and why.

    Raises
    ------
    ArchiveError
        If it is no repository or has no commit, git is missing, or it holds more than the limits allow.
    OSError
        If the disk is full.
    """
    limits = limits or Limits()
    place = _place(repository)
    with (
        _running(place, "cat-file", "--batch") as blobs,
        closing(_entries(place, commit, blobs, limits, wanted)) as entries,
    ):
        return tuple(copied(entries, folder, limits.total, limits, wanted))


def revision(repository: Path, tag: str) -> str:
    """What a copy of a repository is known by: a tag where it has that, or else its last commit.

    Raises
    ------
    ArchiveError
        If it is no repository or has no commit, or git is missing.
    """
    if commit_of(repository, f"refs/tags/{tag}") is not None:
        return tag
    commit = commit_of(repository, LAST)
    if commit is None:
        raise ArchiveError("it is no git repository, or has no commit")
    return commit


def commit_of(repository: Path, name: str) -> str | None:
    """The hash of the commit that a branch, a tag, a hash in short or any other such word names.

    Returns
    -------
    str or None
        In full; None where the word names no commit, or more than one, or there is no repository.

    Raises
    ------
    ArchiveError
        If git is missing.
    """
    answer = _answer(repository, "rev-parse", "--verify", "--quiet", f"{name}^{{commit}}")
    # A word that git takes for an option, or for several commits, has other answers.
    return answer if answer is not None and HASH.fullmatch(answer) else None


def branches_and_tags(repository: Path) -> tuple[str, ...]:
    """The short names of branches, of those of other repositories too, and tags."""
    return tuple((_answer(repository, "for-each-ref", "--format=%(refname:short)") or "").splitlines())


def is_shallow(repository: Path) -> bool:
    """Whether a repository holds only the last part of its history."""
    return _answer(repository, "rev-parse", "--is-shallow-repository") == "true"


def _place(repository: Path) -> Path:
    return repository if is_bare(repository) else repository / ".git"


def _answer(repository: Path, *command: str) -> str | None:
    """What git says, or None where it fails."""
    with _running(_place(repository), *command) as process:
        said, _ = process.communicate()
    return None if process.returncode else os.fsdecode(said).strip()


def _entries(
    place: Path, commit: str, blobs: subprocess.Popen[bytes], limits: Limits, wanted: Callable[[str], bool]
) -> Generator[Entry, None, None]:
    """The files of a commit, each with its size."""
    listed = list(_listed(place, commit))
    refuse_too_many(len(listed), sum(wanted(os.fsdecode(line.partition(b"\t")[2])) for line in listed), limits)
    for line in listed:
        described, _, name = line.partition(b"\t")
        mode, _, blob, size = described.decode("ascii").split()
        refused = IRREGULAR if mode not in REGULAR else "" if size.isdigit() else MISSING
        yield Entry(os.fsdecode(name), 0 if refused else int(size), partial(_content, blobs, blob), refused)


def _listed(place: Path, commit: str) -> Iterator[bytes]:
    with _running(place, "ls-tree", "-r", "-z", "-l", "--full-tree", commit) as process:
        assert process.stdout is not None
        found = process.stdout.read(MOST_NAMES + 1)
        if len(found) > MOST_NAMES:
            process.kill()
            raise ArchiveError("it holds more files than are allowed")
        assert process.stderr is not None
        said = process.stderr.read().decode("utf-8", "replace").strip().removeprefix("fatal: ")
    if process.returncode:
        raise ArchiveError(f"git cannot list the files of {commit} ({' '.join(said.split())})")
    return (line for line in found.split(b"\0") if line)


def _content(blobs: subprocess.Popen[bytes], blob: str) -> IO[bytes] | None:
    """One file; None where the repository lacks it."""
    assert blobs.stdin is not None
    assert blobs.stdout is not None
    blobs.stdin.write(f"{blob}\n".encode("ascii"))
    blobs.stdin.flush()
    head = blobs.stdout.readline().split()
    if len(head) != 3:
        return None
    content = blobs.stdout.read(int(head[2]))
    blobs.stdout.read(1)  # the end of the line
    return io.BytesIO(content)


def _running(place: Path, *command: str) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(
            ["git", f"--git-dir={place}", *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**_environment(os.environ), **SETTINGS},
        )
    except FileNotFoundError as error:
        raise ArchiveError("git is not installed") from error


def _environment(variables: Mapping[str, str]) -> dict[str, str]:
    """Without variables by which git would look at another repository."""
    return {name: value for name, value in variables.items() if not name.startswith("GIT_")}
