"""``cvlint check --watch``: check again whenever something that a check reads has changed.

Files are looked at, a few times a second, and nobody is asked to tell of changes: that needs no further library, it
works on file systems of networks, which tell of none, and what a check reads is soon looked at.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from multiprocessing import Process
from pathlib import Path

import click

from cvlint.cli.check.plan import plan_check
from cvlint.cli.command_group import REFUSED, CommandGroup
from cvlint.cli.console.paths import working_directory
from cvlint.cli.options.check_arguments import CheckArguments
from cvlint.cli.options.config import config_lookup
from cvlint.output.shared.locations import printable
from cvlint.source.discovery import discover
from cvlint.usage_error import Refusal
from cvlint.workspace.settings.config import CONFIG_FILES

PAUSE = 0.2  # seconds between two looks, at least
SHARE = 0.1
"""Of the time that may be spent on looking: where there are many files, the pauses are longer."""
State = Mapping[str, tuple[int, int, int]]


def watch(asked: CheckArguments) -> int:
    """Check, and again whenever files have changed and then stayed as they are for a moment.

    Parameters
    ----------
    asked : Asked
        What to check. A config that comes to make no sense later is told of, and then it is watched until it does.

    Returns
    -------
    int
        0 after Ctrl+C; 2 if the first check could not do what was asked.
    """
    with contextlib.suppress(KeyboardInterrupt):
        seen = state(asked)
        status = _checked(asked)
        if status == REFUSED:
            return REFUSED
        while True:
            _tell(asked, status)
            seen = _changed(asked, seen)
            click.clear()  # does nothing unless standard output is a terminal
            status = _checked(asked)
    click.echo(err=True)  # the terminal has shown ^C
    return 0


def state(asked: CheckArguments) -> State:
    """Tell of each file that a check would read when it was changed, how long it is, and which file it is.

    Files that are imported from folders which are not checked are not among them. Beside a file that is named, all
    Python files and notebooks of its folder are.
    """
    files = list(_files(asked))
    found: dict[str, tuple[int, int, int]] = {}
    for path in {*map(str, files), *_settings(asked, files)}:
        with contextlib.suppress(OSError):
            status = os.stat(path)
            found[path] = (status.st_mtime_ns, status.st_size, status.st_ino)
    return found


def _files(asked: CheckArguments) -> Iterator[Path]:
    named = [Path(path) for path in asked.paths or (".",)]
    beside = [path.parent for path in named if not path.is_dir() and path.parent.is_dir()]
    return _found(asked, [*named, *beside])


def _found(asked: CheckArguments, paths: Sequence[Path]) -> Iterator[Path]:
    """The files that are checked; all while a config makes no sense, which the check tells of."""
    try:
        groups = [
            (group.paths, group.exclude)
            for group in config_lookup(asked.config, asked.isolated, asked.exclude).groups(paths, None)
        ]
    except Refusal:
        groups = [(tuple(paths), ())]
    yield from (path for held, exclude in groups for path in discover(held, exclude) if isinstance(path, Path))


def _settings(asked: CheckArguments, files: Sequence[Path]) -> Iterator[str]:
    """The files that settle what is found, those as well that may come to be."""
    here = working_directory()
    inside = {here, *(Path(path).absolute() for path in asked.paths), *(file.absolute().parent for file in files)}
    for folder in {above for one in inside for above in (one, *one.parents)}:
        yield from (str(folder / name) for name in CONFIG_FILES)
    with contextlib.suppress(Refusal):
        projects = config_lookup(asked.config, asked.isolated, asked.exclude)
        for config in (projects.config(path) for path in (here, *files)):
            yield from map(str, (*config.files, *config.extend_knowledge, *config.extend_rules))
            yield from (str(path) for path in (config.baseline,) if path)
    yield from (str(path) for path in (asked.config, asked.baseline, asked.capture) if path)


def _changed(asked: CheckArguments, seen: State) -> State:
    """Wait for a change, and then until two looks show the same: an editor or git may still be writing."""
    now, before = _look(asked), seen
    while now == seen or now != before:
        now, before = _look(asked), now
    return now


def _look(asked: CheckArguments) -> State:
    """The state after a pause."""
    time.sleep(PAUSE)
    start = time.monotonic()
    now = state(asked)
    time.sleep((time.monotonic() - start) * (1 / SHARE - 1))
    return now


def _checked(asked: CheckArguments) -> int:
    """Check in a process of its own, which knows nothing of rules, settings and modules as they were before."""
    process = Process(target=_check, args=(asked,))
    process.start()
    try:
        process.join()
    except KeyboardInterrupt:
        process.join()  # Ctrl+C reaches it, too: it ends those processes that it has started itself
        raise
    except SystemExit:  # a signal that reaches this process alone
        process.terminate()
        process.join()
        raise
    return process.exitcode or 0


def _check(asked: CheckArguments) -> None:
    """Check once; the group says in sentences what cannot be done, and makes an exit status of it."""
    once = CommandGroup(modules={}, invoke_without_command=True, callback=lambda: plan_check(asked).carry_out())
    once.main([])


def _tell(asked: CheckArguments, status: int) -> None:
    """Say when the check was, and what is watched now."""
    paths = [Path(path) for path in asked.paths or (".",)]
    names = ", ".join(printable(str(path)) for path in paths)
    count = sum(1 for _ in _found(asked, paths))
    done = "Could not check" if status == REFUSED else f"Checked {count} file{'s' * (count != 1)}"
    click.echo(f"{done} at {datetime.now():%H:%M:%S}; watching {names} (Ctrl+C stops).", err=True)
