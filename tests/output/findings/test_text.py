from __future__ import annotations

import dataclasses
import io

import pytest

from cvlint.findings.finding import Finding, Fix, Report
from cvlint.findings.source_text import SourceLines
from cvlint.output.findings import text
from cvlint.output.findings.formats import RenderContext
from cvlint.output.shared.styled_text import show_coloured

GOLDEN = """\
a.ipynb:cell 4:3:1: CVL107 mean-of-fold-ratio (note, medium confidence)
A note.

train.py:9:29: CVL101 mean-of-fold-f (error, high confidence)
F1 is computed in each fold and averaged over 10 folds.

  9 | print("F1 der Prüfung 测试:", np.mean(scores))
    |                               ^^^^^^^^^^^^^^^

  1. train.py:5:20: folds are split here
     5 | for train, test in folds.split(X, y):
  2. train.py:6:7: F1 is computed here
     6 |     f1 = f1_score(y[test], model.predict(X[test]))
  3. train.py:7:2: collected here
     7 |     scores.append(f1)
  4. train.py:9:29: averaged here
     9 | print("F1 der Prüfung 测试:", np.mean(scores))
  = use instead: f1_score(y, cross_val_predict(model, X, y, cv=folds)).

Found 1 error and 1 note in 12 files; 1 file could not be read in full.
"""


def test_golden(report: Report, lines: SourceLines) -> None:
    assert text.render(report, RenderContext(source_lines=lines)) == GOLDEN


def test_colours_do_not_change_the_words(report: Report, lines: SourceLines, monkeypatch: pytest.MonkeyPatch) -> None:
    rich_text = pytest.importorskip("rich.text")
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "20")
    monkeypatch.delenv("NO_COLOR", raising=False)
    stream = io.StringIO()
    show_coloured(text.styled(report, RenderContext(source_lines=lines)), stream)
    assert "\x1b[" in stream.getvalue()
    assert rich_text.Text.from_ansi(stream.getvalue()).plain.rstrip("\n") == GOLDEN.rstrip("\n")


def test_finding_without_source_trace_or_fix(mean_of_folds: Finding) -> None:
    bare = dataclasses.replace(mean_of_folds, trace=(), fix=None)
    assert text.render(Report((bare,), (), 1), RenderContext()) == (
        "train.py:9:29: CVL101 mean-of-fold-f (error, high confidence)\n"
        "F1 is computed in each fold and averaged over 10 folds.\n"
        "\n"
        "Found 1 error in 1 file.\n"
    )


def test_sentences_keep_their_punctuation(mean_of_folds: Finding) -> None:
    asked = dataclasses.replace(mean_of_folds, message="Is it so?", trace=(), fix=Fix("unsafe", "Do this."))
    shown = text.render(Report((asked,), (), 1), RenderContext())
    assert "\nIs it so?\n" in shown
    assert "use instead: Do this.\n" in shown


@pytest.mark.parametrize(
    ("severities", "files", "sentence"),
    [
        ([], 12, "No faults found in 12 files."),
        ([], 1, "No faults found in 1 file."),
        (["error"] * 3 + ["warning"], 12, "Found 3 errors and 1 warning in 12 files."),
        (["note", "error", "warning"], 2, "Found 1 error, 1 warning and 1 note in 2 files."),
    ],
)
def test_summary(mean_of_folds: Finding, severities: list[str], files: int, sentence: str) -> None:
    findings = tuple(dataclasses.replace(mean_of_folds, severity=severity) for severity in severities)
    assert text.summary(Report(findings, (), files)) == sentence


def test_no_text_controls_the_terminal(mean_of_folds: Finding) -> None:
    location = dataclasses.replace(mean_of_folds.location, path="a\x1b[2J\n.py", line=1, column=1, end_line=1)
    nasty = dataclasses.replace(mean_of_folds, location=location, message="bad\x1b]0;x\x07\nmessage", trace=())
    shown = text.render(Report((nasty,), (), 1), RenderContext(source_lines=lambda _: ["x = '\x1b[31m\u202e' # \x07"]))
    assert not any(char in shown for char in "\x1b\x07\u202e")
    assert shown.startswith("a\N{REPLACEMENT CHARACTER}[2J\N{REPLACEMENT CHARACTER}.py:1:1: CVL101")
