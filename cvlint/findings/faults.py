"""Faults: the findings of a report, in groups that have the same cause.

A finding is one place. Comments suppress it, a baseline hides it and fixes mend it without regard to other places. A
fault can show at several places; a reader needs to read it once, with its further places.
"""

from __future__ import annotations

from collections.abc import Iterable

from cvlint.findings.finding import CONFIDENCES, SEVERITIES, Finding
from cvlint.records import dataclass

CALL = "call"
COPY = "copy"
PLACE = "place"
"""The kinds of causes: one helper that is called with several values, a block of code that was copied, and any other.

A cause is one of these words, a colon and a hash (`Finding.causes`).
"""


@dataclass(frozen=True, slots=True)
class Fault:
    """All findings that have one cause in the code."""

    shown: Finding
    """The most severe and surest finding, and the first among such; it describes the fault."""
    further: tuple[Finding, ...] = ()
    """The other findings, sorted by location."""

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All findings, the shown one first."""
        return (self.shown, *self.further)

    @property
    def id(self) -> str:
        """The fingerprint of the shown finding."""
        return self.shown.fingerprint

    @property
    def kind(self) -> str:
        """What the further findings are: calls of one helper, copies of one block, or other places."""
        shared = set(self.shown.causes)
        for finding in self.further:
            shared &= set(finding.causes)
        kinds = {cause.partition(":")[0] for cause in shared}
        return next((kind for kind in (COPY, CALL) if kind in kinds), PLACE)


def faults_of(findings: Iterable[Finding]) -> tuple[Fault, ...]:
    """Group findings that have a cause in common, directly or through further findings.

    Findings of different rules are never one fault. Nor are a suppressed finding and an active one, or findings whose
    measured values differ, because a report shows these.

    Returns
    -------
    tuple of Fault
        In the order of their shown findings in ``findings``, which are sorted by location.
    """
    ordered = list(findings)
    groups: list[list[int]] = [[number] for number in range(len(ordered))]
    group_of = list(range(len(ordered)))
    owner: dict[object, int] = {}
    for number, finding in enumerate(ordered):
        for cause in finding.causes:
            key = (finding.rule, finding.suppressed is None, finding.measured, cause)
            first, own = group_of[owner.setdefault(key, number)], group_of[number]
            if first != own:
                for member in groups[own]:
                    group_of[member] = first
                groups[first] += groups[own]
                groups[own] = []
    faults = [_fault([ordered[number] for number in sorted(group)]) for group in groups if group]
    numbers = {id(finding): number for number, finding in enumerate(ordered)}
    return tuple(sorted(faults, key=lambda fault: numbers[id(fault.shown)]))


def _fault(findings: list[Finding]) -> Fault:
    shown = min(findings, key=lambda one: (SEVERITIES.index(one.severity), CONFIDENCES.index(one.confidence)))
    return Fault(shown, tuple(one for one in findings if one is not shown))
