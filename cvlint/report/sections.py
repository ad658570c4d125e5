"""Collect what the page shows for each experiment, and for all of them side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from cvlint.report.calculations import Calculation, calculations
from cvlint.report.drawing.inline_svg import Picture
from cvlint.report.experiments import EvaluatedExperiment, kind_of
from cvlint.report.figures.bias import expected_bias
from cvlint.report.figures.picture import of_class
from cvlint.report.figures.ranking import area, merged_roc, roc, score_ranks_picture
from cvlint.report.figures.spaces import cost_space, f_space
from cvlint.report.figures.thresholds import fold_thresholds
from cvlint.report.fold_panels import ClassRow, Panel, class_rows, panels
from cvlint.runtime.data.foldset import FoldSet
from cvlint.runtime.intervals.bootstrap import Bootstrap
from cvlint.runtime.measures.fmeasure import alpha_of
from cvlint.runtime.spaces.curves import Curves, curves_of
from cvlint.runtime.thresholds.label_thresholds import ExperimentThresholds, experiment_thresholds

BUDGET = 800_000
"""The limit in characters for drawings: later experiments have none, so that every page stays below 2 MB."""

MOST_TARGETS = 3
"""The number of classes that are drawn."""

MOST_COMPARED = 6
"""The number of experiments in one drawing."""

MOST_CHOICES = 20_000_000
"""The limit for samples × folds × classes: larger data get no choice of thresholds."""


@dataclass(slots=True)
class Drawings:
    """The budget of characters for drawings."""

    left: int = BUDGET
    refused: int = 0

    def take(self, *makers: Callable[[], Picture | None]) -> list[Picture]:
        """Draw pictures while the budget lasts."""
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
    """What the page shows for one experiment."""

    experiment: EvaluatedExperiment
    """The data and the aggregates."""
    panels: list[Panel]
    classes: list[ClassRow]
    """The counts of the folds, or of the classes."""
    calculations: list[Calculation]
    """The formulas of the aggregates with numbers."""
    rankings: list[Picture] = field(default_factory=list)
    biases: list[Picture] = field(default_factory=list)
    spaces: list[Picture] = field(default_factory=list)
    """Drawings of the ROC curves, of the expected bias, and of F-measure space and cost space."""
    chosen: ExperimentThresholds | None = None
    thresholds: list[Picture] = field(default_factory=list)
    """F with thresholds chosen in several ways, or None; a drawing of the thresholds of a binary task."""
    undrawn: int = 0
    """The number of drawings that exceed the budget."""

    @property
    def contents(self) -> tuple[tuple[str, str, bool], ...]:
        """The entries of a table of contents: an id, a title, and whether the section has it."""
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


def section(experiment: EvaluatedExperiment, drawings: Drawings, bootstrap: Bootstrap | None) -> Section:
    """Collect what the page shows for one experiment."""
    found, data = experiment.found, experiment.data
    key, refused = f"e{experiment.number}", drawings.refused
    curves = chosen_classes(list(curves_of(data))) if drawings.left > 0 else []
    ways = threshold_choices(data, found.beta, bootstrap)
    return Section(
        experiment,
        panels(found),
        class_rows(data, found.beta),
        calculations(experiment),
        drawings.take(*ranking_pictures(key, data, curves)),
        drawings.take(lambda: expected_bias(f"{key}-bias", found, experiment.positives, int(experiment.samples or 0))),
        drawings.take(*space_pictures(key, curves, alpha_of(found.beta))),
        ways,
        drawings.take(lambda: None if ways is None else fold_thresholds(f"{key}-thresholds", ways)),
        drawings.refused - refused,
    )


def ranking_pictures(
    key: str, data: object, curves: Sequence[tuple[int, Curves]]
) -> Iterator[Callable[[], Picture | None]]:
    """Draw the rankings by each column of scores."""
    if not isinstance(data, FoldSet) or data.y_score is None:
        return
    for column, one in curves:
        if one.points.defined:
            yield lambda one=one, column=column: roc(f"{key}-roc{column}", one)  # type: ignore[misc]
            yield lambda one=one, column=column: score_ranks_picture(
                f"{key}-places{column}", data, column, of_class(one)
            )  # type: ignore[misc]


def space_pictures(
    key: str, curves: Sequence[tuple[int, Curves]], alpha: float
) -> Iterator[Callable[[], Picture | None]]:
    """Draw F-measure space and cost space, with all classes of a task in one drawing."""
    several = [one for _, one in curves]
    yield lambda: f_space(f"{key}-f", several, alpha)
    yield lambda: cost_space(f"{key}-cost", several)


def chosen_classes(curves: Sequence[Curves]) -> list[tuple[int, Curves]]:
    """Choose the classes whose AUC_merge differs most from AUC_avg, each with the number of its column of scores."""
    numbers = sorted(range(len(curves)), key=lambda i: (-merge_gap(curves[i]), i))
    return [(i, curves[i]) for i in sorted(numbers[:MOST_TARGETS])]


def merge_gap(curves: Curves) -> float:
    """The distance between AUC_merge and AUC_avg of a class; -1 if either is undefined."""
    areas = [area(points) for _, points in curves.folds if points.defined]
    return abs(float(np.mean(areas)) - area(curves.points)) if areas and curves.points.defined else -1.0


def threshold_choices(data: object, beta: float, bootstrap: Bootstrap | None) -> ExperimentThresholds | None:
    """Compute F with thresholds chosen in several ways; None without scores or positives, and for too many samples."""
    if not isinstance(data, FoldSet) or data.y_score is None or data.folds < 2:
        return None
    columns = range(len(data.targets))
    if data.y_score.size * data.folds > MOST_CHOICES or not all(np.any(data.is_class(column)) for column in columns):
        return None
    return experiment_thresholds(data, beta, bootstrap=bootstrap)[0]


def side_by_side(experiments: Sequence[EvaluatedExperiment], drawings: Drawings) -> list[Picture]:
    """Draw several experiments in the same axes; nothing for a single one, or for multiclass tasks."""
    if len(experiments) < 2:
        return []
    each = [list(curves_of(e.data, e.found.experiment)) for e in experiments[:MOST_COMPARED]]
    curves = [own[0] for own in each if len(own) == 1]
    if len(curves) < 2:
        return []
    makers: list[Callable[[], Picture | None]] = [
        lambda: f_space("all-f", curves, alpha_of(experiments[0].found.beta)),
        lambda: cost_space("all-cost", curves),
    ]
    if all(len(one.points) > 1 for one in curves):
        makers.insert(0, lambda: merged_roc("all-roc", curves, kind_of(experiments)))
    return drawings.take(*makers)
