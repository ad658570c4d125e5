"""How many findings each rule has, and in how many files: the one with the most comes first."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass

from cvlint.findings.finding import SEVERITIES, Finding, Report, Severity, without_suppressed
from cvlint.output.findings.text import summary
from cvlint.output.shared.styled_text import Piece

VERSION = 1


@dataclass(frozen=True, slots=True)
class Count:
    """The findings of one rule, of one severity."""

    rule: str
    code: str
    severity: Severity
    findings: int
    files: int


def counts(report: Report) -> list[Count]:
    """Count the findings of each rule and severity: a rule has several where a special case is graver or less so.

    Findings that comments suppress do not count.
    """
    groups: dict[tuple[str, str, Severity], list[Finding]] = {}
    for finding in without_suppressed(report).findings:
        groups.setdefault((finding.rule, finding.code, finding.severity), []).append(finding)
    found = [Count(*key, len(group), len({one.location.path for one in group})) for key, group in groups.items()]
    return sorted(found, key=lambda count: (-count.findings, count.code, SEVERITIES.index(count.severity)))


def render_json(report: Report) -> str:
    """Write the counts as JSON, with a summary like that of the report."""
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


def pieces(report: Report) -> Iterator[Piece]:
    """Write a line for each count, and the report's closing line."""
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
