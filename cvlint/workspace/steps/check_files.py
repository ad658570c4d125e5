"""Check files in several processes: the largest first, and each process takes the next file when it is done.

One large file at the end would keep one process busy while all others wait.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Container, Iterator, Sequence
from functools import partial
from pathlib import Path

from cvlint.source.unread_file import UnreadFile
from cvlint.workspace.file_check import FileResult, check_file, shared_analysis
from cvlint.workspace.settings.check_options import CheckOptions

BYTES_PER_PROCESS = 150_000
"""The size of the files that make another process worth its start."""


def check_files(
    paths: Sequence[Path], named: Container[Path], options: CheckOptions, size: Callable[[Path], int]
) -> Iterator[tuple[Path, FileResult]]:
    """Check files, and give each result as soon as it is there.

    Parameters
    ----------
    paths : sequence of Path
        The files.
    named : container of Path
        Those that the user names, which are analysed as a whole.
    options : CheckOptions
        The options; with ``jobs`` 0 the sizes of the files and the number of cores choose the number of processes.
    size : callable
        Gives the size of a file in bytes.
    """
    jobs = min(options.jobs or _worthwhile(sum(map(size, paths))), len(paths))
    if jobs <= 1:
        for path in paths:
            yield path, check_file(path, options, path in named)
        return
    import multiprocessing

    from cvlint.workspace.workers import Lost, as_completed

    if multiprocessing.get_start_method() == "fork":
        shared_analysis(*options.own_knowledge)  # loaded once, and all processes have it
    ordered = sorted(paths, key=size, reverse=True)
    for number, result in as_completed(partial(_check, options), [(path, path in named) for path in ordered], jobs):
        path = ordered[number]
        if isinstance(result, Lost):
            result = FileResult((), UnreadFile(str(path), f"cannot be checked: {result.reason}"))
        yield path, result


def _check(options: CheckOptions, item: tuple[Path, bool]) -> FileResult:
    path, is_named = item
    return check_file(path, options, is_named)


def _worthwhile(size: int) -> int:
    """The number of processes for files of this size together; one inside of a process of a pool."""
    wanted = min(usable_cores(), 1 + size // BYTES_PER_PROCESS)
    if wanted > 1:
        import multiprocessing

        if multiprocessing.current_process().daemon:
            return 1
    return wanted


def usable_cores() -> int:
    """The number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
