"""The JSON Lines format: one object on each line, for programs that read a report while it arrives."""

from __future__ import annotations

import json

from cvlint.findings.faults import faults_of
from cvlint.findings.finding import Report
from cvlint.output.findings.formats import RenderContext
from cvlint.output.findings.json import error_object, fault_ids, finding_object
from cvlint.output.shared.strangers_text import harmless_json


def render(report: Report, context: RenderContext) -> str:
    """Write each finding as in the JSON format, and then ``{"error": …}`` for each file that could not be read."""
    ids = fault_ids(faults_of(report.findings))
    objects = [
        *(finding_object(finding, ids[finding]) for finding in report.findings),
        *({"error": error_object(error)} for error in report.errors),
    ]
    return "".join(f"{harmless_json(json.dumps(one))}\n" for one in objects)
