"""The JSON format: stable and versioned; what programs should read."""

from __future__ import annotations

import json
from typing import Any

from cvlint.findings import Finding, Report, TraceStep

VERSION = 1


def render(report: Report) -> str:
    """Write a report as JSON, in ASCII so that any encoding of the output carries it."""
    document = {
        "version": VERSION,
        "findings": [_finding(finding) for finding in report.findings],
        "errors": [{"path": error.path, "line": error.line, "message": error.message} for error in report.errors],
        "summary": {"files": report.files, "findings": len(report.findings), "errors": len(report.errors)},
    }
    return json.dumps(document, indent=2) + "\n"


def _finding(finding: Finding) -> dict[str, Any]:
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
        "measured": None,  # filled by runs that recompute the reported number
    }


def _step(step: TraceStep) -> dict[str, Any]:
    return {
        "path": step.location.path,
        "cell": step.location.cell,
        "line": step.location.line,
        "column": step.location.column,
        "end_line": step.location.end_line,
        "note": step.note,
    }
