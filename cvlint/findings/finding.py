"""What a check found: findings with their traces, and files that could not be read."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from cvlint.records import dataclass, replace
from cvlint.source.location import Location
from cvlint.source.unread_file import UnreadFile

Severity = Literal["error", "warning", "note"]
Confidence = Literal["high", "medium", "low"]

SEVERITIES: tuple[Severity, ...] = ("error", "warning", "note")
CONFIDENCES: tuple[Confidence, ...] = ("high", "medium", "low")

MAX_STEPS = 20
"""The length to which a trace grows when one fault is reached in several ways."""


@dataclass(frozen=True, slots=True)
class TraceStep:
    """One step on the path from the split to the fault: a location, and what happens there."""

    location: Location
    note: str


@dataclass(frozen=True, slots=True)
class Fix:
    """What to write instead of the faulty code."""

    safety: str
    """Either "safe", "unsafe" (a reported number changes) or "suggestion"."""
    message: str
    """The advice, as a clause."""


@dataclass(frozen=True, slots=True)
class Measured:
    """The size of a fault in a run: the faulty number, and the right one."""

    aggregate: str
    value: float
    """The aggregate that the code computes, "f_avg" for example, and its value, recomputed from the folds of the run;
    from 0 to 1.
    """
    right: str
    right_value: float
    """The aggregate that the code should compute, and its value."""
    ci: tuple[float, float] | None
    """The 95 % confidence interval of ``right_value``, if it can be computed."""
    folds: int
    repeats: int
    """The number of folds in all, and the number of repetitions."""
    experiment: str
    """The call sites at which the folds were recorded, as in a file with fold data."""
    caution: str = ""
    """A sentence that says what is doubtful about the numbers; may be empty."""

    @property
    def difference(self) -> float:
        """The faulty number minus the right one."""
        return self.value - self.right_value


@dataclass(frozen=True, slots=True)
class Suppression:
    """The comment that suppresses a finding."""

    location: Location
    comment: str
    """Its text without the reason."""
    reason: str
    """The reason that it gives; may be empty."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault: which rule, where, why, and how sure cvlint is.

    A ``suppressed`` finding is shown to reviewers only, and does not fail a check.
    ``measured`` holds an item for each experiment of a run in which the fault occurred, and ``unmeasured`` a sentence
    that says why there is no such item; both are empty when nothing was run.
    ``fingerprint``, ``function`` (the name of the function around the fault) and ``statement`` (a hash of its code)
    stay the same when lines move: see `cvlint.findings.fingerprint`.
    ``causes`` says what the finding has in common with others: see `cvlint.findings.faults`.
    """

    rule: str
    code: str
    severity: Severity
    confidence: Confidence
    location: Location
    message: str
    trace: tuple[TraceStep, ...] = ()
    fix: Fix | None = None
    measured: tuple[Measured, ...] = ()
    unmeasured: str = ""
    fingerprint: str = ""
    function: str = ""
    statement: str = ""
    suppressed: Suppression | None = None
    causes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Report:
    """The result of one check."""

    findings: tuple[Finding, ...]
    errors: tuple[UnreadFile, ...]
    """The findings and the files that could not be read, sorted by location."""
    files: int
    """The number of files that were checked."""
    in_baseline: int = 0
    suppressed: int = 0
    in_commit: int = 0
    """The numbers of further findings that a baseline, an earlier commit or a comment hides."""
    below_severity: tuple[Finding, ...] = ()
    """Findings that are not reported because their severity is too low."""
    has_baseline: bool = False
    """Whether a project of the checked files keeps a baseline."""


def with_steps(finding: Finding, steps: Iterable[TraceStep], *, at_end: bool = False) -> Finding:
    """Add to the trace of a finding the steps whose places it does not show yet, as far as `MAX_STEPS` allows.

    They come before the finding's own place where the trace ends there, unless they belong ``at_end``.
    """
    known = {step.location for step in finding.trace}
    added = [step for step in steps if step.location not in known][: max(MAX_STEPS - len(finding.trace), 0)]
    ends_here = bool(finding.trace) and finding.trace[-1].location == finding.location
    at = len(finding.trace) - (ends_here and not at_end)
    return replace(finding, trace=(*finding.trace[:at], *added, *finding.trace[at:]))


def without_suppressed(report: Report) -> Report:
    """A report without the findings that comments suppress: it only counts them."""
    active = tuple(finding for finding in report.findings if finding.suppressed is None)
    return replace(report, findings=active, suppressed=report.suppressed + len(report.findings) - len(active))


def with_suppressed(report: Report, whole: Report) -> Report:
    """A report that shows the suppressed findings of another report instead of counting them."""
    shown = [finding for finding in whole.findings if finding.suppressed is not None]
    findings = sorted([*report.findings, *shown], key=lambda f: (f.location.sort_key, f.code))
    return replace(report, findings=tuple(findings), suppressed=report.suppressed - len(shown))
