from __future__ import annotations

import dataclasses
import json

from cvlint.findings.finding import Finding, Measured, Report
from cvlint.output.findings import concise
from cvlint.output.findings import json as json_format
from cvlint.output.findings.formats import RenderContext


def test_concise_has_one_line_for_each_finding(report: Report, mean_of_folds: Finding) -> None:
    assert concise.render(report, RenderContext()) == (
        "a.ipynb:cell 4:3:1: CVL107 mean-of-fold-ratio (note): A note\n"
        "train.py:9:29: CVL101 mean-of-fold-f (error): F1 is computed in each fold and averaged over 10 folds\n"
    )
    broken = dataclasses.replace(mean_of_folds, message="two\nlines")
    assert concise.render(Report((broken,), (), 1), RenderContext()).count("\n") == 1


def test_concise_is_empty_without_findings() -> None:
    assert concise.render(Report((), (), 3), RenderContext()) == ""


def test_json_has_the_documented_keys_in_order(report: Report) -> None:
    note, finding = (dataclasses.replace(one, fingerprint=f"f{n}") for n, one in enumerate(report.findings))
    report = dataclasses.replace(report, findings=(note, finding))
    document = json.loads(json_format.render(report, RenderContext()))
    assert list(document) == ["version", "findings", "faults", "errors", "summary"]
    first, second = document["findings"]
    assert (first["cell"], first["trace"], first["fix"]) == (4, [], None)
    assert list(second.items()) == [
        ("rule", "mean-of-fold-f"),
        ("code", "CVL101"),
        ("url", second["url"]),
        ("severity", "error"),
        ("confidence", "high"),
        ("path", "train.py"),
        ("cell", None),
        ("line", 9),
        ("column", 29),
        ("end_line", 9),
        ("end_column", 44),
        ("message", "F1 is computed in each fold and averaged over 10 folds"),
        ("trace", second["trace"]),
        ("fix", {"safety": "unsafe", "message": "f1_score(y, cross_val_predict(model, X, y, cv=folds))"}),
        ("measured", None),
        ("fingerprint", "f1"),
        ("fault", "f1"),
        ("suppressed", None),
    ]
    assert list(second["trace"][0].items()) == [
        ("path", "train.py"),
        ("cell", None),
        ("line", 5),
        ("column", 20),
        ("end_line", 5),
        ("note", "folds are split here"),
    ]
    assert document["errors"] == [{"path": "old.py", "line": 3, "message": "not valid Python 3"}]
    counted = {"in_baseline": 0, "in_commit": 0, "suppressed": 0}
    assert document["summary"] == {"files": 12, "findings": 2, "faults": 2, "errors": 1, **counted}
    assert document["version"] == 1
    place = {"path": "train.py", "cell": None, "line": 9, "column": 29, "fingerprint": "f1"}
    head = {"fault": "f1", "rule": "mean-of-fold-f", "code": "CVL101", "severity": "error"}
    assert document["faults"][1] == {**head, "places": [place]}


def test_concise_lines_end_with_the_amount(mean_of_folds: Finding) -> None:
    amount = Measured("f_avg", 0.537, "f_tpfp", 0.578, None, 10, 1, "train.py:5")
    measured = dataclasses.replace(mean_of_folds, measured=(amount,))
    (line,) = concise.render(Report((measured,), (), 1), RenderContext()).splitlines()
    assert line.startswith(
        "train.py:9:29: CVL101 mean-of-fold-f (error): F1 is computed in each fold and averaged over"
    )
    assert line.endswith(" over 10 folds. Measured: F_avg 0.537; F_tp,fp is 0.578 (0.041 higher), 10 folds.")


def test_json_is_ascii(mean_of_folds: Finding) -> None:
    strange = dataclasses.replace(mean_of_folds, message="ü \udcff 😀")
    rendered = json_format.render(Report((strange,), (), 1), RenderContext())
    assert rendered.isascii()
    assert json.loads(rendered)["findings"][0]["message"] == "ü \udcff 😀"
