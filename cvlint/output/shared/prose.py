"""A finding in whole sentences, for the formats that give other tools plain text to show."""

from __future__ import annotations

from cvlint.findings.finding import Finding, Location, Severity, TraceStep
from cvlint.findings.source_text import FileSpan
from cvlint.output.shared.locations import place, printable
from cvlint.output.shared.measured import sentences

Rows = FileSpan


def sentence(text: str) -> str:
    """One line, safe to show, with a full stop."""
    text = printable(" ".join(text.split()))
    return text if text.endswith((".", "!", "?", "`")) else f"{text}."


def told(finding: Finding) -> list[str]:
    """What is wrong, what is known of it, and what to write instead; a sentence or more in each item."""
    where = inside(finding.location)
    message = sentence(finding.message)
    told = [f"In {where}: {message}" if where else message]
    told += [f"Measured: {text}" for text in sentences(finding)]
    told += [suppression(finding)] if finding.suppressed else []
    return told + ([f"Use instead: {sentence(finding.fix.message)}"] if finding.fix else [])


def suppression(finding: Finding) -> str:
    """By which comment a finding is suppressed, and why."""
    comment = finding.suppressed
    if comment is None:
        return ""
    return f"Suppressed at {place(comment.location)}: {sentence(comment.reason or 'no reason is given')}"


def weight(finding: Finding) -> Severity:
    """How severe a finding is where a format knows nothing of suppressed ones: those are notes."""
    return finding.severity if finding.suppressed is None else "note"


def inside(location: Location) -> str:
    """Where in a notebook a place is, "cell 3, line 4"; nothing for other files, whose lines say it."""
    return "" if location.cell is None else f"cell {location.cell}, line {location.line}"


def step_line(number: int, step: TraceStep) -> str:
    """One step of a trace as a line."""
    return f"{number}. {place(step.location)}: {printable(step.note)}"
