"""``cvlint check`` reads the comments that suppress findings, shows them, and writes them."""

from __future__ import annotations

import errno
import json
import os
import stat
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cvlint.findings.finding import Confidence

IGNORE = "  # cvlint: ignore[mean-of-fold-f]"


def comment(path: Path, text: str, line: int = 9) -> None:
    lines = path.read_text().split("\n")
    lines[line - 1] += text
    path.write_text("\n".join(lines))


def concise(result: Any) -> list[str]:
    return [line.partition(" (")[0] for line in result.stdout.splitlines()]


@pytest.fixture
def notebook(faulty: Path) -> Path:
    """The faulty file in two cells, in the JSON of an odd editor."""
    first, second = faulty.read_text().split("\n\n")
    faulty.unlink()
    lines = json.dumps(second.splitlines(keepends=True), indent=5)
    path = faulty.with_suffix(".ipynb")
    path.write_text(
        '{"nbformat":4, "nbformat_minor": 5,"metadata": {"z": 1.50, "a": "\\u00e9/\\/"},\n "cells":\n'
        f'[{{"cell_type": "code", "outputs": [], "source": {json.dumps(first)}}},\n'
        f'{{"source":{lines}, "execution_count" : null, "cell_type": "code"}}] }}'
    )
    return path


@pytest.mark.parametrize("line", [6, 8, 9])
def test_a_suppressed_finding_does_not_fail_the_check(run: Any, faulty: Path, line: int) -> None:
    comment(faulty, IGNORE, line)
    result = run("check")
    assert (result.exit_code, result.stdout) == (0, "No faults found in 1 file; comments suppress 1 finding.\n")
    assert run("check", "--strict").exit_code == 0


def test_a_comment_in_a_string_or_elsewhere_suppresses_nothing(run: Any, faulty: Path) -> None:
    faulty.write_text(faulty.read_text() + f'x = """\n{IGNORE}-file\n# noqa"""\n')
    result = run("check", "--format", "concise")
    assert (result.exit_code, concise(result)) == (1, ["train.py:9:7: CVL101 mean-of-fold-f"])


def test_a_trace_leads_into_another_file(run: Any, tmp_path: Path, faulty: Path) -> None:
    text = faulty.read_text()
    (tmp_path / "lib").mkdir()
    helper = tmp_path / "lib" / "measures.py"
    helper.write_text(
        "from sklearn.metrics import f1_score\n\ndef measure(truth, guess):\n    return f1_score(truth, guess)\n"
    )
    faulty.write_text(
        text.replace("from sklearn.metrics import f1_score", "from lib.measures import measure").replace(
            "f1_score(y[", "measure(y["
        )
    )
    assert run("check").exit_code == 1
    comment(helper, IGNORE, 4)
    assert run("check", "train.py").stdout.startswith("No faults found in 1 file; comments suppress 1")
    assert run("check").stdout.startswith("No faults found in 2 files; comments suppress 1")


HELPER = "from sklearn.metrics import f1_score\n\ndef measure(truth, guess):\n    return f1_score(truth, guess)"


@pytest.fixture
def imported(faulty: Path) -> Path:
    """A file that the faulty one imports, with a comment that suppresses the fault, and with an unused one."""
    helper = faulty.with_name("measures.py")
    helper.write_text(f"{HELPER}{IGNORE} agreed\n\nx = 1  # cvlint: ignore[auc-merge]\n")
    text = faulty.read_text().replace("f1_score(y[", "measure(y[")
    faulty.write_text(text.replace("from sklearn.metrics import f1_score", "from measures import measure"))
    return helper


def test_a_comment_that_an_unchecked_file_may_use_stays(run: Any, imported: Path, faulty: Path) -> None:
    before = imported.read_text()
    for arguments in (["measures.py"], [".", "--exclude", "train.py"]):
        assert run("check", "--strict", *arguments).stdout == "No faults found in 1 file.\n"
        assert "Fixed 0 findings" in run("check", "--fix", *arguments).stderr
    given = run("check", "--strict", "-", "--stdin-filename", "measures.py", input=before)
    assert given.stdout == "No faults found in 1 file.\n"
    assert imported.read_text() == before
    assert "ignore[auc-merge]` suppresses nothing" in run("check").stdout
    assert "Fixed 1 finding " in run("check", "--fix").stderr
    assert imported.read_text() == before.replace("  # cvlint: ignore[auc-merge]", "")


@pytest.mark.parametrize("root", [None, "..", "."])
def test_an_importer_may_lie_in_a_folder_above(
    run: Any, imported: Path, faulty: Path, monkeypatch: pytest.MonkeyPatch, root: str | None
) -> None:
    lib = imported.parent / "lib"
    lib.mkdir()
    imported.rename(lib / "measures.py")
    faulty.write_text(faulty.read_text().replace("from measures", "from lib.measures"))
    assert "comments suppress 1 finding" in run("check").stdout
    monkeypatch.chdir(lib)
    if root is not None:
        Path(root, ".git").mkdir()
    # What is in a repository of its own is a project of its own.
    assert run("check").stdout.count("suppresses nothing") == (2 if root == "." else 0)


def test_a_file_that_cannot_be_read_may_use_a_comment(run: Any, imported: Path, faulty: Path) -> None:
    faulty.write_text(faulty.read_text() + "def (\n")
    assert run("check", "--strict").stdout.startswith("No faults found in 2 files")
    faulty.write_text("def (\n")
    assert run("check").stdout.count("suppresses nothing") == 2


def test_standard_input_and_cells(run: Any, notebook: Path) -> None:
    text = notebook.read_text()
    assert run("check").exit_code == 1
    notebook.write_text(text.replace("print(np.mean(scores))", f"print(np.mean(scores)){IGNORE} as agreed"))
    assert run("check").stdout == "No faults found in 1 file; comments suppress 1 finding.\n"
    shown = run("check", "--show-suppressed", "-", "--stdin-filename", "n.ipynb", input=notebook.read_text())
    assert "suppressed by: n.ipynb:cell 2:5:25 `# cvlint: ignore[mean-of-fold-f]`: as agreed" in " ".join(
        shown.stdout.split()
    )


def test_unused_comments_are_notes(run: Any, tmp_path: Path, faulty: Path) -> None:
    comment(faulty, "  # noqa: CVL201, E501")
    (tmp_path / "plot.py").write_text("plot()  # cvlint: ignore-file[mean-of-fold]\n")
    result = run("check", "--format", "concise")
    assert concise(result) == [
        "plot.py:1:9: CVL001 unused-ignore",
        "train.py:9:7: CVL101 mean-of-fold-f",
        "train.py:9:25: CVL001 unused-ignore",
    ]
    assert "did you mean 'mean-of-fold-" in result.stdout
    assert concise(run("check", "--format", "concise", "--select", "CVL101")) == ["train.py:9:7: CVL101 mean-of-fold-f"]
    assert concise(run("check", "--format", "concise", "--ignore", "CVL1"))[0] == "plot.py:1:9: CVL001 unused-ignore"
    assert len(concise(run("check", "--format", "concise", "--ignore", "unused-ignore"))) == 1
    assert run("check", "plot.py").exit_code == 0
    assert run("check", "plot.py", "--strict").exit_code == 1


def test_only_the_meta_rules_may_be_selected(run: Any, faulty: Path) -> None:
    comment(faulty, f"{IGNORE} as agreed")
    assert run("check", "--select", "CVL0").stdout == "No faults found in 1 file.\n"


@pytest.mark.parametrize("confidence", ["high", "medium", "low"])
def test_a_comment_on_an_unsure_finding_is_used(run: Any, engine: Any, faulty: Path, confidence: Confidence) -> None:
    engine.finds("error")
    (one,) = engine.report.findings
    engine.report = replace(engine.report, findings=(replace(one, confidence="low"),))
    assert run("check", "--confidence", confidence).exit_code == (confidence == "low")
    comment(faulty, IGNORE)
    assert run("check", "--strict", "--confidence", confidence).exit_code == 0
    comment(faulty, IGNORE, 1)
    assert concise(run("check", "--format", "concise", "--confidence", confidence)) == [
        "train.py:1:21: CVL001 unused-ignore"
    ]


def test_comments_of_an_unreadable_file_are_not_reported(run: Any, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("def f(:  # cvlint: ignore\n")
    cells = [{"cell_type": "code", "source": source} for source in ("x = 1  # cvlint: ignore", "y = (")]
    (tmp_path / "n.ipynb").write_text(json.dumps({"nbformat": 4, "cells": cells}))
    result = run("check", "--strict", "--ignore-errors")
    assert result.exit_code == 0
    assert "in cell 2" in result.stderr


def test_a_reason_may_be_required(run: Any, tmp_path: Path, faulty: Path) -> None:
    text = faulty.read_text()
    comment(faulty, IGNORE)
    result = run("check", "--require-reason", "--format", "concise")
    assert result.exit_code == 1
    assert concise(result) == ["train.py:9:7: CVL101 mean-of-fold-f", "train.py:9:25: CVL002 ignore-without-reason"]
    (tmp_path / "cvlint.toml").write_text("require-reason = true\n")
    assert run("check").exit_code == 1
    faulty.write_text(text)
    comment(faulty, f"{IGNORE} as in Table 2")
    assert run("check", "--require-reason").exit_code == 0


def test_reviewers_see_what_is_suppressed(run: Any, faulty: Path) -> None:
    comment(faulty, f"{IGNORE} as in Table 2")
    text = run("check", "--show-suppressed")
    assert text.exit_code == 0
    assert "suppressed by: train.py:9:25 `# cvlint: ignore[mean-of-fold-f]`: as in Table 2" in " ".join(
        text.stdout.split()
    )
    assert text.stdout.endswith("\nNo faults found in 1 file; comments suppress 1 finding.\n")
    assert (
        " CVL101 mean-of-fold-f (error, suppressed): " in run("check", "--show-suppressed", "--format=concise").stdout
    )
    report = json.loads(run("check", "--show-suppressed", "--format", "json").stdout)
    (one,) = report["findings"]
    comment_of = {"path": "train.py", "cell": None, "line": 9, "comment": IGNORE.strip()}
    assert one["suppressed"] == {"reason": "as in Table 2", **comment_of}
    (result,) = json.loads(run("check", "--show-suppressed", "--format", "sarif").stdout)["runs"][0]["results"]
    assert [one["justification"] for one in result["suppressions"]] == ["as in Table 2."]
    assert "<skipped" in run("check", "--show-suppressed", "--format", "junit").stdout
    assert "error, suppressed" in run("check", "--show-suppressed", "--format", "markdown").stdout
    hidden = json.loads(run("check", "--format", "json").stdout)
    assert (hidden["findings"], hidden["summary"]["suppressed"], report["summary"]["suppressed"]) == ([], 1, 1)


def test_suppressed_findings_that_are_shown_do_not_count(run: Any, faulty: Path) -> None:
    faulty.write_text(faulty.read_text() + faulty.read_text().replace("(5)", "(7)"))
    comment(faulty, IGNORE, 18)
    result = run("check", "--show-suppressed")
    assert result.exit_code == 1
    assert result.stdout.count("CVL101") == 2
    assert "suppressed by: train.py:18:25 `# cvlint: ignore[mean-of-fold-f]`: no reason is given" in " ".join(
        result.stdout.split()
    )
    assert "\nFound 1 error in 1 file; comments suppress 1 finding.\nNext: " in result.stdout
    without = json.loads(run("check", "--format", "json").stdout)
    assert [one["suppressed"] for one in without["findings"]] == [None]


def test_a_severity_may_be_set(run: Any, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1  # cvlint: ignore\n")
    (tmp_path / "cvlint.toml").write_text('severity = { "unused-ignore" = "error" }\n')
    assert run("check").exit_code == 1
    (tmp_path / "cvlint.toml").write_text('per-file-ignores = { "a.py" = ["CVL001"] }\n')
    assert run("check", "--strict").exit_code == 0


def test_the_pages(run: Any) -> None:
    assert run("rule", "unused-ignore").stdout == run("rule", "CVL001").stdout
    assert run("rule", "unused-ignore").stdout.startswith("# CVL001 unused-ignore\n")
    assert run("rule", "CVL002").stdout.startswith("# CVL002 ignore-without-reason\n")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--add-ignores", "-"], "The option --add-ignores writes into files"),
        (["--add-ignores", "--write-baseline", "b.json"], "--add-ignores and --write-baseline cannot go together"),
        (["--show-suppressed", "--format", "github"], "cannot be used with the format 'github'"),
        (["--add-ignores", "--format", "json"], "--add-ignores and --format cannot go together"),
        (["--add-ignores", "--statistics"], "--add-ignores and --statistics cannot go together"),
        (["--write-baseline", "b.json", "--format", "json"], "--write-baseline and --format cannot go together"),
        (["--diff", "--format", "sarif"], "--diff and --format cannot go together"),
        (["--reason", "old"], "The option --reason needs --add-ignores"),
        (["--add-ignores", "--reason", "a\nb"], "The option --reason cannot be 'a"),
        (["--add-ignores", "--require-reason"], "so --add-ignores needs --reason"),
    ],
)
def test_usage_errors(run: Any, arguments: list[str], says: str) -> None:
    result = run("check", *arguments, input="x = 1\n")
    assert result.exit_code == 2
    assert says in result.stderr
    assert result.stderr.count("\n") == 1


# --add-ignores


def test_comments_are_added(run: Any, faulty: Path) -> None:
    text = faulty.read_text()
    faulty.write_bytes(text.replace("\n", "\r\n").encode())
    result = run("check", "--add-ignores")
    assert (result.exit_code, result.stdout) == (0, "Added comments that suppress 1 finding to 1 file.\n")
    print_line = "print(np.mean(scores))"
    assert faulty.read_bytes() == text.replace(print_line, print_line + IGNORE).replace("\n", "\r\n").encode()
    assert run("check", "--strict").exit_code == 0
    before = faulty.read_bytes()
    assert run("check", "--add-ignores").stdout == "Added comments that suppress 0 findings to 0 files.\n"
    assert faulty.read_bytes() == before


def test_a_reason_is_written_where_one_is_required(run: Any, faulty: Path) -> None:
    (faulty.parent / "cvlint.toml").write_text("require-reason = true\n")
    assert run("check", "--add-ignores").exit_code == 2
    assert run("check", "--add-ignores", "--reason", "older than the group's rule").exit_code == 0
    assert f"print(np.mean(scores)){IGNORE} older than the group's rule\n" in faulty.read_text()
    assert run("check", "--strict").stdout == "No faults found in 1 file; comments suppress 1 finding.\n"


def test_comments_are_added_to_cells(run: Any, notebook: Path) -> None:
    before = notebook.read_text()
    assert run("check", "--add-ignores").exit_code == 0
    assert notebook.read_text() == before.replace("print(np.mean(scores))", f"print(np.mean(scores)){IGNORE}")
    assert run("check", "--strict").stdout == "No faults found in 1 file; comments suppress 1 finding.\n"


def test_rules_of_one_line_share_a_comment(run: Any, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(
        "from sklearn.metrics import f1_score, roc_auc_score\n"
        "from sklearn.model_selection import cross_val_predict, cross_val_score\n"
        "p = cross_val_predict(m, X, y, method='predict_proba')[:, 1]\n"
        "print(roc_auc_score(y, p), cross_val_score(m, X, y, scoring='f1').mean())  # the result\n"
    )
    assert run("check", "--add-ignores").stdout == "Added comments that suppress 2 findings to 1 file.\n"
    last = (tmp_path / "a.py").read_text().splitlines()[-1]
    assert last.endswith("  # the result  # cvlint: ignore[auc-merge, mean-of-fold-f]")
    assert run("check", "--strict").exit_code == 0


def test_a_file_that_cannot_be_written_is_reported(run: Any, monkeypatch: pytest.MonkeyPatch, faulty: Path) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(os, "fsync", refuse)
    result = run("check", "--add-ignores")
    assert result.exit_code == 1
    assert result.stdout == "Added comments that suppress 0 findings to 0 files.\n"
    assert result.stderr == (
        "train.py: no comments were added, because the file cannot be written: Permission denied.\n"
    )


def test_comments_about_comments_are_not_added(run: Any, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1  # cvlint: ignore\n")
    run("check", "--add-ignores")
    assert (tmp_path / "a.py").read_text() == "x = 1  # cvlint: ignore\n"


def test_the_mode_of_a_file_stays(run: Any, faulty: Path) -> None:
    faulty.chmod(0o750)
    run("check", "--add-ignores")
    assert stat.S_IMODE(faulty.stat().st_mode) == 0o750
    assert IGNORE in faulty.read_text()


def test_known_findings_get_no_comment(run: Any, faulty: Path) -> None:
    assert run("check", "--write-baseline", "known.json").exit_code == 0
    result = run("check", "--baseline", "known.json", "--add-ignores")
    assert result.stdout == "Added comments that suppress 0 findings to 0 files.\n"
    comment(faulty, IGNORE)
    assert run("check", "--write-baseline", "new.json").exit_code == 0
    assert "CVL101" not in Path("new.json").read_text()
    assert "mean-of-fold-f" not in Path("new.json").read_text()


ABOVE = "# cvlint: ignore[mean-of-fold-f] as agreed\n"


@pytest.mark.parametrize("line", [6, 8, 9])
def test_a_comment_above_the_statement(run: Any, faulty: Path, line: int) -> None:
    lines = faulty.read_text().splitlines(keepends=True)
    indent = lines[line - 1][: -len(lines[line - 1].lstrip())]
    faulty.write_text("".join([*lines[: line - 1], indent + ABOVE, *lines[line - 1 :]]))
    assert run("check", "--strict").stdout == "No faults found in 1 file; comments suppress 1 finding.\n"
    assert run("check", "--strict", "--require-reason").exit_code == 0
    shown = run("check", "--show-suppressed").stdout
    assert f"    suppressed by: train.py:{line}:{len(indent) + 1} `{ABOVE.split('] ')[0]}]`: as agreed\n" in shown
    faulty.write_text("".join([*lines[: line - 1], indent + ABOVE, "\n", *lines[line - 1 :]]))
    assert run("check").stdout.count("suppresses nothing here") == 1


def test_an_unused_comment_above_goes_with_its_line(run: Any, faulty: Path) -> None:
    text = faulty.read_text()
    lines = text.splitlines(keepends=True)
    unused = ["    # cvlint: ignore[auc-merge] of old\n", "# cvlint: ignore[CVL1, CVL2] as agreed\n"]
    faulty.write_text("".join([*lines[:7], unused[0], *lines[7:8], ABOVE, unused[1], "# the mean\n", *lines[8:]]))
    assert "Fixed 2 findings" in run("check", "--fix").stderr
    left = "# cvlint: ignore[CVL1] as agreed\n"
    assert faulty.read_text() == "".join([*lines[:8], ABOVE, left, "# the mean\n", *lines[8:]])
    assert run("check", "--strict").stdout.startswith("No faults found in 1 file; comments suppress 1")


def test_a_comment_above_in_a_cell(run: Any, notebook: Path) -> None:
    text = notebook.read_text()
    line = '"print(np.mean(scores))\\n"'
    assert line in text
    notebook.write_text(text.replace(line, f'"# cvlint: ignore[CVL1]\\n",\n     {line}'))
    assert run("check", "--strict").stdout == "No faults found in 1 file; comments suppress 1 finding.\n"
    first = json.dumps(faulty_head(text))
    notebook.write_text(text.replace(first, json.dumps(f"{faulty_head(text)}\n{ABOVE}")))  # the end of the cell before
    assert run("check").stdout.count("suppresses nothing here") == 1


def faulty_head(text: str) -> str:
    source = json.loads(text)["cells"][0]["source"]
    assert isinstance(source, str)
    return source
