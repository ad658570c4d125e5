"""The options ``--baseline`` and ``--write-baseline`` of ``cvlint check``: the baseline file is read and written.

`cvlint.findings.baseline.hide` matches findings with its entries.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from pathlib import Path

import click

from cvlint.cli.check.rewriting import counted
from cvlint.filesystem.atomic_write import write_file
from cvlint.filesystem.real_folder import path_in_real_folder
from cvlint.filesystem.regular_file import MOST_RESULTS, read_regular_file
from cvlint.findings.baseline import Baseline, baseline_of, relative, render, size
from cvlint.findings.finding import Report
from cvlint.output.shared.locations import printable
from cvlint.usage_error import UsageError
from cvlint.workspace.settings.baseline_file import BaselineFile, baseline_folder, read_baseline
from cvlint.workspace.steps.coverage import Coverage, updated

MOST_EXPIRED = 3
"""Expired entries that a message names."""


def baseline_file(read: str | None, written: str | None) -> BaselineFile | None:
    """Read the file of --baseline or --write-baseline, and refuse an unusable one before the check, which may be long.

    Parameters
    ----------
    read, written : str or None
        The values of --baseline and --write-baseline.
    """
    if read is not None and written is not None:
        raise UsageError(
            "The options --baseline and --write-baseline cannot go together, because one hides what the other writes",
            "valid is --write-baseline alone, which also brings a baseline up to date",
        )
    if written is not None:
        old_bytes = _bytes_of(Path(written))
        return BaselineFile(Path(written), _old_entries(written), old_bytes)
    return None if read is None else BaselineFile(Path(read), read_baseline(Path(read)))


def _bytes_of(path: Path) -> bytes | None:
    """The content of a file; None if there is none or it cannot be read, which `read_baseline` then explains."""
    try:
        return read_regular_file(path, MOST_RESULTS)
    except OSError:
        return None


def _old_entries(written: str) -> Baseline:
    """The entries of the file that --write-baseline replaces; a file that is not a baseline is refused."""
    path = Path(written)
    if not written or path.is_dir():
        raise UsageError(f"The option --write-baseline cannot be '{written}'", "valid is the name of a file")
    if not path.parent.is_dir():
        raise UsageError(f"The baseline cannot be written to '{written}', because there is no folder '{path.parent}'")
    return read_baseline(path) if path.exists() else {}


def print_expired(baseline: BaselineFile, expired: Baseline, paths: Sequence[str]) -> None:
    """Print in one line which entries of a baseline are expired, and the command that removes them."""
    if not expired:
        return
    names = [f"{entry.rule} in {relative(entry.path, os.getcwd())}" for entry in sorted(expired)]
    more = [f"{len(names) - MOST_EXPIRED} more"] if len(names) > MOST_EXPIRED else []
    gone = counted(size(expired), "finding that is", "findings that are")
    command = shlex.join(
        ("cvlint", "check", *(path for path in paths if path != "-"), "--write-baseline", str(baseline.path))
    )
    text = (
        f"The baseline '{baseline.path}' holds {gone} gone ({', '.join(names[:MOST_EXPIRED] + more)}): "
        f"`{command}` brings it up to date."
    )
    click.echo(printable(text), err=True)


def write_baseline(report: Report, old: BaselineFile, scopes: Sequence[Coverage]) -> None:
    """Write the findings of a report as a baseline, and print how many it holds.

    Entries of files and rules that the check did not cover are kept.
    """
    found = baseline_of(report.findings, path_in_real_folder)
    new = updated(old.entries, found, *scopes)
    try:
        write_file(old.path, render(new, baseline_folder(old.path)).encode(), expected=old.old_bytes)
    except OSError as error:
        raise UsageError(f"The baseline cannot be written to '{old.path}': {error.strerror}") from error
    kept = size(new) - size(found)
    also = f", {kept} of them from before, because this check did not look for them" if kept else ""
    click.echo(printable(f"The baseline '{old.path}' holds {counted(size(new), 'finding')}{also}."))
