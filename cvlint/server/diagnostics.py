"""A finding as editors show it: a diagnostic with the steps of its trace, and a hover text with its rule's page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lsprotocol import types

from cvlint.findings.finding import Finding, TraceStep
from cvlint.output.rules.rule_page import explanation
from cvlint.output.shared.locations import printable
from cvlint.output.shared.prose import finding_sentences, sentence
from cvlint.rules.address import rule_address
from cvlint.rules.catalogue import Rule
from cvlint.server.texts.positions import PositionMapper

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
            types.DiagnosticRelatedInformation(positions.to_location(step.location), _note(step))
            for step in finding.trace
        ]
        if with_steps
        else None,
    )


def _note(step: TraceStep) -> str:
    """The note of a step; in a notebook with the cell, because editors name the file and the line only."""
    cell = "" if step.location.cell is None else f"cell {step.location.cell}: "
    return f"{cell}{printable(step.note)}"


def hover_text(findings: Sequence[Finding], rules: Iterable[Rule]) -> str:
    """Markdown that is also readable as plain text; pages lack the example in numbers, which takes long to compute."""
    pages = {rule.name: explanation(rule, None) for rule in rules}
    return "\n\n---\n\n".join(
        "\n\n".join((*finding_sentences(one), pages.get(one.rule, ""))).strip() for one in findings
    )
