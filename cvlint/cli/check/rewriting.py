"""Sources that cvlint changes: by one process at a time, never outside of their project, never over other changes."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import click

from cvlint.cli.options.check_arguments import CheckArguments
from cvlint.filesystem.atomic_write import ChangedMeanwhile
from cvlint.filesystem.real_place import real_place
from cvlint.filesystem.writers_lock import writing_alone
from cvlint.findings.fingerprint import repository
from cvlint.output.shared.locations import printable

State = tuple[int, ...]


@contextmanager
def writing_alone_in(arguments: CheckArguments) -> Iterator[None]:
    """Hold the locks of all projects whose files a check is going to change; none where it only shows something."""
    given = [Path(path) for path in arguments.paths or (".",)]
    if arguments.new_baseline is not None:
        given.append(Path(arguments.new_baseline))
    writes = (arguments.fix and not arguments.diff) or arguments.add_ignores or arguments.new_baseline is not None
    with writing_alone({tree(path) for path in given} if writes else (), lambda said: click.echo(said, err=True)):
        yield


def tree(path: Path) -> str:
    """The root of the project that a file or folder is in: its git repository, or else the folder itself."""
    real = Path(os.path.realpath(path))
    folder = real if real.is_dir() else real.parent
    return str(repository(folder) or folder)


def states(files: Sequence[Path]) -> Mapping[str, State]:
    """What the system says of files when they change, by their real paths."""
    found = {real: state(real) for real in (os.path.realpath(file) for file in files)}
    return {real: one for real, one in found.items() if one is not None}


def state(path: str) -> State | None:
    """When a file was changed, how long it is, and which file it is; None if it is gone."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino


def leads_out(path: str, given: Sequence[Path]) -> bool:
    """Say of a link that leads out of the project that it is left alone; tells whether it is one.

    Parameters
    ----------
    path : str
        A file that was checked, as it is shown.
    given : sequence of Path
        The files and folders on the command line. A link to a folder that is named there leads to where is wanted.
    """
    place, folder = _from_given(path, given)
    real = os.path.realpath(path)
    if real == place:
        return False
    root = os.path.realpath(repository(Path(place).parent) or folder)
    if real.startswith(os.path.join(root, "")):
        return False
    why = f"it is a link to '{real}', which is outside of '{root}'"
    click.echo(printable(f"{path}: is left as it is, because {why}: name that file itself to change it."), err=True)
    return True


def _from_given(path: str, given: Sequence[Path]) -> tuple[str, str]:
    """The place of a file without the links that lead to the folder on the command line; and that folder."""
    place = os.path.abspath(path)
    for folder in filter(os.path.isdir, given):
        above = os.path.join(os.path.abspath(folder), "")
        if place.startswith(above):
            return os.path.join(os.path.realpath(folder), place[len(above) :]), str(folder)
    place = real_place(path)
    return place, os.path.dirname(place)


def tell_changed(path: str, error: ChangedMeanwhile) -> None:
    """Say that somebody else has changed a file, and that this is not written over."""
    click.echo(printable(f"{path}: {error.strerror}."), err=True)
