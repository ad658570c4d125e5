"""The concise format: one line for each finding, for editors and for grep."""

from __future__ import annotations

from cvlint.findings.finding import Finding, Report
from cvlint.output.findings.formats import RenderContext
from cvlint.output.shared.locations import place, printable


def render(report: Report, context: RenderContext) -> str:
    """Write one line for each finding, and nothing when there is none."""
    return "".join(f"{_line(finding)}\n" for finding in report.findings)


def _line(finding: Finding) -> str:
    message = printable(" ".join(finding.message.split()))
    return f"{place(finding.location)}: {finding.code} {finding.rule} ({_severity(finding)}): {message}"


def _severity(finding: Finding) -> str:
    return finding.severity if finding.suppressed is None else f"{finding.severity}, suppressed"
