"""``cvlint check --add-ignores``: a comment that suppresses it at each finding."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

import click

from cvlint.findings.finding import Finding, Report
from cvlint.usage_error import Refusal
from cvlint.workspace.source_lines import content

LEFT = 1


def write_ignores(report: Report, reason: str) -> int:
    """Write the comments, and say how many findings they are for.

    Parameters
    ----------
    report : Report
        What nothing suppresses yet. Findings about comments are left out: those cannot be suppressed by more of them.
    reason : str
        What to write behind each comment.

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
    for path, group in groupby(findings, key=lambda finding: finding.location.path):
        inside = list(group)
        if _write(path, inside, reason):
            done, files = done + len(inside), files + 1
        else:
            why = "a comment there would change the program, or the file has changed or cannot be written"
            click.echo(f"{printable(path)}: no comments were added, because {why}.", err=True)
    click.echo(f"Added comments that suppress {_counted(done, 'finding')} to {_counted(files, 'file')}.")
    return 0 if done == len(findings) else LEFT


def check_adding(
    stdin: tuple[str, bytes] | None, new_baseline: str | None, reason: str | None, require_reason: bool
) -> None:
    """Refuse to add comments to what has no file, beside a baseline, and where they would not count."""
    if stdin is not None:
        raise Refusal("The option --add-ignores writes into files, and so it cannot be used with standard input")
    if new_baseline is not None:
        raise Refusal("The options --add-ignores and --write-baseline exclude each other: one of them will do")
    if require_reason and not reason:
        raise Refusal("Comments without a reason do not count here, so --add-ignores needs --reason, the text to write")
    if reason is not None and (not reason.isprintable() or reason.startswith(("[", ":")) or "#" in reason):
        raise Refusal(f"The option --reason cannot be '{reason}'", "valid is one line without '#', '[' or ':' in front")


def _write(path: str, findings: Sequence[Finding], reason: str) -> bool:
    """Write the comments of one file; tells whether that could be done."""
    from cvlint.fixes.rewrites.ignore_comments import with_ignores
    from cvlint.source.module import read_bytes

    data = content(path, None)
    source = read_bytes(data, Path(path), path).source if data is not None else None
    new = with_ignores(data, source, findings, reason) if data is not None and source is not None else None
    if new is None:
        return False
    try:
        Path(path).write_bytes(new)
    except OSError:
        return False
    return True


def _counted(count: int, thing: str) -> str:
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"
