from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence

import pytest
from hypothesis import strategies as st

from cvlint.findings.finding import CONFIDENCES, SEVERITIES, Finding, Fix, Report, Suppression, TraceStep
from cvlint.source.location import Location
from cvlint.source.unread_file import UnreadFile

SOURCE = """\
import numpy as np
from sklearn.metrics import f1_score

scores = []
for train, test in folds.split(X, y):
\tf1 = f1_score(y[test], model.predict(X[test]))
\tscores.append(f1)

print("F1 der Prüfung 测试:", np.mean(scores))
"""


def at(line: int, column: int, end_column: int, **changes: object) -> Location:
    values = {"path": "train.py", "cell": None, "line": line, "column": column, "end_line": line}
    return Location(**{**values, "end_column": end_column, **changes})  # type: ignore[arg-type]


@pytest.fixture
def mean_of_folds() -> Finding:
    return Finding(
        rule="mean-of-fold-f",
        code="CVL101",
        severity="error",
        confidence="high",
        location=at(9, 29, 44),
        message="F1 is computed in each fold and averaged over 10 folds",
        trace=(
            TraceStep(at(5, 20, 37), "folds are split here"),
            TraceStep(at(6, 7, 48), "F1 is computed here"),
            TraceStep(at(7, 2, 19), "collected here"),
            TraceStep(at(9, 29, 44), "averaged here"),
        ),
        fix=Fix("unsafe", "f1_score(y, cross_val_predict(model, X, y, cv=folds))"),
    )


@pytest.fixture
def report(mean_of_folds: Finding) -> Report:
    note = Finding("mean-of-fold-ratio", "CVL107", "note", "medium", at(3, 1, 7, path="a.ipynb", cell=4), "A note")
    return Report(findings=(note, mean_of_folds), errors=(UnreadFile("old.py", "not valid Python 3", 3),), files=12)


@pytest.fixture
def lines() -> Callable[[Location], Sequence[str] | None]:
    return lambda location: SOURCE.split("\n") if location.path == "train.py" else None


def texts(*, without: str = "") -> st.SearchStrategy[str]:
    """Any text, with the bytes that a file name can hold and UTF-8 cannot."""
    undecodable = st.integers(0xDC80, 0xDCFF).map(chr)
    usual = st.characters(exclude_categories=("Cs",), exclude_characters=without)
    return st.text(st.sampled_from("`|*_<>&[](){}%:,;=\\\"'\r\n\t\x1b") | usual | undecodable).map(
        lambda text: "".join(char for char in text if char not in without)
    )


@pytest.fixture(scope="session")
def reports() -> st.SearchStrategy[Report]:
    """Reports with paths and messages of every kind, as they come from `from_folder`: sorted, with relative paths."""
    names = texts(without="/\0").filter(lambda name: name not in ("", ".", ".."))
    paths = st.lists(names, min_size=1, max_size=3).map("/".join)
    numbers = st.integers(1, 2000)

    @st.composite
    def locations(draw: st.DrawFn) -> Location:
        line, column = draw(numbers), draw(numbers)
        cell = draw(st.none() | st.integers(1, 9))
        return Location(draw(paths), cell, line, column, line + draw(st.integers(0, 3)), column + draw(numbers))

    steps = st.builds(TraceStep, locations(), texts())
    rules = st.sampled_from([("mean-of-fold-f", "CVL101"), ("auc-merge", "CVL201"), ("own-rule", "LAB1")])
    findings = st.builds(
        lambda rule, **rest: Finding(*rule, **rest),
        rules,
        severity=st.sampled_from(SEVERITIES),
        confidence=st.sampled_from(CONFIDENCES),
        location=locations(),
        message=texts(),
        trace=st.lists(steps, max_size=3).map(tuple),
        fix=st.none() | st.builds(Fix, st.just("unsafe"), texts()),
        fingerprint=st.sampled_from(["", "0123456789abcdef"]),
        suppressed=st.none() | st.builds(Suppression, locations(), texts(), texts()),
    )
    unread = st.builds(UnreadFile, paths, texts(), st.none() | numbers)
    return st.builds(
        lambda found, errors: Report(tuple(sorted(found, key=lambda f: f.location.sort_key)), tuple(errors), 9),
        st.lists(findings, max_size=4),
        st.lists(unread, max_size=2),
    )


@pytest.fixture
def suppressed(mean_of_folds: Finding) -> Report:
    """What `--show-suppressed` shows."""
    comment = Suppression(at(9, 46, 80), "# cvlint: ignore[mean-of-fold-f] as in the paper", "as in the paper")
    return Report((dataclasses.replace(mean_of_folds, trace=(), fix=None, suppressed=comment),), (), 1)


@pytest.fixture(scope="session")
def rows() -> Callable[[Location], tuple[int, int] | None]:
    """Of notebooks only the first cell is known."""
    return lambda location: (location.line, location.end_line) if location.cell in (None, 1) else None
