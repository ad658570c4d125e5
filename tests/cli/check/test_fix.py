"""``cvlint check --fix``, ``--unsafe-fixes`` and ``--diff``."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

SAFE = """tp = len(found & wanted)
fp = len(found - wanted)
fn = len(wanted - found)
precision = tp / (tp + fp)
recall = tp / (tp + fn)
f1 = 2 * precision * recall / (precision + recall)
print(f1)
"""


@pytest.fixture
def formula(tmp_path: Path) -> Path:
    path = tmp_path / "formula.py"
    path.write_text(SAFE)
    return path


def test_safe_fixes_alone(run: Any, faulty: Path, formula: Path) -> None:
    before = faulty.read_text()
    result = run("check", "--format", "concise", "--fix")
    assert result.exit_code == 1
    assert result.stdout.startswith("train.py:9:7: CVL101") and result.stdout.count("\n") == 1
    assert result.stderr == "Fixed 1 finding in 1 file. 1 more fix may change reported numbers: see --unsafe-fixes.\n"
    assert faulty.read_text() == before
    assert "if precision + recall else 0.0" in formula.read_text()


def test_unsafe_fixes_too(run: Any, faulty: Path) -> None:
    result = run("check", "--fix", "--unsafe-fixes")
    assert (result.exit_code, result.stderr) == (0, "Fixed 1 finding in 1 file.\n")
    assert result.stdout == "No faults found in 1 file.\n"
    assert "f1_score(np.concatenate(true_labels), np.concatenate(predictions))" in faulty.read_text()
    again = faulty.read_text()
    assert run("check", "--fix", "--unsafe-fixes").stderr == "Fixed 0 findings in 0 files.\n"
    assert faulty.read_text() == again


def test_the_report_is_of_what_remains(run: Any, faulty: Path, formula: Path) -> None:
    result = run("check", "--format", "json", "--fix", ".")
    assert [f["rule"] for f in json.loads(result.stdout)["findings"]] == ["mean-of-fold-f"]


def test_diff_writes_nothing(run: Any, faulty: Path) -> None:
    before = faulty.read_text()
    result = run("check", "--diff", "--unsafe-fixes")
    assert result.exit_code == 1
    assert result.stdout.startswith("--- train.py\n+++ train.py\n@@ ")
    assert "\n-print(np.mean(scores))\n" in result.stdout and "\n+print(f1_score(" in result.stdout
    assert result.stderr == "Would fix 1 finding in 1 file.\n"
    assert faulty.read_text() == before
    assert run("check", "--diff", "--unsafe-fixes", "--exit-zero").exit_code == 0
    assert run("check", "--diff").exit_code == 0  # there are no safe fixes


def test_a_diff_can_be_applied(run: Any, faulty: Path, tmp_path: Path) -> None:
    faulty.write_text(faulty.read_text().rstrip("\n"))
    result = run("check", "--diff", "--unsafe-fixes", "--output", "fixes.diff")
    assert (result.exit_code, result.stdout) == (1, "")
    subprocess.run(["git", "apply", "-p0", "fixes.diff"], cwd=tmp_path, check=True)
    assert run("check").exit_code == 0


def test_a_diff_of_standard_input(run: Any, faulty: Path) -> None:
    result = run("check", "--diff", "--unsafe-fixes", "--stdin-filename", "a.py", "-", input=faulty.read_text())
    assert result.exit_code == 1 and result.stdout.startswith("--- a.py\n+++ a.py\n")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--unsafe-fixes"], "The option --unsafe-fixes needs --fix, which makes the fixes, or --diff"),
        (["--fix", "-"], "The option --fix writes into files, so it cannot be used with standard input"),
        (["--fix", "--add-ignores"], "The options --fix and --add-ignores cannot go together"),
        (["--diff", "--write-baseline", "b.json"], "The options --diff and --write-baseline cannot go together"),
        (["--show-fixes"], "The option --show-fixes cannot be used with the format 'text'; valid is json"),
        (["--show-fixes", "--statistics", "--format", "json"], "The options --show-fixes and --statistics cannot go"),
    ],
)
def test_usage_errors(run: Any, faulty: Path, options: list[str], message: str) -> None:
    result = run("check", *options, input="")
    assert result.exit_code == 2 and result.stderr.startswith(f"cvlint: {message}")


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="permissions bind ordinary users only")
def test_a_file_that_cannot_be_written(run: Any, faulty: Path) -> None:
    faulty.chmod(0o444)
    result = run("check", "--fix", "--unsafe-fixes")
    assert result.exit_code == 1
    assert result.stderr.startswith("train.py: cannot be fixed, because it cannot be written: ")


def test_suppressed_and_known_findings_are_left_alone(run: Any, faulty: Path) -> None:
    text = faulty.read_text().replace("np.mean(scores))", "np.mean(scores))  # cvlint: ignore[CVL101] so be it")
    faulty.write_text(text)
    assert run("check", "--fix", "--unsafe-fixes").exit_code == 0
    assert faulty.read_text() == text
    faulty.write_text(text.partition("  # cvlint")[0] + "\n")
    assert run("check", "--write-baseline", "known.json").exit_code == 0
    assert run("check", "--baseline", "known.json", "--fix", "--unsafe-fixes").exit_code == 0
    assert "np.mean(scores)" in faulty.read_text()


def test_modules_of_the_project_are_read_again(run: Any, faulty: Path, tmp_path: Path) -> None:
    """The check after the fixes sees the fixed text of what a file imports."""
    faulty.write_text("def evaluate(model, X, y):\n    " + faulty.read_text().replace("\n", "\n    ").rstrip() + "\n")
    (tmp_path / "main.py").write_text("from train import evaluate\nevaluate(model, X, y)\n")
    assert run("check", "--fix", "--unsafe-fixes").stdout == "No faults found in 2 files.\n"


def test_unused_comments_go(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_text("x = 1  # cvlint: ignore[CVL101] once\ny = 2  # noqa: E501, CVL201\n")
    assert "CVL001" in run("check", "--format", "concise").stdout
    result = run("check", "--fix", "--format", "concise")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "Fixed 2 findings in 1 file.\n")
    assert path.read_text() == "x = 1\ny = 2  # noqa: E501\n"


def test_a_comment_that_a_file_elsewhere_needs_stays(run: Any, faulty: Path, tmp_path: Path) -> None:
    """The helper does not need it, but its callers do."""
    (tmp_path / "lib.py").write_text(
        "import numpy as np\ndef mean(values):\n    return np.mean(values)  # cvlint: ignore[CVL101] so be it\n"
    )
    faulty.write_text(
        faulty.read_text().replace("np.mean(", "mean(").replace("import numpy as np", "from lib import mean")
    )
    before = (tmp_path / "lib.py").read_text()
    assert run("check", "--fix").exit_code == 0
    assert (tmp_path / "lib.py").read_text() == before


def test_an_internal_error_affects_one_fix_only(
    run: Any, faulty: Path, formula: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from cvlint.fixes.rewrites import registry

    def fails(code: Any, place: Any) -> Any:
        raise KeyError("what no one thought of")
        yield

    monkeypatch.setattr(registry, "REWRITES", {**registry.REWRITES, "mean-of-fold-f": (fails,)})
    result = run("check", "--fix", "--unsafe-fixes")
    assert result.exit_code == 1
    assert result.stderr.splitlines() == [
        "train.py: mean-of-fold-f in line 9 could not be fixed because of a fault of cvlint itself "
        "(KeyError: 'what no one thought of'): please report it.",
        "Fixed 1 finding in 1 file.",
    ]
    assert "f1 = 2 * tp / (2 * tp + fp + fn)" in formula.read_text()
    log = json.loads(run("check", "--format", "sarif").stdout)
    assert [result["ruleId"] for result in log["runs"][0]["results"]] == ["CVL101"]


LIBRARY = """from sklearn.model_selection import cross_val_predict, cross_val_score


def f_of(model, X, y):
    return cross_val_score(model, X, y, scoring="f1").mean()
"""


def test_files_that_import_a_fixed_one(run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fix that makes another file faulty is not made; what that file is does not matter."""
    from cvlint.fixes.editing.edits import Edit, Proposal
    from cvlint.fixes.rewrites import registry

    def other_fault(code: Any, place: Any) -> Any:
        start, end = code.span(place)
        yield Proposal((Edit(start, end, 'cross_val_score(model, X, y, scoring="f1")'),))

    monkeypatch.setattr(registry, "REWRITES", {**registry.REWRITES, "mean-of-fold-f": (other_fault,)})
    (tmp_path / "lib.py").write_text(LIBRARY)
    assert run("check", "--fix", "--unsafe-fixes", "--diff").exit_code == 1  # in itself it is a fix
    (tmp_path / "main.py").write_text("from lib import f_of\nprint(f_of(model, X, y).mean())\n")
    result = run("check", "--fix", "--unsafe-fixes")
    assert (result.exit_code, result.stderr) == (1, "Fixed 0 findings in 0 files.\n")
    assert (tmp_path / "lib.py").read_text() == LIBRARY


def test_edits_in_json(run: Any, formula: Path, faulty: Path) -> None:
    plain = json.loads(run("check", "--format", "json").stdout)["findings"]
    assert all("edits" not in finding["fix"] for finding in plain)
    found = json.loads(run("check", "--format", "json", "--show-fixes").stdout)["findings"]
    assert [(finding["rule"], finding["fix"]["safety"]) for finding in found] == [
        ("unguarded-f", "unsafe"),
        ("mean-of-fold-f", "unsafe"),
    ]
    lines = faulty.read_text().splitlines(keepends=True)
    for edit in reversed(sorted(found[1]["fix"]["edits"], key=lambda edit: (edit["line"], edit["column"]))):
        assert edit["cell"] is None
        head = "".join(lines[: edit["line"] - 1]) + lines[edit["line"] - 1][: edit["column"] - 1]
        tail = lines[edit["end_line"] - 1][edit["end_column"] - 1 :] + "".join(lines[edit["end_line"] :])
        lines = (head + edit["content"] + tail).splitlines(keepends=True)
    assert run("check", "--fix", "--unsafe-fixes", "train.py").exit_code == 0
    assert "".join(lines) == faulty.read_text()


def replaced(text: str, fix: dict[str, Any]) -> str:
    """A text with the replacements of a SARIF fix made in it."""
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    for one in reversed(fix["artifactChanges"][0]["replacements"]):
        region = one["deletedRegion"]
        start = starts[region["startLine"] - 1] + region["startColumn"] - 1
        end = starts[region["endLine"] - 1] + region["endColumn"] - 1
        text = text[:start] + one["insertedContent"]["text"] + text[end:]
    return text


def test_fixes_in_sarif(run: Any, faulty: Path, tmp_path: Path) -> None:
    """Whoever makes the replacements has what --fix writes; files are known by their paths from the folder."""
    (tmp_path / "sub").mkdir()
    path = tmp_path / "sub" / "größe.py"
    path.write_text("# é\n" + faulty.read_text().replace("scores = ", "'é'; scores = "))
    faulty.unlink()
    (result,) = json.loads(run("check", "--format", "sarif", "sub").stdout)["runs"][0]["results"]
    (fix,) = result["fixes"]
    assert fix["properties"] == {"safety": "unsafe"}
    assert fix["description"]["text"].endswith(". A number that the code reports may change.")
    (change,) = fix["artifactChanges"]
    assert change["artifactLocation"] == {"uri": "sub/gr%C3%B6%C3%9Fe.py", "uriBaseId": "%SRCROOT%"}
    expected = replaced(path.read_text(), fix)
    assert run("check", "--fix", "--unsafe-fixes").exit_code == 0
    assert path.read_text() == expected


@pytest.mark.parametrize(("number", "options"), [(0, ["--unsafe-fixes"]), (1, [])])
def test_a_safe_fix_beside_an_unsafe_one_in_sarif(run: Any, formula: Path, number: int, options: list[str]) -> None:
    (result,) = json.loads(run("check", "--format", "sarif").stdout)["runs"][0]["results"]
    assert [fix["properties"]["safety"] for fix in result["fixes"]] == ["unsafe", "safe"]
    expected = replaced(formula.read_text(), result["fixes"][number])
    assert run("check", "--fix", *options).stderr.startswith("Fixed 1 finding")
    assert formula.read_text() == expected


def test_fixes_are_shown_for_the_first_findings_of_a_file(run: Any, tmp_path: Path) -> None:
    from cvlint.cli.check.fix import MOST_SHOWN

    lines = "".join(f"x{number} = 1  # cvlint: ignore\n" for number in range(MOST_SHOWN + 3))
    (tmp_path / "many.py").write_text(lines)
    results = json.loads(run("check", "--format", "sarif").stdout)["runs"][0]["results"]
    assert ["fixes" in result for result in results] == [True] * MOST_SHOWN + [False] * 3
