"""What the page shows of each experiment, and of all of them side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from cvlint.report import figures
from cvlint.report.calculations import Calculation, calculations
from cvlint.report.drawing.inline_svg import Picture
from cvlint.report.experiments import Experiment, kind_of
from cvlint.report.fold_panels import ClassRow, Panel, class_rows, panels
from cvlint.runtime.data.foldset import FoldSet
from cvlint.runtime.intervals.bootstrap import Bootstrap
from cvlint.runtime.measures.fmeasure import alpha_of
from cvlint.runtime.spaces.curves import Curves, curves_of
from cvlint.runtime.thresholds.label_thresholds import ExperimentThresholds, experiment_thresholds

BUDGET = 800_000
"""Characters of drawings: later experiments go without, so that the page stays below 2 MB whatever it is about."""

MOST_TARGETS = 3
"""Classes that are drawn."""

MOST_COMPARED = 6
"""Experiments in one drawing."""

MOST_CHOICES = 20_000_000
"""Samples times folds times classes: the thresholds of more are not chosen."""


@dataclass(slots=True)
class Drawings:
    """What may still be drawn: counts the characters down."""

    left: int = BUDGET
    refused: int = 0

    def take(self, *makers: Callable[[], Picture | None]) -> list[Picture]:
        """The pictures that some functions make, as long as there is room."""
        found = []
        for make in makers:
            if self.left <= 0:
                self.refused += 1
                continue
            picture = make()
            if picture is not None:
                self.left -= len(picture.svg) + sum(len(cell) + 10 for row in picture.table for cell in row)
                found.append(picture)
        return found


@dataclass(frozen=True, eq=False, slots=True)
class Section:
    """What the page shows of one experiment.

    Attributes
    ----------
    experiment
        Its data and aggregates.
    panels, classes
        Its folds, or classes, by their counts.
    rankings, biases, spaces
        Pictures of its ROC curves, of the bias to be expected, of F-measure space and cost space.
    chosen, thresholds
        F with thresholds chosen in several ways, or None; a picture of the thresholds of a binary task.
    calculations
        How its aggregates come about.
    undrawn
        How many pictures the page has no room for.
    """

    experiment: Experiment
    panels: list[Panel]
    classes: list[ClassRow]
    calculations: list[Calculation]
    rankings: list[Picture] = field(default_factory=list)
    biases: list[Picture] = field(default_factory=list)
    spaces: list[Picture] = field(default_factory=list)
    chosen: ExperimentThresholds | None = None
    thresholds: list[Picture] = field(default_factory=list)
    undrawn: int = 0

    @property
    def parts(self) -> tuple[tuple[str, str, bool], ...]:
        """What it is made of, for a list of contents: an id, words, and whether it is there."""
        return (
            ("aggregates", "Aggregates", True),
            ("folds", "Folds", True),
            ("classes", "Classes", bool(self.classes)),
            ("ranking", "Ranking", bool(self.rankings)),
            ("bias", "Expected bias", bool(self.biases)),
            ("spaces", "Other prevalences and costs", bool(self.spaces)),
            ("thresholds", "Thresholds", self.chosen is not None),
            ("formulas", "Formulas", True),
        )

    @property
    def height(self) -> int:
        """About how high it is in a wide window, in rem, which is what a browser reserves until it comes into view."""
        pictures = len(self.rankings) + len(self.biases) + len(self.spaces) + len(self.thresholds)
        tables = len(self.experiment.found.aggregates) + min(len(self.experiment.found.rows), 100) + len(self.classes)
        return round(64 + 28 * pictures + 2.2 * tables + 1.5 * len(self.panels))


def section(experiment: Experiment, drawings: Drawings, bootstrap: Bootstrap | None) -> Section:
    """Everything about one experiment."""
    found, data = experiment.found, experiment.data
    key, refused = f"e{experiment.number}", drawings.refused
    curves = chosen(list(curves_of(data))) if drawings.left > 0 else []
    ways = choices(data, found.beta, bootstrap)
    return Section(
        experiment,
        panels(found),
        class_rows(data, found.beta),
        calculations(experiment),
        drawings.take(*rankings(key, data, curves)),
        drawings.take(lambda: figures.expected_bias(f"{key}-bias", experiment)),
        drawings.take(*spaces(key, curves, alpha_of(found.beta))),
        ways,
        drawings.take(lambda: None if ways is None else figures.thresholds(f"{key}-thresholds", ways)),
        drawings.refused - refused,
    )


def rankings(key: str, data: object, curves: Sequence[tuple[int, Curves]]) -> Iterator[Callable[[], Picture | None]]:
    """The pictures of the rankings by each column of scores."""
    if not isinstance(data, FoldSet) or data.y_score is None:
        return
    for column, one in curves:
        if one.points.defined:
            yield lambda one=one, column=column: figures.roc(f"{key}-roc{column}", one)  # type: ignore[misc]
            yield lambda one=one, column=column: figures.places(f"{key}-places{column}", data, column, figures.of(one))  # type: ignore[misc]


def spaces(key: str, curves: Sequence[tuple[int, Curves]], alpha: float) -> Iterator[Callable[[], Picture | None]]:
    """F-measure space and cost space: of a binary task, or of all classes in one picture."""
    several = [one for _, one in curves]
    yield lambda: figures.f_space(f"{key}-f", several, alpha)
    yield lambda: figures.cost_space(f"{key}-cost", several)


def chosen(curves: Sequence[Curves]) -> list[tuple[int, Curves]]:
    """The curves of the classes that are drawn, with their columns: AUC_merge differs most from AUC_avg there."""
    numbers = sorted(range(len(curves)), key=lambda i: (-merging(curves[i]), i))
    return [(i, curves[i]) for i in sorted(numbers[:MOST_TARGETS])]


def merging(curves: Curves) -> float:
    """How far AUC_merge and AUC_avg of a class are apart; -1 where one of them is undefined."""
    areas = [figures.area(points) for _, points in curves.folds if points.defined]
    return abs(float(np.mean(areas)) - figures.area(curves.points)) if areas and curves.points.defined else -1.0


def choices(data: object, beta: float, bootstrap: Bootstrap | None) -> ExperimentThresholds | None:
    """F with thresholds chosen in several ways; None without scores or positives, and of too many samples."""
    if not isinstance(data, FoldSet) or data.y_score is None or data.folds < 2:
        return None
    columns = range(len(data.targets))
    if data.y_score.size * data.folds > MOST_CHOICES or not all(np.any(data.is_class(column)) for column in columns):
        return None
    return experiment_thresholds(data, beta, bootstrap=bootstrap)[0]


def side_by_side(experiments: Sequence[Experiment], drawings: Drawings) -> list[Picture]:
    """Pictures of several experiments in the same axes; nothing of a single one, and of several classes."""
    if len(experiments) < 2:
        return []
    each = [list(curves_of(e.data, e.found.experiment)) for e in experiments[:MOST_COMPARED]]
    curves = [own[0] for own in each if len(own) == 1]
    if len(curves) < 2:
        return []
    makers: list[Callable[[], Picture | None]] = [
        lambda: figures.f_space("all-f", curves, alpha_of(experiments[0].found.beta)),
        lambda: figures.cost_space("all-cost", curves),
    ]
    if all(len(one.points) > 1 for one in curves):
        makers.insert(0, lambda: figures.merged_roc("all-roc", curves, kind_of(experiments)))
    return drawings.take(*makers)
