"""The table of report formats: each row has its module, and the documentation names each format."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import get_type_hints

import pytest

from cvlint.findings.finding import Report
from cvlint.output.findings.formats import FORMATS, RenderContext, ReportFormat, format_names
from cvlint.output.shared.styled_text import plain

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize("name", FORMATS)
def test_each_module_renders_with_the_same_signature(name: str) -> None:
    render = import_module(f"cvlint.output.findings.{name}").render
    assert list(inspect.signature(render).parameters) == ["report", "context"]
    assert get_type_hints(render) == {"report": Report, "context": RenderContext, "return": str}


@pytest.mark.parametrize("one", FORMATS.values(), ids=FORMATS)
def test_a_report_needs_no_more_than_the_context(one: ReportFormat, report: Report) -> None:
    assert re.search("CVL101|mean-of-fold-f", one.render(report, RenderContext()))
    if one.coloured:
        assert plain(one.styled(report, RenderContext())) == one.render(report, RenderContext())


@pytest.mark.parametrize("one", FORMATS.values(), ids=FORMATS)
def test_a_format_names_unread_files_if_the_table_says_so(one: ReportFormat, report: Report) -> None:
    assert ("old.py" in one.render(report, RenderContext())) == one.holds_unread_files


@pytest.mark.parametrize("one", FORMATS.values(), ids=FORMATS)
def test_a_format_says_that_a_finding_is_suppressed_if_the_table_says_so(one: ReportFormat, suppressed: Report) -> None:
    if one.marks_suppressed:
        assert re.search("suppress|skipped", one.render(suppressed, RenderContext()))


def test_the_reference_lists_each_format() -> None:
    page = (ROOT / "docs" / "reference" / "output-formats.md").read_text(encoding="utf-8")
    table = page.split("| `--format` | for |")[1].split("\n\n")[0]
    rows = [line.split("|")[1] for line in table.splitlines()[2:]]
    assert [name for row in rows for name in re.findall(r"`(\w+)`", row)] == list(FORMATS)


def test_the_guide_says_which_formats_do_not_mark_suppressed_findings() -> None:
    page = (ROOT / "docs" / "how-to" / "suppress.md").read_text(encoding="utf-8")
    sentence = page.split("(not with the formats ")[1].split(")")[0]
    assert tuple(re.findall(r"\b(?!and|or)\w+", sentence)) == format_names(lambda one: not one.marks_suppressed)


def test_the_table_imports_no_format() -> None:
    code = (
        "import sys, cvlint.output.findings.formats; print([m for m in sys.modules if 'cvlint.output.findings.' in m])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['cvlint.output.findings.formats']"
