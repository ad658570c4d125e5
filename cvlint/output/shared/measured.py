"""What findings amounted to in a run: a line for each experiment."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from cvlint.findings.finding import Finding, Measured
from cvlint.output.shared.locations import place, printable
from cvlint.output.shared.styled_text import Piece

SHOWN = 5
"""Experiments of one finding that are shown."""


def pieces(findings: Iterable[Finding]) -> Iterator[Piece]:
    """A line for each experiment of each finding, or for the reason why there is none."""
    for finding in findings:
        for text in sentences(finding) or ["no number can be measured for this rule."]:
            yield Piece(place(finding.location).rpartition(":")[0], "place")
            yield Piece(" ")
            yield Piece(finding.rule, finding.severity)
            yield Piece(f": {text}\n")


def sentences(finding: Finding) -> list[str]:
    """What a finding amounted to in each experiment, or why that is not known; empty when nothing was run."""
    found = [sentence(one, len(finding.measured) > 1) for one in finding.measured[:SHOWN]]
    if len(finding.measured) > SHOWN:
        found.append(f"and {len(finding.measured) - SHOWN} more experiments at the same place.")
    if not found and finding.unmeasured:
        found.append(finding.unmeasured[:1].lower() + finding.unmeasured[1:])
    return found


def sentence(one: Measured, named: bool) -> str:
    """The faulty number, the right one, and how far they are apart."""
    from cvlint.runtime.aggregates.registry import LABELS

    right = LABELS[one.right]
    apart = f"{-one.difference:+.3f}".replace("-", "−") if abs(one.difference) >= 0.0005 else "0.000"
    interval = "" if one.ci is None else f"; 95 % CI of {right} {one.ci[0]:.2f}–{one.ci[1]:.2f}"
    folds = f"{one.folds} folds"
    if one.repeats > 1:
        folds = f"{one.folds // one.repeats} folds, the mean of {one.repeats} repetitions"
    where = f", {printable(one.experiment)}" if named else ""
    text = (
        f"{LABELS[one.aggregate]} {one.value:.3f}; {right} is {one.right_value:.3f} "
        f"({apart}{interval}), {folds}{where}."
    )
    return f"{text} {one.caution}".rstrip()
