"""The options ``--baseline`` and ``--write-baseline`` of ``cvlint check``: known findings are read, hidden, written."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from pathlib import Path

import click

from cvlint.filesystem.atomic_write import write_file
from cvlint.filesystem.real_place import real_place
from cvlint.findings.baseline import (
    Baseline,
    Coverage,
    baseline_of,
    relative,
    render,
    size,
    updated,
)
from cvlint.findings.finding import Report
from cvlint.output.shared.locations import printable
from cvlint.usage_error import UsageError
from cvlint.workspace.settings.known_findings import KnownFindings, folder_of, read_baseline

MOST_EXPIRED = 3


def known_findings(given: str | None, written: str | None) -> KnownFindings | None:
    """What --baseline names, or --write-baseline; wrong files are refused before the check, which may last."""
    if given is not None and written is not None:
        raise UsageError(
            "The options --baseline and --write-baseline cannot go together, because one hides what the other writes",
            "valid is --write-baseline alone, which also brings a baseline up to date",
        )
    if written is not None:
        before = _bytes(Path(written))
        return KnownFindings(Path(written), _old(written), before)
    return None if given is None else KnownFindings(Path(given), read_baseline(Path(given)))


def _bytes(path: Path) -> bytes | None:
    """What a file holds; None where it is none, or cannot be read, which reading it as a baseline explains."""
    try:
        return path.read_bytes() if path.is_file() else None
    except OSError:
        return None


def _old(written: str) -> Baseline:
    """What a file that is to be written holds so far; any other file than a baseline is left alone."""
    path = Path(written)
    if not written or path.is_dir():
        raise UsageError(f"The option --write-baseline cannot be '{written}'", "valid is the name of a file")
    if not path.parent.is_dir():
        raise UsageError(f"The baseline cannot be written to '{written}', because there is no folder '{path.parent}'")
    return read_baseline(path) if path.exists() else {}


def tell_expired(gone: Baseline, known: KnownFindings, paths: Sequence[str]) -> None:
    """Say in one line which known findings are gone, and how to get them out of the baseline."""
    if not gone:
        return
    names = [f"{entry.rule} in {relative(entry.path, os.getcwd())}" for entry in sorted(gone)]
    more = [f"{len(names) - MOST_EXPIRED} more"] if len(names) > MOST_EXPIRED else []
    count = size(gone)
    are = "finding that is" if count == 1 else "findings that are"
    command = shlex.join(
        ("cvlint", "check", *(one for one in paths if one != "-"), "--write-baseline", str(known.path))
    )
    text = (
        f"The baseline '{known.path}' holds {count} {are} gone ({', '.join(names[:MOST_EXPIRED] + more)}): "
        f"`{command}` brings it up to date."
    )
    click.echo(printable(text), err=True)


def write_baseline(report: Report, known: KnownFindings, scopes: Sequence[Coverage]) -> None:
    """Write what was found, beside what was known of files and rules that were not checked, and say how much it is."""
    new = baseline_of(report.findings, real_place)
    made = updated(known.findings, new, *scopes)
    try:
        write_file(known.path, render(made, folder_of(known.path)).encode(), expected=known.before)
    except OSError as error:
        raise UsageError(f"The baseline cannot be written to '{known.path}': {error.strerror}") from error
    count, kept = size(made), size(made) - size(new)
    holds = f"The baseline '{known.path}' holds {count} finding{'s' * (count != 1)}"
    of_before = f", {kept} of them as before, because this check did not look for them" if kept else ""
    click.echo(printable(f"{holds}{of_before}."))
