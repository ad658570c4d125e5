"""Copy the Python files and notebooks of a git commit, also of a repository that nobody trusts, and run nothing.

The files come from git's object store (``git cat-file``), so no hook, filter or attribute of the repository applies.
``git checkout`` would run filters, and ``git archive`` would leave out what ``export-ignore`` names. Missing objects
are not fetched.
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
    ArchiveMember,
    Limits,
    check_counts,
    copy_members,
    is_code,
)

SCHEME = "file://"
REGULAR_MODES = ("100644", "100755")
LAST_COMMIT = "HEAD"
FULL_HASH = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
NOT_FETCHED = "is not in the repository, which holds only a part of its history"
MAX_LISTING_BYTES = 100_000_000
"""The longest list of files that is read: a tree can contain another one many times, and this one the next."""

GIT_ENVIRONMENT = {
    "GIT_ALLOW_PROTOCOL": "",  # missing objects are not fetched: a repository can name a program that fetches them
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_COUNT": "1",
    "GIT_CONFIG_KEY_0": "safe.directory",  # the owner of the repository does not matter, because nothing of it is run
    "GIT_CONFIG_VALUE_0": "*",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}


def is_bare(folder: Path) -> bool:
    """Whether a folder is a git repository without a work tree."""
    return (folder / "HEAD").is_file() and all((folder / name).is_dir() for name in ("objects", "refs"))


def folder_of_url(url: str) -> Path:
    """The folder that a ``file://`` URL names."""
    return Path(url2pathname(unquote(urlsplit(url).path)))


def unpack_commit(
    repository: Path,
    folder: Path,
    limits: Limits | None = None,
    commit: str = LAST_COMMIT,
    is_wanted: Callable[[str], bool] = is_code,
) -> tuple[UnreadFile, ...]:
    """Copy the Python files and notebooks of a commit into a folder.

    Parameters
    ----------
    repository : Path
        A bare repository, or a folder whose ``.git`` is a repository or a file that names one.
    folder : Path
        An empty folder.
    limits : Limits, optional
        How much the commit may hold.
    commit : str
        The hash of a commit; by default the last commit.
    is_wanted : callable
        Whether a file of this name is copied; by default Python files and notebooks are.

    Returns
    -------
    tuple of UnreadFile
        What was left out although it may be code, and why.

    Raises
    ------
    ArchiveError
        If there is no repository or no commit, git is missing, or the commit holds more than the limits allow.
    OSError
        If the disk is full.
    """
    limits = limits or Limits()
    git_folder = _git_folder(repository)
    with (
        _start_git(git_folder, "cat-file", "--batch") as blobs,
        closing(_commit_members(git_folder, commit, blobs, limits, is_wanted)) as members,
    ):
        return tuple(copy_members(members, folder, limits.total_bytes, limits, is_wanted))


def release_commit(repository: Path, tag: str) -> tuple[str, bool]:
    """The hash of the commit of a tag, or else that of the last commit; and whether the tag is there.

    Raises
    ------
    ArchiveError
        If there is no repository or no commit, or git is missing.
    """
    if (tagged := commit_of(repository, f"refs/tags/{tag}")) is not None:
        return tagged, True
    commit = commit_of(repository, LAST_COMMIT)
    if commit is None:
        raise ArchiveError("it is not a git repository, or it has no commit")
    return commit, False


def commit_of(repository: Path, name: str) -> str | None:
    """The full hash of the commit that a branch, a tag, a short hash or any other revision of git names.

    Returns
    -------
    str or None
        None if the word names no commit or several, or if there is no repository.

    Raises
    ------
    ArchiveError
        If git is missing.
    """
    output = _git_output(repository, "rev-parse", "--verify", "--quiet", f"{name}^{{commit}}")
    # Git prints something else if it reads the word as an option or as several commits.
    return output if output is not None and FULL_HASH.fullmatch(output) else None


def branches_and_tags(repository: Path) -> tuple[str, ...]:
    """The short names of local and remote branches and of tags."""
    return tuple((_git_output(repository, "for-each-ref", "--format=%(refname:short)") or "").splitlines())


def main_branch(repository: Path) -> str | None:
    """The branch that others start from: the one that the remote names, or main, or master, or else the present one.

    Returns
    -------
    str or None
        None if there is no repository, or it has no branch.

    Raises
    ------
    ArchiveError
        If git is missing.
    """
    if remote := _git_output(repository, "symbolic-ref", "--quiet", "--short", "refs/remotes/origin/HEAD"):
        return remote.removeprefix("origin/")
    known = branches_and_tags(repository)
    usual = next((name for name in ("main", "master") if name in known), None)
    return usual or _git_output(repository, "symbolic-ref", "--quiet", "--short", "HEAD")


def is_shallow(repository: Path) -> bool:
    """Whether a repository holds only the last part of its history."""
    return _git_output(repository, "rev-parse", "--is-shallow-repository") == "true"


def _git_folder(repository: Path) -> Path:
    return repository if is_bare(repository) else repository / ".git"


def _git_output(repository: Path, *command: str) -> str | None:
    """What a git command prints, or None if it fails."""
    with _start_git(_git_folder(repository), *command) as process:
        output, _ = process.communicate()
    return None if process.returncode else os.fsdecode(output).strip()


def _commit_members(
    git_folder: Path, commit: str, blobs: subprocess.Popen[bytes], limits: Limits, is_wanted: Callable[[str], bool]
) -> Generator[ArchiveMember, None, None]:
    """The files of a commit."""
    lines = list(_tree_listing(git_folder, commit))
    check_counts(len(lines), sum(is_wanted(os.fsdecode(line.partition(b"\t")[2])) for line in lines), limits)
    for line in lines:
        attributes, _, name = line.partition(b"\t")
        mode, _, blob, size = attributes.decode("ascii").split()
        refusal = IRREGULAR if mode not in REGULAR_MODES else "" if size.isdigit() else NOT_FETCHED
        open_blob = partial(_blob_content, blobs, blob)
        yield ArchiveMember(os.fsdecode(name), 0 if refusal else int(size), open_blob, refusal)


def _tree_listing(git_folder: Path, commit: str) -> Iterator[bytes]:
    """The lines of ``git ls-project_root``: mode, type, hash, size and name of each file of a commit."""
    with _start_git(git_folder, "ls-tree", "-r", "-z", "-l", "--full-tree", commit) as process:
        assert process.stdout is not None
        listing = process.stdout.read(MAX_LISTING_BYTES + 1)
        if len(listing) > MAX_LISTING_BYTES:
            process.kill()
            raise ArchiveError("it holds more files than are allowed")
        assert process.stderr is not None
        reason = process.stderr.read().decode("utf-8", "replace").strip().removeprefix("fatal: ")
    if process.returncode:
        raise ArchiveError(f"git cannot list the files of {commit} ({' '.join(reason.split())})")
    return (line for line in listing.split(b"\0") if line)


def _blob_content(blobs: subprocess.Popen[bytes], blob: str) -> IO[bytes] | None:
    """The content of one file; None if the repository lacks it."""
    assert blobs.stdin is not None
    assert blobs.stdout is not None
    blobs.stdin.write(f"{blob}\n".encode("ascii"))
    blobs.stdin.flush()
    header = blobs.stdout.readline().split()
    if len(header) != 3:
        return None
    content = blobs.stdout.read(int(header[2]))
    blobs.stdout.read(1)  # the end of the line
    return io.BytesIO(content)


def _start_git(git_folder: Path, *command: str) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(
            ["git", f"--git-dir={git_folder}", *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**_without_git_variables(os.environ), **GIT_ENVIRONMENT},
        )
    except FileNotFoundError as error:
        raise ArchiveError("git is not installed") from error


def _without_git_variables(variables: Mapping[str, str]) -> dict[str, str]:
    """Leave out the variables that could make git look at another repository."""
    return {name: value for name, value in variables.items() if not name.startswith("GIT_")}
