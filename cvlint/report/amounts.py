"""What was reported or computed by the code, beside what is right: the discrepancies of a report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cvlint.findings.finding import Finding
from cvlint.output.shared.locations import place
from cvlint.report.experiments import Experiment
from cvlint.runtime.aggregates.registry import LABELS


@dataclass(frozen=True, slots=True)
class Amount:
    """A number that was reported or computed, and the one that should have been.

    Attributes
    ----------
    source
        What says so: a published number, or the place and the rule of a finding.
    experiment
        In which experiment.
    wrong, value
        Which aggregates the number can be, and the number.
    right, right_value, ci
        The aggregate to report, its value, NaN where it is undefined, and its interval, None where there is none.
    finding
        The number of the finding in the page, from 1; 0 for a published number.
    """

    source: str
    experiment: str
    wrong: str
    value: float
    right: str
    right_value: float
    ci: tuple[float, float] | None
    finding: int = 0


def amounts(experiments: Sequence[Experiment], findings: Sequence[Finding]) -> list[Amount]:
    """The published numbers and the measured findings, each with what is right."""
    return [*published(experiments), *measured(findings)]


def published(experiments: Sequence[Experiment]) -> Iterator[Amount]:
    """The published numbers in each experiment that has aggregates of their measure."""
    for experiment in experiments:
        for match in experiment.matches:
            headline = experiment.headline(match.reported.family)
            if headline is None:
                continue
            right = headline.right
            ci = None if right.interval is None else (right.interval.low, right.interval.high)
            wrong = " or ".join(a.label for a in match.aggregates) or "none of the aggregates"
            source = f"reported {match.reported.text}"
            yield Amount(source, experiment.name, wrong, match.reported.value, right.label, right.value, ci)


def measured(findings: Sequence[Finding]) -> Iterator[Amount]:
    """What the findings amounted to, in each experiment that met them."""
    for number, finding in enumerate(findings, start=1):
        where = place(finding.location).rpartition(":")[0]
        source = f"{where} {finding.rule}"
        for one in finding.measured:
            labels = LABELS[one.aggregate], LABELS[one.right]
            yield Amount(source, one.experiment, labels[0], one.value, labels[1], one.right_value, one.ci, number)
