from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from cvlint.findings.finding import Report
from cvlint.output.findings import json as json_format
from cvlint.output.findings import jsonl
from cvlint.output.findings.formats import RenderContext


@settings(max_examples=50)
@given(data=st.data())
def test_each_line_is_an_object_of_the_json_format(reports: st.SearchStrategy[Report], data: st.DataObject) -> None:
    report = data.draw(reports)
    rendered = jsonl.render(report, RenderContext())
    assert rendered.isascii()
    document = json.loads(json_format.render(report, RenderContext()))
    lines = [json.loads(line) for line in rendered.splitlines()]
    assert lines == [*document["findings"], *({"error": error} for error in document["errors"])]


def test_a_clean_report_is_empty() -> None:
    assert jsonl.render(Report((), (), 3), RenderContext()) == ""
