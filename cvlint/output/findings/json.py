"""The JSON format for programs: its keys are documented, stable and versioned."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from cvlint.findings.faults import Fault, faults_of
from cvlint.findings.finding import Finding, Measured, Report, Suppression, TraceStep
from cvlint.output.findings.formats import RenderContext
from cvlint.output.shared.strangers_text import harmless_json
from cvlint.rules.address import rule_address
from cvlint.source.unread_file import UnreadFile

if TYPE_CHECKING:
    from cvlint.fixes.editing.edits import ConfirmedFix, Replacement

VERSION = 1


def render(report: Report, context: RenderContext) -> str:
    """Write a report as JSON, with the edits of fixes if the context has them.

    The text is ASCII, so that every output encoding can hold it.
    """
    faults = faults_of(report.findings)
    ids = fault_ids(faults)
    document = {
        "version": VERSION,
        "findings": [
            _with_edits(finding_object(finding, ids[finding]), finding, context.fixes) for finding in report.findings
        ],
        "faults": [_fault(fault) for fault in faults],
        "errors": [error_object(error) for error in report.errors],
        "summary": {
            "files": report.files,
            "findings": len(report.findings),
            "faults": len(faults),
            "errors": len(report.errors),
            "in_baseline": report.in_baseline,
            "in_commit": report.in_commit,
            "suppressed": report.suppressed + sum(finding.suppressed is not None for finding in report.findings),
        },
    }
    return harmless_json(json.dumps(document, indent=2)) + "\n"


def fault_ids(faults: Iterable[Fault]) -> dict[Finding, str]:
    """The id of the fault that each finding belongs to."""
    return {finding: fault.id for fault in faults for finding in fault.findings}


def finding_object(finding: Finding, fault: str) -> dict[str, Any]:
    """Write a finding with the documented keys in their order; ``fault`` is the id of its fault."""
    location = finding.location
    return {
        "rule": finding.rule,
        "code": finding.code,
        "url": rule_address(finding.rule),
        "severity": finding.severity,
        "confidence": finding.confidence,
        "path": location.path,
        "cell": location.cell,
        "line": location.line,
        "column": location.column,
        "end_line": location.end_line,
        "end_column": location.end_column,
        "message": finding.message,
        "trace": [_step(step) for step in finding.trace],
        "fix": {"safety": finding.fix.safety, "message": finding.fix.message} if finding.fix else None,
        "measured": _measured(finding.measured),
        "fingerprint": finding.fingerprint,
        "fault": fault,
        "suppressed": _suppression(finding.suppressed),
    }


def _with_edits(
    written: dict[str, Any], finding: Finding, fixes: Mapping[Finding, Sequence[ConfirmedFix]] | None
) -> dict[str, Any]:
    """Add the edits of a finding's confirmed fix, or null, and the safety of these edits."""
    if fixes is None or finding.fix is None:
        return written
    found = next(iter(fixes.get(finding, ())), None)
    safety = finding.fix.safety if found is None else found.safety
    edits = None if found is None else [_edit(one) for one in found.in_code]
    return {**written, "fix": {**written["fix"], "safety": safety, "edits": edits}}


def _edit(one: Replacement) -> dict[str, Any]:
    place = one.location
    start = {"cell": place.cell, "line": place.line, "column": place.column}
    return {**start, "end_line": place.end_line, "end_column": place.end_column, "content": one.text}


def _fault(fault: Fault) -> dict[str, Any]:
    """Write a fault with all its places, the one that describes it first."""
    shown = fault.shown
    head = {"fault": fault.id, "rule": shown.rule, "code": shown.code}
    return {**head, "severity": shown.severity, "places": [_place(finding) for finding in fault.findings]}


def _place(finding: Finding) -> dict[str, Any]:
    at = finding.location
    start = {"path": at.path, "cell": at.cell, "line": at.line, "column": at.column}
    return {**start, "fingerprint": finding.fingerprint}


def error_object(error: UnreadFile) -> dict[str, Any]:
    """Write an unread file with the documented keys."""
    return {"path": error.path, "line": error.line, "message": error.message}


def _step(step: TraceStep) -> dict[str, Any]:
    return {
        "path": step.location.path,
        "cell": step.location.cell,
        "line": step.location.line,
        "column": step.location.column,
        "end_line": step.location.end_line,
        "note": step.note,
    }


def _suppression(found: Suppression | None) -> dict[str, Any] | None:
    """Write the comment that suppresses a finding, or null."""
    if found is None:
        return None
    place = {"path": found.location.path, "cell": found.location.cell, "line": found.location.line}
    return {"reason": found.reason, **place, "comment": found.comment}


def _measured(found: tuple[Measured, ...]) -> dict[str, Any] | None:
    """Write the measured values of the first experiment, with the others in a list; null if nothing was measured."""
    if not found:
        return None
    return {**_experiment(found[0]), "others": [_experiment(one) for one in found[1:]]}


def _experiment(one: Measured) -> dict[str, Any]:
    return {
        "aggregate": one.aggregate,
        "value": one.value,
        "right": one.right,
        "right_value": one.right_value,
        "difference": one.difference,
        "ci": list(one.ci) if one.ci else None,
        "folds": one.folds,
        "repeats": one.repeats,
        "experiment": one.experiment,
    }
