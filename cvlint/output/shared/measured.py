"""Write the measured values of findings in a run: a line for each experiment."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from cvlint.findings.finding import Finding, Measured
from cvlint.output.shared.locations import place, printable
from cvlint.output.shared.styled_text import Piece

SHOWN = 5
"""The number of experiments that are shown for one finding."""


def styled_measurements(findings: Iterable[Finding]) -> Iterator[Piece]:
    """Write a line for each experiment of each finding, or for the reason why there is none."""
    for finding in findings:
        for text in measured_sentences(finding) or ["no number can be measured for this rule."]:
            yield Piece(place(finding.location).rpartition(":")[0], "place")
            yield Piece(" ")
            yield Piece(finding.rule, finding.severity)
            yield Piece(f": {text}\n")


def measured_sentences(finding: Finding) -> list[str]:
    """Write the measured value for each experiment, or why there is none; empty if nothing was run."""
    found = [measured_sentence(one, len(finding.measured) > 1) for one in finding.measured[:SHOWN]]
    if len(finding.measured) > SHOWN:
        found.append(f"and {len(finding.measured) - SHOWN} more experiments at the same place.")
    if not found and finding.unmeasured:
        found.append(finding.unmeasured[:1].lower() + finding.unmeasured[1:])
    return found


def labelled_sentence(text: str) -> tuple[str, str]:
    """The label of one of these sentences in a report, and the rest of it."""
    label, colon, reason = text.partition(": ")
    return (label, reason) if colon and label == "not measured" else ("measured", text)


def measured_remarks(finding: Finding) -> list[str]:
    """The same sentences with their labels."""
    return [f"{label.capitalize()}: {rest}" for label, rest in map(labelled_sentence, measured_sentences(finding))]


def measured_sentence(one: Measured, named: bool) -> str:
    """Write the faulty number, the right one, and how much higher or lower that is.

    Words say it, because the tables of the other commands have the difference from the right one, with its sign.
    """
    from cvlint.runtime.aggregates.registry import LABELS

    right = LABELS[one.right]
    correction = "no difference"
    if abs(one.difference) >= 0.0005:
        correction = f"{abs(one.difference):.3f} {'lower' if one.difference > 0 else 'higher'}"
    interval = "" if one.ci is None else f"; 95 % CI of {right} {one.ci[0]:.2f}–{one.ci[1]:.2f}"
    folds = f"{one.folds} folds"
    if one.repeats > 1:
        folds = f"{one.folds // one.repeats} folds, the mean of {one.repeats} repetitions"
    where = f", {printable(one.experiment)}" if named else ""
    text = (
        f"{LABELS[one.aggregate]} {one.value:.3f}; {right} is {one.right_value:.3f} "
        f"({correction}{interval}), {folds}{where}."
    )
    return f"{text} {one.caution}".rstrip()
