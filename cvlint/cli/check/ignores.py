"""``cvlint check --add-ignores``: a comment that suppresses it at each finding."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from itertools import groupby
from pathlib import Path

import click

from cvlint.cli.check.rewriting import State, leads_out, state, tell_changed
from cvlint.filesystem.atomic_write import ChangedMeanwhile, write_file
from cvlint.findings.finding import Finding, Report
from cvlint.usage_error import UsageError
from cvlint.workspace.source_lines import content

LEFT = 1


def write_ignores(report: Report, reason: str, given: Sequence[Path], before: Mapping[str, State]) -> int:
    """Write the comments, and say how many findings they are for.

    Parameters
    ----------
    report : Report
        What nothing suppresses yet. Findings about comments are left out: those cannot be suppressed by more of them.
    reason : str
        What to write behind each comment.
    given : sequence of Path
        The files and folders on the command line.
    before : mapping of str to State
        What the system said of the files before they were checked, by their real paths: where a file has changed since
        then, the lines of its findings may be others.

    Returns
    -------
    int
        The exit status: 0 if every finding got its comment.
    """
    from cvlint.output.shared.locations import printable
    from cvlint.rules.comment_rules import meta_rules

    about_comments = {rule.name for rule in meta_rules()}
    findings = [finding for finding in report.findings if finding.rule not in about_comments]
    done = files = 0
    unchanged = dict(before)
    for path, group in groupby(findings, key=lambda finding: finding.location.path):
        inside = list(group)
        if leads_out(path, given):
            continue
        try:
            written = _write(path, inside, reason, unchanged)
        except ChangedMeanwhile as error:
            tell_changed(path, error)
            continue
        except OSError as error:
            why = f"the file cannot be written: {error.strerror}"
            click.echo(f"{printable(path)}: no comments were added, because {why}.", err=True)
            continue
        if written:
            done, files = done + len(inside), files + 1
        else:
            why = "a comment there would change the program"
            click.echo(f"{printable(path)}: no comments were added, because {why}.", err=True)
    click.echo(f"Added comments that suppress {_counted(done, 'finding')} to {_counted(files, 'file')}.")
    return 0 if done == len(findings) else LEFT


def check_adding(
    stdin: tuple[str, bytes] | None, new_baseline: str | None, reason: str | None, require_reason: bool
) -> None:
    """Refuse to add comments to what has no file, beside a baseline, and where they would not count."""
    if stdin is not None:
        raise UsageError("The option --add-ignores writes into files, and so it cannot be used with standard input")
    if new_baseline is not None:
        raise UsageError("The options --add-ignores and --write-baseline exclude each other: one of them will do")
    if require_reason and not reason:
        raise UsageError(
            "Comments without a reason do not count here, so --add-ignores needs --reason, the text to write"
        )
    if reason is not None and (not reason.isprintable() or reason.startswith(("[", ":")) or "#" in reason):
        raise UsageError(
            f"The option --reason cannot be '{reason}'", "valid is one line without '#', '[' or ':' in front"
        )


def _write(path: str, findings: Sequence[Finding], reason: str, unchanged: dict[str, State]) -> bool:
    """Write the comments of one file; tells whether there can be such comments.

    Of a file that is found under two names, as by a link to it, the comments of the first do for the second as well.
    """
    from cvlint.findings.suppression.apply import by_file, comments_at
    from cvlint.findings.suppression.comments import ignores_of
    from cvlint.fixes.rewrites.ignore_comments import with_ignores
    from cvlint.source.module import read_bytes

    real = os.path.realpath(path)
    known = unchanged.get(real)
    data = content(path, None)
    if data is None or (known is not None and state(real) != known):
        raise ChangedMeanwhile(path)
    source = read_bytes(data, Path(path), path).source
    if source is None:
        raise ChangedMeanwhile(path)
    ignores = by_file(ignores_of(source))
    left = [
        one
        for one in findings
        if not any(one.rule in ignore.words and ignore.reason == reason for ignore in comments_at(one, ignores))
    ]
    if not left:
        return True
    new = with_ignores(data, source, left, reason)
    if new is None:
        return False
    write_file(path, new, expected=data)
    after = state(real)
    unchanged.update({real: after} if after is not None else {})
    return True


def _counted(count: int, thing: str) -> str:
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"
