"""Count the findings and files of each rule, as text and as JSON; the rule with the most findings comes first."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict

from cvlint.findings.finding import SEVERITIES, Finding, Report, Severity, without_suppressed
from cvlint.output.shared.styled_text import Piece
from cvlint.output.shared.summary import summary
from cvlint.records import dataclass

VERSION = 1


@dataclass(frozen=True, slots=True)
class RuleCount:
    """The number of findings and files for one rule and severity."""

    rule: str
    code: str
    severity: Severity
    findings: int
    files: int


def counts(report: Report) -> list[RuleCount]:
    """Count the active findings of each rule and severity; some rules have special cases of another severity."""
    groups: dict[tuple[str, str, Severity], list[Finding]] = {}
    for finding in without_suppressed(report).findings:
        groups.setdefault((finding.rule, finding.code, finding.severity), []).append(finding)
    found = [RuleCount(*key, len(group), len({one.location.path for one in group})) for key, group in groups.items()]
    return sorted(found, key=lambda count: (-count.findings, count.code, SEVERITIES.index(count.severity)))


def render_json(report: Report) -> str:
    """Write the counts as JSON, with the same summary as a report."""
    active = without_suppressed(report)
    document = {
        "version": VERSION,
        "statistics": [asdict(count) for count in counts(active)],
        "summary": {
            "files": active.files,
            "findings": len(active.findings),
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
        yield Piece(f"  {count.severity:<7}  in {count.files} {'file' if count.files == 1 else 'files'}\n")
    if found:
        yield Piece("\n")
    yield Piece(f"{summary(report)}\n", "strong")
