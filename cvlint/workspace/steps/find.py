"""The step that finds: each group is analysed and its comments are applied, then the reports are joined."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace

from cvlint.findings.finding import CONFIDENCES, Finding, Report
from cvlint.workspace.pipeline import Step, run_steps
from cvlint.workspace.settings.adjustments import adjusted
from cvlint.workspace.settings.check_options import CheckOptions
from cvlint.workspace.steps.analyse import ShowProgress, analyse
from cvlint.workspace.steps.suppress import suppress
from cvlint.workspace.workspace import CheckGroup, Workspace


def find(workspace: Workspace, show_progress: ShowProgress = nullcontext) -> Step:
    """Make the step: it starts anew, whatever the report before it says."""

    def step(report: Report) -> Report:
        return join([(group, run_steps(finding_steps(group, show_progress))) for group in workspace.groups], workspace)

    return step


def finding_steps(group: CheckGroup, show_progress: ShowProgress = nullcontext) -> tuple[Step, ...]:
    """The steps that lead to the report of one group, before its config adjusts it."""
    return (analyse(group, show_progress), suppress(group))


def join(found: Sequence[tuple[CheckGroup, Report]], workspace: Workspace) -> Report:
    """Join the reports of all groups into one, as their configs adjust them.

    A finding in a file of another group comes from a file that imports it. The config of that other group decides
    whether its rule is reported, how sure it must be, and how severe it is.
    """
    if len(found) == 1:
        group, report = found[0]
        return adjusted(report, group.adjustments)
    kept: dict[object, Finding] = {}
    below_severity: dict[Finding, None] = {}
    for group, report in found:
        for finding in report.findings:
            owner = workspace.owner(finding.location.path, group)
            if _is_wanted(finding, owner.options):
                outcome = adjusted(Report((finding,), (), 0), owner.adjustments)
                for one in outcome.findings:
                    kept.setdefault((one.rule, one.location), one)
                below_severity.update(dict.fromkeys(outcome.below_severity))
    errors = {error: None for _, report in found for error in report.errors}
    return replace(
        found[0][1],
        findings=tuple(sorted(kept.values(), key=lambda one: (one.location.sort_key, one.code))),
        errors=tuple(sorted(errors, key=lambda error: (error.path, error.line or 0))),
        files=sum(report.files for _, report in found),
        below_severity=tuple(below_severity),
    )


def _is_wanted(finding: Finding, options: CheckOptions) -> bool:
    sure = CONFIDENCES.index(finding.confidence) <= CONFIDENCES.index(options.confidence)
    return sure and finding.rule in options.rules
