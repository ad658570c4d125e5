from __future__ import annotations

import dataclasses
from xml.etree import ElementTree

import junitparser
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cvlint.findings import Finding, Report, Unread
from cvlint.output import junit
from cvlint.output.prose import Rows


def read(rendered: str) -> list[junitparser.TestSuite]:
    return list(junitparser.JUnitXml.fromstring(rendered.encode()))


def test_a_suite_for_each_file(report: Report, rows: Rows) -> None:
    notebook, old, script = read(junit.render(report, rows))
    assert [suite.name for suite in (notebook, old, script)] == ["a.ipynb", "old.py", "train.py"]
    assert [(suite.tests, suite.failures, suite.errors) for suite in (old, script)] == [(1, 0, 1), (1, 1, 0)]
    (case,) = script
    assert (case.classname, case.name) == ("train", "CVL101 mean-of-fold-f at 9:29")
    (failure,) = case.result
    assert isinstance(failure, junitparser.Failure)
    assert (failure.type, failure.message) == ("error", "F1 is computed in each fold and averaged over 10 folds.")
    assert failure.text.split("\n")[0] == "train.py:9:29"
    assert failure.text.split("\n")[-1] == "4. train.py:9:29: averaged here"
    (error,) = next(iter(old)).result
    assert isinstance(error, junitparser.Error)
    assert error.message == "not valid Python 3."


def test_folders_become_packages_and_places_attributes(report: Report, rows: Rows) -> None:
    root = ElementTree.fromstring(junit.render(report, rows))
    assert [root.get(name) for name in ("name", "tests", "failures", "errors")] == ["cvlint", "3", "2", "1"]
    places = [(case.get("file"), case.get("line")) for case in root.iter("testcase")]
    assert places == [("a.ipynb", None), ("old.py", None), ("train.py", "9")]
    assert next(root.iter("testcase")).get("name") == "CVL107 mean-of-fold-ratio at cell 4, line 3"


@settings(max_examples=50)
@given(data=st.data())
def test_any_text_makes_xml_that_is_read_back(
    reports: st.SearchStrategy[Report], rows: Rows, data: st.DataObject
) -> None:
    report = data.draw(reports)
    rendered = junit.render(report, rows)
    assert rendered.isascii()
    cases = [case for suite in read(rendered) for case in suite]
    failed = [case for case in cases if any(isinstance(result, junitparser.Failure) for result in case.result)]
    broken = [case for case in cases if any(isinstance(result, junitparser.Error) for result in case.result)]
    active = [finding for finding in report.findings if finding.suppressed is None]
    assert (len(failed), len(broken)) == (len(active), len(report.errors))
    root = ElementTree.fromstring(rendered)
    assert root.get("failures") == str(len(failed)) == str(sum(int(s.get("failures", "")) for s in root))
    assert root.get("errors") == str(len(broken))
    assert root.get("skipped") == str(len(report.findings) - len(active))


def test_what_xml_cannot_hold_is_replaced(mean_of_folds: Finding, rows: Rows) -> None:
    finding = dataclasses.replace(mean_of_folds, message="a\0b\x1b\ufffec\uffff <d>&", trace=(), fix=None)
    ((case,),) = read(junit.render(Report((finding,), (), 1), rows))
    message = "a\ufffdb\ufffd\ufffdc\ufffd <d>&."
    assert case.result[0].message == message
    assert case.result[0].text == f"train.py:9:29\n{message}"


@pytest.mark.parametrize("path", [".", "/", "a.b/.py", "a/b", "x" * 300])
def test_whatever_cannot_be_read_is_an_error(path: str, rows: Rows) -> None:
    ((case,),) = read(junit.render(Report((), (Unread(path, "cannot be read"),), 0), rows))
    assert isinstance(case.result[0], junitparser.Error)


def test_a_suppressed_finding_is_skipped(suppressed: Report, rows: Rows) -> None:
    ((case,),) = read(junit.render(suppressed, rows))
    (outcome,) = case.result
    assert isinstance(outcome, junitparser.Skipped)
    assert outcome.message == "Suppressed at train.py:9:46: as in the paper."


def test_nothing_found_is_a_test_that_passed(rows: Rows) -> None:
    (suite,) = read(junit.render(Report((), (), 3), rows))
    assert (suite.tests, suite.failures, suite.errors) == (1, 0, 0)
    assert [case.name for case in suite] == ["no faults found"]
