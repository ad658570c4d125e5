"""The concise format: one line for each finding, for editors and for grep."""

from __future__ import annotations

from cvlint.findings.finding import Finding, Report
from cvlint.output.findings.formats import RenderContext
from cvlint.output.shared.locations import place, printable
from cvlint.output.shared.measured import measured_remarks
from cvlint.output.shared.prose import sentence


def render(report: Report, context: RenderContext) -> str:
    """Write one line for each finding, and nothing when there is none."""
    return "".join(f"{_line(finding)}\n" for finding in report.findings)


def _line(finding: Finding) -> str:
    measured = measured_remarks(finding)
    message = printable(" ".join(finding.message.split()))
    message = " ".join([sentence(message), *measured]) if measured else message
    return f"{place(finding.location)}: {finding.code} {finding.rule} ({_severity(finding)}): {message}"


def _severity(finding: Finding) -> str:
    return finding.severity if finding.suppressed is None else f"{finding.severity}, suppressed"
