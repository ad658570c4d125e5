from __future__ import annotations

import dataclasses
import io

import pytest

from cvlint.findings.finding import Finding, Fix, Report, TraceStep
from cvlint.findings.source_text import SourceLines
from cvlint.output.findings import full, text
from cvlint.output.findings.formats import RenderContext
from cvlint.output.shared.styled_text import show_coloured
from cvlint.output.shared.summary import summary
from cvlint.source.location import Location

GOLDEN = """\
a.ipynb:cell 4:3:1 note mean-of-fold-ratio (CVL107, medium confidence)
    A note.

train.py:9:29 error mean-of-fold-f (CVL101)
    F1 is computed in each fold and averaged over 10 folds.
    9 | print("F1 der Prüfung 测试:", np.mean(scores))
      |                               ^^^^^^^^^^^^^^^
    (line 5: folds are split; 6: F1 is computed)
    help: f1_score(y, cross_val_predict(model, X, y, cv=folds)).

Found 1 error and 1 note in 12 files; 1 file could not be read in full.
Next: `cvlint rule mean-of-fold-ratio` explains; `-v` shows all steps; up to 1 fixable: `--diff --unsafe-fixes`; \
`cvlint init` accepts what is there.
"""

FULL = """\
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
  = help: f1_score(y, cross_val_predict(model, X, y, cv=folds)).

Found 1 error and 1 note in 12 files; 1 file could not be read in full.
"""


@pytest.mark.parametrize(("render", "golden"), [(text.render, GOLDEN), (full.render, FULL)])
def test_golden(report: Report, lines: SourceLines, render: object, golden: str) -> None:
    assert render(report, RenderContext(source_lines=lines)) == golden  # type: ignore[operator]


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
    assert text.render(Report((bare,), (), 1), RenderContext(quiet=True)) == (
        "train.py:9:29 error mean-of-fold-f (CVL101)\n    F1 is computed in each fold and averaged over 10 folds.\n\n"
    )
    assert full.render(Report((bare,), (), 1), RenderContext()) == (
        "train.py:9:29: CVL101 mean-of-fold-f (error, high confidence)\n"
        "F1 is computed in each fold and averaged over 10 folds.\n"
        "\n"
        "Found 1 error in 1 file.\n"
    )


def test_sentences_keep_their_punctuation(mean_of_folds: Finding) -> None:
    asked = dataclasses.replace(mean_of_folds, message="Is it so?", trace=(), fix=Fix("unsafe", "Do this."))
    shown = text.render(Report((asked,), (), 1), RenderContext())
    assert "    Is it so?\n" in shown
    assert "    help: Do this.\n" in shown


def at(finding: Finding, line: int, **changes: object) -> Finding:
    place = dataclasses.replace(finding.location, line=line, end_line=line)
    return dataclasses.replace(finding, location=place, **changes)  # type: ignore[arg-type]


def test_nothing_is_said_twice(mean_of_folds: Finding) -> None:
    message = "F1 is averaged: this is biased"
    first = dataclasses.replace(mean_of_folds, message=message)
    other = dataclasses.replace(
        first, location=dataclasses.replace(first.location, path="b.py"), message="AUC is averaged: this is biased"
    )
    shown = text.render(Report((first, at(first, 11), other), (), 2), RenderContext())
    assert shown.count("F1 is averaged: this is biased.\n") == 1
    assert "    AUC is averaged.\n" in shown
    assert shown.count("(line 5: folds are split; 6: F1 is computed)") == 1
    assert shown.count("help:") == 1
    assert shown.startswith("train.py\n  9:29 error mean-of-fold-f (CVL101)\n")


def test_the_object_of_a_leak_is_no_reason(mean_of_folds: Finding) -> None:
    leak = dataclasses.replace(mean_of_folds, message="Data leakage: X is scaled")
    other = dataclasses.replace(leak, location=dataclasses.replace(leak.location, path="b.py"))
    assert text.render(Report((leak, other), (), 2), RenderContext()).count("Data leakage: X is scaled.\n") == 2


def test_steps_in_other_files_and_repetitions(mean_of_folds: Finding) -> None:
    steps = [
        TraceStep(Location("measures/of/experiments/scores.py", None, 3, 5, 3, 9), "F1 is computed here"),
        TraceStep(Location("main.py", 2, 4, 1, 4, 9), "called from here"),
        *(TraceStep(Location("train.py", None, n, 1, n, 9), "and of the same values here, too") for n in (20, 30)),
    ]
    shown = text.render(Report((dataclasses.replace(mean_of_folds, trace=tuple(steps)),), (), 1), RenderContext())
    assert "    (…/scores.py:3: F1 is computed; again at 20 and 1 more place)\n" in shown
    calls = dataclasses.replace(mean_of_folds, trace=tuple(steps[1:2]))
    assert "    (main.py:cell 2:4: called from)\n" in text.render(Report((calls,), (), 1), RenderContext())


def many(finding: Finding, count: int) -> Report:
    folders = ["src/data", "src/models", "src"]
    places = [
        dataclasses.replace(finding.location, path=f"{folders[i % 3]}/{i}.py", line=1, end_line=1) for i in range(count)
    ]
    return Report(tuple(dataclasses.replace(finding, location=place) for place in places), (), count)


def test_a_long_report_has_one_advice_for_each_rule(mean_of_folds: Finding) -> None:
    for count, advices in ((text.LONG, text.LONG), (text.LONG + 1, 1)):
        report = many(mean_of_folds, count)
        own = tuple(
            dataclasses.replace(finding, fix=Fix("unsafe", f"Write fold_{number}."))
            for number, finding in enumerate(report.findings)
        )
        shown = text.render(Report(own, (), count), RenderContext())
        assert shown.count("help: Write fold_") == advices
        assert ("`-v` shows all steps and advice" in shown) == (advices == 1)


def test_a_long_report_shows_one_step_behind_the_marks_where_not_all_fit(mean_of_folds: Finding) -> None:
    place = dataclasses.replace(mean_of_folds.location, column=7, end_column=30)
    context = RenderContext(source_lines=lambda _: ["print(np.mean(the_scores_of_all))"])
    for count, told in (
        (1, "^\n    (train.py:5: folds are split; train.py:9: averaged)\n"),
        (text.LONG + 1, "^ (train.py:9: averaged)\n"),
    ):
        shown = text.render(many(dataclasses.replace(mean_of_folds, location=place), count), context)
        assert shown.count(told) == count


def test_marks_give_way_to_the_steps_in_a_long_report(mean_of_folds: Finding) -> None:
    steps = "(train.py:5: folds are split; train.py:9: averaged)"
    place = dataclasses.replace(mean_of_folds.location, column=1, end_column=61)
    context = RenderContext(source_lines=lambda _: ["x" * 60])
    for count, told in ((1, f"{60 * '^'}\n    {steps}"), (text.LONG + 1, f" {19 * '^'}… {steps}\n")):
        report = many(dataclasses.replace(mean_of_folds, location=place), count)
        assert text.render(report, context).count(told) == count


def test_some_marks_stay(mean_of_folds: Finding) -> None:
    for start, told in ((44, "^^^^… (train.py:9: averaged)\n"), (45, "^\n    (train.py:5: folds are split;")):
        place = dataclasses.replace(mean_of_folds.location, column=start + 1, end_column=start + 21)
        context = RenderContext(source_lines=lambda _, start=start: [f"{'a' * start}{'x' * 20}"])  # type: ignore[misc]
        shown = text.render(many(dataclasses.replace(mean_of_folds, location=place), text.LONG + 1), context)
        assert shown.count(told) == text.LONG + 1, shown[-900:]


def test_a_long_report_says_data_leakage_once_for_each_rule(mean_of_folds: Finding) -> None:
    leak = dataclasses.replace(mean_of_folds, message="Data leakage: X is scaled")
    shown = text.render(many(leak, text.LONG + 1), RenderContext())
    assert shown.count("    Data leakage: X is scaled.\n") == 1
    assert shown.count("    X is scaled.\n") == text.LONG


def test_a_long_report_cuts_the_paths_of_further_places(mean_of_folds: Finding) -> None:
    path = "experiments/with/a/long/name/other.py"
    same = dataclasses.replace(mean_of_folds, causes=("copy:1",))
    copy = dataclasses.replace(same, location=dataclasses.replace(same.location, path=path))
    for rest, named in (((), f"{path}:9:29"), (many(mean_of_folds, text.LONG).findings, "…/other.py:9:29")):
        shown = text.render(Report((same, copy, *rest), (), 3), RenderContext())
        assert f"and 1 more copy: {named}\n" in shown


def test_a_long_report_begins_with_an_overview(mean_of_folds: Finding) -> None:
    assert not text.render(many(mean_of_folds, text.LONG), RenderContext()).startswith("30")
    shown = text.render(many(mean_of_folds, text.LONG + 1), RenderContext())
    assert shown.startswith(
        "31 faults, by rule:\n  31  mean-of-fold-f  in 31 files\n"
        "By folder:\n  11  src/data\n  10  src\n  10  src/models\n\nsrc/data/0.py:1:29 error "
    )


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
    assert summary(Report(findings, (), files)) == sentence


@pytest.mark.parametrize("render", [text.render, full.render])
def test_no_text_controls_the_terminal(mean_of_folds: Finding, render: object) -> None:
    location = dataclasses.replace(mean_of_folds.location, path="a\x1b[2J\n.py", line=1, column=1, end_line=1)
    nasty = dataclasses.replace(mean_of_folds, location=location, message="bad\x1b]0;x\x07\nmessage", trace=())
    context = RenderContext(source_lines=lambda _: ["x = '\x1b[31m\u202e' # \x07"])
    shown = render(Report((nasty,), (), 1), context)  # type: ignore[operator]
    assert not any(char in shown for char in "\x1b\x07\u202e")
    assert shown.startswith("a\N{REPLACEMENT CHARACTER}[2J\N{REPLACEMENT CHARACTER}.py:1:1")
