"""The step that marks the findings that comments suppress, and drops those below the reported confidence."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from cvlint.findings.finding import CONFIDENCES, Confidence, Report
from cvlint.findings.suppression.ignore import file_key, may_be_unused, may_hold
from cvlint.records import replace
from cvlint.source.unread_file import UnreadFile
from cvlint.workspace.source_lines import file_content
from cvlint.workspace.steps.pipeline import Step
from cvlint.workspace.workspace import CheckGroup

if TYPE_CHECKING:
    from cvlint.findings.suppression.ignore import Ignore


def suppress(group: CheckGroup) -> Step:
    """Make the step.

    Its input needs findings of any confidence: a comment that suppresses a finding below the reported confidence is not
    unused. It reads the comments of the group's files, and of every file that contains a finding or a step of its
    trace.
    """

    def step(report: Report) -> Report:
        options = group.options
        if not group.read_comments:
            return _at_confidence(report, options.confidence)
        traced = _traced_files(report)
        ignores = {
            one for path in (*group.file_names, *sorted(traced)) for one in _ignores(path, group, path in traced)
        }
        if not ignores:
            return _at_confidence(report, options.confidence)
        from cvlint.findings.suppression.apply import SuppressionOptions, apply_comments
        from cvlint.rules.comment_rules import all_rules
        from cvlint.source.links.import_closure import ImportClosure

        checked = frozenset(map(file_key, group.file_names)) - {file_key(error.path) for error in report.errors}
        wanted = SuppressionOptions(
            all_rules(*options.own_rules), options.rules, options.confidence, group.require_reason
        )
        return apply_comments(report, ignores, checked, wanted, ImportClosure(checked))

    return step


def _at_confidence(report: Report, confidence: Confidence) -> Report:
    """Keep the findings of this confidence or a higher one."""
    level = CONFIDENCES.index(confidence)
    kept = tuple(one for one in report.findings if CONFIDENCES.index(one.confidence) <= level)
    return replace(report, findings=kept)


def _traced_files(report: Report) -> set[str]:
    """The files in which findings and the steps of their traces lie."""
    steps = {step.location.path for finding in report.findings for step in finding.trace}
    return steps | {finding.location.path for finding in report.findings}


def _ignores(path: str, group: CheckGroup, is_traced: bool) -> tuple[Ignore, ...]:
    """The comments of a file that suppress findings; a file is parsed only if its bytes may hold such a comment.

    Where no finding and no step of a trace lies, only comments matter that may be unused.
    """
    if group.stdin is not None and path == group.stdin[0]:
        data = group.stdin[1]
        return _parsed(data, path) if (may_hold if is_traced else may_be_unused)(data) else ()
    scan = group.results.scan(path)
    if isinstance(scan, UnreadFile) or not (scan.may_hold_ignores if is_traced else scan.may_hold_unused):
        return ()
    known = group.results.remembered(path, "ignores")
    if known is None:
        known = (_parsed(file_content(path, None), path),)
        group.results.remember(path, "ignores", known[0])
    ignores: tuple[Ignore, ...] = known[0]
    return ignores


def _parsed(data: bytes | None, path: str) -> tuple[Ignore, ...]:
    from cvlint.findings.suppression.comments import ignores_of
    from cvlint.source.module import read_bytes

    source = None if data is None else read_bytes(data, Path(path), path).source
    return () if source is None else ignores_of(source)
