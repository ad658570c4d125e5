from __future__ import annotations

import dataclasses
import json

from hypothesis import given, settings
from hypothesis import strategies as st

from cvlint.findings.finding import Finding, Report
from cvlint.findings.source_text import FileSpan
from cvlint.output.findings import gitlab
from cvlint.output.findings.formats import RenderContext
from cvlint.source.location import Location
from cvlint.source.unread_file import UnreadFile


def test_golden(report: Report, rows: FileSpan) -> None:
    note, error, unread = json.loads(gitlab.render(report, RenderContext(file_span=rows)))
    assert len({issue.pop("fingerprint") for issue in (note, error, unread)}) == 3
    assert note == {
        "description": "In cell 4, line 3: A note.",
        "check_name": "mean-of-fold-ratio",
        "severity": "info",
        "location": {"path": "a.ipynb", "lines": {"begin": 1, "end": 1}},
    }
    assert error == {
        "description": "F1 is computed in each fold and averaged over 10 folds. "
        "Use instead: f1_score(y, cross_val_predict(model, X, y, cv=folds)).",
        "check_name": "mean-of-fold-f",
        "severity": "major",
        "location": {"path": "train.py", "lines": {"begin": 9, "end": 9}},
    }
    assert unread == {
        "description": "not valid Python 3.",
        "check_name": "unread-file",
        "severity": "info",
        "location": {"path": "old.py", "lines": {"begin": 3, "end": 3}},
    }


@settings(max_examples=50)
@given(data=st.data())
def test_every_issue_is_complete_and_unique(
    reports: st.SearchStrategy[Report], rows: FileSpan, data: st.DataObject
) -> None:
    report = data.draw(reports)
    rendered = gitlab.render(report, RenderContext(file_span=rows))
    assert rendered.isascii() and rendered == gitlab.render(report, RenderContext(file_span=rows))
    issues = json.loads(rendered)
    assert len(issues) == len(report.findings) + len(report.errors)
    assert len({issue["fingerprint"] for issue in issues}) == len(issues)
    for issue in issues:
        assert issue["severity"] in ("info", "minor", "major")
        assert 1 <= issue["location"]["lines"]["begin"] <= issue["location"]["lines"]["end"]
        assert issue["location"]["path"] and not issue["location"]["path"].startswith("/")
        json.dumps(issue, ensure_ascii=False).encode()  # readers that are strict take no half of a character


def test_the_fingerprint_stays_when_lines_move(mean_of_folds: Finding, rows: FileSpan) -> None:
    def fingerprint(*findings: Finding) -> str:
        issue: dict[str, str] = json.loads(gitlab.render(Report(findings, (), 1), RenderContext(file_span=rows)))[-1]
        return issue["fingerprint"]

    known = dataclasses.replace(mean_of_folds, fingerprint="f")
    moved = dataclasses.replace(known, location=Location("train.py", None, 19, 29, 19, 44))
    assert fingerprint(known) == fingerprint(moved)
    assert fingerprint(known) != fingerprint(known, moved)
    assert fingerprint(known) != fingerprint(dataclasses.replace(known, fingerprint="g"))


def test_an_error_in_a_notebook_has_no_file_line(rows: FileSpan) -> None:
    (issue,) = json.loads(
        gitlab.render(Report((), (UnreadFile("n.ipynb", "not Python in cell 3", 2),), 1), RenderContext(file_span=rows))
    )
    assert issue["location"]["lines"] == {"begin": 1, "end": 1}


def test_a_suppressed_finding_has_the_severity_info(suppressed: Report, rows: FileSpan) -> None:
    (issue,) = json.loads(gitlab.render(suppressed, RenderContext(file_span=rows)))
    assert issue["severity"] == "info"
    assert issue["description"].endswith("Suppressed at train.py:9:46: as in the paper.")


def test_a_clean_report_is_an_empty_list(rows: FileSpan) -> None:
    assert gitlab.render(Report((), (), 3), RenderContext(file_span=rows)) == "[]\n"
