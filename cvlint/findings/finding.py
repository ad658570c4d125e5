"""What a check found: findings with their traces, and the files that could not be read."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from cvlint.source.location import Location
from cvlint.source.unread_file import UnreadFile

Severity = Literal["error", "warning", "note"]
Confidence = Literal["high", "medium", "low"]

SEVERITIES: tuple[Severity, ...] = ("error", "warning", "note")
CONFIDENCES: tuple[Confidence, ...] = ("high", "medium", "low")


@dataclass(frozen=True, slots=True)
class TraceStep:
    """One step of the way from the split to the fault: where, and what happens there."""

    location: Location
    note: str


@dataclass(frozen=True, slots=True)
class Fix:
    """What to write instead; ``safety`` is "safe", "unsafe" (a reported number changes) or "suggestion"."""

    safety: str
    message: str


@dataclass(frozen=True, slots=True)
class Measured:
    """How far off the faulty number of a finding was in a run.

    Attributes
    ----------
    aggregate, value
        What the code computes, "f_avg" for example, recomputed from the folds of the run; from 0 to 1.
    right, right_value
        What it should compute, and its value.
    ci
        The 95 % confidence interval of ``right_value``; None where there is none.
    folds, repeats
        Of how many folds in all, and in how many repetitions.
    experiment
        The call sites it was recorded at, as in a file with fold data.
    caution
        A whole sentence on what is doubtful about the numbers; may be empty.
    """

    aggregate: str
    value: float
    right: str
    right_value: float
    ci: tuple[float, float] | None
    folds: int
    repeats: int
    experiment: str
    caution: str = ""

    @property
    def difference(self) -> float:
        """How much larger the faulty number is."""
        return self.value - self.right_value


@dataclass(frozen=True, slots=True)
class Suppression:
    """The comment by which a finding is suppressed: where, as it is written, and the reason, which may be empty."""

    location: Location
    comment: str
    reason: str


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault: which rule, where, why we think so, and how sure we are.

    One that is ``suppressed`` is shown for reviewers only, and does not fail a check.
    ``measured`` holds an entry for each experiment of a run in which the fault was met, and ``unmeasured`` a sentence
    that says why there is none; both are empty when nothing was run.
    ``fingerprint`` stays the same when lines move, and so do the name of the ``function`` around and the hash of the
    ``statement`` that it is made of: see `cvlint.findings.fingerprint`.
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


@dataclass(frozen=True, slots=True)
class Report:
    """The outcome of one check: ``findings`` and ``errors`` are sorted by place.

    ``in_baseline`` counts further findings, which were known before, ``in_commit`` those that an earlier commit has as
    well, and ``suppressed`` those that comments suppress; ``slight`` are those not grave enough to be reported.
    """

    findings: tuple[Finding, ...]
    errors: tuple[UnreadFile, ...]
    files: int
    in_baseline: int = 0
    suppressed: int = 0
    in_commit: int = 0
    slight: tuple[Finding, ...] = ()


def without_suppressed(report: Report) -> Report:
    """A report that only counts the findings that comments suppress."""
    active = tuple(finding for finding in report.findings if finding.suppressed is None)
    return replace(report, findings=active, suppressed=report.suppressed + len(report.findings) - len(active))


def with_suppressed(report: Report, whole: Report) -> Report:
    """A report with the suppressed findings of another one shown instead of counted."""
    shown = [finding for finding in whole.findings if finding.suppressed is not None]
    findings = sorted([*report.findings, *shown], key=lambda f: (f.location.sort_key, f.code))
    return replace(report, findings=tuple(findings), suppressed=report.suppressed - len(shown))
