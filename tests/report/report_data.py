from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("jinja2", reason="the extra cvlint[report] is not installed")
pytest.importorskip("matplotlib", reason="the extra cvlint[report] is not installed")

from cvlint.findings.finding import Finding, Fix, Measured, TraceStep
from cvlint.report.experiments import EvaluatedExperiment, experiments_of
from cvlint.report.finding_file import LINE_END
from cvlint.report.page import ReportSource, render
from cvlint.runtime import Bootstrap, FoldSet, read
from cvlint.runtime.data.reading import FoldCounts
from cvlint.source.location import Location

PAPERS = Path(__file__).parents[2] / "fixtures" / "papers"
BOOTSTRAP = Bootstrap(100)


def binary(samples: int = 600, folds: int = 5, seed: int = 0, share: float = 0.08, **more: object) -> FoldSet:
    """Folds whose scores have scales that differ, and a fold in which nothing is predicted positive."""
    rng = np.random.default_rng(seed)
    fold = np.arange(samples) % folds
    truth = (np.arange(samples) // folds) % round(1 / share) == 0
    score = np.round(rng.normal(1.5 * truth + 0.4 * fold, 1.0), 2)
    score[fold == 0] -= 3
    return FoldSet.from_arrays(fold, truth.astype(int), (score > 2).astype(int), score, **more)


def multiclass() -> FoldSet:
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 4, 200)
    score = rng.random((200, 4)) + 0.7 * np.eye(4)[truth]
    return FoldSet.from_arrays(np.arange(200) % 4, truth, score.argmax(axis=1), score)


def multilabel() -> FoldSet:
    rng = np.random.default_rng(2)
    truth = rng.random((200, 3)) < 0.3
    score = rng.random((200, 3)) + 0.4 * truth
    return FoldSet.from_arrays(np.arange(200) % 4, truth.astype(int), (score > 0.8).astype(int), score)


def table_1() -> FoldCounts:
    data = read(PAPERS / "forman-scholz-table-1.csv").data
    assert isinstance(data, FoldCounts)
    return data


def experiments(**data: object) -> list[EvaluatedExperiment]:
    return experiments_of(list(data.items()), bootstrap=BOOTSTRAP)  # type: ignore[arg-type]


def finding(message: str = "Why.", path: str = "train.py", **more: object) -> Finding:
    place = Location(path, None, 2, 7, 2, 22)
    ways = Location(path, None, 1, 1, 1, LINE_END), replace(place, end_column=LINE_END)
    steps = tuple(TraceStep(way, note) for way, note in zip(ways, ("the data are split here", "mean"), strict=True))
    amount = Measured("f_avg", 0.6925, "f_tpfp", 0.5833, (0.48, 0.71), 4, 1, "train.py:2")
    options: dict[str, object] = {"trace": steps, "fix": Fix("unsafe", "Pool."), "measured": (amount,)} | more
    return Finding("mean-of-fold-f", "CVL101", "error", "high", place, message, **options)  # type: ignore[arg-type]


CODE = ["for train, test in cv.split(X, y):", "print(np.mean(scores))"]
PAGES: dict[str, Callable[[], str]] = {
    "counts": lambda: render(ReportSource("table.csv", "0f" * 32, BOOTSTRAP), experiments(**{"": table_1()})),
    "binary with findings": lambda: render(
        ReportSource("folds.csv", "0f" * 32, BOOTSTRAP),
        experiments(**{"train.py:2": binary()}),
        [finding()],
        lambda _: CODE,
    ),
    "several": lambda: render(
        ReportSource("folds.csv", "", BOOTSTRAP), experiments(forest=binary(), tree=binary(seed=1, folds=3)), []
    ),
    "several with findings": lambda: render(
        ReportSource("folds.csv"),
        experiments(**{"train.py:2": binary(), "tree": binary(seed=1)}),
        [finding()],
        lambda _: CODE,
    ),
    "multiclass": lambda: render(ReportSource("folds.csv"), experiments(**{"": multiclass()})),
    "multilabel": lambda: render(ReportSource("folds.csv"), experiments(**{"": multilabel()})),
}
Made = Callable[[str], str]
"""Gives the page of a kind."""
