"""The step that finds: it analyses each group, applies its comments, and joins the reports of all groups."""

from __future__ import annotations

from collections.abc import Sequence

from cvlint.findings.finding import CONFIDENCES, Finding, Report
from cvlint.records import replace
from cvlint.workspace.settings.adjustments import adjusted
from cvlint.workspace.settings.check_options import CheckOptions
from cvlint.workspace.steps.analyse import Progress, analyse
from cvlint.workspace.steps.pipeline import Step, run_steps
from cvlint.workspace.steps.suppress import suppress
from cvlint.workspace.workspace import CheckGroup, Workspace


def find(workspace: Workspace, progress: Progress | None = None) -> Step:
    """Make the step; it ignores the report of the step before it."""

    def step(_: Report) -> Report:
        return join([(group, _found(group, progress)) for group in workspace.groups], workspace)

    return step


def _found(group: CheckGroup, progress: Progress | None) -> Report:
    """The report of one group; what it adds to the cache stays even if somebody stops the check."""
    try:
        return run_steps(group_steps(group, progress))
    finally:
        group.results.save()


def group_steps(group: CheckGroup, progress: Progress | None = None) -> tuple[Step, ...]:
    """The steps that compute the report of one group, before its config adjusts severities."""
    return (analyse(group, progress), suppress(group))


def join(reports: Sequence[tuple[CheckGroup, Report]], workspace: Workspace) -> Report:
    """Join the reports of all groups into one, and adjust each finding by the config of its file.

    A group can report a finding in a file of another group, if one of its own files imports that file. The config of
    the other group then decides whether the rule is reported, at which confidence, and how severe it is.
    """
    if len(reports) == 1:
        group, report = reports[0]
        return adjusted(report, group.adjustments)
    by_place: dict[object, Finding] = {}
    below_severity: dict[Finding, None] = {}
    for group, report in reports:
        for finding in report.findings:
            owner = workspace.owner(finding.location.path, group)
            if _is_reported(finding, owner.options):
                adjusted_report = adjusted(Report((finding,), (), 0), owner.adjustments)
                for one in adjusted_report.findings:
                    by_place.setdefault((one.rule, one.location), one)
                below_severity.update(dict.fromkeys(adjusted_report.below_severity))
    errors = {error: None for _, report in reports for error in report.errors}
    return replace(
        reports[0][1],
        findings=tuple(sorted(by_place.values(), key=lambda one: (one.location.sort_key, one.code))),
        errors=tuple(sorted(errors, key=lambda error: (error.path, error.line or 0))),
        files=sum(report.files for _, report in reports),
        below_severity=tuple(below_severity),
    )


def _is_reported(finding: Finding, options: CheckOptions) -> bool:
    """Whether options report a finding by its rule and its confidence."""
    is_sure = CONFIDENCES.index(finding.confidence) <= CONFIDENCES.index(options.confidence)
    return is_sure and finding.rule in options.rules
