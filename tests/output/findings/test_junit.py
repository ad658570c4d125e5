from __future__ import annotations

import dataclasses
from xml.etree import ElementTree

import junitparser
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cvlint.findings.finding import Finding, Report
from cvlint.output.findings import junit
from cvlint.output.findings.formats import RenderContext
from cvlint.source.unread_file import UnreadFile

COUNTS = {"name", "time", "tests", "failures", "errors"}
OUTCOME = {"type", "message"}
ALLOWED = {
    "testsuites": (COUNTS, {"testsuite"}),
    "testsuite": (
        COUNTS | {"skipped", "file", "group", "timestamp", "hostname", "id", "package", "log", "url", "version"},
        {"testsuite", "testcase", "properties", "system-out", "system-err"},
    ),
    "testcase": ({"name", "classname", "time", "group"}, {"skipped", "error", "failure", "system-out", "system-err"}),
    "failure": (OUTCOME, set()),
    "skipped": (OUTCOME, set()),
    "system-out": (set(), set()),
}
"""Attributes and children that ``xsd/junit-10.xsd`` of jenkinsci/xunit-plugin allows of the elements that we write."""


def check_schema(element: ElementTree.Element) -> None:
    attributes, children = ALLOWED[element.tag]
    assert set(element.keys()) <= attributes
    assert {child.tag for child in element} <= children
    for child in element:
        check_schema(child)


def read(rendered: str) -> list[junitparser.TestSuite]:
    return list(junitparser.JUnitXml.fromstring(rendered.encode()))


def test_a_suite_for_each_file(report: Report) -> None:
    notebook, old, script = read(junit.render(report, RenderContext()))
    assert [suite.name for suite in (notebook, old, script)] == ["a.ipynb", "old.py", "train.py"]
    counts = [(suite.tests, suite.failures, suite.errors, suite.skipped) for suite in (notebook, old, script)]
    assert counts == [(1, 0, 0, 0), (1, 0, 0, 1), (1, 1, 0, 0)]
    (case,) = script
    assert (case.classname, case.name) == ("train", "CVL101 mean-of-fold-f at 9:29")
    (failure,) = case.result
    assert isinstance(failure, junitparser.Failure)
    assert (failure.type, failure.message) == ("error", "F1 is computed in each fold and averaged over 10 folds.")
    assert failure.text.split("\n")[0] == "train.py:9:29"
    assert failure.text.split("\n")[-1] == "4. train.py:9:29: averaged here"
    (skipped,) = next(iter(old)).result
    assert isinstance(skipped, junitparser.Skipped)
    assert skipped.message == "not valid Python 3."


def test_a_note_is_a_passed_test_with_output(report: Report) -> None:
    ((note,), _, _) = read(junit.render(report, RenderContext()))
    assert note.result == []
    assert note.system_out.split("\n") == ["a.ipynb:cell 4:3:1", "In cell 4, line 3: A note."]


def test_folders_become_packages_and_paths_attributes_of_suites(report: Report) -> None:
    root = ElementTree.fromstring(junit.render(report, RenderContext()))
    assert [root.get(name) for name in ("name", "tests", "failures", "errors")] == ["cvlint", "3", "1", "0"]
    assert [suite.get("file") for suite in root] == ["a.ipynb", "old.py", "train.py"]
    assert next(root.iter("testcase")).get("name") == "CVL107 mean-of-fold-ratio at cell 4, line 3"
    assert ElementTree.fromstring(junit.render(Report((), (), 3), RenderContext()))[0].get("file") is None


@settings(max_examples=50)
@given(data=st.data())
def test_any_text_gives_xml_that_can_be_read_back(reports: st.SearchStrategy[Report], data: st.DataObject) -> None:
    report = data.draw(reports)
    rendered = junit.render(report, RenderContext())
    assert rendered.isascii()
    cases = [case for suite in read(rendered) for case in suite]
    failed = [case for case in cases if any(isinstance(result, junitparser.Failure) for result in case.result)]
    skipped = [case for case in cases if any(isinstance(result, junitparser.Skipped) for result in case.result)]
    active = [finding for finding in report.findings if finding.suppressed is None]
    assert len(failed) == len([finding for finding in active if finding.severity != "note"])
    assert len(skipped) == len(report.findings) - len(active) + len(report.errors)
    root = ElementTree.fromstring(rendered)
    check_schema(root)
    assert root.get("failures") == str(len(failed)) == str(sum(int(s.get("failures", "")) for s in root))
    assert sum(int(s.get("skipped", "")) for s in root) == len(skipped)


def test_what_xml_cannot_hold_is_replaced(mean_of_folds: Finding) -> None:
    finding = dataclasses.replace(mean_of_folds, message="a\0b\x1b\ufffec\uffff <d>&", trace=(), fix=None)
    ((case,),) = read(junit.render(Report((finding,), (), 1), RenderContext()))
    message = "a\ufffdb\ufffd\ufffdc\ufffd <d>&."
    assert case.result[0].message == message
    assert case.result[0].text == f"train.py:9:29\n{message}"


@pytest.mark.parametrize("path", [".", "/", "a.b/.py", "a/b", "x" * 300])
def test_an_unread_file_is_a_skipped_test(path: str) -> None:
    ((case,),) = read(junit.render(Report((), (UnreadFile(path, "cannot be read"),), 0), RenderContext()))
    assert isinstance(case.result[0], junitparser.Skipped)


def test_a_suppressed_finding_is_skipped(suppressed: Report) -> None:
    ((case,),) = read(junit.render(suppressed, RenderContext()))
    (outcome,) = case.result
    assert isinstance(outcome, junitparser.Skipped)
    assert outcome.message == "Suppressed at train.py:9:46: as in the paper."


def test_a_clean_report_is_a_passed_test() -> None:
    (suite,) = read(junit.render(Report((), (), 3), RenderContext()))
    assert (suite.tests, suite.failures, suite.errors) == (1, 0, 0)
    assert [case.name for case in suite] == ["no faults found"]
