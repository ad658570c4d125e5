from __future__ import annotations

import dataclasses

from hypothesis import given, settings
from hypothesis import strategies as st

from cvlint.findings.finding import Finding, Report
from cvlint.findings.source_text import FileSpan
from cvlint.output.findings import github
from cvlint.output.findings.formats import RenderContext
from cvlint.output.shared.locations import printable
from cvlint.source.location import Location
from cvlint.source.unread_file import UnreadFile

PROPERTY = {"%0D": "\r", "%0A": "\n", "%3A": ":", "%2C": ",", "%25": "%"}
DATA = {"%0D": "\r", "%0A": "\n", "%25": "%"}


def unescaped(text: str, escapes: dict[str, str]) -> str:
    for escape, char in escapes.items():
        text = text.replace(escape, char)
    return text


def parsed(line: str) -> tuple[str, dict[str, str], str]:
    """Parse a line as GitHub's runner does."""
    head, _, data = line.removeprefix("::").partition("::")
    name, _, properties = head.partition(" ")
    pairs = (one.split("=", 1) for one in properties.strip().split(",") if one)
    return name, {key: unescaped(value, PROPERTY) for key, value in pairs}, unescaped(data, DATA)


def test_golden(report: Report, rows: FileSpan) -> None:
    notebook, script, error = github.render(report, RenderContext(file_span=rows)).splitlines()
    assert notebook == "::notice file=a.ipynb,title=CVL107 mean-of-fold-ratio::In cell 4, line 3: A note."
    assert script == (
        "::error file=train.py,line=9,endLine=9,col=29,endColumn=44,title=CVL101 mean-of-fold-f::"
        "F1 is computed in each fold and averaged over 10 folds.%0A"
        "Use instead: f1_score(y, cross_val_predict(model, X, y, cv=folds)).%0A"
        "1. train.py:5:20: folds are split here%0A2. train.py:6:7: F1 is computed here%0A"
        "3. train.py:7:2: collected here%0A4. train.py:9:29: averaged here"
    )
    assert error == "::warning file=old.py,line=3,title=cvlint::not valid Python 3."


@settings(max_examples=50)
@given(data=st.data())
def test_the_runner_reads_back_each_message(
    reports: st.SearchStrategy[Report], rows: FileSpan, data: st.DataObject
) -> None:
    report = data.draw(reports)
    lines = github.render(report, RenderContext(file_span=rows)).split("\n")
    assert lines.pop() == ""
    assert len(lines) == len(report.findings) + len(report.errors)
    for finding, line in zip(report.findings, lines, strict=False):
        assert not set(line) & set("\r\x1b")
        _, properties, message = parsed(line)
        shown = finding.location.path.replace("\r", "").replace("\n", "")
        assert printable(shown) == properties["file"].replace("\r", "").replace("\n", "")
        assert " ".join(printable(" ".join(finding.message.split())).split()) in message
        assert message.count("\n") == len(finding.trace) + bool(finding.fix) + bool(finding.suppressed)


def test_escapes_are_read_back(mean_of_folds: Finding, rows: FileSpan) -> None:
    path, message = "a b/100%,c::d\ne%0A%3A.py", "95 %0A::CI."
    location = dataclasses.replace(mean_of_folds.location, path=path)
    finding = dataclasses.replace(mean_of_folds, location=location, message=message)
    (line,) = github.render(Report((finding,), (), 1), RenderContext(file_span=rows)).splitlines()
    _, properties, shown = parsed(line)
    assert (properties["file"], shown.split("\n")[0]) == (path, message)


def test_columns_are_given_only_for_a_single_line(mean_of_folds: Finding, rows: FileSpan) -> None:
    for location in (Location("train.py", None, 9, 1, 11, 5), Location("n.ipynb", 1, 9, 3, 9, 7)):
        finding = dataclasses.replace(mean_of_folds, location=location)
        (line,) = github.render(Report((finding,), (), 1), RenderContext(file_span=rows)).splitlines()
        assert set(parsed(line)[1]) == {"file", "line", "endLine", "title"}


def test_an_error_in_a_notebook_has_no_file_line(rows: FileSpan) -> None:
    rendered = github.render(
        Report((), (UnreadFile("n.ipynb", "not Python in cell 3", 2),), 1), RenderContext(file_span=rows)
    )
    assert rendered == "::warning file=n.ipynb,title=cvlint::not Python in cell 3.\n"


def test_a_suppressed_finding_is_a_notice(suppressed: Report, rows: FileSpan) -> None:
    level, _, message = parsed(github.render(suppressed, RenderContext(file_span=rows)).rstrip("\n"))
    assert (level, message.split("\n")[1]) == ("notice", "Suppressed at train.py:9:46: as in the paper.")


def test_a_clean_report_is_empty(rows: FileSpan) -> None:
    assert github.render(Report((), (), 3), RenderContext(file_span=rows)) == ""
