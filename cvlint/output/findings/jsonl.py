"""The JSON Lines format: an object a line, for programs that read a report as it comes."""

from __future__ import annotations

import json

from cvlint.findings.finding import Report
from cvlint.output.findings.json import error_object, finding_object


def render(report: Report) -> str:
    """Write each finding as the JSON format does, and then ``{"error": …}`` for each file that could not be read."""
    objects = [
        *(finding_object(finding) for finding in report.findings),
        *({"error": error_object(error)} for error in report.errors),
    ]
    return "".join(f"{json.dumps(one)}\n" for one in objects)
