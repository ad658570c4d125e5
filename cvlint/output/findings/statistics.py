"""Count the findings, faults and files of each rule, as text and as JSON; the rule with most findings comes first."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict

from cvlint.findings.faults import Fault, faults_of
from cvlint.findings.finding import SEVERITIES, Report, Severity, without_suppressed
from cvlint.output.shared.styled_text import Piece
from cvlint.output.shared.summary import counted, summary
from cvlint.records import dataclass

VERSION = 1


@dataclass(frozen=True, slots=True)
class RuleCount:
    """The number of faults, of findings (their places) and of files for one rule and severity."""

    rule: str
    code: str
    severity: Severity
    findings: int
    files: int
    faults: int


def counts(report: Report) -> list[RuleCount]:
    """Count the active faults of each rule and severity; some rules have special cases of another severity."""
    groups: dict[tuple[str, str, Severity], list[Fault]] = {}
    for fault in faults_of(without_suppressed(report).findings):
        groups.setdefault((fault.shown.rule, fault.shown.code, fault.shown.severity), []).append(fault)
    found = [_count(key, group) for key, group in groups.items()]
    return sorted(found, key=lambda count: (-count.findings, count.code, SEVERITIES.index(count.severity)))


def _count(key: tuple[str, str, Severity], faults: Sequence[Fault]) -> RuleCount:
    findings = [finding for fault in faults for finding in fault.findings]
    return RuleCount(*key, len(findings), len({one.location.path for one in findings}), len(faults))


def render_json(report: Report) -> str:
    """Write the counts as JSON, with the same summary as a report."""
    active = without_suppressed(report)
    document = {
        "version": VERSION,
        "statistics": [asdict(count) for count in counts(active)],
        "summary": {
            "files": active.files,
            "findings": len(active.findings),
            "faults": len(faults_of(active.findings)),
            "errors": len(active.errors),
            "in_baseline": active.in_baseline,
            "in_commit": active.in_commit,
            "suppressed": active.suppressed,
        },
    }
    return json.dumps(document, indent=2) + "\n"


def styled(report: Report) -> Iterator[Piece]:
    """Write a line for each count, and the last line of the text format."""
    found = counts(report)
    rule = max((len(count.rule) for count in found), default=0)
    code = max((len(count.code) for count in found), default=0)
    most = max((len(str(count.findings)) for count in found), default=0)
    for count in found:
        yield Piece(f"{count.findings:>{most}}  ", "strong")
        yield Piece(f"{count.code:<{code}}  {count.rule:<{rule}}", count.severity)
        of_faults = f", {counted(count.faults, 'fault')}" if count.faults < count.findings else ""
        yield Piece(f"  {count.severity:<7}  in {counted(count.files, 'file')}{of_faults}\n")
    if found:
        yield Piece("\n")
    yield Piece(f"{summary(report)}\n", "strong")
