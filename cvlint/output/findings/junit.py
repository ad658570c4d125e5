"""The JUnit format: XML that Jenkins, GitLab and others show as test results, with a suite for each file.

The report uses only elements of the schema ``junit-10.xsd`` of Jenkins' xUnit plugin, which refuses any other: the path
is an attribute of the suite, and the line is part of the text. Errors and warnings are failed tests, notes are passed
tests with output, and files that could not be read are skipped tests.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import chain
from posixpath import splitext
from xml.etree.ElementTree import Element, indent, tostring

from cvlint.findings.finding import Finding, Report
from cvlint.output.findings.formats import RenderContext
from cvlint.output.shared.locations import place, printable
from cvlint.output.shared.prose import finding_sentences, place_in_notebook, sentence, step_line, suppression
from cvlint.source.unread_file import UnreadFile

NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML cannot hold, not even escaped."""


def render(report: Report, context: RenderContext) -> str:
    """Write a report as XML, in ASCII so that every output encoding can hold it.

    A report without findings holds one test that passed: some readers treat a report without tests as broken.
    """
    cases: dict[str, list[Element]] = {}
    for finding in report.findings:
        cases.setdefault(finding.location.path, []).append(_finding(finding))
    for error in report.errors:
        cases.setdefault(error.path, []).append(_unread(error))
    suites = [
        _parent("testsuite", {"name": path, **_counts(found), "file": path}, found)
        for path, found in sorted(cases.items())
    ]
    if not cases:
        clean = [_case("cvlint", "no faults found")]
        suites = [_parent("testsuite", {"name": "cvlint", **_counts(clean)}, clean)]
    counts = _counts(list(chain.from_iterable(suites)))
    del counts["skipped"]  # the schema allows it only for a suite
    root = _parent("testsuites", {"name": "cvlint", **counts}, suites)
    indent(root)
    written: bytes = tostring(root, encoding="us-ascii", xml_declaration=True)
    return written.decode("ascii") + "\n"


def _finding(finding: Finding) -> Element:
    location = finding.location
    where = place_in_notebook(location) or f"{location.line}:{location.column}"
    case = _case(location.path, f"{finding.code} {finding.rule} at {where}")
    steps = [step_line(number, step) for number, step in enumerate(finding.trace, start=1)]
    lines = [place(location), *finding_sentences(finding), *steps]
    if finding.suppressed:
        case.append(_outcome("skipped", finding.severity, suppression(finding), lines))
    elif finding.severity == "note":
        case.append(_text("system-out", {}, lines))
    else:
        case.append(_outcome("failure", finding.severity, finding.message, lines))
    return case


def _unread(error: UnreadFile) -> Element:
    case = _case(error.path, "can be read")
    case.append(_outcome("skipped", "unread-file", error.message, [sentence(error.message)]))
    return case


def _case(path: str, name: str) -> Element:
    """Build a test case; readers group it by the class name before the last dot, so folders become packages."""
    packages = splitext(path)[0].strip("/").replace("/", ".")
    return _element("testcase", {"classname": packages, "name": name, "time": "0"})


def _outcome(tag: str, kind: str, message: str, lines: Iterable[str]) -> Element:
    return _text(tag, {"type": kind, "message": sentence(message)}, lines)


def _text(tag: str, attributes: dict[str, str], lines: Iterable[str]) -> Element:
    element = _element(tag, attributes)
    element.text = NOT_IN_XML.sub("\N{REPLACEMENT CHARACTER}", "\n".join(lines))
    return element


def _parent(tag: str, attributes: dict[str, str], children: Iterable[Element]) -> Element:
    element = _element(tag, attributes)
    element.extend(children)
    return element


def _counts(cases: Sequence[Element]) -> dict[str, str]:
    """Count the outcomes of test cases; none is an ``error``, which would mean a fault of the test itself."""
    outcomes = [case[0].tag if len(case) else "success" for case in cases]
    return {
        "tests": str(len(cases)),
        "failures": str(outcomes.count("failure")),
        "errors": "0",
        "skipped": str(outcomes.count("skipped")),
        "time": "0",
    }


def _element(tag: str, attributes: dict[str, str]) -> Element:
    shown = {name: NOT_IN_XML.sub("\N{REPLACEMENT CHARACTER}", printable(text)) for name, text in attributes.items()}
    return Element(tag, shown)
