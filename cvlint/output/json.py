"""The JSON format: stable and versioned; what programs should read."""

from __future__ import annotations

import json
from typing import Any

from cvlint.findings import Finding, Measured, Report, Suppression, TraceStep, Unread

VERSION = 1


def render(report: Report) -> str:
    """Write a report as JSON, in ASCII so that any encoding of the output carries it."""
    document = {
        "version": VERSION,
        "findings": [finding_object(finding) for finding in report.findings],
        "errors": [error_object(error) for error in report.errors],
        "summary": {
            "files": report.files,
            "findings": len(report.findings),
            "errors": len(report.errors),
            "in_baseline": report.in_baseline,
            "suppressed": report.suppressed + sum(finding.suppressed is not None for finding in report.findings),
        },
    }
    return json.dumps(document, indent=2) + "\n"


def finding_object(finding: Finding) -> dict[str, Any]:
    """A finding with the documented keys, in their order."""
    location = finding.location
    return {
        "rule": finding.rule,
        "code": finding.code,
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
        "suppressed": _suppression(finding.suppressed),
    }


def error_object(error: Unread) -> dict[str, Any]:
    """A file that could not be read, with the documented keys."""
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
    """The comment that suppresses a finding; null where none does."""
    if found is None:
        return None
    place = {"path": found.location.path, "cell": found.location.cell, "line": found.location.line}
    return {"reason": found.reason, **place, "comment": found.comment}


def _measured(found: tuple[Measured, ...]) -> dict[str, Any] | None:
    """What the first experiment of a run showed, the others beside it; null when nothing was measured."""
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
