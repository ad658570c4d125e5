"""Test ``cvlint report`` as a user calls it."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from report_data import PAPERS, binary, finding

from cvlint.cli import main
from cvlint.findings.finding import Report, TraceStep
from cvlint.output.findings.formats import RenderContext
from cvlint.output.findings.json import render as render_json
from cvlint.runtime import write
from cvlint.source.location import Location

TABLE_1 = str(PAPERS / "forman-scholz-table-1.csv")
LOOP = "for train, test in cv.split(X, y):\n    scores.append(f1_score(y[test], p))\nprint(np.mean(scores))\n"


def run(*arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(main, ["report", *arguments])
    return result.exit_code, result.stdout, result.stderr


def test_a_page_is_written(tmp_path: Path) -> None:
    target = tmp_path / "report.html"
    assert run(TABLE_1, "--reported", "f1=0.69", "--replicates", "50", "-o", str(target)) == (0, "", "")
    text = target.read_text(encoding="utf-8")
    assert text.startswith("<!DOCTYPE html>")
    assert "Reported f1=0.69: it may be F<sub>avg</sub>" in text
    assert run(TABLE_1, "--reported", "f1=0.69", "--replicates", "50", "-o", "-")[1] == text


def test_without_a_name_the_page_gets_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, undrawn: None) -> None:
    monkeypatch.chdir(tmp_path)
    name = "forman-scholz-table-1-report.html"
    for _ in range(2):
        assert run(TABLE_1, "--replicates", "0") == (0, f"The report is in {name}.\n", "")
    assert Path(name).read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    Path(name).write_text("mine")
    code, out, err = run(TABLE_1, "--replicates", "0")
    assert (code, out) == (2, "")
    assert err == f"cvlint: The file '{name}' exists and is no report of cvlint; name another with --output.\n"
    assert Path(name).read_text() == "mine"


def test_findings_are_joined_with_the_capture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, undrawn: None) -> None:
    monkeypatch.chdir(tmp_path)
    Path("train.py").write_text(LOOP)
    write(binary(experiment=np.full(600, "train.py:2")), "folds.csv")
    place, call = Location("train.py", None, 3, 7, 3, 22), Location("train.py", None, 2, 19, 2, 40)
    fault = finding(trace=(TraceStep(call, "here"), TraceStep(place, "mean")), measured=())
    Path("check.json").write_text(render_json(Report((fault,), (), 1), RenderContext()))
    code, out, err = run("folds.csv", "--findings", "check.json", "--replicates", "0", "-o", "-")
    assert (code, err) == (0, "")
    assert '<a href="#finding1">train.py:2 mean-of-fold-f</a>' in out
    assert "<strong>Measured:</strong>" in out
    assert "scores.append(f1_score(y[test], p))" in out
    assert "cv.split(X, y)" not in out  # only the lines of the trace are shown
    write(binary(), "plain.csv")
    assert (
        "The findings stand beside the numbers"
        in run("plain.csv", "--findings", "check.json", "--replicates", "0", "-o", "-")[1]
    )


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["gone.csv"], "gone.csv cannot be read: No such file or directory."),
        ([TABLE_1, "--findings", "gone.json"], "The file 'gone.json' cannot be read: No such file or directory."),
        (
            [TABLE_1, "--findings", "bad.json"],
            "The file 'bad.json' holds no findings, because it has no list 'findings'",
        ),
        ([TABLE_1, "--findings", "binary.json"], "The file 'binary.json' cannot be read: it is not UTF-8 text."),
        ([TABLE_1, "--reported", "f1"], "The reported value 'f1' cannot be read: write it like f1=0.69."),
        ([TABLE_1, "--beta", "-1"], "The option --beta cannot be '-1'; valid is a number from 0 to 1000000."),
        ([TABLE_1, "-o", "no/where.html"], "The report cannot be written to 'no/where.html'"),
        ([TABLE_1, "--average", "mean"], "The option --average cannot be 'mean'"),
    ],
)
def test_impossible_requests_are_refused(
    arguments: list[str], says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bad.json").write_text(json.dumps([]))
    Path("binary.json").write_bytes(b"\xff\xfe")
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert err.startswith(f"cvlint: {says}")
    assert err.count("\n") == 1


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "jinja2" else find(name))
    assert run(TABLE_1) == (2, "", "cvlint: A report needs jinja2, which is not installed: install cvlint[report].\n")
