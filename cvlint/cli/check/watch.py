"""``cvlint check --watch``: check again whenever a file that the check reads has changed.

It polls the files a few times per second instead of asking the system for events. Polling needs no further library and
works on network file systems, which send no events; and the files of a check are few enough for it.
"""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from multiprocessing import Process
from pathlib import Path

import click

from cvlint.cli.check.plan import plan_check
from cvlint.cli.check.rewriting import FileStamp, counted, file_stamp
from cvlint.cli.console.exit_status import CANNOT_RUN, exit_status
from cvlint.cli.console.paths import working_directory
from cvlint.cli.options.check_arguments import CheckArguments
from cvlint.cli.options.config import config_lookup
from cvlint.output.shared.locations import printable
from cvlint.source.discovery import discover
from cvlint.usage_error import UsageError
from cvlint.workspace.settings.nearest_config import CONFIG_FILES

PAUSE = 0.2
"""The shortest time in seconds between two polls."""
SHARE = 0.1
"""The share of time that polls may take: with many files, the pauses are longer."""
FileStamps = Mapping[str, FileStamp]


def watch(arguments: CheckArguments) -> int:
    """Check once, and again after each change, as soon as the files stay the same for a moment.

    Parameters
    ----------
    arguments : CheckArguments
        The command line. If a config becomes invalid later, the check prints why, and watching goes on.

    Returns
    -------
    int
        The exit status: 0 after Ctrl+C; 2 if the first check is refused.
    """
    with contextlib.suppress(KeyboardInterrupt):
        stamps = watched_stamps(arguments)
        status = _check_in_process(arguments)
        if status == CANNOT_RUN:
            return CANNOT_RUN
        while True:
            _print_status(arguments, status)
            stamps = _wait_for_change(arguments, stamps)
            click.clear()  # does nothing unless standard output is a terminal
            status = _check_in_process(arguments)
    click.echo(err=True)  # the terminal has shown ^C
    return 0


def watched_stamps(arguments: CheckArguments) -> FileStamps:
    """The stamps of the watched files: those that the check reads, and the files beside a file that the user names.

    Modules that are imported from folders outside of the given paths are not watched.
    """
    files = list(_watched_code(arguments))
    stamps = {path: file_stamp(path) for path in {*map(str, files), *_settings_files(arguments, files)}}
    return {path: stamp for path, stamp in stamps.items() if stamp is not None}


def _watched_code(arguments: CheckArguments) -> Iterator[Path]:
    named = [Path(path) for path in arguments.paths or (".",)]
    own_folders = [path.parent for path in named if not path.is_dir() and path.parent.is_dir()]
    return _checked_files(arguments, [*named, *own_folders])


def _checked_files(arguments: CheckArguments, paths: Sequence[Path]) -> Iterator[Path]:
    """The files that a check of some paths reads; while a config is invalid, no file is excluded."""
    try:
        lookup = config_lookup(arguments.config, arguments.isolated, arguments.exclude)
        groups = [(group.paths, group.exclude) for group in lookup.groups(paths, None)]
    except UsageError:
        groups = [(tuple(paths), ())]
    for group_paths, exclude in groups:
        yield from (path for path in discover(group_paths, exclude) if isinstance(path, Path))


def _settings_files(arguments: CheckArguments, files: Sequence[Path]) -> Iterator[str]:
    """The files with settings, rules and known findings, and all names under which a config file could appear."""
    here = working_directory()
    starts = {here, *(Path(path).absolute() for path in arguments.paths), *(file.absolute().parent for file in files)}
    for folder in {folder for start in starts for folder in (start, *start.parents)}:
        yield from (str(folder / name) for name in CONFIG_FILES)
    with contextlib.suppress(UsageError):
        lookup = config_lookup(arguments.config, arguments.isolated, arguments.exclude)
        for config in (lookup.config(path) for path in (here, *files)):
            yield from map(str, (*config.files, *config.extend_knowledge, *config.extend_rules))
            yield from (str(path) for path in (config.baseline,) if path)
    yield from (str(path) for path in (arguments.config, arguments.baseline, arguments.capture) if path)


def _wait_for_change(arguments: CheckArguments, old: FileStamps) -> FileStamps:
    """Wait for a change, and then for two equal polls: an editor or git may still be writing."""
    current, previous = _poll(arguments), old
    while current == old or current != previous:
        current, previous = _poll(arguments), current
    return current


def _poll(arguments: CheckArguments) -> FileStamps:
    """The stamps after a pause."""
    time.sleep(PAUSE)
    start = time.monotonic()
    stamps = watched_stamps(arguments)
    time.sleep((time.monotonic() - start) * (1 / SHARE - 1))
    return stamps


def _check_in_process(arguments: CheckArguments) -> int:
    """Check in a new process, which has no cached rules, settings or modules, and return the exit status."""
    process = Process(target=_check, args=(arguments,))
    process.start()
    try:
        process.join()
    except KeyboardInterrupt:
        process.join()  # Ctrl+C reaches the process as well, and it ends its own workers
        raise
    except SystemExit:  # a signal that reaches only this process
        process.terminate()
        process.join()
        raise
    return process.exitcode or 0


def _check(arguments: CheckArguments) -> None:
    """Check once, and end the process with the exit status."""
    with exit_status() as end:
        end.status = plan_check(arguments).carry_out()
    sys.exit(end.status)


def _print_status(arguments: CheckArguments, status: int) -> None:
    """Print the time of the check, and what is watched now."""
    paths = [Path(path) for path in arguments.paths or (".",)]
    names = ", ".join(printable(str(path)) for path in paths)
    count = sum(1 for _ in _checked_files(arguments, paths))
    result = "Could not check" if status == CANNOT_RUN else f"Checked {counted(count, 'file')}"
    click.echo(f"{result} at {datetime.now():%H:%M:%S}; watching {names} (Ctrl+C stops).", err=True)
