"""A fault with several places: reports show it once, and everything else handles each place by itself."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

HARD = """\
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score, roc_curve

model = LogisticRegression().fit(X_train, y_train)
y_pred = model.predict(X_test)
print(roc_auc_score(y_test, y_pred)){first}
fpr, tpr, _ = roc_curve(y_test, y_pred){second}
"""


@pytest.fixture
def hard(tmp_path: Path) -> Path:
    path = tmp_path / "train.py"
    path.write_text(HARD.format(first="", second=""))
    return path


def found(run: Any, *arguments: str) -> Any:
    return json.loads(run("check", "--format", "json", *arguments).stdout)


def test_text_shows_the_fault_once(run: Any, hard: Path) -> None:
    result = run("check")
    assert result.exit_code == 1
    assert result.stdout.count("auc-hard-labels (CVL203)") == 1
    assert "    and 1 more place: 7:15\n" in result.stdout
    assert "Found 1 error at 2 places in 1 file." in result.stdout


def test_copies_are_named_with_their_files(run: Any, hard: Path, tmp_path: Path) -> None:
    for number in range(8):
        (tmp_path / f"copy_{number}.py").write_text(hard.read_text())
    text = " ".join(run("check").stdout.split())
    assert text.count("auc-hard-labels (CVL203)") == 1
    assert "and 17 more places: 7:15, copy_1.py:6:7, copy_1.py:7:15, copy_2.py:6:7, copy_2.py:7:15, and 12 more" in text
    assert "`-v` shows all" in text
    assert "train.py:7:15" in run("check", "-v").stdout


def test_json_keeps_a_finding_for_each_place(run: Any, hard: Path) -> None:
    report = found(run)
    assert [finding["line"] for finding in report["findings"]] == [6, 7]
    (fault,) = report["faults"]
    assert {finding["fault"] for finding in report["findings"]} == {fault["fault"]}
    assert [place["fingerprint"] for place in fault["places"]] == [one["fingerprint"] for one in report["findings"]]
    assert (report["summary"]["findings"], report["summary"]["faults"]) == (2, 1)


def test_sarif_has_the_further_place_as_a_related_location(run: Any, hard: Path) -> None:
    (log,) = json.loads(run("check", "--format", "sarif").stdout)["runs"]
    (result,) = log["results"]
    lines = [place["physicalLocation"]["region"]["startLine"] for place in result["relatedLocations"]]
    assert lines[-1] == 7
    assert result["relatedLocations"][-1]["message"]["text"].startswith("The same fault: The ROC curve is given")


@pytest.mark.parametrize("style", ["concise", "jsonl", "github", "gitlab", "junit"])
def test_formats_by_line_keep_each_place(run: Any, hard: Path, style: str) -> None:
    output = run("check", "--format", style).stdout
    assert output.count("ROC AUC is given predicted labels") == output.count("The ROC curve is given predicted") >= 1


@pytest.mark.parametrize(("first", "second", "left"), [("  # cvlint: ignore", "", 7), ("", "  # cvlint: ignore", 6)])
def test_a_comment_suppresses_its_own_place_only(run: Any, hard: Path, first: str, second: str, left: int) -> None:
    hard.write_text(HARD.format(first=first, second=second))
    assert [finding["line"] for finding in found(run)["findings"]] == [left]
    assert "Found 1 error in 1 file; comments suppress 1 finding." in run("check").stdout


def test_a_baseline_holds_each_place(run: Any, hard: Path) -> None:
    run("check", "--write-baseline", "known.json")
    entries = [entry for entry in json.loads(Path("known.json").read_text())["findings"] if entry]
    assert [entry["count"] for entry in entries] == [1, 1]
    Path("known.json").write_text(json.dumps({"version": 1, "findings": entries[:1]}))
    (finding,) = found(run, "--baseline", "known.json")["findings"]
    assert finding["line"] in (6, 7)


def test_fixes_are_made_at_each_place(run: Any, hard: Path) -> None:
    result = run("check", "--fix", "--unsafe-fixes")
    assert (result.exit_code, "Fixed 2 findings in 1 file." in result.stderr) == (0, True)


def test_statistics_count_both(run: Any, hard: Path) -> None:
    assert run("check", "--statistics").stdout.startswith("2  CVL203  auc-hard-labels  error    in 1 file, 1 fault\n")
    (count,) = json.loads(run("check", "--statistics", "--format", "json").stdout)["statistics"]
    assert (count["findings"], count["faults"]) == (2, 1)
