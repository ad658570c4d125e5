"""Describe a finding in whole sentences, for formats whose readers show plain text."""

from __future__ import annotations

from cvlint.findings.finding import Finding, Severity, TraceStep
from cvlint.output.shared.locations import place, printable
from cvlint.output.shared.measured import measured_remarks
from cvlint.source.location import Location


def sentence(text: str) -> str:
    """Write a text as one line, safe to show, with a full stop."""
    text = printable(" ".join(text.split()))
    return text if text.endswith((".", "!", "?", "`")) else f"{text}."


def finding_sentences(finding: Finding) -> list[str]:
    """Describe a finding: the fault, its measured size, its suppression, and the advice, as a list of sentences."""
    where = place_in_notebook(finding.location)
    message = sentence(finding.message)
    found = [f"In {where}: {message}" if where else message]
    found += measured_remarks(finding)
    found += [suppression(finding)] if finding.suppressed else []
    return found + ([f"Use instead: {sentence(finding.fix.message)}"] if finding.fix else [])


def suppression(finding: Finding) -> str:
    """Name the comment that suppresses a finding, and its reason; empty for an active finding."""
    comment = finding.suppressed
    if comment is None:
        return ""
    return f"Suppressed at {place(comment.location)}: {sentence(comment.reason or 'no reason is given')}"


def reported_severity(finding: Finding) -> Severity:
    """The severity for formats without suppressed findings: a suppressed finding counts as a note."""
    return finding.severity if finding.suppressed is None else "note"


def place_in_notebook(location: Location) -> str:
    """Write the place in a notebook, "cell 3, line 4"; empty for other files."""
    return "" if location.cell is None else f"cell {location.cell}, line {location.line}"


def step_line(number: int, step: TraceStep) -> str:
    """Write one step of a trace as a line."""
    return f"{number}. {place(step.location)}: {printable(step.note)}"
