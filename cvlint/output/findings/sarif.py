"""The SARIF format, version 2.1.0, for code scanning and for editors that show traces."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from cvlint import __version__
from cvlint.findings.faults import Fault, faults_of
from cvlint.findings.finding import Finding, Report, Suppression, TraceStep
from cvlint.findings.source_text import FileSpan
from cvlint.output.findings.formats import RenderContext
from cvlint.output.rules.rule_page import explanation
from cvlint.output.shared.further_places import further_places
from cvlint.output.shared.prose import finding_sentences, place_in_notebook, sentence
from cvlint.rules.address import rule_address
from cvlint.source.location import Location
from cvlint.source.unread_file import UnreadFile

if TYPE_CHECKING:
    from cvlint.fixes.editing.edits import ConfirmedFix
    from cvlint.rules.catalogue import Rule

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
ROOT = "%SRCROOT%"
"""The folder that the paths start from; it has no URI, because a report does not describe the machine."""
UNREAD = "unread-file"
FINGERPRINT = "cvlint/v1"
LINE_ENDS = ["\r\n", "\n", "\r"]  # as Python defines them
MOST_TAGS = 20  # the limit of GitHub for one rule


def render(report: Report, context: RenderContext) -> str:
    """Write a report as SARIF, in ASCII so that every output encoding can hold it.

    The paths in the report start from the working directory. The context lists the rules of the check and the
    confirmed fixes.
    """
    fixes = context.fixes or {}
    driver = {
        "name": "cvlint",
        "version": __version__,
        "rules": [_rule(rule) for rule in context.rules],
        "notifications": [{"id": UNREAD, "shortDescription": {"text": "A file could not be read in full."}}],
    }
    numbers = {rule.code: number for number, rule in enumerate(context.rules)}
    results = [_result(fault, numbers, context.file_span, fixes) for fault in faults_of(report.findings)]
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "newlineSequences": LINE_ENDS,
        "originalUriBaseIds": {ROOT: {"description": {"text": "The folder that cvlint was run in."}}},
        "invocations": [
            {"executionSuccessful": True, "toolExecutionNotifications": [_unread(error) for error in report.errors]}
        ],
        "results": results,
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _rule(rule: Rule) -> dict[str, Any]:
    facts = (value for p in rule.patterns for key in ("measure", "along") for value in p.facts.get(key, ()))
    tags = sorted({*facts, *(p.event for p in rule.patterns)})
    address = rule_address(rule.name)
    return {
        "id": rule.code,
        "name": rule.name,
        **({} if address is None else {"helpUri": address}),
        "shortDescription": {"text": sentence(rule.summary)},
        "fullDescription": {"text": sentence(rule.docs.what)},
        "help": {"text": sentence(rule.docs.why), "markdown": explanation(rule, None)},
        "defaultConfiguration": {"enabled": rule.enabled, "level": rule.severity},
        "properties": {"tags": tags[:MOST_TAGS]},
    }


def _result(
    fault: Fault,
    numbers: Mapping[str, int],
    file_span: FileSpan,
    fixes: Mapping[Finding, Sequence[ConfirmedFix]],
) -> dict[str, Any]:
    """Write a fault as one result at the place that describes it; its further places are related locations."""
    finding = fault.shown
    fix = finding.fix
    number = numbers.get(finding.code)
    steps = [_step(step, file_span) for step in finding.trace]
    related = [*steps, *(_further_place(one, file_span) for one in fault.further)]
    changes = [_fix(one, change) for one in fault.findings for change in fixes.get(one, ())]
    return {
        "ruleId": finding.code,
        **({} if number is None else {"ruleIndex": number}),
        "level": finding.severity,
        "message": _message(" ".join([*finding_sentences(finding), *_further_sentence(fault)])),
        "locations": [_location(finding.location, file_span)],
        **({"codeFlows": [_flow(steps)]} if steps else {}),
        **({"relatedLocations": _numbered(related)} if related else {}),
        **({"partialFingerprints": {FINGERPRINT: finding.fingerprint}} if finding.fingerprint else {}),
        **({"occurrenceCount": len(fault.findings)} if fault.further else {}),
        **({"fixes": changes} if changes else {}),
        "suppressions": [_suppression(finding.suppressed, file_span)] if finding.suppressed else [],
        "properties": {
            "confidence": finding.confidence,
            **({"fix": {"safety": fix.safety, "message": sentence(fix.message)}} if fix else {}),
        },
    }


def _further_sentence(fault: Fault) -> list[str]:
    further = further_places(fault)
    return [sentence(further[0].upper() + further[1:])] if further else []


def _further_place(finding: Finding, file_span: FileSpan) -> dict[str, Any]:
    """Write a further place of a fault, with what is wrong there, and the fingerprint of the finding there."""
    where = place_in_notebook(finding.location)
    note = f"{f'In {where}: ' if where else ''}The same fault: {sentence(finding.message)}"
    place = _location(finding.location, file_span)
    properties = {**place.get("properties", {}), "fingerprint": finding.fingerprint}
    return {**place, "message": _message(note), "properties": properties}


def _fix(finding: Finding, change: ConfirmedFix) -> dict[str, Any]:
    """Write a fix (section 3.55) as a change of the file; viewers show a notebook as JSON."""
    message = [sentence(finding.fix.message)] if finding.fix and finding.fix.message else []
    effect = "No number that the code reports changes." if change.safe else "A number that the code reports may change."
    replacements = [_replacement(one.location, one.text) for one in change.in_file]
    return {
        "description": _message(" ".join([*message, effect])),
        "artifactChanges": [{"artifactLocation": _artifact(finding.location.path), "replacements": replacements}],
        "properties": {"safety": change.safety},
    }


def _replacement(place: Location, text: str) -> dict[str, Any]:
    start = {"startLine": place.line, "startColumn": place.column}
    region = {**start, "endLine": place.end_line, "endColumn": place.end_column}
    return {"deletedRegion": region, "insertedContent": {"text": text}}


def _suppression(comment: Suppression, file_span: FileSpan) -> dict[str, Any]:
    reason = {"justification": sentence(comment.reason)} if comment.reason else {}
    return {"kind": "inSource", **reason, "location": _location(comment.location, file_span)}


def _flow(steps: list[dict[str, Any]]) -> dict[str, Any]:
    return {"threadFlows": [{"locations": [{"location": step} for step in steps]}]}


def _numbered(steps: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{"id": number, **step} for number, step in enumerate(steps, start=1)]


def _step(step: TraceStep, file_span: FileSpan) -> dict[str, Any]:
    where = place_in_notebook(step.location)
    note = sentence(step.note)
    return {**_location(step.location, file_span), "message": _message(f"In {where}: {note}" if where else note)}


def _unread(error: UnreadFile) -> dict[str, Any]:
    place: dict[str, Any] = {"artifactLocation": _artifact(error.path)}
    if error.line is not None and not error.path.endswith(".ipynb"):  # in a notebook the line counts inside a cell
        place["region"] = {"startLine": error.line}
    return {
        "descriptor": {"id": UNREAD, "index": 0},
        "level": "warning",
        "message": _message(sentence(error.message)),
        "locations": [{"physicalLocation": place}],
    }


def _location(location: Location, file_span: FileSpan) -> dict[str, Any]:
    place: dict[str, Any] = {"artifactLocation": _artifact(location.path)}
    span = file_span(location)
    if span is not None:
        place["region"] = {"startLine": span[0], "endLine": span[1]}
    if location.cell is not None:  # columns count inside the cell, not in the file
        cell = {"cell": location.cell, "line": location.line, "column": location.column}
        return {"physicalLocation": place, "properties": cell}
    if span is not None:
        place["region"].update(startColumn=location.column, endColumn=location.end_column)
    return {"physicalLocation": place}


def _artifact(path: str) -> dict[str, Any]:
    uri = quote(os.fsencode(path))
    return {"uri": f"file://{uri}"} if PurePath(path).is_absolute() else {"uri": uri, "uriBaseId": ROOT}


def _message(text: str) -> dict[str, str]:
    """Escape a message so that no text becomes a placeholder or a link (sections 3.11.5 and 3.11.6)."""
    return {"text": text.replace("{", "{{").replace("}", "}}").replace("](", "] (")}
