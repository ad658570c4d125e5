"""The step that hides the findings of baselines: known faults that a project keeps for now.

`cvlint.findings.baseline.hide` matches findings with the entries; the step says which baseline is for which files.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from cvlint.filesystem.real_folder import path_in_real_folder
from cvlint.findings.baseline import Baseline, BaselineEntry, entry_of, hide
from cvlint.findings.finding import Finding, Report, with_suppressed, without_suppressed
from cvlint.findings.suppression.comments import file_key
from cvlint.records import replace
from cvlint.source.links.import_closure import ImportClosure
from cvlint.workspace.settings.baseline_file import BaselineFile
from cvlint.workspace.steps.coverage import Coverage, expired
from cvlint.workspace.steps.pipeline import Step
from cvlint.workspace.workspace import CheckGroup, Workspace

OnExpired = Callable[[BaselineFile, Baseline], None]
"""Called with a baseline and its expired entries, whose findings are gone."""


def hide_baseline(workspace: Workspace, on_expired: OnExpired | None = None) -> Step:
    """Make the step that hides known findings.

    A finding counts as known by the baseline that its file reads. Suppressed findings pass through, and their entries
    stay in the baseline.
    """

    def step(report: Report) -> Report:
        if not any(group.baseline is not None for group in workspace.groups):
            return report
        new, expired_entries = _new_findings(without_suppressed(report), workspace)
        if on_expired is not None:
            for baseline, entries in expired_entries.values():
                on_expired(baseline, entries)
        return with_suppressed(new, report)

    return step


def _new_findings(report: Report, workspace: Workspace) -> tuple[Report, dict[Path, tuple[BaselineFile, Baseline]]]:
    """A report without the known findings, and for each baseline the entries that are expired."""
    first = workspace.groups[0]
    owners = {path: workspace.owner(path, first) for path in {f.location.path for f in report.findings}}
    new: list[Finding] = []
    expired_entries: dict[Path, tuple[BaselineFile, Baseline]] = {}
    for group, scope in zip(workspace.groups, baseline_scopes(workspace, report), strict=True):
        own = Report(tuple(f for f in report.findings if owners[f.location.path] is group), (), 0)
        if (baseline := group.baseline) is not None:
            own, unmatched = hide(own, baseline.entries, path_in_real_folder)
            previous = expired_entries.get(baseline.path, (baseline, {}))[1]
            expired_entries[baseline.path] = baseline, {**previous, **expired(unmatched, scope)}
        new += own.findings
    findings = tuple(sorted(new, key=lambda f: (f.location.sort_key, f.code)))
    hidden = report.in_baseline + len(report.findings) - len(findings)
    return replace(report, findings=findings, in_baseline=hidden, has_baseline=True), expired_entries


def baseline_scopes(workspace: Workspace, report: Report) -> list[Coverage]:
    """The scope of each group: an entry is expired only if the check covered it and found nothing there."""
    unread = {file_key(error.path) for error in report.errors}
    files = [[path for path in group.file_names if file_key(path) not in unread] for group in workspace.groups]
    closure = ImportClosure(path for own in files for path in own)
    below_severity = frozenset(entry_of(finding, path_in_real_folder) for finding in report.below_severity)
    real_paths = [frozenset(map(os.path.realpath, own)) for own in files]
    return [
        _scope(group, own, closure, below_severity) for group, own in zip(workspace.groups, real_paths, strict=True)
    ]


def _scope(
    group: CheckGroup, checked: frozenset[str], closure: ImportClosure, below_severity: frozenset[BaselineEntry]
) -> Coverage:
    from cvlint.rules.comment_rules import all_rules

    given = [*map(str, group.paths), *([] if group.stdin is None else [group.stdin[0]])]
    unselected = frozenset(rule.name for rule in all_rules(*group.options.own_rules)) - group.options.rules

    def is_seen(path: str) -> bool:
        is_checked = os.path.realpath(path) in checked and closure.is_complete(path)
        return is_checked or not os.path.exists(path)

    return Coverage(
        paths=tuple(os.path.realpath(path) if os.path.isdir(path) else path_in_real_folder(path) for path in given),
        is_seen=is_seen,
        unselected=lambda path: unselected | group.adjustments.ignored_rules(path),
        confidence=group.options.confidence,
        below_severity=below_severity,
    )
