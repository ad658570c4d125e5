"""The JUnit format: XML that Jenkins, GitLab and others show as the result of tests, a suite for each file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import chain
from posixpath import splitext
from xml.etree.ElementTree import Element, indent, tostring

from cvlint.findings import Finding, Report, Unread
from cvlint.output.places import place, printable
from cvlint.output.prose import Rows, inside, sentence, step_line, suppression, told

NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML cannot hold, not even escaped."""


def render(report: Report, rows: Rows) -> str:
    """Write a report as XML, in ASCII so that any encoding of the output carries it.

    Parameters
    ----------
    report : Report
        What was found.
    rows : callable
        Gives the lines of a place in the text of its file.

    Returns
    -------
    str
        Where nothing was found, one test that passed: some readers take a report without tests for a broken one.
    """
    cases: dict[str, list[Element]] = {}
    for finding in report.findings:
        cases.setdefault(finding.location.path, []).append(_finding(finding, rows))
    for error in report.errors:
        cases.setdefault(error.path, []).append(_unread(error))
    if not cases:
        cases["cvlint"] = [_case("cvlint", "no faults found")]
    suites = [_parent("testsuite", path, found, found) for path, found in sorted(cases.items())]
    root = _parent("testsuites", "cvlint", suites, list(chain.from_iterable(suites)))
    indent(root)
    written: bytes = tostring(root, encoding="us-ascii", xml_declaration=True)
    return written.decode("ascii") + "\n"


def _finding(finding: Finding, rows: Rows) -> Element:
    location, span = finding.location, rows(finding.location)
    where = inside(location) or f"{location.line}:{location.column}"
    case = _case(location.path, f"{finding.code} {finding.rule} at {where}", span[0] if span else None)
    steps = [step_line(number, step) for number, step in enumerate(finding.trace, start=1)]
    tag, message = ("skipped", suppression(finding)) if finding.suppressed else ("failure", finding.message)
    case.append(_outcome(tag, finding.severity, message, [place(location), *told(finding), *steps]))
    return case


def _unread(error: Unread) -> Element:
    case = _case(error.path, "can be read")
    case.append(_outcome("error", "unread-file", error.message, [sentence(error.message)]))
    return case


def _case(path: str, name: str, line: int | None = None) -> Element:
    """A test; readers group it by what its class name has before the last dot, so folders become packages."""
    packages = splitext(path)[0].strip("/").replace("/", ".")
    place = {"file": path} if line is None else {"file": path, "line": str(line)}
    return _element("testcase", {"classname": packages, "name": name, **place, "time": "0"})


def _outcome(tag: str, kind: str, message: str, lines: Iterable[str]) -> Element:
    element = _element(tag, {"type": kind, "message": sentence(message)})
    element.text = NOT_IN_XML.sub("\N{REPLACEMENT CHARACTER}", "\n".join(lines))
    return element


def _parent(tag: str, name: str, children: Iterable[Element], cases: Sequence[Element]) -> Element:
    outcomes = [case[0].tag if len(case) else "success" for case in cases]
    counts = {
        "tests": str(len(cases)),
        "failures": str(outcomes.count("failure")),
        "errors": str(outcomes.count("error")),
        "skipped": str(outcomes.count("skipped")),
        "time": "0",
    }
    element = _element(tag, {"name": name, **counts})
    element.extend(children)
    return element


def _element(tag: str, attributes: dict[str, str]) -> Element:
    shown = {name: NOT_IN_XML.sub("\N{REPLACEMENT CHARACTER}", printable(text)) for name, text in attributes.items()}
    return Element(tag, shown)
