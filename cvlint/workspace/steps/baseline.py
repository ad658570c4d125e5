"""The step that hides known findings, each in the files that read its baseline."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from cvlint.filesystem.real_place import real_place
from cvlint.findings.baseline import Baseline, BaselineEntry, Coverage, entry_of, expired, hide
from cvlint.findings.finding import Finding, Report, with_suppressed, without_suppressed
from cvlint.findings.suppression.comments import file_key
from cvlint.workspace.import_closure import ImportClosure
from cvlint.workspace.pipeline import Step
from cvlint.workspace.settings.known_findings import KnownFindings
from cvlint.workspace.workspace import CheckGroup, Workspace

OnExpired = Callable[[KnownFindings, Baseline], None]
"""Called with a baseline and those of its entries for which the check found nothing any longer."""


def hide_known(workspace: Workspace, on_expired: OnExpired | None = None) -> Step:
    """Make the step that hides known findings; suppressed findings pass through, and the baseline keeps its entries."""

    def step(report: Report) -> Report:
        if not any(group.known is not None for group in workspace.groups):
            return report
        new, gone = _without_known(without_suppressed(report), workspace)
        if on_expired is not None:
            for known, entries in gone.values():
                on_expired(known, entries)
        return with_suppressed(new, report)

    return step


def _without_known(report: Report, workspace: Workspace) -> tuple[Report, dict[Path, tuple[KnownFindings, Baseline]]]:
    """The new findings with the number of those hidden, and the entries that are gone, by their baseline."""
    first = workspace.groups[0]
    owners = {path: workspace.owner(path, first) for path in {f.location.path for f in report.findings}}
    new: list[Finding] = []
    gone: dict[Path, tuple[KnownFindings, Baseline]] = {}
    for group, scope in zip(workspace.groups, baseline_scopes(workspace, report), strict=True):
        own = Report(tuple(f for f in report.findings if owners[f.location.path] is group), (), 0)
        if group.known is not None:
            own, rest = hide(own, group.known.findings, real_place)
            before = gone.get(group.known.path, (group.known, {}))[1]
            gone[group.known.path] = group.known, {**before, **expired(rest, scope)}
        new += own.findings
    found = tuple(sorted(new, key=lambda f: (f.location.sort_key, f.code)))
    hidden = report.in_baseline + len(report.findings) - len(found)
    return replace(report, findings=found, in_baseline=hidden), gone


def baseline_scopes(workspace: Workspace, report: Report) -> list[Coverage]:
    """What each group of a check looked for: an entry outside of it is not gone because there is no finding."""
    unread = {file_key(error.path) for error in report.errors}
    files = [[path for path in group.file_names if file_key(path) not in unread] for group in workspace.groups]
    closure = ImportClosure(path for own in files for path in own)
    below_severity = frozenset(entry_of(finding, real_place) for finding in report.below_severity)
    places = [frozenset(map(os.path.realpath, own)) for own in files]
    return [_scope(group, own, closure, below_severity) for group, own in zip(workspace.groups, places, strict=True)]


def _scope(
    group: CheckGroup, own: frozenset[str], closure: ImportClosure, below_severity: frozenset[BaselineEntry]
) -> Coverage:
    from cvlint.rules.comment_rules import all_rules

    given = [*map(str, group.paths), *([] if group.stdin is None else [group.stdin[0]])]
    unselected = frozenset(rule.name for rule in all_rules(*group.options.own_rules)) - group.options.rules
    return Coverage(
        paths=tuple(os.path.realpath(path) if os.path.isdir(path) else real_place(path) for path in given),
        is_seen=lambda path: not os.path.exists(path) or (os.path.realpath(path) in own and closure.is_complete(path)),
        unselected=lambda path: unselected | group.adjustments.ignored(path),
        confidence=group.options.confidence,
        below_severity=below_severity,
    )
