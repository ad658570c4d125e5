"""The GitLab format: a Code Quality report, which merge requests compare with the report of the target branch."""

from __future__ import annotations

import json
from collections import Counter
from hashlib import sha256
from typing import Any

from cvlint.findings.finding import Finding, Report, Severity
from cvlint.findings.source_text import FileSpan
from cvlint.output.findings.formats import RenderContext
from cvlint.output.shared.locations import printable
from cvlint.output.shared.prose import finding_sentences, reported_severity, sentence
from cvlint.source.unread_file import UnreadFile


def render(report: Report, context: RenderContext) -> str:
    """Write a report as the JSON that GitLab reads, in ASCII so that every output encoding can hold it.

    The paths in the report start from the root of the repository.
    """
    seen: Counter[tuple[str, str, str]] = Counter()
    issues = [_finding(finding, context.file_span, seen) for finding in report.findings]
    issues += [_unread(error, seen) for error in report.errors]
    return json.dumps(issues, indent=2) + "\n"


def _finding(finding: Finding, file_span: FileSpan, seen: Counter[tuple[str, str, str]]) -> dict[str, Any]:
    path = printable(finding.location.path)
    first, last = file_span(finding.location) or (1, 1)  # GitLab requires a line
    return {
        "description": " ".join(finding_sentences(finding)),
        "check_name": finding.rule,
        "fingerprint": _unique(seen, finding.rule, path, finding.fingerprint),
        "severity": _severity(reported_severity(finding)),
        "location": {"path": path, "lines": {"begin": first, "end": last}},
    }


def _unread(error: UnreadFile, seen: Counter[tuple[str, str, str]]) -> dict[str, Any]:
    path = printable(error.path)
    line = 1 if error.line is None or path.endswith(".ipynb") else error.line  # a notebook counts lines by cell
    return {
        "description": sentence(error.message),
        "check_name": "unread-file",
        "fingerprint": _unique(seen, "unread-file", path, ""),
        "severity": "info",
        "location": {"path": path, "lines": {"begin": line, "end": line}},
    }


def _unique(seen: Counter[tuple[str, str, str]], *key: str) -> str:
    """Make a unique fingerprint: GitLab shows only one of several issues with the same fingerprint."""
    rule, path, fingerprint = key
    seen[rule, path, fingerprint] += 1
    text = "\n".join((*key, str(seen[rule, path, fingerprint])))
    return sha256(text.encode()).hexdigest()


def _severity(severity: Severity) -> str:
    match severity:
        case "error":
            return "major"
        case "warning":
            return "minor"
        case "note":
            return "info"
