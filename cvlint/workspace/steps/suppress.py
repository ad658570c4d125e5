"""The step that marks the findings that comments suppress, and drops those below the reported confidence."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from cvlint.findings.finding import CONFIDENCES, Confidence, Report
from cvlint.workspace.request import Stdin
from cvlint.workspace.source_lines import file_content
from cvlint.workspace.steps.pipeline import Step
from cvlint.workspace.workspace import CheckGroup

if TYPE_CHECKING:
    from cvlint.findings.suppression.comments import Ignore


def suppress(group: CheckGroup) -> Step:
    """Make the step.

    Its input needs findings of any confidence: a comment that suppresses a finding below the reported confidence is not
    unused. It reads the comments of the group's files, and of every file that contains a finding or a step of its
    trace.
    """

    def step(report: Report) -> Report:
        from cvlint.findings.suppression.apply import SuppressionOptions, apply_comments
        from cvlint.findings.suppression.comments import file_key, may_be_unused, may_hold
        from cvlint.rules.comment_rules import all_rules
        from cvlint.source.import_closure import ImportClosure

        options = group.options
        if not group.read_comments:
            return _at_confidence(report, options.confidence)
        ignores = {ignore for path in group.file_names for ignore in _ignores(path, group.stdin, may_be_unused)}
        for path in sorted(_traced_files(report)):
            ignores.update(_ignores(path, group.stdin, may_hold))
        if not ignores:
            return _at_confidence(report, options.confidence)
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


def _ignores(path: str, stdin: Stdin, may_hold_comments: Callable[[bytes], bool]) -> tuple[Ignore, ...]:
    """The comments of a file that suppress findings; a file is parsed only if its bytes may hold such a comment."""
    from cvlint.findings.suppression.comments import ignores_of
    from cvlint.source.module import read_bytes

    data = file_content(path, stdin)
    if data is None or not may_hold_comments(data):
        return ()
    source = read_bytes(data, Path(path), path).source
    return () if source is None else ignores_of(source)
