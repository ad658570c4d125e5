"""A check that heeds the comments which suppress findings: reads them in the files that matter."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from cvlint.findings.finding import Report
from cvlint.workspace.source_lines import content

if TYPE_CHECKING:
    from cvlint.findings.suppression.comments import Ignore
    from cvlint.workspace.check import Options

Check = Callable[["Options"], Report]
Stdin = tuple[str, bytes] | None


def heeding(check: Check, paths: Sequence[Path], stdin: Stdin, options: Options, require_reason: bool) -> Report:
    """Check, and mark the findings that comments suppress.

    Parameters
    ----------
    check : callable
        Makes the report of some options.
    paths : sequence of Path
        The files and folders that are checked.
    stdin : tuple of str and bytes, or None
        Name and content of standard input.
    options : Options
        What to report; the rules may hold meta-rules, which are settled here and not by the check.
    require_reason : bool
        Whether only comments with a reason count.

    Returns
    -------
    Report
        Suppressed findings are in it, and marked as such.
    """
    from cvlint.findings.suppression.comments import file_key, may_be_unused, may_hold
    from cvlint.rules.comment_rules import all_rules, meta_rules

    engine = replace(options, rules=options.rules - {rule.name for rule in meta_rules()})
    files = list(checked_files(paths, stdin, options))
    ignores = {ignore for path in files for ignore in _ignores(path, stdin, may_be_unused)}
    # A comment on a finding that is not sure enough to be shown is of use: let the check tell of that finding, too.
    report = check(replace(engine, confidence="low") if ignores else engine)
    for path in sorted(_places(report)):
        ignores.update(_ignores(path, stdin, may_hold))
    if not ignores:
        return report
    from cvlint.findings.suppression.apply import SuppressionOptions, apply_comments
    from cvlint.workspace.import_closure import Reach

    judged = frozenset(map(file_key, files)) - {file_key(error.path) for error in report.errors}
    wanted = SuppressionOptions(all_rules(*options.own_rules), options.rules, options.confidence, require_reason)
    return apply_comments(report, ignores, judged, wanted, Reach(judged).is_whole)


def checked_files(paths: Sequence[Path], stdin: Stdin, options: Options) -> Iterator[str]:
    """The files that are checked, as they are shown."""
    from cvlint.source.discovery import discover

    yield from (str(path) for path in discover(paths, options.exclude) if isinstance(path, Path))
    if stdin is not None:
        yield stdin[0]


def _places(report: Report) -> set[str]:
    """The files that findings and the steps of their traces are in."""
    steps = {step.location.path for finding in report.findings for step in finding.trace}
    return steps | {finding.location.path for finding in report.findings}


def _ignores(path: str, stdin: Stdin, wanted: Callable[[bytes], bool]) -> tuple[Ignore, ...]:
    """The comments of a file, which is parsed only if its bytes are as wanted."""
    from cvlint.findings.suppression.comments import ignores_of
    from cvlint.source.module import read_bytes

    data = content(path, stdin)
    if data is None or not wanted(data):
        return ()
    source = read_bytes(data, Path(path), path).source
    return () if source is None else ignores_of(source)
