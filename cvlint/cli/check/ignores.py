"""``cvlint check --add-ignores``: write a comment at each finding that suppresses it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from itertools import groupby
from pathlib import Path

import click

from cvlint.cli.check.rewriting import FileStamp, counted, file_stamp, leads_out, print_changed
from cvlint.filesystem.atomic_write import ChangedMeanwhile, write_file
from cvlint.findings.finding import Finding, Report
from cvlint.usage_error import UsageError
from cvlint.workspace.request import Stdin
from cvlint.workspace.source_lines import file_content

INCOMPLETE = 1


def write_ignores(report: Report, reason: str, given: Sequence[Path], stamps: Mapping[str, FileStamp]) -> int:
    """Write the comments, and print how many findings they suppress.

    Parameters
    ----------
    report : Report
        Findings without a comment. Findings about comments get none, because a comment cannot suppress them.
    reason : str
        The text that each comment gives as its reason.
    given : sequence of Path
        The files and folders on the command line.
    stamps : mapping of str to FileStamp
        The stamps of the files before the check, by their real paths. If a file has another stamp now, the lines of its
        findings may have moved.

    Returns
    -------
    int
        The exit status: 0 if every finding got its comment.
    """
    from cvlint.output.shared.locations import as_line
    from cvlint.rules.comment_rules import meta_rules

    about_comments = {rule.name for rule in meta_rules()}
    findings = [finding for finding in report.findings if finding.rule not in about_comments]
    suppressed = files = 0
    known_stamps = dict(stamps)
    for path, group in groupby(findings, key=lambda finding: finding.location.path):
        in_file = list(group)
        if leads_out(path, given):
            continue
        try:
            written = _write(path, in_file, reason, known_stamps)
        except ChangedMeanwhile as error:
            print_changed(path, error)
            continue
        except OSError as error:
            problem = f"the file cannot be written: {error.strerror}"
            click.echo(f"{as_line(path)}: no comments were added, because {problem}.", err=True)
            continue
        if written:
            suppressed, files = suppressed + len(in_file), files + 1
        else:
            problem = "a comment there would change the program"
            click.echo(f"{as_line(path)}: no comments were added, because {problem}.", err=True)
    click.echo(f"Added comments that suppress {counted(suppressed, 'finding')} to {counted(files, 'file')}.")
    return 0 if suppressed == len(findings) else INCOMPLETE


def refuse_useless_ignores(stdin: Stdin, new_baseline: str | None, reason: str | None, require_reason: bool) -> None:
    """Refuse --add-ignores with standard input, with --write-baseline, and for comments that would not count."""
    if stdin is not None:
        raise UsageError("The option --add-ignores writes into files, so it cannot be used with standard input")
    if new_baseline is not None:
        raise UsageError(
            "The options --add-ignores and --write-baseline cannot go together, because one of them is enough"
        )
    if require_reason and not reason:
        raise UsageError(
            "This project requires a reason in each comment, so --add-ignores needs --reason with its text"
        )
    if reason is not None and (not reason.isprintable() or reason.startswith(("[", ":")) or "#" in reason):
        raise UsageError(
            f"The option --reason cannot be '{reason}'", "valid is one line without '#', '[' or ':' in front"
        )


def _write(path: str, findings: Sequence[Finding], reason: str, stamps: dict[str, FileStamp]) -> bool:
    """Write the comments of one file; False if they would change the program.

    A file may have findings under two names, its own and that of a link. The comments of the first suppress the
    findings of the second as well.
    """
    from cvlint.findings.suppression.comments import ignores_of
    from cvlint.findings.suppression.places import by_file, comments_at
    from cvlint.fixes.rewrites.ignore_comments import with_ignores
    from cvlint.source.module import read_bytes

    real_path = os.path.realpath(path)
    stamp = stamps.get(real_path)
    data = file_content(path, None)
    if data is None or (stamp is not None and file_stamp(real_path) != stamp):
        raise ChangedMeanwhile(path)
    source = read_bytes(data, Path(path), path).source
    if source is None:
        raise ChangedMeanwhile(path)
    ignores = by_file(ignores_of(source))
    without_comment = [
        one
        for one in findings
        if not any(one.rule in ignore.words and ignore.reason == reason for ignore in comments_at(one, ignores))
    ]
    if not without_comment:
        return True
    new_data = with_ignores(data, source, without_comment, reason)
    if new_data is None:
        return False
    write_file(path, new_data, expected=data)
    new_stamp = file_stamp(real_path)
    stamps.update({real_path: new_stamp} if new_stamp is not None else {})
    return True
