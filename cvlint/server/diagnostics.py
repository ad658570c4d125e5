"""Findings as editors show them: a diagnostic, with the steps of the trace as related places."""

from __future__ import annotations

from lsprotocol import types

from cvlint.findings.finding import Finding
from cvlint.output.shared.locations import printable
from cvlint.output.shared.prose import sentence
from cvlint.server.places import Places

SEVERITIES = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "note": types.DiagnosticSeverity.Information,
}


def diagnostic(finding: Finding, places: Places, with_steps: bool) -> types.Diagnostic:
    """The diagnostic of a finding; no rule has a page on the network, so that it has no link.

    ``with_steps``: whether the editor can show other places beside it, the steps of the trace.
    """
    return types.Diagnostic(
        range=places.span(finding.location),
        message=sentence(finding.message),
        severity=SEVERITIES[finding.severity],
        code=finding.code,
        source="cvlint",
        related_information=[
            types.DiagnosticRelatedInformation(places.place(step.location), printable(step.note))
            for step in finding.trace
        ]
        if with_steps
        else None,
    )
