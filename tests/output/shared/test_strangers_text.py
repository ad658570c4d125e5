"""Names from strangers neither control a terminal nor become HTML, wherever fold data are written."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from cvlint.cli import main
from cvlint.output.evaluation.compared import render_markdown as compared_markdown
from cvlint.output.evaluation.recomputed import pieces, render_markdown
from cvlint.output.shared.strangers_text import harmless_markdown, harmless_text
from cvlint.output.shared.styled_text import plain
from cvlint.runtime import FoldSet, recompute
from cvlint.runtime.comparison.compare import compare
from cvlint.runtime.comparison.pairing import paired
from cvlint.runtime.comparison.results import Compared
from cvlint.runtime.intervals.bootstrap import Bootstrap

NAME = "\x1b[31m<script>alert(1)</script>[a](javascript:b)\u202e"


def test_line_breaks_stay_and_all_else_is_replaced() -> None:
    assert harmless_text(f"a\n{NAME}\n") == "a\n\ufffd[31m<script>alert(1)</script>[a](javascript:b)\ufffd\n"
    found = harmless_markdown(NAME)
    assert "<" not in found and "\x1b" not in found
    assert "\\[a](javascript:b)" in found
    assert harmless_markdown("Nadeau & Bengio &lt;b&gt;") == "Nadeau & Bengio &amp;lt;b&amp;gt;"


def test_names_of_folds_and_experiments_are_harmless_everywhere() -> None:
    y = np.arange(60) % 3 == 0
    fold = np.where(np.arange(60) < 57, np.where(np.arange(60) % 2, NAME, "b"), NAME + "c")  # the last one warns
    folds = FoldSet.from_arrays(fold, y, ~y | (np.arange(60) % 5 == 0))
    results = [(one, ()) for one in recompute(folds)]
    text = plain(pieces(results))
    assert "\ufffd[31m<script>" in text
    for each in (text, render_markdown(results), compared_markdown(two(folds))):
        assert "\x1b" not in each and "\u202e" not in each
    for each in (render_markdown(results), compared_markdown(two(folds))):
        assert "<script" not in each and "&lt;script" in each


def two(folds: FoldSet) -> Compared:
    """The experiment compared with itself, under a name of a stranger."""
    return compare(paired(folds, folds, (NAME, "b")), bootstrap=Bootstrap(20))


@pytest.mark.parametrize("command", ["recompute", "threshold", "curves", "compare", "combine"])
@pytest.mark.parametrize("form", ["", "--format=json"])
def test_no_line_of_a_command_commands_a_terminal_or_a_ci_system(command: str, form: str, tmp_path: Path) -> None:
    path = tmp_path / "folds.csv"
    rows = [
        f"{fold},{sample},{sample % 2},{(sample + shift) % 3 % 2},{(sample * 7 + shift) % 10 / 10},{name}"
        for name, shift in (("::error::a", 0), ("\x1b[31m##[error]b", 1))
        for sample, fold in enumerate(["::warning::x"] * 20 + ["##[debug]y"] * 20)
    ]
    path.write_text(
        "\n".join(["fold,sample_id,y_true,y_pred,y_score,experiment,\x1b[31m##[error]c", *(f"{r},0" for r in rows)])
    )
    words = [command, str(path), *([form] if form and command != "curves" else [])]
    said = CliRunner().invoke(main, words, color=True)  # else click takes the escape sequences out
    assert said.exit_code == 0
    assert "error" in said.stdout
    assert "not used: \N{REPLACEMENT CHARACTER}[31m# #[error]c." in said.stderr
    lines = [line.strip() for line in (said.stdout + said.stderr).splitlines()]
    assert [line for line in lines if line.startswith("::") or "##[" in line or "\x1b" in line] == []


def test_a_tag_in_a_name_is_escaped_in_pages_and_kept_in_json(tmp_path: Path) -> None:
    """Text and JSON are no HTML: a name that JSON writes otherwise is another name."""
    path, name = tmp_path / "folds.csv", "<script>alert(1)</script>"
    rows = [f"{name if i % 2 else 'b'},{i // 2 % 2},{i % 3 % 2},0.{i}" for i in range(10, 90)]
    path.write_text("\n".join(["fold,y_true,y_pred,y_score", *rows]))

    def said(command: str, *options: str) -> str:
        found = CliRunner().invoke(main, [command, str(path), *options])
        assert found.exit_code == 0
        return found.stdout

    fold_names = [row["fold"] for row in json.loads(said("recompute", "--format", "json"))["per_fold"]]
    assert name in fold_names and name in said("recompute")
    for page in (said("report", "--output", "-"), said("recompute", "--format", "markdown")):
        assert "<script" not in page and "&lt;script" in page
