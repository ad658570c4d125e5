"""Diagnostics: a finding as editors show it, with the steps of its trace as related locations."""

from __future__ import annotations

from lsprotocol import types

from cvlint.findings.finding import Finding
from cvlint.output.shared.locations import printable
from cvlint.output.shared.prose import sentence
from cvlint.rules.address import rule_address
from cvlint.server.positions import PositionMapper

SEVERITIES = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "note": types.DiagnosticSeverity.Information,
}


def diagnostic(finding: Finding, positions: PositionMapper, with_steps: bool) -> types.Diagnostic:
    """The diagnostic of a finding; its code leads to the page of the rule.

    ``with_steps`` says whether the editor can show related locations, which are the steps of the trace.
    """
    address = rule_address(finding.rule)
    return types.Diagnostic(
        range=positions.to_range(finding.location),
        message=sentence(finding.message),
        severity=SEVERITIES[finding.severity],
        code=finding.code,
        code_description=None if address is None else types.CodeDescription(address),
        source="cvlint",
        related_information=[
            types.DiagnosticRelatedInformation(positions.to_location(step.location), printable(step.note))
            for step in finding.trace
        ]
        if with_steps
        else None,
    )
