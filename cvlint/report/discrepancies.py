"""List the discrepancies of a report: numbers that were published or computed, next to the right ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cvlint.findings.finding import Finding
from cvlint.output.shared.locations import place
from cvlint.report.experiments import EvaluatedExperiment
from cvlint.runtime.aggregates.registry import LABELS


@dataclass(frozen=True, slots=True)
class Discrepancy:
    """A published or computed number, and the number that should replace it."""

    source: str
    """The origin: a published number, or the location and the rule of a finding."""
    experiment: str
    """The name of the experiment."""
    wrong: str
    value: float
    """The aggregates that the number may be, and the number."""
    right: str
    right_value: float
    ci: tuple[float, float] | None
    """The aggregate to report, its value (NaN if undefined), and its interval or None."""
    finding: int = 0
    """The number of the finding in the page, from 1; 0 for a published number."""


def discrepancies(experiments: Sequence[EvaluatedExperiment], findings: Sequence[Finding]) -> list[Discrepancy]:
    """List the published numbers and the measured findings, each with the right number."""
    return [*published_numbers(experiments), *measured(findings)]


def published_numbers(experiments: Sequence[EvaluatedExperiment]) -> Iterator[Discrepancy]:
    """List the published numbers for each experiment that has aggregates of their measure."""
    for experiment in experiments:
        for match in experiment.matches:
            headline = experiment.headline(match.reported.family)
            if headline is None:
                continue
            right = headline.right
            ci = None if right.interval is None else (right.interval.low, right.interval.high)
            wrong = " or ".join(a.label for a in match.aggregates) or "none of the aggregates"
            source = f"reported {match.reported.text}"
            yield Discrepancy(source, experiment.name, wrong, match.reported.value, right.label, right.value, ci)


def measured(findings: Sequence[Finding]) -> Iterator[Discrepancy]:
    """List the measured values of findings, for each experiment."""
    for number, finding in enumerate(findings, start=1):
        where = place(finding.location).rpartition(":")[0]
        source = f"{where} {finding.rule}"
        for one in finding.measured:
            labels = LABELS[one.aggregate], LABELS[one.right]
            yield Discrepancy(source, one.experiment, labels[0], one.value, labels[1], one.right_value, one.ci, number)
