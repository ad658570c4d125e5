"""Which files cvlint may change: one process at a time, no link out of the project, no file that changed meanwhile."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import click

from cvlint.cli.options.check_arguments import CheckArguments
from cvlint.filesystem.atomic_write import ChangedMeanwhile
from cvlint.filesystem.real_folder import path_in_real_folder
from cvlint.filesystem.writers_lock import writer_locks
from cvlint.output.shared.locations import as_line, printable
from cvlint.source.project import repository

FileStamp = tuple[int, int, int]
"""The time of a file's last change, its size, and its inode: another stamp means another content."""


@contextmanager
def project_locks(arguments: CheckArguments) -> Iterator[None]:
    """Hold the locks of all projects whose files a check is going to change."""
    given = [Path(path) for path in arguments.paths or (".",)]
    if arguments.new_baseline is not None:
        given.append(Path(arguments.new_baseline))
    with writer_locks({project_root(path) for path in given}, lambda sentence: click.echo(sentence, err=True)):
        yield


def project_root(path: Path) -> str:
    """The root of the project of a file or folder: its git repository, or else its own folder."""
    real_path = Path(os.path.realpath(path))
    folder = real_path if real_path.is_dir() else real_path.parent
    return str(repository(folder) or folder)


def file_stamps(files: Sequence[Path]) -> Mapping[str, FileStamp]:
    """The stamps of the files that exist, by their real paths."""
    stamps = {real_path: file_stamp(real_path) for real_path in map(os.path.realpath, files)}
    return {real_path: stamp for real_path, stamp in stamps.items() if stamp is not None}


def file_stamp(path: str) -> FileStamp | None:
    """The stamp of a file; None if it is gone."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino


def leads_out(path: str, given: Sequence[Path]) -> bool:
    """Whether a file is a link that leads out of its project; if so, print that it is left unchanged.

    Parameters
    ----------
    path : str
        A checked file, as reports show it.
    given : sequence of Path
        The files and folders on the command line. A link to a folder that the user names there is allowed.
    """
    expected, folder = _path_below_given(path, given)
    real_path = os.path.realpath(path)
    if real_path == expected:
        return False
    root = os.path.realpath(repository(Path(expected).parent) or folder)
    if real_path.startswith(os.path.join(root, "")):
        return False
    reason = f"it is a link to '{real_path}', which is outside of '{root}'"
    message = f"{path}: is left unchanged, because {reason}: name that file itself to change it."
    click.echo(printable(message), err=True)
    return True


def _path_below_given(path: str, given: Sequence[Path]) -> tuple[str, str]:
    """The path of a file with links resolved only in the folder on the command line; and that folder."""
    absolute = os.path.abspath(path)
    for folder in filter(os.path.isdir, given):
        start = os.path.join(os.path.abspath(folder), "")
        if absolute.startswith(start):
            return os.path.join(os.path.realpath(folder), absolute[len(start) :]), str(folder)
    in_real_folder = path_in_real_folder(path)
    return in_real_folder, os.path.dirname(in_real_folder)


def print_changed(path: str, error: ChangedMeanwhile) -> None:
    """Print that another program has changed a file, so that cvlint does not overwrite it."""
    click.echo(as_line(f"{path}: {error.strerror}."), err=True)


def counted(count: int, singular: str, plural: str = "") -> str:
    """A number with its noun: "1 finding", "2 findings"."""
    return f"{count} {singular}" if count == 1 else f"{count} {plural or singular + 's'}"
