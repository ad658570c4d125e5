"""The step that marks the findings which comments suppress, and keeps those that are sure enough to be reported."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from cvlint.findings.finding import CONFIDENCES, Confidence, Report
from cvlint.workspace.pipeline import Step
from cvlint.workspace.request import Stdin
from cvlint.workspace.source_lines import content
from cvlint.workspace.workspace import CheckGroup

if TYPE_CHECKING:
    from cvlint.findings.suppression.comments import Ignore


def suppress(group: CheckGroup) -> Step:
    """Make the step: it takes findings of any confidence, because a comment on a finding that is not shown is used.

    Comments are read in the files of the group, and in all files that findings or the steps of their traces are in.
    """

    def step(report: Report) -> Report:
        from cvlint.findings.suppression.apply import SuppressionOptions, apply_comments
        from cvlint.findings.suppression.comments import file_key, may_be_unused, may_hold
        from cvlint.rules.comment_rules import all_rules
        from cvlint.workspace.import_closure import ImportClosure

        options = group.options
        if not group.read_comments:
            return _sure_enough(report, options.confidence)
        ignores = {ignore for path in group.file_names for ignore in _ignores(path, group.stdin, may_be_unused)}
        for path in sorted(_places(report)):
            ignores.update(_ignores(path, group.stdin, may_hold))
        if not ignores:
            return _sure_enough(report, options.confidence)
        judged = frozenset(map(file_key, group.file_names)) - {file_key(error.path) for error in report.errors}
        wanted = SuppressionOptions(
            all_rules(*options.own_rules), options.rules, options.confidence, group.require_reason
        )
        return apply_comments(report, ignores, judged, wanted, ImportClosure(judged).is_complete)

    return step


def _sure_enough(report: Report, confidence: Confidence) -> Report:
    level = CONFIDENCES.index(confidence)
    kept = tuple(one for one in report.findings if CONFIDENCES.index(one.confidence) <= level)
    return replace(report, findings=kept)


def _places(report: Report) -> set[str]:
    """The files that findings and the steps of their traces are in."""
    steps = {step.location.path for finding in report.findings for step in finding.trace}
    return steps | {finding.location.path for finding in report.findings}


def _ignores(path: str, stdin: Stdin, may_matter: Callable[[bytes], bool]) -> tuple[Ignore, ...]:
    """The comments of a file, which is parsed only if its bytes may hold one."""
    from cvlint.findings.suppression.comments import ignores_of
    from cvlint.source.module import read_bytes

    data = content(path, stdin)
    if data is None or not may_matter(data):
        return ()
    source = read_bytes(data, Path(path), path).source
    return () if source is None else ignores_of(source)
